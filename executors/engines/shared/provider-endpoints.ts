/** The two providers that an operator can set for any engine by key or address. */
import type { ProviderEndpoint } from './engine-credentials.ts';

export const OPENAI_ENDPOINT: ProviderEndpoint = {
  shapes: ['openai'],
  usual: 'https://api.openai.com/v1',
  variable: 'OPENAI_BASE_URL',
  keys: ['OPENAI_API_KEY'],
};

export const ANTHROPIC_ENDPOINT: ProviderEndpoint = {
  shapes: ['anthropic'],
  usual: 'https://api.anthropic.com/v1',
  variable: 'ANTHROPIC_BASE_URL',
  bare: '/v1',
  keys: ['ANTHROPIC_API_KEY'],
};

export const findConfiguredProvider = (env: Readonly<Record<string, string | undefined>>): string | null => {
  const all = Object.entries({ openai: 'OPENAI', anthropic: 'ANTHROPIC' });
  return all.find(([, name]) => env[`${name}_API_KEY`] ?? env[`${name}_BASE_URL`])?.[0] ?? null;
};
