/** Values that a schema takes: one for each option, with every list filled and every nullable member once null. */
import type { z } from 'zod';

type Def = {
  type: string;
  shape?: Record<string, Schema>;
  options?: readonly Schema[];
  element?: Schema;
  innerType?: Schema;
  entries?: Record<string, string>;
  values?: readonly unknown[];
};
type Schema = { _zod: { def: unknown } };
const defOf = (schema: Schema): Def => schema._zod.def as Def;

const sample = (schema: Schema, full: boolean): unknown => {
  const def = defOf(schema);
  const inner = (of: Schema | undefined): unknown => (of ? sample(of, full) : null);
  switch (def.type) {
    case 'string':
      return 'acme';
    case 'number':
      return 3;
    case 'boolean':
      return full;
    case 'literal':
      return def.values?.[0];
    case 'enum':
      return Object.values(def.entries ?? {})[full ? 0 : 1] ?? Object.values(def.entries ?? {})[0];
    case 'array':
      return full ? [inner(def.element)] : [];
    case 'nullable':
    case 'optional':
      return full ? inner(def.innerType) : null;
    case 'union':
      return inner(def.options?.[0]);
    case 'object':
      return Object.fromEntries(Object.entries(def.shape ?? {}).map(([key, of]) => [key, inner(of)]));
    default:
      throw new Error(`no sample of ${def.type}`);
  }
};

/** Two of each kind: with everything, and with as little as there may be. */
export const samplesOf = <T>(union: z.ZodType<T> & { options: readonly Schema[] }): T[] =>
  union.options.flatMap((one) => [true, false].map((full) => union.parse(sample(one, full))));
