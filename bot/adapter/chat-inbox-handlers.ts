/** Handles stored updates of all chats: each is read as its service does, and a tap's answer is shown at once. */
import type { Ledger } from '#ports/ledger';
import type { LogPort, SystemClock } from '#ports/processes';
import type { InboxRow } from '#ports/steps';
import type { InboxHandlers } from '#runtime';
import type { createBotHandler } from '../commands/handle-update.ts';
import type { InboundUpdate } from '../commands/inbound-update.ts';
import type { ChatTraits } from '../commands/command-context.ts';
import type { ConnectedChat } from './chat-adapter.ts';
import type { JoinedChats } from './join-chats.ts';

const asPerson = (inbound: InboundUpdate, personOf: JoinedChats['personOf']): InboundUpdate =>
  'user' in inbound ? { ...inbound, user: personOf(inbound.user) } : inbound;

export const chatTraitsOf = (
  { all, personOf, hasPerson }: Pick<JoinedChats, 'all' | 'personOf' | 'hasPerson'>,
  chat: ConnectedChat,
): Required<Omit<ChatTraits, 'voice'>> => {
  const { adapter, connection } = chat;
  return {
    // guard: G3-same-person
    read: (body) => asPerson(adapter.read(body), personOf),
    isEarlier: adapter.isEarlier,
    isPerson: hasPerson,
    mainAccountOf: personOf,
    deciders: [chat, ...all.filter((one) => one !== chat)].flatMap(({ adminChats }) => adminChats),
    botName: connection.botName,
    invitationText: connection.invitationText,
    sentFile: connection.sentFile,
  };
};

type SourceParts = {
  chats: readonly ConnectedChat[];
  handlerOf: (chat: ConnectedChat) => ReturnType<typeof createBotHandler>;
  ledger: Pick<Ledger, 'settleInbox'>;
  clock: Pick<SystemClock, 'now'>;
  log: Pick<LogPort, 'error'>;
};

export const createChatInboxHandlers = ({
  chats,
  handlerOf,
  ledger,
  clock,
  log,
}: SourceParts): Pick<InboxHandlers, 'chat' | 'sorry'> => {
  const handlers = chats.map((chat) => ({ ...chat, handler: handlerOf(chat) }));
  const findHandler = ({ body }: InboxRow) => handlers.find(({ adapter }) => adapter.isOurs(body));
  return {
    chat: async (row) => {
      const chat = findHandler(row);
      if (!chat)
        return ledger.settleInbox(
          row.id,
          { kind: 'done', note: 'of a chat that is not configured', replies: [] },
          clock.now(),
        );
      const { tap } = await chat.handler.handle(row);
      // Not queued, so that a tap's answer never waits behind other messages.
      if (tap)
        chat.connection
          .answerTap(tap)
          .catch((error: unknown) => log.error({ err: error }, 'a tap could not be answered'));
    },
    sorry: async (row, reason) => findHandler(row)?.handler.replyGivenUp(row, reason) ?? [],
  };
};
