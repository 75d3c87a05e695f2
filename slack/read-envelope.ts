/** Reduces what Slack delivers to the record that is stored of it. Pure. */
import { z } from 'zod';
import { isCommand, parseCommand } from '#chat';
import { findCommand, commandRow, type CommandName } from '#commands';
import { SentPicture } from '#model/order';
import { messageIdAfter, formatThreadChat } from './chat-ids.ts';

export type SlackIdentity = { team: string; user: string; name: string };

const Answer = z.object({ channel: z.string(), thread: z.string().nullable() });
const Who = z.object({
  user: z.string(),
  chat: z.string(),
  private: z.boolean(),
  name: z.string(),
  language: z.string().nullable(),
});
const SentFile = z.object({ id: z.string(), name: z.string(), size: z.number().nullable() });
export const SlackRecord = z.discriminatedUnion('slack', [
  Who.extend({
    slack: z.literal('message'),
    ts: z.string(),
    replyTo: z.string().nullable(),
    text: z.string(),
    file: SentFile.nullable(),
    picture: SentPicture.nullable(),
  }),
  Who.extend({ slack: z.literal('tap'), ts: z.string(), token: z.string(), answer: Answer }),
  z.object({
    slack: z.literal('stranger'),
    user: z.string(),
    chat: z.string().nullable(),
    answer: Answer.nullable(),
    code: z.string().nullable(),
    name: z.string(),
    language: z.string().nullable(),
  }),
  z.object({ slack: z.literal('hint'), hint: z.enum(['edited', 'textless']), chat: z.string() }),
]);
export type SlackRecord = z.infer<typeof SlackRecord>;
type ReadEnvelope = { key: string; user: string; record: SlackRecord };

const MAX_TEXT_LENGTH = 22_000;

const team = z.string().optional();
const Message = z.object({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  channel: z.string(),
  user: z.string().optional(),
  text: z.string().default(''),
  ts: z.string(),
  thread_ts: z.string().optional(),
  bot_id: z.unknown().optional(),
  app_id: z.unknown().optional(),
  edited: z.unknown().optional(),
  team,
  user_team: team,
  source_team: team,
  files: z
    .array(
      z.object({
        id: z.string(),
        name: z.string().nullish(),
        size: z.number().nullish(),
        mimetype: z.string().nullish(),
      }),
    )
    .optional()
    .catch(undefined),
});
type Message = z.infer<typeof Message>;
const EventCallback = z.object({
  type: z.literal('event_callback'),
  team_id: z.string(),
  event: z.unknown(),
});
const Tap = z.object({
  type: z.literal('block_actions'),
  team: z.object({ id: z.string() }),
  user: z.object({ id: z.string(), team_id: z.string().optional(), name: z.string().optional() }),
  container: z.object({
    type: z.literal('message'),
    message_ts: z.string(),
    channel_id: z.string(),
    thread_ts: z.string().optional(),
    is_ephemeral: z.boolean().optional(),
  }),
  message: z.object({ thread_ts: z.string().optional() }).optional().catch(undefined),
  actions: z.tuple([
    z.object({ type: z.literal('button'), value: z.string().optional(), action_ts: z.string() }),
  ]),
});
const SlashCommand = z.object({
  team_id: z.string(),
  channel_id: z.string(),
  user_id: z.string(),
  user_name: z.string().default(''),
  text: z.string().default(''),
  trigger_id: z.string(),
});

export type EnvelopeKind = 'events_api' | 'interactive' | 'slash_commands';

export const readEnvelope = (
  kind: EnvelopeKind,
  payload: unknown,
  us: SlackIdentity,
  newest: string,
): ReadEnvelope | null => {
  if (kind === 'interactive') return tapIn(payload, us);
  if (kind === 'slash_commands') return slashCommandIn(payload, us, newest);
  const callback = EventCallback.safeParse(payload).data;
  // guard: G4-slack-team
  if (callback?.team_id !== us.team) return null;
  const message = Message.safeParse(callback.event).data;
  return message ? messageIn(message, us) : null;
};

/** Slack, "message" events: other subtypes are edits, deletions and notices of the workspace. */
const WRITTEN = [undefined, 'file_share', 'thread_broadcast'];
const isDirect = (channel: string): boolean => channel.startsWith('D');

const messageIn = (message: Message, us: SlackIdentity): ReadEnvelope | null => {
  const { type, subtype, channel, user, ts, thread_ts: thread = null } = message;
  if (isDirect(channel) !== (type === 'message') || !WRITTEN.includes(subtype)) return null;
  // guard: G4-slack-bots
  if (user === undefined || message.bot_id !== undefined || message.app_id !== undefined || user === us.user)
    return null;
  // guard: G4-slack-author-team
  if ([message.team, message.user_team, message.source_team].some((id) => id !== undefined && id !== us.team))
    return null;
  const isPrivate = isDirect(channel);
  const chat = isPrivate ? user : formatThreadChat(channel, thread ?? ts);
  const key = `slack:${channel}:${ts}`;
  // guard: G4-slack-edited
  if (message.edited !== undefined)
    return { key: `${key}:edited`, user, record: { slack: 'hint', hint: 'edited', chat } };
  const words = plainWords(message.text, us).slice(0, MAX_TEXT_LENGTH);
  const replyTo = isPrivate ? thread : null;
  const command = replyTo === null || words.startsWith('/') ? commandIn(words, message) : null;
  const text = command ?? (isPrivate ? words : `@${us.name} ${words}`);
  if (words === '' && isPrivate) return { key, user, record: { slack: 'hint', hint: 'textless', chat } };
  return {
    key,
    user,
    record: {
      slack: 'message',
      user,
      chat,
      private: isPrivate,
      name: '',
      language: null,
      ts,
      replyTo,
      text: words === '' ? '/start' : text,
      ...filesIn(message, text),
    },
  };
};

