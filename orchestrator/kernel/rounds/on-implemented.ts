/** Handles what an agent made: a commit, nothing, or a question. */
import { z } from 'zod';
import { AgentClaims, NO_CLAIMS, extractQuestion } from '#model/agent';
import { Commit, Finding } from '#model/change';
import { ContainmentLevel, ExposedCredential } from '#model/evidence';
import { AgentSession, ModelUsage } from '#model/reports';
import { restoreUnchangedCard } from '../gate/on-take-back.ts';
import { isAddition, currentPlanStep, summaryAfter, wholeSummaryAfter } from '../gate/summarise-change.ts';
import { defineResult, stayPaused, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { DISCARDED_EDITS, OUTPUT_BYTES, TURNS } from '../lifecycle/result-fields.ts';
import { countSpending } from '../lifecycle/count-spending.ts';
import {
  addWork,
  clearRetries,
  reportQuestion,
  requestReset,
  type StepDraft,
} from '../lifecycle/step-draft.ts';
import { redNames } from '../ci/compared-checks.ts';
import { applyProposedReplies } from '../reviews/on-review-threads.ts';
import type { InputOf } from '../run/input-types.ts';
import { forgetGrants } from '../run/permissions.ts';
import { innerRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import { recordDiscardedEdits } from './record-discarded-edits.ts';
import { beginTurnForWords } from './on-operator-words.ts';
import { replanBlockedStep, replanUnchangedStep } from './on-plan-loop.ts';
import { moveToNextProposer } from './on-proposer-ended.ts';
import { continueOrderedFixes } from './ordered-fixes.ts';

const onImplemented = (
  draft: StepDraft,
  input: InputOf<'worker.implementation.completed'>,
): HandlerRuling => {
  const { run } = draft;
  countSpending(draft, input);
  recordDiscardedEdits(draft, input.discardedEdits ?? null);
  // An agent that keeps its change may still ask something.
  if (restoreUnchangedCard(draft, input)) return void reportQuestion(draft, findQuestion(input));
  keepSummaries(run, input);
  run.agent.summary = input.summary;
  run.agent.claims = input.claims;
  applyProposedReplies(run, input.claims.replies ?? []);
  run.target.commitTrailers = input.commitTrailers ?? run.target.commitTrailers;
  run.agent.containment = input.containment;
  run.agent.exposedCredentials = input.exposedCredentials ?? null;
  run.lifecycle.counts = { ...run.lifecycle.counts, reportRepairs: 0 };
  forgetGrants(run);
  if (run.agent.plan)
    run.agent.plan = { ...run.agent.plan, violations: run.agent.plan.violations + input.violations };
  const isKept = run.agent.round.kind === 'kept_edits';
  if (!isKept && continueOrderedFixes(draft, input))
    return void reportQuestion(draft, input.commit ? null : findQuestion(input));
  if (input.revert === 'empty' && run.lifecycle.state === 'IMPLEMENTING')
    return void enterState(draft, 'SKIPPED', { kind: 'revert_empty' });
  if (!input.commit) return void handleNothingToCommit(draft, input);
  if (input.revert === 'clean') run.change.cleanRevert = true;
  else delete run.change.cleanRevert;
  run.change.commit = input.commit;
  if (run.target.base && run.change.pendingMerge?.sha === input.commit.base)
    run.target.base = { ...run.target.base, sha: input.commit.base };
  requestReset(draft, input.workspaceStale ? input.commit.sha : null);
  if (run.agent.round.kind === 'person_advice' || run.agent.round.kind === 'update_from_base')
    run.agent.round = innerRound(run.agent.round, 'implement', []);
  // guard: E21-after-the-turn
  if (beginTurnForWords(draft)) return undefined;
  if (replanBlockedStep(draft, input.claims.status, input.summary)) return undefined;
  if (run.lifecycle.state === 'ITERATING') {
    addWork(draft, { kind: 'check', commitSha: input.commit.sha });
    run.lifecycle.reason = { kind: 'checks_running', on: 'fix' };
    return undefined;
  }
  clearRetries(draft);
  return void enterState(draft, 'LOCAL_VALIDATING', { kind: 'checks_running', on: 'commit' });
};

const MOST_FIXES = 20;

const keepSummaries = (
  run: Run,
  { claims: { reported: said }, summary, commit }: InputOf<'worker.implementation.completed'>,
): void => {
  // A step without changes adds nothing to the description of the change.
  const changed = (commit?.tree ?? null) !== (run.change.commit?.tree ?? null);
  const report = { said, summary: said === undefined ? '' : summary };
  const whole = wholeSummaryAfter(run, report);
  if (changed || !currentPlanStep(run)) Object.assign(run.agent, summaryAfter(run, report).agent);
  if (whole !== undefined) run.agent.wholeSummary = whole;
  const fix = said?.what ?? report.summary;
  if (isAddition(run) && changed && fix !== '')
    run.agent.additionSummaries = [...(run.agent.additionSummaries ?? []), fix.slice(0, 300)].slice(
      -MOST_FIXES,
    );
  if (run.upstream.pullRequest && commit && !run.change.pendingMerge && fix !== '')
    run.agent.fixSummaries = [...run.agent.fixSummaries, fix.slice(0, 300)].slice(-MOST_FIXES);
};

const MOST_LEFT = 5;

const findQuestion = ({ question, summary }: InputOf<'worker.implementation.completed'>): string | null =>
  question ?? extractQuestion(summary);

/** E17: `no_changes` is said only when the files are as they were. */
const handleNothingToCommit = (draft: StepDraft, input: InputOf<'worker.implementation.completed'>): void => {
  const { run } = draft;
  const { summary, skippedFiles: leftOut = [], ignored = [] } = input;
  if (beginTurnForWords(draft)) return;
  const kept = leftOut.slice(0, MOST_LEFT);
  const question = kept.length === 0 ? findQuestion(input) : null;
  // A plan is redone only when the agent asked nothing.
  const isKept = run.agent.round.kind === 'kept_edits';
  if (!isKept && question === null && replanUnchangedStep(draft, kept)) return;
  if (!isKept && moveToNextProposer(draft, 'no_changes')) return void reportQuestion(draft, question);
  if (question !== null) return enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'agent_question', question });
  const unchanged = {
    kind: 'no_changes',
    summary: summary.slice(0, 500),
    checksMayRun: run.upstream.pullRequest !== null && redNames(run).length > 0,
    // A fix without changes names no ignored files, because checks leave them there.
    ...(run.upstream.pullRequest === null && ignored.length > 0
      ? { ignored: ignored.slice(0, MOST_LEFT) }
      : {}),
  } as const;
  // E21: who stopped the agent may let it go on by *Retry*.
  if (isKept) run.agent.round = innerRound(run.agent.round, 'implement', []);
  enterState(
    draft,
    'NEEDS_HUMAN_REVIEW',
    kept.length > 0 ? { kind: 'nothing_committable', skippedFiles: kept } : unchanged,
  );
};

