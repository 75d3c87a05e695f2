/** S7: limits survive restarts: so many failing fixes, then a person is called once. */
import type { RunBounds } from '#model/limits';
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createCoverage } from '../coverage.ts';
import { ANA } from '../process.ts';
import { createRandom, seedFor } from '../random.ts';
import { dieAt, type Fate } from '../scheduler.ts';
import { spread } from '../spread.ts';
import { createStage, openMemory, openSqlite, type Stage } from '../stage.ts';
import { judgeLog } from '../trajectory.ts';
import type { Behaviour } from '../world/state.ts';

const bar = { quick: 60, full: 2_000 };
const CAP = 2;
/** Number of red results. */
const FAILING = 20;
const TURNS = 1_500;

type Loop = {
  name: string;
  behaviour: Partial<Behaviour>;
  bounds: Partial<RunBounds>;
  /** Final state, and agent rounds without crashes. */
  ends: 'NEEDS_HUMAN_REVIEW' | 'PAUSED';
  rounds: number;
  iterations: number;
};

const LOOPS: Loop[] = [
  {
    name: 'fixes of red checks',
    behaviour: {},
    bounds: { maxIterations: CAP },
    ends: 'NEEDS_HUMAN_REVIEW',
    rounds: 1 + CAP,
    iterations: CAP,
  },
  {
    name: 'reflections on our own checks',
    behaviour: { checksFail: 1 },
    bounds: { maxReflections: CAP },
    ends: 'NEEDS_HUMAN_REVIEW',
    rounds: 1 + CAP,
    iterations: 0,
  },
  {
    name: 'repairs of a report',
    behaviour: { agentGarbles: 1 },
    bounds: { maxReportRepairs: CAP },
    ends: 'NEEDS_HUMAN_REVIEW',
    rounds: 1 + CAP,
    iterations: 0,
  },
  {
    name: 'retries of a step',
    behaviour: { agentCrashes: 1 },
    bounds: { maxStepRetries: CAP },
    ends: 'NEEDS_HUMAN_REVIEW',
    rounds: 1 + CAP,
    iterations: 0,
  },
];

/** CI fails on every commit. */
const alwaysRed = ({ world }: Stage): void => {
  world.onHead = (pull, sha) => {
    for (let i = 0; i < FAILING; i += 1)
      world.later(i * 4_000, () => {
        if (pull.state === 'open') world.host.check(sha, 'build', 'failure', 1_000);
      });
  };
};

const playLoop = async (
  seed: number,
): Promise<{ violations: string[]; crashes: number; name: string; lines: string[] }> => {
  const random = createRandom(seedFor(seed, 'caps'));
  const loop = LOOPS[seed % LOOPS.length] as Loop;
  const bounds = {
    maxIterations: 3,
    maxReflections: 3,
    maxReportRepairs: 1,
    maxStepRetries: 2,
    approvalMs: 86_400_000,
    pollMs: 5_000,
    ciSettleMs: 5_000,
    retryMs: 1_000,
    ciWaitMs: 86_400_000,
    autoIterate: random.chance(0.5),
    ...loop.bounds,
  };
  const opened = seed % 8 === 0 ? await openSqlite() : openMemory();
  const stage = await createStage({
    random,
    coverage: createCoverage(),
    opened,
    bounds,
    behaviour: loop.behaviour,
    mail: { hooks: random.int(3), lost: 0, twice: 0.3, late: 0.3 },
  });
  alwaysRed(stage);
  const fate = (): Fate | null => (random.chance(0.8) ? dieAt(random, random.int(250)) : null);
  await stage.people.settleIn(await stage.start(fate()));
  await stage.people.order(stage.life(), ANA);
  for (let i = 0; i < TURNS; i += 1) {
    const more = await stage.calm(false, fate);
    stage.oracle.check();
    const [run] = stage.life().life.dead() ? [] : await stage.life().query.runs({ live: true, limit: 1 });
    if ((run?.lifecycle.state === loop.ends && stage.idle()) || !more) break;
  }
  const { query } = stage.life();
  const [run] = await query.runs({ live: false, limit: 1 });
  const events = run ? await query.events(run.id) : [];
  const judged = judgeLog(events, bounds);
  stage.violations.push(...judged.wrong);
  if (run?.lifecycle.state !== loop.ends)
    stage.violate(`S7: it ends in ${run?.lifecycle.state}: ${run?.lifecycle.reason.kind}`);
  if (judged.escalations !== 1) stage.violate(`S7: ${judged.escalations} people were called`);
  if (judged.iterations !== loop.iterations)
    stage.violate(`S7: ${judged.iterations} iterations, where ${loop.iterations} are allowed`);
  // Rounds are counted by requests, because an interrupted round is started again.
  const asked = await query.effects({ ...(run ? { runId: run.id } : {}), kind: 'implement' });
  if (asked.length !== loop.rounds)
    stage.violate(`S7: ${asked.length} rounds were asked for, not ${loop.rounds}`);
  await opened.close();
  return {
    violations: stage.violations.map((v) => `${loop.name}: ${v}`),
    crashes: stage.boots() - 1,
    name: loop.name,
    lines: stage.trace,
  };
};

export const play: Play = async ({ from, count }, progress) => {
  const violations: string[] = [];
  const facts: Record<string, number> = { crashes: 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    const found = await playLoop(seed);
    facts.crashes = (facts.crashes ?? 0) + found.crashes;
    facts[found.name] = (facts[found.name] ?? 0) + 1;
    for (const v of found.violations) violations.push(`--only caps --seed ${seed}: ${v}`);
    if (seed % 10 === 0) progress(seed - from);
  }
  return { trials: count, violations, facts };
};

export const caps: Claim = {
  name: 'caps',
  says: `${FAILING} failing fixes with a bound of ${CAP}, restarts included: ${CAP} dispatches, one call for a person; the other loops likewise`,
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('caps', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
  repeat: async (seed) => {
    const { lines, violations } = await playLoop(seed);
    return { lines, violations };
  },
};
