/** A stage: successive lives of the product over one ledger and world, on a virtual clock. */
import { createSecretKey } from 'node:crypto';
import { createLedger } from '../../db/ledger/ledger.ts';
import { openStore } from '../../db/directory/open-ledger.ts';
import type { RunBounds } from '#model/limits';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { createMemoryLedger, createMemoryStore } from '../support/memory-ledger.ts';
import { createChaos } from './chaos.ts';
import type { Coverage } from './coverage.ts';
import { createMail, type Weather as Mail } from './mail.ts';
import { createOracle } from './oracle.ts';
import { createPeople } from './people.ts';
import { startProcess, type Process } from './process.ts';
import type { Random } from './random.ts';
import type { Fate } from './scheduler.ts';
import { judgeWaiting } from './trajectory.ts';
import { createSimulation } from './world.ts';
import type { Behaviour } from './world/state.ts';

export const EPOCH = 1_700_000_000_000;
export const SECRET_KEY = new TextEncoder().encode('the key of the chain of every history');
const KEY = createSecretKey(SECRET_KEY);
/** Longest wait in the calm phase (ms). */
const PATIENCE = 1_200_000;

export type Opened = {
  ledger: (boot: string, now: () => number) => Ledger;
  close: () => Promise<void>;
  slow?: boolean;
  /** Errors that may occur without a crash. */
  mayFail?: (error: unknown) => boolean;
};

export const openMemory = (): Opened => {
  const store = createMemoryStore();
  return {
    ledger: (boot, now) => createMemoryLedger({ store, key: KEY, boot, now }),
    close: async () => undefined,
  };
};
/** Uses the directory's own key, if there is a directory. */
export const openSqlite = async (dataDir?: string): Promise<Opened> => {
  const { store, key } = await openStore(dataDir ? { dataDir } : { dataDir: ':memory:', key: SECRET_KEY });
  return { ledger: (boot, now) => createLedger({ store, key, boot, now }), close: () => store.close() };
};

export type Setting = {
  random: Random;
  coverage: Coverage;
  opened: Opened;
  behaviour: Partial<Behaviour>;
  mail: Mail;
  bounds: Partial<RunBounds>;
  leftOut?: ReadonlySet<number> | undefined;
  /** Maximum number of ordered runs. */
  runs?: number;
  /** Chances that a run keeps a plan, and that its agent reads first. */
  plan?: number;
  reads?: number;
};

export type Stage = Awaited<ReturnType<typeof createStage>>;

export const createStage = async (setting: Setting) => {
  const { random, coverage, opened, bounds } = setting;
  const now = { at: EPOCH };
  const clock = { now: () => now.at };
  const chaos = createChaos(random, coverage.troubles, setting.leftOut);
  const world = createSimulation({ random, clock, chaos, behaviour: setting.behaviour });
  const violations: string[] = [];
  const trace: string[] = [];
  const violate = (v: string): void => void violations.push(v);
  const say = (what: string): void => void trace.push(`${now.at - EPOCH} ${what}`);
  const oracle = createOracle(world, violate, {
    clock,
    autoIterate: bounds.autoIterate ?? false,
    pushesAfter: bounds.push === 'after_approval',
  });
  const people = createPeople({
    random,
    world,
    chaos,
    oracle,
    say,
    clock,
    most: setting.runs ?? 1,
    plan: setting.plan ?? 0,
    reads: setting.reads ?? 0,
  });
  const arrived: IncomingItem[] = [];
  let life: Process | null = null;
  const mail = createMail({
    random,
    chaos,
    weather: setting.mail,
    later: world.later,
    deliver: (item) => {
      if (!life || life.life.dead()) return false;
      say(`delivery ${item.key}`);
      arrived.push(item);
      return true;
    },
  });
  world.post = mail.post;
  let boots = 0;

  const start = async (fate: Fate | null): Promise<Process> => {
    boots += 1;
    const made = startProcess({
      ledger: opened.ledger,
      world,
      clock,
      random,
      coverage,
      fate,
      boot: `boot ${boots}`,
      bounds,
      slow: opened.slow ?? false,
      onError: (error) => {
        if (opened.mayFail?.(error)) return;
        violate(`an error nobody expected: ${error instanceof Error ? error.stack : String(error)}`);
      },
    });
    life = made;
    await made.boot();
    return made;
  };
  const alive = (): Process => {
    if (!life) throw new Error('nothing was started yet');
    return life;
  };

  const stage = {
    now,
    clock,
    chaos,
    world,
    oracle,
    people,
    mail,
    violations,
    violate,
    trace,
    say,
    start,
    life: alive,
    boots: () => boots,
    async restartIfDead(fate: () => Fate | null): Promise<void> {
      if (!alive().life.dead()) return;
      say('crash and restart');
      now.at += random.int(5_000);
      // Deliveries fail until the restart.
      world.tick();
      await start(fate());
    },
    async outside(): Promise<void> {
      world.tick();
      if (arrived.length > 0) await alive().receive(arrived.splice(0));
    },
    async dueNow(): Promise<boolean> {
      const due = await alive().ledger.nextDue();
      return due !== null && due <= now.at;
    },
    /** Continues a few port calls in random order. */
    async goOn(most: number): Promise<void> {
      const { life: scheduler, busy } = alive();
      let idle = 0;
      for (let i = 0; i < most && idle < 3 && !scheduler.dead(); i += 1) {
        if (scheduler.waiting() === 0 && busy() === 0) return;
        // A database needs time in which nothing waits.
        idle = (await scheduler.go()) ? 0 : idle + 1;
      }
    },
    /** Advances time to the next due event; false when there is none, or none soon. */
    async wait(patient: boolean): Promise<boolean> {
      const { life: scheduler, unread, ledger } = alive();
      if (scheduler.waiting() > 0 || scheduler.dead() || unread()) return true;
      const looks = patient ? people.looksAgain() : null;
      const times = [await ledger.nextDue(), world.next(), looks].filter((t) => t !== null);
      if (times.length === 0) return false;
      const due = Math.min(...times);
      if (patient && due - now.at > PATIENCE) return false;
      now.at = Math.max(now.at + (random.chance(0.1) ? 30_000 : 50), due);
      return true;
    },
    /** Finishes started work before time goes on. False when nothing is left to do. */
    async calm(eager: boolean, fate: () => Fate | null = () => null): Promise<boolean> {
      await stage.restartIfDead(fate);
      await stage.outside();
      const { unread, drain, pump } = alive();
      if (unread()) drain();
      if (await stage.dueNow()) pump(8);
      await stage.goOn(Infinity);
      return unread() || (await stage.dueNow()) || (await people.answer(alive(), eager)) || stage.wait(true);
    },
    idle(): boolean {
      const { life: scheduler, busy, unread } = alive();
      const still = scheduler.waiting() === 0 && !scheduler.dead() && busy() === 0 && !unread();
      return still && world.next() === null;
    },
    async judgeWaiting(): Promise<void> {
      if (!alive().life.dead()) violations.push(...(await judgeWaiting(alive().query)));
    },
  };
  return stage;
};
