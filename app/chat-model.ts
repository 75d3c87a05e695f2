/** Creates the configured chat model (C7). */
import { createChatModel, type ChatModel } from '../bot/model/chat-model.ts';
import { createModelClient } from '../bot/model/ask-chat-model.ts';
import type { LogPort } from '#ports/processes';
import type { ControlConfig } from './config.ts';

type Parts = Pick<
  Parameters<typeof createChatModel>[0],
  'ledger' | 'clock' | 'wordsFor' | 'hide' | 'receive' | 'closing'
> & {
  config: Pick<ControlConfig, 'chatModel'>;
  log: LogPort;
};

export const chatModelOf = ({ config: { chatModel }, ...parts }: Parts): ChatModel | null => {
  if (chatModel === null) return null;
  const { perDay, patience, ...way } = chatModel;
  const talk = createModelClient(way, (error) =>
    parts.log.warn({ err: error }, 'the model of the chat did not answer'),
  );
  return createChatModel({ ...parts, name: way.model, talk, perDay, patience });
};
