/** The chats that this host can have. A further one is its folder, and a line in `listConfiguredChats`. */
import type { ConfiguredChat } from '#chat';
import type { SlackTokens } from '#slack';
import type { TelegramSettings } from '../bot/telegram-adapter.ts';

export type ChatSettings = {
  telegram: (TelegramSettings & Pick<ConfiguredChat, 'admins'>) | null;
  slack: (SlackTokens & Pick<ConfiguredChat, 'admins' | 'samePeople'>) | null;
};

const NO_PEOPLE: ReadonlyMap<string, string> = new Map();

/** Nothing is loaded of a chat that is not configured. */
export const listConfiguredChats = ({ telegram, slack }: ChatSettings): ConfiguredChat[] => [
  ...chatOf(telegram, async (way) => (await import('../bot/telegram-adapter.ts')).createTelegramAdapter(way)),
  ...chatOf(slack, async (way) => (await import('#slack')).createSlackAdapter(way)),
];

const chatOf = <Way extends { admins: readonly string[]; samePeople?: ReadonlyMap<string, string> }>(
  way: Way | null,
  load: (way: Way) => ReturnType<ConfiguredChat['load']>,
): ConfiguredChat[] =>
  way === null
    ? []
    : [
        {
          admins: way.admins,
          adminChats: way.admins,
          samePeople: way.samePeople ?? NO_PEOPLE,
          load: () => load(way),
        },
      ];

type Accounts = Omit<ConfiguredChat, 'load'>;
/** Who may do everything: one id for a person, whichever chat they use. */
export const listAdminIds = (chats: readonly Accounts[]): string[] => [
  ...new Set(chats.flatMap(({ admins, samePeople }) => admins.map((id) => samePeople.get(id) ?? id))),
];
export const listAdminChats = (chats: readonly Accounts[]): string[] =>
  chats.flatMap(({ adminChats }) => [...adminChats]);
