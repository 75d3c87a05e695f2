/** Answers permission requests in sequence; nothing is allowed after a person was asked (E10). */
import { z } from 'zod';
import type { PermissionAnswer, PermissionRequest } from '#ports/processes';
import { engineFailure, createDetailedFailure } from './engine-failure.ts';
import type { RoundReading } from './round-reading.ts';
import type { ProgramConversation } from './program-conversation.ts';

/** An agent with more requests is in a loop. */
const MAX_PERMISSION_REQUESTS = 60;
export const CANCEL_MS = 5_000;

export type AskAnswer = Exclude<PermissionAnswer, { kind: 'wait' }> | { kind: 'over' };
const OVER: AskAnswer = { kind: 'over' };

/** Nobody could be shown what it asks for, so it is denied with this reason. */
export type UnshownRequest = { unshown: string };
type Read = () => PermissionRequest | UnshownRequest | null;

export const createPermissionAsker = ({ tell, ask }: Pick<ProgramConversation, 'tell' | 'ask'>) => {
  let count = 0;
  let state: 'open' | 'asked' | 'stuck' = 'open';
  let turn: Promise<unknown> = Promise.resolve();
  const stopped = new AbortController();

  const stopAsking = (why: 'asked' | 'stuck', event: object): AskAnswer => {
    state = why;
    tell(event);
    stopped.abort();
    return OVER;
  };
  const answerOne = async (read: Read): Promise<AskAnswer> => {
    count += 1;
    // guard: E10-waits-for-a-person
    if (state !== 'open') return OVER;
    if (count > MAX_PERMISSION_REQUESTS)
      return stopAsking('stuck', {
        type: 'stuck',
        message: `It asked for permission more than ${MAX_PERMISSION_REQUESTS} times.`,
      });
    const request = read();
    if (request === null) return OVER;
    if ('unshown' in request) {
      tell({ type: 'denied', tool: 'other' });
      return { kind: 'deny', reason: request.unshown };
    }
    const answer = await ask(request);
    if (answer.kind === 'wait') return stopAsking('asked', PERSON_ASKED_EVENT);
    if (answer.kind === 'deny') tell({ type: 'denied', tool: request.tool });
    return answer;
  };
  return {
    stopped: stopped.signal,
    waits: (): boolean => state === 'asked',
    flooded: (): void => {
      if (state === 'open') stopAsking('stuck', { type: 'stuck', message: 'It sent requests without end.' });
    },
    answer: (read: Read): Promise<AskAnswer> => {
      const next = turn.then(() => answerOne(read));
      turn = next.catch(() => {});
      return next;
    },
  };
};

export const PERSON_ASKED_EVENT = { type: 'asked' };
const AWAITING_PERSON_MESSAGE = 'The agent asked for a permission, and a person was to decide.';

const Told = z.discriminatedUnion('type', [
  z.object({ type: z.literal('denied'), tool: z.string() }),
  z.object({ type: z.literal('asked') }),
  z.object({ type: z.literal('stuck'), message: z.string() }),
]);

export const applyPermissionEvent = (reading: RoundReading, heard: unknown): RoundReading | null => {
  const event = Told.safeParse(heard).data;
  switch (event?.type) {
    case 'denied':
      return { ...reading, denied: [...new Set([...reading.denied, event.tool])] };
    case 'asked':
      return {
        ...reading,
        ended: 'failed',
        failure: createDetailedFailure('permission_denied', AWAITING_PERSON_MESSAGE, {
          kind: 'permission_undecided',
        }),
      };
    case 'stuck':
      return {
        ...reading,
        ended: 'failed',
        stuck: true,
        failure: engineFailure('permission_denied', event.message),
      };
    case undefined:
      return null;
  }
};
