/** Queries of the memory ledger; hashes and MACs are computed on demand. */
import { totalsOf } from './spending.ts';
import type { KeyObject } from 'node:crypto';
import { GENESIS_HASH, findBrokenLink, linkHash } from '../../../db/integrity/hash-chain.ts';
import { macOfState } from '../../../db/integrity/table-macs.ts';
import { MESSAGE_RANK } from '../../../db/sql/chat-pace.ts';
import { createRowMac } from '../../../db/integrity/row-mac.ts';
import { recordsHash, toStoredRun } from '../../../db/integrity/stored-run.ts';
import { artifactDigest } from '../../../db/ledger/attempt-store.ts';
import { stateRow } from '../../../db/ledger/write-step.ts';
import type {
  RunQueue,
  ApprovalRow,
  EffectRow,
  EventRow,
  ChainHead,
  RepositoryIdentity,
  SentMessage,
  QueueDepth,
  RunFilter,
  LedgerQueries,
  RefoldedStep,
} from '#ports/ledger';
import { isHoldingSlot, type Run } from '#run';
import { canonicalJson } from '#model/seal';
import { isTerminal } from '#model/run';
import { deadInbox } from './causes.ts';
import type { ApprovalRecord, EffectRecord, EventNode, MemoryStore, RunRecord } from './store.ts';

const isOf =
  ({ id, fullName }: RepositoryIdentity) =>
  ({ run }: Pick<RunRecord, 'run'>): boolean =>
    run.target.base ? run.target.base.repoId === id : run.order.repo.toLowerCase() === fullName.toLowerCase();

const fitsFilter = (run: Run, filter: RunFilter): boolean => {
  const { repo, engine, requester, campaign = '' } = run.order;
  const is: Readonly<Record<keyof RunFilter, (text: string) => boolean>> = {
    repo: (text) => repo.toLowerCase().includes(text),
    owner: (text) => repo.toLowerCase().startsWith(`${text}/`),
    state: (text) => run.lifecycle.state.toLowerCase().includes(text),
    engine: (text) => engine.startsWith(text),
    person: (text) => requester.name.toLowerCase().includes(text),
    campaign: (text) => campaign === text,
    text: (text) =>
      JSON.stringify(run.order).toLowerCase().includes(JSON.stringify(text).slice(1, -1)) ||
      repo.toLowerCase().includes(text) ||
      run.id.toLowerCase().startsWith(text),
  };
  return Object.entries(filter).every(
    ([part, text]) => text === '' || is[part as keyof RunFilter](text.toLowerCase()),
  );
};

const rowsUnlike = (
  store: MemoryStore,
  id: string,
  steps: readonly RefoldedStep[],
): Awaited<ReturnType<LedgerQueries['audit']['unlike']>> => {
  const [stored, told] = [store.runs.get(id)?.run, steps.at(-1)?.run];
  const same = stored && told && canonicalJson(stored) === canonicalJson(told);
  const fault = { table: 'run_records', row: id, runId: id, says: 'is not what the log makes: body_json' };
  const rows = effects(store, { runId: id, kind: ['push', 'open_pr'] });
  return { faults: same ? [] : [fault], outside: rows };
};

const LEAF_EVENTS = ['worker.pr.opened', 'worker.push.completed'];

