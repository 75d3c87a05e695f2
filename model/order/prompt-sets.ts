/** Selects a run's prompt set, also for experiments, and the sets that adapt to an engine (E7). */
import type { Order } from './order.ts';

const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
};

/** Spreads ids that differ only in their last letter. */
const trialSpot = (runId: string): number => (Math.imul(hashOf(runId), 0x9e3779b1) >>> 0) / 2 ** 32;

/** Drawn from the run's id: repeatable, and nobody can choose. */
export const drawPromptSet = (runId: string, order: Order): Order => {
  const { promptExperiment: trial } = order;
  return trial && trialSpot(runId) * 100 < trial.percent ? { ...order, promptVersion: trial.other } : order;
};

/** Older sets ignore the engine; pinned runs keep their text. */
const SAME_FOR_ALL = ['v1', 'v2'];
export const isAdaptedToEngine = (promptVersion: string): boolean => !SAME_FOR_ALL.includes(promptVersion);
