/** C7: the model of the chat, as it is configured. */
import { createChatModel, type ChatModel } from '../bot/model/model.ts';
import { createTalk } from '../bot/model/talk.ts';
import type { Log } from '../orchestrator/ports.ts';
import type { Config } from './config.ts';

type Parts = Pick<
  Parameters<typeof createChatModel>[0],
  'ledger' | 'clock' | 'wordsFor' | 'hide' | 'receive' | 'closing'
> & {
  config: Pick<Config, 'chatModel'>;
  log: Log;
};

export const chatModelOf = ({ config: { chatModel }, ...parts }: Parts): ChatModel | null => {
  if (chatModel === null) return null;
  const { perDay, patience, ...way } = chatModel;
  const talk = createTalk(way, (error) =>
    parts.log.warn({ err: error }, 'the model of the chat did not answer'),
  );
  return createChatModel({ ...parts, name: way.model, talk, perDay, patience });
};
