/** Every kind of judgement and of note with every value that its fields can choose from, made from their schemas. */
import { z } from 'zod';
import { FindingNote } from '../../orchestrator/core/findings.ts';
import { NotModified } from '../../orchestrator/core/govern/decision.ts';
import { Judgement } from '../../orchestrator/core/judgements.ts';

type Schema = z.core.$ZodType;

/** Values that stand for all of a schema; words are ones that no sentence has. */
const valuesOf = (schema: Schema): unknown[] => {
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodLiteral) return [...schema.values];
  if (schema instanceof z.ZodString) return ['quux'];
  if (schema instanceof z.ZodNumber) return [1, 7];
  if (schema instanceof z.ZodBoolean) return [false, true];
  if (schema instanceof z.ZodNullable) return [null, ...valuesOf(schema.unwrap())];
  if (schema instanceof z.ZodArray) return [valuesOf(schema.element).slice(0, 1)];
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.flatMap((o) => valuesOf(o));
  if (schema instanceof z.ZodObject) return objectsOf(schema);
  throw new Error(`no sample of ${schema._zod.def.type}`);
};

/** One field varies at a time; the kind varies with all others. */
const objectsOf = ({ shape }: z.ZodObject): object[] => {
  const fields = Object.entries(shape).map(([name, schema]) => [name, valuesOf(schema)] as const);
  const first = Object.fromEntries(fields.map(([name, [value]]) => [name, value]));
  return fields.flatMap(([name, values]) => values.map((value) => ({ ...first, [name]: value })));
};

export const JUDGEMENTS: Judgement[] = valuesOf(Judgement).map((one) => Judgement.parse(one));
export const FINDING_NOTES: FindingNote[] = valuesOf(FindingNote).map((one) => FindingNote.parse(one));
export const NOT_MODIFIED: NotModified[] = valuesOf(NotModified).map((one) => NotModified.parse(one));
