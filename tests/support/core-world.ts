/** A small world around one run: effects with leases, the approvals table, and random moves. */
import { fc } from './properties.ts';
import type { ApprovalChange, Effect, Step } from '#effects';
import type { Input } from '#inputs';
import type { Run } from '#run';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import {
  approvePush,
  baseFollowed,
  ciCompared,
  branchRenamed,
  home,
  repositoryIs,
  shows,
  baseMerged,
  ben,
  cancel,
  check,
  ci,
  comment,
  confirm,
  deny,
  baseChecked,
  lacking,
  discovered,
  failed,
  frozen,
  given,
  headIs,
  baseMergedThere,
  headRead,
  implemented,
  iterate,
  markDone,
  modify,
  opened,
  pause,
  proposal,
  pull,
  postedReplies,
  pushed,
  goWithout,
  rerun,
  resume,
  retry,
  review,
  rewordedTo,
  sealedReplies,
  commented,
  setUpPull,
  sendToChecks,
  sha,
  skip,
  startWork,
  takeHead,
  updateBase,
  validated,
  type Act,
  type Logged,
  type Story,
  answered,
  askQuestion,
  takeBack,
} from './core.ts';
import { RUN_STATES } from '#model/run';

/** A row is void when the run's epoch moved on, but claimed work still ends. */
export type Row = { epoch: number; effect: Effect; state: 'pending' | 'claimed' | 'done' };
export type World = {
  run: Run;
  now: number;
  rows: Row[];
  open: Set<string>;
  spent: Set<string>;
  passed: Set<string>;
  log: Logged[];
  before: Run;
  last: Step | null;
  commits: number;
};

/** One move: its kind, and numbers that choose the variant. */
export type Move = { what: 'claim' | 'finish' | 'timer' | 'person' | 'fact' | 'late'; a: number; b: number };
export const moves = (what: readonly Move['what'][], maxLength: number): fc.Arbitrary<Move[]> =>
  fc.array(fc.record({ what: fc.constantFrom(...what), a: fc.nat(1_000), b: fc.nat(1_000) }), {
    minLength: 1,
    maxLength,
    size: 'max',
  });

export const newWorld = (story: Story = given()): World => {
  const world: World = {
    run: story.run,
    now: story.now,
    rows: [],
    open: new Set(story.run.gate.approval ? [story.run.gate.approval.id] : []),
    spent: new Set(),
    passed: new Set(),
    log: [...story.log],
    before: story.run,
    last: null,
    commits: 0,
  };
  add(world, story.effects);
  return world;
};

const add = (world: World, effects: readonly Effect[]): void => {
  for (const effect of effects)
    if (effect.do.kind !== 'chat_message')
      world.rows.push({ epoch: world.run.lifecycle.epoch, effect, state: 'pending' });
};

/** Each change must match exactly one live row, as in the ledger. */
const record = (world: World, change: ApprovalChange): void => {
  const { open, spent, passed } = world;
  if (change.op === 'open') {
    if (open.has(change.id) || spent.has(change.id)) throw new Error(`approval ${change.id} opened twice`);
    open.add(change.id);
    return;
  }
  if (change.op === 'pass_on') {
    if (!spent.has(change.id) || passed.has(change.id)) throw new Error(`pass_on of approval ${change.id}`);
    passed.add(change.id);
    return;
  }
  if (!open.has(change.id)) throw new Error(`${change.op} on approval ${change.id}, which is not open`);
  if (change.op === 'sign' || change.op === 'extend') return;
  open.delete(change.id);
  spent.add(change.id);
};

export const offer = (world: World, input: Input, effectEpoch: number | null): void => {
  world.now += 1;
  const stamp = { at: world.now, nonce: `nonce-${world.now}`, effectEpoch };
  world.before = world.run;
  world.last = decideStep(frozen(world.run), frozen(input), stamp);
  if (world.last.kind !== 'moved') return;
  world.run = world.last.run;
  world.log.push({ input, stamp });
  for (const change of world.last.approvals) record(world, change);
  add(world, world.last.effects);
};

const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % Math.max(1, from.length)];
export const live = (world: World): Row[] =>
  world.rows.filter((r) => r.epoch === world.run.lifecycle.epoch && r.state !== 'done');

