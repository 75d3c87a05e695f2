/** What an operator may say of the gateway in agentpr.config.json. */
import { z } from 'zod';
import { ModelPrice } from './model-prices.ts';

export const GatewaySettings = z.strictObject({
  /** Requests of one attempt to its model, and within a minute: more is a circle. */
  requests: z.int().min(1).default(500),
  perMinute: z.int().min(1).default(120),
  /** How often in a row an agent may make the same call. */
  identical: z.int().min(2).default(10),
  /** Dollars for a million tokens, by the name of a model. */
  prices: z.record(z.string().min(1), ModelPrice).default({}),
  /**
   * What providers do and bill by themselves (`web_search`, `code_interpreter`, `mcp` …) is refused
   * unless it is named here, with the dollars that one request with it may cost beside its tokens.
   */
  hosted: z.record(z.string().min(1), z.number().min(0)).default({}),
});
export type GatewaySettings = z.infer<typeof GatewaySettings>;
