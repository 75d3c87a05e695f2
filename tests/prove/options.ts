/** Parses the prover's command line. */
import { parseArgs } from 'node:util';
import type { Claim } from './claim.ts';

export type ProveOptions = {
  quick: boolean;
  json: boolean;
  lists: boolean;
  help: boolean;
  wanted: readonly Claim[];
  seed: number | null;
  /** Null: the claim's own number. */
  trials: number | null;
};

export const usage = (claims: readonly Claim[]): string =>
  [
    'Usage: npm run prove [-- --quick] [--only <claim>]… [--without <claim>]… [--seed <n>] [--trials <n>] [--lists] [--json]',
    '',
    '  --quick   four minutes instead of an hour',
    '  --only    one claim (repeatable)',
    '  --without all but this claim (repeatable)',
    '  --seed    with one claim: plays the trial of this seed again and tells of it; else where all trials begin',
    '  --trials  how many, instead of the number that a claim asks for',
    '  --lists   also with --quick: what no trial came across',
    '  --json    one object on standard output and nothing else there',
    '',
    ...claims.map(({ name, says }) => `  ${name.padEnd(14)} ${says}`),
  ].join('\n');

const numberIn = (option: string, text: string | undefined, least: number): number | null => {
  if (text === undefined) return null;
  const n = Number(text);
  if (!/^\d{1,15}$/.test(text) || n < least)
    throw new Error(`--${option} takes a whole number from ${least} on, not "${text}".`);
  return n;
};

/** Throws a message for an invalid command line. */
export const readOptions = (argv: readonly string[], claims: readonly Claim[]): ProveOptions => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      lists: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      without: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      trials: { type: 'string' },
    },
  });
  const { only, without } = values;
  const strange = [...only, ...without].find((name) => !claims.some((c) => c.name === name));
  if (strange !== undefined)
    throw new Error(
      `There is no claim "${strange}". There are: ${claims.map(({ name }) => name).join(', ')}.`,
    );
  const wanted = claims.filter(
    ({ name }) => (only.length === 0 || only.includes(name)) && !without.includes(name),
  );
  if (wanted.length === 0) throw new Error('No claim is left: --without names all of them.');
  const { quick, json, lists, help } = values;
  const [seed, trials] = [numberIn('seed', values.seed, 0), numberIn('trials', values.trials, 1)];
  return { quick, json, lists, help, wanted, seed, trials };
};
