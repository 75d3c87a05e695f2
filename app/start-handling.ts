/** Composition root: assembles a running AgentPR around an open ledger and chats that receive. */
import { extendCardsAfterDowntime } from '../bot/unanswered-cards.ts';
import { createMayApprove } from '../bot/commands/user-roles.ts';
import { createCampaignSource } from './campaign-control.ts';
import { createCliSource, listenForOrders } from './control-socket.ts';
import { createOrderDefaults } from './runtime-settings.ts';
import { listWatchedRepositories } from './watched-repositories.ts';
import { createHookCallReader } from './read-hook-call.ts';
import { createPostComment } from './item-comments.ts';
import { createOrderBuilder } from './build-order.ts';
import { createServedBoard } from './board-parts.ts';
import { boardAddressOf } from './board-routes.ts';
import { listProbesAt } from './probes/probe-table.ts';
import { createAppContext, type AppContext } from './app-context.ts';
import type { ChatIntake } from './chat-intake.ts';
import type { OpenedProcess } from './opened-process.ts';
import type { AppOptions, RunningApp } from './running-app.ts';
import { subscribeToPeers } from './peer-events.ts';
import type { ControlConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { createLedgerCheck } from './ledger-check.ts';
import {
  createConnectionMonitor,
  type ConnectionMonitor,
  type ConnectionParty,
} from './connection-monitor.ts';
import { createPriceCheck } from './engine-costs.ts';
import { startListener } from './http-listener.ts';
import { createPullAdopter, createCampaignPlanner } from './campaign-planning.ts';
import { createBackgroundJobs } from './background-jobs.ts';
import { createChatService, type ChatService } from './chat-service.ts';
import { listAdminChats, listAdminIds } from './chats.ts';
import { storeAdmins } from './known-admins.ts';
import { createForgeHandler } from './forges.ts';
import { createReaper } from '#process';
import type { Run } from '#run';
import { traitsOf } from '#effects';
import {
  randomIds,
  type Inbox,
  type InboxHandlers,
  type SubmitInput,
  createOrchestrator,
  pruneHandlingStops,
  createSubmitInput,
  recoverAfterCrash,
} from '#runtime';
import { needsWorkspace, createPollHints, type PollHints } from '#kernel';
import { createFigures, createReports } from '#reports';
import { isWatchedIn, type CampaignPlanner, type PullAdopter } from '#campaigns';
import type { IncomingItem } from '#ports/steps';
import { bootInboxItem, connectionInboxItem, handleNotice, findNoteOfferInboxItem } from '#notices';
import { resumePricedRuns } from '#limits';
import { setReceiptPage } from '#receipts';
import { retryWhileUnavailable } from '#db';

type ControlApp = AppContext<ControlConfig>;

type SourceParts = {
  service: ChatService;
  planner: CampaignPlanner;
  adopter: PullAdopter;
  rounds: ReturnType<typeof createBackgroundJobs>;
  hints: NonNullable<PollHints['hints']>;
  cli: ReturnType<typeof createCliSource>;
};

/** Who handles what was stored, a row a source. */
const createSources =
  ({ ledger, clock, hands: { host } }: ControlApp, parts: SourceParts) =>
  (submit: SubmitInput): InboxHandlers => {
    const { service, planner, adopter, rounds, hints, cli } = parts;
    const moved = rounds.campaignMoved;
    const campaigns = { ledger, clock, submit, planner: () => planner, adopter: () => adopter, moved };
    return {
      ...service.source(submit),
      forge: createForgeHandler({
        submit,
        ledger,
        hints,
        clock,
        mayWork: (repo) => host.credentials.mayWork(repo),
        forget: () => host.credentials.forget(),
        labelled: rounds.labelled,
        released: rounds.released,
        followed: (repo, finds) => {
          if (adopter.hint(repo, finds)) rounds.followedMoved();
        },
      }),
      cli: cli.handler(submit, createCampaignSource(campaigns)),
      note: async (row) => {
        if (await planner.handle(row)) return;
        if (await adopter.handle(row)) moved();
        else await handleNotice(ledger, row, clock);
      },
    };
  };

const retryAndLog = <T>({ log }: ControlApp, work: () => Promise<T>): Promise<T> =>
  retryWhileUnavailable(work, ({ message }) => log.warn({}, message));

/** Finds what a process before this one left, and what to tell of it. */
const recover = async (app: ControlApp, { model }: ChatService): Promise<IncomingItem> => {
  const { config, ledger, clock, place, log, hands, watches } = app;
  const reaper = createReaper({ dataDir: place });
  const { workspaces } = hands;
  const recovery = await recoverAfterCrash({ ledger, workspaces, reaper, clock, log });
  // Must not wake the dispatcher before all cards were extended.
  const early = { ledger, submit: createSubmitInput({ ledger, clock, ids: randomIds }) };
  await extendCardsAfterDowntime(early, recovery.lastSeenAt, clock.now()).catch((error: unknown) =>
    log.error({ err: error }, 'cards were not given the time in which nobody could answer'),
  );
  await setReceiptPage(ledger, config.http.publicUrl, clock.now());
  await model?.afterRestart();
  const setAside = await pruneHandlingStops(watches.handling, ledger.query);
  return bootInboxItem({ ...recovery, setAside }, clock.now(), listAdminChats(config.chats));
};

/** A subscription to what other processes of this installation write; null where this one is alone. */
const watchPeers = (
  { fleet, ledger, clock, log, hands: { workspaces } }: ControlApp,
  { wake, written }: { wake: () => void; written: (run: Run) => void },
): ReturnType<typeof subscribeToPeers> | null =>
  fleet &&
  subscribeToPeers(fleet, {
    ledger,
    log,
    concerns: () => true,
    wake,
    written: (run) => {
      written(run);
      if (!needsWorkspace(run, clock.now())) void workspaces.clean(run.id).catch(() => {});
    },
  });

/** Asks the chats, the code host and the engines again and again, and tells admins what changed. */
const watchConnections = (
  { config, clock, timers, log, hands: { host, forge, sandbox } }: ControlApp,
  { chats }: ChatService,
  {
    receive,
    onConnection,
  }: { receive: Inbox['receive']; onConnection: AppOptions['onConnection'] | undefined },
): ConnectionMonitor => {
  const admins = listAdminChats(config.chats);
  const connections = createConnectionMonitor({
    checks: listProbesAt('watch').flatMap((probe) =>
      probe({ config, chats: chats.all, host, forge, sandbox }),
    ),
    clock,
    timers,
    changed: (one) => onConnection?.(connections.now(), one),
    tell: ({ party, ...news }) => {
      receive([connectionInboxItem({ ...party, ...news }, admins)]).catch((error: unknown) =>
        log.error({ err: error }, 'nobody could be told of a connection'),
      );
    },
  });
  return connections;
};

/** Parts of the app that the listener takes as they are. */
const listenerParts = ({
  config,
  ledger,
  clock,
  log,
  hands: { keys },
  watches: { attempts },
}: ControlApp) => ({
  config,
  ledger,
  clock,
  log,
  attempts,
  key: keys.webhook,
  receiptSeed: keys.receiptSeed,
  approvalKeys: config.file.approvalKeys === 'registered' ? [] : config.file.approvalKeys,
});

const listLabelledRepositories = async ({ config, hands: { capabilities } }: ControlApp) => {
  const watched = listWatchedRepositories(config);
  if (watched.length > 0 && !capabilities.issues)
    throw new ConfigError(
      ({ hostRefused }) => `arrivals.issues: ${hostRefused({ kind: 'has_no_issues' })}`,
      'config',
    );
  return watched;
};

const createRunNotes =
  (
    { log, hands: { reputation } }: ControlApp,
    {
      board,
      receive,
      rounds,
    }: Pick<SourceParts, 'rounds'> & {
      board: ReturnType<typeof createServedBoard>;
      receive: Inbox['receive'];
    },
  ) =>
  (run: Run, before: Run | null): void => {
    board?.onRunChanged(run.id);
    reputation.note(run);
    const offer = findNoteOfferInboxItem(run, before);
    if (offer)
      receive([offer]).catch((error: unknown) =>
        log.error({ err: error, run: run.id }, 'a wish could not be compared with earlier ones'),
      );
    if (run.order.campaign === undefined) return;
    if (run.gate.approval && run.gate.approval.id !== before?.gate.approval?.id) rounds.cardMoved();
    rounds.campaignMoved();
  };

const orchestrate = (
  app: ControlApp,
  parts: SourceParts,
  onWritten: NonNullable<AppOptions['onWritten']>,
): ReturnType<typeof createOrchestrator> => {
  const { config, ledger, clock, timers, fleet, log, hands, watches } = app;
  return createOrchestrator({
    ledger,
    clock,
    ids: randomIds,
    timers,
    writers: hands.writers,
    watch: watches.handling,
    heavyCap: config.file.maxParallelPerProcess,
    checkOwnKeys: hands.checkOwnKeys,
    log,
    onWritten: (run, before) => {
      onWritten(run, before);
      watches.tracing?.written(run, before);
    },
    ...(fleet ? { kinds: (kind) => !traitsOf(kind).workspace } : {}),
    handlers: (offer) =>
      app.handlers(offer, {
        hints: parts.hints,
        tell: parts.service.tell,
        postComment: createPostComment(config),
      }),
    sources: createSources(app, parts),
  });
};

/** Joins the parts of the control process. Nothing is received and no work begins here. */
const joinParts = (app: ControlApp, intake: ChatIntake, options: AppOptions) => {
  const { config, ledger, clock, log, hands } = app;
  const { host, forge, runtimeSettings } = hands;
  const cli = createCliSource({ ledger, clock });
  const hints = createPollHints({ ledger, clock });
  const figures = createFigures({ query: ledger.query, books: ledger.figures });
  const reports = createReports({ figures, query: ledger.query, runtimeSettings, clock });
  const rounds = createBackgroundJobs();
  let boardAddress: string | null = null;
  const receive: Inbox['receive'] = (items) => inbox.receive(items);
  const findParty = (kind: ConnectionParty['kind']) =>
    connections.now().find((one) => one.party.kind === kind);
  const service = createChatService(app, {
    intake,
    reports,
    receive,
    onCampaign: rounds.campaignMoved,
    account: () => findParty('forge')?.account ?? null,
    boardAddress: () => boardAddress,
  });
  const board = createServedBoard(app, service, {
    reports,
    submit: (offered) => submit(offered),
    receive,
    address: () => boardAddress,
    ...options,
  });
  const mayApprove = createMayApprove(service.roles);
  const ours = { config, ledger, clock, host, forge };
  const planner = createCampaignPlanner(ours, { figures, mayApprove });
  const adopter = createPullAdopter(ours, hints);
  const noteWrittenRun = createRunNotes(app, { board, receive, rounds });
  const { dispatch, inbox, submit } = orchestrate(
    app,
    { service, planner, adopter, rounds, hints, cli },
    (run, before) => {
      noteWrittenRun(run, before);
      options.onWritten?.(run, before);
    },
  );
  const connections = watchConnections(app, service, { receive, onConnection: options.onConnection });
  const drainInbox = (): Promise<void> =>
    inbox.drain().catch((error: unknown) => log.error({ err: error }, 'the inbox could not be read'));
  hands.hearSpendingNotes(() => void drainInbox());
  const ledgerCheck = createLedgerCheck({
    ledger,
    clock,
    log,
    admins: listAdminChats(config.chats),
    receive,
  });
  const orderOf = createOrderBuilder(config.github.serverUrl, createOrderDefaults(config, runtimeSettings));
  return {
    cli,
    figures,
    reports,
    rounds,
    receive,
    findParty,
    service,
    board,
    mayApprove,
    adopter,
    noteWrittenRun,
    dispatch,
    inbox,
    submit,
    connections,
    drainInbox,
    ledgerCheck,
    orderOf,
    boardAddress: () => boardAddress,
    onListening: (address: string) => {
      boardAddress = board && boardAddressOf(config.http.publicUrl, address);
    },
  };
};

type ControlParts = ReturnType<typeof joinParts>;

/** Opens the listener and the socket of the host's own orders. Closes what is open when it fails. */
const openEntrances = async (app: ControlApp, parts: ControlParts) => {
  const { config, ledger, clock } = app;
  const { cli, inbox, orderOf, ledgerCheck, adopter, rounds } = parts;
  const watched = await listLabelledRepositories(app);
  const http = await startListener({
    ...listenerParts(app),
    chatWebhooks: parts.service.chats.all.flatMap(({ connection: { webhook } }) => webhook ?? []),
    receive: parts.receive,
    isWatched: isWatchedIn(watched),
    isFollowed: adopter.isFollowed,
    awaitsRelease: rounds.awaitsRelease,
    board: parts.board?.routes ?? [],
    readCall: createHookCallReader({ hooks: config.hooks, query: ledger.query, clock, orderOf }),
    connections: () => parts.connections.now(),
    changedRuns: () => ledgerCheck.changedRuns(),
    reports: parts.reports,
  });
  // L9: whoever hangs at what was left is listening by then; an order of the host handles it too.
  const orders = await listenForOrders(config.dataDir, (order) => cli.give(inbox, order)).catch(
    async (error: unknown) => {
      await http.close();
      throw error;
    },
  );
  parts.onListening(http.address);
  return {
    http,
    watched,
    async close() {
      await http.close();
      await orders.close();
    },
  };
};

type Entrances = Awaited<ReturnType<typeof openEntrances>>;

const startRepeatedWork = (app: ControlApp, parts: ControlParts, { watched }: Entrances): void => {
  const { config, ledger, log } = app;
  const { connections, ledgerCheck, rounds, service, findParty, submit } = parts;
  connections.start();
  ledgerCheck.start();
  rounds.start(app, {
    submit,
    receive: parts.receive,
    figures: parts.figures,
    adopter: parts.adopter,
    watched,
    orderOf: parts.orderOf,
    mayApprove: parts.mayApprove,
    roles: service.roles,
    accountsOf: service.chats.accountsOf,
    patch: service.patch,
    awaySince: () => {
      const chat = findParty('chat');
      return chat?.state === 'away' ? chat.since : null;
    },
  });
  resumePricedRuns({ ledger, submit, log, hasPrice: createPriceCheck(config) }).catch((error: unknown) =>
    log.error({ err: error }, 'runs whose model has a price now could not go on'),
  );
};

/** Handles what the chats have sent until now, and from now on. */
const hearChats = (
  { life, log }: ControlApp,
  intake: ChatIntake,
  { connections, drainInbox }: ControlParts,
  { http }: Entrances,
): Promise<never> => {
  intake.hear({ onStored: () => void drainInbox(), onTrouble: () => connections.doubt('chat') });
  // Nobody heard of what was stored while the ledger was recovered.
  void drainInbox();
  if (http.register) intake.register(http.register);
  const failed = Promise.race([life.taken, intake.failed]);
  failed.catch((error: unknown) => log.fatal({ err: error }, 'the bot stopped'));
  return failed;
};

export const startHandling = async (
  config: ControlConfig,
  { opened, intake }: { opened: OpenedProcess; intake: ChatIntake },
  options: AppOptions,
): Promise<RunningApp> => {
  const admins = listAdminIds(intake.loaded);
  const app = await createAppContext(config, opened, {
    mayMakeKeys: true,
    admins,
    onTrouble: () => parts.connections.doubt('forge'),
    stopReceiving: () => intake.chats.stop(),
  });
  const { ledger, fleet, life } = app;
  if (fleet) await storeAdmins(ledger, admins).catch(life.giveUp);
  const parts = joinParts(app, intake, options);
  const { board, connections, dispatch, drainInbox, rounds, service } = parts;
  const giveUp = (error: unknown): Promise<never> =>
    life.giveUp(error, async () => {
      await dispatch.stop();
      // The inbox must be drained before the ledger closes.
      await drainInbox();
    });
  // guard: L6-failed-start-ends
  const recovered = await retryAndLog(app, () => recover(app, service)).catch(giveUp);
  const entrances = await openEntrances(app, parts).catch(giveUp);
  await retryAndLog(app, () => parts.receive([recovered])).catch(async (error: unknown) => {
    await entrances.close();
    return giveUp(error);
  });
  dispatch.wake();
  const peers = watchPeers(app, {
    wake: () => {
      dispatch.wake();
      void drainInbox();
    },
    written: (run) => {
      parts.noteWrittenRun(run, null);
      dispatch.onWritten(run, null);
    },
  });
  startRepeatedWork(app, parts, entrances);
  const failed = hearChats(app, intake, parts, entrances);
  await service.showMenus();

  return {
    ledger,
    address: entrances.http.address,
    async boardLink(person, validMs) {
      const link = await service.access.issueLink(person, validMs === undefined ? {} : { validMs });
      const address = parts.boardAddress();
      return link && 'token' in link && address !== null ? `${address}/board/enter/${link.token}` : null;
    },
    failed,
    async stop() {
      peers?.stop();
      await rounds.stop();
      await connections.stop();
      await intake.chats.stop();
      board?.close();
      await entrances.close();
      await life.end(() => dispatch.stop());
    },
  };
};
