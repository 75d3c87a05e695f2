/** Folds the loop's events into a reading. */
import { addUsage, type ModelUsage } from '#model/reports';
import type { EngineFailure } from '../shared/engine-failure.ts';
import { sessionNamed, type RoundReading } from '../shared/round-reading.ts';

export type LoopEvent =
  | { type: 'session'; id: string }
  | { type: 'model'; name: string }
  /** With the end of a call, as the log has it. */
  | { type: 'alive'; tool?: string; ok?: boolean; text?: string }
  | { type: 'says'; text: string; works: boolean; call?: string }
  | { type: 'used'; usage: ModelUsage }
  | { type: 'denied'; tool: string }
  | { type: 'done'; report: string }
  | { type: 'failed'; failure: EngineFailure };

/** Only our own process sends events, so they are not validated. */
export const applyLoopEvent = (before: RoundReading, heard: unknown): RoundReading => {
  const event = heard as LoopEvent;
  const reading: RoundReading = { ...before, says: null };
  switch (event.type) {
    case 'session':
      return { ...reading, session: sessionNamed(before, event.id) };
    case 'model':
      return { ...reading, model: event.name };
    case 'alive':
      return { ...reading, works: false };
    case 'says':
      return {
        ...reading,
        says: event.text,
        works: event.works,
        calls: event.call === undefined ? [] : [event.call],
      };
    case 'used': {
      const { session, base } = before;
      const spent = session === null ? null : { ...session, usage: addUsage(base, event.usage) };
      return { ...reading, usage: event.usage, session: spent };
    }
    case 'denied':
      return { ...reading, denied: [...new Set([...before.denied, event.tool])] };
    case 'done':
      return { ...reading, works: false, ended: 'completed', report: event.report };
    case 'failed':
      return { ...reading, works: false, ended: 'failed', failure: event.failure };
  }
};
