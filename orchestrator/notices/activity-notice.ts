/** Brings what runs do now into their progress messages (E21). */
import { z } from 'zod';
import { isTerminal } from '#model/run';
import { MINUTE, SECOND } from '#model/values';
import { startRepeatingJob, type RepeatingJob } from '#limits';
import { progressSlot } from '../kernel/lifecycle/step-draft.ts';
import type { LogPort, SystemClock, TimerPort } from '#ports/processes';
import type { ChatReply, InboxRow, IncomingItem } from '#ports/steps';
import type { AttemptRow, Ledger } from '#ports/ledger';

/** Chats allow some twenty messages a minute, and edits count. */
const MESSAGE_EVERY_MS = 30 * SECOND;
/** What is over sooner is not worth an edit. */
const SHORTEST_MS = 20 * SECOND;
/** What was said longer ago is known by now. */
const NEWEST_MS = 2 * MINUTE;

const Body = z.object({ type: z.literal('activity'), runId: z.string() });

const shownOf = ({ id, activity }: AttemptRow): string => `${id} ${activity?.kind} ${activity?.text}`;

/** Makes a note for each run whose attempt does something else than when its message was made last. */
export const startActivityNotes = ({
  ledger,
  clock,
  timers,
  log,
  receive,
}: {
  ledger: { query: Pick<Ledger['query'], 'attemptsAtWork'> };
  clock: SystemClock;
  timers: TimerPort;
  log: Pick<LogPort, 'error'>;
  receive: (items: IncomingItem[]) => Promise<unknown>;
}): RepeatingJob => {
  let told = new Map<number, string>();
  const round = async (): Promise<void> => {
    const now = clock.now();
    const atWork = await ledger.query.attemptsAtWork();
    const news = atWork.filter(
      (one) =>
        one.activity !== null &&
        now - one.startedAt >= SHORTEST_MS &&
        now - one.activity.at < NEWEST_MS &&
        told.get(one.id) !== shownOf(one),
    );
    const notes = news.map(({ id, runId, activity }): IncomingItem => ({
      source: 'note',
      key: `activity:${id}:${activity?.at}`,
      body: { type: 'activity', runId } satisfies z.infer<typeof Body>,
    }));
    if (notes.length > 0) await receive(notes);
    told = new Map([
      ...[...told].filter(([id]) => atWork.some((one) => one.id === id)),
      ...news.map((one): [number, string] => [one.id, shownOf(one)]),
    ]);
  };
  return startRepeatingJob({
    timers,
    every: MESSAGE_EVERY_MS,
    round: () => round().catch((error: unknown) => log.error({ err: error }, 'no run was shown at work')),
  });
};

/** A run without a progress message, or of a campaign, has nothing to bring it into. */
export const notifyOfActivity = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { runId } = Body.parse(row.body);
  const run = await ledger.query.run(runId);
  const slot = progressSlot(runId);
  const { chat, campaign } = run?.order ?? { chat: null };
  const isShown =
    run !== null &&
    !isTerminal(run.lifecycle.state) &&
    campaign === undefined &&
    (await ledger.query.sent(slot)) !== null;
  const replies: ChatReply[] =
    isShown && chat !== null
      ? [{ chat, slot, show: { view: 'progress' }, urgent: false, sound: false, runId }]
      : [];
  await ledger.settleInbox(row.id, { kind: 'done', note: 'shown at work', replies }, clock.now());
};
