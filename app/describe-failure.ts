/** Says errors from outside in a language, for the terminal and for what was probed. */
import { DatabaseFailure } from '#db';
import type { LanguageTexts } from '#language';
import { isNetworkRefusal } from '#model/failure';
import { findHostRefusal, OutsideFailure } from '#ports/forge';
import { networkFaultOf, networkWords } from '#network-faults';
import { StartFailure } from './config-error.ts';

export const describeFailure = (texts: LanguageTexts, error: unknown): string => {
  const refusal = findHostRefusal(error);
  const { code, hostRefused, failedInDetail, databaseFault } = texts;
  // Only the original message names a missing permission or an unreachable host.
  const saysMore = refusal && (refusal.kind === 'right_missing' || isNetworkRefusal(refusal));
  if (refusal && !saysMore) return hostRefused(refusal);
  if (error instanceof OutsideFailure && error.detail && code !== 'en') {
    const says = failedInDetail(error.detail);
    return refusal?.kind === 'right_missing' ? `${says} (${error.message})` : says;
  }
  if (error instanceof StartFailure) return error.inWords(texts);
  if (error instanceof DatabaseFailure) return databaseFault(error.fault);
  return error instanceof Error ? error.message : String(error);
};

/** A proxy or a certificate that is in the way, and what to do about it; null where neither is. */
export const findNetworkFault = (
  { code, hostRefused }: LanguageTexts,
  party: string,
  error: unknown,
): string | null => {
  const fault = networkFaultOf(error);
  if (fault !== null && code === 'en') return networkWords(party, fault);
  // The sentences about proxies name the code host.
  return fault?.kind === 'certificate_untrusted' ? hostRefused(fault) : null;
};

/** Explains a failed connection to a party other than the code host. */
export const describeConnectionFailure = (texts: LanguageTexts, party: string, error: unknown): string =>
  findNetworkFault(texts, party, error) ?? texts.setup.unreached(party);