const filesIn = ({ files = [] }: Message, text: string): Pick<Sent, 'file' | 'picture'> => {
  const [first] = files;
  const takes = /^\/batch(?:\s|$)/i.test(text);
  const file =
    first && takes
      ? { id: first.id, name: (first.name ?? '').slice(0, 200), size: first.size ?? null }
      : null;
  const isRead = !text.startsWith('/') || /^\/new(?:\s|$)/i.test(text);
  const shown = isRead ? files.find(({ mimetype }) => mimetype?.startsWith('image/')) : undefined;
  return { file, picture: shown ? { id: shown.id, size: shown.size ?? null } : null };
};
type Sent = Extract<SlackRecord, { slack: 'message' }>;

const tapIn = (payload: unknown, us: SlackIdentity): ReadEnvelope | null => {
  const tap = Tap.safeParse(payload).data;
  if (!tap || tap.container.is_ephemeral === true) return null;
  const { team: from, user, container, message, actions } = tap;
  // guard: G4-slack-tap-team
  if (from.id !== us.team || (user.team_id ?? us.team) !== us.team) return null;
  const [{ value, action_ts }] = actions;
  // Buttons that open an address are reported as well, and have no token.
  if (value === undefined) return null;
  const { channel_id: channel, message_ts: ts } = container;
  const below = container.thread_ts ?? message?.thread_ts ?? null;
  const thread = below === ts ? null : below;
  const isPrivate = isDirect(channel);
  const place = thread === null ? channel : formatThreadChat(channel, thread);
  return {
    key: `slack:tap:${channel}:${ts}:${user.id}:${action_ts}`,
    user: user.id,
    record: {
      slack: 'tap',
      user: user.id,
      chat: isPrivate ? user.id : place,
      private: isPrivate,
      name: user.name ?? '',
      language: null,
      ts,
      token: value,
      answer: { channel, thread },
    },
  };
};

const slashCommandIn = (payload: unknown, us: SlackIdentity, newest: string): ReadEnvelope | null => {
  const read = SlashCommand.safeParse(payload).data;
  // guard: G4-slack-command-team
  if (read?.team_id !== us.team) return null;
  const words = plainWords(read.text, us).slice(0, MAX_TEXT_LENGTH);
  const [word = ''] = words.split(/\s/);
  const text = words === '' ? '/start' : findCommand(word) ? `/${words}` : words;
  return {
    key: `slack:command:${read.trigger_id}`,
    user: read.user_id,
    record: {
      slack: 'message',
      user: read.user_id,
      chat: read.user_id,
      private: true,
      name: read.user_name,
      language: null,
      // Slack gives it no time, and our clock is not Slack's.
      // guard: G4-slack-command-time
      ts: messageIdAfter(newest),
      replyTo: null,
      text,
      file: null,
      picture: null,
    },
  };
};

/** Slack keeps messages that begin with a slash to itself, so a command is also read without one. */
const ONLY_RUN_ID = /^\S+\s+[a-hjkmnp-z2-9]{6}$/;
const RUN_ID = /^(?=\S*\d)[a-z0-9]{6}$|\//i;
/** `batch these please` is a wish in words: what follows a command must have the form that it takes. */
const hasOwnForm = (words: string, name: CommandName, { files }: Pick<Message, 'files'>): boolean => {
  const rest = words.replace(/^\S+\s*/, '');
  if (rest === '') return true;
  if (name === 'greet') return rest.startsWith('run-');
  if (name === 'campaign')
    return (
      RUN_ID.test(rest.split(/\s/)[0] ?? '') || ONLY_RUN_ID.test(words.replace(/\sundo$/i, '').trimEnd())
    );
  if (name === 'batch') return files !== undefined || /\S\/\S/.test(rest);
  // The arguments of the others are a closed list, or are refused.
  return name !== 'help' || !/\s/.test(rest);
};

const commandIn = (words: string, sent: Pick<Message, 'files'>): string | null => {
  if (words.startsWith('/')) return words;
  const [, word = '', first = ''] = /^([A-Za-z_]+)(?:\s+(\S+))?/.exec(words) ?? [];
  const parsed = parseCommand(`/${words}`, null);
  if (!isCommand(parsed)) return null;
  const isMeant = word.includes('_') || RUN_ID.test(first) || ONLY_RUN_ID.test(words);
  const isRead = commandRow(parsed.kind).on === 'run' ? isMeant : hasOwnForm(words, parsed.kind, sent);
  return isRead ? `/${words}` : null;
};

const plainWords = (text: string, us: SlackIdentity): string =>
  text
    .slice(0, 2 * MAX_TEXT_LENGTH)
    .replaceAll(`<@${us.user}>`, ' ')
    .replace(/<([^<>|]{1,3000})(?:\|([^<>]{0,3000}))?>/g, (_, to: string, label?: string) =>
      referenceText(to, label),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('\u00a0', ' ')
    .trim();

const referenceText = (to: string, label: string | undefined): string => {
  if (to.startsWith('@')) return to.slice(1);
  if (to.startsWith('#')) return `#${label ?? to.slice(1)}`;
  if (to.startsWith('!')) return label ?? to.slice(1);
  const isTyped = label !== undefined && (to === `http://${label}` || to === `mailto:${label}`);
  return isTyped ? label : to;
};
