/** Names a run and says how it stands, in lines that several views share. */
import { isExcusedRed } from '#model/evidence';
import { isOpeningDelay } from '#model/limits';
import { cutText } from '#model/values';
import type { AttemptRow } from '#ports/ledger';
import { type Run, repositoryOf } from '#run';
import type { LanguageTexts } from '#language';
import { escapeLine, relativeTimeHtml } from '../text/telegram-html.ts';

export const attemptDurationMs = ({ outcome, ms, startedAt }: AttemptRow, now: number): number =>
  outcome === 'running' ? Math.max(0, now - startedAt) : ms;

export const runName = (run: Run): string =>
  `${escapeLine(repositoryOf(run), 60)} · ${escapeLine(run.id, 24)}`;

export const shortName = (run: Run): string =>
  `${cutText(repositoryOf(run).split('/').at(-1) ?? '', 18)} ${run.id}`;

export const runHeadline = (words: string, run: Run): string => `<b>${words}</b> · ${runName(run)}`;

export const checksLine = (run: Run, words: LanguageTexts): string => {
  const checks = run.change.evaluation?.checks ?? [];
  const passed = checks.filter((c) => c.outcome === 'passed').length;
  const unjudged = checks.filter((c) => isExcusedRed(c) && c.onBase?.environmentGap).length;
  const before = checks.filter(isExcusedRed).length - unjudged;
  const untested = checks.filter((c) => c.outcome === 'ran_no_test').length;
  return words.card.checks(passed, checks.length, {
    n: before,
    ref: escapeLine(run.target.base?.ref ?? '', 24),
    untested,
    unjudged,
  });
};

export const findEnding = (run: Run, words: LanguageTexts): { title: string; did: string } | null => {
  const {
    lifecycle: { reason, state },
  } = run;
  if (state !== 'FAILED_TERMINAL') return null;
  if (reason.kind === 'ended_by_person' && reason.how !== 'skipped') return words.ended[reason.how];
  if (reason.kind !== 'pull_closed') return null;
  const { title, did } = words.ended.closed;
  return { title: title(reason.by), did: did(reason.by) };
};

/** G10: approved, and held back by its hours, a cool-down or a cap. */
export const isOpeningDelayed = ({ gate, lifecycle: { epoch, reason } }: Run): boolean =>
  gate.approval === null &&
  gate.consumedApproval?.epoch === epoch &&
  reason.kind === 'write_slot_wait' &&
  isOpeningDelay(reason);

export const liveHeading = (run: Run, words: LanguageTexts): string =>
  isOpeningDelayed(run)
    ? words.doing.approvedHeading
    : words.headings[run.gate.approval ? 'PUSHED' : run.lifecycle.state];

export const stateHeading = (run: Run, words: LanguageTexts): string =>
  escapeLine(findEnding(run, words)?.title ?? liveHeading(run, words), 60);
/** F5: a write to the code host that has to wait, such as for a merge queue. */
export const isWaitingToWrite = ({ lifecycle }: Run): boolean => lifecycle.reason.kind === 'write_slot_wait';

export const currentActivity = (run: Run, words: LanguageTexts): string => {
  const {
    gate: { approval, consumedApproval: consumed },
    lifecycle: { epoch, state },
  } = run;
  if (approval) return words.doing.card;
  if (consumed?.epoch === epoch) {
    if (isOpeningDelayed(run)) return words.doing.heldBack;
    if (isWaitingToWrite(run)) return words.doing.held;
    return state !== 'PUSHED' ? words.doing.pushing : words.doing.opening;
  }
  const ended = findEnding(run, words);
  if (ended) return ended.did;
  return run.lifecycle.reason.kind === 'pushing' ? words.doing.pushing : words.states[state];
};

export const isUnderWay = (run: Run, words: LanguageTexts): boolean =>
  [words.doing.opening, words.doing.pushing].includes(currentActivity(run, words));

export const stateLine = (run: Run, now: number, words: LanguageTexts): string =>
  [
    `<b>${stateHeading(run, words)}</b>`,
    ...(findEnding(run, words) || run.gate.approval ? [] : [escapeLine(currentActivity(run, words))]),
    relativeTimeHtml(run.lifecycle.stateEnteredAt, now, words.calendar),
  ].join(' · ');

export const isFix = (run: Run): boolean =>
  run.upstream.pullRequest !== null &&
  run.change.pushedHead !== null &&
  run.change.commit !== null &&
  run.change.commit.sha !== run.change.pushedHead.sha;
/** The whole change is shown after a merge of the base. */
export const showsFix = (run: Run): boolean => isFix(run) && !run.change.pendingMerge;

export const fixNumberText = ({ lifecycle: { counts }, order }: Run, words: LanguageTexts): string =>
  words.progress.fix(counts.iterations, order.bounds.maxIterations);
