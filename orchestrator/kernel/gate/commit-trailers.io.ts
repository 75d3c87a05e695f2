/** Trailer lines of a run's commit messages (F9). */
import type { Contract } from '#model/contract';
import { requirementAnswers } from '#model/requirements';
import { SignOff, signOffKey, requiredTrailers } from '#model/trailers';
import type { Run } from '../run/run.ts';
import { engineOf } from '../run/proposer-rotation.ts';
import { sha256Hex } from '../runtime/content-hash.ts';
import type { EffectContext } from '../handlers/effect-context.ts';

/** F9: a sign-off names only the requester or the person who answered for it. */
export const commitTrailers = async (
  parts: EffectContext,
  run: Run,
  contract: Contract,
  model: string | null = null,
): Promise<string[]> => {
  const { requester } = run.order;
  const engine = engineOf(run);
  const said = requester.id === null ? null : await parts.ledger.query.setting(signOffKey(requester.id));
  const [signOff = null] = [requirementAnswers(run.target.requirementAnswers).sign_off, said].flatMap(
    (text) => SignOff.safeParse(text).data ?? [],
  );
  const coAuthor = parts.agents.engines[engine]?.coAuthor ?? null;
  const changeId = `I${sha256Hex(run.id).slice(0, 40)}`;
  return requiredTrailers(contract, { signOff, engine, model, coAuthor, changeId });
};
