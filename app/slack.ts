/** Puts Slack beside the first chat, or alone: which messages are whose, and what differs for its people. */
import type { ChatRoles } from '../bot/commands/user-roles.ts';
import type { InboundUpdate } from '../bot/commands/inbound-update.ts';
import type { ChatTraits } from '../bot/commands/command-context.ts';
import type { WordsFor } from '#language';
import type { ChatPort } from '#ports/chat';
import type { InboxRow } from '#ports/steps';
import type { SystemClock } from '#ports/processes';
import type { ControlConfig } from './config.ts';
import type { OpenMember } from './process-context.ts';

type Door = typeof import('#slack');
export type LoadedSlack = { door: Door; settings: NonNullable<ControlConfig['slack']> };

export const loadSlack = async ({ slack: settings }: ControlConfig): Promise<LoadedSlack | null> =>
  settings && { door: await import('#slack'), settings };

const asPerson = (inbound: InboundUpdate, mainAccountOf: (user: string) => string): InboundUpdate =>
  'user' in inbound ? { ...inbound, user: mainAccountOf(inbound.user) } : inbound;

type Parts = Pick<OpenMember, 'ledger' | 'log'> & {
  clock: SystemClock;
  roles: ChatRoles;
  wordsFor: WordsFor;
  onStored: () => void;
  onTrouble: () => void;
};

export const joinSlack = ({ door, settings }: LoadedSlack, parts: Parts) => {
  const { isSlackChat: isElsewhere, isSlackPerson, isSlackRecord } = door;
  const mainAccountOf = (user: string): string => settings.samePeople.get(user) ?? user;
  const { roles } = parts;
  const connection = door.connectSlack({
    ...settings,
    ...parts,
    roles: { of: (user) => roles.of(mainAccountOf(user)) },
  });
  const { port, sentFile, botName } = connection;
  return {
    name: 'Slack',
    start: () => connection.start(),
    stop: () => connection.stop(),
    whoAmI: (signal: Parameters<typeof connection.whoAmI>[0]) => connection.whoAmI(signal),
    answer: (tap: Parameters<typeof connection.answer>[0]) => connection.answer(tap),
    admins: settings.admins,
    isElsewhere,
    isPerson: isSlackPerson,
    mainAccountOf,
    otherAccountsOf: (main: string): string[] =>
      [...settings.samePeople].flatMap(([user, of]) => (of === main ? [user] : [])),
    isOurs: (row: InboxRow): boolean => isSlackRecord(row.body),
    beside: (first: ChatPort | null): ChatPort => {
      const of = (chat: string): ChatPort => (first === null || isElsewhere(chat) ? port : first);
      return {
        send: (message) => of(message.chat).send(message),
        edit: (message) => of(message.chat).edit(message),
        pin: (message) => of(message.chat).pin(message),
        document: (message) => of(message.chat).document(message),
        album: (message) => of(message.chat).album(message),
      };
    },
    handling: (deciders: readonly string[]) =>
      ({
        // guard: G3-slack-same-person
        read: (body) => asPerson(door.readSlackRecord(body), mainAccountOf),
        isEarlier: door.isEarlierInSlack,
        botName,
        invitationText: (code) => `start ${code}`,
        sentFile,
        deciders: [...settings.admins, ...deciders],
      }) satisfies Partial<ChatTraits>,
  };
};
