/** Valid values derived from a schema: every option, flag and empty list. */
import type { z } from 'zod';

type Def = {
  type: string;
  shape?: Record<string, Schema>;
  options?: readonly Schema[];
  element?: Schema;
  innerType?: Schema;
  entries?: Record<string, string>;
  values?: readonly unknown[];
  /** Minimum length of a list. */
  checks?: readonly unknown[];
};
type Schema = { _zod: { def: unknown } };
const defOf = (schema: Schema): Def => schema._zod.def as Def;

/** The first value has every member. */
const valuesOf = (schema: Schema): readonly unknown[] => {
  const def = defOf(schema);
  const inner = (of: Schema | undefined): readonly unknown[] => (of ? valuesOf(of) : []);
  switch (def.type) {
    case 'string':
      return ['acme'];
    case 'number':
      return [3, 1].filter((one) => (schema as z.ZodType).safeParse(one).success);
    case 'boolean':
      return [true, false];
    case 'literal':
      return def.values ?? [];
    case 'enum':
      return Object.values(def.entries ?? {});
    case 'array':
      return [inner(def.element).slice(0, 1), ...(def.checks ? [] : [[]])];
    case 'nullable':
      return [...inner(def.innerType), null];
    case 'optional':
      return [...inner(def.innerType), undefined];
    case 'union':
      return (def.options ?? []).flatMap(valuesOf);
    case 'object':
      return objectsOf(def.shape ?? {});
    // The one such schema: a command that was refused.
    case 'custom':
      return ['command.retry'];
    default:
      throw new Error(`no sample of ${def.type}`);
  }
};

/** One member varies at a time. */
const objectsOf = (shape: Record<string, Schema>): object[] => {
  const members = Object.entries(shape).map(([name, of]) => [name, valuesOf(of)] as const);
  const first = Object.fromEntries(members.map(([name, [value]]) => [name, value]));
  // Optional members are absent, not undefined.
  const others = members.flatMap(([name, [, ...rest]]) =>
    rest.map((value) => {
      const { [name]: _, ...without } = first;
      return value === undefined ? without : { ...first, [name]: value };
    }),
  );
  return [first, ...others];
};

export const samplesOf = <T>(union: z.ZodType<T>): T[] => valuesOf(union).map((one) => union.parse(one));
