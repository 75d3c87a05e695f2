/** Answers to people without a role: one hint, or a role by an invitation (C1). */
import { z } from 'zod';
import type { InboxRow } from '#ports/steps';
import { learnLanguage } from '../language/languages.ts';
import { showInvisible } from '../../text-safety/index.ts';
import type { InboundUpdate } from './inbound-update.ts';
import { htmlReply, plainReply, type BotParts } from './command-context.ts';
import { redeemInvite, type MemberInvite } from './invites.ts';
import { recordBotPresence } from '../moved-chats.ts';
import { renderGreeting } from '../views/welcome-screen.ts';
import type { HandledUpdate } from './settle-tap.ts';
import { cutText } from '#model/values';

/** L8: ids of strangers who got the pairing hint; bounded, oldest dropped. */
export const HINTED_SETTING = 'chat.hinted';
const MAX_HINTED = 500;
export const readHinted = (setting: string | null): string[] =>
  z
    .array(z.string())
    .catch([])
    .parse(JSON.parse(setting ?? '[]'));

/** C1: strangers get one hint with their numeric id and nothing else. */
export const answerStranger = async (
  parts: BotParts,
  row: InboxRow,
  inbound: Extract<InboundUpdate, { kind: 'stranger' }>,
): Promise<HandledUpdate> => {
  const { user, chat, callbackId, code } = inbound;
  const invited =
    code === null ? null : await redeemInvite(parts.ledger, { code, row: row.id }, parts.clock.now());
  if (invited && chat !== null) return welcomeInvited(parts, row, { ...inbound, chat }, invited);
  const text = (await parts.people.wordsFor(chat)).roles.stranger(user);
  const hinted = readHinted(await parts.ledger.query.setting(HINTED_SETTING));
  const fresh = chat !== null && !hinted.includes(user);
  const replies = fresh
    ? [{ ...plainReply(text), chat, urgent: false, slot: 'hint:stranger', fresh: true }]
    : [];
  await parts.ledger.settleInbox(row.id, { kind: 'done', note: 'unknown user', replies }, parts.clock.now());
  if (fresh)
    await parts.ledger.setSetting(HINTED_SETTING, JSON.stringify([...hinted, user].slice(-MAX_HINTED)));
  return callbackId === null ? {} : { tap: { callbackId, text, alert: true } };
};

const welcomeInvited = async (
  parts: BotParts,
  row: InboxRow,
  { user, chat, name: given, language }: Extract<InboundUpdate, { kind: 'stranger' }> & { chat: string },
  { role, by }: MemberInvite,
): Promise<HandledUpdate> => {
  const name = cutText(showInvisible(given).trim(), 60) || `user ${user}`;
  await parts.ledger.setUser({ id: user, name, role }, by);
  await learnLanguage(parts.ledger, chat, language);
  await recordBotPresence(parts.ledger, chat, { here: true });
  parts.people.onMember?.(user);
  const words = await parts.people.wordsFor(chat);
  const host = await parts.people.wordsFor(by.id);
  const told = { ...plainReply(host.users.came(name, user, host.roles.names[role])), chat: by.id };
  const { html, buttons } = renderGreeting(
    { name, role, repositories: [], account: parts.host.account?.() ?? null },
    words,
  );
  const replies = [{ ...htmlReply(html, buttons), chat }, told];
  await parts.ledger.settleInbox(
    row.id,
    { kind: 'done', note: 'came by invitation', replies },
    parts.clock.now(),
  );
  return {};
};
