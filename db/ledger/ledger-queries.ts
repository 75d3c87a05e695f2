/** Queries of the ledger; never used inside a step. */
import { sql as raw } from 'kysely';
import { z } from 'zod';
import type { Run } from '#run';
import type { ChainHead, LedgerQueries, RepositoryIdentity } from '#ports/ledger';
import { createAudit } from './audit/audit.ts';
import { createCampaignQueries } from './campaign-store.ts';
import { createFigureQueries } from './figure-store.ts';
import { createSpendingQueries } from './spending-store.ts';
import { hasValidEffectMac, hasValidDeadInboxMac } from '../integrity/table-macs.ts';
import { createCheckpoints } from './checkpoints.ts';
import { readQueueDepths } from './queue-depths.ts';
import { createInstallationLog, type InstallationLog } from './installation-log.ts';
import { readSettingChanges, findStoredSetting, findUser } from './installation-fold.ts';
import type { AnchoredEvent } from '../integrity/anchor.ts';
import { MESSAGE_RANK } from '../sql/chat-pace.ts';
import { artifactDigest } from './attempt-store.ts';
import { createRunPages } from './run-pages.ts';
import { createRunCache } from './run-cache.ts';
import { createTurnQuery } from './turn-store.ts';
import {
  approvalOf,
  attemptOf,
  deadInboxOf,
  effectOf,
  isJson,
  parseSentMessage,
  concurrentChangeError,
  storedFold,
} from '../sql/stored-rows.ts';
import type { RowMac } from '../integrity/row-mac.ts';
import {
  toCompiledQuery,
  createStatementDefiner,
  type SqlBuilder,
  type CompilableQuery,
  type DefineStatement,
  type RunQuery,
} from '../sql/statements.ts';

const MOST_ARRIVED = 1_000;
const LEAF_EVENTS = ['worker.pr.opened', 'worker.push.completed'];
const WithLeaf = z.object({ input: z.object({ leaf: z.string() }) });
const leafIn = (payload: string): string | undefined =>
  isJson(payload) ? WithLeaf.safeParse(JSON.parse(payload)).data?.input.leaf : undefined;

