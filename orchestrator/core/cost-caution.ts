/** E18: what is known of a limit of cost before anything is spent: it stops the run, or nothing. */
import { z } from 'zod';
import type { Order } from './order.ts';

export const CostCaution = z.discriminatedUnion('kind', [
  /** Nobody has told what the model costs: the run stops at its first request. */
  z.object({ kind: z.literal('no_price'), engine: z.string(), model: z.string() }),
  /** The engine asks its provider by itself, and never tells what that cost. */
  z.object({ kind: z.literal('no_cost'), engine: z.string() }),
]);
export type CostCaution = z.infer<typeof CostCaution>;

export type CostCautionOf = (engine: string, engineArgs: readonly string[]) => CostCaution | null;

type Asked = Pick<Order, 'engine' | 'proposers' | 'engineArgs' | 'bounds'>;
/** Of every engine that an order names; its arguments are those of the first. */
export const costCautionsOf = (
  { engine, proposers = [], engineArgs, bounds }: Asked,
  cautionOf: CostCautionOf,
): CostCaution[] => {
  // guard: E18-cost-told-first
  if (bounds.maxCostUsd === null) return [];
  return [...new Set([engine, ...proposers])].flatMap(
    (name) => cautionOf(name, name === engine ? engineArgs : []) ?? [],
  );
};
