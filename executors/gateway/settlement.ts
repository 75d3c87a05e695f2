/**
 * E18: what is counted for one request. A reservation of all that the provider may bill stands
 * until the provider has said what it took. Pure.
 */
import type { Usage } from '../../orchestrator/core/facts.ts';
import type { Ended } from './answer.ts';
import { tierFactor } from './billing.ts';
import { costOf, type Price } from './prices.ts';
import { CHARACTERS_A_TOKEN, type Read } from './reader.ts';
import type { ModelRequest } from './request.ts';
import { NO_TOKENS, type TokenCounts } from './shapes.ts';

/** Dollars that each request with hosted tools may cost beside its tokens, by the operator. */
export type HostedPrices = Readonly<Record<string, number>>;

const extraOf = ({ billing }: ModelRequest, hosted: HostedPrices): number =>
  billing.hosted.reduce((sum, name) => sum + (Object.hasOwn(hosted, name) ? (hosted[name] ?? 0) : 0), 0);

const sumOf = ({ fresh, cached, stored, storedLong }: TokenCounts): number =>
  fresh + cached + stored + storedLong;

const usageOf = (tokens: TokenCounts, price: Price | null, factor: number, extra: number): Usage => ({
  inputTokens: sumOf(tokens),
  outputTokens: tokens.output,
  costUsd: price === null ? 0 : costOf(price, tokens) * factor + extra,
});

const mostTokens = ({ billing: { input, output, storesLong } }: ModelRequest): TokenCounts =>
  storesLong ? { ...NO_TOKENS, storedLong: input, output } : { ...NO_TOKENS, stored: input, output };

/** Whichever costs more: what is read afresh, or written to the cache. */
const dearest = (price: Price | null): Price | null =>
  price && { ...price, stored: Math.max(price.input, price.stored ?? 0) };

/** Set aside before the request is passed on. */
export const mostFor = (asked: ModelRequest, price: Price | null, hosted: HostedPrices): Usage =>
  usageOf(mostTokens(asked), dearest(price), asked.billing.factor ?? 1, extraOf(asked, hosted));

/** A claim below this share of a cautious estimate is none. */
const BELIEVED = 1 / 50;

const estimateOf = ({ characters }: Pick<Read, 'characters'>, askedCharacters: number): TokenCounts => ({
  ...NO_TOKENS,
  fresh: Math.ceil(askedCharacters / CHARACTERS_A_TOKEN),
  output: Math.ceil(characters / CHARACTERS_A_TOKEN),
});

type Counted = { usage: Usage; estimated: boolean };
/** Told counts are believed unless they are far below what passed through. */
const believed = (told: TokenCounts, guess: TokenCounts): { tokens: TokenCounts; estimated: boolean } => {
  const lowInput = sumOf(told) < guess.fresh * BELIEVED;
  const lowOutput = told.output < guess.output * BELIEVED;
  return {
    tokens: { ...(lowInput ? guess : told), output: lowOutput ? guess.output : told.output },
    estimated: lowInput || lowOutput,
  };
};

/** Somebody between us and the provider lost patience: the provider may have answered. */
const UNHEARD = new Set([408, 499, 504, 524]);

export const settlementOf = (
  asked: ModelRequest,
  answer: { status: number | null; ended: Ended; read: Read },
  price: Price | null,
  hosted: HostedPrices,
): Counted => {
  const { status, ended, read } = answer;
  const { told } = read;
  const nothing = { usage: usageOf(NO_TOKENS, price, 1, 0), estimated: false };
  const isRefusal = status !== null && status >= 400 && !UNHEARD.has(status);
  if (isRefusal && told === null) return nothing;
  const guess = estimateOf(read, asked.characters);
  // guard: E18-answer-tier
  const tier = told?.tier ?? null;
  const factor = Math.max(asked.billing.factor ?? 1, (tier === null ? 1 : tierFactor(tier)) ?? 1);
  const extra = extraOf(asked, hosted);
  if (told !== null && read.end === 'told') {
    const { tokens, estimated } = believed(told, guess);
    const usage = usageOf(tokens, price, factor, extra);
    return { usage: { ...usage, costUsd: Math.max(usage.costUsd, told.costUsd) }, estimated };
  }
  // Who bills tells what it took: of a server without a price, what passed through is enough.
  const passed = ended === 'whole' && (price === null || read.end === 'failed');
  const seen = told === null ? guess : believed(told, guess).tokens;
  if (passed) return { usage: usageOf(seen, price, factor, extra), estimated: true };
  // guard: E18-reservation-stands
  const most = mostTokens(asked);
  const isInputTold = told !== null && sumOf(told) > guess.fresh * BELIEVED && sumOf(told) > 0;
  const counted = {
    ...(isInputTold ? told : most),
    output: Math.max(most.output, guess.output, told?.output ?? 0),
  };
  return { usage: usageOf(counted, dearest(price), factor, extra), estimated: true };
};
