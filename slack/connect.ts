/** Puts the adapter together: one connection in, one port out. */
import { z } from 'zod';
import type { ReadSentFile } from '#chat';
import { createSlackChat, type SlackChat } from './slack-chat.ts';
import { createSlackIntake } from './intake.ts';
import { createSlackApi, type SlackApi, SlackRefusal } from './web-api.ts';
import { OutsideFailure } from '#ports/forge';

const TIMEOUT_MS = 30_000;
const Info = z.object({
  ok: z.literal(true),
  file: z.object({ size: z.number(), url_private_download: z.url().optional() }),
});

const isSlackHost = (address: URL, root: URL): boolean =>
  address.origin === root.origin ||
  (address.protocol === 'https:' && /(?:^|\.)slack(?:-gov)?\.com$/.test(address.hostname));

export const createSlackFileReader =
  (parts: { api: SlackApi; token: string; root: string }): ReadSentFile =>
  async (id, most) => {
    const found = await infoOf(parts.api, id);
    const { size, url_private_download: url } = found ?? { size: Infinity };
    if (size > most || url === undefined) return null;
    // guard: G5-slack-token-host
    if (!isSlackHost(new URL(url), new URL(parts.root))) return null;
    const away = new OutsideFailure('chat_unavailable', 'Slack does not give the file now.');
    const answer = await fetch(url, {
      headers: { authorization: `Bearer ${parts.token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    }).catch(() => null);
    if (!answer || answer.status >= 500) throw away;
    if (!answer.ok || !answer.body) return null;
    const chunks: Uint8Array[] = [];
    let taken = 0;
    try {
      for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
        taken += chunk.length;
        if (taken > most) return null;
        chunks.push(chunk);
      }
    } catch {
      throw away;
    }
    return Buffer.concat(chunks);
  };

const infoOf = async (api: SlackApi, id: string): Promise<z.infer<typeof Info>['file'] | null> => {
  try {
    return (await api.call('files.info', { file: id }, Info)).file;
  } catch (error) {
    if (error instanceof SlackRefusal && error.class === 'chat_refused') return null;
    throw error;
  }
};

export type SlackTokens = { botToken: string; appToken: string; apiRoot: string };
type IntakeParts = Parameters<typeof createSlackIntake>[0];
type Parts = SlackTokens & Omit<IntakeParts, 'bot' | 'app' | 'chat'>;

export type SlackConnection = ReturnType<typeof createSlackIntake> & {
  port: SlackChat;
  sentFile: ReadSentFile;
};

export const connectSlack = ({ botToken, appToken, apiRoot: root, ...parts }: Parts): SlackConnection => {
  const { clock } = parts;
  const bot = createSlackApi({ token: botToken, root, clock });
  const app = createSlackApi({ token: appToken, root, clock });
  const port = createSlackChat(bot, parts.wordsFor);
  return {
    ...createSlackIntake({ ...parts, bot, app, chat: port }),
    port,
    sentFile: createSlackFileReader({ api: bot, token: botToken, root }),
  };
};
