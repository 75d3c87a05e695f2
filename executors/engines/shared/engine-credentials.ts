/** Gives an engine only the key of the provider it is about to use (E16). */
import { hasCredential } from '../../process/credential-variables.ts';
import type { ShapeName } from '#gateway';
import { MIN_SECRET_LENGTH } from '#sandbox';

export type CredentialNames = {
  plain: readonly string[];
  keys: Readonly<Record<string, readonly string[]>>;
  provider: (args: readonly string[], env: Readonly<Record<string, string | undefined>>) => string | null;
  /** The key of these providers is not exposed, thanks to the gateway. */
  endpoints?: Readonly<Record<string, ProviderEndpoint>>;
  /** Hosts that the program needs if it signs in or has a key. */
  hosts?: readonly string[];
};

export type ProviderEndpoint = {
  shapes: readonly [ShapeName, ...ShapeName[]];
  usual: string;
  /** The variable's address lacks this version of the API. */
  variable?: string;
  bare?: '/v1' | '/v1beta';
  /** The first key's variable is used if none is set. */
  keys: readonly [string, ...string[]];
};

/** The last value wins: `--name value`, `--name=value` or `-n value`. */
export const findOptionValue = (args: readonly string[], ...names: readonly string[]): string | null => {
  let found: string | null = null;
  args.forEach((arg, i) => {
    const name = names.find((one) => arg === one || arg.startsWith(`${one}=`));
    if (name !== undefined) found = arg === name ? (args[i + 1] ?? null) : arg.slice(name.length + 1);
    const glued = names.find((one) => /^-[a-z]$/.test(one) && arg.startsWith(one) && arg.length > 2);
    if (name === undefined && glued !== undefined) found = arg.slice(2);
  });
  return found;
};

/** Only the program knows the model behind a short name such as `opus`. */
export const findFullModelName = (name: string | null | undefined): string | null =>
  name && /\d/.test(name.replace(/\[.*\]$/, '')) ? name : null;

export const listCredentialVariables = ({ plain, keys }: CredentialNames): string[] => [
  ...plain,
  ...Object.values(keys).flat(),
];

export const signInName = (program: string): string => `the sign-in of ${program}`;

type Environment = Readonly<Record<string, string>>;

export const selectCredentials = (
  names: CredentialNames,
  env: Environment,
  args: readonly string[],
  extraNames: readonly string[],
): { env: Record<string, string>; hasSecret: boolean; provider: string | null; key: string | null } => {
  const isGiven = (name: string): boolean => env[name] !== undefined;
  const all = Object.entries(names.keys);
  const chosen = names.provider(args, env);
  const provider = chosen ?? all.find(([, selected]) => selected.some(isGiven))?.[0];
  const key = (names.keys[provider ?? ''] ?? []).find(isGiven);
  const unknown = Object.keys(env).filter((name) => !listCredentialVariables(names).includes(name));
  const selected = [...names.plain, ...(key === undefined ? [] : [key]), ...unknown, ...extraNames];
  const chosenEnv = Object.fromEntries(
    selected.flatMap((name) => (isGiven(name) ? [[name, env[name] ?? '']] : [])),
  );
  const hasSecret = [...unknown, ...extraNames].some(
    (name) => name !== key && isSecretVariable(name, env[name] ?? '', { named: false }),
  );
  return { env: chosenEnv, hasSecret, provider: provider ?? null, key: key ?? null };
};

export const hasOwnCredential = ({
  key,
  hasSecret,
}: Pick<ReturnType<typeof selectCredentials>, 'key' | 'hasSecret'>): boolean => key !== null || hasSecret;

const SECRET = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i;
const NO_SECRET = /(?:_URL|_BASE|_MODEL|_HOST|_REGION|_ENDPOINT|_VERSION|_PROVIDER|_NAME|_MODE)$/i;

export const isSecretVariable = (name: string, value: string, { named }: { named: boolean }): boolean =>
  hasCredential(value) || SECRET.test(name) || (named && !NO_SECRET.test(name));

/** Only the user part of an address is secret. */
export const secretsInVariable = (value: string): string[] => {
  const before = [...value.matchAll(/\/\/([^@/\s]+)@/g)].flatMap(([, user = '']) => user.split(':'));
  return /:\/\//.test(value) ? before.filter((part) => part.length >= MIN_SECRET_LENGTH) : [value];
};
