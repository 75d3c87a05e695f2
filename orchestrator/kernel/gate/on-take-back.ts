/** Returns to the card before the last *Ask for changes*, whose bytes are checked and signed anew (E21). */
import { z } from 'zod';
import { Person } from '#model/order';
import type { ContainmentLevel } from '#model/evidence';
import { isUnsignable } from '#model/seal';
import { defineCommand, moveFrom, type HandlerRuling } from '../lifecycle/define-input.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { askToSign, clearRetries, requestReset, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import { forgetGrants } from '../run/permissions.ts';
import { selectQueuedWords } from '../run/operator-words.ts';
import { listHintsWithoutCard, toNoCardRefusal } from '../run/refusals.ts';
import { toDiscardedEdits } from '../rounds/record-discarded-edits.ts';
import { innerRound } from '../run/round-table.ts';
import type { EarlierCard, Run } from '../run/run.ts';
import { publicSummaryOf } from './summarise-change.ts';

const MAX_EARLIER_CARDS = 3;

export const rememberCard = (run: Run): void => {
  const { commit, pushedHead, earlierCards = [] } = run.change;
  if (!commit) return;
  const { summary, wholeSummary, claims, agentReports, fixSummaries, additionSummaries, planStepReports } =
    run.agent;
  const card: EarlierCard = {
    commit,
    pushedSha: pushedHead?.sha ?? null,
    commitTrailers: run.target.commitTrailers,
    agent: {
      summary,
      claims,
      agentReports,
      fixSummaries,
      ...(wholeSummary === undefined ? {} : { wholeSummary }),
      ...(additionSummaries === undefined ? {} : { additionSummaries }),
      ...(planStepReports === undefined ? {} : { planStepReports }),
    },
  };
  const others = earlierCards.filter((one) => one.commit.sha !== commit.sha);
  run.change.earlierCards = [...others, card].slice(-MAX_EARLIER_CARDS);
};

/**
 * A card of another base, or from before somebody else's commit, would undo what came between. Our
 * own branch goes back to it as long as no pull request shows the branch; afterwards pushes only add.
 */
export const findEarlierCard = (run: Run): EarlierCard | null => {
  const { commit, pushedHead, pendingMerge, adoptedHead, earlierCards = [] } = run.change;
  if (!commit || pendingMerge || adoptedHead) return null;
  // guard: E21-takes-back-own-base
  const fits = ({ commit: { sha, base }, pushedSha }: EarlierCard): boolean =>
    sha !== commit.sha &&
    base === run.target.base?.sha &&
    (run.upstream.pullRequest === null || pushedSha === (pushedHead?.sha ?? null));
  return earlierCards.findLast(fits) ?? null;
};

const restoreWords = (run: Run, card: EarlierCard): void => {
  run.target.commitTrailers = card.commitTrailers;
  for (const name of ['wholeSummary', 'additionSummaries', 'planStepReports'] as const)
    delete run.agent[name];
  Object.assign(run.agent, card.agent);
};

/** Of a turn whose files were put back or are as they were: a box that a card was not judged with is not recorded. */
export const recordContainment = (
  run: Run,
  {
    containment,
    exposedCredentials,
  }: Pick<InputOf<'worker.question.answered'>, 'containment' | 'exposedCredentials'>,
): void => {
  const toJudgedLevel = (level: ContainmentLevel | null): string | null =>
    level === null || level === 'group' ? level : 'box';
  // guard: E21-sealed-containment
  if (
    containment &&
    (!run.gate.proposal || toJudgedLevel(containment) === toJudgedLevel(run.agent.containment))
  )
    run.agent.containment = containment;
  run.agent.exposedCredentials = exposedCredentials ?? run.agent.exposedCredentials;
};

