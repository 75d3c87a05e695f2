/** Renders failed polls of the code host: a line per run, and one message per outage (F8). */
import { isNetworkRefusal } from '#model/failure';
import { isTerminal } from '#model/run';
import type { Run } from '#run';
import type { LanguageTexts } from '../language/languages.ts';
import { fitLines, relativeTimeHtml, codeLine, escapeLine } from '../text/telegram-html.ts';
import { runName } from './run-lines.ts';
import type { RenderedMessage } from './scene.ts';

const MAX_SHOWN_OUTAGE_RUNS = 10;

export const outageLine = (
  {
    upstream: {
      observed: { outage },
    },
    lifecycle: { state },
  }: Run,
  now: number,
  words: LanguageTexts,
): string => {
  if (!outage || isTerminal(state)) return '';
  const { last, since, short } = words.sight;
  const when =
    outage.lastFailureAt === null
      ? `${since} ${relativeTimeHtml(outage.startedAt, now, words.calendar)}`
      : `${last} ${relativeTimeHtml(outage.lastFailureAt, now, words.calendar)}`;
  return `⚠ ${when}: ${escapeLine(short(outage.failure))}`;
};

export const renderOutage = (runs: readonly Run[], now: number, words: LanguageTexts): RenderedMessage => {
  const { sight, fleet } = words;
  const [first] = runs;
  if (!first?.upstream.observed.outage)
    return { html: `<b>✔ ${escapeLine(sight.title.again)}</b>`, buttons: [] };
  const is = first.upstream.observed.outage.failure;
  const whole = is.parts.includes('pull') || is.parts.includes('branch');
  const rest = runs.length - MAX_SHOWN_OUTAGE_RUNS;
  return {
    html: fitLines([
      `<b>⚠ ${escapeLine(whole ? sight.title.none : sight.title.some)}</b>`,
      escapeLine(sight.todo(is), 500),
      ...(whole ? [] : [escapeLine(sight.unread(is.parts))]),
      ...(is.message === '' || (is.refusal && isNetworkRefusal(is.refusal))
        ? []
        : [codeLine(is.message, 300)]),
      escapeLine(sight.runs(runs.length)),
      ...runs
        .slice(0, MAX_SHOWN_OUTAGE_RUNS)
        .map((run) => `${runName(run)}\n   ${outageLine(run, now, words)}`),
      ...(rest > 0 ? [fleet.more(rest)] : []),
      escapeLine(sight.goesOn),
    ]),
    buttons: [],
  };
};