export const createQueries = (
  db: SqlBuilder,
  read: RunQuery,
  seal: RowMac,
  anchored?: () => AnchoredEvent | null,
  installation: InstallationLog = createInstallationLog(createStatementDefiner(db), read, seal),
): LedgerQueries => {
  const readOne = async <R>(query: CompilableQuery<R>): Promise<R | null> => (await read(query))[0] ?? null;
  const readCounts = async (scope: 'run' | 'inbox'): Promise<Record<string, number>> => {
    const rows = await read(db.selectFrom('state_counts').select(['state', 'n']).where('scope', '=', scope));
    return Object.fromEntries(rows.filter((r) => r.n !== 0).map((r) => [r.state, r.n]));
  };
  const hot = readStatements(createStatementDefiner(db));
  const runReader = createRunCache(createStatementDefiner(db), read);
  const readNewest = async (
    live: boolean,
    limit: number,
    repo: RepositoryIdentity | undefined,
  ): Promise<Run[]> => {
    const of = { live: live ? 1 : 0, limit };
    if (repo === undefined)
      return runReader(await read(toCompiledQuery(hot.newest, of)), () =>
        read(toCompiledQuery(hot.newestWhole, of)),
      );
    const [known, named] = await Promise.all([
      read(toCompiledQuery(hot.newestOf, { ...of, ...toRepositoryArguments(repo) })),
      read(toCompiledQuery(hot.newestNamed, { ...of, ...toRepositoryArguments(repo) })),
    ]);
    return runReader([...known, ...named], async () => [
      ...(await read(toCompiledQuery(hot.newestOfWhole, { ...of, ...toRepositoryArguments(repo) }))),
      ...(await read(toCompiledQuery(hot.newestNamedWhole, { ...of, ...toRepositoryArguments(repo) }))),
    ]);
  };

  const checkpoints = createCheckpoints(createStatementDefiner(db), read, seal, installation);
  const audit = createAudit(db, read, seal, async () =>
    anchored ? checkpoints.findRollback(anchored()) : null,
  );

  return {
    run: async (id) => {
      const row = await readOne(toCompiledQuery(hot.run, { id }));
      if (!row) return null;
      const [run] = await runReader([row], async () => []);
      if (!run) throw concurrentChangeError(id);
      return run;
    },
    runs: async ({ live, limit, repo }) => {
      const runs = [
        ...(await readNewest(true, limit, repo)),
        ...(live ? [] : await readNewest(false, limit, repo)),
      ];
      return runs.sort((a, b) => b.lifecycle.updatedAt - a.lifecycle.updatedAt).slice(0, limit);
    },
    runPage: createRunPages(db, read, runReader),
    newestEvent: async () => {
      const row = await readOne(db.selectFrom('events').select((eb) => eb.fn.max('event_id').as('newest')));
      return Number(row?.newest ?? 0);
    },
    publishedLeaves: async ({ after, upto }) => {
      const rows = await read(
        db
          .selectFrom('events')
          .select('payload_json')
          .where('event_id', '>', after)
          .where('event_id', '<=', upto)
          .where('event_type', 'in', LEAF_EVENTS)
          .orderBy('event_id'),
      );
      return rows.flatMap(({ payload_json }) => leafIn(payload_json) ?? []);
    },
    alive: async (repo) => (await readOne(toCompiledQuery(hot.alive, toRepositoryArguments(repo)))) !== null,
    queue: async ({ since, until }) => {
      const busy = await read(db.selectFrom('run_states').select('repo').where('busy', '=', raw.lit(1)));
      const started = await read(
        db
          .selectFrom('run_states as s')
          .innerJoin('runs as r', 'r.run_id', 's.run_id')
          .select(['s.repo', 's.started_at as at'])
          .where('r.campaign', 'is', null)
          .where('started_at', '>', since)
          .where('started_at', '<=', until)
          .orderBy('started_at'),
      );
      // The cross join fixes the order, which is fast as few runs are queued.
      const loadStartEffects = (state: 'pending' | 'claimed') =>
        read(
          db
            .selectFrom('run_states as s')
            .crossJoin('effects as e')
            .innerJoin('runs as r', 'r.run_id', 's.run_id')
            .select(['e.n', 's.run_id as runId', 's.repo', 'r.campaign'])
            .where('s.live', '=', raw.lit(1))
            .where('s.current_state', '=', 'QUEUED')
            .whereRef('e.run_id', '=', 's.run_id')
            .where('e.state', '=', raw.lit(state))
            .where('e.kind', '=', 'start_run'),
        );
      const waiting = [...(await loadStartEffects('pending')), ...(await loadStartEffects('claimed'))].sort(
        (a, b) => a.n - b.n,
      );
      return {
        busy: busy.map(({ repo }) => repo),
        started: started.map(({ repo, at }) => ({ repo, at: at ?? 0 })),
        waiting: waiting.map(({ runId, repo, campaign }) => ({ runId, repo, campaign: campaign !== null })),
      };
    },
    counts: () => readCounts('run'),
    incoming: (id) =>
      readOne(db.selectFrom('inbox').select(['source', 'key', 'state', 'note']).where('id', '=', id)),
    arrived: ({ source, prefix, since }) =>
      read(
        db
          .selectFrom('inbox')
          .select(['key', 'state'])
          .where('source', '=', source)
          .where(raw<boolean>`substr(key, 1, ${raw.lit(prefix.length)}) = ${prefix}`)
          .where('received_at', '>', since)
          .limit(MOST_ARRIVED),
      ),
    deadInbox: async (limit) => {
      const rows = await read(
        db
          .selectFrom('inbox')
          .selectAll()
          .where('handled_at', 'is not', null)
          .where('state', '=', 'dead')
          .orderBy('id', 'desc')
          .limit(limit),
      );
      return rows
        .filter((row) => (row.source === 'forge' ? isJson(row.body) : hasValidDeadInboxMac(seal, row)))
        .map(deadInboxOf);
    },
    body: async (id) => {
      const row = await readOne(db.selectFrom('inbox').select('body').where('id', '=', id));
      return row && isJson(row.body) ? (JSON.parse(row.body) as unknown) : null;
    },
    audit,
    inboxCounts: () => readCounts('inbox'),
    depths: (now) => readQueueDepths(read, db, now),
    events: async (runId) => (await audit.log(runId)).events,
    effects: async ({ runId, state, kind }) => {
      const rows = await read(
        db
          .selectFrom('effects')
          .selectAll()
          .$if(runId !== undefined, (q) => q.where('run_id', '=', runId ?? ''))
          // Literals, so that partial indexes apply.
          .$if(state !== undefined, (q) => q.where('state', '=', raw.lit(state ?? 'pending')))
          .$if(kind !== undefined, (q) => q.where('kind', 'in', [kind ?? []].flat()))
          .orderBy('n'),
      );
      return rows.map(effectOf);
    },
    effect: async (n) => {
      const row = await readOne(db.selectFrom('effects').selectAll().where('n', '=', n));
      // Verified, as buttons act on it.
      // guard: L5-own-buttons
      return row && hasValidEffectMac(seal, row) ? effectOf(row) : null;
    },
    answersWaiting: async (chat) =>
      (await read(toCompiledQuery(hot.answers, { chat, priority: MESSAGE_RANK.answer }))).map(
        ({ slot }) => slot,
      ),
    told: async (slot) => {
      const row = await readOne(
        db
          .selectFrom('effects')
          .selectAll()
          .where('slot', '=', slot)
          .where('state', 'in', ['pending', 'claimed', 'done'])
          .orderBy('n', 'desc')
          .limit(1),
      );
      return row && hasValidEffectMac(seal, row) ? effectOf(row) : null;
    },
    slots: async (prefix) => {
      const rows = await read(
        db
          .selectFrom('effects')
          .select('slot')
          .distinct()
          .where(raw<boolean>`substr(slot, 1, ${[...prefix].length}) = ${prefix}`)
          .where('state', 'in', ['pending', 'claimed', 'done'])
          .orderBy('slot'),
      );
      return rows.flatMap(({ slot }) => slot ?? []);
    },
    sent: async (slot) => {
      const rows = await read(
        db
          .selectFrom('effects')
          .select('result_json')
          .where('slot', '=', slot)
          .where('state', '=', 'done')
          .where('result_json', 'is not', null)
          .orderBy('n', 'desc')
          .limit(10),
      );
      return rows.map((r) => parseSentMessage(r.result_json)).find((m) => m !== null) ?? null;
    },
    approval: async (id) => {
      const row = await readOne(db.selectFrom('approvals').selectAll().where('id', '=', id));
      return row && approvalOf(row);
    },
    approvals: async ({ runId, state }) => {
      const rows = await read(
        db
          .selectFrom('approvals')
          .selectAll()
          .$if(runId !== undefined, (q) => q.where('run_id', '=', runId ?? ''))
          .$if(state !== undefined, (q) => q.where('state', '=', raw.lit(state ?? 'open')))
          .orderBy('opened_at')
          .orderBy('id'),
      );
      return rows.map(approvalOf);
    },
    attempts: async (runId) => {
      const rows = await read(
        db.selectFrom('step_attempts').selectAll().where('run_id', '=', runId).orderBy('id'),
      );
      return rows.map(attemptOf);
    },
    attemptsAtWork: async () => {
      const rows = await read(
        db.selectFrom('step_attempts').selectAll().where('outcome', '=', raw.lit('running')).orderBy('id'),
      );
      return rows.map(attemptOf);
    },
    turns: createTurnQuery(createStatementDefiner(db), read, seal),
    newest: async (runId, type) => {
      const rows = await read(
        db
          .selectFrom('artifacts')
          .select('content')
          .where('run_id', '=', runId)
          .where('artifact_type', '=', type)
          .orderBy('id', 'desc')
          .limit(1),
      );
      return rows[0]?.content || null;
    },
    artifact: async (runId, digest) => {
      const rows = await read(
        db
          .selectFrom('artifacts')
          .select(['artifact_type as type', 'content'])
          .where('run_id', '=', runId)
          .where('uri', '=', digest),
      );
      return rows.find(({ content }) => artifactDigest(content) === digest) ?? null;
    },
    ...createCampaignQueries(createStatementDefiner(db), read, installation, runReader),
    ...createFigureQueries(createStatementDefiner(db), read),
    ...createSpendingQueries(createStatementDefiner(db), read),
    // Foreign rows grant no rights.
    user: async (id) => findUser(await installation.readCurrent(), id),
    users: async () => [...(await installation.readCurrent()).users].sort((a, b) => (a.id < b.id ? -1 : 1)),
    setting: async (name) => findStoredSetting(await installation.readCurrent(), name),
    changes: async (limit) => {
      const rows = await read(
        db
          .selectFrom('installation_events')
          .select(['type', 'body_json', 'created_at'])
          .where('type', 'in', ['setting.set', 'user.set', 'user.removed'])
          .orderBy('seq', 'desc')
          .limit(limit),
      );
      return rows.flatMap((row) => readSettingChanges(row));
    },
    heads: async (only) => {
      const { runs: ids } = await audit.snapshot(only);
      const heads: ChainHead[] = [];
      for (const id of ids) {
        const { head } = await audit.log(id);
        if (head) heads.push(head);
      }
      return heads;
    },
  };
};

