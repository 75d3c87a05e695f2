/** The buttons of a review's card, and typed answers to it (F7). */
import type { Run } from '#run';
import { sha256Hex } from '#runtime';
import { redactSecrets, showInvisible } from '../../text-safety/index.ts';
import { REMARKS_PER_PAGE, triageSlot } from '#kernel';
import { nextChoice, type TriageItem } from '#model/review';
import { hasRoleAtLeast } from '#model/settings';
import { areAnswersCut, wholeAnswers } from '../views/reply-card.ts';
import { isRemarkCut, remarkLocation } from '../views/review-triage-card.ts';
import { runName } from '../views/run-lines.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { MAX_ANSWER_LENGTH } from './open-remark-buttons.ts';
import {
  personOf,
  offerInput,
  plainReply,
  refuseUpdate,
  settleUpdate,
  viewReply,
  type CommandReply,
  type CommandContext,
} from './command-context.ts';
import { findDelivery } from './verify-card.ts';
import {
  cardWithCheck,
  defineButton,
  runCardOn,
  type Opened,
  type RunTap,
  type ViewOf,
} from './define-button.ts';
import { submitTap } from './submit-tap.ts';
import { describeRefusedStep } from './refused-step-reply.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';

type ReviewTap = RunTap<ViewOf<'triage'>> & {
  items: readonly TriageItem[];
  drawn: (page: number) => CommandReply;
};

const REVIEW_CARD = cardWithCheck(runCardOn('triage'), async (tap): Promise<Opened<ReviewTap>> => {
  const { c, run, row, show } = tap;
  const { slot } = row;
  const { triage } = run.review;
  const items = triage && triage.card === show.card && show.begun === null ? triage.items : null;
  if (!items || slot === null) return settleTap(c, c.words.triage.over, true);
  return { tap: { ...tap, items, drawn: (page) => viewReply({ ...show, page }, run.id, slot) } };
});

export const REVIEW_BUTTONS = [
  defineButton(REVIEW_CARD, {
    verb: 'review.page',
    role: 'viewer',
    async onTap({ c, show, items, drawn }): PendingTapAnswer {
      const pages = Math.max(1, Math.ceil(items.length / REMARKS_PER_PAGE));
      return settleTap(c, c.words.tap.shown, false, drawn((show.page + 1) % pages));
    },
  }),
  defineButton(REVIEW_CARD, {
    verb: 'review.whole',
    role: 'viewer',
    async onTap({ c, run, show, items }): PendingTapAnswer {
      return settleTap(c, c.words.tap.shown, false, await allWords(c, run, show.card, items));
    },
  }),
  defineButton(REVIEW_CARD, {
    verb: 'review.choose',
    role: 'operator',
    picks: true,
    async onTap({ c, run, show, index, items, drawn }): PendingTapAnswer {
      const { card, page } = show;
      const { tap, triage: t } = c.words;
      const item = items[page * REMARKS_PER_PAGE + (index ?? REMARKS_PER_PAGE)];
      if (!item) return settleTap(c, tap.stale, true, drawn(page));
      const choice = nextChoice(item);
      const no = items.indexOf(item) + 1;
      return submitTap(
        c,
        run,
        { type: 'command.review.choose', by: personOf(c), card, remark: item.id, choice },
        { done: () => t.changed(no, t.choices[choice]) },
      );
    },
  }),
  defineButton(REVIEW_CARD, {
    verb: 'review.begin',
    role: 'approver',
    async onTap({ c, run, show: { card }, items }): PendingTapAnswer {
      const { tap, triage: t } = c.words;
      // P5: the approver must have been able to read everything that reaches the agent.
      const long = items.some((item) => item.choice !== 'ignore' && isRemarkCut(item));
      if (long && (await c.ledger.query.sent(reviewReadSlot(c, run, wordsOf(c, items)))) === null)
        return settleTap(c, t.readAll, true, await allWords(c, run, card, items));
      return submitTap(
        c,
        run,
        { type: 'command.review.begin', by: personOf(c), card },
        { done: () => tap.done },
      );
    },
  }),
];

/** P5: the slot contains a digest of the words, so edited remarks must be read again. */
// guard: P5-read-as-it-is
const reviewReadSlot = (context: CommandContext, run: Run, text: string): string =>
  `${triageSlot(run, sha256Hex(text).slice(0, 32))}:read:${context.user}`;

const wordsOf = (context: CommandContext, items: readonly TriageItem[]): string =>
  items
    .map(
      (item, i) =>
        `=== ${i + 1} · ${item.reviewer} · ${remarkLocation(item, context.words)} ===\n${item.hunk === '' ? '' : `${item.hunk}\n---\n`}${item.body}\n`,
    )
    .join('\n');

const allWords = (
  context: CommandContext,
  run: Run,
  card: string,
  items: readonly TriageItem[],
): Promise<CommandReply> => {
  const text = wordsOf(context, items);
  const content = redactSecrets(showInvisible(text));
  return asFile(
    context,
    run,
    content,
    `run-${run.id}-review-${card}.txt`,
    reviewReadSlot(context, run, text),
  );
};

