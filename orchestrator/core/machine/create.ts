/** A run at its beginning: the order, and nothing known or done yet. */
import { enter, type Draft } from './draft.ts';
import { NO_USAGE } from '../facts.ts';
import { NOTHING_SAID } from '../report.ts';
import { NO_CLAIMS } from '../govern/grade.ts';
import type { InputOf, Stamp } from './inputs.ts';
import { drawn } from '../prompts.ts';
import type { Reason } from './reasons.ts';
import { PLAIN } from './rounds.ts';
import type { Run } from './run.ts';

const QUEUED: Reason = { kind: 'queued' };

/** A new run, QUEUED. */
export const create = (input: InputOf<'command.run.create'>, stamp: Stamp): Draft => {
  const run: Run = {
    id: input.runId,
    order: drawn(input.runId, input.order),
    state: 'QUEUED',
    version: 0,
    epoch: 0,
    createdAt: stamp.at,
    since: stamp.at,
    updatedAt: stamp.at,
    reason: QUEUED,
    back: null,
    pausedEpoch: null,
    contract: null,
    baseline: null,
    without: [],
    agentRead: null,
    escalation: null,
    base: null,
    fork: null,
    commit: null,
    evaluation: null,
    denied: null,
    pushed: null,
    publicSince: null,
    ours: [],
    overruled: [],
    issue: null,
    foreign: null,
    taken: null,
    trailers: [],
    merging: null,
    merged: null,
    lay: null,
    proposal: null,
    approval: null,
    advice: [],
    rivals: [],
    wantsSigned: false,
    answers: [],
    words: null,
    consumed: null,
    pr: null,
    seen: { pull: null, head: null, ci: {}, reviews: {}, heard: {}, comments: [], remarks: [], blind: null },
    triage: null,
    talk: [],
    replying: null,
    replied: null,
    compared: null,
    session: null,
    summary: '',
    claims: NO_CLAIMS,
    said: NOTHING_SAID,
    fixes: [],
    containment: null,
    lends: null,
    plan: null,
    round: PLAIN,
    counts: {
      iterations: 0,
      reflections: 0,
      repairs: 0,
      planRounds: 0,
      stepFixes: 0,
      retries: 0,
      failedOutside: 0,
      reminders: 0,
      rateWaits: 0,
    },
    waiting: null,
    undone: null,
    workedMs: 0,
    usage: NO_USAGE,
    outputBytes: 0,
    raised: {},
    warned: [],
    kept: null,
  };
  const d: Draft = { run: { ...run, version: 1 }, stamp, effects: [], approvals: [] };
  enter(d, 'QUEUED', QUEUED);
  return d;
};
