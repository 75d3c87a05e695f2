/** One seeded history: people, forge, agents, clock and crashes in an order that chance decides, with the invariants watched. */
import { createLedger } from '../../db/ledger.ts';
import { openStore } from '../../db/open.ts';
import type { Ledger } from '../../orchestrator/ports.ts';
import { isTerminal } from '../../orchestrator/core/states.ts';
import { replay } from '../../orchestrator/replay.ts';
import type { Bounds } from '../../orchestrator/core/bounds.ts';
import { createOracle } from './oracle.ts';
import { createPeople } from './people.ts';
import { startProcess, type Process } from './process.ts';
import { createRandom } from './random.ts';
import { dieAt, type Coverage, type Fate } from './scheduler.ts';
import { createWorld } from './world.ts';

export type HistoryResult = {
  seed: number;
  violations: string[];
  crashes: number;
  pulls: number;
  steps: number;
  ended: string[];
  trace: string[];
};

const BOUNDS: Partial<Bounds> = {
  approvalMs: 600_000,
  pollMs: 5_000,
  runMs: 3_600_000,
  reminderMs: 86_400_000,
  retryMs: 1_000,
};
const SECRET_KEY = new TextEncoder().encode('the key of the chain of every history');
/** A settled history must come to rest within so many scheduler steps. */
const REST = 3_000;

export const playHistory = async (seed: number, coverage: Coverage, length = 160): Promise<HistoryResult> => {
  const random = createRandom(seed);
  const now = { at: 1_700_000_000_000 };
  const clock = { now: () => now.at };
  const world = createWorld(random, clock, 0.06);
  world.behaviour.checksFail = random.pick([0, 0, 0.2]);
  world.behaviour.agentFails = random.pick([0, 0, 0.2]);
  world.behaviour.agentIdle = random.pick([0, 0, 0.1]);
  const violations: string[] = [];
  const trace: string[] = [];
  const say = (what: string): void => void trace.push(`${now.at - 1_700_000_000_000} ${what}`);
  const { store, key } = await openStore({ dataDir: ':memory:', key: SECRET_KEY });
  const oracle = createOracle(world, clock, (v) => violations.push(v));
  const people = createPeople({ random, world, oracle, say });
  let boots = 0;
  const ledger = (boot: string, moment: () => number): Ledger =>
    createLedger({ store, key, boot, now: moment });
  const start = async (fate: Fate | null): Promise<Process> => {
    boots += 1;
    const life = startProcess({
      ...{ ledger, world, clock, random, coverage, fate, boot: `boot ${boots}`, bounds: BOUNDS },
      onError: (error) =>
        violations.push(`an error nobody expected: ${error instanceof Error ? error.stack : String(error)}`),
    });
    await life.boot();
    return life;
  };
  const lifetime = (): Fate | null => (random.chance(0.7) ? dieAt(random, random.int(260)) : null);

  let life = await start(lifetime());
  await people.settleIn(life);
  let steps = 0;

  const restartIfDead = async (fate: Fate | null): Promise<void> => {
    if (!life.life.dead()) return;
    say('crash and restart');
    now.at += random.int(5_000);
    life = await start(fate);
  };

  const turn = async (calm: boolean): Promise<boolean> => {
    steps += 1;
    await restartIfDead(calm ? null : lifetime());
    if (life.life.waiting() > 0 && random.chance(0.8)) return life.life.go();
    const acted = calm ? await people.answer(life) : random.chance(0.35) && (await people.act(life));
    if (acted) return true;
    if (!calm && random.chance(0.04)) world.meddle();
    if (life.busy() > 0 && !calm && random.chance(0.5)) return life.life.go();
    life.drain();
    life.pump(random.int(3) + 1);
    if (!calm) return life.life.go().then(() => wait(false));
    // In fair weather everything that was begun is finished before time goes on.
    while (life.life.waiting() > 0 && !life.life.dead()) await life.life.go();
    return wait(true);
  };

  /** Lets time pass until something is due; false when nothing is, or not for long. */
  const wait = async (calm: boolean): Promise<boolean> => {
    if (life.life.waiting() > 0 || life.life.dead()) return true;
    const due = await life.ledger.nextDue();
    if (due === null) return false;
    if (calm && due - now.at > 3_600_000) return false;
    now.at = Math.max(now.at + (random.chance(0.1) ? 30_000 : 50), due);
    return true;
  };

  while (steps < length) {
    await turn(false);
    oracle.check();
  }
  // Then the weather turns fair: what is left must come to an end or wait for a person, by itself.
  world.behaviour.trouble =
    world.behaviour.agentFails =
    world.behaviour.agentIdle =
    world.behaviour.checksFail =
      0;
  world.calm();
  /** At rest: every run has ended or waits for a person's word, and nobody was left without a message. */
  const resting = async (): Promise<boolean> => {
    if (life.life.waiting() > 0 || life.life.dead() || life.busy() > 0) return false;
    const live = await life.query.runs({ live: true, limit: 1_000 });
    if (live.some((r) => r.state !== 'NEEDS_HUMAN_REVIEW' && r.state !== 'PAUSED')) return false;
    const pending = await life.query.effects({ state: 'pending' });
    return pending.every((e) => e.kind === 'observe' || e.kind === 'wake') && !(await people.answer(life));
  };
  let rested = false;
  for (let i = 0; i < REST && !rested; i += 1) {
    await turn(true);
    oracle.check();
    if (i % 10 === 9) rested = await resting();
  }
  if (!rested) violations.push(`it did not come to rest within ${REST} steps`);

  const runs = await life.query.runs({ live: false, limit: 1_000 });
  for (const run of runs) {
    const waits = run.state === 'NEEDS_HUMAN_REVIEW' || run.state === 'PAUSED';
    if (!isTerminal(run.state) && !waits)
      violations.push(`S6: run ${run.id} is stuck in ${run.state}: ${run.reason}`);
  }
  oracle.finish(runs, await life.query.inboxCounts(), people.asked());
  const judged = await replay(life.ledger);
  for (const f of judged.findings) violations.push(`L5: ${f.verdict}: ${f.runId}: ${f.says}`);
  await store.close();
  return {
    seed,
    violations,
    crashes: boots - 1,
    pulls: world.repo.pulls.length,
    steps,
    ended: runs.map((r) => r.state),
    trace,
  };
};
