/** Formats errors from outside for the command line. */
import { DatabaseFailure } from '#db';
import { StartFailure } from '../app/config-error.ts';
import { isOfTheWay } from '#model/failure';
import { OutsideFailure } from '#ports/forge';
import { networkFaultOf, networkWords, wayRefused } from '#network-faults';
import { cliWords } from './language.ts';

export const failureWords = (error: unknown): string => {
  const refusal = error instanceof OutsideFailure ? error.refusal : null;
  const { code, hostRefused, failedInDetail, databaseFault } = cliWords();
  // Only the original message names a missing permission or an unreachable host.
  const saysMore = refusal?.kind === 'right_missing' || (refusal && code === 'en' && isOfTheWay(refusal));
  if (refusal && !saysMore) return hostRefused(refusal);
  if (error instanceof OutsideFailure && error.detail && code !== 'en') return failedInDetail(error.detail);
  if (error instanceof StartFailure) return error.inWords(cliWords());
  if (error instanceof DatabaseFailure) return databaseFault(error.fault);
  return error instanceof Error ? error.message : String(error);
};

/** A proxy or a certificate that is in the way, and what to do about it; null where neither is. */
export const wayFault = (party: string, error: unknown): string | null => {
  const { code, hostRefused } = cliWords();
  const fault = networkFaultOf(error);
  if (fault !== null && code === 'en') return networkWords(party, fault);
  // The sentences about proxies name the code host.
  const refusal = fault?.kind === 'certificate' ? wayRefused(error) : null;
  return refusal && hostRefused(refusal);
};

/** Explains a failed connection to a party other than the code host. */
export const wayWords = (party: string, error: unknown): string =>
  wayFault(party, error) ?? cliWords().setup.unreached(party);
