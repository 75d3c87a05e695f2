/** Describes an invalid value in a file or message: key, value and allowed values, as a record. */
import { z } from 'zod';
import { listKnownKeys, nearestKey } from './schema-keys.ts';

export type ExpectedValue =
  | { kind: 'text' | 'number' | 'whole' | 'list' | 'table' | 'yes_no' | 'name' | 'email' | 'address' }
  | { kind: 'every' | 'hours' | 'days_alone' | 'duration' | 'days_off' | 'budget' }
  | { kind: 'one_of'; all: string }
  | { kind: 'zone'; zone: string; near: string | null }
  /** Limit of a number, a text's length or a list's size. */
  | { kind: 'least' | 'most'; of: 'number' | 'text' | 'list'; n: number }
  | { kind: 'either'; some: ExpectedValue[] }
  /** The schema has its own message. */
  | { kind: 'said'; says: string }
  | { kind: 'other' };

export type ValidationIssue =
  | { kind: 'unknown'; path: (string | number)[]; key: string; near: string | null; known: string[] }
  | { kind: 'value'; path: (string | number)[]; found: string | null; may: ExpectedValue };

type Issue = z.core.$ZodIssue;

/** Another kind of value altogether, which fits no part of the branch. */
const isElsewhere = ({ path, code }: Issue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_union');

/** Chooses the branch of a union that fits furthest. */
const issuesMeant = (issue: Issue): Issue[] => {
  if (issue.code !== 'invalid_union') return [issue];
  const branches = issue.errors.map((all) => all.flatMap(issuesMeant));
  const best = branches.find(([first]) => first && !isElsewhere(first));
  return best?.map((one) => ({ ...one, path: [...issue.path, ...one.path] })) ?? [issue];
};

const EXPECTED_BY_TYPE: Readonly<Record<string, ExpectedValue>> = {
  string: { kind: 'text' },
  number: { kind: 'number' },
  int: { kind: 'whole' },
  array: { kind: 'list' },
  object: { kind: 'table' },
  record: { kind: 'table' },
  boolean: { kind: 'yes_no' },
};
const SIZED: Readonly<Record<string, 'number' | 'text' | 'list'>> = {
  number: 'number',
  int: 'number',
  string: 'text',
  array: 'list',
};
const FORMATS: Readonly<Record<string, ExpectedValue>> = {
  email: { kind: 'email' },
  url: { kind: 'address' },
};

/** Rules without a message of their own, by name. */
const EXPECTED_BY_RULE = {
  every: { kind: 'every' },
  hours: { kind: 'hours' },
  days_alone: { kind: 'days_alone' },
  duration: { kind: 'duration' },
  days_off: { kind: 'days_off' },
  budget: { kind: 'budget' },
  filled: { kind: 'least', of: 'text', n: 1 },
} as const satisfies Record<string, ExpectedValue>;
type Rule = keyof typeof EXPECTED_BY_RULE;
const isRule = (name: unknown): name is Rule =>
  typeof name === 'string' && Object.hasOwn(EXPECTED_BY_RULE, name);
export const messageOfRule = (rule: Rule): string => rule;
export const toRuleParams = (rule: Rule): { params: { rule: Rule } } => ({ params: { rule } });

const LIBRARY = /^(?:Invalid|Too (?:small|big)|Unrecognized)\b/;

const UnknownZone = z.object({ rule: z.literal('zone'), zone: z.string(), near: z.string().nullable() });

const mayBe = (issue: Issue): ExpectedValue => {
  const rule: unknown = issue.code === 'custom' ? issue.params?.['rule'] : issue.message;
  const unknown = issue.code === 'custom' ? UnknownZone.safeParse(issue.params) : null;
  if (unknown?.success) return { kind: 'zone', zone: unknown.data.zone, near: unknown.data.near };
  if (isRule(rule)) return EXPECTED_BY_RULE[rule];
  if (!LIBRARY.test(issue.message)) return { kind: 'said', says: issue.message.slice(0, 200) };
  switch (issue.code) {
    case 'invalid_type':
      return EXPECTED_BY_TYPE[issue.expected] ?? { kind: 'other' };
    case 'invalid_value':
      return { kind: 'one_of', all: issue.values.map(String).join(', ') };
    case 'too_small':
    case 'too_big': {
      const of = SIZED[issue.origin];
      const [kind, n] =
        issue.code === 'too_small' ? (['least', issue.minimum] as const) : (['most', issue.maximum] as const);
      return of ? { kind, of, n: Number(n) } : { kind: 'other' };
    }
    case 'invalid_format':
      return FORMATS[issue.format] ?? { kind: 'other' };
    case 'invalid_key':
      return { kind: 'name' };
    case 'invalid_union':
      return { kind: 'either', some: issue.errors.flatMap(([first]) => (first ? [mayBe(first)] : [])) };
    default:
      return { kind: 'other' };
  }
};

/** Counts from one: `repositories #2.vars`. */
export const issueLocation = (path: readonly (string | number)[]): string =>
  path.reduce<string>(
    (all, key) => (typeof key === 'number' ? `${all} #${key + 1}` : all === '' ? key : `${all}.${key}`),
    '',
  );

const valueAt = (input: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([k]) => k === String(key))?.[1]
        : undefined,
    input,
  );

const MAX_SHOWN_VALUE_LENGTH = 60;
const formatValue = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  // JSON cannot express infinity or NaN.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > MAX_SHOWN_VALUE_LENGTH ? `${text.slice(0, MAX_SHOWN_VALUE_LENGTH)}…` : text;
};

const formatPath = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String));
const isWhole = (issue: Issue): boolean =>
  (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
  (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER);

/** One for each place: our own rule takes precedence over the range of integers. */
const selectClearest = (issues: readonly Issue[]): Issue[] => {
  const byPlace = Map.groupBy(issues, ({ code, path }) =>
    formatPath(code === 'unrecognized_keys' ? [code, ...path] : path),
  );
  return [...byPlace.values()].flatMap((all) => all.find((one) => !isWhole(one)) ?? all[0] ?? []);
};

/** One for each wrong value and each unknown key, in the order of the schema. */
export const validationIssuesOf = (
  schema: z.ZodType,
  { issues }: z.core.$ZodError,
  input: unknown,
): ValidationIssue[] =>
  selectClearest(issues.flatMap(issuesMeant)).flatMap((issue): ValidationIssue[] => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code === 'unrecognized_keys') {
      const known = listKnownKeys(schema, path);
      return issue.keys.map((key) => ({ kind: 'unknown', path, key, near: nearestKey(key, known), known }));
    }
    const found =
      issue.code === 'invalid_key' ? JSON.stringify(path.at(-1)) : formatValue(valueAt(input, path));
    return [{ kind: 'value', path, found, may: mayBe(issue) }];
  });
