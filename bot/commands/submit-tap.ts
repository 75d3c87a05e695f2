/** Turns a tap into an input of a run, and answers with what the machine made of it. */
import type { Input } from '#inputs';
import type { Run } from '#run';
import type { Step } from '#effects';
import type { NewStepArtifact, RefusedStep } from '#ports/steps';
import { sayRecord } from '../text/catalogue.ts';
import { settingAt } from '../views/reason-messages.ts';
import { messageIfLate, type PendingTapAnswer } from './answer-tap.ts';
import { offerInput, type CommandReply, type CommandContext } from './command-context.ts';

export const describeRefusedStep = ({ words, clock }: CommandContext, outcome: RefusedStep): string =>
  outcome.kind === 'refused'
    ? sayRecord(words.refusals, outcome.reason, settingAt(clock.now(), words))
    : words.tap.disarmed;

type After = {
  done: (run: Run) => string;
  taken?: CommandReply[];
  refused?: CommandReply[];
  artifacts?: readonly NewStepArtifact[];
};

/** The machine checks again, with compare-and-set in the same transaction. */
export const submitTap = async (
  c: CommandContext,
  run: Pick<Run, 'id'>,
  input: Input,
  { done, taken = [], refused = [], artifacts = [] }: After,
): PendingTapAnswer => {
  let text = '';
  const replies = (step: Step): CommandReply[] => {
    if (step.kind !== 'moved') return [...refused, ...messageIfLate(c, describeRefusedStep(c, step))];
    text = done(step.run);
    return [...taken, ...messageIfLate(c, text)];
  };
  const result = await offerInput(c, run.id, input, replies, artifacts);
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
