/** Remembers commits past the parser's limits, which only a person's retry reads again (O10). */
import type { Run } from '../run/run.ts';
import { UnreadableFailure } from '#ports/forge';
import type { EffectContext } from './effect-context.ts';

const MAX_RUNS = 40;

/** Throws when another run failed to read this commit and none succeeded since. */
export const refuseKnownUnreadable = async (
  { ledger }: Pick<EffectContext, 'ledger'>,
  run: Run,
  { id, sha }: { id: string; sha: string },
): Promise<void> => {
  const runs = await ledger.query.runs({
    live: false,
    limit: MAX_RUNS,
    repo: { fullName: run.order.repo, id },
  });
  const others = runs.filter((other) => other.id !== run.id);
  if (others.some(({ target: { base, contract } }) => contract !== null && base?.sha === sha)) return;
  const met = others.find(({ target: { readFailure: unreadable } }) => unreadable?.sha === sha);
  // guard: O10-not-read-again
  if (met?.target.readFailure)
    throw new UnreadableFailure(met.target.readFailure.file, {
      ...met.target.readFailure,
      foundInRun: met.id,
    });
};

export const nameUnreadableCommit = async <T>(sha: string, reading: Promise<T>): Promise<T> => {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof UnreadableFailure)) throw error;
    throw new UnreadableFailure(error.unreadable.file, { ...error.unreadable, sha });
  }
};