const letters = '123456789abcdefghijklmnopqrstuvwxyz';
const letter = (world: World): string => {
  world.commits += 1;
  return letters[world.commits % letters.length] ?? 'z';
};

const endings = (world: World, { do: work }: Effect): (Act | null)[] => {
  const crash = failed('crashed', { step: work.kind });
  const outage = failed('forge_unavailable', { step: work.kind });
  const stop = failed('auth_missing', { step: work.kind });
  const signed = world.run.gate.consumedApproval;
  const both = signed?.fields.pushes === true && work.kind === 'push' && work.approvalId === signed.id;
  const moved = proposal(
    work.kind === 'push' && !both ? 'push' : 'open_pr',
    world.run.change.commit?.sha ?? sha('0'),
    { title: `Title ${world.now}`, ...(both ? { pushes: true } : {}) },
  );
  switch (work.kind) {
    case 'start_run':
      return [() => ({ input: { type: 'command.discovery.start' } }), crash];
    case 'discover':
      return [
        discovered(),
        discovered(),
        discovered({ escalate: { kind: 'agreement_required', file: 'CLA.md', line: 1 } }),
        crash,
        discovered({ archived: true }),
        failed('repository_empty'),
      ];
    case 'check_base':
      return [baseChecked(), baseChecked(), baseChecked(lacking), crash];
    case 'implement':
      return [implemented(letter(world)), implemented(letter(world)), implemented(null), crash, stop];
    case 'answer_question':
      return [answered(), answered({ kind: 'failed', class: 'session_lost', message: 'It is gone.' })];
    case 'check':
      return [
        validated(),
        validated(),
        validated({ passed: false }),
        validated({ decision: 'escalate' }),
        validated({ decision: 'deny' }),
        validated({ risk: 'high' }),
        validated({ risk: 'high', both: world.run.upstream.pullRequest ? null : {} }),
        validated({ decision: 'escalate', both: world.run.upstream.pullRequest ? null : {} }),
        validated({ bare: true, decision: 'escalate' }),
        crash,
      ];
    case 'push':
      return [
        pushed(undefined, both),
        pushed(undefined, both),
        outage,
        stop,
        failed('seal_moved', { step: 'push', proposal: moved }),
      ];
    case 'open_pr':
      return [opened(), opened(), outage, stop, failed('seal_moved', { step: 'open_pr', proposal: moved })];
    case 'update_from_base':
      return [
        baseMerged('level'),
        baseMerged('merged', letter(world)),
        baseMerged('merged', letter(world)),
        baseMerged('conflicts'),
        outage,
      ];
    case 'compare_checks':
      return [ciCompared([]), ciCompared([]), ciCompared(['test']), ciCompared([], ['test']), outage, stop];
    case 'compare_base':
      return [baseFollowed(), baseFollowed(), baseFollowed('d', 'a'), outage, stop];
    case 'read_head': {
      const { sha: asked, adoptedBy: takenBy } = work;
      return [
        headRead(undefined, takenBy, { sha: asked }),
        headRead(undefined, takenBy, { sha: asked }),
        baseMergedThere(asked),
        headRead('3'),
        failed('forge_refused', { step: 'read_head' }),
      ];
    }
    case 'modify_proposal':
      return [rewordedTo('Other words'), rewordedTo(null)];
    case 'seal_replies':
      return [sealedReplies(), sealedReplies({ decision: 'deny' }), outage];
    case 'reply':
      return [postedReplies(), postedReplies(), outage, stop];
    case 'comment_on_item':
      return [commented('posted'), commented('refused'), commented('unclear')];
    case 'set_up_pull':
      return [setUpPull(work.what), outage];
    case 'rerun_ci':
      return [null, outage];
    case 'poll':
    case 'expedite_poll':
    case 'close_pr':
    case 'remove_workspace':
    case 'offer_input':
    case 'chat_message':
      return [null];
  }
};

