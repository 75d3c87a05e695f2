/** Queues updates by chat; commands that change something go before read-only ones (L8). Pure. */
import { isReadOnlyRequest, parseCommand } from './parse-command.ts';
import { readTelegramUpdate } from './read-telegram-update.ts';

export const toUpdateLane = (update: unknown): { lane: string; urgent: boolean } => {
  const read = readTelegramUpdate(update);
  switch (read.kind) {
    case 'tap':
      return { lane: `chat:${read.chat}`, urgent: true };
    case 'message':
      // A transcriber takes its time; what is typed meanwhile does not wait for it.
      if (read.recording) return { lane: `voice:${read.chat}`, urgent: false };
      // Commands for other bots do nothing, so their addressee is not checked here.
      return {
        lane: `chat:${read.chat}`,
        urgent: !isReadOnlyRequest(parseCommand(read.text, null)),
      };
    case 'place':
      return { lane: `chat:${read.chat}`, urgent: false };
    case 'moved':
      return { lane: `chat:${read.from}`, urgent: false };
    case 'stranger':
      // All strangers share one lane, so that together they get one turn.
      return { lane: 'strangers', urgent: false };
    case 'inert':
      return { lane: read.chat === null ? 'inert' : `chat:${read.chat}`, urgent: false };
  }
};

export const isIgnorableUpdate = (update: unknown): boolean => {
  const read = readTelegramUpdate(update);
  return read.kind === 'inert' && read.hint === null && read.callbackId === null;
};
