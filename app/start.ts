/**
 * The composition root: takes a configuration, puts the parts together, and gives back a running
 * AgentPR.
 */
import { freezeWhileDown } from '../bot/attention.ts';
import { createMayApprove } from '../bot/commands/roles.ts';
import { systemTimers } from './clock.ts';
import { createCampaignSource } from './campaign-control.ts';
import { createCliSource, listenForOrders } from './control.ts';
import { defaultsOf } from './house.ts';
import { watchedIn } from './arrivals.ts';
import { createReadCall } from './hooks.ts';
import { createOrderOf } from './order-of.ts';
import { looksOf } from './looks.ts';
import { createMember } from './member.ts';
import { hearOthers } from './others.ts';
import type { Config } from './config.ts';
import { createConnections, type Connection, type Party } from './connections.ts';
import { hasPrice } from './costs.ts';
import { listen } from './http.ts';
import { adopterOf, plannerOf } from './planning.ts';
import { createRounds } from './rounds.ts';
import { createTelegram } from './telegram.ts';
import { createReaper } from '../executors/process/reaper.ts';
import type { Run } from '../orchestrator/core/machine/run.ts';
import { isTerminal } from '../orchestrator/core/states.ts';
import { traitsOf } from '../orchestrator/core/machine/effect-traits.ts';
import { createHints } from '../orchestrator/engine/hints.ts';
import { createFigures } from '../orchestrator/engine/figures.ts';
import { isWatchedIn } from '../orchestrator/engine/labelled.ts';
import { randomIds } from '../orchestrator/engine/ids.ts';
import type { Inbox } from '../orchestrator/engine/inbox.ts';
import { createReports } from '../orchestrator/engine/reports.ts';
import { createOrchestrator } from '../orchestrator/engine/orchestrator.ts';
import type { Ledger } from '../orchestrator/ports.ts';
import { createSubmit } from '../orchestrator/engine/submit.ts';
import { bootNote, connectionNote } from '../orchestrator/engine/notices.ts';
import { isAdoption } from '../orchestrator/engine/adopting.ts';
import { isBatch } from '../orchestrator/engine/planning.ts';
import { resumePricedRuns } from '../orchestrator/engine/priced-runs.ts';
import { recover } from '../orchestrator/engine/reconcile.ts';
import { createHandle } from '../webhooks/handle.ts';
import { retryWhileAway } from '../db/directory/patience.ts';

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

