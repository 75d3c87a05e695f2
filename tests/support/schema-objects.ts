/** Walks a zod schema, and gives a way into each of its tables. */
import { z } from 'zod';

/** A value that leads to one table, where `plant` adds keys; `path` as sentences name it. */
export type SchemaObject = { path: string; keys: string[]; plant: (key: string) => unknown };

/** Keys of records that match their rules: repositories, people, engines, hooks, variables. */
const RECORD_KEYS = ['acme/api', '1001', 'codex', 'hook', 'NAME', 'OPENAI_API_KEY'];

const at = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

export const objectsIn = (
  schema: unknown,
  wrap: (inner: unknown) => unknown = (inner) => inner,
  path = '',
): SchemaObject[] => {
  if (schema instanceof z.ZodObject)
    return [
      { path, keys: Object.keys(schema.shape), plant: (key) => wrap({ [key]: 1 }) },
      ...Object.entries(schema.shape).flatMap(([key, inner]) =>
        objectsIn(inner, (value) => wrap({ [key]: value }), at(path, key)),
      ),
    ];
  if (schema instanceof z.ZodArray) return objectsIn(schema.element, (value) => wrap([value]), `${path} #1`);
  if (schema instanceof z.ZodRecord) {
    const { keyType } = schema;
    const names = keyType instanceof z.ZodEnum ? keyType.options.map(String) : RECORD_KEYS;
    const key = names.find((name) => keyType instanceof z.ZodType && keyType.safeParse(name).success);
    if (key === undefined) throw new Error(`No key is known that ${path} takes.`);
    return objectsIn(schema.valueType, (value) => wrap({ [key]: value }), at(path, key));
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => objectsIn(one, wrap, path));
  if (schema instanceof z.ZodPipe) return objectsIn(schema.in, wrap, path);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return objectsIn(schema.unwrap(), wrap, path);
  if (schema instanceof z.ZodLazy) return objectsIn(schema.unwrap(), wrap, path);
  if (PLAIN.some((kind) => schema instanceof kind)) return [];
  throw new Error(`A schema of a kind that the walk does not know stands at ${path}.`);
};

const PLAIN = [
  ...[z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral, z.ZodURL, z.ZodEmail],
  // Values for another program have no keys of ours.
  z.ZodUnknown,
];