const asFile = async (
  context: CommandContext,
  run: Run,
  content: string,
  file: string,
  slot: string,
): Promise<CommandReply> => {
  const artifact = await context.ledger.artifact({
    runId: run.id,
    type: 'comment',
    content,
    at: context.clock.now(),
  });
  return viewReply({ view: 'document', name: file, caption: runName(run), artifact }, run.id, slot);
};

/** G8: sends all answers as a file, in a slot that records who was shown them. */
export const findWholeAnswersReply = async (
  context: CommandContext,
  run: Run,
): Promise<CommandReply | null> => {
  const proposal = run.review.pendingReplies?.proposal;
  if (!proposal) return null;
  const content = redactSecrets(wholeAnswers(proposal.fields, context.words));
  return asFile(
    context,
    run,
    content,
    `run-${run.id}-answers.txt`,
    answersSlot(context, run, proposal.digest),
  );
};
const answersSlot = (context: CommandContext, run: Run, digest: string): string =>
  `answers:${run.id}:${digest.slice(0, 16)}:read:${context.user}`;

/** Returns null when the card shows the answers completely or this person has read them. */
export const findUnreadAnswersReply = async (
  context: CommandContext,
  run: Run,
): Promise<CommandReply | null> => {
  const proposal = run.review.pendingReplies?.proposal;
  if (!proposal || !areAnswersCut(proposal.fields)) return null;
  const read = await context.ledger.query.sent(answersSlot(context, run, proposal.digest));
  return read === null ? findWholeAnswersReply(context, run) : null;
};

type Review = { run: Run; card: string };

/** Returns the review whose card the message is, or null. */
export const findReviewByMessage = async (
  context: CommandContext,
  live: readonly Run[],
  messageId: string,
): Promise<Review | null> => {
  for (const run of live) {
    if (!run.review.triage) continue;
    const { card } = run.review.triage;
    for (const row of await context.ledger.query.effects({
      runId: run.id,
      kind: 'chat_message',
      state: 'done',
    })) {
      if (row.do.kind !== 'chat_message' || row.do.content.view !== 'triage' || row.do.content.card !== card)
        continue;
      const sent = findDelivery(row);
      if (sent?.chat === context.chat && sent.messageId === messageId) return { run, card };
    }
  }
  return null;
};

const SURE_NUMBER =
  /^(?:#(\d{1,3})(?:\s*[:.)、：，,]|(?=\s))|(\d{1,3})\s*[:)、：，,]|(\d{1,3})\.(?!\d))\s*(\S[\s\S]*)$/;
const BARE_NUMBER = /^(\d{1,3})\s+(\S[\s\S]*)$/;

/** `2 of the callers rely on it` names remark 2 only where that waits for an answer. */
export const findAnsweredRemark = (
  items: readonly TriageItem[],
  said: string,
): { item: TriageItem; words: string } | null => {
  const text = said.trim();
  const waiting = items.filter((item) => item.choice === 'reply' && item.answer === null);
  const itemAt = (number: string | undefined): TriageItem | undefined =>
    number === undefined ? undefined : items[Number(number) - 1];
  const [, hashed, marked, dotted, rest = ''] = SURE_NUMBER.exec(text) ?? [];
  const sure = itemAt(hashed ?? marked ?? dotted);
  if (sure) return { item: sure, words: rest };
  const [, bare, after = ''] = BARE_NUMBER.exec(text) ?? [];
  const named = itemAt(bare);
  if (named && waiting.includes(named)) return { item: named, words: after };
  const [only, ...others] = waiting;
  return only && others.length === 0 && text !== '' ? { item: only, words: text } : null;
};

export const answerRemark = async (
  context: CommandContext,
  { run, card }: Review,
  text: string,
): Promise<void> => {
  const { triage: t, roles } = context.words;
  const items = run.review.triage?.items ?? [];
  if (!hasRoleAtLeast(context.role, 'operator'))
    return refuseUpdate(context, 'role', plainReply(roles.needs('operator'), run.id));
  const read = findAnsweredRemark(items, text);
  if (!read) return settleUpdate(context, 'which remark', plainReply(t.whichOne, run.id));
  const { item, words } = read;
  if (words.length > MAX_ANSWER_LENGTH)
    return settleUpdate(
      context,
      'too long',
      plainReply(
        sayRecord(context.words.problems, { kind: 'long', what: 'reason', most: MAX_ANSWER_LENGTH }),
        run.id,
      ),
    );
  const no = items.indexOf(item) + 1;
  const input = { type: 'command.review.choose', by: personOf(context), card, remark: item.id } as const;
  await offerInput(context, run.id, { ...input, choice: 'reply', words }, (step) =>
    step.kind === 'moved'
      ? [plainReply(t.saidFor(no), run.id)]
      : [plainReply(describeRefusedStep(context, step), run.id)],
  );
};
