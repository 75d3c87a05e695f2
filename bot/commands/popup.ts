/** What a tap is answered with: a pop-up, and a message when the pop-up is likely lost. */
import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { NotTaken } from '../../orchestrator/ports.ts';
import { say } from '../text/catalogue.ts';
import { settingAt } from '../views/why.ts';
import { offer, plain, settle, type Answers, type Context } from './context.ts';

export type TapAnswer = { callbackId: string; text: string; alert: boolean };
export type Said = Promise<Omit<TapAnswer, 'callbackId'>>;

/** A tap that waited longer than this (we were down) is answered in a message too, in ms. */
const LATE_MS = 10_000;

const late = (c: Context, text: string): Answers[] =>
  c.clock.now() - c.row.receivedAt > LATE_MS ? [plain(text)] : [];

/** Ends a tap that changes nothing in a run. */
export const tell = async (c: Context, text: string, alert: boolean, ...answers: Answers[]): Said => {
  await settle(c, text, ...answers, ...late(c, text));
  return { text, alert };
};

/** Commands are not ignored; if one is, nothing was done. */
export const notTaken = ({ words, clock }: Context, outcome: NotTaken): string =>
  outcome.kind === 'refused'
    ? say(words.refusals, outcome.reason, settingAt(clock.now(), words))
    : words.tap.disarmed;

type After = {
  /** What is said when the run took it. */
  done: (run: Run) => string;
  /** Messages to be drawn again then, and when it was refused. */
  taken?: Answers[];
  refused?: Answers[];
};

/** The last check is the machine's own: compare-and-set in one transaction. */
export const submitted = async (
  c: Context,
  run: Pick<Run, 'id'>,
  input: Input,
  { done, taken = [], refused = [] }: After,
): Said => {
  let text = '';
  const result = await offer(c, run.id, input, (step) => {
    if (step.kind !== 'moved') return [...refused, ...late(c, notTaken(c, step))];
    text = done(step.run);
    return [...taken, ...late(c, text)];
  });
  switch (result.kind) {
    case 'written':
      return { text, alert: false };
    case 'refused':
    case 'ignored':
      return { text: notTaken(c, result), alert: true };
    case 'duplicate':
    case 'fenced':
      return { text: c.words.tap.duplicate, alert: false };
  }
};
