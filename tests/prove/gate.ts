/** Plays gate interleavings: from each state, each move, with a crash at each port call. */
import { kindSignedBy } from '../../orchestrator/kernel/inputs/inputs.ts';
import { RecordedEvent } from '../../orchestrator/kernel/effects/recorded-step.ts';
import type { Run } from '#run';
import type { RunBounds } from '#model/limits';
import { z } from 'zod';
import { createChaos } from './chaos.ts';
import { createCoverage, type Coverage } from './coverage.ts';
import { CLUSTER_MOVES, CLUSTER_STATES, startCampaign, PATCH } from './cluster-moves.ts';
import { MOVES as GATE_MOVES, type Move, type Stage } from './gate-moves.ts';
import { keptInMemory, type Kept } from './kept.ts';
import { createOracle, type Memory } from './oracle.ts';
import { createPeople } from './people.ts';
import { ANA, startProcess, type Process, type ProcessParts } from './process.ts';
import { createRandom, seedFor, type Random } from './random.ts';
import type { Fate } from './scheduler.ts';
import { createSimulation, type RealGit, type Saved, type World } from './world.ts';

/** A prepared state of ledger, world and consents. */
type Moment<S> = {
  kept: Kept<S>;
  world: Saved;
  now: number;
  runIds: string[];
  consents: Memory;
  said: ReturnType<ReturnType<typeof createPeople>['save']>;
};

export type GateResult = {
  trials: number;
  violations: string[];
  pairs: number;
  points: number;
  missed: string[];
  pulls: number;
  together: number;
};

const Signed = z.object({ by: z.object({ id: z.string() }) });

const BOUNDS = {
  approvalMs: 600_000,
  pollMs: 5_000,
  reminderMs: 86_400_000,
  retryMs: 1_000,
} satisfies Partial<RunBounds>;
/** More port calls than any move makes. */
const FOLLOW = 400;
const EPOCH = 1_700_000_000_000;

export type State = { from: string | null; moves: string[]; settle: boolean; risky?: true };

/** Each state is reached from another one by these moves. */
const statesFor = (signers: 1 | 2): Record<string, State> => {
  const confirms = ['approver taps Confirm', ...(signers > 1 ? ['second approver takes both taps'] : [])];
  return {
    'card shown': { from: null, moves: [], settle: true },
    armed: { from: 'card shown', moves: ['approver taps Open PR'], settle: true },
    ...(signers > 1
      ? { 'signed by one': { from: 'armed', moves: ['approver taps Confirm'], settle: true } }
      : {}),
    'confirmed, not yet opened': { from: 'armed', moves: confirms, settle: false },
    opened: { from: 'armed', moves: confirms, settle: true },
    paused: { from: 'card shown', moves: ['pause'], settle: true },
    'paused while armed': { from: 'armed', moves: ['pause'], settle: true },
    reworded: { from: 'card shown', moves: ['approver gives other words'], settle: true },
    'armed, with other words': { from: 'reworded', moves: ['approver taps Open PR'], settle: true },
    denied: { from: 'card shown', moves: ['deny with a reason'], settle: true },
    'second card': { from: 'denied', moves: ['retry at PUSHED'], settle: true },
    'card expired': { from: 'armed', moves: ['the card expires'], settle: true },
    'head moved': { from: 'armed', moves: ['somebody pushes to our branch'], settle: false },
    'their commit shown': { from: 'head moved', moves: confirms, settle: true },
    'their commit taken': {
      from: 'their commit shown',
      moves: ['approver takes their commit'],
      settle: true,
    },
    cancelled: { from: 'armed', moves: ['cancel'], settle: true },
    'card of both': { from: null, moves: [], settle: true, risky: true },
    'card of both, armed': {
      from: 'card of both',
      moves: ['approver reviews the risks', 'approver taps Open PR'],
      settle: true,
    },
    'both confirmed, not yet pushed': {
      from: 'card of both, armed',
      moves: ['approver taps Confirm', ...(signers > 1 ? ['second approver takes all three taps'] : [])],
      settle: false,
    },
    'both confirmed, then paused': {
      from: 'both confirmed, not yet pushed',
      moves: ['pause'],
      settle: true,
    },
  };
};

/** Finishes everything due now; advances time only by short pauses (ms). */
const settle = async (s: Pick<Stage, 'life' | 'now'>, rounds: number, pause = 4_000): Promise<void> => {
  for (let i = 0; i < rounds && !s.life.life.dead(); i += 1) {
    s.life.drain();
    s.life.pump(4);
    while (s.life.life.waiting() > 0 && !s.life.life.dead()) await s.life.life.go();
    // Inputs stored meanwhile are handled as well.
    if (((await s.life.query.inboxCounts()).new ?? 0) > 0) continue;
    const due = await s.life.ledger.nextDue();
    if (due === null || due > s.now.at + pause) return;
    s.now.at = Math.max(s.now.at, due);
  }
};

