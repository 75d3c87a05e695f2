/** Plays one seeded random history and checks the invariants. */
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import type { Happened } from './chaos.ts';
import type { Coverage } from './coverage.ts';
import { createRandom } from './random.ts';
import { dieAt, type Fate } from './scheduler.ts';
import { createStage, openMemory, type Opened } from './stage.ts';
import { isResting, judgeGround, judgeLog } from './trajectory.ts';
import { weatherOf } from './weather.ts';

export type HistoryResult = {
  seed: number;
  violations: string[];
  crashes: number;
  pulls: number;
  iterations: number;
  deliveries: number;
  steps: number;
  ended: string[];
  trace: string[];
  /** Random events by number; a shrunk history may omit them. */
  happened: readonly Happened[];
};

export type HistoryOptions = {
  coverage: Coverage;
  /** Opens another ledger than the one in memory. */
  open?: (() => Promise<Opened>) | undefined;
  /** Numbers of omitted events. */
  leftOut?: ReadonlySet<number>;
  /** Turns before the calm phase; derived from the seed by default. */
  length?: number;
  /** Chance per turn that people move, rename or close something. */
  moves?: number;
};

/** Maximum number of turns to come to rest. */
const REST = 2_000;

export const playHistory = async (seed: number, options: HistoryOptions): Promise<HistoryResult> => {
  const { coverage, leftOut } = options;
  const random = createRandom(seed);
  const weather = weatherOf(random);
  const length = options.length ?? weather.length;
  const opened = (await options.open?.()) ?? openMemory();
  const { mail, bounds, runs: most, plan, reads } = weather;
  const { moves = 0 } = options;
  const behaviour = { ...weather.behaviour, moves };
  const stage = await createStage({
    random,
    coverage,
    opened,
    behaviour,
    mail,
    bounds,
    leftOut,
    runs: most,
    plan,
    reads,
  });
  const { world, people, oracle, chaos, violations, violate, life } = stage;
  world.repo.required = weather.required;
  const lifetime = (): Fate | null =>
    chaos.strikes('process: dies', weather.crash) ? dieAt(random, random.int(260)) : null;
  await people.settleIn(await stage.start(lifetime()));
  let steps = 0;
  const turn = async (how: () => Promise<unknown>): Promise<void> => {
    steps += 1;
    await how();
    oracle.check();
  };

  const wild = async (): Promise<void> => {
    await stage.restartIfDead(lifetime);
    if (chaos.strikes('clock: put forward', weather.clock)) stage.now.at += random.int(3_600_000);
    if (chaos.strikes('clock: put back', weather.clock)) {
      stage.now.at -= random.int(600_000);
      oracle.putBack();
    }
    await stage.outside();
    if (random.chance(0.3))
      await (random.chance(weather.diligence) ? people.diligent(life()) : people.act(life()));
    if (random.chance(world.host.open().length > 0 ? weather.busy : 0.03)) world.meddle();
    if (moves > 0 && random.chance(moves)) world.moveGround();
    if (life().unread() || random.chance(0.05)) life().drain();
    if (random.chance(0.05) || (await stage.dueNow())) life().pump(random.int(3) + 1);
    await stage.goOn(1 + random.int(8));
    if (random.chance(0.5)) await stage.wait(false);
  };
  while (steps < length) {
    await turn(wild);
    if (steps % 25 === 0) await stage.judgeWaiting();
    if (moves > 0 && steps % 10 === 0 && !life().life.dead())
      violations.push(...(await judgeGround(life().query, world.repo.name)));
  }

  // The product stops failing for a while, the code host does not.
  world.steady();
  stage.say('steady');
  for (let i = 0; i < (options.length === undefined ? weather.steady : 0); i += 1) {
    await turn(() => stage.calm(true, lifetime));
    if (world.host.open().length > 0 && random.chance(weather.busy)) world.meddle();
    if (moves > 0 && random.chance(moves)) world.moveGround();
    if (random.chance(0.05)) await people.act(life());
  }
  await stage.judgeWaiting();

  // Everything must now end or wait for a person, by itself.
  world.calm();
  stage.say('fair weather');
  /** True when every run ended or waits for a person who got a message. */
  const resting = async (): Promise<boolean> => {
    if (!stage.idle()) return false;
    const { query } = life();
    if (!(await query.runs({ live: true, limit: 1_000 })).every(isResting)) return false;
    const pending = await query.effects({ state: 'pending' });
    // A workspace is kept while its closed pull request may be reopened.
    const isLater = (e: (typeof pending)[number]): boolean =>
      e.kind === 'remove_workspace' && e.dueAt > stage.now.at;
    const done = pending.every((e) => e.kind === 'poll' || e.kind === 'offer_input' || isLater(e));
    return done && !(await people.answer(life(), false));
  };
  let rested = false;
  for (let i = 0; i < REST && !rested; i += 1) {
    await turn(() => stage.calm(false));
    if (i % 4 === 3) rested = await resting();
  }
  if (!rested) violate(`it did not come to rest within ${REST} turns`);
  await stage.judgeWaiting();

  const { query, ledger } = life();
  const runs = await query.runs({ live: false, limit: 1_000 });
  for (const run of runs)
    if (!isResting(run))
      violate(`S6: run ${run.id} is stuck in ${run.lifecycle.state}: ${run.lifecycle.reason.kind}`);
  oracle.finish(runs, await query.inboxCounts(), people.asked());
  for (const f of (await replayRuns(ledger)).findings) violate(`L5: ${f.verdict}: ${f.runId}: ${f.says}`);
  let iterations = 0;
  for (const run of runs) {
    const said = judgeLog(await query.events(run.id), weather.bounds);
    violations.push(...said.wrong);
    iterations += said.iterations;
  }
  await opened.close();
  return {
    seed,
    violations,
    steps,
    iterations,
    trace: stage.trace,
    crashes: stage.boots() - 1,
    pulls: world.record.created.length,
    deliveries: stage.mail.counts().delivered,
    ended: runs.map((r) => r.lifecycle.state),
    happened: chaos.happened(),
  };
};
