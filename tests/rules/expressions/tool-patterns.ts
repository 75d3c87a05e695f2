/** The patterns in rows of tools: whatever the schema says is one. */
import { readRows } from '../../../tools/read-rows.ts';
import {
  LinePattern,
  LongOptions,
  Pattern,
  PatternBehindName,
  SingleLinePattern,
  TaskPattern,
  Tool,
  WholePattern,
} from '../../../tools/tool-schema.ts';
import { patternSource } from '../../../tools/pattern.ts';
import type { Expression } from './literal-expressions.ts';
import { z } from 'zod';

/** Any name will do, since it has no repetition. */
const behindName = (text: string): string => text.replace(/^(?:\(\?i\))?/, '$&^name');

/** Patterns that stand inside a longer one, which is judged with an example of the rest. */
const AROUND = new Map<unknown, (text: string) => string>([
  [PatternBehindName, behindName],
  [WholePattern, (text) => `^(?:${text})$`],
  [LinePattern, (text) => `^.*(?:${text}).*$`],
  [TaskPattern, (text) => `(?<![\\w-])(?:${text})\\b`],
  [SingleLinePattern, (text) => text],
]);
/** Others may be looked for in one line, or in a text of many. */
const FLAGS = new Map<unknown, readonly string[]>([
  [LinePattern, ['m']],
  [SingleLinePattern, ['']],
]);
type Told = { text: string; flags: readonly string[] };

const patternsIn = (schema: unknown, value: unknown): Told[] => {
  const around = AROUND.get(schema);
  const flags = FLAGS.get(schema) ?? ['', 'm'];
  if (schema === LongOptions && Array.isArray(value))
    return [{ text: `^--(?:${value.join('|')})$`, flags: [''] }];
  if (schema === Pattern || around)
    return typeof value === 'string' ? [{ text: around?.(value) ?? value, flags }] : [];
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

/** With and without `m`, where the field does not say which of them is used. */
export const readToolPatterns = (folder: string): Expression[] =>
  readRows(folder).flatMap(({ id, ...row }) => {
    const all = new Map(patternsIn(Tool, row).map((one) => [JSON.stringify(one), one]));
    return [...all.values()].flatMap(({ text, flags }) => {
      const { source, flags: own } = patternSource(text);
      return flags.map((more) => ({ source, flags: more + own, at: `tools/rows/${id}.yaml` }));
    });
  });
