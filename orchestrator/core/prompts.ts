/**
 * E7: which of two sets of prompts a run gets, where both are tried: drawn by its id, so that the
 * same run always draws the same, and nobody can choose.
 */
import type { Order } from './order.ts';

/** FNV-1a, 32 bits. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
};

/** Multiplied out once more: ids that differ in their last letter alone would lie beside each other. */
const spot = (runId: string): number => (Math.imul(hashOf(runId), 0x9e3779b1) >>> 0) / 2 ** 32;

export const drawn = (runId: string, order: Order): Order => {
  const { trial } = order;
  return trial && spot(runId) * 100 < trial.percent ? { ...order, promptVersion: trial.other } : order;
};
