/** Prepares a log for people, with each tool call of an agent listed separately (C2, C5). */
import { redactSecrets, showInvisible } from '#text-safety';
import type { LoggedStep, ReadableLog } from '#ports/workspaces';
import { parseAgentLog } from './parse-agent-log.ts';

/** Less than an artifact's limit, to leave room for the command (characters). */
const MAX_LOG_LENGTH = 980_000;
const MAX_STEP_OUTPUT = 2_000;
const COLOURS = /\u001b\[[0-?]*[ -/]*[@-~]/g;

export const toDisplayLog = (text: string): string =>
  redactSecrets(showInvisible(text.replace(COLOURS, ''))).slice(-MAX_LOG_LENGTH);

/** Secrets are hidden before anything is cut, so that no half of one is left. */
const toDisplayStep = (step: LoggedStep): LoggedStep =>
  step.kind === 'said'
    ? { ...step, text: toDisplayLog(step.text) }
    : {
        ...step,
        call: toDisplayLog(step.call),
        output: toDisplayLog(step.output).slice(-MAX_STEP_OUTPUT).toWellFormed(),
      };

export const readLog = (log: string): ReadableLog => {
  const { text, steps } = parseAgentLog(log);
  return { text, steps: steps.map(toDisplayStep), shown: toDisplayLog(text) };
};
