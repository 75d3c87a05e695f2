/** Sends a person's question to the agent of a run (E21). */
import type { Input } from '#inputs';
import type { Run } from '#run';
import { showInvisible } from '#text-safety';
import { type CommandContext, personOf, offerInput, plainReply } from './command-context.ts';
import { refuseUnfitWords } from './refuse-unfit-words.ts';
import { describeRefusedStep } from './refused-step-reply.ts';

/** E21: the answer comes here, and the card stays as it is. */
export const askAgentQuestion = async (context: CommandContext, run: Run, words: string): Promise<void> => {
  if (await refuseUnfitWords(context, run, words, { command: 'ask', what: 'question' })) return;
  const input: Input = {
    type: 'command.question.ask',
    by: personOf(context),
    text: showInvisible(words),
    chat: context.chat,
  };
  await offerInput(context, run.id, input, (step) => [
    plainReply(
      step.kind === 'moved' ? context.words.answer.sent : describeRefusedStep(context, step),
      run.id,
    ),
  ]);
};
