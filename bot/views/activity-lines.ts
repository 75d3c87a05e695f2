/** Says in words what an attempt does now (E21). */
import { MINUTE, SECOND } from '#model/values';
import type { Run } from '#run';
import type { AttemptRow } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine } from '../text/telegram-html.ts';

type AtWork = Pick<AttemptRow, 'startedAt' | 'activity'>;

/** An agent gives a check's command with more around it. */
const isOwnCheck = ({ target: { contract } }: Run, command: string): boolean =>
  (contract?.checks ?? []).some((check) => check.command.trim() !== '' && command.includes(check.command));

/** `show` is how the text stands in the sentence; empty before anything was said. */
const activityWords = (
  run: Run,
  { activity }: AtWork,
  words: LanguageTexts,
  show: (text: string) => string = (text) => text,
): string => {
  if (!activity) return '';
  const { kind, text } = activity;
  const { doing } = words.progress;
  if (kind === 'waits') return doing.waits;
  return doing[kind === 'command' && isOwnCheck(run, text) ? 'test' : kind](show(text));
};

/** A shorter time says nothing of a minute. */
const SHORTEST_RATED_MS = 20 * SECOND;
/** Less would read as nothing. */
const SMALLEST_SAID_USD = 0.005;

/** What it uses a minute, as it tells; empty where nothing is known. */
const rateWords = ({ startedAt, activity }: AtWork, words: LanguageTexts): string => {
  if (!activity || activity.at - startedAt < SHORTEST_RATED_MS) return '';
  const minutes = (activity.at - startedAt) / MINUTE;
  const { costUsd, inputTokens, outputTokens } = activity.usage;
  const dollars = costUsd / minutes;
  if (dollars >= SMALLEST_SAID_USD) return words.progress.dollarsAMinute(words.budgets.amounts.cost(dollars));
  const tokens = inputTokens + outputTokens;
  return tokens > 0 ? words.progress.tokensAMinute(Math.round(tokens / minutes)) : '';
};

/** Both empty where nothing is known. */
export const describeActivity = (
  run: Run,
  attempt: AttemptRow,
  words: LanguageTexts,
): { doing: string; rate: string } => ({
  doing: activityWords(run, attempt, words),
  rate: rateWords(attempt, words),
});

export const activityLine = (run: Run, attempt: AttemptRow | undefined, words: LanguageTexts): string => {
  if (attempt?.outcome !== 'running') return '';
  const doing = activityWords(run, attempt, words, (text) => codeLine(text, 100));
  return doing === '' ? '' : `↳ ${[doing, rateWords(attempt, words)].filter(Boolean).join(' · ')}`;
};
