/** Implements the Chat port on Slack's Web API. */
import { z } from 'zod';
import { MaybeSent, type ChatPort } from '#ports/chat';
import { OutsideFailure } from '#ports/forge';
import type { SentMessage } from '#ports/ledger';
import { wasNeverConnected } from '#network-faults';
import type { WordsFor } from '#language';
import {
  renderBlocks,
  escapeMrkdwn,
  isTooLong,
  toNotificationText,
  shortenBlocks,
  type SlackBlock,
} from './blocks.ts';
import { isEarlierSlackMessage, isSlackUserId, parseSlackChat } from './chat-ids.ts';
import { isSafeSlackUrl, SlackRefusal, SlackUncertain, type SlackApi } from './web-api.ts';

const FILE_TIMEOUT_MS = 120_000;

const Posted = z.object({ ok: z.literal(true), ts: z.string() });
const Opened = z.object({ ok: z.literal(true), channel: z.object({ id: z.string() }) });
const Upload = z.object({ ok: z.literal(true), upload_url: z.url(), file_id: z.string() });
const Done = z.object({ ok: z.literal(true) });

const GONE = ['message_not_found', 'cant_update_message', 'edit_window_closed'];

type Content = Pick<Parameters<ChatPort['send']>[0], 'chat' | 'html' | 'buttons'>;
type SentFile = { name: string; content: Uint8Array };
export type SlackChat = ChatPort & {
  /** Id of the newest message that is known to be sent since this process began. */
  newest(): string;
  whisper(to: { channel: string; thread: string | null; user: string; text: string }): Promise<void>;
};

export const createSlackChat = (api: SlackApi, wordsFor: WordsFor): SlackChat => {
  const contentOf = async ({
    chat,
    html,
    buttons,
  }: Content): Promise<{ text: string; blocks: SlackBlock[] }> => {
    const blocks = renderBlocks(html, buttons);
    // guard: G8-slack-cut-is-said
    const shown = isTooLong(blocks) ? shortenBlocks(blocks, (await wordsFor(chat)).slackCut) : blocks;
    return { text: toNotificationText(html), blocks: shown };
  };

  const directs = new Map<string, string>();
  let newest = '0.000000';

  const channelOf = async (at: string): Promise<string> => {
    if (!isSlackUserId(at)) return at;
    const known = directs.get(at);
    if (known !== undefined) return known;
    const { channel } = await api.call('conversations.open', { users: at }, Opened);
    directs.set(at, channel.id);
    return channel.id;
  };

  const findTarget = async (chat: string): Promise<{ channel: string; thread_ts: string | null }> => {
    const { at, thread } = parseSlackChat(chat);
    return { channel: await channelOf(at), thread_ts: thread };
  };

  const uploadFile = async ({ name, content }: SentFile): Promise<string> => {
    const { upload_url, file_id } = await api.call(
      'files.getUploadURLExternal',
      { filename: name, length: content.byteLength },
      Upload,
    );
    const createUploadFailure = (status: string): OutsideFailure =>
      new OutsideFailure('chat_unavailable', `Slack did not take the file (${status}).`);
    // guard: G5-slack-upload
    if (!isSafeSlackUrl(upload_url, api.root)) throw createUploadFailure('address');
    let response: Response;
    try {
      response = await fetch(upload_url, {
        method: 'POST',
        body: new Blob([content]),
        redirect: 'error',
        signal: AbortSignal.timeout(FILE_TIMEOUT_MS),
      });
      await response.body?.cancel();
    } catch {
      // The address is a secret for as long as it can be used, so the error is not passed on.
      throw createUploadFailure('connection');
    }
    if (!response.ok) throw createUploadFailure(String(response.status));
    return file_id;
  };

  /** Returns the id of the first file; Slack tells that of the message later, if at all. */
  const shareFiles = async (
    chat: string,
    files: readonly SentFile[],
    caption: string,
  ): Promise<SentMessage> => {
    const { channel, thread_ts } = await findTarget(chat);
    const ids: { id: string; title: string }[] = [];
    for (const file of files) ids.push({ id: await uploadFile(file), title: file.name });
    const fields = {
      files: ids,
      channel_id: channel,
      thread_ts,
      initial_comment: toNotificationText(caption),
    };
    await classifyErrors(() => api.call('files.completeUploadExternal', fields, Done));
    return { chat, messageId: ids[0]?.id ?? '' };
  };

  return {
    newest: () => newest,
    async send({ chat, html, buttons }) {
      const fields = {
        ...(await findTarget(chat)),
        ...(await contentOf({ chat, html, buttons })),
        unfurl_links: false,
        unfurl_media: false,
      };
      const { ts } = await classifyErrors(() => api.call('chat.postMessage', fields, Posted));
      if (isEarlierSlackMessage(newest, ts)) newest = ts;
      return { chat, messageId: ts };
    },
    async edit({ chat, messageId, html, buttons }) {
      const { channel } = await findTarget(chat);
      try {
        await api.call(
          'chat.update',
          { channel, ts: messageId, ...(await contentOf({ chat, html, buttons })) },
          Done,
        );
      } catch (error) {
        if (error instanceof SlackRefusal && GONE.includes(error.code)) return null;
        throw error;
      }
      return { chat, messageId };
    },
    /** Pinning in Slack posts a message of its own, so nothing is pinned. */
    pin: async () => false,
    document: ({ chat, name, content, caption }) =>
      shareFiles(
        chat,
        [{ name, content: typeof content === 'string' ? Buffer.from(content, 'utf8') : content }],
        caption,
      ),
    album: ({ chat, pictures }) =>
      shareFiles(chat, pictures, pictures.map(({ caption }) => caption).join(' · ')),
    async whisper({ channel, thread, user, text }) {
      const fields = { channel, user, thread_ts: thread, text: escapeMrkdwn(text) };
      await api.call('chat.postEphemeral', fields, Done);
    },
  };
};

const classifyErrors = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof SlackUncertain && !wasNeverConnected(error))
      throw new MaybeSent(error.class, error.message, { detail: error.detail });
    throw error;
  }
};