/** An opening alone, or a push with the following opening. */
export type Approved = 'opening' | 'both';
const APPROVED: Readonly<Record<Approved, string>> = {
  opening: 'confirmed, not yet opened',
  both: 'both confirmed, not yet pushed',
};

export type GateOptions = {
  seed: number;
  /** One chat for all roles, so that only roles differ; null: separate chats. */
  group: string | null;
  share?: { of: number; at: number };
  /** Uses real git instead of the one in memory. */
  real?: RealGit;
  coverage?: Coverage;
  /** Number of required signatures. */
  signers?: 1 | 2;
  /** Number of alike campaign runs on one card. */
  members?: number;
};

/** Uses a memory ledger, whose rows can be changed. */
export const createGateProver = (options: GateOptions) => createProver(options, keptInMemory());

/** The ledger is forked for each trial. */
export const createProver = async <S>(
  {
    seed,
    group,
    share = { of: 1, at: 0 },
    real,
    coverage = createCoverage(),
    signers = 1,
    members = 0,
  }: GateOptions,
  empty: Kept<S>,
) => {
  const STATES = members > 0 ? CLUSTER_STATES(signers) : statesFor(signers);
  const MOVES: Record<string, Move> = members > 0 ? CLUSTER_MOVES : GATE_MOVES;
  const moments = new Map<string, Moment<S>>();
  const violations: string[] = [];
  const random = createRandom(seed);
  const now = { at: EPOCH };
  const clock = { now: () => now.at };
  const chaos = createChaos(random, new Map());
  const outside = createSimulation({ random, clock, chaos, ...(real ? { real } : {}) });
  let trial = '';
  const trace: string[] = [];
  const violate = (what: string): void =>
    void (violations.length < 200 && violations.push(`${trial}: ${what}`));
  const { approvalMs } = BOUNDS;
  const oracle = createOracle(outside, violate, { clock, signers, approvalMs });
  const people = createPeople({
    random,
    world: outside,
    oracle,
    chaos,
    clock,
    say: (what) => void trace.push(what),
  });
  /** Prepared runs do not share consents. */
  const nothing = { world: outside.save(), consents: oracle.save(), said: people.save() };
  let boots = 0;
  let written: Kept<S> | null = null;
  /** Branches whose runs had left the gate at every poll: opening for them is too late. */
  const late = new Map<string, string | null>();
  outside.onLook = (branch): void => {
    for (const { id, state } of written?.states() ?? [])
      if (branch.includes(id) && late.get(branch) !== null)
        late.set(branch, state === 'PUSHED' ? null : state);
  };
  const judged = outside.onCreate;
  outside.onCreate = (pull, mangled): void => {
    const state = late.get(pull.headRef) ?? null;
    if (state !== null)
      violate(`G1: #${pull.id} was opened for a run that was ${state} before the last look`);
    judged(pull, mangled);
  };

  const start = async (kept: Kept<S>, fate: Fate | null, fresh: boolean): Promise<Process> => {
    const parts: ProcessParts = {
      ledger: kept.ledger,
      world: outside,
      clock,
      random,
      coverage,
      fate,
      boot: `boot ${(boots += 1)}`,
      bounds: { ...BOUNDS, approvals: signers },
      slow: real !== undefined || kept.slow,
      ...(members > 0 ? { patch: PATCH } : {}),
      onError: (error) =>
        violate(`an error nobody expected: ${error instanceof Error ? error.stack : String(error)}`),
    };
    const life = startProcess(parts);
    if (fresh) await life.boot();
    return life;
  };

  const prepare = async (name: string): Promise<Moment<S>> => {
    const known = moments.get(name);
    const plan = STATES[name];
    if (known || !plan) return known ?? Promise.reject(new Error(`no state ${name}`));
    trial = `preparing ${name}`;
    written = null;
    late.clear();
    let kept: Kept<S>;
    let runIds: string[] = [];
    if (plan.from === null) {
      kept = empty.fork();
      outside.load(nothing.world);
      oracle.load(nothing.consents);
      people.load(nothing.said);
      now.at = EPOCH;
      const life = await start(kept, null, true);
      outside.behaviour.risky = plan.risky ? 1 : 0;
      await people.settleIn(life);
      if (members > 0)
        await startCampaign(life, {
          members,
          chat: group ?? ANA,
          world: outside,
          now,
          signers,
          bounds: BOUNDS,
        });
      else await people.type(life, ANA, '/new acme/api Fix the retry check="npm test"', group ?? ANA);
      await settle({ life, now }, members > 0 ? 200 : 60);
      if (members > 0) {
        life.looks();
        while (life.life.waiting() > 0) await life.life.go();
        await settle({ life, now }, 30);
      }
      runIds = (await life.query.runs({ live: true, limit: 10 })).map(({ id }) => id);
    } else {
      const before = await prepare(plan.from);
      kept = before.kept.fork();
      load(before);
      runIds = before.runIds;
      const runId = runIds[0] ?? '';
      const life = await start(kept, null, false);
      for (const move of plan.moves) {
        await MOVES[move]?.({ life, world: outside, people, oracle, random, now, runId, group });
        life.drain();
        while (life.life.waiting() > 0) await life.life.go();
        if (plan.settle) await settle({ life, now }, 30);
      }
    }
    const moment = {
      kept: kept.fork(),
      world: outside.save(),
      now: now.at,
      runIds,
      consents: oracle.save(),
      said: people.save(),
    };
    moments.set(name, moment);
    return moment;
  };

  const load = (moment: Moment<S>): void => {
    outside.load(moment.world);
    now.at = moment.now;
    oracle.load(moment.consents);
    people.load(moment.said);
  };

  /** Port calls of a move in a trial without a crash; later trials crash at them. */
  const points = new Map<string, Map<string, number>>();
  const names = { states: Object.keys(STATES), moves: Object.keys(MOVES) };
  // Each thread has its own pairs; together they cover all.
  const all = names.states.flatMap((state) => names.moves.map((move) => ({ state, move })));
  const pairs = all.filter((_, i) => i % share.of === share.at);
  // Shuffled, so that a short run takes some of every state.
  const mixed = [...pairs].sort((a, b) => seedFor(seed, a.state + a.move) - seedFor(seed, b.state + b.move));
  let pulls = 0;
  /** Signatures given on a cluster card. */
  let together = 0;
  let trials = 0;

  const play = async (state: string, move: string, crash: string | null, index: number): Promise<void> => {
    const moment = await prepare(state);
    trial = `${index} ${state} / ${move} / ${crash ?? 'no crash'}`;
    random.reseed(seed * 1_000_003 + index);
    trace.length = 0;
    const pair = `${state} / ${move}`;
    const seen = points.get(pair) ?? new Map<string, number>();
    points.set(pair, seen);
    load(moment);
    const kept = moment.kept.fork();
    written = kept;
    late.clear();
    let armed = false;
    let died = false;
    const fate: Fate = (where) => {
      if (!armed) return null;
      for (const when of ['before', 'after'] as const) {
        const point = `crash ${when} ${where}`;
        if (!seen.has(point)) seen.set(point, 0);
        if (crash === point && !died) {
          died = true;
          seen.set(point, (seen.get(point) ?? 0) + 1);
          return when;
        }
      }
      return null;
    };
    let life = await start(kept, fate, false);
    let pumps = 3;
    /** Performs the resulting effects before other inputs arrive. */
    const followUp = (): boolean => {
      if (pumps-- <= 0) return false;
      life.pump(4);
      return true;
    };
    const runId = moment.runIds[random.int(moment.runIds.length)] ?? '';
    const stage = (): Stage => ({
      life,
      world: outside,
      people,
      oracle,
      random,
      now,
      runId,
      group,
    });
    armed = true;
    await MOVES[move]?.(stage());
    // Other moves arrive during the handling.
    const tail = random.int(4);
    for (let i = 0; i <= tail; i += 1) {
      life.drain();
      life.pump(random.int(3) + 1);
      // A planned crash is awaited; otherwise others interrupt at random.
      const steps = crash !== null && i === 0 ? FOLLOW : random.int(40);
      for (let k = steps; k > 0 && !life.life.dead(); k -= 1) {
        if (life.life.waiting() === 0 && (steps !== FOLLOW || !followUp())) break;
        await life.life.go();
      }
      armed = false;
      if (life.life.dead()) {
        trace.push('crash and restart');
        life = await start(kept, null, true);
      }
      if (i < tail) {
        const next = random.pick(names.moves);
        trace.push(`then: ${next}`);
        await MOVES[next]?.(stage());
      }
      oracle.check();
    }
    armed = false;
    outside.behaviour.trouble = 0;
    await settle(stage(), 25);
    if (life.life.dead()) {
      life = await start(kept, null, true);
      await settle(stage(), 25);
    }
    // Waits for an opening that was delayed, or whose answer was lost.
    const opens = await life.query.effects({ state: 'pending', kind: 'open_pr' });
    if (opens.length > 0) await settle(stage(), 25, 60_000);
    oracle.check();
    await conclude(life);
    kept.close();
    pulls += outside.record.created.length;
    trials += 1;
  };

  /** Asserts that every signature was in time and over what its card showed. */
  const shownAsSigned = async (life: Process, run: Run): Promise<void> => {
    for (const { type, body, at } of await life.query.events(run.id)) {
      if (kindSignedBy(type) === null) continue;
      const { input } = RecordedEvent.parse(JSON.parse(body));
      const approval = await life.query.approval(String(input['approvalId']));
      if (!approval || approval.runId !== run.id || at >= approval.expiresAt)
        violate(`G3: run ${run.id} was signed too late, or on the card of another`);
      if (approval?.digest !== input['digest']) violate(`G2: run ${run.id} was signed for another digest`);
      if (input['cluster'] === undefined) continue;
      together += 1;
      const row = await life.query.effect(Number(input['cluster']));
      const show =
        row?.do.kind === 'chat_message' && row.do.content.view === 'cluster' ? row.do.content : null;
      const stands = show?.members.some((m) => m.approval === approval?.id && m.digest === approval.digest);
      if (!stands || show?.armedBy !== Signed.parse(input).by.id)
        violate(`G8: run ${run.id} was signed on a card that did not show it to whoever signed`);
    }
  };

  const conclude = async (life: Process): Promise<void> => {
    const runs = await life.query.runs({ live: false, limit: 10 });
    oracle.finish(runs, await life.query.inboxCounts(), Math.max(1, members));
    for (const run of runs) if (members > 0) await shownAsSigned(life, run);
    for (const run of runs) {
      if (
        run.upstream.pullRequest &&
        !outside.record.created.some((p) => p.id === run.upstream.pullRequest?.id)
      )
        violate('a pull request was linked that we did not create');
    }
  };

  /** Returns the least-tried crash point of a pair. */
  const nextCrash = (pair: string): string | null => {
    const seen = [...(points.get(pair) ?? [])];
    if (seen.length === 0 || random.chance(0.1)) return null;
    const least = Math.min(...seen.map(([, n]) => n));
    return random.pick(seen.filter(([, n]) => n === least))[0];
  };

  return {
    /** Returns the ledger after an approval, before any of its effects. */
    approved: async (of: Approved = 'opening'): Promise<S> => (await prepare(APPROVED[of])).kept.store,
    /** Applies a change between approval and call; returns the number of calls. */
    async afterApproval(
      index: number,
      change: (store: S, world: World, random: Random) => Promise<void> | void,
      of: Approved = 'opening',
    ): Promise<number> {
      const moment = await prepare(APPROVED[of]);
      random.reseed(seedFor(seed, String(index)));
      written = null;
      late.clear();
      load(moment);
      const kept = moment.kept.fork();
      await change(kept.store, outside, random);
      const before = outside.record.created.length;
      const life = await start(kept, null, false);
      await settle({ life, now }, 25);
      violations.length = 0;
      return outside.record.created.length - before;
    },
    async repeat(
      index: number,
      state: string,
      move: string,
      crash: string | null,
    ): Promise<{ trace: string[]; violations: string[] }> {
      await play(state, move, crash, index);
      return { trace: [...trace], violations };
    },
    /** Plays `count` trials, then `patience` rounds for crash points not reached. */
    async run(
      count: number,
      patience: number,
      onProgress: (trials: number) => void = () => {},
    ): Promise<GateResult> {
      const order = count < pairs.length ? mixed : pairs;
      for (let i = 0; trials < count; i += 1) {
        if (trials % 200 === 0) onProgress(trials);
        const pair = order[i % order.length];
        if (!pair) break;
        await play(pair.state, pair.move, nextCrash(`${pair.state} / ${pair.move}`), i);
      }
      // Rare points get more tries.
      for (let round = 0; round < patience; round += 1) {
        for (const pair of pairs) {
          const seen = points.get(`${pair.state} / ${pair.move}`) ?? new Map<string, number>();
          const missed = [...seen].find(([, n]) => n === 0);
          if (missed) await play(pair.state, pair.move, missed[0], trials);
        }
      }
      const passed = [...points].flatMap(([pair, seen]) =>
        [...seen].map(([point, n]) => ({ name: `${pair} / ${point}`, n })),
      );
      const missed = passed.filter((p) => p.n === 0).map((p) => p.name);
      return { trials, violations, pairs: points.size, points: passed.length, missed, pulls, together };
    },
  };
};
