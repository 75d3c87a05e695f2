/** Puts the adapter together: one connection in, one port out. */
import type { ReadSentFile } from '../bot/received-files.ts';
import { createSlackFiles } from './received-files.ts';
import { createSlackChat, type SlackChat } from './slack-chat.ts';
import { createSlackIntake } from './intake.ts';
import { createSlackApi } from './web-api.ts';

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
    sentFile: createSlackFiles({ api: bot, token: botToken, root }),
  };
};
