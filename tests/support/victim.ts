/** A run on a small repository, a canary that must not run, and a secret that must not leak. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Commit, Finding } from '#model/change';
import type { CollectedChange, RepoRef } from '#ports/workspaces';
import { createWorld, git, makeCanary, type World } from './git-world.ts';

const FILES = {
  'a.txt': 'one\n',
  'src/main.js': 'let a = 1;\n',
  'lib/x/y.txt': 'y\n',
  'logs/kept.log': 'tracked although ignored\n',
  '.gitignore': '*.log\nbuild/\n/out/*\n!/out/keep.txt\n',
  'test/sum.test.js': "it('adds', () => {});\nit('subtracts', () => {});\n",
};
export const SECRET = 'outside-secret-7f3a91\n';
const HOOKS = [
  'pre-commit',
  'post-commit',
  'post-index-change',
  'reference-transaction',
  'pre-push',
  'post-checkout',
];
const PROGRAMS = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.editor',
  'core.pager',
  'credential.helper',
  'diff.external',
  'gpg.program',
];

const withSubmodule = (world: World) => (dir: string) => {
  const sub = join(world.dir, 'sub');
  mkdirSync(sub);
  git(sub, 'init', '-q');
  git(sub, 'commit', '-q', '--allow-empty', '-m', 'sub');
  git(dir, 'update-index', '--add', '--cacheinfo', `160000,${git(sub, 'rev-parse', 'HEAD')},vendor/sub`);
};

export const has = (findings: readonly Finding[], kind: Finding['kind'], path?: string): boolean =>
  findings.some((f) => f.kind === kind && (path === undefined || f.path === path));

export const unsafe = (harvest: CollectedChange): Finding[] => {
  if (harvest.kind !== 'unsafe') throw new Error(`${harvest.kind}: ${JSON.stringify(harvest)}`);
  return harvest.findings;
};

export const skippedOf = (harvest: CollectedChange): Finding[] =>
  harvest.kind === 'unsafe' ? [] : harvest.skipped;

/** Registers hooks; `run` is the current test's. */
export const useVictim = () => {
  let count = 0;
  const it = {} as {
    world: World;
    repo: RepoRef;
    canary: { program: string; trace: string };
    secret: string;
    run: { id: string; sha: string; ws: string };
  };
  beforeAll(async () => {
    it.world = await createWorld();
    it.canary = makeCanary(it.world.outside);
    it.secret = join(it.world.outside, 'secret.txt');
    writeFileSync(it.secret, SECRET);
    it.repo = it.world.repo('victim', FILES, withSubmodule(it.world));
  });
  afterAll(() => it.world.close());
  beforeEach(async () => {
    const id = `h${++count}`;
    it.run = { id, ...(await it.world.prepare(id, it.repo)) };
  });
  afterEach(() =>
    expect(existsSync(it.canary.trace), 'something executed what the agent left behind').toBe(false),
  );

  const trusted = (): string => join(it.world.data, 'runs', it.run.id, 'git');
  const harvested = (): Promise<CollectedChange> => it.world.harvest(it.run.id, it.run.sha);
  return Object.assign(it, {
    trusted,
    harvested,
    content: (sha: string, path: string) => git(trusted(), 'cat-file', 'blob', `${sha}:${path}`),
    committed: (harvest: CollectedChange): Commit & { skipped: Finding[]; paths: string[] } => {
      if (harvest.kind !== 'commit') throw new Error(`${harvest.kind}: ${JSON.stringify(harvest)}`);
      const names = git(trusted(), 'ls-tree', '-r', '-z', '--name-only', harvest.commit.sha);
      return { ...harvest.commit, skipped: harvest.skipped, paths: names.split('\0').filter(Boolean) };
    },
    /** Asserts that no object of the trusted git directory contains these bytes. */
    neverStored: (bytes: string): void => {
      const all = git(trusted(), 'cat-file', '--batch-all-objects', '--batch', '--unordered');
      expect(all).not.toContain(bytes.trim());
    },
    evilConfig: (): string => {
      const { program } = it.canary;
      const keys = PROGRAMS.map((key) => `[${key.replace('.', ']\n\t')} = ${program}\n`).join('');
      const filter = `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n\tprocess = ${program}\n`;
      const diff = `[diff "evil"]\n\ttextconv = ${program}\n\tcommand = ${program}\n`;
      return `${keys}${filter}\trequired = true\n${diff}[merge "evil"]\n\tdriver = ${program}\n`;
    },
    evilHooks: (gitDir: string): void => {
      mkdirSync(join(gitDir, 'hooks'), { recursive: true });
      for (const hook of HOOKS) {
        writeFileSync(join(gitDir, 'hooks', hook), `#!/bin/sh\nexec ${it.canary.program} ${hook}\n`);
        chmodSync(join(gitDir, 'hooks', hook), 0o755);
      }
    },
    /** Performs every step after the agent; each could execute what the agent left. */
    everyStep: async (): Promise<CollectedChange> => {
      const { world, run, repo } = it;
      const harvest = await harvested();
      if (harvest.kind !== 'commit') return harvest;
      const { sha } = harvest.commit;
      const range = { runId: run.id, base: run.sha, head: sha };
      const made = await world.workspaces.export({ runId: run.id, sha });
      expect(await made.intact()).toBe(true);
      await made.remove();
      await world.workspaces.patch({ ...range, limit: 10_000 });
      await world.workspaces.compare({ runId: run.id, repo, base: 'main', head: sha });
      const target = { runId: run.id, repo, sha, branch: `b-${run.id}`, expect: null };
      expect((await world.workspaces.push(target)).kind).toBe('pushed');
      return harvest;
    },
  });
};
