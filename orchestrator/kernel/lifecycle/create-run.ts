/** Builds a new run: the order, and nothing known or done yet. */
import { z } from 'zod';
import { defineInput, type HandlerRuling } from './define-input.ts';
import { enterState } from './enter-state.ts';
import type { StepDraft } from './step-draft.ts';
import { NO_USAGE } from '#model/reports';
import { EMPTY_REPORT, NO_CLAIMS } from '#model/agent';
import { drawPromptSet, Order } from '#model/order';
import type { InputOf, InputStamp } from '../run/input-types.ts';
import type { Reason } from '../run/reasons.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';

const QUEUED: Reason = { kind: 'queued' };

export const draftNewRun = (input: InputOf<'command.run.create'>, stamp: InputStamp): StepDraft => {
  const run: Run = {
    id: input.runId,
    order: drawPromptSet(input.runId, input.order),
    lifecycle: {
      state: 'QUEUED',
      version: 0,
      epoch: 0,
      createdAt: stamp.at,
      stateEnteredAt: stamp.at,
      updatedAt: stamp.at,
      reason: QUEUED,
      resumeState: null,
      pausedEpoch: null,
      counts: {
        iterations: 0,
        reflections: 0,
        reportRepairs: 0,
        planRounds: 0,
        planStepFixes: 0,
        retries: 0,
        outsideFailures: 0,
        reminders: 0,
        providerWaits: 0,
      },
      providerWait: null,
      workedMs: 0,
      usage: NO_USAGE,
      outputBytes: 0,
      raisedLimits: {},
      warnedBudgets: [],
      deferredResult: null,
    },
    target: {
      contract: null,
      baseline: null,
      waivedChecks: [],
      agentDiscovery: null,
      escalation: null,
      base: null,
      fork: null,
      overruledBans: [],
      issue: null,
      commitTrailers: [],
      competingPulls: [],
      requiresSignedCommits: false,
      requirementAnswers: [],
    },
    change: {
      commit: null,
      evaluation: null,
      pushedHead: null,
      publicSince: null,
      ownCommits: [],
      foreignHead: null,
      adoptedHead: null,
      pendingMerge: null,
      mergedBase: null,
      resetTo: null,
    },
    gate: { deniedAction: null, proposal: null, approval: null, editedPrText: null, consumedApproval: null },
    agent: {
      advice: [],
      session: null,
      summary: '',
      claims: NO_CLAIMS,
      agentReports: EMPTY_REPORT,
      fixSummaries: [],
      containment: null,
      exposedCredentials: null,
      plan: null,
      round: ROUND_WITHOUT_FEEDBACK,
      discardedEdits: null,
    },
    upstream: {
      pullRequest: null,
      observed: {
        pull: null,
        branchHead: null,
        ci: {},
        reviews: {},
        reportedReviews: {},
        reportedComments: [],
        triagedRemarks: [],
        outage: null,
      },
      ciComparison: null,
    },
    review: { triage: null, chosenRemarks: [], pendingReplies: null, postedReplies: null },
  };
  const d: StepDraft = {
    run: { ...run, lifecycle: { ...run.lifecycle, version: 1 } },
    stamp,
    effects: [],
    approvals: [],
  };
  enterState(d, 'QUEUED', QUEUED);
  return d;
};

export const CREATE_INPUT = defineInput({
  type: 'command.run.create',
  fields: { runId: z.string(), order: Order },
  moves: [],
  handle: (d): HandlerRuling => ({ refuse: { kind: 'run_exists', run: d.run.id } }),
});
