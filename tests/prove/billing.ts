/** One seeded billing trial of agents, gateway and provider, with crashes. */
import { tellStory } from '../../bench/story.ts';
import { createGateway } from '../../executors/gateway/gateway.ts';
import type { Run } from '#run';
import * as acts from '../support/core-acts.ts';
import { createAsker, type Trial } from './billing-agent.ts';
import type { BillingProvider } from './billing-provider.ts';
import { createChaos } from './chaos.ts';
import { createCoverage } from './coverage.ts';
import { startProcess, type Process } from './process.ts';
import { createRandom, seedFor } from './random.ts';
import { dieAt } from './scheduler.ts';
import { EPOCH, type Opened } from './stage.ts';
import { createSimulation } from './world.ts';

/** Lives that may end by a crash; the next one finishes. */
const DEATHS = 3;
/** Claim rounds per life. */
const MAX_TURNS = 60;
/** Tolerance of dollar sums. */
const ROUNDING = 1e-6;

export type BillingResult = { violations: string[]; trace: string[]; facts: Record<string, number> };

const isOver = ({ lifecycle: { state } }: Run): boolean => state !== 'IMPLEMENTING';

/** Plays one trial, then compares billed with counted usage. */
export const playBilling = async (
  seed: number,
  opened: Opened,
  provider: BillingProvider,
): Promise<BillingResult> => {
  const random = createRandom(seedFor(seed, 'billing'));
  const result: BillingResult = { violations: [], trace: [], facts: {} };
  const trial: Trial = {
    seed,
    random,
    provider,
    asked: new Map<string, number>(),
    say: (what) => void result.trace.push(what),
    count: (what) => void (result.facts[what] = (result.facts[what] ?? 0) + 1),
    violate: (what) => void result.violations.push(what),
  };
  const now = { at: EPOCH };
  const clock = { now: () => now.at };
  const chaos = createChaos(random, new Map());
  const world = createSimulation({ random, clock, chaos });
  Object.assign(world.ports.workspaces, {
    exists: async () => true,
    reset: async () => undefined,
    left: async () => ({ files: [], unfit: [] }),
    list: async () => [],
  });
  const limits = new Map<string, { costUsd: number } | { tokens: number }>();

  const start = async (
    mayDie: boolean,
  ): Promise<{ made: Process; close: () => Promise<void>; died: () => void }> => {
    const dying = Promise.withResolvers<void>();
    let left = mayDie && random.chance(0.5) ? 1 + random.int(30) : Infinity;
    const onMoment = (): void => {
      left -= 1;
      if (left === 0) made.life.kill();
    };
    const gateway = createGateway({
      onTrouble: (error) => {
        if (!made.life.dead()) trial.violate(`a request could not be served: ${String(error)}`);
      },
    });
    world.ports.script = createAsker(
      trial,
      gateway,
      { life: () => made.life, died: dying.promise },
      onMoment,
    );
    const made: Process = startProcess({
      ledger: opened.ledger,
      world,
      clock,
      random,
      coverage: createCoverage(),
      fate: mayDie && random.chance(0.7) ? dieAt(random, random.int(80)) : null,
      boot: `boot ${random.text(6)}`,
      bounds: {},
      onError: (error) =>
        trial.violate(`an error nobody expected: ${error instanceof Error ? error.stack : String(error)}`),
    });
    await made.boot();
    return { made, close: () => gateway.close(), died: dying.resolve };
  };
  const runsOf = async ({ query }: Process): Promise<Run[]> => {
    const found = await Promise.all([...limits.keys()].map((id) => query.run(id)));
    return found.filter((run) => run !== null);
  };
  /** Runs until the process dies or the agents are idle. */
  const goOn = async (made: Process): Promise<void> => {
    const { life, pump, busy, ledger } = made;
    for (let i = 0; i < MAX_TURNS && !life.dead(); i += 1) {
      pump(8);
      while (!life.dead() && (life.waiting() > 0 || busy() > 0)) await life.go();
      if (life.dead() || (await runsOf(made)).every(isOver)) return;
      now.at = Math.max(now.at + 1_000, (await ledger.nextDue()) ?? 0);
    }
  };

  for (let lives = 0; ; lives += 1) {
    const { made, close, died } = await start(lives < DEATHS);
    if (lives === 0)
      for (let runs = 1 + random.int(3); runs > 0; runs -= 1) {
        const id = `t${seed}r${runs}`;
        const limit = random.chance(0.7)
          ? { costUsd: random.pick([0.01, 0.2, 0.6]) }
          : { tokens: random.pick([500, 20_000, 60_000]) };
        limits.set(id, limit);
        const bounds = {
          ...('costUsd' in limit ? { maxCostUsd: limit.costUsd } : { maxTokens: limit.tokens }),
          maxStepRetries: 4,
          retryMs: 1_000,
        };
        const story = [acts.startDiscovery, acts.discovered(), acts.baseChecked(), acts.startWork()];
        await tellStory({ ledger: made.ledger, from: now.at, bounds }, id, story);
      }
    await goOn(made);
    const isDead = made.life.dead();
    if (isDead) {
      trial.say('crash and restart');
      trial.count('deaths');
    }
    died();
    await close();
    now.at += 90_000;
    if (isDead) continue;
    await provider.settle();
    for (const run of await runsOf(made)) judgeRun(run, limits.get(run.id), trial);
    for (const text of provider.strangers.splice(0))
      trial.violate(`the provider heard of a stranger: ${text}`);
    return result;
  }
};

const judgeRun = (
  { id, lifecycle: { state, usage } }: Run,
  limit: { costUsd: number } | { tokens: number } | undefined,
  { provider, violate, count, say }: Trial,
): void => {
  const { billed, largest, requests } = provider.accountOf(id);
  for (let i = 0; i < requests; i += 1) count('requests heard');
  say(`${id} is ${state}: billed ${JSON.stringify(billed)}, counted ${JSON.stringify(usage)}`);
  if (state === 'IMPLEMENTING') violate(`${id} is not over`);
  for (const what of ['inputTokens', 'outputTokens', 'costUsd'] as const)
    if (billed[what] > usage[what] + ROUNDING)
      violate(`E18: ${id} was billed ${billed[what]} ${what}, and ${usage[what]} are counted`);
  if (limit === undefined) return;
  const [came, most, bound] =
    'costUsd' in limit
      ? [billed.costUsd, largest.costUsd, limit.costUsd]
      : [billed.inputTokens + billed.outputTokens, largest.inputTokens + largest.outputTokens, limit.tokens];
  if (came > bound) count('over the limit, by one request at most');
  if (came > bound + most + ROUNDING)
    violate(
      `E18: ${id} was billed ${came} with a limit of ${bound}, and one request comes to ${most} at most`,
    );
};
