/** Forge facts fold into `seen`; then the state is settled from them, so that the order of the facts does not matter. */
import { enter, wake, type Draft } from './draft.ts';
import type { InputOf } from './inputs.ts';
import type { Review, Run } from './run.ts';
import { NO_CI_GRACE, SETTLE, foldCheck, verdict, type Verdict } from './verdict.ts';

type Fact = InputOf<
  | 'github.pull.observed'
  | 'github.head.observed'
  | 'github.check.completed'
  | 'github.ci.observed'
  | 'github.review.submitted'
>;

/** Folds a fact in. Returns whether it told us anything new. */
export const fold = (d: Draft, fact: Fact): boolean => {
  const seen = d.run.seen;
  const next = foldInto(d.run, fact, d.stamp.at);
  d.run.seen = next;
  return JSON.stringify(next) !== JSON.stringify(seen);
};

const foldInto = (run: Run, fact: Fact, at: number): Run['seen'] => {
  const { seen } = run;
  switch (fact.type) {
    case 'github.pull.observed': {
      if (fact.number !== run.pr?.number) return seen;
      const over = seen.pull?.merged === true || (seen.pull?.state === 'closed' && fact.state === 'open');
      if (over) return seen;
      const { state, merged, headSha, by } = fact;
      return { ...seen, pull: { state, merged, headSha, by }, head: headSha };
    }
    case 'github.head.observed':
      return fact.branch === run.pushed?.branch && fact.sha !== null ? { ...seen, head: fact.sha } : seen;
    case 'github.check.completed': {
      if (fact.check.startedAt < seen.ciSince) return seen;
      return { ...seen, ci: { ...seen.ci, [fact.sha]: foldCheck(seen.ci[fact.sha], fact.check, at) } };
    }
    case 'github.ci.observed': {
      const first = seen.ci[fact.sha] ?? { checks: {}, required: [], firstAt: at, changedAt: at };
      const fresh = fact.checks.filter((c) => c.startedAt >= seen.ciSince);
      const folded = fresh.reduce((ci, c) => foldCheck(ci, c, at), first);
      return { ...seen, ci: { ...seen.ci, [fact.sha]: { ...folded, required: fact.required } } };
    }
    case 'github.review.submitted': {
      const known = seen.reviews[fact.reviewer];
      if (known && known.at >= fact.submittedAt) return seen;
      if (fact.state === 'commented' && known && known.state !== 'commented') return seen;
      const review: Review = {
        state: fact.state,
        access: fact.access,
        commitSha: fact.commitSha,
        body: fact.body,
        at: fact.submittedAt,
      };
      return { ...seen, reviews: { ...seen.reviews, [fact.reviewer]: review } };
    }
    default:
      return fact satisfies never;
  }
};

/** The verdict for the head that we pushed last. */
export const currentVerdict = (run: Run, at: number): Verdict =>
  run.pushed ? verdict(run.seen.ci[run.pushed.sha], at) : 'PENDING';

/** Moves the state to where the facts say it belongs. */
export const settle = (d: Draft): void => {
  const { run } = d;
  const { pull, head } = run.seen;
  if (pull?.merged) return enter(d, 'DONE', `Merged by ${pull.by ?? 'a maintainer'}.`);
  if (pull?.state === 'closed') {
    return enter(
      d,
      'FAILED_TERMINAL',
      `The pull request was closed unmerged by ${pull.by ?? 'a maintainer'}.`,
    );
  }
  if (run.state === 'PAUSED') return;
  if (isForeign(run, head)) {
    if (run.state === 'NEEDS_HUMAN_REVIEW') return;
    return enter(
      d,
      'NEEDS_HUMAN_REVIEW',
      `Somebody else pushed to our branch: head moved ${short(run.pushed?.sha)} → ${short(head)}. Approvals are void.`,
    );
  }
  if (run.state !== 'CI_WAIT' && run.state !== 'REVIEW_WAIT') return;
  const asked = changesRequested(run);
  if (asked) return iterate(d, `${asked.reviewer} requested changes:\n\n${asked.review.body}`);
  const at = d.stamp.at;
  const says = currentVerdict(run, at);
  if (says === 'RED') return iterate(d, redFeedback(run));
  if (run.state === 'CI_WAIT' && (says === 'GREEN' || says === 'GREEN_REQUIRED' || says === 'NO_CI')) {
    enter(d, 'REVIEW_WAIT', greenReason[says]);
  } else if (run.state === 'REVIEW_WAIT' && says === 'PENDING') {
    enter(d, 'CI_WAIT', 'Checks are running again.');
  }
  if (says === 'PENDING') judgeAgain(d);
};

/** Time alone may change a verdict; a timer asks again when it could. */
const judgeAgain = (d: Draft): void => {
  const ci = d.run.pushed ? d.run.seen.ci[d.run.pushed.sha] : undefined;
  if (!ci) return;
  const due = Object.keys(ci.checks).length === 0 ? ci.firstAt + NO_CI_GRACE : ci.changedAt + SETTLE;
  if (due > d.stamp.at) wake(d, { type: 'timer.settle', epoch: d.run.epoch }, due - d.stamp.at);
};

const greenReason = {
  GREEN: 'All checks are green; a review is waited for.',
  GREEN_REQUIRED: 'The required checks are green, others are not; a review is waited for.',
  NO_CI: 'The repository ran no checks (this is not a green); a review is waited for.',
};

/** Enters ITERATING within the bound of the run's life, or asks a person exactly once. */
export const iterate = (d: Draft, feedback: string): void => {
  const { run } = d;
  run.feedback = feedback;
  run.seen = { ...run.seen, reviewsHandledAt: newestReview(run) };
  const bound = run.order.bounds.maxIterations;
  if (run.counts.iterations >= bound) {
    return enter(
      d,
      'NEEDS_HUMAN_REVIEW',
      `${bound} fixes were tried and it is still asked for more: ${firstLine(feedback)}`,
    );
  }
  run.counts = { ...run.counts, iterations: run.counts.iterations + 1, reflections: 0 };
  enter(d, 'ITERATING', firstLine(feedback));
};

const isForeign = (run: Run, head: string | null): boolean =>
  head !== null && run.pushed !== null && head !== run.pushed.sha && head !== run.commit?.sha;

const changesRequested = (run: Run): { reviewer: string; review: Review } | null => {
  for (const [reviewer, review] of Object.entries(run.seen.reviews)) {
    if (review.state !== 'changes_requested' || review.access !== 'write') continue;
    if (review.at > run.seen.reviewsHandledAt) return { reviewer, review };
  }
  return null;
};

const newestReview = (run: Run): number =>
  Math.max(run.seen.reviewsHandledAt, ...Object.values(run.seen.reviews).map((r) => r.at));

const redFeedback = (run: Run): string => {
  const ci = run.pushed ? run.seen.ci[run.pushed.sha] : undefined;
  const names = Object.values(ci?.checks ?? {})
    .filter(
      (c) =>
        c.status === 'completed' &&
        ['failure', 'timed_out', 'startup_failure', 'cancelled'].includes(c.conclusion ?? ''),
    )
    .map((c) => c.name);
  return `CI is red: ${names.sort().join(', ')}`;
};

const firstLine = (text: string): string =>
  (text.split('\n').find((l) => l.trim() !== '') ?? '').slice(0, 200);
const short = (sha: string | null | undefined): string => sha?.slice(0, 6) ?? '(none)';
