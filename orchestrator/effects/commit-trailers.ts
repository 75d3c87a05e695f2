/** F9: the lines at the end of each commit message of a run. */
import type { Contract } from '../core/contract.ts';
import { requirementAnswers } from '../core/contributor-requirements.ts';
import type { Run } from '../core/machine/run.ts';
import { engineOf } from '../core/machine/proposer-rotation.ts';
import { SignOff, signOffKey, trailersFor } from '../core/trailers.ts';
import type { EffectContext } from './effect-context.ts';

/**
 * F9: a sign-off is of whoever asked for the change, or of whoever answered for it: nobody else's
 * is ever used.
 */
export const commitTrailers = async (
  parts: EffectContext,
  run: Run,
  contract: Contract,
): Promise<string[]> => {
  const { requester } = run.order;
  const engine = engineOf(run);
  const said = requester.id === null ? null : await parts.ledger.query.setting(signOffKey(requester.id));
  const [signOff = null] = [requirementAnswers(run.target.requirementAnswers).sign_off, said].flatMap(
    (text) => SignOff.safeParse(text).data ?? [],
  );
  return trailersFor(contract, { signOff, engine, coAuthor: parts.executors[engine]?.coAuthor ?? null });
};
