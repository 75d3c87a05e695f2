/** Answers taps with a pop-up, and with a message when the pop-up is likely lost. */
import type { Input } from '../../orchestrator/kernel/run/inputs.ts';
import type { Run } from '../../orchestrator/kernel/run/run.ts';
import type { RefusedStep } from '../../orchestrator/kernel/ports/index.ts';
import { sayRecord } from '../text/catalogue.ts';
import { settingAt } from '../views/reason-messages.ts';
import {
  offerInput,
  plainReply,
  settleUpdate,
  type CommandReply,
  type CommandContext,
} from './command-context.ts';

export type TapAnswer = { callbackId: string; text: string; alert: boolean };
export type PendingTapAnswer = Promise<Omit<TapAnswer, 'callbackId'>>;

/** Taps handled later than this are also answered by a message, because pop-ups expire (ms). */
const LATE_MS = 10_000;

const late = (c: CommandContext, text: string): CommandReply[] =>
  c.clock.now() - c.row.receivedAt > LATE_MS ? [plainReply(text)] : [];

export const answerTap = async (
  c: CommandContext,
  text: string,
  alert: boolean,
  ...answers: CommandReply[]
): PendingTapAnswer => {
  await settleUpdate(c, text, ...answers, ...late(c, text));
  return { text, alert };
};

export const describeRefusedStep = ({ words, clock }: CommandContext, outcome: RefusedStep): string =>
  outcome.kind === 'refused'
    ? sayRecord(words.refusals, outcome.reason, settingAt(clock.now(), words))
    : words.tap.disarmed;

type After = {
  done: (run: Run) => string;
  taken?: CommandReply[];
  refused?: CommandReply[];
};

/** The machine checks again, with compare-and-set in the same transaction. */
export const submitTap = async (
  c: CommandContext,
  run: Pick<Run, 'id'>,
  input: Input,
  { done, taken = [], refused = [] }: After,
): PendingTapAnswer => {
  let text = '';
  const result = await offerInput(c, run.id, input, (step) => {
    if (step.kind !== 'moved') return [...refused, ...late(c, describeRefusedStep(c, step))];
    text = done(step.run);
    return [...taken, ...late(c, text)];
  });
  switch (result.kind) {
    case 'written':
      return { text, alert: false };
    case 'refused':
    case 'ignored':
      return { text: describeRefusedStep(c, result), alert: true };
    case 'duplicate':
    case 'fenced':
      return { text: c.words.tap.duplicate, alert: false };
  }
};
