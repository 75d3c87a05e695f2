/** Warns about a cost limit before anything is spent: it would stop the run, or nothing (E18). */
import { z } from 'zod';
import { enginesInTurn, proposersOfEngine, type Order } from '#model/order';

export const CostCaution = z.discriminatedUnion('kind', [
  /** The model has no price: the run stops at its first request. */
  z.object({
    kind: z.literal('no_price'),
    engine: z.string(),
    model: z.string(),
    /** The version of the engine that uses it unless told otherwise; absent where somebody named it. */
    usualOf: z.string().optional(),
  }),
  /** The engine calls its provider itself and never reports the cost. */
  z.object({ kind: z.literal('no_cost'), engine: z.string() }),
]);
export type CostCaution = z.infer<typeof CostCaution>;

export type CostCautionOf = (
  engine: string,
  engineArgs: readonly string[],
  proposers?: readonly string[],
) => CostCaution | null;

type Asked = Pick<Order, 'engine' | 'proposers' | 'engineArgs' | 'bounds'>;
/** The arguments belong to the first engine. */
export const costCautionsOf = (
  { engine, proposers, engineArgs, bounds }: Asked,
  cautionOf: CostCautionOf,
): CostCaution[] => {
  // guard: E18-cost-told-first
  if (bounds.maxCostUsd === null) return [];
  return [...new Set([engine, ...enginesInTurn({ proposers })])].flatMap(
    (name) =>
      cautionOf(name, name === engine ? engineArgs : [], proposersOfEngine({ proposers }, name)) ?? [],
  );
};
