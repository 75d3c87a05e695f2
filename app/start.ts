/**
 * The composition root: takes a configuration, puts the parts together, and gives back a running
 * AgentPR.
 */
import { createEditJudge } from '../orchestrator/effects/permission.ts';
import { isEarlier, isPerson, readUpdate } from '../bot/commands/updates.ts';
import { createBotHandler } from '../bot/commands/handler.ts';
import { freezeWhileDown, startAttention } from '../bot/attention.ts';
import { createReadFile } from '../bot/files.ts';
import { createBot } from '../bot/intake.ts';
import { createWordsFor } from '../bot/language/language.ts';
import { createPlaces } from '../bot/places.ts';
import { createMayApprove, createRoles } from '../bot/commands/roles.ts';
import { createChat } from '../bot/send.ts';
import { createTellHandler } from '../bot/tell.ts';
import { createTokens } from '../bot/commands/tokens.ts';
import { systemTimers } from './clock.ts';
import { createCampaignSource } from './campaign-control.ts';
import { createCliSource, listenForOrders } from './control.ts';
import { defaultsOf } from './house.ts';
import { watchedIn } from './arrivals.ts';
import { createReadCall } from './hooks.ts';
import { createOrderOf } from './order-of.ts';
import { broughtFirst, createFileOf, createPatchOf } from './patches.ts';
import { looksOf } from './looks.ts';
import { createMember } from './member.ts';
import { hearOthers } from './others.ts';
import type { Config } from './config.ts';
import { chatModelOf } from './chat-model.ts';
import { createConnections, type Connection } from './connections.ts';
import { distillLog } from '../executors/checks/distill.ts';
import { ENGINE_NAMES } from '../executors/engines/engines.ts';
import { hidingChat } from '../executors/sandbox/lent-hiding.ts';
import { createReaper } from '../executors/process/reaper.ts';
import { isRepositoryAt } from '../forge/facts.ts';
import { listen } from './http.ts';
import type { Run } from '../orchestrator/core/machine/run.ts';
import { isTerminal } from '../orchestrator/core/states.ts';
import { traitsOf } from '../orchestrator/core/machine/effect-traits.ts';
import { startCampaigns } from '../orchestrator/engine/campaigns.ts';
import { createHints } from '../orchestrator/engine/hints.ts';
import { createFigures } from '../orchestrator/engine/figures.ts';
import { startHousekeeping } from '../orchestrator/engine/housekeeping.ts';
import { isWatchedIn, startLabelled, type LabelledRounds } from '../orchestrator/engine/labelled.ts';
import { randomIds } from '../orchestrator/engine/ids.ts';
import type { Inbox } from '../orchestrator/engine/inbox.ts';
import { createReports } from '../orchestrator/engine/reports.ts';
import { createOrchestrator } from '../orchestrator/engine/orchestrator.ts';
import type { Ledger } from '../orchestrator/ports.ts';
import { createSubmit } from '../orchestrator/engine/submit.ts';
import { bootNote, connectionNote } from '../orchestrator/engine/notices.ts';
import { createAdopter, isAdoption, startFollowing } from '../orchestrator/engine/adopting.ts';
import { createPlanner, isBatch } from '../orchestrator/engine/planning.ts';
import { recover } from '../orchestrator/engine/reconcile.ts';
import { skillVersions } from './skills.ts';
import { createHandle } from '../webhooks/handle.ts';

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
  const { ledger, clock, place, fleet, lent, log, hands, tracing } = member;
  const { keys, credentials, workspaces, writers, reputation, house, forge } = hands;
  const { token, apiRoot, admins } = config.telegram;
  const chat = hidingChat(lent, createChat({ token, apiRoot, clock }));
  const tokens = createTokens([keys.buttons]);
  const wordsFor = createWordsFor(ledger.query);
  const model = chatModelOf({
    config,
    ledger,
    clock,
    wordsFor,
    log,
    closing: hands.closing,
    hide: (text) => lent.hide(text),
    receive: (items) => inbox.receive(items),
  });
  const roles = createRoles({ users: ledger.query, adminIds: admins });
  const cli = createCliSource({ ledger, clock });
  const hints = createHints({ ledger, clock });
  const shown = fleet ? broughtFirst(hands, log) : workspaces;
  const patch = createPatchOf(ledger, shown);
  const fileOf = createFileOf(shown);
  const figures = createFigures({ query: ledger.query, books: ledger.figures });
  const reports = createReports({ figures, query: ledger.query, house, clock });

  let attention: ReturnType<typeof startAttention> | null = null;
  let campaigns: ReturnType<typeof startCampaigns> | null = null;
  let labelled: LabelledRounds | null = null;
  const isRepository = isRepositoryAt(config.github.origin);
  const mayApprove = createMayApprove(roles);
  const planner = createPlanner({
    ledger,
    forge,
    figures,
    forks: config.file.forks,
    settings: config.file.campaigns,
    isRepository,
    clock,
    timers: systemTimers,
    mayApprove,
  });
  const adopter = createAdopter({ ledger, forge, isRepository, hints, clock });
  const bot = createBot({
    token,
    apiRoot,
    ledger,
    roles,
    clock,
    log,
    onlyPoller: fleet !== null,
    onStored: () => void drain(),
    onTrouble: () => connections.doubt('chat'),
  });
  /** Their menu follows their role and their language. */
  const onMember = (user: string): void => {
    Promise.all([roles.of(user), wordsFor(user)])
      .then(([member, words]) => bot.menuOf(user, member?.role ?? null, words))
      .catch((error: unknown) => log.warn({ err: error }, 'the menu of a person could not be set'));
  };
  const heard = (run: Run, before: Run | null): void => {
    reputation.note(run);
    if (run.order.campaign !== undefined && run.approval && run.approval.id !== before?.approval?.id)
      attention?.soon();
    if (run.order.campaign !== undefined) campaigns?.soon();
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
    handlers: (offer) =>
      member.handlers(offer, {
        hints,
        tell: createTellHandler({
          chat,
          ledger,
          tokens,
          clock,
          wordsFor,
          patch,
          fileOf,
          reports,
          origin: config.github.origin,
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
        house,
        engines: ENGINE_NAMES,
        defaults: defaultsOf(config, house),
        reports,
        judgeEdit: createEditJudge(config.file.policies),
        promptVersions: skillVersions(),
        roles,
        deciders: admins,
        isRepository,
        receive: (items) => inbox.receive(items),
        sentFile: createReadFile({ token, apiRoot, clock }),
        onCampaign: () => campaigns?.soon(),
        origin: config.github.origin,
        fileOf,
        onMember,
        account: () => connections.now().find(({ party }) => party.kind === 'forge')?.account ?? null,
        isPerson,
        isEarlier,
        read: readUpdate,
        patch,
        distillLog,
        botName: () => bot.botName(),
        updates: config.http.publicUrl === null ? 'polling' : 'webhook',
        wordsFor,
        model,
      });
      const cliHandler = cli.handler(
        offer,
        createCampaignSource({
          ledger,
          clock,
          submit: offer,
          planner: () => planner,
          adopter: () => adopter,
          moved: () => campaigns?.soon(),
        }),
      );
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
        forge: createHandle({
          submit: offer,
          ledger,
          hints,
          clock,
          mayWork: async (repo) => credentials.hasAccount || (await credentials.app(repo)) !== null,
          forget: () => credentials.forget(),
          labelled: (repo) => labelled?.hint(repo),
        }),
        cli: async (row) => {
          if (isBatch(row.body)) return void (await planner.handle(row));
          if (!isAdoption(row.body)) return cliHandler(row);
          await adopter.handle(row);
          campaigns?.soon();
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

  const reaper = createReaper({ dataDir: place });
  const recovery = await recover({ ledger, workspaces, reaper, clock, log });
  // By a submit that wakes no dispatcher: first all cards have to have their time.
  const early = { ledger, submit: createSubmit({ ledger, clock, ids: randomIds }) };
  await freezeWhileDown(early, recovery.lastSeenAt, clock.now()).catch((error: unknown) =>
    log.error({ err: error }, 'cards were not given the time in which nobody could answer'),
  );
  await model?.afterRestart();
  await inbox.receive([bootNote(recovery, clock.now(), admins)]);
  // A start that fails must leave nothing open that would keep the process alive.
  const giveUp = async (error: unknown): Promise<never> => {
    await dispatch.stop();
    // What is being handled needs the ledger.
    await drain();
    return member.giveUp(error);
  };
  const orders = await listenForOrders(dataDir, (order) => cli.give(inbox, order)).catch(giveUp);
  const receive: Inbox['receive'] = (items) => inbox.receive(items);
  const orderOf = createOrderOf(config.github.origin, defaultsOf(config, house));
  const watched = watchedIn(config);
  const http = await listen({
    config,
    key: keys.webhook,
    bot,
    ledger,
    receive,
    isWatched: isWatchedIn(watched),
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
        if (isTerminal(run.state)) void workspaces.clean(run.id).catch(() => {});
        dispatch.onWritten(run, null);
      },
    });
  connections.start();
  const housekeeping = startHousekeeping({ ledger, figures, clock, timers: systemTimers, log });
  campaigns = startCampaigns({
    ledger,
    submit,
    clock,
    timers: systemTimers,
    log,
    mayApprove,
    receive: (items) => inbox.receive(items),
  });
  const following = startFollowing({
    adopter,
    timers: systemTimers,
    log,
    moved: () => campaigns?.soon(),
  });
  labelled = startLabelled({
    watched,
    forge,
    query: ledger.query,
    clock,
    timers: systemTimers,
    log,
    orderOf: (given, requester, chat) => orderOf(given, { requester, chat }),
    receive: (items) => inbox.receive(items),
  });
  attention = startAttention({
    ledger,
    roles,
    clock,
    timers: systemTimers,
    log,
    submit,
    patch,
    awaySince: () => {
      const chatNow = connections.now().find(({ party }) => party.kind === 'chat');
      return chatNow?.state === 'away' ? chatNow.since : null;
    },
    receive: (items) => inbox.receive(items),
  });
  const failed = new Promise<never>((_, reject) => {
    Promise.all([member.taken, (http.register ?? bot.start)()]).catch(reject);
  });
  failed.catch((error: unknown) => log.fatal({ err: error }, 'the bot stopped'));
  bot.menu().catch((error: unknown) => log.warn({ err: error }, 'the menu could not be set'));
  for (const { id } of await roles.everybody()) onMember(id);

  return {
    ledger,
    address: http.address,
    failed,
    async stop() {
      others?.stop();
      await attention?.stop();
      await following.stop();
      await campaigns?.stop();
      await labelled?.stop();
      await connections.stop();
      await bot.stop();
      await http.close();
      await orders.close();
      await housekeeping.stop();
      await member.end(() => dispatch.stop());
    },
  };
};
