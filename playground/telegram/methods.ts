/** The Bot API's methods by lower-case name, since Telegram ignores case. */
import type { Fields } from '../body.ts';
import type { Chats } from './chats.ts';
import { createMessageMethods } from './messages.ts';
import { params, read } from './params.ts';
import { badRequest } from './refusal.ts';
import type { Updates } from './updates.ts';

export type Command = { command: string; description: string };
export type World = {
  chats: Chats;
  updates: Updates;
  /** Keys come from `commandsKey`. */
  commands: Map<string, Command[]>;
  callbackExpiryMs: number;
};
/** Returns the value of `result`. Throws ApiRefusal. */
export type Method = (fields: Fields, gone: AbortSignal) => unknown;

export const commandsKey = (scope: object | undefined, language: string | undefined): string =>
  JSON.stringify([scope ?? { type: 'default' }, language ?? '']);

export function createMethods({ chats, updates, commands, callbackExpiryMs }: World): Map<string, Method> {
  const { room, ...messageMethods } = createMessageMethods(chats);
  const keyOf = (given: Record<string, unknown>): string => {
    const { scope, language_code } = read(params.commandScope, given);
    return commandsKey(scope, language_code);
  };

  const methods: Record<string, Method> = {
    ...messageMethods,
    getme: () => ({
      ...chats.bot,
      can_join_groups: true,
      can_read_all_group_messages: true,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
      has_topics_enabled: false,
    }),
    getupdates: ({ params: given }, gone) => updates.poll(read(params.getUpdates, given), gone),
    setwebhook({ params: given }) {
      updates.setWebhook(read(params.setWebhook, given));
      return true;
    },
    deletewebhook({ params: given }) {
      if (read(params.deleteWebhook, given).drop_pending_updates) updates.dropPending();
      updates.dropWebhook();
      return true;
    },
    getwebhookinfo: () => updates.webhookInfo(),
    answercallbackquery({ params: given }) {
      const wish = read(params.answerCallbackQuery, given);
      const query = chats.queries.get(wish.callback_query_id);
      const late = !query || query.expired || chats.now() - query.at > callbackExpiryMs;
      if (late || query.answer) {
        throw badRequest('query is too old and response timeout expired or query ID is invalid');
      }
      if ((wish.text ?? '').length > 200) throw badRequest('MESSAGE_TOO_LONG');
      query.answer = { text: wish.text ?? '', alert: wish.show_alert ?? false };
      return true;
    },
    setmycommands({ params: given }) {
      const wish = read(params.setMyCommands, given);
      for (const { command, description } of wish.commands) {
        if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
        if (!/^[^]{1,256}$/.test(description)) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
      }
      if (wish.commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH');
      commands.set(keyOf(given), wish.commands);
      return true;
    },
    getmycommands: ({ params: given }) => commands.get(keyOf(given)) ?? [],
    deletemycommands({ params: given }) {
      commands.delete(keyOf(given));
      return true;
    },
    getfile({ params: given }) {
      const { file_id } = read(params.getFile, given);
      const file = chats.files.get(file_id);
      if (!file) throw badRequest('invalid file_id');
      const names = { file_id, file_unique_id: `unique-${file_id}`, file_path: `documents/${file_id}` };
      return { ...names, file_size: file.content.length };
    },
    getchat: ({ params: given }) => ({
      ...room(read(params.getChat, given).chat_id).chat,
      accent_color_id: 0,
      max_reaction_count: 11,
    }),
  };
  return new Map(Object.entries(methods));
}
