/** C6: renders the fleet on one screen, and the runs that most need a person. */
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { isTerminal, RUN_STATES, type RunState } from '../../orchestrator/core/run-states.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { fitLines, escapedProse, relativeTimeHtml, codeLine, escapedLine } from '../text/telegram-html.ts';
import { currentActivity, endedSo, isUnderWay, runName, shortName, type ButtonVerb } from './scene.ts';
import { outageLine } from './outage-message.ts';
import { reasonOf } from './reason-messages.ts';

/** Buttons either show the named run or submit the text in `says`. */
export type AnswerButton = { verb: ButtonVerb; text: string; runId: string } & Partial<
  Record<'says' | 'opens' | 'copies', string>
>;
export type ScreenContent = { html: string; buttons: AnswerButton[][] };

type Waiting = { run: Run; why: string; rank: number };

/** Lower ranks are more pressing. Returns null for a run that waits for nobody. */
const waiting = (run: Run, words: LanguageTexts): Waiting | null => {
  const { waits } = words.fleet;
  if (run.gate.approval) return { run, why: waits.approval, rank: run.gate.approval.expiresAt - 1e15 };
  switch (run.lifecycle.state) {
    case 'NEEDS_HUMAN_REVIEW':
      return { run, why: waits.human, rank: run.lifecycle.stateEnteredAt };
    case 'PAUSED':
      return { run, why: waits.paused, rank: run.lifecycle.stateEnteredAt + 1e15 };
    case 'PLAN_READY':
      if (run.target.escalation === null) return null;
      return { run, why: waits.plan, rank: run.lifecycle.stateEnteredAt + 5e14 };
    default:
      return null;
  }
};

export const waitingFor = (runs: readonly Run[], words: LanguageTexts): Waiting[] =>
  runs
    .map((run) => waiting(run, words))
    .filter((w) => w !== null)
    .sort((a, b) => a.rank - b.rank);

const entry = (run: Run, mark: string, stands: string, now: number, words: LanguageTexts): string =>
  [
    `${mark}${runName(run)}`,
    `   ${escapedLine(stands)} · ${relativeTimeHtml(run.lifecycle.stateEnteredAt, now, words.calendar)}`,
    `   ${codeLine(run.order.title ?? run.order.goal, 32)}`,
  ].join('\n');

const firstSentence = (text: string): string => /^[^]*?(?:[.!?](?=\s|$)|[。！？])/u.exec(text)?.[0] ?? text;

const withSight = (line: string, run: Run, now: number, words: LanguageTexts): string => {
  const sight = outageLine(run, now, words);
  return sight === '' ? line : `${line}\n   ${sight}`;
};

const waitingLine = ({ run, why }: Waiting, now: number, words: LanguageTexts): string => {
  const line = withSight(entry(run, '⚠ ', why, now, words), run, now, words);
  return run.gate.approval
    ? line
    : `${line}\n   ${escapedProse(firstSentence(reasonOf(run, now, words)), 100)}`;
};

const standing = (run: Run, words: LanguageTexts): string =>
  endedSo(run, words)?.did ??
  (isUnderWay(run, words) ? currentActivity(run, words) : words.headings[run.lifecycle.state]);

const runLine = (run: Run, now: number, words: LanguageTexts): string => {
  const line = withSight(entry(run, '', standing(run, words), now, words), run, now, words);
  const waits =
    run.lifecycle.reason.kind === 'slot_wait' ||
    run.lifecycle.reason.kind === 'write_slot_wait' ||
    run.lifecycle.state === 'FAILED_RETRYABLE';
  return waits ? `${line}\n   ${escapedProse(reasonOf(run, now, words), 200)}` : line;
};

const isState = (text: string): text is RunState => RUN_STATES.some((state) => state === text);

const showButton = ({ run }: Waiting, words: LanguageTexts): AnswerButton => ({
  verb: 'show',
  text: `${words.fleet.does[kindOf(run)]} · ${shortName(run)}`,
  runId: run.id,
});
const kindOf = (run: Run): 'approval' | 'human' | 'paused' | 'plan' =>
  run.gate.approval
    ? 'approval'
    : run.lifecycle.state === 'PAUSED'
      ? 'paused'
      : run.lifecycle.state === 'PLAN_READY'
        ? 'plan'
        : 'human';

