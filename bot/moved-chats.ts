/** Resolves a message's real destination: group ids change, and chats may refuse messages. */
import type { Ledger } from '#ports/ledger';
import { adoptLanguage } from './language/languages.ts';
import { isGroup } from './telegram-limits.ts';
import { formatTopicChat, parseTopicChat } from './chat-topics.ts';

type Settings = Pick<Ledger, 'setSetting'> & { query: Pick<Ledger['query'], 'setting'> };
export type MovedChats = ReturnType<typeof createMovedChats>;

const keyOf = (chat: string): string => `moved:${chat}`;

const hereKey = (place: string): string => `place:${parseTopicChat(place).chat}`;

export const isBotInChat = async (query: Settings['query'], place: string): Promise<boolean | null> => {
  const known = await query.setting(hereKey(place));
  return known === null ? null : known === 'here';
};

export const recordBotPresence = async (
  ledger: Settings,
  place: string,
  { here }: { here: boolean },
): Promise<boolean> => {
  if ((await isBotInChat(ledger.query, place)) === here) return false;
  await ledger.setSetting(hereKey(place), here ? 'here' : 'gone');
  return true;
};

/** Bot API, ResponseParameters.migrate_to_chat_id. A deleted topic maps to its group. */
export const moveChat = async (ledger: Settings, from: string, to: string): Promise<void> => {
  const { chat: home, topic } = parseTopicChat(from);
  if (topic !== null && to === home) return ledger.setSetting(keyOf(from), to);
  await ledger.setSetting(keyOf(home), parseTopicChat(to).chat);
  await adoptLanguage(ledger, home, parseTopicChat(to).chat);
};

export const createMovedChats = (ledger: Settings, deciders: readonly string[]) => ({
  async currentPlaceOf(place: string): Promise<string> {
    const { chat, topic } = parseTopicChat(place);
    const now = (isGroup(chat) ? await ledger.query.setting(keyOf(chat)) : null) ?? chat;
    if (topic === null) return now;
    const there = formatTopicChat(now, topic);
    return (await ledger.query.setting(keyOf(there))) ?? there;
  },
  move: (from: string, to: string): Promise<void> => moveChat(ledger, from, to),
  isGone: async (place: string): Promise<boolean> => (await isBotInChat(ledger.query, place)) === false,
  insteadOf: (chat: string): string | null => deciders.find((one) => one !== chat) ?? null,
});
