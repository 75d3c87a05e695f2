/** One life of the product: the real core, submit, handlers, bot and ledger, over a world in memory. It may die at any port call. */
import { createBotHandler } from '../../bot/commands/handler.ts';
import { LANGUAGES } from '../../bot/language.ts';
import { createRoles } from '../../bot/roles.ts';
import { createTellHandler } from '../../bot/tell.ts';
import { createTokens } from '../../bot/tokens.ts';
import { DEFAULT_BOUNDS, type Bounds } from '../../orchestrator/core/bounds.ts';
import { PolicySettings } from '../../orchestrator/core/govern/settings.ts';
import { createPerform, type Log } from '../../orchestrator/dispatch.ts';
import { createHandlers } from '../../orchestrator/effects/index.ts';
import { createInbox } from '../../orchestrator/inbox.ts';
import type { Clock, Ids, Incoming, Ledger } from '../../orchestrator/ports.ts';
import { bootNote, notices, recover, tellOfBoot } from '../../orchestrator/reconcile.ts';
import { createSubmit } from '../../orchestrator/submit.ts';
import type { Random } from './random.ts';
import { Crash, createLife, type Coverage, type Fate } from './scheduler.ts';
import type { World } from './world.ts';

/** The one who may approve, somebody who may look, and somebody who may ask. */
export const ANA = 11;
export const VIC = 22;
export const BO = 33;
export const EVE = 66;
export const SECRET = new TextEncoder().encode('a secret that only the prover knows');

export type ProcessParts = {
  /** A ledger of this boot over a store that outlives it. */
  ledger: (boot: string, now: () => number) => Ledger;
  world: World;
  clock: Clock;
  random: Random;
  coverage: Coverage;
  /** Where it dies; null lives on. */
  fate: Fate | null;
  boot: string;
  bounds: Partial<Bounds>;
  /** Unexpected errors: anything but a crash is a violation. */
  onError: (error: unknown) => void;
};

export type Process = ReturnType<typeof startProcess>;

const LEASE = 60_000;

export const startProcess = (parts: ProcessParts) => {
  const { world, clock, random, coverage } = parts;
  const life = createLife(random, parts.fate, coverage);
  const bare = parts.ledger(parts.boot, () => clock.now());
  const ledger = life.guard('ledger', bare);
  const ids: Ids = { runId: () => random.text(6), nonce: () => random.text(16) };
  const note = (fields: object): void => {
    const { err } = fields as { err?: unknown };
    if (err !== undefined && !(err instanceof Crash) && !life.dead()) parts.onError(err);
  };
  const log: Log = { debug: () => {}, info: () => {}, warn: note, error: note };
  const submit = createSubmit({ ledger, clock, ids });
  const tokens = createTokens([SECRET]);
  const { workspaces, forge, checks, script, chat } = world.ports;
  const handlers = createHandlers({
    ledger,
    submit,
    clock,
    workspaces: life.guard('workspaces', workspaces),
    plans: { write: async () => undefined, read: async () => null },
    forge: life.guard('forge', forge),
    checks: life.guard('checks', checks),
    executors: { script: life.guard('agent', script) },
    settings: {
      maxParallelRuns: 2,
      maxRunsPerDay: 100,
      policies: PolicySettings.parse({}),
      author: { name: 'AgentPR', email: 'a@b.c' },
      checkTimeoutMs: 60_000,
    },
    receiptKey: SECRET,
    skill: () => '',
    distillLog: (log) => log,
    log,
    tell: createTellHandler({
      chat: life.guard('chat', chat),
      ledger,
      tokens,
      clock,
      wordsFor: async () => LANGUAGES.en,
      patch: async () => null,
    }),
  });
  const perform = createPerform({
    ledger,
    submit,
    clock,
    handlers,
    report: (note) => ledger.receive([note], clock.now()),
    log,
  });
  const bot = createBotHandler({
    submit,
    ledger,
    clock,
    ids,
    tokens,
    defaults: {
      engine: 'script',
      engineArgs: ['fix'],
      bounds: { ...DEFAULT_BOUNDS, ...parts.bounds },
      promptVersion: 'v1',
    },
    roles: createRoles({ users: ledger.query, adminIds: [ANA] }),
    deciders: [ANA],
    patch: async () => null,
    botName: () => 'bot',
    distillLog: (log) => log,
    wordsFor: async () => LANGUAGES.en,
  });
  const nothing = async (): Promise<void> => undefined;
  const inbox = createInbox({
    ledger,
    clock,
    log,
    handlers: {
      telegram: async (row) => void (await bot.handle(row)),
      github: nothing,
      cli: (row) => (notices(row.body) ?? tellOfBoot)(ledger, row, clock),
    },
  });

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
    /** Durable at once: the sender got its acknowledgement. */
    receive: (items: readonly Incoming[]) => bare.receive(items, clock.now()),
    drain: (): void => track(inbox.drain()),
    /** Claims what is due, at most a few, and performs them beside each other. */
    pump: (limit: number): void =>
      track(
        ledger.claim({ now: clock.now(), leaseMs: LEASE, limit }).then((claims) => {
          for (const claim of claims) track(perform(claim, new AbortController().signal));
        }),
      ),
    boot: async (): Promise<void> => {
      const found = await recover({ ledger: bare, workspaces, reaper: { reap: async () => 0 }, clock, log });
      await bare.receive([bootNote(found, clock.now())], clock.now());
    },
    query: bare.query,
    ledger: bare,
  };
};
