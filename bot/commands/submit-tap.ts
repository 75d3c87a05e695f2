/** Turns a tap into an input of a run, and answers with what the machine made of it. */
import type { Input } from '#inputs';
import type { Run } from '#run';
import type { Step } from '#effects';
import type { NewStepArtifact } from '#ports/steps';
import { messageIfLate, type PendingTapAnswer } from './settle-tap.ts';
import { offerInput, type CommandReply, type CommandContext } from './command-context.ts';
import { describeRefusedStep } from './refused-step-reply.ts';

type After = {
  done: (run: Run) => string;
  taken?: CommandReply[];
  refused?: CommandReply[];
  artifacts?: readonly NewStepArtifact[];
};

/** The machine checks again, with compare-and-set in the same transaction. */
export const submitTap = async (
  context: CommandContext,
  run: Pick<Run, 'id'>,
  input: Input,
  { done, taken = [], refused = [], artifacts = [] }: After,
): PendingTapAnswer => {
  let text = '';
  const repliesFor = (step: Step): CommandReply[] => {
    if (step.kind !== 'moved')
      return [...refused, ...messageIfLate(context, describeRefusedStep(context, step))];
    text = done(step.run);
    return [...taken, ...messageIfLate(context, text)];
  };
  const result = await offerInput(context, run.id, input, repliesFor, artifacts);
  switch (result.kind) {
    case 'written':
      return { text, alert: false };
    case 'refused':
    case 'ignored':
      return { text: describeRefusedStep(context, result), alert: true };
    case 'duplicate':
    case 'fenced':
      return { text: context.words.tap.duplicate, alert: false };
  }
};
