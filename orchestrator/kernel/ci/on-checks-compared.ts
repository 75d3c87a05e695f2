/** Decides about red checks by whose failures they are: a fix, a re-run, or nothing of ours (F6). */
import { z } from 'zod';
import { Person } from '#model/order';
import { hasForeignHead } from '../run/foreign-commit.ts';
import { toForeignHeadRefusal } from '../run/refusals.ts';
import { SETTLED } from '../run/state-groups.ts';
import { markRerun, forgetQueuedChecks } from './ci-facts.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { progressSlot, addMessage, addWork, type StepDraft } from '../lifecycle/step-draft.ts';
import {
  defineCommand,
  defineResult,
  stayPaused,
  moveFrom,
  type HandlerRuling,
} from '../lifecycle/define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import { listRequestedChanges, settleState } from '../lifecycle/settle-state.ts';
import {
  isOnlyRedOnBase,
  isUncompared,
  latestRedStart,
  ownRedCheckNames,
  redNames,
  rewriteChecks,
  checksTriedSince,
} from './compared-checks.ts';

const countRerun = (run: Run): void => {
  run.lifecycle.counts = { ...run.lifecycle.counts, reruns: (run.lifecycle.counts.reruns ?? 0) + 1 };
};

/** Failures of the change itself are fixed by what `settleState` finds in CI_WAIT. */
const onChecksCompared = (draft: StepDraft, input: InputOf<'worker.ci.compared'>): HandlerRuling => {
  const { run } = draft;
  const { sha, ref, failingOnBase } = input;
  if (sha !== run.change.pushedHead?.sha || run.agent.round.kind !== 'ci_fix')
    return { ignore: 'another commit' };
  const before = run.upstream.ciComparison?.sha === sha ? run.upstream.ciComparison : null;
  const known = before?.checks ?? [];
  // A check that was run again once is not taken for flaky a second time.
  const again = before ? checksTriedSince(run, before) : [];
  // guard: F6-flaky-until-tried
  const isStill = (name: string): boolean => before?.flaky.includes(name) === true && !again.includes(name);
  // guard: F6-rerun-once
  const flaky = input.flaky.filter((name) => !known.includes(name) || isStill(name));
  const checks = [...new Set([...known, ...input.checks])];
  run.upstream.ciComparison = { sha, ref, checks, latestTry: latestRedStart(run), failingOnBase, flaky };
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  const here = ownRedCheckNames(run);
  enterState(
    draft,
    'CI_WAIT',
    isOnlyRedOnBase(run)
      ? { kind: 'checks_red_on_base', ref, checks: redNames(run) }
      : { kind: 'checks_restarted' },
  );
  const wasTold = redNames(run).every((name) => before?.failingOnBase.includes(name));
  if (isOnlyRedOnBase(run) && !wasTold)
    addMessage(draft, { view: 'attention' }, { slot: `red:${run.id}:${sha}`, sound: true });
  const mayBeFlaky = here.length > 0 && !isUncompared(run) && here.every((name) => flaky.includes(name));
  if (!mayBeFlaky || listRequestedChanges(run).length > 0) return void settleState(draft);
  if (!run.order.bounds.autoRerun)
    return void enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'maybe_flaky', checks: here });
  countRerun(run);
  rewriteChecks(run, (ci) => markRerun(ci, draft.stamp.at));
  enterState(draft, 'CI_WAIT', { kind: 'flaky_rerun', checks: here });
  settleState(draft);
  if (run.lifecycle.state === 'CI_WAIT') addWork(draft, { kind: 'rerun_ci', sha });
  return undefined;
};

/** A fork, or a credential that may not re-run: a user chooses a fix or to wait. */
export const onRerunRefused = (draft: StepDraft, failed: InputOf<'worker.step.failed'>): HandlerRuling => {
  const { run } = draft;
  rewriteChecks(run, (ci) => forgetQueuedChecks(ci, draft.stamp.at));
  addMessage(draft, { view: 'progress' }, { slot: progressSlot(run.id) });
  return void enterState(draft, 'NEEDS_HUMAN_REVIEW', {
    kind: 'rerun_refused',
    says: failed.message.slice(0, 500),
    ...(failed.detail && { detail: failed.detail }),
  });
};

export const COMPARISON_RESULTS = [
  /** F6: which of the red `checks` fail on the base as well, and which may be flaky. */
  defineResult({
    type: 'worker.ci.compared',
    fields: {
      sha: z.string(),
      ref: z.string(),
      checks: z.array(z.string()),
      failingOnBase: z.array(z.string()),
      flaky: z.array(z.string()),
    },
    moves: [
      moveFrom(['ITERATING'], SETTLED, 'red on the base too, or maybe flaky; then settled'),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onChecksCompared(d, input),
  }),
];

const rerunChecks = (draft: StepDraft, name: string): HandlerRuling => {
  const { run } = draft;
  if (hasForeignHead(run)) return { refuse: toForeignHeadRefusal(run) };
  if (!run.upstream.pullRequest || !run.change.pushedHead)
    return { refuse: { kind: 'no_pull', run: run.id } };
  const { sha } = run.change.pushedHead;
  rewriteChecks(run, (ci) => markRerun(ci, draft.stamp.at));
  if (run.lifecycle.reason.kind === 'maybe_flaky') countRerun(run);
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  enterState(draft, 'CI_WAIT', { kind: 'checks_rerun', by: name });
  settleState(draft);
  if (run.lifecycle.state === 'CI_WAIT') addWork(draft, { kind: 'rerun_ci', sha });
  return undefined;
};

export const RERUN_COMMANDS = [
  defineCommand({
    type: 'command.ci.rerun',
    fields: { by: Person },
    moves: [moveFrom(['NEEDS_HUMAN_REVIEW'], SETTLED, 'CI asked to run again, then settled')],
    pushes: true,
    handle: (d, { by }): HandlerRuling => rerunChecks(d, by.name),
  }),
];
