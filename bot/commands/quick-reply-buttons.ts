/** The buttons that stand for text: a tap does what the same words would do when they are typed. */
import { hasRoleAtLeast } from '#model/settings';
import { submitFormAnswer, closeAmbiguousReply, roleForForm, findAmbiguousForm } from './ambiguous-reply.ts';
import { cardOn, defineButton, replyButtonOf, type Tap, type ViewOf } from './define-button.ts';
import type { CommandContext } from './command-context.ts';
import { parseCommand } from './parse-command.ts';
import { replyWithoutButtons } from './unfinished-order.ts';
import { runWrittenCommand } from './typed-command.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';

export const TEXT_BUTTONS = [
  defineButton(cardOn('reply'), {
    verb: 'say',
    role: 'viewer',
    onTap: (tap): PendingTapAnswer => sayText(tap),
  }),
  defineButton(cardOn('reply'), {
    verb: 'say.as_answer',
    role: 'viewer',
    onTap: (tap): PendingTapAnswer => sayText(tap),
  }),
];

/** Role checks happen in the command; its screen replaces this one. */
const sayText = async (tap: Tap<ViewOf<'reply'>>): PendingTapAnswer => {
  const { c, row, show, index, messageId } = tap;
  const says = replyButtonOf(tap)?.says;
  if (says === undefined) return settleTap(c, c.words.tap.gone, true);
  if (row.slot?.startsWith('perhaps:')) return onPerhaps(tap, says);
  const screen = row.slot?.startsWith('screen:') ? row.slot : null;
  const { kind } = parseCommand(says, null);
  const isOnce = row.slot !== null && (show.unfinished !== undefined || kind === 'new' || kind === 'tell');
  // guard: C1-ordered-once
  if (isOnce && (await isClosed(c, row.slot))) return settleTap(c, c.words.tap.duplicate, false);
  const closed = isOnce ? replyWithoutButtons(show, row.slot) : null;
  // guard: C4-said-once
  const once = { ...c.row, key: `said:${row.n}:${index ?? 0}` };
  const said = { ...c, row: once, screen, also: closed ?? c.also, question: `${c.question} ${says}` };
  await runWrittenCommand(said, says, messageId);
  return { text: '', alert: false };
};

const isClosed = async ({ ledger }: CommandContext, slot: string | null): Promise<boolean> => {
  const told = slot === null ? null : (await ledger.query.told(slot))?.do;
  return told?.kind === 'chat_message' && told.content.view === 'reply' && told.content.buttons.length === 0;
};

const onPerhaps = async (
  { c, row, verb, messageId }: Tap<ViewOf<'reply'>>,
  words: string,
): PendingTapAnswer => {
  const form = await findAmbiguousForm(c, row);
  if (!form || row.slot === null) return settleTap(c, c.words.tap.gone, true);
  const isAnswer = verb === 'say.as_answer';
  const needed = isAnswer ? roleForForm(form) : 'viewer';
  if (!hasRoleAtLeast(c.role, needed)) return settleTap(c, c.words.roles.needs(needed), true);
  // guard: C4-words-once
  const once = { ...c.row, key: `perhaps:${row.n}` };
  const chosen = {
    ...c,
    row: isAnswer ? once : c.row,
    also: closeAmbiguousReply(c, row.slot, form, verb, words),
  };
  await (isAnswer ? submitFormAnswer(chosen, form, words) : runWrittenCommand(chosen, words, messageId));
  return { text: '', alert: false };
};