export const startApp = async (config: Config, options: AppOptions = {}): Promise<App> => {
  const { dataDir } = config;
  const member = await createMember(config, {
    mayMakeKeys: true,
    onTrouble: () => connections.doubt('forge'),
  });
  const { ledger, clock, place, fleet, log, hands, tracing } = member;
  const { keys, credentials, workspaces, writers, reputation, house, forge } = hands;
  const { admins } = config.telegram;
  const cli = createCliSource({ ledger, clock });
  const hints = createHints({ ledger, clock });
  const figures = createFigures({ query: ledger.query, books: ledger.figures });
  const reports = createReports({ figures, query: ledger.query, house, clock });
  const rounds = createRounds();
  const receive: Inbox['receive'] = (items) => inbox.receive(items);
  const party = (kind: Party['kind']) => connections.now().find((one) => one.party.kind === kind);
  const telegram = createTelegram({
    config,
    member,
    reports,
    receive,
    onStored: () => void drain(),
    onTrouble: () => connections.doubt('chat'),
    onCampaign: rounds.campaignMoved,
    account: () => party('forge')?.account ?? null,
  });
  const { bot, roles, model } = telegram;
  const mayApprove = createMayApprove(roles);
  const ours = { config, ledger, clock, forge };
  const planner = plannerOf(ours, { figures, mayApprove });
  const adopter = adopterOf(ours, hints);
  const heard = (run: Run, before: Run | null): void => {
    reputation.note(run);
    if (run.order.campaign === undefined) return;
    if (run.gate.approval && run.gate.approval.id !== before?.gate.approval?.id) rounds.cardMoved();
    rounds.campaignMoved();
  };
  const { dispatch, inbox, submit } = createOrchestrator({
    ledger,
    clock,
    ids: randomIds,
    timers: systemTimers,
    writers,
    heavyCap: config.file.maxParallelPerProcess,
    log,
    onWritten: (run, before) => {
      heard(run, before);
      tracing?.written(run, before);
      options.onWritten?.(run, before);
    },
    ...(fleet ? { kinds: (kind) => !traitsOf(kind).workspace } : {}),
    handlers: (offer) => member.handlers(offer, { hints, tell: telegram.tell }),
    sources: (offer) => {
      const cliHandler = cli.handler(
        offer,
        createCampaignSource({
          ledger,
          clock,
          submit: offer,
          planner: () => planner,
          adopter: () => adopter,
          moved: rounds.campaignMoved,
        }),
      );
      return {
        ...telegram.source(offer),
        forge: createHandle({
          submit: offer,
          ledger,
          hints,
          clock,
          mayWork: async (repo) => credentials.hasAccount || (await credentials.app(repo)) !== null,
          forget: () => credentials.forget(),
          labelled: rounds.labelled,
          followed: (repo, finds) => {
            if (adopter.hint(repo, finds)) rounds.followedMoved();
          },
        }),
        cli: async (row) => {
          if (isBatch(row.body)) return void (await planner.handle(row));
          if (!isAdoption(row.body)) return cliHandler(row);
          await adopter.handle(row);
          rounds.campaignMoved();
        },
      };
    },
  });
  const connections = createConnections({
    looks: looksOf({ config, bot, forge, sandbox: hands.sandbox }),
    clock,
    timers: systemTimers,
    changed: (one) => options.onConnection?.(connections.now(), one),
    tell: ({ party, ...news }) => {
      inbox
        .receive([connectionNote({ ...party, ...news }, admins)])
        .catch((error: unknown) => log.error({ err: error }, 'nobody could be told of a connection'));
    },
  });
  const drain = (): Promise<void> =>
    inbox.drain().catch((error: unknown) => log.error({ err: error }, 'the inbox could not be read'));

  const giveUp = (error: unknown): Promise<never> =>
    member.giveUp(error, async () => {
      await dispatch.stop();
      // What is being handled needs the ledger.
      await drain();
    });
  const pickUp = async (): Promise<void> => {
    const reaper = createReaper({ dataDir: place });
    const recovery = await recover({ ledger, workspaces, reaper, clock, log });
    // By a submit that wakes no dispatcher: first all cards have to have their time.
    const early = { ledger, submit: createSubmit({ ledger, clock, ids: randomIds }) };
    await freezeWhileDown(early, recovery.lastSeenAt, clock.now()).catch((error: unknown) =>
      log.error({ err: error }, 'cards were not given the time in which nobody could answer'),
    );
    await model?.afterRestart();
    await inbox.receive([bootNote(recovery, clock.now(), admins)]);
  };
  // guard: L6-failed-start-ends
  await retryWhileAway(pickUp, (why) => log.warn({}, why)).catch(giveUp);
  const orders = await listenForOrders(dataDir, (order) => cli.give(inbox, order)).catch(giveUp);
  const orderOf = createOrderOf(config.github.serverUrl, defaultsOf(config, house));
  const watched = watchedIn(config);
  const http = await listen({
    config,
    key: keys.webhook,
    bot,
    ledger,
    receive,
    isWatched: isWatchedIn(watched),
    isFollowed: adopter.isFollowed,
    readCall: createReadCall({ hooks: config.hooks, query: ledger.query, clock, orderOf }),
    log,
    connections: () => connections.now(),
    attempts: member.attempts,
    reports,
    clock,
  }).catch(async (error: unknown) => {
    await orders.close();
    return giveUp(error);
  });
  dispatch.wake();
  const others =
    fleet &&
    hearOthers(fleet, {
      ledger,
      log,
      cares: () => true,
      wake: () => {
        dispatch.wake();
        void drain();
      },
      written: (run) => {
        heard(run, null);
        // What was brought here to be shown.
        if (isTerminal(run.lifecycle.state)) void workspaces.clean(run.id).catch(() => {});
        dispatch.onWritten(run, null);
      },
    });
  connections.start();
  rounds.start({
    ledger,
    clock,
    log,
    forge,
    submit,
    receive,
    figures,
    adopter,
    watched,
    orderOf,
    roles,
    mayApprove,
    patch: telegram.patch,
    awaySince: () => {
      const chat = party('chat');
      return chat?.state === 'away' ? chat.since : null;
    },
  });
  resumePricedRuns({ ledger, submit, log, hasPrice: hasPrice(config) }).catch((error: unknown) =>
    log.error({ err: error }, 'runs whose model has a price now could not go on'),
  );
  const failed = new Promise<never>((_, reject) => {
    Promise.all([member.taken, http.register ? http.register() : bot.start()]).catch(reject);
  });
  failed.catch((error: unknown) => log.fatal({ err: error }, 'the bot stopped'));
  await telegram.showMenus();

  return {
    ledger,
    address: http.address,
    failed,
    async stop() {
      others?.stop();
      await rounds.stop();
      await connections.stop();
      await bot.stop();
      await http.close();
      await orders.close();
      await member.end(() => dispatch.stop());
    },
  };
};
