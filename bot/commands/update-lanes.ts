/**
 * L8: the lane in which an update waits to be handled: its chat's. What changes something goes
 * before what only asks. Pure.
 */
import { onlyAsks, parseCommand } from './parse-command.ts';
import { readUpdate } from './read-update.ts';

export const laneOf = (update: unknown): { lane: string; urgent: boolean } => {
  const read = readUpdate(update);
  switch (read.kind) {
    case 'tap':
      return { lane: `chat:${read.chat}`, urgent: true };
    case 'message':
      // Whom a command is for does not matter here: for another bot it does nothing.
      return {
        lane: `chat:${read.chat}`,
        urgent: !onlyAsks(parseCommand(read.text, null)),
      };
    case 'place':
      return { lane: `chat:${read.chat}`, urgent: false };
    case 'moved':
      return { lane: `chat:${read.from}`, urgent: false };
    case 'stranger':
      // All of them share one: however many they are, they take one turn.
      return { lane: 'strangers', urgent: false };
    case 'inert':
      return { lane: read.chat === null ? 'inert' : `chat:${read.chat}`, urgent: false };
  }
};

/** Whether there is nothing to do and nobody to answer. */
export const meansNothing = (update: unknown): boolean => {
  const read = readUpdate(update);
  return read.kind === 'inert' && read.hint === null && read.callbackId === null;
};