export const IMPLEMENTATION_RESULTS = [
  defineResult({
    type: 'worker.implementation.completed',
    fields: {
      commitTrailers: z.array(z.string()).exactOptional(),
      commit: Commit.nullable(),
      session: AgentSession.nullable(),
      summary: z.string(),
      /** C4: what it asked beside its report, where it changed nothing. */
      question: z.string().exactOptional(),
      usage: ModelUsage,
      /** Agent time (ms). */
      ms: z.number(),
      containment: ContainmentLevel,
      exposedCredentials: ExposedCredential.nullable().exactOptional(),
      outputBytes: OUTPUT_BYTES,
      turns: TURNS,
      claims: AgentClaims.default(NO_CLAIMS),
      /** Number of edits outside the allowed paths; they were reverted. */
      violations: z.number().default(0),
      revert: z.enum(['clean', 'empty']).exactOptional(),
      /** The commit was made without the workspace, which still has the old files. */
      workspaceStale: z.literal(true).exactOptional(),
      skippedFiles: z.array(Finding).exactOptional(),
      ignored: z.array(z.string()).exactOptional(),
      discardedEdits: DISCARDED_EDITS,
    },
    moves: [
      moveFrom(
        ['IMPLEMENTING'],
        ['LOCAL_VALIDATING', 'PUSHED', 'NEEDS_HUMAN_REVIEW', 'SKIPPED'],
        'commit; the card before, as nothing changed; no changes, or nothing to revert',
      ),
      ...stayIn(['IMPLEMENTING'], 'a step of a plan, or an engine, that changed nothing'),
      moveFrom(['ITERATING'], ['ITERATING', 'NEEDS_HUMAN_REVIEW'], 'commit, or no changes'),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onImplemented(d, input),
  }),
];
