/** C2, C5: prepares a log for people, with each tool call of an agent listed separately. */
import { redactSecrets, showInvisible } from '#text-safety';
import type { ReadableLog } from '#ports/workspaces';
import { readableLog } from './log-calls.ts';

/** Less than an artifact's limit, to leave room for the command (characters). */
const MAX_LOG_LENGTH = 980_000;
const COLOURS = /\u001b\[[0-?]*[ -/]*[@-~]/g;

export const toDisplayLog = (text: string): string =>
  redactSecrets(showInvisible(text.replace(COLOURS, ''))).slice(-MAX_LOG_LENGTH);

export const readLog = (log: string): ReadableLog => {
  const { text, calls } = readableLog(log);
  return { text, calls, shown: toDisplayLog(text) };
};
