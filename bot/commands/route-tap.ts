/** Checks the MAC, role, chat and message of a tap, then calls what its button stands for (G4). */
import { hasRoleAtLeast } from '#model/settings';
import { cutText } from '#model/values';
import { findDelivery } from './verify-card.ts';
import type { CommandContext } from './command-context.ts';
import { findButton } from './buttons.ts';
import { settleTap, type PendingTapAnswer, type TapAnswer } from './settle-tap.ts';

type ButtonTap = { callbackId: string; messageId: string; data: string };

/** Bot API, answerCallbackQuery: 0–200 characters. */
const POPUP_LIMIT = 200;
export const routeTap = async (context: CommandContext, tap: ButtonTap): Promise<TapAnswer> => {
  const said = await answerFor(context, tap);
  return { callbackId: tap.callbackId, ...said, text: cutText(said.text, POPUP_LIMIT) };
};

const answerFor = async (c: CommandContext, tap: ButtonTap): PendingTapAnswer => {
  const { tap: t, roles } = c.words;
  const token = c.tokens.read(tap.data);
  if (!token) return settleTap(c, t.forged, true);
  // guard: G4-own-button
  if (!c.tokens.ours(token, c.chat)) {
    const home = (await c.ledger.query.effect(token.n))?.chat ?? null;
    const foreign = home !== null && home !== c.chat && c.tokens.ours(token, home);
    return settleTap(c, foreign ? t.foreign : t.forged, true);
  }
  const button = findButton(token.verb);
  if (!button) return settleTap(c, t.gone, true);
  // guard: G4-tap-role
  if (!hasRoleAtLeast(c.role, button.role)) return settleTap(c, roles.needs(button.role), true);
  const row = await c.ledger.query.effect(token.n);
  if (row?.do.kind !== 'chat_message') return settleTap(c, t.gone, true);
  const sent = findDelivery(row);
  if (!sent) return settleTap(c, t.unsent, true);
  if (sent.chat !== c.chat) return settleTap(c, t.foreign, true);
  // guard: G4-own-message
  if (sent.messageId !== tap.messageId) return settleTap(c, t.stale, true);
  const { verb, index } = token;
  const { messageId } = tap;
  return button.onTap({ c, verb, index, row, show: row.do.content, epoch: sent.epoch, messageId, run: null });
};
