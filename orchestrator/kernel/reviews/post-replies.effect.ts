/** `seal_replies` and `reply` seal answers to reviewers, then post each once (F7, G6, L4). */
import { OF_REPOSITORY } from '#model/failure';
import type { Assessment } from '#model/assessment';
import { hasRequirementRule } from '#model/requirements';
import {
  isAnswerable,
  replyMark,
  type ThreadAnswer,
  type TriageItem,
  type AnswerOutcome,
  type ReplyFields,
  type ReplyProposal,
} from '#model/review';
import { assessAction, type GovernedAction } from '#governor';
import { repositoryOf, type Run } from '../run/run.ts';
import { sealFields } from '../runtime/content-hash.ts';
import {
  LEASE_MS,
  toStepFailure,
  type ClaimOf,
  type EffectHandler,
  type HandlerOutcome,
} from '../runtime/effect-handler.ts';
import { OutsideFailure, TurnAwaited } from '#ports/forge';
import type { ForgeReviews } from '#ports/roles';
import type { ClaimedEffect } from '#ports/steps';
import {
  requireValue,
  readRunRepository,
  requireRunOf,
  type EffectContext,
} from '../handlers/effect-context.ts';
import { findLinesInsteadOfSuggestion } from './compare-suggestion.io.ts';
import { withSecretsFound } from '../gate/gather-proposal.io.ts';
import { createReadBacks } from '../gate/retry-read-back.io.ts';

const MAX_REPLIES = 50;

type Answering = Pick<EffectContext, 'texts' | 'workspaces'>;

const composeAnswer = async (
  parts: Answering,
  run: Run,
  item: TriageItem,
  { own }: { own: boolean },
): Promise<Pick<ThreadAnswer, 'body' | 'wordsOf'>> => {
  const { wording } = parts.texts;
  if (item.answer !== null && item.answeredBy === 'person')
    return { body: own ? `${item.answer}\n\n${wording.ownWords}` : item.answer, wordsOf: 'person' };
  const instead = await findLinesInsteadOfSuggestion(parts, run, item);
  const sha = item.fixedIn?.slice(0, 12) ?? '';
  const fixed = instead ? wording.fixedOtherwise(sha, instead.lines) : wording.fixedIn(sha);
  if (item.answer === null) return { body: fixed, wordsOf: 'product' };
  return { body: instead ? `${item.answer}\n\n${fixed}` : item.answer, wordsOf: 'agent' };
};

const answersOf = async (run: Run, parts: Answering): Promise<ThreadAnswer[]> => {
  const own = hasRequirementRule(run.target.contract, 'words');
  const items = run.review.chosenRemarks.filter((item) => isAnswerable(item, own)).slice(0, MAX_REPLIES);
  const answers: ThreadAnswer[] = [];
  for (const item of items) {
    const { body, wordsOf } = await composeAnswer(parts, run, item, { own });
    answers.push({
      thread: item.thread,
      to: item.reviewer,
      path: item.path ?? '',
      line: item.line,
      body: `${body}\n\n${replyMark(run.id, item.id)}`,
      ...(wordsOf ? { wordsOf } : {}),
    });
  }
  return answers;
};

const toAskAgain = (run: Run): string[] => {
  const fixed = new Set(
    run.review.chosenRemarks.filter(({ fixedIn }) => fixedIn !== null).map(({ reviewer }) => reviewer),
  );
  return Object.entries(run.upstream.observed.reviews)
    .filter(([who, { state }]) => state === 'wants_changes' && fixed.has(who))
    .map(([who]) => who)
    .sort();
};

const RISKS = ['low', 'medium', 'high'] as const;
const DECISIONS = ['allow', 'escalate', 'deny'] as const;
const worstOf = <T extends string>(order: readonly T[], one: T, other: T): T =>
  order.indexOf(one) >= order.indexOf(other) ? one : other;

/** The strictest decision, with all reasons once. */
const mergeAssessments = (all: readonly Assessment[]): Assessment => {
  const [first, ...others] = all;
  const combineTwo = (left: Assessment, right: Assessment): Assessment => ({
    decision: worstOf(DECISIONS, left.decision, right.decision),
    risk: worstOf(RISKS, left.risk, right.risk),
    reasons: [...left.reasons, ...right.reasons.filter((r) => !left.reasons.some((s) => isEqualJson(r, s)))],
    factors: [...left.factors, ...right.factors.filter((f) => !left.factors.some((g) => isEqualJson(f, g)))],
    policyVersion: left.policyVersion,
  });
  return others.reduce(combineTwo, requireValue(first, 'answer'));
};
const isEqualJson = (value: unknown, otherValue: unknown): boolean =>
  JSON.stringify(value) === JSON.stringify(otherValue);

