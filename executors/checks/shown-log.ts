/** C2, C5: a log as people get it, with each call of an agent apart. */
import { redactSecrets, showInvisible } from '#text-safety';
import type { ReadableLog } from '../../orchestrator/ports.ts';
import { readableLog } from './log-calls.ts';

/** Less than an artifact may have, its command beside it (characters); of a longer one the end is kept. */
const MAX_LOG_LENGTH = 980_000;
const COLOURS = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** Nothing unseen, no secret, and no longer than what is kept. */
export const shownLog = (text: string): string =>
  redactSecrets(showInvisible(text.replace(COLOURS, ''))).slice(-MAX_LOG_LENGTH);

export const readLog = (log: string): ReadableLog => {
  const { text, calls } = readableLog(log);
  return { text, calls, shown: shownLog(text) };
};
