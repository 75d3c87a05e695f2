/** Changes one byte of approved data, at each place in turn. */
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { Run } from '#run';
import type { ApprovalRecord, EffectRecord, MemoryStore, RunRecord } from '../support/memory-ledger/store.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Change = { what: string; apply: (store: MemoryStore, world: World, random: Random) => void };

export const flipText = (text: string, random: Random): string => {
  const places = [...text].flatMap((c, i) => (/[A-Za-z0-9]/.test(c) ? [i] : []));
  const at = places.length > 0 ? random.pick(places) : 0;
  const old = text[at] ?? '';
  const kin = /[0-9a-f]/.test(old) ? '0123456789abcdef' : /[A-Z]/.test(old) ? 'QXZ' : 'qxzw';
  const other = random.pick([...kin].filter((c) => c !== old));
  return text.slice(0, at) + other + text.slice(at + 1);
};
const flip = (value: Json, random: Random): Json => {
  if (typeof value === 'string') return flipText(value, random);
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : 'x';
};

/** Changes one leaf at a path such as `commit.diff.files.0.path`. */
const withLeaf = (value: Json, path: readonly string[], random: Random): Json => {
  const [first, ...rest] = path;
  if (first === undefined) return flip(value, random);
  if (Array.isArray(value)) return value.map((v, i) => (String(i) === first ? withLeaf(v, rest, random) : v));
  if (value === null || typeof value !== 'object') throw new Error(`there is no ${path.join('.')}`);
  return { ...value, [first]: withLeaf(value[first] ?? null, rest, random) };
};
const leaves = (value: Json, path: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((v, i) => leaves(v, `${path}.${i}`));
  if (value === null || typeof value !== 'object') return value === null || value === '' ? [] : [path];
  return Object.entries(value).flatMap(([k, v]) => leaves(v, `${path}.${k}`));
};

/** Parts of a run that are published or describe the approval. */
const SEALED = [
  'order.goal',
  'target.base.ref',
  'change.commit.sha',
  'change.commit.diff.added',
  'change.commit.diff.files.0.path',
  'change.commit.diff.files.1.added',
  'change.evaluation.checks.0.command',
  'change.evaluation.checks.0.outcome',
  'change.evaluation.checks.0.name',
  'change.pushedHead.branch',
];

const only = <T>(rows: Iterable<T>): T => {
  const [row] = [...rows];
  if (row === undefined) throw new Error('there is no such row');
  return row;
};
const opening = (store: MemoryStore): EffectRecord =>
  only([...store.open.values()].filter((e) => e.kind === 'open_pr' || e.kind === 'push'));
const consumed = (store: MemoryStore): ApprovalRecord =>
  only([...store.approvals.values()].filter((a) => a.state === 'consumed' && a.kind === 'open_pr'));

export const runWith = (store: MemoryStore, change: (run: Run) => Run): void => {
  const record = only(store.runs.values());
  store.runs.set(record.run.id, { ...record, run: change(record.run) } satisfies RunRecord);
};

const inRun = (path: string): Change => ({
  what: `run.${path}`,
  apply: (store, _world, random) =>
    runWith(store, (run) => withLeaf(run as unknown as Json, path.split('.'), random) as unknown as Run),
});
/** Uses an existing branch, so that nothing else prevents an opening. */
const otherBase: Change = {
  what: 'run.target.base.ref, to another branch that is there',
  apply: (store, world) => {
    world.repo.bases['release'] = world.repo.base;
    runWith(store, (run) =>
      patchRun(run, { target: { base: run.target.base && { ...run.target.base, ref: 'release' } } }),
    );
  },
};
const inEffect = (path: string): Change => ({
  what: `effect.${path}`,
  apply: (store, _world, random) => {
    const row = opening(store);
    const changed = withLeaf(row as unknown as Json, path.split('.'), random) as unknown as EffectRecord;
    store.effects.set(row.n, changed);
    store.open.set(row.n, changed);
  },
});
const inApproval = (field: 'id' | 'kind' | 'digest' | 'state' | 'consumedBy' | 'runId'): Change => ({
  what: `approval.${field}`,
  apply: (store, _world, random) => {
    const row = consumed(store);
    const changed = withLeaf(row as unknown as Json, [field], random) as unknown as ApprovalRecord;
    store.approvals.delete(row.id);
    store.approvals.set(changed.id, changed);
  },
});

/** `moment` tells which places exist. */
export const ledgerChanges = (moment: MemoryStore): Change[] => {
  const { run } = only(moment.runs.values());
  const signed = leaves(run.gate.consumedApproval?.fields as unknown as Json, 'gate.consumedApproval.fields');
  const inWork = new Set(leaves(opening(moment) as unknown as Json, '').map((path) => path.slice(1)));
  const there = new Set(leaves(run as unknown as Json, '').map((path) => path.slice(1)));
  return [
    ...[...SEALED.filter((path) => there.has(path)), ...signed].map(inRun),
    ...['id', 'runId', 'do.approvalId', 'do.digest', 'do.commitSha', 'epoch', 'state']
      .filter((path) => inWork.has(path))
      .map(inEffect),
    ...(['id', 'kind', 'digest', 'state', 'consumedBy', 'runId'] as const).map(inApproval),
    otherBase,
  ];
};

const branchOf = (world: World): string => only(world.repo.branches.keys());
const rewrite = (world: World, sha: string, random: Random): void => {
  const commit = world.commits.get(sha);
  if (commit) world.commits.set(sha, { ...commit, files: flipText(commit.files, random) });
};

export const BRANCH_CHANGES: Change[] = [
  {
    what: 'files of the head',
    apply: (_store, world, random) => rewrite(world, world.repo.branches.get(branchOf(world)) ?? '', random),
  },
  {
    what: 'the branch on the code host',
    apply: (_store, world, random) => {
      const branch = branchOf(world);
      world.repo.branches.set(branch, flipText(world.repo.branches.get(branch) ?? '', random));
    },
  },
  {
    what: 'the name of the branch on the code host',
    apply: (_store, world, random) => {
      const branch = branchOf(world);
      const sha = world.repo.branches.get(branch) ?? '';
      world.repo.branches.delete(branch);
      world.repo.branches.set(flipText(branch, random), sha);
    },
  },
];

export const WORLD_CHANGES: Change[] = [
  { what: 'files of the base', apply: (_store, world, random) => rewrite(world, world.repo.base, random) },
  { what: 'the id of the repository', apply: (_store, world) => void (world.repo.id += 1) },
  { what: 'a conflict', apply: (_store, world) => void (world.conflicts = true) },
];
