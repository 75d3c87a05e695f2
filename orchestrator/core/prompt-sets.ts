/**
 * E7: sets of prompts: which of two a run gets, where both are tried, and which of them fit
 * themselves to the engine of a round.
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

/** Drawn by the id of the run: the same run always draws the same, and nobody can choose. */
export const drawPromptSet = (runId: string, order: Order): Order => {
  const { promptExperiment: trial } = order;
  return trial && spot(runId) * 100 < trial.percent ? { ...order, promptVersion: trial.other } : order;
};

/** Sets from before a prompt knew what its engine can do; runs that are pinned to them keep their words. */
const SAME_FOR_ALL = ['v1', 'v2'];
export const fitsItself = (promptVersion: string): boolean => !SAME_FOR_ALL.includes(promptVersion);
