/** Reads the model and limits from the arguments of a round. */
import { SECOND } from '#model/values';
import { findOptionValue } from '../shared/engine-credentials.ts';

type Provider = 'openai' | 'anthropic';
type NamedModel = { provider: Provider | null; model: string };

export const readNamedModel = (args: readonly string[]): NamedModel | null => {
  const said = findOptionValue(args, '-m', '--model');
  if (said === null || said === '') return null;
  const [first = '', ...rest] = said.split('/');
  const provider = first === 'openai' || first === 'anthropic' ? first : null;
  return provider === null || rest.length === 0
    ? { provider: null, model: said }
    : { provider, model: rest.join('/') };
};

export const findRequestedModel = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  provider: string | null,
): string | null =>
  readNamedModel(args)?.model ?? env[provider === 'anthropic' ? 'ANTHROPIC_MODEL' : 'OPENAI_MODEL'] ?? null;

const MAX_MODEL_TURNS = 20;
const DEFAULT_CONTEXT_TOKENS = 128_000;
const DEFAULT_OUTPUT_TOKENS = 16_000;

const numberIn = (args: readonly string[], name: string, usual: number, least: number): number => {
  const value = Number(findOptionValue(args, name));
  return Number.isInteger(value) && value >= least ? value : usual;
};

export type LoopLimits = { turns: number; context: number; output: number; patienceMs: number };
const DEFAULT_PATIENCE_SECONDS = 180;

export const readLoopLimits = (args: readonly string[]): LoopLimits => {
  const context = numberIn(args, '--context', DEFAULT_CONTEXT_TOKENS, 4_000);
  return {
    context,
    patienceMs: numberIn(args, '--patience', DEFAULT_PATIENCE_SECONDS, 1) * SECOND,
    turns: Math.min(MAX_MODEL_TURNS, numberIn(args, '--turns', MAX_MODEL_TURNS, 1)),
    output: numberIn(args, '--output', Math.min(DEFAULT_OUTPUT_TOKENS, Math.floor(context / 4)), 500),
  };
};
