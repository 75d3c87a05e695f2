/** Finds how an agent can be signed in by variables of its box, from what it says of itself (E4). */
import { z } from 'zod';

const AuthMethod = z.object({
  id: z.string().max(200),
  name: z.string().catch(''),
  type: z.string().nullish().catch(null),
  varName: z.string().nullish().catch(null),
  vars: z
    .array(z.object({ name: z.string(), optional: z.boolean().nullish().catch(null) }))
    .nullish()
    .catch(null),
  _meta: z
    .object({ 'api-key': z.object({ provider: z.string().nullish().catch(null) }) })
    .nullish()
    .catch(null),
});
type AuthMethod = z.infer<typeof AuthMethod>;

const PROVIDER_KEYS: Readonly<Record<string, readonly string[]>> = {
  openai: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
};

/** Variables of which it takes all (`every`), or any one. */
const variablesOf = ({ type, vars, varName, _meta }: AuthMethod): { every: boolean; names: string[] } => {
  const named = (vars ?? []).flatMap(({ name, optional }) => (optional === true ? [] : [name]));
  if (type === 'env_var') return { every: true, names: named.length > 0 ? named : varName ? [varName] : [] };
  const key = type === null || type === undefined || type === 'agent' ? _meta?.['api-key'] : undefined;
  if (!key) return { every: true, names: [] };
  const { provider } = key;
  return {
    every: false,
    names: [...(provider ? (PROVIDER_KEYS[provider] ?? []) : Object.values(PROVIDER_KEYS).flat())],
  };
};

const readMethods = (methods: readonly unknown[]): AuthMethod[] =>
  methods.slice(0, 20).flatMap((one) => AuthMethod.safeParse(one).data ?? []);

/** The id of the first way whose variables are there. A terminal or a browser is none. */
export const findSignInMethod = (
  methods: readonly unknown[],
  env: Readonly<Record<string, string>>,
): string | null => {
  const hasVariable = (name: string): boolean => Object.hasOwn(env, name) && env[name] !== '';
  const found = readMethods(methods).find((method) => {
    const { every, names } = variablesOf(method);
    return names.length > 0 && (every ? names.every(hasVariable) : names.some(hasVariable));
  });
  return found?.id ?? null;
};

/** Says by which ways it would sign in; empty if it names none. */
export const describeSignInMethods = (methods: readonly unknown[]): string => {
  const ways = readMethods(methods).map((method) => {
    const { every, names } = variablesOf(method);
    return names.length === 0 ? `“${method.name || method.id}”` : names.join(every ? ' and ' : ' or ');
  });
  return ways.length === 0 ? '' : ` It signs in by ${ways.slice(0, 5).join(', ')}.`;
};
