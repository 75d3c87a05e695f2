/** Inbox notes that send a campaign's approval cards, alike ones as a group, each exactly once. */
import { z } from 'zod';
import { ClusterView } from '#model/chat';
import { canonicalJson } from '#model/seal';
import { gateSlot } from '../kernel/lifecycle/step-draft.ts';
import type { Run } from '../kernel/run/run.ts';
import type { SystemClock } from '#ports/processes';
import type { EffectRow, Ledger, LedgerQueries } from '#ports/ledger';
import type { InboxRow, IncomingItem, ChatReply } from '#ports/steps';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';

const Cluster = z.object({
  type: z.literal('cluster'),
  chat: z.string(),
  slot: z.string(),
  /** Void if the slot changed since. */
  after: z.number().nullable(),
  fresh: z.boolean(),
  show: ClusterView,
});
type Cluster = Omit<z.infer<typeof Cluster>, 'type'>;

export const clusterInboxItem = (cluster: Cluster): IncomingItem => ({
  source: 'note',
  key: `cluster:${cluster.slot}:${cluster.after ?? 0}:${sha256Hex(canonicalJson(cluster.show)).slice(0, 16)}`,
  body: { type: 'cluster', ...cluster },
});

export const notifyOfCluster = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { chat, slot, after, fresh, show } = Cluster.parse(row.body);
  const newest = await ledger.query.told(slot);
  const reply: ChatReply = {
    chat,
    slot,
    show,
    urgent: true,
    sound: fresh,
    runId: null,
    ...(fresh ? { fresh } : {}),
  };
  const replies = (newest?.n ?? null) === after ? [reply] : [];
  await ledger.settleInbox(row.id, { kind: 'done', note: 'a cluster', replies }, clock.now());
};

const Alone = z.object({
  type: z.literal('alone'),
  runId: z.string(),
  approvalId: z.string(),
  chat: z.string(),
  sound: z.boolean().default(true),
});
type Alone = Omit<z.infer<typeof Alone>, 'type'>;

export const singleCardInboxItem = (card: Alone): IncomingItem => ({
  source: 'note',
  key: `alone:${card.approvalId}`,
  body: { type: 'alone', ...card },
});

export const singleCardReply = ({ runId, approvalId, chat, sound }: Alone): ChatReply => ({
  chat,
  slot: gateSlot(approvalId),
  urgent: true,
  sound,
  runId,
  fresh: true,
  show: { view: 'gate', approvalId, armedBy: null, armedUntil: null },
});

export const notifyOfSingleCard = async (
  ledger: Ledger,
  row: InboxRow,
  clock: SystemClock,
): Promise<void> => {
  const card = Alone.parse(row.body);
  const run = await ledger.query.run(card.runId);
  const replies = run?.gate.approval?.id === card.approvalId ? [singleCardReply(card)] : [];
  await ledger.settleInbox(row.id, { kind: 'done', note: 'a card by itself', replies }, clock.now());
};

export const mayJoinCluster = ({ order, gate: { approval }, upstream: { pullRequest: pr } }: Run): boolean =>
  order.campaign !== undefined && approval !== null && approval.kind !== 'reply' && pr === null;

const asksAlone =
  (approvalId: string) =>
  ({ do: what, slot }: EffectRow): boolean =>
    what.kind === 'chat_message' && what.newMessage === true && slot === gateSlot(approvalId);

/** True once the run has a card of its own; the group card shows outcomes until then. */
export const hasSingleCard = async (
  query: Pick<LedgerQueries, 'effects'>,
  runId: string,
  approvalId: string,
): Promise<boolean> => (await query.effects({ runId, kind: 'chat_message' })).some(asksAlone(approvalId));
