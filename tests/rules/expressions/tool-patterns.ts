/** The patterns in rows of tools: whatever the schema says is one. */
import { readRows } from '../../../tools/read-rows.ts';
import { LinePattern, LongOptions, Pattern, PatternBehindName, TaskPattern, Tool, WholePattern } from '../../../tools/tool-schema.ts';
import { patternSource } from '../../../tools/pattern.ts';
import type { Expression } from './literal-expressions.ts';
import { z } from 'zod';

/** Any name will do, since it has no repetition. */
const behindName = (text: string): string => text.replace(/^(?:\(\?i\))?/, '$&^name');

const patternsIn = (schema: unknown, value: unknown): string[] => {
  if (schema === Pattern) return typeof value === 'string' ? [value] : [];
  if (schema === PatternBehindName) return typeof value === 'string' ? [behindName(value)] : [];
  if (schema === WholePattern) return typeof value === 'string' ? [`^(?:${value})$`] : [];
  if (schema === LinePattern) return typeof value === 'string' ? [`^.*(?:${value}).*$`] : [];
  if (schema === TaskPattern) return typeof value === 'string' ? [`(?<![\\w-])(?:${value})\\b`] : [];
  if (schema === LongOptions) return Array.isArray(value) ? [`^--(?:${value.join('|')})$`] : [];
  if (value === undefined) return [];
  if (schema instanceof z.ZodOptional) return patternsIn(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((one) => patternsIn(schema.element, one));
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => patternsIn(one, value));
  if (typeof value !== 'object' || value === null) return [];
  if (schema instanceof z.ZodRecord)
    return Object.entries(value).flatMap(([key, one]) => [
      ...patternsIn(schema.keyType, key),
      ...patternsIn(schema.valueType, one),
    ]);
  if (schema instanceof z.ZodObject)
    return Object.entries(value).flatMap(([key, one]) => patternsIn(schema.shape[key], one));
  return [];
};

/** With and without `m`: the field decides which of them is used. */
export const readToolPatterns = (folder: string): Expression[] =>
  readRows(folder).flatMap(({ id, ...row }) =>
    [...new Set(patternsIn(Tool, row))].flatMap((text) => {
      const { source, flags } = patternSource(text);
      const at = `tools/rows/${id}.yaml`;
      return [
        { source, flags, at },
        { source, flags: `m${flags}`, at },
      ];
    }),
  );