const proposalFor = async (parts: EffectContext, run: Run): Promise<ReplyProposal | null> => {
  const pull = requireValue(run.upstream.pullRequest, 'pull request');
  const repo = await readRunRepository(parts, run);
  const answers = await answersOf(run, parts);
  if (answers.length === 0) return null;
  const context = {
    repo: repositoryOf(run),
    requester: run.order.requester,
    contract: run.target.contract,
    defaultBranch: repo.defaultBranch,
    containment: run.agent.containment,
    openPrs: null,
    settings: parts.settings.policies,
  };
  const said = answers.map(({ thread, body }) => {
    const action: Extract<GovernedAction, { kind: 'reply' }> = {
      kind: 'reply',
      on: pull.id,
      to: thread,
      body: withoutMark(body),
    };
    return assessAction(action, withSecretsFound(parts, action, context));
  });
  const assessment = mergeAssessments(said);
  const fields: ReplyFields = {
    action: 'reply',
    repoId: repo.id,
    pull: pull.id,
    answers,
    // Code hosts let no outsider request a review, so none is promised.
    again: repo.mayPush ? toAskAgain(run) : [],
    policyVersion: assessment.policyVersion,
    assessment,
  };
  return sealFields(fields);
};

/** Only the visible text is judged. */
const withoutMark = (body: string): string => body.slice(0, body.lastIndexOf('\n\n<!-- agentpr:'));

export const createSealRepliesHandler =
  (parts: EffectContext): EffectHandler<'seal_replies'> =>
  async (claim) => {
    const proposal = await proposalFor(parts, await requireRunOf(parts, claim.runId));
    if (!proposal) return { kind: 'done', result: 'nothing to answer' };
    return { kind: 'result', input: { type: 'worker.replies.sealed', proposal } };
  };

const MOVED_ON: HandlerOutcome = { kind: 'done', result: 'the run has moved on' };