/** Matches by id, or by name while a run has no id. */
type Sought = { id: string; repo: string };
const toRepositoryArguments = ({ id, fullName }: RepositoryIdentity): Sought => ({
  id,
  repo: fullName.toLowerCase(),
});

type Newest = { live: number; limit: number };
const RUN_VERSION_COLUMNS = ['run_id', 'version'] as const;
const RUN_FOLD_COLUMNS = [...RUN_VERSION_COLUMNS, storedFold] as const;

const readStatements = (define: DefineStatement) => {
  const newestStates = (db: SqlBuilder, args: Newest) =>
    db
      .selectFrom('run_states')
      .where('live', '=', args.live)
      .orderBy('updated_at', 'desc')
      .orderBy('run_id', 'desc')
      .limit(args.limit);
  // guard: F4-delivery-repository
  const newestOf = (db: SqlBuilder, args: Newest & Sought) =>
    newestStates(db, args).where('repo_id', '=', args.id);
  const newestNamed = (db: SqlBuilder, args: Newest & Sought) =>
    newestStates(db, args).where('repo', '=', args.repo).where('repo_id', 'is', null);
  const selectLive = (db: SqlBuilder) =>
    db.selectFrom('run_states').select('run_id').where('live', '=', raw.lit(1));
  return {
    run: define((db, a: { id: string }) =>
      db.selectFrom('run_states').select(['run_id', 'version']).where('run_id', '=', a.id),
    ),
    alive: define((db, a: Sought) =>
      selectLive(db)
        .where('repo_id', '=', a.id)
        .unionAll(selectLive(db).where('repo', '=', a.repo).where('repo_id', 'is', null))
        .limit(raw.lit(1)),
    ),
    answers: define((db, a: { chat: string; priority: number }) =>
      db
        .selectFrom('effects')
        .select('slot')
        .where('state', '=', raw.lit<'pending'>('pending'))
        .where('chat', '=', a.chat)
        .where('priority', '=', a.priority),
    ),
    newest: define((db, a: Newest) => newestStates(db, a).select(RUN_VERSION_COLUMNS)),
    newestWhole: define((db, a: Newest) => newestStates(db, a).select(RUN_FOLD_COLUMNS)),
    newestOf: define((db, a: Newest & Sought) => newestOf(db, a).select(RUN_VERSION_COLUMNS)),
    newestOfWhole: define((db, a: Newest & Sought) => newestOf(db, a).select(RUN_FOLD_COLUMNS)),
    newestNamed: define((db, a: Newest & Sought) => newestNamed(db, a).select(RUN_VERSION_COLUMNS)),
    newestNamedWhole: define((db, a: Newest & Sought) => newestNamed(db, a).select(RUN_FOLD_COLUMNS)),
  };
};
