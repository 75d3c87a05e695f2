/** Verifies what approvers' own keys confirm of a pull request, for people who have nothing of ours (G11). */
import { fingerprintOf, isSignedByKey } from '#passkeys';
import type { Receipt } from '#pull-text';

type ConfirmedKey = { fingerprint: string; place: string };
const OWN_KEY_DOUBTS = ['own_key_wrong', 'own_key_missing'] as const;
type OwnKeyDoubt = (typeof OWN_KEY_DOUBTS)[number];
type OwnKeyVerdict = { confirmed: ConfirmedKey[]; doubts: OwnKeyDoubt[] };

/**
 * Judges a receipt of which `verifyPull` has no doubt: it is for this pull request then. `wanted` are
 * fingerprints that the reader knows from elsewhere; one of them has to have signed.
 */
export const verifyOwnKeys = async (
  receipt: Receipt,
  wanted: readonly string[] | null,
): Promise<OwnKeyVerdict> => {
  const { signed } = receipt;
  const given = signed?.byKeys;
  const confirmed: ConfirmedKey[] = [];
  const doubts: OwnKeyDoubt[] = [];
  for (const [person, signature] of Object.entries(given?.keys ?? {})) {
    if (!signed || !given) continue;
    const key = { person, ...signature };
    const { repo, base, commit, title, body } = signed;
    const action = title === null ? 'push' : 'open_pr';
    const of = { run: receipt.run, action, person, approval: given.approval } as const;
    const statement = { ...of, seal: receipt.digest, repo, base, commit, title, body, words: null };
    // guard: G11-receipt-signed
    if (await isSignedByKey(key, statement))
      confirmed.push({ fingerprint: fingerprintOf(key.publicKey), place: key.rpId });
    else doubts.push('own_key_wrong');
  }
  // guard: G11-receipt-wanted
  if (wanted !== null && !confirmed.some(({ fingerprint }) => wanted.includes(fingerprint)))
    doubts.push('own_key_missing');
  return { confirmed, doubts: [...new Set(doubts)] };
};
