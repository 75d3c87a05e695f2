/** Says why a run refused an input. */
import type { RefusedStep } from '#ports/steps';
import { sayRecord } from '#chat-text';
import { createRenderContext } from '#views';
import { plainReply, type CommandContext, type CommandReply } from './command-context.ts';

export const describeRefusedStep = ({ words, clock }: CommandContext, outcome: RefusedStep): string =>
  outcome.kind === 'refused'
    ? sayRecord(words.refusals, outcome.reason, createRenderContext(clock.now(), words))
    : words.tap.disarmed;
export const refusalReply = (
  context: CommandContext,
  step: RefusedStep,
  runId: string | null = null,
): CommandReply => plainReply(describeRefusedStep(context, step), runId);
