/** F8, S6: reports long waits for the code host once, however many runs wait. */
import { z } from 'zod';
import { traitsOf } from '../run/effect-traits.ts';
import { isTerminal } from '../../model/run-states.ts';
import type {
  ClaimedEffect,
  SystemClock,
  EffectFinish,
  InboxRow,
  IncomingItem,
  Ledger,
  ChatReply,
} from '../ports/index.ts';

const MIN_REPORTED_WAIT_MS = 300_000;

const Wait = z.object({ runId: z.string(), since: z.number(), until: z.number() });

/** Kept in memory: counting starts again after a restart. */
export const createWaits = (clock: SystemClock) => {
  const since = new Map<string, number>();
  return {
    /** The note's key makes it unique. */
    note(
      { id, runId, do: { kind } }: ClaimedEffect,
      outcome: EffectFinish | { kind: 'result' },
    ): IncomingItem | null {
      // A scheduled poll is no wait.
      const isWait = outcome.kind === 'later' && outcome.counts !== 'anew' && traitsOf(kind).waitsAloud;
      if (outcome.kind !== 'later' || !isWait) {
        since.delete(id);
        return null;
      }
      const began = Math.min(since.get(id) ?? Infinity, clock.now());
      since.set(id, began);
      if (runId === null || outcome.at - began < MIN_REPORTED_WAIT_MS) return null;
      const body: z.infer<typeof Wait> = { runId, since: began, until: outcome.at };
      return { source: 'cli', key: `waits:${id}`, body: { type: 'waits', ...body } };
    },
  };
};

export const notifyOfLongWait = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { runId, since, until } = Wait.parse(row.body);
  const run = await ledger.query.run(runId);
  const chat = run && !isTerminal(run.lifecycle.state) ? run.order.chat : null;
  const place = `waits:${chat}:`;
  const last = (await ledger.query.slots(place)).at(-1);
  const told = last === undefined ? null : await ledger.query.told(last);
  const before =
    told?.do.kind === 'chat_message' && told.do.content.view === 'provider_wait' ? told.do.content : null;
  // Overlapping waits have the same cause.
  const same = before !== null && since <= before.until ? before : null;
  const slot = same !== null && last !== undefined ? last : `${place}${since}`;
  const about = same === null ? runId : (told?.runId ?? runId);
  const others = [...new Set([...(same?.others ?? []), runId])].filter((one) => one !== about);
  const show: ChatReply['show'] = {
    view: 'provider_wait',
    for: 'host',
    class: 'rate_limited',
    since: Math.min(since, same?.since ?? since),
    until: Math.max(until, same?.until ?? until),
    ...(others.length === 0 ? {} : { others }),
  };
  // guard: F8-one-wait-one-sound
  const sound = same === null;
  const replies: ChatReply[] = chat === null ? [] : [{ chat, slot, show, urgent: true, sound, runId: about }];
  await ledger.settleInbox(row.id, { kind: 'done', note: 'told of a long wait', replies }, clock.now());
};