const LATER: Partial<Record<RunState, number>> = {
  FAILED_RETRYABLE: -1,
  QUEUED: 2,
  CI_WAIT: 1,
  REVIEW_WAIT: 1,
};
const turn = (run: Run): number => LATER[run.lifecycle.state] ?? 0;

/** Returns live runs in screen order; numbers in commands refer to this order. */
export const fleetOrder = (runs: readonly Run[], words: LanguageTexts): Run[] => {
  const live = runs.filter((r) => !isTerminal(r.lifecycle.state));
  const top = waitingFor(live, words)
    .slice(0, 3)
    .map(({ run }) => run);
  const others = live.filter((run) => !top.includes(run));
  const waits = waitingFor(others, words).map(({ run }) => run);
  const rest = others.filter((run) => !waits.includes(run)).sort((a, b) => turn(a) - turn(b));
  return [...top, ...waits, ...rest];
};

export const renderStatus = (
  runs: readonly Run[],
  counts: Record<string, number>,
  now: number,
  words: LanguageTexts,
): ScreenContent => {
  const ordered = fleetOrder(runs, words);
  const top = waitingFor(ordered, words).slice(0, 3);
  const others = ordered.slice(top.length);
  const placed = (line: string, run: Run): string => `<b>${ordered.indexOf(run) + 1}</b> ${line}`;
  const total = RUN_STATES.filter((state) => !isTerminal(state)).reduce(
    (sum, s) => sum + (counts[s] ?? 0),
    0,
  );
  const tally = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([state, n]) => `${escapedLine(isState(state) ? words.headings[state] : state, 30)} ${n}`)
    .join(' · ');
  return {
    html: fitLines([
      `<b>${total === 0 ? escapedLine(words.fleet.none) : words.fleet.title(total)}</b>`,
      ...(tally ? [tally] : []),
      `<b>${top.length > 0 ? words.fleet.attention : words.fleet.calm}</b>`,
      ...top.map((w) => placed(waitingLine(w, now, words), w.run)),
      ...others.slice(0, 10).map((r) => placed(runLine(r, now, words), r)),
      ...(total - top.length > 10 ? [words.fleet.more(total - top.length - 10)] : []),
    ]),
    buttons: top.map((one) => [showButton(one, words)]),
  };
};

export const renderRuns = (runs: readonly Run[], now: number, words: LanguageTexts): ScreenContent => ({
  html:
    runs.length === 0
      ? escapedLine(words.fleet.noRuns)
      : fitLines([`<b>${words.fleet.runs}</b>`, ...runs.map((r) => runLine(r, now, words))]),
  buttons: buttonRows(runs.slice(0, 6).map((run) => ({ verb: 'detail', text: run.id, runId: run.id }))),
});

export const renderPending = (runs: readonly Run[], now: number, words: LanguageTexts): ScreenContent => {
  const waits = waitingFor(runs, words);
  if (waits.length === 0) return { html: escapedLine(words.fleet.calm), buttons: [] };
  const shown = waits.slice(0, 12);
  return {
    html: fitLines([
      `<b>${words.fleet.pending(waits.length)}</b>`,
      ...shown.map((w) => waitingLine(w, now, words)),
      ...(waits.length > shown.length ? [words.fleet.more(waits.length - shown.length)] : []),
    ]),
    buttons: buttonRows(
      shown.map((one) => showButton(one, words)),
      1,
    ),
  };
};

export const renderDigest = (
  runs: readonly Run[],
  now: number,
  words: LanguageTexts,
): { html: string; buttons: { verb: ButtonVerb; text: string }[][] } => {
  const { html } = renderPending(runs, now, words);
  return {
    html: `<b>${escapedLine(words.installation.quietOver)}</b>\n${html}`,
    buttons: waitingFor(runs, words).length > 0 ? [[{ verb: 'pending', text: words.welcome.pending }]] : [],
  };
};

export const buttonRows = (buttons: readonly AnswerButton[], wide = 3): AnswerButton[][] =>
  Array.from({ length: Math.ceil(buttons.length / wide) }, (_, i) =>
    buttons.slice(i * wide, i * wide + wide),
  );
