/** Sends messages that ask a person for text, and recognises the replies to them. */
import { hasOpenRemark } from '#model/review';
import { isTerminal } from '#model/run';
import { MINUTE } from '#model/values';
import { permissionQuestionOf, type Run } from '#run';
import { redactSecrets } from '../../text-safety/index.ts';
import type { EffectRow } from '#ports/ledger';
import { LANGUAGE_TEXTS, type LanguageTexts } from '../language/languages.ts';
import { escapeSentence, stripMarkup } from '../text/telegram-html.ts';
import { markRepeated } from '../views/render-view.ts';
import { runName } from '../views/run-lines.ts';
import { findDelivery, createGateMatcher } from './verify-card.ts';
import { plainReply, settleUpdate, type CommandReply, type CommandContext } from './command-context.ts';
import type { InboundUpdate } from './inbound-update.ts';

const FORM_QUESTIONS = {
  changes: ({ denials }) => denials.ask,
  question: ({ answer }) => answer.ask,
  closing: ({ openRemarks }) => openRemarks.ask,
  answer: ({ comment }) => comment.ask,
  permission: ({ permission }) => permission.ask,
  'permission-edit': ({ permission }) => permission.askEdit,
} satisfies Record<string, (words: LanguageTexts) => string>;
type FormKind = keyof typeof FORM_QUESTIONS;
export type AnswerForm = { kind: FormKind; run: Run; about: string };
type Sent = AnswerForm & { row: EffectRow };

export const formQuestionReply = (
  context: CommandContext,
  { kind, run, about }: AnswerForm,
): CommandReply => ({
  slot: `${kind}:${context.row.id}:${about}`,
  show: {
    view: 'reply',
    html: [escapeSentence(FORM_QUESTIONS[kind](context.words)), runName(run)].join('\n'),
    buttons: [],
    asks: true,
  },
  urgent: true,
  sound: false,
  runId: run.id,
});

const isKind = (word: string): word is FormKind => Object.hasOwn(FORM_QUESTIONS, word);

const formsIn = async (context: CommandContext, runs: readonly Run[]): Promise<Sent[]> => {
  const forms: Sent[] = [];
  for (const run of runs) {
    for (const row of await context.ledger.query.effects({ runId: run.id, kind: 'chat_message' })) {
      const [kind = '', , ...about] = row.slot?.split(':') ?? [];
      const chat = findDelivery(row)?.chat ?? row.chat;
      if (isKind(kind) && chat === context.chat) forms.push({ kind, run, about: about.join(':'), row });
    }
  }
  return forms.sort((a, b) => a.row.n - b.row.n);
};

type Answering = Pick<Extract<InboundUpdate, { kind: 'message' }>, 'replyTo' | 'repliedTo' | 'private'>;

export const findAnsweredForm = async (
  context: CommandContext,
  runs: readonly Run[],
  message: Answering,
): Promise<AnswerForm | 'several' | null> => {
  const { replyTo } = message;
  if (replyTo === null) return null;
  const forms = await formsIn(context, runs);
  const known = forms.find(({ row }) => findDelivery(row)?.messageId === replyTo);
  if (known) return known;
  const copies = forms.filter(({ row }) => isCopy(context, row, message, replyTo));
  const [first, ...others] = copies;
  if (!first) return null;
  const isSame = (other: AnswerForm): boolean =>
    other.kind === first.kind && other.run.id === first.run.id && other.about === first.about;
  // guard: L4-one-form
  return others.every(isSame) ? first : 'several';
};

/** L4: detects a copy of a form that was sent before a crash and not recorded. */
const isCopy = (context: CommandContext, row: EffectRow, message: Answering, messageId: string): boolean => {
  const { repliedTo } = message;
  const us = context.adapter.botName()?.toLowerCase();
  // No other bot writes in a private chat, so our username is not needed there.
  // guard: L4-own-form
  if (!repliedTo || (us === undefined ? !message.private : repliedTo.bot.toLowerCase() !== us)) return false;
  if (row.do.kind !== 'chat_message' || row.do.content.view !== 'reply') return false;
  const { html } = row.do.content;
  const later = findDelivery(row);
  // guard: L4-earlier-copy
  if (later && !context.adapter.isEarlier(messageId, later.messageId)) return false;
  const spellings = [html, ...Object.values(LANGUAGE_TEXTS).map((words) => markRepeated(html, words))];
  return spellings.some((one) => foldSpaces(stripMarkup(redactSecrets(one))) === foldSpaces(repliedTo.text));
};
const foldSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim();

const LIKELY_ANSWER_MS = 10 * MINUTE;
const isOpen = ({ kind, run, about }: AnswerForm): boolean => {
  switch (kind) {
    case 'changes':
      return run.gate.approval?.id === about;
    case 'question':
      return run.id === about && run.agent.session !== null && !isTerminal(run.lifecycle.state);
    case 'answer':
      return hasOpenRemark(run, about);
    case 'closing':
      return run.upstream.pullRequest?.id === about && !isTerminal(run.lifecycle.state);
    default:
      return permissionQuestionOf(run)?.id === about;
  }
};

export const findOpenForm = async (
  context: CommandContext,
  runs: readonly Run[],
): Promise<AnswerForm | null> => {
  const since = context.clock.now() - LIKELY_ANSWER_MS;
  return (await formsIn(context, runs)).findLast((form) => form.row.dueAt > since && isOpen(form)) ?? null;
};

export const findFormOfAskingCard = async (
  context: CommandContext,
  runs: readonly Run[],
): Promise<AnswerForm | null> => {
  const since = context.clock.now() - LIKELY_ANSWER_MS;
  const asking: Sent[] = [];
  for (const run of runs) {
    const {
      gate: { approval },
    } = run;
    if (!approval || approval.kind === 'reply') continue;
    const cards = (await context.ledger.query.effects({ runId: run.id, kind: 'chat_message' })).filter(
      (row) => createGateMatcher(approval.id)(row) && (findDelivery(row)?.chat ?? row.chat) === context.chat,
    );
    const row = cards.reduce<EffectRow | null>((last, one) => (last && last.n > one.n ? last : one), null);
    const show = row?.do.kind === 'chat_message' && row.do.content.view === 'gate' ? row.do.content : null;
    if (row && (show?.asksDenialReason || show?.changing) && row.dueAt > since)
      asking.push({ kind: 'changes', run, about: approval.id, row });
  }
  return asking.sort((a, b) => a.row.n - b.row.n).at(-1) ?? null;
};

export const findAnswerForm = (kind: string, run: Run, about: string): AnswerForm | null =>
  isKind(kind) ? { kind, run, about } : null;

export const askWhichForm = (context: CommandContext): Promise<void> =>
  settleUpdate(context, 'which form', plainReply(context.words.denials.whichForm));
