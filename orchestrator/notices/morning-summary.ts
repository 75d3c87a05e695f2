/** Sends the summary after quiet hours exactly once, with one sound in all. */
import { z } from 'zod';
import type { Run } from '../kernel/run/run.ts';
import { hasSingleCard, mayJoinCluster } from '#clusters';
import type { SystemClock } from '#ports/processes';
import type { InboxRow, IncomingItem, ChatReply } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

export const createDeciderTest =
  (chat: string) =>
  ({ order }: Pick<Run, 'order'>): boolean =>
    (order.decider ?? order.chat) === chat || order.chat === chat;

/** `at` is the end of the quiet hours (epoch ms); `ended` is the same by the clock of their place, once a day. */
export const morningSummaryInboxItem = (chat: string, at: number, ended: string): IncomingItem => ({
  source: 'note',
  key: `digest:${chat}:${ended}`,
  body: { type: 'digest', chat, at },
});

const Digest = z.object({ chat: z.string(), at: z.number() });
/** Maximum number of cards that follow at once; a button shows the rest. */
const MOST_CARDS = 5;

/** Group cards were already sent during the quiet hours. */
const comesAlone = async ({ query }: Ledger, run: Run): Promise<boolean> =>
  !mayJoinCluster(run) || (await hasSingleCard(query, run.id, run.gate.approval?.id ?? ''));

export const notifyOfMorningSummary = async (
  ledger: Ledger,
  row: InboxRow,
  clock: SystemClock,
): Promise<void> => {
  const { chat, at } = Digest.parse(row.body);
  const live = (await ledger.query.runs({ live: true, limit: 1_000 })).filter(createDeciderTest(chat));
  const waits = live.filter(
    ({ gate: { approval }, lifecycle: { state } }) => approval !== null || state === 'NEEDS_HUMAN_REVIEW',
  );
  const alone = await Promise.all(live.map((run) => comesAlone(ledger, run)));
  const cards = live
    .filter(({ gate: { approval } }, i) => approval !== null && alone[i])
    .sort((a, b) => (a.gate.approval?.expiresAt ?? 0) - (b.gate.approval?.expiresAt ?? 0));
  const base = { chat, urgent: true, runId: null };
  const replies: ChatReply[] = [
    { ...base, slot: `digest:${chat}:${at}`, show: { view: 'morning_summary', chat }, sound: true },
    ...cards.slice(0, MOST_CARDS).flatMap(({ id, gate: { approval } }): ChatReply[] =>
      approval
        ? [
            {
              ...base,
              runId: id,
              slot: `gate:${approval.id}:digest:${at}`,
              sound: false,
              show: { view: 'gate', approvalId: approval.id, armedBy: null, armedUntil: null },
            },
          ]
        : [],
    ),
  ];
  await ledger.settleInbox(
    row.id,
    { kind: 'done', note: 'a digest', replies: waits.length === 0 ? [] : replies },
    clock.now(),
  );
};
