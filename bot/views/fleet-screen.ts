/** Renders the fleet on one screen, and the runs that most need a person (C6). */
import type { Run } from '#run';
import { isTerminal, RUN_STATES, type RunState } from '#model/run';
import type { LanguageTexts } from '../language/languages.ts';
import { fitLines, escapeProse, escapeLine } from '../text/telegram-html.ts';
import { currentActivity, findEnding, isOpeningDelayed, isUnderWay, stateHeading } from './run-lines.ts';
import { renderReason } from './reason-messages.ts';
import { buttonRows, fleetEntry, withOutage, type ScreenContent } from './screen-rows.ts';
import { showButton, listWaitingRuns, waitingLine } from './waiting-list.ts';

const standingText = (run: Run, words: LanguageTexts): string =>
  findEnding(run, words)?.did ??
  (isUnderWay(run, words)
    ? currentActivity(run, words)
    : isOpeningDelayed(run)
      ? words.doing.approvedHeading
      : words.headings[run.lifecycle.state]);

const runLine = (run: Run, now: number, words: LanguageTexts): string => {
  const line = withOutage(fleetEntry(run, '', standingText(run, words), now, words), run, now, words);
  const waits =
    run.lifecycle.reason.kind === 'slot_wait' ||
    run.lifecycle.reason.kind === 'write_slot_wait' ||
    run.lifecycle.state === 'FAILED_RETRYABLE';
  return waits ? `${line}\n   ${escapeProse(renderReason(run, now, words), 200)}` : line;
};

const isState = (text: string): text is RunState => RUN_STATES.some((state) => state === text);

const LATER: Partial<Record<RunState, number>> = {
  FAILED_RETRYABLE: -1,
  QUEUED: 2,
  CI_WAIT: 1,
  REVIEW_WAIT: 1,
};
const orderOf = (run: Run): number => LATER[run.lifecycle.state] ?? 0;

/** Returns live runs in screen order; numbers in commands refer to this order. */
export const listFleetRuns = (runs: readonly Run[], words: LanguageTexts): Run[] => {
  const live = runs.filter((r) => !isTerminal(r.lifecycle.state));
  const top = listWaitingRuns(live, words)
    .slice(0, 3)
    .map(({ run }) => run);
  const others = live.filter((run) => !top.includes(run));
  const waits = listWaitingRuns(others, words).map(({ run }) => run);
  const rest = others.filter((run) => !waits.includes(run)).sort((a, b) => orderOf(a) - orderOf(b));
  return [...top, ...waits, ...rest];
};

export const renderStatus = (
  runs: readonly Run[],
  counts: Record<string, number>,
  now: number,
  words: LanguageTexts,
): ScreenContent => {
  const ordered = listFleetRuns(runs, words);
  const top = listWaitingRuns(ordered, words).slice(0, 3);
  const others = ordered.slice(top.length);
  const numberLine = (line: string, run: Run): string => `<b>${ordered.indexOf(run) + 1}</b> ${line}`;
  const total = RUN_STATES.filter((state) => !isTerminal(state)).reduce(
    (sum, s) => sum + (counts[s] ?? 0),
    0,
  );
  // Ended runs are left out: the counts do not tell a denied one from one that failed.
  const tally =
    ordered.length === total
      ? [...Map.groupBy(ordered, (run) => stateHeading(run, words))].map(([name, some]) => [
          name,
          some.length,
        ])
      : Object.entries(counts).flatMap(([state, n]) =>
          isState(state) && !isTerminal(state) && n > 0 ? [[escapeLine(words.headings[state], 30), n]] : [],
        );
  return {
    html: fitLines([
      `<b>${total === 0 ? escapeLine(words.fleet.none) : words.fleet.title(total)}</b>`,
      ...(tally.length > 0 ? [tally.map((one) => one.join(' ')).join(' · ')] : []),
      `<b>${top.length > 0 ? words.fleet.attention : words.fleet.calm}</b>`,
      ...top.map((w) => numberLine(waitingLine(w, now, words), w.run)),
      ...others.slice(0, 10).map((r) => numberLine(runLine(r, now, words), r)),
      ...(total - top.length > 10 ? [words.fleet.more(total - top.length - 10)] : []),
    ]),
    buttons: top.map((one) => [showButton(one, words)]),
  };
};

export const renderRuns = (runs: readonly Run[], now: number, words: LanguageTexts): ScreenContent => ({
  html:
    runs.length === 0
      ? escapeLine(words.fleet.noRuns)
      : fitLines([`<b>${words.fleet.runs}</b>`, ...runs.map((r) => runLine(r, now, words))]),
  buttons: buttonRows(runs.slice(0, 6).map((run) => ({ verb: 'detail', text: run.id, runId: run.id }))),
});
