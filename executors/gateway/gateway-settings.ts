/** Gateway settings of agentpr.config.json. */
import { z } from 'zod';
import { ModelPrice } from './model-price.ts';

export const GatewaySettings = z.strictObject({
  /** An attempt with more requests is in a loop. */
  requests: z.int().min(1).default(500),
  perMinute: z.int().min(1).default(120),
  identical: z.int().min(2).default(10),
  /** Dollars per million tokens, by model. */
  prices: z.record(z.string().min(1), ModelPrice).default({}),
  /** Hosted tools are refused unless listed here with their dollars per request. */
  hosted: z.record(z.string().min(1), z.number().min(0)).default({}),
});
export type GatewaySettings = z.infer<typeof GatewaySettings>;