export const createMemoryQueries = (store: MemoryStore, key: KeyObject): LedgerQueries => ({
  run: async (id) => store.runs.get(id)?.run ?? null,
  runs: async ({ live, limit, repo }) =>
    newest(store, live)
      .filter((r) => repo === undefined || isOf(repo)(r))
      .slice(0, limit)
      .map((r) => r.run),
  runPage: async ({ live, limit, filter, after }) =>
    newest(store, live)
      .map((r) => r.run)
      .filter((run) => isTerminal(run.lifecycle.state) !== live && fitsFilter(run, filter))
      .filter(
        ({ id, lifecycle: { updatedAt: at } }) =>
          after === null || at < after.at || (at === after.at && id < after.id),
      )
      .slice(0, limit),
  newestEvent: async () =>
    Math.max(0, ...[...store.runs.values()].flatMap((r) => eventsOf(r).map(({ id }) => id))),
  publishedLeaves: async ({ after, upto }) =>
    [...store.runs.values()]
      .flatMap((r) => eventsOf(r))
      .filter(({ id, type }) => id > after && id <= upto && LEAF_EVENTS.includes(type))
      .sort((a, b) => a.id - b.id)
      .flatMap(({ body }) => (JSON.parse(body) as { input: { leaf?: string } }).input.leaf ?? []),
  alive: async (repo) => newest(store, true).some(isOf(repo)),
  queue: async (window) => queue(store, window),
  counts: async () => tally([...store.runs.values()].map((r) => r.run.lifecycle.state)),
  incoming: async (id) => {
    const row = store.inbox.get(id);
    return row ? { source: row.source, key: row.key, state: row.state, note: row.note } : null;
  },
  arrived: async ({ source, prefix, since }) =>
    [...store.inbox.values()]
      .filter((row) => row.source === source && row.key.startsWith(prefix) && row.receivedAt > since)
      .map(({ key, state }) => ({ key, state })),
  body: async (id) => {
    const { body = '' } = store.inbox.get(id) ?? {};
    return body === '' ? null : (JSON.parse(body) as unknown);
  },
  // Memory needs no row MACs.
  audit: {
    unlike: async (id, steps) => rowsUnlike(store, id, steps),
    cutLogs: async () => [],
    log: async (id) => {
      const record = store.runs.get(id);
      return { head: record ? headOf(record, key) : null, events: eventsOf(record) };
    },
    snapshot: async (only) => ({
      runs: [...store.runs.keys()].filter((id) => only === undefined || id === only).sort(byText),
      unlike: async (id, steps) => rowsUnlike(store, id, steps),
      moment: 0,
      rest: async () => [],
      moved: async () => false,
    }),
  },
  depths: async (now) => depths(store, now),
  deadInbox: async (limit) => deadInbox(store, limit),
  inboxCounts: async () => tally([...store.inbox.values()].map((r) => r.state)),
  events: async (runId) => eventsOf(store.runs.get(runId)),
  effects: async (filter) => effects(store, filter),
  effect: async (n) => {
    const row = store.effects.get(n);
    return row ? effectOf(row) : null;
  },
  answersWaiting: async (chat) =>
    [...store.open.values()]
      .filter((row) => row.chat === chat && row.rank === MESSAGE_RANK.answer && row.state === 'pending')
      .map(({ slot }) => slot),
  told: async (slot) =>
    effects(store, { kind: 'chat_message' })
      .filter((row) => row.slot === slot && ['pending', 'claimed', 'done'].includes(row.state))
      .sort((a, b) => b.n - a.n)[0] ?? null,
  slots: async (prefix) =>
    [
      ...new Set(
        effects(store, { kind: 'chat_message' })
          .filter(({ state }) => ['pending', 'claimed', 'done'].includes(state))
          .flatMap(({ slot }) => (slot?.startsWith(prefix) ? [slot] : [])),
      ),
    ].sort(byText),
  sent: async (slot) => sent(store, slot),
  approval: async (id) => {
    const row = store.approvals.get(id);
    return row ? approvalOf(row) : null;
  },
  approvals: async ({ runId, state }) =>
    [...store.approvals.values()]
      .filter((a) => (runId === undefined || a.runId === runId) && (state === undefined || a.state === state))
      .sort((a, b) => a.openedAt - b.openedAt || byText(a.id, b.id))
      .map(approvalOf),
  attempts: async (runId) =>
    [...store.attempts.values()].filter((a) => a.row.runId === runId).map((a) => ({ ...a.row })),
  attemptsAtWork: async () =>
    [...store.attempts.values()].filter((a) => a.row.outcome === 'running').map((a) => ({ ...a.row })),
  turns: async (runId) => (store.turns.get(runId) ?? []).map((row) => ({ ...row, fault: null })),
  newest: async (runId, type) =>
    [...store.artifacts].filter(([key, a]) => key.startsWith(`${runId} `) && a.type === type).at(-1)?.[1]
      .content || null,
  artifact: async (runId, digest) => {
    const found = store.artifacts.get(`${runId} ${digest}`);
    return found && artifactDigest(found.content) === digest ? found : null;
  },
  campaign: async (id) => store.campaigns.get(id) ?? null,
  campaigns: async () => [...store.campaigns.values()].map(({ campaign }) => campaign).reverse(),
  campaignRuns: async (id) =>
    [...store.runs.values()]
      .map(({ run }) => run)
      .filter(({ order }) => order.campaign === id)
      .sort((a, b) => a.lifecycle.createdAt - b.lifecycle.createdAt || byText(a.id, b.id)),
  spent: async ({ since, campaign = null }) => totalsOf(store, since, campaign),
  figures: async (since, version) =>
    [...store.figures.values()]
      .filter((row) => row.version === version && row.createdAt >= since)
      .map(({ runId, seq, createdAt, body }) => ({ runId, seq, createdAt, body })),
  figuresUpto: async (version) =>
    Math.max(0, ...[...store.figures.values()].map((row) => (row.version === version ? row.upto : 0))),
  moved: async ({ after, limit, version }) =>
    [...store.events.values()]
      .filter(({ id }) => id > after)
      .sort((a, b) => a.id - b.id)
      .slice(0, limit)
      .map(({ id, runId, seq }) => {
        const row = store.figures.get(runId);
        return { event: id, runId, seq, kept: row?.version === version ? row.seq : null };
      }),
  user: async (id) => {
    const user = store.users.get(id);
    return user ? { ...user } : null;
  },
  users: async () =>
    [...store.users.values()].sort((a, b) => byText(a.id, b.id)).map((user) => ({ ...user })),
  setting: async (name) => store.settings.get(name) ?? null,
  changes: async () => [],
  heads: async (only) => {
    const found = [...store.runs.values()].filter((r) => only === undefined || r.run.id === only);
    return found.sort((a, b) => byText(a.run.id, b.run.id)).map((r) => headOf(r, key));
  },
});

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const tally = (states: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

/** Sorted by last change; at equal times live runs first, then by id. */
const newest = (store: MemoryStore, live: boolean): RunRecord[] => {
  const ended = (r: RunRecord): number => (isTerminal(r.run.lifecycle.state) ? 1 : 0);
  const rows = [...store.runs.values()];
  return (live ? rows.filter((r) => ended(r) === 0) : rows).sort(
    (a, b) =>
      b.run.lifecycle.updatedAt - a.run.lifecycle.updatedAt ||
      ended(a) - ended(b) ||
      byText(b.run.id, a.run.id),
  );
};

const queue = (store: MemoryStore, { since, until }: { since: number; until: number }): RunQueue => {
  const repoOf = (run: Run): string => run.order.repo.toLowerCase();
  const all = [...store.runs.values()];
  const asked = [...store.effects.values()].filter(
    (e) => e.do.kind === 'start_run' && (e.state === 'pending' || e.state === 'claimed'),
  );
  return {
    busy: all.filter(({ run }) => isHoldingSlot(run)).map(({ run }) => repoOf(run)),
    started: all
      .flatMap(({ run, startedAt: at }) =>
        at !== null && at > since && at <= until && run.order.campaign === undefined
          ? [{ repo: repoOf(run), at }]
          : [],
      )
      .sort((a, b) => a.at - b.at),
    waiting: asked
      .sort((a, b) => a.n - b.n)
      .flatMap(({ runId }) => {
        const run = runId === null ? undefined : store.runs.get(runId)?.run;
        return run?.lifecycle.state === 'QUEUED'
          ? [{ runId: run.id, repo: repoOf(run), campaign: run.order.campaign !== undefined }]
          : [];
      }),
  };
};

const depths = (store: MemoryStore, now: number): QueueDepth[] => {
  const found = new Map<string, QueueDepth>();
  for (const { kind, state: stands, dueAt } of store.open.values()) {
    const state = stands === 'claimed' ? 'at_work' : dueAt <= now ? 'due' : 'later';
    const depth = found.get(`${state} ${kind}`) ?? { kind, state, n: 0 };
    found.set(`${state} ${kind}`, { ...depth, n: depth.n + 1 });
  }
  const order = ['due', 'later', 'at_work'];
  return [...found.values()].sort(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || byText(a.kind, b.kind),
  );
};

const effects = (
  store: MemoryStore,
  { runId, state, kind }: Parameters<LedgerQueries['effects']>[0],
): EffectRow[] => {
  const rows: EffectRecord[] = [];
  const kinds = kind === undefined ? null : [kind].flat();
  const table = state === 'pending' || state === 'claimed' ? store.open : store.effects;
  for (const row of table.values()) {
    if (runId !== undefined && row.runId !== runId) continue;
    if (state !== undefined && row.state !== state) continue;
    if (kinds === null || kinds.includes(row.kind)) rows.push(row);
  }
  return rows.sort((a, b) => a.n - b.n).map(effectOf);
};

const effectOf = (row: EffectRecord): EffectRow => ({
  n: row.n,
  id: row.id,
  runId: row.runId,
  kind: row.kind,
  do: row.do,
  state: row.state,
  epoch: row.epoch,
  slot: row.slot,
  chat: row.chat,
  tries: row.tries,
  dueAt: row.dueAt,
  result: row.result === null ? null : JSON.parse(row.result),
  reason: row.reason,
});

const sent = ({ told, effects: rows }: MemoryStore, slot: string): SentMessage | null => {
  const results = [...(told.get(slot) ?? [])]
    .sort((a, b) => b - a)
    .flatMap((n) => rows.get(n)?.result ?? [])
    .slice(0, 10);
  for (const json of results) {
    const result = JSON.parse(json) as Partial<SentMessage> | null;
    if (typeof result?.chat === 'string' && typeof result.messageId === 'string') {
      return { chat: result.chat, messageId: result.messageId };
    }
  }
  return null;
};

const approvalOf = ({ signedBy: _, ...row }: ApprovalRecord): ApprovalRow => row;

const nodesOf = (record: RunRecord | undefined): EventNode[] => {
  const nodes: EventNode[] = [];
  for (let node = record?.last ?? null; node; node = node.before) nodes.push(node);
  return nodes.reverse();
};

const eventsOf = (record: RunRecord | undefined): EventRow[] => {
  let prev = GENESIS_HASH;
  return nodesOf(record).map((node) => {
    node.link ??= linked(node, prev);
    const { id, runId, seq, type, key, stateAfter, at, link } = node;
    prev = link.hash;
    return {
      id,
      runId,
      seq,
      type,
      key,
      body: link.payload,
      stateAfter,
      at,
      hash: link.hash,
    };
  });
};

const linked = (node: EventNode, prev: string): NonNullable<EventNode['link']> => {
  const payload = JSON.stringify(node.body);
  return { payload, hash: linkHash(prev, { ...node, payload }) };
};

const headOf = (record: RunRecord, key: KeyObject): ChainHead => {
  const { run } = record;
  const events = eventsOf(record);
  const [seq, hash] = [run.lifecycle.version, events.at(-1)?.hash ?? GENESIS_HASH];
  const state = stateRow(run, {
    started: record.startedAt,
    hash,
    records: recordsHash(toStoredRun(run, null)),
  });
  const mac = macOfState(createRowMac(record.key), state);
  const macValid = macOfState(createRowMac(key), state) === mac;
  const chainBroken = findBrokenLink(
    events.map((e) => ({ ...e, payload: e.body })),
    { seq, hash },
  );
  return { run, seq, hash, mac, macValid, chainBroken };
};
