/** What the command line prints of an error from outside. */
import { hostRefused } from '../bot/language/en/host-refusals.ts';
import { OutsideFailure } from '../orchestrator/ports.ts';

/** Why the code host refused, and what to do, where it says so; else the words of the error. */
export const failureWords = (error: unknown): string => {
  const refusal = error instanceof OutsideFailure ? error.refusal : null;
  // Which permission is missing, only the words of the answer tell.
  if (refusal && refusal.kind !== 'right_missing') return hostRefused(refusal);
  return error instanceof Error ? error.message : String(error);
};
