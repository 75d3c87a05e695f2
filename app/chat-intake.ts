/** Receives from the chats: what they send is stored at once, and waits for whoever handles it. */
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectedChat, joinChats, type LoadedChat } from '#chat';
import { createWordsFor } from '#language';
import { createChatRoles } from '../bot/commands/user-roles.ts';
import { listAdminIds } from './chats.ts';
import type { ControlConfig } from './config.ts';
import type { HttpListener } from './http-listener.ts';
import type { OpenedProcess } from './opened-process.ts';

type Hearer = { onStored(): void; onTrouble(): void };
const NOBODY: Hearer = { onStored: () => {}, onTrouble: () => {} };
/** A chat that does not answer must not keep the rest from starting (ms). */
const FIRST_REQUEST_MS = 1_000;

export const createChatIntake = (
  { http }: Pick<ControlConfig, 'http'>,
  loaded: readonly LoadedChat[],
  { ledger, clock, fleet, log }: OpenedProcess,
) => {
  const wordsFor = createWordsFor(ledger.query);
  const roles = createChatRoles({ users: ledger.query, adminIds: listAdminIds(loaded) });
  let hearer = NOBODY;
  const chats = joinChats(loaded, {
    ledger,
    roles,
    wordsFor,
    clock,
    log,
    onlyPoller: fleet !== null,
    onStored: () => hearer.onStored(),
    onTrouble: () => hearer.onTrouble(),
  });
  const isCalled = ({ connection }: ConnectedChat): boolean =>
    http.publicUrl !== null && connection.webhook !== undefined;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  return {
    loaded,
    chats,
    roles,
    wordsFor,
    /** Rejects when a chat cannot go on. */
    failed: failed.promise,
    /** Starts the chats that do not call us. Resolves when their first requests for messages have left. */
    async receive(): Promise<void> {
      const asked = chats.all.filter((one) => !isCalled(one));
      const begun = asked.map(({ connection }) => {
        const receiving = Promise.withResolvers<void>();
        connection.start(receiving.resolve).catch(failed.reject);
        return receiving.promise;
      });
      const first = Promise.race([Promise.all(begun), failed.promise]).catch(() => {});
      await Promise.race([first, pause(FIRST_REQUEST_MS, undefined, { ref: false })]);
    },
    /** Tells the others our address. */
    register(tell: NonNullable<HttpListener['register']>): void {
      for (const { connection } of chats.all)
        if (connection.webhook && http.publicUrl !== null) tell(connection.webhook).catch(failed.reject);
    },
    hear: (those: Hearer): void => {
      hearer = those;
    },
  };
};
export type ChatIntake = ReturnType<typeof createChatIntake>;