export const createReplyHandler = (parts: EffectContext): EffectHandler<'reply'> => {
  const { forge, ledger, clock } = parts;
  const searches = createReadBacks<null>(clock);
  /** Answers with unknown outcome, by effect. In memory only. */
  const doubts = new Map<string, string>();
  const settled = new Map<string, Map<string, AnswerOutcome>>();

  const isAuthorised = async (claim: ClaimedEffect, approvalId: string, digest: string): Promise<boolean> => {
    const row = await ledger.query.approval(approvalId);
    return (
      row?.kind === 'reply' &&
      row.runId === claim.runId &&
      row.state === 'consumed' &&
      row.consumedBy === claim.id &&
      row.digest === digest
    );
  };

  const findOwnReply = async (
    run: Run,
    pull: string,
    { body }: ThreadAnswer,
  ): Promise<{ url: string } | null> => {
    const mark = body.slice(body.lastIndexOf('<!-- agentpr:'));
    const ours = await forge.ourReplies(repositoryOf(run), pull);
    return ours.find((one) => one.body.includes(mark)) ?? null;
  };

  /** Looks until replicas caught up. Posted in order, so only one answer is in doubt. */
  const seekReply = async (
    claim: ClaimedEffect,
    run: Run,
    pull: string,
    answer: ThreadAnswer,
  ): Promise<Seeking> => {
    const there = await findOwnReply(run, pull, answer);
    const doubt = doubts.get(claim.id) ?? (claim.tries > 1 ? ANY : null);
    if (there || (doubt !== ANY && doubt !== answer.body)) return there;
    let late: { url: string } | null = null;
    const said = await searches.read(claim, null, async () => {
      late = await findOwnReply(run, pull, answer);
      return late ? null : 'unseen';
    });
    if (said !== null && said !== 'unseen') return { later: said };
    doubts.set(claim.id, NO_REPLY);
    return late;
  };

  const postOne = async (
    claim: ClaimedEffect,
    run: Run,
    pull: string,
    answer: ThreadAnswer,
  ): Promise<Posted> => {
    const there = await seekReply(claim, run, pull, answer);
    if (there && 'later' in there) return there;
    if (there) return toAnswerOutcome(answer, 'posted', there.url);
    if (!(await ledger.renew(claim, clock.now() + LEASE_MS))) return { later: MOVED_ON };
    doubts.set(claim.id, answer.body);
    try {
      const { url } = await forge.reply(repositoryOf(run), pull, answer.thread, answer.body);
      doubts.set(claim.id, NO_REPLY);
      return toAnswerOutcome(answer, 'posted', url);
    } catch (error) {
      const isFinalAnswer = error instanceof OutsideFailure && isFinal(error);
      if (isFinalAnswer || error instanceof TurnAwaited) doubts.set(claim.id, NO_REPLY);
      if (!isFinalAnswer) throw error;
      return toAnswerOutcome(answer, howOf(error), null, error.message);
    }
  };

  const concludeReply = (
    { id, do: { approvalId } }: ClaimOf<'reply'>,
    outcomes: AnswerOutcome[],
    reviewRequest: 'asked' | 'failed' | null = null,
  ): HandlerOutcome => {
    doubts.delete(id);
    settled.delete(id);
    return {
      kind: 'result',
      input: { type: 'worker.replies.posted', approvalId, outcomes, reviewRequest },
    };
  };

  return async (claim) => {
    const { approvalId, digest } = claim.do;
    const run = await requireRunOf(parts, claim.runId);
    if (!(await isAuthorised(claim, approvalId, digest)))
      return toStepFailure('reply', 'permission_denied', 'no live approval stands behind these answers');
    const signed =
      run.review.pendingReplies?.signature?.id === approvalId ? run.review.pendingReplies.proposal : null;
    const posted = [...(settled.get(claim.id)?.values() ?? [])];
    if (!signed && posted.length > 0) return concludeReply(claim, posted);
    // Checks the digest again, in case the stored row was altered.
    if (!signed || sealFields(signed.fields).digest !== digest)
      return toStepFailure('reply', 'seal_moved', '', { differences: [{ kind: 'stored_proposal' }] });
    const { fields } = signed;
    const repo = await readRunRepository(parts, run);
    if (repo.id !== fields.repoId || run.upstream.pullRequest?.id !== fields.pull)
      return toStepFailure('reply', 'seal_moved', '', { differences: [{ kind: 'stored_proposal' }] });
    const outcomes: AnswerOutcome[] = [];
    for (const answer of fields.answers) {
      const known = settled.get(claim.id) ?? new Map<string, AnswerOutcome>();
      const done = known.get(answer.body) ?? (await postOne(claim, run, fields.pull, answer));
      if ('later' in done) {
        const now = outcomes.length === 0 ? null : await ledger.query.run(run.id);
        // guard: F7-posted-is-told
        if (done.later !== MOVED_ON || !now || now.lifecycle.epoch === claim.epoch) return done.later;
        return concludeReply(claim, outcomes);
      }
      settled.set(claim.id, known.set(answer.body, done));
      outcomes.push(done);
    }
    const again = await askAgain(parts, run, fields);
    return concludeReply(claim, outcomes, again);
  };
};

const ANY = 'any';
const NO_REPLY = 'none';

type Posted = AnswerOutcome | { later: HandlerOutcome };
type Seeking = { url: string } | { later: HandlerOutcome } | null;

const toAnswerOutcome = (
  { thread }: ThreadAnswer,
  how: AnswerOutcome['outcome'],
  url: string | null,
  says = '',
): AnswerOutcome => ({ thread, outcome: how, url, message: says });

const isFinal = ({ class: of }: OutsideFailure): boolean =>
  of === 'forge_refused' || of === 'permission_denied' || Object.hasOwn(OF_REPOSITORY, of);
/** 404: the comment is gone. 403: the conversation is locked. */
const howOf = ({ status, message }: OutsideFailure): AnswerOutcome['outcome'] =>
  status === 404 ? 'deleted' : status === 403 && /lock/i.test(message) ? 'locked' : 'refused';

const askAgain = async (
  { forge }: { forge: ForgeReviews },
  run: Run,
  { again, pull }: ReplyFields,
): Promise<'asked' | 'failed' | null> => {
  if (again.length === 0) return null;
  try {
    await forge.askAgain(repositoryOf(run), pull, again);
    return 'asked';
  } catch (error) {
    if (!(error instanceof OutsideFailure) || !isFinal(error)) throw error;
    return 'failed';
  }
};
