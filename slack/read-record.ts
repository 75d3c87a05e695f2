/** Converts a stored record of Slack to a message or a tap. Pure. */
import { type InboundUpdate, isReadOnlyRequest, parseCommand } from '#chat';
import { isSlackUserId } from './chat-ids.ts';
import { SlackRecord } from './read-envelope.ts';

export const isSlackRecord = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'slack' in body;

type Answer = { channel: string; thread: string | null };
const callbackOf = ({ channel, thread }: Answer, user: string): string =>
  [channel, thread ?? '', user].join(' ');
export const readCallback = (callbackId: string): Answer & { user: string } => {
  const [channel = '', thread = '', user = ''] = callbackId.split(' ');
  return { channel, thread: thread === '' ? null : thread, user };
};

const nothing: InboundUpdate = { kind: 'inert', hint: null, chat: null, callbackId: null };

export const readSlackRecord = (body: unknown): InboundUpdate => {
  const read = SlackRecord.safeParse(body);
  if (!read.success) return nothing;
  const one = read.data;
  switch (one.slack) {
    case 'message': {
      const { user, chat, private: isPrivate, name, language, ts, replyTo, text, file, picture } = one;
      return {
        kind: 'message',
        user,
        chat,
        private: isPrivate,
        name,
        language,
        messageId: ts,
        replyTo,
        text,
        ...(file ? { file } : {}),
        ...(picture ? { picture } : {}),
      };
    }
    case 'tap': {
      const { user, chat, private: isPrivate, name, language, ts, token, answer } = one;
      const callbackId = callbackOf(answer, user);
      return {
        kind: 'tap',
        user,
        chat,
        private: isPrivate,
        name,
        language,
        callbackId,
        messageId: ts,
        data: token,
      };
    }
    case 'stranger': {
      const { user, chat, answer, code, name, language } = one;
      const callbackId = answer && callbackOf(answer, user);
      return { kind: 'stranger', user, chat, callbackId, code, name, language };
    }
    case 'hint':
      return { kind: 'inert', hint: one.hint, chat: one.chat, callbackId: null };
  }
};

export const slackLane = (record: SlackRecord): { lane: string; urgent: boolean } => {
  switch (record.slack) {
    case 'tap':
      return { lane: `chat:${record.chat}`, urgent: true };
    case 'message':
      return { lane: `chat:${record.chat}`, urgent: !isReadOnlyRequest(parseCommand(record.text, null)) };
    case 'stranger':
      return { lane: 'strangers', urgent: false };
    case 'hint':
      return { lane: `chat:${record.chat}`, urgent: false };
  }
};

const INVITED = /^\/?start +([A-Za-z0-9]{8})$/i;

export const toSlackStranger = (record: SlackRecord): SlackRecord | null => {
  const none = { code: null, name: '', language: null };
  if (record.slack === 'tap')
    return { slack: 'stranger', user: record.user, chat: null, answer: record.answer, ...none };
  // guard: L8-slack-strange-channel
  if (record.slack !== 'message' || !record.private || !isSlackUserId(record.user)) return null;
  const [, code = null] = INVITED.exec(record.text) ?? [];
  const invited = code === null ? none : { code, name: record.name.slice(0, 60), language: record.language };
  return { slack: 'stranger', user: record.user, chat: record.chat, answer: null, ...invited };
};
