/** F9: trailer lines of a run's commit messages. */
import type { Contract } from '../core/contract.ts';
import { requirementAnswers } from '../core/contributor-requirements.ts';
import type { Run } from '../core/machine/run.ts';
import { engineOf } from '../core/machine/proposer-rotation.ts';
import { SignOff, signOffKey, trailersFor } from '../core/trailers.ts';
import type { EffectContext } from './effect-context.ts';

/** F9: a sign-off names only the requester or the person who answered for it. */
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
