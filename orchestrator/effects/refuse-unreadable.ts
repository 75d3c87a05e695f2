/**
 * O10: a commit that could not be read within the limits is remembered by the run that found it, and
 * read again only where a person retries that run.
 */
import type { Run } from '../core/machine/run.ts';
import { UnreadableFailure } from '../ports.ts';
import type { EffectContext } from './effect-context.ts';

/** Runs of the same repository whose finds are looked through. */
const MAX_RUNS = 40;

/** Throws where another run of the repository could not read this commit, and none could since. */
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

/** Adds the commit to the failure, so that it is known by it. */
export const atCommit = async <T>(sha: string, reading: Promise<T>): Promise<T> => {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof UnreadableFailure)) throw error;
    throw new UnreadableFailure(error.unreadable.file, { ...error.unreadable, sha });
  }
};
