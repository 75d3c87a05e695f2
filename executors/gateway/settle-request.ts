/** Computes a request's charge; the maximum is reserved until it is known (E18). Pure. */
import type { ModelUsage } from '#model/reports';
import type { RelayEnd } from './relay-answer.ts';
import { findTierFactor } from './request-billing.ts';
import { costOf, type ModelPrice } from './model-price.ts';
import { CHARACTERS_A_TOKEN, type AnswerReading } from './answer-reader.ts';
import type { ModelRequest } from './read-model-request.ts';
import { NO_TOKENS, type TokenCounts } from './api-shapes.ts';

/** Dollars per request for each hosted tool, set by the operator. */
export type HostedPrices = Readonly<Record<string, number>>;

const extraOf = ({ billing }: ModelRequest, hosted: HostedPrices): number =>
  billing.hosted.reduce((sum, name) => sum + (Object.hasOwn(hosted, name) ? (hosted[name] ?? 0) : 0), 0);

const sumOf = ({ fresh, cached, stored, storedLong }: TokenCounts): number =>
  fresh + cached + stored + storedLong;

const usageOf = (
  tokens: TokenCounts,
  price: ModelPrice | null,
  factor: number,
  extra: number,
  bound: { atMost?: true } = {},
): ModelUsage => ({
  inputTokens: sumOf(tokens),
  outputTokens: tokens.output,
  costUsd: price === null ? 0 : costOf(price, tokens, bound) * factor + extra,
});

const maxTokensOf = ({ billing: { input, output, storesLong } }: ModelRequest): TokenCounts =>
  storesLong ? { ...NO_TOKENS, storedLong: input, output } : { ...NO_TOKENS, stored: input, output };

export const maxUsageOf = (asked: ModelRequest, price: ModelPrice | null, hosted: HostedPrices): ModelUsage =>
  usageOf(maxTokensOf(asked), price, asked.billing.factor ?? 1, extraOf(asked, hosted), { atMost: true });

const MIN_BELIEVED_SHARE = 1 / 50;

const estimateOf = (
  { characters }: Pick<AnswerReading, 'characters'>,
  askedCharacters: number,
): TokenCounts => ({
  ...NO_TOKENS,
  fresh: Math.ceil(askedCharacters / CHARACTERS_A_TOKEN),
  output: Math.ceil(characters / CHARACTERS_A_TOKEN),
});

type Counted = { usage: ModelUsage; estimated: boolean };
const reconcileCounts = (
  told: TokenCounts,
  guess: TokenCounts,
): { tokens: TokenCounts; estimated: boolean } => {
  const lowInput = sumOf(told) < guess.fresh * MIN_BELIEVED_SHARE;
  const lowOutput = told.output < guess.output * MIN_BELIEVED_SHARE;
  return {
    tokens: { ...(lowInput ? guess : told), output: lowOutput ? guess.output : told.output },
    estimated: lowInput || lowOutput,
  };
};

/** An intermediary timed out, so the provider may have answered. */
const UNHEARD_STATUSES = new Set([408, 499, 504, 524]);

export const settleRequest = (
  asked: ModelRequest,
  answer: { status: number | null; ended: RelayEnd; read: AnswerReading },
  price: ModelPrice | null,
  hosted: HostedPrices,
): Counted => {
  const { status, ended, read } = answer;
  const { told } = read;
  const nothing = { usage: usageOf(NO_TOKENS, price, 1, 0), estimated: false };
  const isRefusal = status !== null && status >= 400 && !UNHEARD_STATUSES.has(status);
  if (isRefusal && told === null) return nothing;
  const guess = estimateOf(read, asked.characters);
  // guard: E18-answer-tier
  const tier = told?.tier ?? null;
  const factor = Math.max(asked.billing.factor ?? 1, (tier === null ? 1 : findTierFactor(tier)) ?? 1);
  const extra = extraOf(asked, hosted);
  if (told !== null && read.end === 'told') {
    const { tokens, estimated } = reconcileCounts(told, guess);
    const usage = usageOf(tokens, price, factor, extra);
    return { usage: { ...usage, costUsd: Math.max(usage.costUsd, told.costUsd) }, estimated };
  }
  const passed = ended === 'whole' && (price === null || read.end === 'failed');
  const seen = told === null ? guess : reconcileCounts(told, guess).tokens;
  if (passed) return { usage: usageOf(seen, price, factor, extra), estimated: true };
  // guard: E18-reservation-stands
  const most = maxTokensOf(asked);
  const isInputTold = told !== null && sumOf(told) > guess.fresh * MIN_BELIEVED_SHARE && sumOf(told) > 0;
  const counted = {
    ...(isInputTold ? told : most),
    output: Math.max(most.output, guess.output, told?.output ?? 0),
  };
  return { usage: usageOf(counted, price, factor, extra, { atMost: true }), estimated: true };
};
