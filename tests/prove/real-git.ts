/** Real git behind the world: one prepared repository, whose refs are reset after each trial. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RepoRef, WorkspacePort } from '#ports/workspaces';
import { createWorld as createGitWorld, git, type World as GitWorld } from '../support/git-world.ts';
import type { RealGit } from './world.ts';
import type { Branches } from './world/state.ts';

export type PreparedGit = RealGit & {
  trusted: () => string;
  repo: RepoRef;
  bare: string;
  close(): Promise<void>;
};

/** Number of prepared foreign commits. */
const FOREIGN = 8;
const MAIN = 'main';

/** Branches of a bare repository except the default one. */
const refsOf = (bare: string): Branches => {
  const heads = join(bare, 'refs', 'heads');
  const file = (branch: string): string => join(heads, branch);
  const names = (): string[] =>
    readdirSync(heads, { recursive: true, withFileTypes: true })
      .filter((e) => e.isFile())
      .map((e) => join(e.parentPath, e.name).slice(heads.length + 1))
      .filter((name) => name !== MAIN);
  const get = (branch: string): string | undefined =>
    names().includes(branch) ? readFileSync(file(branch), 'utf8').trim() : undefined;
  const remove = (branch: string): boolean => {
    const there = get(branch) !== undefined;
    rmSync(file(branch), { force: true });
    return there;
  };
  const entries = (): [string, string][] => names().map((name) => [name, get(name) ?? '']);
  const refs: Branches = {
    get,
    get size() {
      return names().length;
    },
    set(branch, sha) {
      mkdirSync(dirname(file(branch)), { recursive: true });
      writeFileSync(file(branch), `${sha}\n`);
      return new Map();
    },
    delete: remove,
    clear: () => names().forEach(remove),
    keys: () => new Map(entries()).keys(),
    [Symbol.iterator]: () => entries()[Symbol.iterator](),
  };
  return refs;
};

const foreignCommit = (world: GitWorld, repo: RepoRef, files: Record<string, string>): string => {
  const branch = 'somebody-else';
  const sha = world.advance(repo, files, branch);
  git(world.bare(repo), 'update-ref', '-d', `refs/heads/${branch}`);
  return sha;
};

const FILE = 'src/retry.ts';

export const prepareGit = async (): Promise<PreparedGit> => {
  const world = await createGitWorld();
  const repo = world.repo('api', {
    [FILE]: 'export const wait = 1;\n',
    'test/retry.test.ts': 'wait();\n',
    'package.json': '{"name":"api"}\n',
  });
  const bare = world.bare(repo);
  const main = git(bare, 'rev-parse', MAIN);
  const foreign = Array.from({ length: FOREIGN }, (_, i) =>
    foreignCommit(world, repo, { 'src/other.ts': `export const n = ${i};\n` }),
  );
  const conflicting = foreignCommit(world, repo, { [FILE]: 'export const wait = 2_000;\n' });
  const branches = refsOf(bare);
  let nth = 0;
  let prepared: { ref: string; sha: string } | null = null;
  let runId = '';

  const workspaces: RealGit['workspaces'] = ({ received, conflicts, looked }): WorkspacePort => {
    const inner = world.workspaces;
    return {
      ...inner,
      // Shared by all trials, which must not remove it.
      prepare: async (input) => {
        if (prepared) return prepared;
        runId = input.runId;
        prepared = await inner.prepare(input);
        return prepared;
      },
      clean: async () => undefined,
      list: async () => (runId === '' ? [] : [runId]),
      compare: async (input) => {
        writeFileSync(join(bare, 'refs', 'heads', MAIN), `${conflicts() ? conflicting : main}\n`);
        return inner.compare(input);
      },
      push: async (input) => {
        const before = branches.get(input.branch);
        const outcome = await inner.push(input);
        if (outcome.kind === 'pushed' && before !== outcome.sha) received(outcome.branch, outcome.sha);
        return outcome;
      },
      remoteHead: async (input) => {
        const head = await inner.remoteHead(input);
        looked(input.branch, head);
        return head;
      },
    };
  };

  return {
    workspaces,
    branches,
    restore: (saved) => {
      const before = [...saved];
      branches.clear();
      for (const [name, sha] of before) branches.set(name, sha);
      return branches;
    },
    edit: (workspace, text) => {
      const path = join(workspace, FILE);
      writeFileSync(path, `${readFileSync(path, 'utf8')}// ${text}\n`);
    },
    foreign: () => foreign[(nth += 1) % FOREIGN] ?? '',
    cloneUrl: repo.cloneUrl,
    repo,
    bare,
    trusted: () => join(world.data, 'runs', runId, 'git'),
    close: () => world.close(),
  };
};
