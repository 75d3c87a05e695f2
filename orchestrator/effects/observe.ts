/** observe: asks the forge for facts while a run waits for it. Polling alone is enough; webhooks only make it faster (F1, F4). */
import type { Input } from '../core/inputs.ts';
import type { Run } from '../core/run.ts';
import type { Handler } from '../dispatch.ts';
import type { Hints } from '../hints.ts';
import { OutsideFailure } from '../ports.ts';
import { heardLate } from './opening.ts';
import { repoRef, runOf, type EffectParts } from './parts.ts';

/** Facts of one look, in the order in which they are offered. */
export const look = async (
  parts: Pick<EffectParts, 'forge' | 'workspaces' | 'receiptKey'>,
  run: Run,
): Promise<Input[]> => {
  const { forge, workspaces } = parts;
  const { repo } = run.order;
  if (!run.pushed) return [];
  const { branch, sha } = run.pushed;
  if (!run.pr) {
    const head = await workspaces.remoteHead({
      runId: run.id,
      repo: repoRef(run, await forge.repo(repo)),
      branch,
    });
    const late = await heardLate(parts, run);
    return [...(late ? [late] : []), { type: 'github.head.observed', branch, sha: head }];
  }
  const pull = await forge.pull(repo, run.pr.number);
  const { number, state, merged, headSha, mergedBy } = pull;
  const standing = pull.standing ? { standing: pull.standing } : {};
  const facts: Input[] = [
    { type: 'github.pull.observed', number, state, merged, headSha, by: mergedBy, ...standing },
  ];
  if (state === 'closed') return facts;
  const { checks, required, held } = await forge.checks(repo, sha, pull.baseRef);
  facts.push({ type: 'github.ci.observed', sha, checks, required, held });
  for (const { id: _id, ...review } of await forge.reviews(repo, run.pr.number)) {
    facts.push({ type: 'github.review.submitted', ...review });
  }
  for (const comment of await forge.comments(repo, run.pr.number)) {
    facts.push({ type: 'github.comment.created', ...comment });
  }
  return facts;
};

export const createObserve = (parts: EffectParts): Handler => {
  const { submit, clock, hints } = parts;
  return async (claim, signal) => {
    if (claim.do.kind !== 'observe') throw new Error(`${claim.do.kind} is not observe`);
    const run = await runOf(parts, claim.runId);
    hints?.begin(run.id);
    const facts = await obeying(hints, () => look(parts, run));
    for (const [i, input] of facts.entries()) {
      if (signal.aborted) break;
      const key = `effect:${claim.id}:${claim.leaseEpoch}:${i}`;
      await submit({ runId: run.id, input, key, cause: { kind: 'none' } });
    }
    // What was hinted while this look was under way, it may have missed.
    const wait = hints?.hinted(run.id) ? 0 : patience(clock.now() - run.since, claim.do.everyMs);
    return { kind: 'later', at: clock.now() + wait, reason: 'looks again', counts: 'anew' };
  };
};

/** The longer a state lasts, the less often it is looked at: from `everyMs` to ten times that (30 s to 5 min by default). */
const patience = (ageMs: number, everyMs: number): number =>
  Math.min(10 * everyMs, Math.max(everyMs, Math.round(ageMs / 20)));

/** F5: when the forge asks for quiet, no hint makes us ask before. */
const obeying = async <T>(hints: Hints | undefined, go: () => Promise<T>): Promise<T> => {
  try {
    return await go();
  } catch (error) {
    if (error instanceof OutsideFailure && error.retryAt !== null) hints?.quiet(error.retryAt);
    throw error;
  }
};
