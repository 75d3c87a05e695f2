/** The real orchestrator, bot and effects over the second chat and the second code host. */
import { createBriefing } from '#briefing';
import { createSpendingMeter } from '#limits';
import { receiptsWith } from './receipts.ts';
import { readerHere } from './reader-here.ts';
import { onTestFinished } from 'vitest';
import { parseSentCampaign } from '../../orchestrator/orders/sent-campaign-file.ts';
import { createChatInboxHandlers, joinChats, type LoadedChat, chatTraitsOf } from '#chat';
import { createBotHandler } from '../../bot/commands/handle-update.ts';
import type { BotParts } from '../../bot/commands/command-context.ts';
import { createChatRoles } from '../../bot/commands/user-roles.ts';
import { createButtonTokens } from '../../bot/commands/button-tokens.ts';
import { ENGLISH_WORDING, createWordsFor } from '#language';
import type { Run } from '#run';
import { createOrchestrator } from '#runtime';
import { createMovedChats } from '../../bot/moved-chats.ts';
import { createMessageHandler } from '../../bot/deliver-message.ts';
import { ForkSettings } from '#model/pull';
import { RunBounds } from '#model/limits';
import { PolicySettings } from '#model/settings';
import { createHandlers, createReplacementAssessor, createPollHints } from '#kernel';
import { handleNotice } from '#notices';
import type { IncomingItem } from '#ports/steps';
import type { LogPort } from '#ports/processes';
import { createChaos } from '../prove/chaos.ts';
import { createRandom } from '../prove/random.ts';
import type { Opened } from '../prove/stage.ts';
import { createSimulation } from '../prove/world.ts';
import { createSecondForge } from './second-forge.ts';
import { createClock, settle } from './timers.ts';

/** The list of chats is all that differs between installations. */
type Installation = { opened: Opened; project: string; loaded: readonly LoadedChat[] };

export const startSecondInstallation = ({ opened, project, loaded }: Installation) => {
  const clock = createClock();
  const random = createRandom(1);
  /** Only git, agent and checks of this world are used. */
  const world = createSimulation({ random, clock, chaos: createChaos(random, new Map()) });
  const { workspaces, notes, checks, script } = world.ports;
  const ledger = opened.ledger('boot 1', () => clock.now());
  const errors: unknown[] = [];
  const note: LogPort['error'] = (fields) => void errors.push(fields);
  const log: LogPort = { debug: () => {}, info: () => {}, warn: note, error: note };
  const told: IncomingItem[] = [];
  const forge = createSecondForge({
    project,
    clock,
    tell: (event) => void told.push(event),
    head: (branch) => world.repo.branches.get(branch),
  });
  const ids = { runId: () => random.text(6), nonce: () => random.text(16) };
  const hints = createPollHints({ ledger, clock });
  const tokens = createButtonTokens([new Uint8Array(32)]);
  const wordsFor = createWordsFor(ledger.query);
  const patch = async () => null;
  const roles = createChatRoles({ users: ledger.query, adminIds: loaded.flatMap(({ admins }) => admins) });
  const chats = joinChats(loaded, {
    ledger,
    roles,
    wordsFor,
    clock,
    log,
    onlyPoller: false,
    onStored: () => {},
    onTrouble: () => {},
  });
  const { inbox, dispatch } = createOrchestrator({
    ledger,
    clock,
    ids,
    timers: clock,
    heavyCap: 2,
    log,
    handlers: (submit) => {
      const shared = {
        ledger,
        clock,
        log,
        workspaces,
        checks,
        forge: forge.port,
        agents: { engines: { script } },
        texts: { wording: ENGLISH_WORDING, reader: readerHere },
        settings: {
          maxParallelRuns: 2,
          maxRunsPerDay: 9,
          policies: PolicySettings.parse({}),
          forks: ForkSettings.parse({}),
          author: { name: 'AgentPR', email: 'a@b.c' },
          checkTimeoutMs: 60_000,
        },
      };
      return createHandlers({
        ...shared,
        submit,
        spending: { createMeter: createSpendingMeter({ ...shared, submit }) },
        hints,
        agents: { ...shared.agents, notes, brief: createBriefing({ ...shared, skill: (name) => name }) },
        approvals: {
          issueReceipt: receiptsWith(new Uint8Array(32)),
          checkOwnKeys: async () => 'too_few',
          roleOf: async () => 'approver',
        },
        tell: createMessageHandler({
          chat: chats.out,
          ledger,
          tokens,
          clock,
          wordsFor,
          patch,
          shownPatch: async (patch) => patch,
          readPages: async () => {},
          places: createMovedChats(
            ledger,
            loaded.flatMap(({ adminChats }) => adminChats),
          ),
        }),
      });
    },
    sources: (submit) => {
      const handling: Omit<BotParts, 'adapter'> = {
        submit,
        ledger,
        receive: (items) => ledger.receive(items, clock.now()),
        clock,
        ids,
        tokens,
        people: { roles, wordsFor },
        engines: {
          names: ['script'],
          promptVersions: ['v1'],
          assessReplacement: createReplacementAssessor(PolicySettings.parse({})),
          defaults: { engine: 'script', script: ['fix'], bounds: RunBounds.parse({}), promptVersion: 'v1' },
        },
        host: { isRepository: forge.isRepository },
        readers: {
          patch,
          readPages: async () => {},
          distillLog: readerHere.distillLog,
          readLog: readerHere.readLog,
          readSentList: async (content, words) => parseSentCampaign(content, words),
        },
        services: {},
      };
      return {
        ...createChatInboxHandlers({
          chats: chats.all,
          ledger,
          clock,
          log,
          handlerOf: (chat) => createBotHandler({ ...handling, adapter: chatTraitsOf(chats, chat) }),
        }),
        forge: forge.hear(ledger, hints),
        cli: () => Promise.reject(new Error('nobody orders on the host')),
        note: (row) => handleNotice(ledger, row, clock),
      };
    },
  });
  onTestFinished(async () => {
    await dispatch.stop();
    await opened.close();
  });

  return {
    ledger,
    chats,
    forge,
    errors,
    branches: world.repo.branches,
    async receive(event: IncomingItem): Promise<void> {
      await inbox.receive([event]);
      await inbox.drain();
    },
    /** Handles what a chat has stored by itself. */
    drain: () => inbox.drain(),
    /** Advances time until the newest run fits. */
    async until(arrived: (run: Run) => boolean, most = 2_000): Promise<Run> {
      let run: Run | undefined;
      for (let i = 0; i < most; i += 1) {
        [run] = await ledger.query.runs({ live: false, limit: 1 });
        const waiting = (await ledger.inbox(1)).length > 0;
        if (run && !waiting && arrived(run)) return run;
        if (told.length > 0) await inbox.receive(told.splice(0));
        for (let tick = 0; tick < 20; tick += 1) await settle();
        await clock.pass(500);
      }
      throw new Error(
        `The run stays in ${run?.lifecycle.state}: ${JSON.stringify([run?.lifecycle.reason, errors])}`,
      );
    },
  };
};
