/** A chat service gives this host a `ChatAdapter`. Telegram, Slack and every further one is a folder that makes one. */
import type { UserRole } from '#model/settings';
import type { ChatLimits, ChatPort } from '#ports/chat';
import type { Ledger } from '#ports/ledger';
import type { LogPort } from '#ports/processes';
import type { TapAnswer } from '../commands/settle-tap.ts';
import type { InboundUpdate } from '../commands/inbound-update.ts';
import type { ChatRoles } from '../commands/user-roles.ts';
import type { LanguageTexts, WordsFor } from '../language/languages.ts';
import type { ReadSentFile } from '../received-files.ts';

/** Pure: what the ids and the stored updates of the service mean. Ids of two services never look alike. */
export type ChatAdapter = {
  /** For people and logs. */
  name: string;
  limits: ChatLimits;
  /** Refusals in several chats at once mean that all its chats have to wait. */
  isLimitedAsOne: boolean;
  /** People can send recordings, which `read` finds in an update. */
  hasRecordings: boolean;
  /** True for an update that this service stored. */
  isOurs: (stored: unknown) => boolean;
  /** True for a room, and for a person's own chat. */
  hasChat: (chat: string) => boolean;
  hasPerson: (id: string) => boolean;
  /** Reads a stored update; never throws. */
  read: (stored: unknown) => InboundUpdate;
  isEarlier: (messageId: string, than: string) => boolean;
  connect: (parts: ChatHost) => ChatConnection;
};

/** The host as an adapter sees it. */
export type ChatHost = {
  /** L3: an update is stored with `receive` before it is acknowledged, under a key that is unique among all chats. */
  ledger: Pick<Ledger, 'receive'> & { query: Pick<Ledger['query'], 'setting'> };
  /** L8: nothing is stored of people without a role, but their ids. */
  roles: ChatRoles;
  wordsFor: WordsFor;
  clock: { now(): number };
  log: Pick<LogPort, 'warn'>;
  /** L7: no other process polls for this ledger. */
  onlyPoller: boolean;
  /** Called after `receive`, so that what was stored is handled. */
  onStored: () => void;
  onTrouble: () => void;
};

export type ChatConnection = {
  out: ChatPort;
  /** Receives until it is stopped; rejects when it cannot go on. Tells when the first request for messages leaves. */
  start: (onReceiving: () => void) => Promise<void>;
  stop: () => Promise<void>;
  /** Our name there; rejects with an OutsideFailure when the service is not reached. */
  whoAmI: (signal: AbortSignal) => Promise<string>;
  /** Our own username without `@`; null until it is known. */
  botName: () => string | null;
  /** Tells how the holder of an invitation joins. */
  invitationText: (code: string) => string;
  sentFile: ReadSentFile;
  /** Answers a tap at once. A lost answer is harmless, because the card shows the outcome. */
  answerTap: (tap: TapAnswer) => Promise<void>;
  /** Absent where the service has no menus of commands. */
  menus?: {
    everybody: () => Promise<void>;
    /** A null role removes the menu. */
    of: (person: string, role: UserRole | null, words: LanguageTexts) => Promise<void>;
  };
  /** A link that opens a chat with us and sends `/start <payload>`; null until our name is known. */
  startLink?: (payload: string) => string | null;
  /** Absent where updates only come through a connection of ours. */
  webhook?: ChatWebhook;
};

/** With a public address, `register` takes the place of `start`. */
export type ChatWebhook = {
  /** First part of the path on our server. */
  folder: string;
  /** Header of a call that carries the secret, in lower case. */
  secretHeader: string;
  isUpdate: (body: unknown) => body is { update_id: number };
  /** Resolves to false for a wrong secret; rejects an unstored update, so that it is sent again. */
  createTake: (secret: string) => (update: { update_id: number }, secret: string) => Promise<boolean>;
  /** Retries during outages; rejects when the service refuses the address. */
  register: (url: string, secret: string) => Promise<void>;
};

/** Who may do everything there, and which accounts are further ones of a person elsewhere. */
export type ConfiguredChat = {
  admins: readonly string[];
  /** Their private chats, which ask where the chat of an order cannot. */
  adminChats: readonly string[];
  /** G3: from such an account to the one that has the role and the settings. */
  samePeople: ReadonlyMap<string, string>;
  load: () => Promise<ChatAdapter>;
};

export type LoadedChat = Omit<ConfiguredChat, 'load'> & { adapter: ChatAdapter };
export type ConnectedChat = LoadedChat & { connection: ChatConnection };

export const loadChats = (configured: readonly ConfiguredChat[]): Promise<LoadedChat[]> =>
  Promise.all(configured.map(async ({ load, ...chat }) => ({ ...chat, adapter: await load() })));