const finish = (world: World, row: Row, n: number): void => {
  row.state = 'done';
  const end = pick(endings(world, row.effect), n);
  if (!end) return;
  // A push or an opening publishes what was fixed when it was requested.
  const { do: work } = row.effect;
  const { input } = end(world.run);
  if (input.type === 'worker.push.completed' && work.kind === 'push') {
    const fresh = input.proposal ? proposal('open_pr', work.commitSha) : null;
    return offer(world, { ...input, sha: work.commitSha, proposal: fresh }, row.epoch);
  }
  if (input.type === 'worker.pr.opened' && work.kind === 'open_pr')
    return offer(world, { ...input, approvalId: work.approvalId }, row.epoch);
  return offer(world, input, row.epoch);
};

export const people: readonly Act[] = [
  confirm(),
  confirm(),
  confirm(),
  confirm({ by: ben }),
  confirm({ digest: 'other' }),
  approvePush(),
  approvePush(),
  deny(''),
  deny('Smaller.'),
  deny('No.', true),
  askQuestion(),
  askQuestion(),
  takeBack(),
  startWork(ben),
  sendToChecks,
  iterate(),
  modify(),
  updateBase,
  updateBase,
  takeHead(),
  takeHead(),
  takeHead('a'),
  rerun,
  goWithout,
  goWithout,
  pause,
  pause,
  resume(),
  resume(),
  retry(),
  retry(),
  ...RUN_STATES.flatMap((s) => [resume(s), retry(s)]),
  skip,
  cancel,
  markDone,
];

const heads = ['a', '1', '2', '3'];
export const someFact = (a: number, b: number): Act =>
  pick<Act>(
    [
      check({ name: `t${b % 3}`, startedAt: b }),
      check({ name: `t${b % 3}`, startedAt: b, outcome: 'failed' }),
      check({ name: `t${b % 3}`, startedAt: b, outcome: null }),
      check({ name: `t${b % 3}`, startedAt: b, outcome: 'awaits_maintainer' }),
      ci([{}, { name: 'lint', startedAt: b }], b % 2 ? ['lint'] : []),
      ci([]),
      review({ reviewer: `r${b % 3}`, submittedAt: b }),
      review({ reviewer: `r${b % 3}`, submittedAt: b, state: 'approved' }),
      review({ reviewer: `r${b % 3}`, submittedAt: b, state: 'remarked' }),
      review({ reviewer: `r${b % 3}`, submittedAt: b, access: 'unknown' }),
      pull(),
      pull(b % 8 === 0 ? { merged: true } : {}),
      pull({ standing: b % 2 ? 'conflicts' : 'behind' }),
      pull(b % 8 === 1 ? { closed: true } : {}),
      shows({ base: ['main', 'develop', 'trunk'][b % 3] ?? 'main' }),
      shows({ repo: home({ archived: b % 2 === 0, name: b % 3 ? 'ana/app' : 'ben/app' }) }),
      shows({ headDeleted: b % 2 === 0 }),
      repositoryIs({ archived: b % 2 === 0, name: b % 3 ? 'ana/app' : 'ben/app' }),
      branchRenamed(),
      headIs(heads[b % heads.length] ?? 'a'),
      headIs(null),
      comment,
    ],
    a,
  ) ?? comment;

export const move = (world: World, { what, a, b }: Move): void => {
  world.last = null;
  const idle = live(world).filter((r) => r.state === 'pending' && r.effect.do.kind !== 'offer_input');
  // Claimed work ends at some time, whatever the run did since.
  const claimed = world.rows.filter((r) => r.state === 'claimed');
  switch (what) {
    case 'claim': {
      const row = pick(idle, a);
      if (row) row.state = 'claimed';
      return;
    }
    case 'finish': {
      const row = pick(idle, a);
      if (row) finish(world, row, b);
      return;
    }
    case 'late': {
      const row = pick(claimed, a);
      if (row) finish(world, row, b);
      return;
    }
    case 'timer': {
      const row = pick(
        live(world).filter((r) => r.effect.do.kind === 'offer_input'),
        a,
      );
      if (row?.effect.do.kind !== 'offer_input') return;
      row.state = 'done';
      world.now = Math.max(world.now, row.effect.dueAt);
      return offer(world, row.effect.do.input, row.epoch);
    }
    case 'person': {
      const act = pick(people, a);
      return act ? offer(world, act(world.run).input, null) : undefined;
    }
    case 'fact':
      return offer(world, someFact(a, b)(world.run).input, null);
  }
};
