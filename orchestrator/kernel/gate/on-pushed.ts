/** Handles a push that was read back from the code host. */
import { z } from 'zod';
import { PushFork } from '#model/pull';
import { isChecking } from '#model/run';
import { DecisionLeaf, isUnsignable, Proposal } from '#model/seal';
import { defineResult, keepResult, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { recordPolicyDenial } from '../lifecycle/on-failure.ts';
import { settleState } from '../lifecycle/settle-state.ts';
import {
  addMessage,
  addWork,
  clearRetries,
  rememberOwnCommit,
  type StepDraft,
} from '../lifecycle/step-draft.ts';
import { markRemarksFixed } from '../reviews/on-review-threads.ts';
import type { InputOf } from '../run/input-types.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import { BEFORE_PULL, SETTLED, STOPPED } from '../run/state-groups.ts';

const onPushed = (draft: StepDraft, input: InputOf<'worker.push.completed'>): HandlerRuling => {
  const { run } = draft;
  if (!isChecking(run.lifecycle.state)) return onLatePush(draft, input);
  clearRetries(draft);
  run.lifecycle.counts = { ...run.lifecycle.counts, outsideFailures: 0 };
  const said = input.proposal?.fields.assessment;
  if (said?.decision === 'deny') {
    // The branch exists, but its denied proposal is dropped: nobody may be asked to sign it.
    applyPush(draft, input, null);
    run.gate.proposal = null;
    return void enterState(draft, 'NEEDS_HUMAN_REVIEW', recordPolicyDenial(run, 'open_pr', said));
  }
  applyPush(draft, input, input.proposal);
  if (run.lifecycle.state === 'ITERATING') {
    run.agent.round = ROUND_WITHOUT_FEEDBACK;
    markRemarksFixed(draft, input.sha);
    enterState(draft, 'CI_WAIT', { kind: 'fix_pushed' });
    if (input.description === 'edited_by_others' || input.description === 'failed')
      addMessage(draft, {
        view: 'note',
        note: { kind: 'pull_description', how: input.description, pull: run.upstream.pullRequest?.id ?? '' },
      });
    settleState(draft);
    return undefined;
  }
  if (passOnToOpening(draft, input)) return undefined;
  // A resumed run asks again for a signature that covered both push and opening.
  const proposal = input.proposal ?? (mayPropose(run, input.sha) ? run.gate.proposal : null);
  if (!proposal) return void enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'pull_unconfirmed' });
  if (isUnsignable(proposal, 'open_pr'))
    return void enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'merge_conflicts' });
  return void enterState(draft, 'PUSHED', { kind: 'decision_wait' });
};

const mayPropose = ({ gate: { proposal } }: Run, sha: string): boolean =>
  proposal?.fields.action === 'open_pr' && proposal.fields.headSha === sha;

/** G1: the push's signature passes on to the opening, once, while the run is in that state. */
const passOnToOpening = (draft: StepDraft, { branch, sha }: InputOf<'worker.push.completed'>): boolean => {
  const { run, stamp } = draft;
  const { consumedApproval: consumed } = run.gate;
  const { epoch } = run.lifecycle;
  if (consumed?.kind !== 'open_pr' || run.upstream.pullRequest) return false;
  const { fields, id, digest, by } = consumed;
  // guard: G1-pass-on-at-once
  if (fields.pushes !== true || consumed.epoch !== epoch || stamp.effectEpoch !== epoch) return false;
  // guard: G1-pass-on-what-was-signed
  if (fields.headSha !== sha || fields.branch !== branch) return false;
  enterState(draft, 'PUSHED', { kind: 'approved', by }, { resting: true });
  const effectIndex = addWork(draft, { kind: 'open_pr', approvalId: id, digest });
  draft.approvals.push({ op: 'pass_on', id, digest, effectIndex });
  run.gate.consumedApproval = { ...consumed, epoch: run.lifecycle.epoch };
  return true;
};

/** A push finished after the run moved on: an open card keeps showing what it shows. */
const onLatePush = (draft: StepDraft, input: InputOf<'worker.push.completed'>): HandlerRuling => {
  const { run } = draft;
  if (!run.change.pushedHead) addWork(draft, { kind: 'poll', intervalMs: run.order.bounds.pollMs });
  applyPush(draft, input, run.gate.approval ? null : input.proposal);
  keepResult(draft, input);
  return undefined;
};

const applyPush = (
  { run, stamp }: StepDraft,
  { branch, sha, description, fork }: InputOf<'worker.push.completed'>,
  proposal: Proposal | null,
): void => {
  run.change.pushedHead = { branch, sha };
  run.change.publicSince ??= stamp.at;
  const { commit } = run.change;
  if (commit?.sha === sha) run.change.pushed = { commit, fixSummaries: run.agent.fixSummaries };
  if (fork) run.target.fork = fork;
  const body =
    run.gate.consumedApproval?.fields.headSha === sha ? run.gate.consumedApproval.fields.pullBody : undefined;
  if (run.upstream.pullRequest && description === 'refreshed' && body !== undefined)
    run.upstream.pullRequest = { ...run.upstream.pullRequest, body };
  if (run.change.commit?.sha === sha && run.change.pendingMerge) {
    const { ref, sha: base, commits } = run.change.pendingMerge;
    run.change.mergedBase = { ref, sha: base, commits };
    run.change.pendingMerge = null;
  }
  if (run.target.pendingBaseChange)
    run.target.pendingBaseChange = { ...run.target.pendingBaseChange, commitSha: sha };
  run.upstream.observed = { ...run.upstream.observed, branchHead: sha };
  rememberOwnCommit(run, sha);
  // guard: P3-denied-late
  if (proposal && proposal.fields.assessment.decision !== 'deny') run.gate.proposal = proposal;
};

export const PUSH_RESULTS = [
  defineResult({
    type: 'worker.push.completed',
    fields: {
      branch: z.string(),
      fork: PushFork.exactOptional(),
      sha: z.string(),
      description: z.enum(['refreshed', 'edited_by_others', 'failed']).exactOptional(),
      leaf: DecisionLeaf.exactOptional(),
      proposal: Proposal.nullable(),
    },
    moves: [
      moveFrom(['LOCAL_VALIDATING'], ['PUSHED', 'NEEDS_HUMAN_REVIEW'], 'head read back'),
      moveFrom(['ITERATING'], SETTLED, 'head read back, then settled'),
      ...stayIn([...BEFORE_PULL, 'ITERATING', ...STOPPED], 'late: a fact, noted'),
    ],
    late: (d, input): HandlerRuling => onLatePush(d, input),
    handle: (d, input): HandlerRuling => onPushed(d, input),
  }),
];
