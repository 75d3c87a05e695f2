/** One life of the real product over an in-memory world; it may crash at any port call. */
import { createBriefing } from '#briefing';
import { createSpendingMeter } from '#limits';
import { createReceiptIssuer } from '../../orchestrator/receipts/pull-receipt.ts';
import { readerHere } from '../support/reader-here.ts';
import { LANGUAGE_TEXTS, ENGLISH_WORDING } from '#language';
import { recoverAfterCrash, createSubmitInput, type SubmitInput } from '#runtime';
import {
  isEarlierTelegramMessage,
  isTelegramUserId,
  readTelegramUpdate,
} from '../../bot/commands/read-telegram-update.ts';
import { createClusters } from '../../bot/cluster-cards.ts';
import type { PatchOf } from '../../bot/commands/command-context.ts';
import { parseSentCampaign } from '../../orchestrator/orders/sent-campaign-file.ts';
import { createBotHandler } from '../../bot/commands/handle-update.ts';
import { createMovedChats } from '../../bot/moved-chats.ts';
import { createChatRoles } from '../../bot/commands/user-roles.ts';
import { createMessageHandler } from '../../bot/deliver-message.ts';
import { readMemberScenes } from '../../bot/commands/cluster-buttons.ts';
import type { ClusterView } from '#model/chat';
import { ForkSettings } from '#model/pull';
import { RunBounds } from '#model/limits';
import { PolicySettings } from '#model/settings';
import { clusterPageCount, renderCluster } from '../../bot/views/cluster-card.ts';
import { renderDetail } from '../../bot/views/run-detail.ts';
import { createButtonTokens } from '../../bot/commands/button-tokens.ts';
import { createReplacementAssessor, createHandlers, createPollHints } from '#kernel';
import { createEffectRunner, createTries } from '../../orchestrator/kernel/runtime/effect-runner.ts';
import { createInbox } from '../../orchestrator/kernel/runtime/inbox.ts';
import type { SystemClock, IdSource, LogPort } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { bootInboxItem } from '../../orchestrator/notices/work-notices.ts';
import { handleNotice } from '#notices';
import { isRepositoryAt } from '../../forge/github-facts.ts';
import { createDeliveryHandler } from '../../webhooks/handle-delivery.ts';
import { cell, count, type Coverage } from './coverage.ts';
import type { Random } from './random.ts';
import { Crash, createLife, type Fate } from './scheduler.ts';
import type { World } from './world.ts';

/** An admin, a viewer, an operator and a stranger. */
/** Returns the pages that a person reads behind *Show each*. */
const eachOf = async ({ query }: Pick<Ledger, 'query'>, view: ClusterView, now: number): Promise<string> => {
  const scene = { members: await readMemberScenes(query, view), common: null, name: '', now };
  return Array.from(
    { length: clusterPageCount(view) },
    (_, page) => renderCluster({ ...view, lists: { for: 'each', page } }, scene, LANGUAGE_TEXTS.en).html,
  ).join('\n');
};

export const ANA = '71101';
export const VIC = '22';
export const BO = '33';
export const EVE = '66';
/** An approver, until the role is removed. */
export const CAT = '44';
export const SECRET = new TextEncoder().encode('a secret that only the prover knows');

export type ProcessParts = {
  /** A ledger of this boot over a lasting store. */
  ledger: (boot: string, now: () => number) => Ledger;
  world: World;
  clock: SystemClock;
  random: Random;
  coverage: Coverage;
  fate: Fate | null;
  boot: string;
  bounds: Partial<RunBounds>;
  /** The world's ports use real processes. */
  slow?: boolean;
  /** Patches of runs; without it nobody can read changes. */
  patch?: PatchOf;
  /** Any error except a crash is a violation. */
  onError: (error: unknown) => void;
};

export type Process = ReturnType<typeof startProcess>;

const LEASE = 60_000;
const POLICIES = PolicySettings.parse({});

