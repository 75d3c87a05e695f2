/**
 * What an engine gets of the operator's keys: the one of the provider that it is about to use, and
 * no other (E16).
 */
import { hasCredential } from '../../process/credential-variables.ts';
import type { ShapeName } from '#gateway';
import { MIN_SECRET_LENGTH } from '#sandbox';

/**
 * Environment variables by what they are for. The first key that is set is the one that is used.
 */
export type EngineCredentials = {
  /** Addresses, models: no secrets, always lent. */
  plain: readonly string[];
  keys: Readonly<Record<string, readonly string[]>>;
  /** Of `keys`, by the arguments of this round; null: the first provider that has a key. */
  provider: (args: readonly string[], env: Readonly<Record<string, string | undefined>>) => string | null;
  /** Providers that are reached through the gateway, so that their key is not lent at all. */
  endpoints?: Readonly<Record<string, ProviderEndpoint>>;
  /** Whom a program asks by itself, where it signs in or is lent a key. */
  hosts?: readonly string[];
};

/** Where a provider is. */
export type ProviderEndpoint = {
  shapes: readonly [ShapeName, ...ShapeName[]];
  /** With its version. */
  usual: string;
  /** The variable by which an operator, and we, name another; `bare` when it leaves the version out. */
  variable?: string;
  bare?: true;
  /** Of the provider's keys, those that a plain request carries. The first is set where none is. */
  keys: readonly [string, ...string[]];
};

/** The last value of an option, as `--name value`, `--name=value` or `-n value`. */
export const optionIn = (args: readonly string[], ...names: readonly string[]): string | null => {
  let found: string | null = null;
  args.forEach((arg, i) => {
    const name = names.find((one) => arg === one || arg.startsWith(`${one}=`));
    if (name !== undefined) found = arg === name ? (args[i + 1] ?? null) : arg.slice(name.length + 1);
    const glued = names.find((one) => /^-[a-z]$/.test(one) && arg.startsWith(one) && arg.length > 2);
    if (name === undefined && glued !== undefined) found = arg.slice(2);
  });
  return found;
};

/** A short name, like `opus` or `sonnet[1m]`, stands for a model that only the program knows. */
export const fullModelName = (name: string | null | undefined): string | null =>
  name && /\d/.test(name.replace(/\[.*\]$/, '')) ? name : null;

export const credentialVariables = ({ plain, keys }: EngineCredentials): string[] => [
  ...plain,
  ...Object.values(keys).flat(),
];

/** What people call a sign-in. */
export const signInName = (program: string): string => `the sign-in of ${program}`;

type Environment = Readonly<Record<string, string>>;

/** `more` are variables that the operator named for this engine: those always go along. */
export const exposeCredentials = (
  lending: EngineCredentials,
  given: Environment,
  args: readonly string[],
  more: readonly string[],
): { env: Record<string, string>; hasKey: boolean; provider: string | null; key: string | null } => {
  const has = (name: string): boolean => given[name] !== undefined;
  const all = Object.entries(lending.keys);
  const chosen = lending.provider(args, given);
  const provider = chosen ?? all.find(([, names]) => names.some(has))?.[0];
  const key = (lending.keys[provider ?? ''] ?? []).find(has);
  // What we know nothing of was given on purpose.
  const unknown = Object.keys(given).filter((name) => !credentialVariables(lending).includes(name));
  const names = [...lending.plain, ...(key === undefined ? [] : [key]), ...unknown, ...more];
  const env = Object.fromEntries(names.flatMap((name) => (has(name) ? [[name, given[name] ?? '']] : [])));
  const others = [...unknown, ...more].some((name) => isSecret(name, given[name] ?? '', false));
  return { env, hasKey: key !== undefined || others, provider: provider ?? null, key: key ?? null };
};

const SECRET = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i;
const NO_SECRET = /(?:_URL|_BASE|_MODEL|_HOST|_REGION|_ENDPOINT|_VERSION|_PROVIDER|_NAME|_MODE)$/i;

/** Whether a variable that is lent carries a secret. */
export const isSecret = (name: string, value: string, named: boolean): boolean =>
  hasCredential(value) || SECRET.test(name) || (named && !NO_SECRET.test(name));

/** Of an address only what stands before its host is secret, and of any other value all of it. */
export const secretsInVariable = (value: string): string[] => {
  const before = [...value.matchAll(/\/\/([^@/\s]+)@/g)].flatMap(([, user = '']) => user.split(':'));
  return /:\/\//.test(value) ? before.filter((part) => part.length >= MIN_SECRET_LENGTH) : [value];
};
