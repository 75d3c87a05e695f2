/** What the command line prints of an error from outside. */
import { isOfTheWay } from '../orchestrator/core/host-refusal.ts';
import { OutsideFailure } from '../orchestrator/ports.ts';
import { cliWords } from './language.ts';

/** Why the code host refused, and what to do, where it says so; else the words of the error. */
export const failureWords = (error: unknown): string => {
  const refusal = error instanceof OutsideFailure ? error.refusal : null;
  const { code, hostRefused } = cliWords();
  // Which permission is missing, only the words of the answer tell; they name who is not reached, too.
  const saysMore = refusal?.kind === 'right_missing' || (refusal && code === 'en' && isOfTheWay(refusal));
  if (refusal && !saysMore) return hostRefused(refusal);
  return error instanceof Error ? error.message : String(error);
};
