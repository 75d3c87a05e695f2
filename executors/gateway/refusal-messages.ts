/** Messages to boxed programs whose request was not forwarded. */
import type { ExhaustedLimit, ModelLimits } from './attempt-allowance.ts';

export const LIMIT_MESSAGES: Readonly<Record<ExhaustedLimit, (limits: ModelLimits) => string>> = {
  tokens: () => 'The token budget of this run is used up (maxTokens).',
  cost: () => 'The cost budget of this run is used up (maxCostUsd).',
  requests: ({ requests }) => `The agent asked its model ${requests} times in one turn (gateway.requests).`,
  perMinute: ({ perMinute }) =>
    `The agent asked its model ${perMinute} times within a minute (gateway.perMinute).`,
  identical: ({ identical }) =>
    `The agent made the same call ${identical} times in a row (gateway.identical).`,
};

export const valueOfLimit = (spent: ExhaustedLimit, limits: ModelLimits): number =>
  (spent === 'cost' ? limits.costUsd : limits[spent]) ?? 0;

/** The provider received nothing, so nothing is billed. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS_\w+|CERT_\w+|\w{0,60}_CERT\w{0,60}|UNABLE_\w+)$/;
export const wasNeverSent = (code: string): boolean => UNSENT.test(code);

export const renderUnpricedModel = (model: string | null): string =>
  `The cost of this run is limited, and nobody has said what ${model ?? 'this model'} costs: name its price in ` +
  '"gateway.prices" of agentpr.config.json, or take the limit away (maxCostUsd).';

export const renderHostedTool = (name: string): string =>
  `The provider would do this by itself, outside of every box, and bill for it: ${name}. ` +
  'Do without it; or the operator allows it in "gateway.hosted" of agentpr.config.json, with what it may cost.';

export const UNREAD_PRICES =
  'The provider of the model cannot be asked now, so that its list of prices could not be read.';

export const UNKNOWN_TIER =
  'The cost of this run is limited, and nobody knows what this service tier costs. Use the default one.';