const onTakeBack = (
  draft: StepDraft,
  { by, approvalId }: InputOf<'command.change.restore'>,
): HandlerRuling => {
  const { run } = draft;
  const { approval } = run.gate;
  if (!approval || approval.kind === 'reply') return { refuse: toNoCardRefusal(run) };
  if (approval.id !== approvalId) return { refuse: { kind: 'card_replaced' } };
  const card = findEarlierCard(run);
  if (!card) return { refuse: { kind: 'nothing_to_take_back', run: run.id } };
  run.change.earlierCards = (run.change.earlierCards ?? []).filter((one) => one !== card);
  const left = (run.change.commit?.diff.files ?? []).map(({ path }) => path);
  // E17: whoever took it back knows; the agent is told with its next turn or question.
  run.agent.discardedEdits = toDiscardedEdits('taken_back', left);
  run.change.commit = card.commit;
  requestReset(draft, card.commit.sha);
  // guard: E21-taken-back-judged-anew
  run.change.evaluation = run.gate.proposal = null;
  restoreWords(run, card);
  run.agent.round = innerRound(run.agent.round, 'implement', []);
  clearRetries(draft);
  const to = run.lifecycle.state === 'ITERATING' ? 'ITERATING' : 'LOCAL_VALIDATING';
  return void enterState(draft, to, { kind: 'taken_back', by: by.name });
};

/** E21: where a person asked for changes and nothing changed, the card before is live again. */
export const restoreUnchangedCard = (
  draft: StepDraft,
  made: InputOf<'worker.implementation.completed'>,
): boolean => {
  const { run } = draft;
  const { commit, pushedHead, evaluation, earlierCards } = run.change;
  const { proposal, deniedAction } = run.gate;
  // E21: the agent goes on with the words that wait for it.
  if (selectQueuedWords(run).length > 0) return false;
  const sha = made.commit?.sha ?? (made.skippedFiles?.length ? null : (pushedHead?.sha ?? null));
  // E21: words that waited begin a turn of their own, after which the card is as live as before.
  const isAsked = ['rejection_fix', 'person_advice'].includes(run.agent.round.kind);
  const asked = earlierCards?.at(-1);
  if (!isAsked || deniedAction || !proposal || !evaluation?.passed || !asked) return false;
  const shown = [asked.commit.sha, commit?.sha, proposal.fields.headSha, evaluation.commitSha];
  // guard: E21-same-bytes-return
  if (shown.some((other) => other !== sha)) return false;
  const { action, assessment, pushes } = proposal.fields;
  if (assessment.decision === 'deny' || isUnsignable(proposal, action)) return false;
  // G2: what the card was sealed with stays, though the agent says something else now.
  restoreWords(run, asked);
  run.agent.wholeSummary ??= publicSummaryOf(run.agent);
  run.agent.summary = made.summary;
  recordContainment(run, made);
  run.lifecycle.counts = { ...run.lifecycle.counts, reportRepairs: 0 };
  forgetGrants(run);
  if (run.agent.plan)
    run.agent.plan = { ...run.agent.plan, violations: run.agent.plan.violations + made.violations };
  run.agent.round = innerRound(run.agent.round, 'implement', []);
  clearRetries(draft);
  const reason = { kind: action === 'push' ? 'push_approval_wait' : 'decision_wait' } as const;
  if (run.lifecycle.state === 'ITERATING') run.lifecycle.reason = reason;
  else if (action === 'open_pr' && pushes !== true) {
    enterState(draft, 'PUSHED', reason);
    return true;
  } else enterState(draft, 'LOCAL_VALIDATING', reason, { resting: true });
  askToSign(draft, action);
  return true;
};

export const TAKE_BACK_COMMANDS = [
  defineCommand({
    type: 'command.change.restore',
    fields: { by: Person, approvalId: z.string() },
    moves: [
      moveFrom(['PUSHED', 'LOCAL_VALIDATING'], ['LOCAL_VALIDATING'], 'back to the card before: checked anew'),
      moveFrom(['ITERATING'], ['ITERATING'], 'back to the fix before: checked anew'),
    ],
    pushes: true,
    instead: listHintsWithoutCard,
    handle: (d, input): HandlerRuling => onTakeBack(d, input),
  }),
];
