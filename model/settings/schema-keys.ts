/** Finds the keys that a schema knows at a place, and the one that a wrong key most likely means. */
import { z } from 'zod';
import { nearestWord } from '#model/values';

/** Schemas of tables and lists inside defaults, unions and transforms. */
const plainSchemasOf = (schema: unknown): (z.ZodObject | z.ZodArray | z.ZodRecord)[] => {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray || schema instanceof z.ZodRecord)
    return [schema];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(plainSchemasOf);
  if (schema instanceof z.ZodPipe) return plainSchemasOf(schema.in);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return plainSchemasOf(schema.unwrap());
  return [];
};

const schemasAt = (schema: z.ZodType, path: readonly PropertyKey[]): ReturnType<typeof plainSchemasOf> =>
  path.reduce(
    (all, key) =>
      all.flatMap((one) => {
        if (one instanceof z.ZodArray) return plainSchemasOf(one.element);
        if (one instanceof z.ZodRecord) return plainSchemasOf(one.valueType);
        return plainSchemasOf(one.shape[String(key)]);
      }),
    plainSchemasOf(schema),
  );

export const listKnownKeys = (schema: z.ZodType, path: readonly PropertyKey[]): string[] => [
  ...new Set(
    schemasAt(schema, path).flatMap((one) => {
      if (one instanceof z.ZodObject) return Object.keys(one.shape);
      if (one instanceof z.ZodRecord && one.keyType instanceof z.ZodEnum)
        return one.keyType.options.map(String);
      return [];
    }),
  ),
];

const normalizeKey = (key: string): string => key.toLowerCase().replace(/[-_\s.]/g, '');

/** `max_cost_usd` and `maxCostUSD` mean `maxCostUsd`. */
export const nearestKey = (typed: string, known: readonly string[]): string | null => {
  const near = nearestWord(normalizeKey(typed), known.map(normalizeKey));
  return known.find((key) => normalizeKey(key) === near) ?? null;
};