export const startProcess = (parts: ProcessParts) => {
  const { world, clock, random, coverage } = parts;
  const life = createLife(random, parts.fate, coverage.points, parts.slow);
  const bare = parts.ledger(parts.boot, () => clock.now());
  const ledger = life.guard('ledger', bare);
  const ids: IdSource = {
    runId: () => {
      const id = random.text(6);
      world.bear(id);
      return id;
    },
    nonce: () => random.text(16),
  };
  const note = (fields: object): void => {
    const { err } = fields as { err?: unknown };
    if (err !== undefined && !(err instanceof Crash) && !life.dead()) parts.onError(err);
  };
  const log: LogPort = { debug: () => {}, info: () => {}, warn: note, error: note };
  const offer = createSubmitInput({ ledger, clock, ids });
  const retried: LogPort['error'] = (fields) => {
    unread = true;
    note(fields);
  };
  const submit: SubmitInput = (submission) =>
    offer({
      ...submission,
      replies: (step, before) => {
        const place = cell(before?.lifecycle.state ?? 'none', submission.input.type);
        count(coverage.offered, place);
        if (step.kind === 'moved') count(coverage.moved, place);
        return submission.replies?.(step, before) ?? [];
      },
    });
  const hints = createPollHints({ ledger, clock });
  const tokens = createButtonTokens([SECRET]);
  const patch = parts.patch ?? (async () => null);
  const clusters = createClusters({ ledger, patch });
  /** Read outside of the product's scheduler. */
  world.explain = async (buttons) => {
    const [token] = buttons.flatMap((button) => tokens.read(button.token) ?? []);
    const row = token ? await bare.query.effect(token.n) : null;
    const show = row?.do.kind === 'chat_message' ? row.do.content : null;
    if (show?.view === 'cluster') return { more: '', each: await eachOf(bare, show, clock.now()) };
    const run = row?.runId && show?.view === 'gate' ? await bare.query.run(row.runId) : null;
    if (!run || show?.view !== 'gate' || run.gate.approval?.id !== show.approvalId)
      return { more: '', each: '' };
    const approval = await bare.query.approval(show.approvalId);
    const scene = { run, approval, attempts: [], patch: null, now: clock.now() };
    return { more: renderDetail(scene, LANGUAGE_TEXTS.en).html, each: '' };
  };
  const { workspaces, notes, forge, checks, script, chat } = world.ports;
  const timers = { after: () => ({ cancel: () => undefined }) };
  const shared = {
    ledger,
    clock: { ...timers, now: () => clock.now() },
    workspaces: life.guard('workspaces', workspaces),
    forge: life.guard('forge', forge),
    checks: life.guard('checks', checks),
    agents: { engines: { script: life.guard('agent', script) } },
    settings: {
      maxParallelRuns: 2,
      maxRunsPerDay: 100,
      policies: POLICIES,
      forks: ForkSettings.parse({}),
      author: { name: 'AgentPR', email: 'a@b.c' },
      checkTimeoutMs: 60_000,
    },
    texts: { wording: ENGLISH_WORDING, reader: readerHere },
    log,
  };
  const handlers = createHandlers({
    ...shared,
    submit,
    spending: { createMeter: createSpendingMeter({ ...shared, submit }) },
    hints,
    agents: {
      ...shared.agents,
      notes: life.guard('notes', notes),
      brief: createBriefing({ ...shared, skill: (name) => name }),
    },
    approvals: {
      checkOwnKeys: async () => 'too_few',
      roleOf: async () => 'approver',
      issueReceipt: createReceiptIssuer({ mac: SECRET, secret: SECRET }, ledger),
    },
    tell: createMessageHandler({
      chat: life.guard('chat', chat),
      ledger,
      tokens,
      clock,
      wordsFor: async () => LANGUAGE_TEXTS.en,
      patch,
      shownPatch: async (patch) => patch,
      readPages: async () => {},
      places: createMovedChats(ledger, []),
    }),
  });
  const perform = createEffectRunner({
    ledger,
    submit,
    clock,
    handlers,
    report: async (note) => {
      await ledger.receive([note], clock.now());
      unread = true;
    },
    log,
  });
  const tries = createTries(perform);
  const bot = createBotHandler({
    submit,
    ledger,
    receive: (items) => ledger.receive(items, clock.now()),
    clock,
    ids,
    tokens,
    adapter: {
      read: readTelegramUpdate,
      isPerson: isTelegramUserId,
      isEarlier: isEarlierTelegramMessage,
      deciders: [ANA],
      botName: () => 'bot',
    },
    people: {
      roles: createChatRoles({ users: ledger.query, adminIds: [ANA] }),
      wordsFor: async () => LANGUAGE_TEXTS.en,
    },
    engines: {
      names: ['script', 'codex', 'claude', 'opencode', 'aider'],
      promptVersions: ['v1'],
      assessReplacement: createReplacementAssessor(POLICIES),
      defaults: {
        engine: 'script',
        script: ['fix'],
        bounds: { ...RunBounds.parse({}), ...parts.bounds },
        promptVersion: 'v1',
      },
    },
    host: { isRepository: isRepositoryAt('https://github.com') },
    readers: {
      patch,
      readPages: async () => {},
      distillLog: readerHere.distillLog,
      readLog: readerHere.readLog,
      readSentList: async (content, words) => parseSentCampaign(content, words),
    },
    services: {},
  });
  const inbox = createInbox({
    ledger,
    clock,
    log: { ...log, error: retried },
    handlers: {
      chat: async (row) => void (await bot.handle(row)),
      forge: createDeliveryHandler({
        submit,
        ledger,
        hints,
        clock,
        mayWork: async () => true,
        forget: () => {},
        labelled: () => {},
        released: () => {},
        followed: () => {},
      }),
      cli: () => Promise.reject(new Error('nobody orders here')),
      note: (row) => handleNotice(ledger, row, clock),
    },
  });

  /** True when an input was not looked at since. */
  let unread = true;
  const running = new Set<Promise<void>>();
  const track = (work: Promise<unknown>): void => {
    const done: Promise<void> = work
      .then(() => undefined)
      .catch((error: unknown) => {
        if (!(error instanceof Crash) && !life.dead()) parts.onError(error);
      })
      .finally(() => running.delete(done));
    running.add(done);
  };

  return {
    life,
    busy: () => running.size,
    /** Durable at once, because the sender got its acknowledgement. */
    receive: (items: readonly IncomingItem[]) => {
      unread = true;
      return bare.receive(items, clock.now());
    },
    unread: () => unread,
    drain: (): void => {
      unread = false;
      track(inbox.drain());
    },
    /** Claims and performs a few due effects in parallel. */
    pump: (limit: number): void =>
      track(
        ledger.claim({ now: clock.now(), leaseMs: LEASE, limit }).then((claims) => {
          for (const claim of claims) track(tries.begin(claim).done);
        }),
      ),
    looks: (): void =>
      track(
        clusters.dueNotes(clock.now()).then(async (notes) => {
          await ledger.receive(notes, clock.now());
          unread = true;
        }),
      ),
    submit,
    boot: async (): Promise<void> => {
      const found = await recoverAfterCrash({
        ledger: bare,
        workspaces,
        reaper: { reap: async () => 0 },
        clock,
        log,
      });
      await bare.receive([bootInboxItem(found, clock.now())], clock.now());
    },
    query: bare.query,
    ledger: bare,
  };
};
