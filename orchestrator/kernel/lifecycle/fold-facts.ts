/** Folds facts of the code host into `observed`, in whatever order they come. */
import { z } from 'zod';
import { OpaqueId } from '#model/order';
import type { StepDraft } from './step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import type { Run } from '../run/run.ts';
import type { ObservedReview, ObservedFacts } from '../run/observed-facts.ts';
import { mergePullShown, PullShown } from '#model/pull';
import { foldCheck, foldCiObservation } from '../ci/ci-facts.ts';

export const PULL_FIELDS = {
  pull: OpaqueId,
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  headSha: z.string(),
  by: z.string().nullable(),
  baseStatus: z.enum(['level', 'behind', 'conflicts']).exactOptional(),
  metadata: PullShown.exactOptional(),
};

export type ObservedFact = InputOf<
  | 'forge.pull.observed'
  | 'forge.head.observed'
  | 'forge.check.observed'
  | 'forge.ci.observed'
  | 'forge.review.submitted'
>;

export const foldFact = (draft: StepDraft, fact: ObservedFact): boolean => {
  const seen = draft.run.upstream.observed;
  const next = foldInto(draft.run, fact, draft.stamp.at);
  draft.run.upstream.observed = next;
  return JSON.stringify(next) !== JSON.stringify(seen);
};

const foldInto = (run: Run, fact: ObservedFact, at: number): ObservedFacts => {
  const { observed: seen } = run.upstream;
  switch (fact.type) {
    case 'forge.pull.observed':
      return foldPull(run, fact);
    case 'forge.head.observed':
      // guard: S2-own-branch
      return fact.branch === run.change.pushedHead?.branch && fact.sha !== null
        ? { ...seen, branchHead: fact.sha }
        : seen;
    case 'forge.check.observed':
      return { ...seen, ci: { ...seen.ci, [fact.sha]: foldCheck(seen.ci[fact.sha], fact.check, at) } };
    case 'forge.ci.observed': {
      const look = { ...fact, polledAt: fact.polledAt ?? at };
      return {
        ...seen,
        ...branchProtectionOf(fact),
        ci: { ...seen.ci, [fact.sha]: foldCiObservation(seen.ci[fact.sha], look, at, run.order.bounds) },
      };
    }
    case 'forge.review.submitted': {
      const { reviewer, state, access, commitSha, body, submittedAt } = fact;
      // A user chooses from remarks on lines; a bot's review never steers.
      // guard: F7-bots-never-steer
      const handled = fact.bot === true || (fact.remarks ?? []).length > 0;
      const review: ObservedReview = { state, access, commitSha, body, at: submittedAt, handled };
      // A login may be `constructor`.
      const known = Object.hasOwn(seen.reviews, reviewer) ? seen.reviews[reviewer] : undefined;
      if (known && !isSuperseding(review, known)) return seen;
      return { ...seen, reviews: { ...seen.reviews, [reviewer]: review } };
    }
    default:
      return fact satisfies never;
  }
};

/** A partial poll says nothing about branch rules. */
const branchProtectionOf = ({
  isProtected: guarded,
  partial,
  required,
}: InputOf<'forge.ci.observed'>): Pick<ObservedFacts, 'branchProtection'> =>
  guarded === undefined || partial
    ? {}
    : {
        branchProtection: {
          isProtected: guarded,
          requiredChecks: [...new Set(required.map(({ name }) => name))].sort(),
        },
      };

/** G1: an unknown pull request is only remembered, and only when it shows our commit. */
const foldPull = (
  { upstream: { pullRequest: pr, observed: seen }, change: { ownCommits: ours } }: Run,
  fact: InputOf<'forge.pull.observed'>,
): ObservedFacts => {
  const { pull: id, state, merged, headSha, by } = fact;
  // guard: G1-own-facts
  if (pr ? id !== pr.id : !ours.includes(headSha)) return seen;
  const known = seen.pull?.id === id ? seen.pull : null;
  if (known?.merged || (known?.state === 'closed' && state === 'open')) return seen;
  const isEarlierEnd =
    state === 'closed' && !merged && (fact.metadata?.at ?? Infinity) < (known?.reopenedAt ?? 0);
  // guard: S11-late-closing
  if (isEarlierEnd) return seen;
  // A status that is still being computed keeps the old one; a new head or base drops it.
  const shown = mergePullShown(known?.metadata, fact.metadata);
  const same = known?.headSha === headSha && known.metadata?.base === shown?.base;
  const standing = fact.baseStatus ?? (same ? known?.baseStatus : undefined);
  const pull = {
    id,
    state,
    merged,
    headSha,
    by,
    ...(standing ? { baseStatus: standing } : {}),
    ...(shown ? { metadata: shown } : {}),
    ...(known?.reopenedAt === undefined ? {} : { reopenedAt: known.reopenedAt }),
  };
  return { ...seen, pull, branchHead: headSha };
};

/** Opinions outrank comments, then the later wins; a dismissal keeps its review's time. */
const isSuperseding = (newer: ObservedReview, older: ObservedReview): boolean => {
  const weightsOf = (opinion: ObservedReview): number[] => [
    Number(opinion.state !== 'remarked'),
    opinion.at,
    Number(opinion.state === 'withdrawn'),
    Number(opinion.access !== 'unknown'),
  ];
  const [x, y] = [weightsOf(newer), weightsOf(older)];
  const i = x.findIndex((n, at) => n !== y[at]);
  return i >= 0 && (x[i] ?? 0) > (y[i] ?? 0);
};
