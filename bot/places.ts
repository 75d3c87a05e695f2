/** Where a message really goes: groups get other ids, and what a chat refuses is for whoever answers for the bot. */
import { z } from 'zod';
import type { Ledger } from '../orchestrator/ports.ts';
import { adoptLanguage } from './language/language.ts';

type Settings = Pick<Ledger, 'setSetting'> & { query: Pick<Ledger['query'], 'setting'> };
export type MovedChats = ReturnType<typeof createPlaces>;

const keyOf = (chat: number): string => `moved:${chat}`;
const Id = z.coerce.number().int();

export const createPlaces = (ledger: Settings, deciders: readonly number[]) => ({
  /** A group that became a supergroup has another id since (Bot API, ResponseParameters.migrate_to_chat_id). */
  async of(chat: number): Promise<number> {
    // Only groups move, and only once.
    if (chat >= 0) return chat;
    const moved = await ledger.query.setting(keyOf(chat));
    return moved === null ? chat : Id.parse(moved);
  },
  async move(from: number, to: number): Promise<void> {
    await ledger.setSetting(keyOf(from), String(to));
    await adoptLanguage(ledger, from, to);
  },
  /** Who hears of what somebody must decide when their chat takes no message; null when there is nobody else. */
  insteadOf: (chat: number): number | null => deciders.find((one) => one !== chat) ?? null,
});
