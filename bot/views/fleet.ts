/** C6: the fleet in one screen, and the few things most worth a person's attention. */
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { isTerminal, STATES } from '../../orchestrator/core/states.ts';
import { helpIn } from '../language/forms.ts';
import type { Texts } from '../language/language.ts';
import { fit, relative, said, show } from '../text/text.ts';
import { doing, name, type Verb } from './scene.ts';
import { sightLine } from './sight.ts';
import { reasonOf } from './why.ts';

/** Buttons of answers name their run; they only ever show something. */
export type AnswerButton = { verb: Verb; text: string; runId: string };
export type Answer = { html: string; buttons: AnswerButton[][] };

type Waiting = { run: Run; why: string; rank: number };

/** Why a run waits for a person, most pressing first; null when it does not. */
const waiting = (run: Run, words: Texts): Waiting | null => {
  const { waits } = words.fleet;
  // A card that expires soon goes first; then what stands still.
  if (run.approval) return { run, why: waits.approval, rank: run.approval.expiresAt - 1e15 };
  switch (run.state) {
    case 'NEEDS_HUMAN_REVIEW':
      return { run, why: waits.human, rank: run.since };
    case 'PAUSED':
      return { run, why: waits.paused, rank: run.since + 1e15 };
    case 'PLAN_READY':
      if (run.escalation === null) return null;
      return { run, why: waits.plan, rank: run.since + 5e14 };
    default:
      return null;
  }
};

export const waitingFor = (runs: readonly Run[], words: Texts): Waiting[] =>
  runs
    .map((run) => waiting(run, words))
    .filter((w) => w !== null)
    .sort((a, b) => a.rank - b.rank);

/** Two lines that fit a phone: which run and how it stands; what it is about, and since when. */
const entry = (run: Run, mark: string, stands: string, now: number, words: Texts): string => {
  const what = said(run.order.title ?? run.order.goal, 26);
  return `${mark}${name(run)} · ${show(stands)}\n   ${what} · ${relative(run.since, now, words.calendar)}`;
};

const withSight = (line: string, run: Run, now: number, words: Texts): string => {
  const sight = sightLine(run, now, words);
  return sight === '' ? line : `${line}\n   ${sight}`;
};

const waitingLine = ({ run, why }: Waiting, now: number, words: Texts): string => {
  const line = withSight(entry(run, '⚠ ', why, now, words), run, now, words);
  return run.approval ? line : `${line}\n   ${said(reasonOf(run, now, words), 100)}`;
};

const runLine = (run: Run, now: number, words: Texts): string => {
  const line = withSight(entry(run, '', doing(run, words), now, words), run, now, words);
  const waits = run.reason.kind === 'queue' || run.state === 'FAILED_RETRYABLE';
  return waits ? `${line}\n   ${said(reasonOf(run, now, words), 200)}` : line;
};

const showButton = ({ run }: Pick<Waiting, 'run'>): AnswerButton => ({
  verb: 'show',
  text: `${run.id} ▸`,
  runId: run.id,
});

export const renderStatus = (
  runs: readonly Run[],
  counts: Record<string, number>,
  now: number,
  words: Texts,
): Answer => {
  const live = runs.filter((r) => !isTerminal(r.state));
  const waits = waitingFor(live, words);
  const top = waits.slice(0, 3);
  const others = live.filter((r) => !top.some((w) => w.run.id === r.id));
  const total = STATES.filter((state) => !isTerminal(state)).reduce((sum, s) => sum + (counts[s] ?? 0), 0);
  const tally = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([state, n]) => `${show(state, 30)} ${n}`)
    .join(' · ');
  return {
    html: fit([
      `<b>${total === 0 ? show(words.fleet.none) : words.fleet.title(total)}</b>`,
      ...(tally ? [tally] : []),
      `<b>${top.length > 0 ? words.fleet.attention : words.fleet.calm}</b>`,
      ...top.map((w) => waitingLine(w, now, words)),
      ...others.slice(0, 10).map((r) => runLine(r, now, words)),
      ...(total - top.length > 10 ? [words.fleet.more(total - top.length - 10)] : []),
    ]),
    buttons: top.length > 0 ? [top.map(showButton)] : [],
  };
};

export const renderRuns = (runs: readonly Run[], now: number, words: Texts): Answer => ({
  html:
    runs.length === 0
      ? show(words.fleet.noRuns)
      : fit([`<b>${words.fleet.runs}</b>`, ...runs.map((r) => runLine(r, now, words))]),
  buttons: pairs(runs.slice(0, 6).map((run) => ({ verb: 'detail', text: run.id, runId: run.id }))),
});

export const renderPending = (runs: readonly Run[], now: number, words: Texts): Answer => {
  const waits = waitingFor(runs, words);
  if (waits.length === 0) return { html: show(words.fleet.calm), buttons: [] };
  const shown = waits.slice(0, 12);
  return {
    html: fit([
      `<b>${words.fleet.pending(waits.length)}</b>`,
      ...shown.map((w) => waitingLine(w, now, words)),
      ...(waits.length > shown.length ? [words.fleet.more(waits.length - shown.length)] : []),
    ]),
    buttons: pairs(shown.map(showButton)),
  };
};

export const renderHelp = (words: Texts): Answer => ({
  html: fit(helpIn(words).map(({ form, does }) => `${show(form, 300)}\n   ${show(does)}`)),
  buttons: [],
});

const pairs = (buttons: AnswerButton[]): AnswerButton[][] =>
  Array.from({ length: Math.ceil(buttons.length / 3) }, (_, i) => buttons.slice(i * 3, i * 3 + 3));
