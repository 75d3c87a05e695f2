/** G2 with real git: objects change after the approval, locally or on the code host. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../support/git-world.ts';
import type { MemoryStore } from '../../support/memory-ledger.ts';
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createGateProver } from '../gate.ts';
import { flipText, ledgerChanges, runWith, type Change } from '../mutate.ts';
import type { Random } from '../random.ts';
import { prepareGit, type PreparedGit } from '../real-git.ts';
import { spread } from '../spread.ts';

const bar = { quick: 12, full: 500 };

type Undo = () => void;
/** Returns the undo. */
type OnDisk = { what: string; apply: (real: PreparedGit, store: MemoryStore, random: Random) => Undo };

const headOf = (store: MemoryStore): { sha: string; branch: string } => {
  for (const { run } of store.runs.values()) if (run.change.pushedHead) return run.change.pushedHead;
  throw new Error('nothing was pushed');
};

/** The head commit with its own trees and files. */
const objectsOf = (dir: string, sha: string): string[] =>
  git(dir, 'rev-list', '--objects', '--no-object-names', `${sha}^..${sha}`).split('\n').filter(Boolean);

/** Returns the same commit with one changed character. */
const sibling = (dir: string, sha: string, random: Random): string => {
  const path = random.pick(git(dir, 'diff-tree', '-r', '--name-only', '--no-commit-id', sha).split('\n'));
  const text = git(dir, 'show', `${sha}:${path}`);
  const work = join(dir, '..', 'changed');
  writeFileSync(work, `${flipText(text, random)}\n`);
  const blob = git(dir, 'hash-object', '-w', '--no-filters', work);
  const tree = withBlob(dir, `${sha}:`, path.split('/'), blob);
  return git(dir, 'commit-tree', '-p', `${sha}^`, '-m', 'the same, but for one byte', tree);
};

/** Replaces one file, from the inside out. */
const withBlob = (dir: string, tree: string, path: readonly string[], blob: string): string => {
  const [name, ...rest] = path;
  const lines = git(dir, 'ls-tree', tree).split('\n');
  const inner = rest.length === 0 ? blob : withBlob(dir, `${tree}${name}/`, rest, blob);
  const changed = lines.map((line) => {
    const [head = '', file] = line.split('\t');
    if (file !== name) return line;
    const [mode, type] = head.split(' ');
    return `${mode} ${type} ${inner}\t${file}`;
  });
  return execFileSync('git', ['mktree'], { cwd: dir, input: `${changed.join('\n')}\n` })
    .toString()
    .trim();
};

const ON_DISK: OnDisk[] = [
  {
    what: 'a byte of an object in the trusted directory',
    apply: (real, store, random) => {
      const dir = real.trusted();
      const oid = random.pick(objectsOf(dir, headOf(store).sha));
      const file = join(dir, 'objects', oid.slice(0, 2), oid.slice(2));
      const bytes = readFileSync(file);
      const changed = Buffer.from(bytes);
      const at = random.int(changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << random.int(8));
      chmodSync(file, 0o644);
      writeFileSync(file, changed);
      return () => writeFileSync(file, bytes);
    },
  },
  {
    what: 'a byte of a file on the code host',
    apply: (real, store, random) => {
      const { sha, branch } = headOf(store);
      real.branches.set(branch, sibling(real.bare, sha, random));
      return () => undefined;
    },
  },
  {
    what: 'a byte of a file, here, there and in the run',
    apply: (real, store, random) => {
      const { sha, branch } = headOf(store);
      const other = sibling(real.trusted(), sha, random);
      git(real.trusted(), 'push', '-q', '--force', real.bare, `${other}:refs/heads/${branch}`);
      runWith(store, (run) => ({
        ...run,
        change: {
          ...run.change,
          pushedHead: run.change.pushedHead && { ...run.change.pushedHead, sha: other },
          commit: run.change.commit && { ...run.change.commit, sha: other },
          evaluation: run.change.evaluation && { ...run.change.evaluation, commitSha: other },
        },
      }));
      return () => undefined;
    },
  },
];

export const play: Play = async ({ seed, from, count }, progress) => {
  const real = await prepareGit();
  const violations: string[] = [];
  try {
    const prover = await createGateProver({ seed, group: null, real });
    const inLedger: Change[] = ledgerChanges(await prover.approved());
    const control = await prover.afterApproval(0, () => undefined);
    if (control !== 1) violations.push(`without any change there were ${control} calls, not 1`);
    for (let i = from; i < from + count; i += 1) {
      let undo: Undo = () => undefined;
      const onDisk = i % 4 === 3 ? null : ON_DISK[i % 4];
      const change = inLedger[Math.floor(i / 4) % inLedger.length];
      const what = onDisk?.what ?? change?.what;
      const calls = await prover.afterApproval(i, (store, world, random) => {
        if (onDisk) undo = onDisk.apply(real, store, random);
        else change?.apply(store, world, random);
      });
      undo();
      if (calls > 0)
        violations.push(
          `--only mutations-git --seed ${seed}: a pull request was opened although ${what} changed (trial ${i})`,
        );
      progress(i - from);
    }
    const again = await prover.afterApproval(0, () => undefined);
    if (again !== 1) violations.push(`with everything put back there were ${again} calls, not 1`);
    return { trials: count, violations, facts: { places: ON_DISK.length + inLedger.length } };
  } finally {
    await real.close();
  }
};

export const mutationsGit: Claim = {
  name: 'mutations-git',
  says: 'one byte changed after the approval (real git objects and refs): no PR call',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('mutations-git', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
};
