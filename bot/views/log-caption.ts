/** Renders the caption of a log that is sent as a file. */
import type { AttemptRow } from '#ports/ledger';
import type { LoggedCall } from '#ports/workspaces';
import type { Run } from '#run';
import type { LanguageTexts } from '#language';
import { escapeLine, codeLine, durationText, escapeBlock } from '../text/telegram-html.ts';
import { runName } from './run-lines.ts';

/** Bot API, sendDocument: captions up to 1024 characters; markup is counted here, too. */
const MAX_CAPTION_LENGTH = 1_000;
const MAX_CALLS = 6;
const MIN_LOG_LENGTH = 60;
const callLines = (calls: readonly LoggedCall[], words: LanguageTexts): string => {
  const more = calls.length - MAX_CALLS;
  return [
    ...(more > 0 ? [escapeLine(words.log.earlierCalls(more))] : []),
    ...calls.slice(-MAX_CALLS).map(({ call, exit, failed }) => {
      const code = exit === null ? '' : ` · ${words.log.exit(exit)}`;
      return `${failed ? '✗' : '✓'} <code>${escapeLine(call, 60)}</code>${code}`;
    }),
  ].join('\n');
};

export const renderLogCaption = (
  run: Run,
  { step, no, outcome, exitCode, ms }: AttemptRow,
  calls: readonly LoggedCall[],
  distilled: string,
  words: LanguageTexts,
): string => {
  const head = [
    runName(run),
    `${codeLine(step, 40)} #${no}`,
    escapeLine(words.log.outcome(outcome), 40),
    ...(exitCode === null ? [] : [words.log.exit(exitCode)]),
    durationText(ms, words.calendar),
  ].join(' · ');
  const list = callLines(calls, words);
  const room = MAX_CAPTION_LENGTH - head.length - list.length - '\n\n<code></code>'.length;
  const text = distilled.trim() === '' || room < MIN_LOG_LENGTH ? '' : escapeBlock(distilled, room);
  return [head, list, text === '' ? '' : `<code>${text}</code>`].filter((part) => part !== '').join('\n');
};
