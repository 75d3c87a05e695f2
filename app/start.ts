/** The composition root: takes a configuration, puts the parts together, and gives back a running AgentPR. */
import { createHmac, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { english } from '../bot/language/english.ts';
import type { PatchOf } from '../bot/commands/context.ts';
import { createBotHandler } from '../bot/commands/handler.ts';
import { createBot } from '../bot/intake.ts';
import { createWordsFor } from '../bot/language/language.ts';
import { createPlaces } from '../bot/places.ts';
import { createRoles } from '../bot/commands/roles.ts';
import { createChat } from '../bot/send.ts';
import { createTellHandler } from '../bot/tell.ts';
import { createTokens } from '../bot/commands/tokens.ts';
import { createCliSource, listenForOrders } from './control.ts';
import { looksOf } from './looks.ts';
import type { Config } from './config.ts';
import { createConnections, type Connection } from './connections.ts';
import { createKey } from '../db/directory/key.ts';
import { openLedger } from '../db/directory/open.ts';
import { createChecks } from '../executors/checks/checks.ts';
import { createContainment } from '../executors/sandbox/contain.ts';
import { distillLog } from '../executors/checks/distill.ts';
import { createEngines, ENGINE_NAMES } from '../executors/engines/engines.ts';
import { GIT_MEND, gitVersion } from '../executors/git/git.ts';
import { createLent } from '../executors/sandbox/lent.ts';
import { hidingChat, hidingChecks, hidingNotes } from '../executors/sandbox/lent-hiding.ts';
import { createNotes } from '../executors/workspace/notes.ts';
import { createReaper } from '../executors/process/reaper.ts';
import { createWorkspaces } from '../executors/workspace/workspace.ts';
import { createGitHubForge } from '../forge/github.ts';
import { listen } from './http.ts';
import { createLogger } from './logger.ts';
import { Bounds } from '../orchestrator/core/bounds.ts';
import { DOCUMENT_LIMIT } from '../orchestrator/core/exact.ts';
import type { Run } from '../orchestrator/core/machine/run.ts';
import { createHandlers } from '../orchestrator/effects/index.ts';
import { createHints } from '../orchestrator/engine/hints.ts';
import { startHousekeeping } from '../orchestrator/engine/housekeeping.ts';
import { randomIds } from '../orchestrator/engine/ids.ts';
import type { Inbox } from '../orchestrator/engine/inbox.ts';
import { createOrchestrator } from '../orchestrator/engine/orchestrator.ts';
import type { Clock, Ledger, Timers } from '../orchestrator/ports.ts';
import { bootNote, connectionNote } from '../orchestrator/engine/notices.ts';
import { recover } from '../orchestrator/engine/reconcile.ts';
import { readSkill, skillVersions } from './skills.ts';
import { createHandle } from '../webhooks/handle.ts';
import { MINUTE } from '../orchestrator/core/units.ts';

export const systemClock: Clock = { now: () => Date.now() };
export const systemTimers: Timers = {
  after: (ms, f) => {
    const timer = setTimeout(f, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

export type App = {
  ledger: Ledger;
  /** Where the health pages listen. */
  address: string;
  /** Rejects when the bot can no longer work, for example because its token was refused. */
  failed: Promise<never>;
  stop(): Promise<void>;
};

export type AppOptions = {
  /** Hears what can be used when all were asked for the first time, and then of each change. */
  onConnection?: (all: readonly Connection[], changed: Connection | null) => void;
  /** Hears of every step after its commit. */
  onWritten?: (run: Run, before: Run | null) => void;
};

/** One secret outside the database, from which a key for each use is derived. */
const derive = (secret: KeyObject, use: string): Uint8Array =>
  createHmac('sha256', secret).update(use).digest();
export const readKeys = (
  dataDir: string,
  mayMake: boolean,
): { buttons: Uint8Array; receipts: Uint8Array; webhook: Uint8Array } => {
  const secret = createKey(join(dataDir, 'keys', 'seal.key'), { mayMake });
  return {
    buttons: derive(secret, 'buttons'),
    receipts: derive(secret, 'receipts'),
    webhook: derive(secret, 'webhook'),
  };
};

export const startApp = async (config: Config, options: AppOptions = {}): Promise<App> => {
  const { dataDir } = config;
  const lent = createLent();
  const log = createLogger(config.logLevel, undefined, (line) => lent.hide(line));
  const clock = systemClock;
  const { problem } = await gitVersion();
  if (problem !== null) throw new Error(`AgentPR cannot work without its git: ${problem} ${GIT_MEND}`);
  const ledger = await openLedger({ dataDir, now: () => clock.now() });
  const keys = readKeys(dataDir, true);
  const contained = await createContainment({
    setting: config.sandbox,
    dataDir,
    tools: config.file.tools,
    readable: config.file.readable,
    limits: config.file.sandboxLimits,
    controlGroup: config.file.sandboxLimits.controlGroup ?? null,
  });
  if (contained.kind === 'refused') {
    await ledger.close();
    throw new Error(contained.reason);
  }
  const { sandbox } = contained;
  const { network } = config.file;
  if (sandbox.level === 'group' && Object.values(network).includes('none')) {
    await ledger.close();
    throw new Error(
      'The network of scripts, installations or checks is to be cut (`network` in agentpr.config.json), which takes a box. ' +
        'Install bubblewrap, or allow them the network.',
    );
  }
  const boxed = { sandbox, tools: config.file.tools, pass: config.pass };
  for (const weakness of sandbox.weaknesses) log.warn({ sandbox: sandbox.level }, weakness);

  const credential = (): Promise<string> => Promise.resolve(config.github.token);
  const closing = new AbortController();
  const workspaces = createWorkspaces({
    dataDir,
    signal: closing.signal,
    lent,
    credential,
    origin: config.github.origin,
    mirrors: config.file.mirrors,
  });
  const forge = createGitHubForge({
    apiUrl: config.github.apiUrl,
    token: credential,
    userAgent: 'agentpr',
    clock,
    onTrouble: () => connections.doubt('forge'),
  });
  const { token, apiRoot, admins } = config.telegram;
  const chat = hidingChat(lent, createChat({ token, apiRoot, clock }));
  const tokens = createTokens([keys.buttons]);
  const wordsFor = createWordsFor(ledger.query);
  const roles = createRoles({ users: ledger.query, adminIds: admins });
  const cli = createCliSource({ ledger, clock });
  const hints = createHints({ ledger, clock });
  const patch: PatchOf = async (runId, since) => {
    const run = await ledger.query.run(runId);
    if (!run?.commit || !(await workspaces.exists(runId))) return null;
    const { pushed, foreign } = run;
    if (since === 'theirs') {
      if (!foreign?.head || !pushed) return null;
      return workspaces.patch({ runId, base: pushed.sha, head: foreign.head.sha, limit: DOCUMENT_LIMIT });
    }
    const base = (since === 'pushed' ? pushed?.sha : null) ?? run.commit.base;
    return workspaces.patch({ runId, base, head: run.commit.sha, limit: DOCUMENT_LIMIT });
  };

  const bot = createBot({
    ...{ token, apiRoot, ledger, roles, clock, log },
    onStored: () => void drain(),
    onTrouble: () => connections.doubt('chat'),
  });
  const { dispatch, inbox } = createOrchestrator({
    ledger,
    clock,
    ids: randomIds,
    timers: systemTimers,
    heavyCap: config.file.maxParallelRuns,
    log,
    ...(options.onWritten ? { onWritten: options.onWritten } : {}),
    handlers: (offer) =>
      createHandlers({
        ledger,
        submit: offer,
        clock,
        timers: systemTimers,
        workspaces,
        notes: hidingNotes(lent, createNotes(workspaces)),
        forge,
        checks: hidingChecks(
          lent,
          createChecks({
            ...boxed,
            network: { install: network.installs === 'shared', check: network.checks === 'shared' },
          }),
        ),
        executors: createEngines(
          { ...boxed, lent, scriptNetwork: network.scripts === 'shared' },
          config.operator,
          config.file.engines,
        ),
        settings: {
          maxParallelRuns: config.file.maxParallelRuns,
          maxRunsPerDay: config.file.maxRunsPerDay,
          policies: config.file.policies,
          author: config.file.author,
          checkTimeoutMs: config.file.checkTimeoutMinutes * MINUTE,
        },
        receiptKey: keys.receipts,
        wording: english,
        skill: readSkill,
        distillLog,
        log,
        lent,
        hints,
        tell: createTellHandler({
          ...{ chat, ledger, tokens, clock, wordsFor, patch },
          places: createPlaces(ledger, admins),
        }),
      }),
    sources: (offer) => {
      const handler = createBotHandler({
        submit: offer,
        ledger,
        clock,
        ids: randomIds,
        tokens,
        defaults: {
          engine: config.engine,
          script: config.file.script ? [config.file.script] : [],
          bounds: Bounds.parse(config.file.bounds),
          promptVersion: 'v1',
        },
        engines: ENGINE_NAMES,
        promptVersions: skillVersions(),
        roles,
        deciders: admins,
        patch,
        distillLog,
        botName: () => bot.botName(),
        updates: config.http.publicUrl === null ? 'polling' : 'webhook',
        wordsFor,
      });
      return {
        chat: async (row) => {
          const { tap } = await handler.handle(row);
          // Unqueued: a tap is answered after its commit and never waits behind other messages.
          if (tap)
            bot
              .answer(tap)
              .catch((error: unknown) => log.error({ err: error }, 'a tap could not be answered'));
        },
        sorry: (row, reason) => handler.sorry(row, reason),
        forge: createHandle({ submit: offer, ledger, hints, clock }),
        cli: cli.handler(offer),
      };
    },
  });
  const connections = createConnections({
    ...{ looks: looksOf({ config, bot, forge, sandbox }), clock, timers: systemTimers },
    changed: (one) => options.onConnection?.(connections.now(), one),
    tell: ({ party, ...news }) => {
      inbox
        .receive([connectionNote({ ...party, ...news }, admins)])
        .catch((error: unknown) => log.error({ err: error }, 'nobody could be told of a connection'));
    },
  });
  const drain = (): Promise<void> =>
    inbox.drain().catch((error: unknown) => log.error({ err: error }, 'the inbox could not be read'));

  const recovery = await recover({ ledger, workspaces, reaper: createReaper({ dataDir }), clock, log });
  await inbox.receive([bootNote(recovery, clock.now())]);
  // A start that fails must leave nothing open that would keep the process alive.
  const giveUp = async (error: unknown): Promise<never> => {
    await dispatch.stop();
    // What is being handled needs the ledger.
    await drain();
    await ledger.close();
    throw error;
  };
  const orders = await listenForOrders(dataDir, (order) => cli.give(inbox, order)).catch(giveUp);
  const receive: Inbox['receive'] = (items) => inbox.receive(items);
  const http = await listen({
    ...{ config, key: keys.webhook, bot, ledger, receive, log },
    connections: () => connections.now(),
  }).catch(async (error: unknown) => {
    await orders.close();
    return giveUp(error);
  });
  dispatch.wake();
  connections.start();
  const housekeeping = startHousekeeping({ ledger, clock, timers: systemTimers, log });
  const failed = new Promise<never>((_, reject) => {
    (http.register ?? bot.start)().catch(reject);
  });
  failed.catch((error: unknown) => log.fatal({ err: error }, 'the bot stopped'));
  bot.menu().catch((error: unknown) => log.warn({ err: error }, 'the menu could not be set'));

  return {
    ledger,
    address: http.address,
    failed,
    async stop() {
      await connections.stop();
      await bot.stop();
      await http.close();
      await orders.close();
      // After the effects know: what a stopped git left undone is done again after the next start.
      const stopped = dispatch.stop();
      closing.abort();
      await stopped;
      await housekeeping.stop();
      await ledger.close();
    },
  };
};
