/** A temporary code host, data directory and repositories made with plain git. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CollectedChange, RepoRef, WorkspacePort } from '#ports/workspaces';
import type { ExposedSecrets } from '../../executors/sandbox/exposed-secrets.ts';
import { createWorkspaces } from '../../executors/git/workspace/workspace.ts';
import { startGitHost, type GitHost } from './git-http.ts';

export const TOKEN = 'tok_4f1c9a77e2b84d10';
export const AUTHOR = { name: 'Ana', email: 'ana@example.org' };
export const AT = 1_750_000_000_123;

const ENV = {
  PATH: '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Olga',
  GIT_AUTHOR_EMAIL: 'olga@example.org',
  GIT_COMMITTER_NAME: 'Olga',
  GIT_COMMITTER_EMAIL: 'olga@example.org',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_DATE: '1700000000 +0000',
  // Automatic gc would pack while files are being copied.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'gc.auto',
  GIT_CONFIG_VALUE_0: '0',
};

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env: ENV, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 })
    .toString()
    .trimEnd();

export type Files = Record<string, string | Buffer>;

export const write = (dir: string, files: Files): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
};

const quotePath = (path: string): string =>
  `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** Puts a commit onto a branch of a bare repository with one program, and returns its id. */
const importCommit = (
  dir: string,
  { branch, from, message, files }: { branch: string; from: string | null; message: string; files: Files },
): string => {
  const by = 'Olga <olga@example.org> 1700000000 +0000';
  const data = (content: string | Buffer): Buffer => {
    const bytes = Buffer.from(content);
    return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
  };
  const input = [
    Buffer.from(`commit refs/heads/${branch}\nmark :1\nauthor ${by}\ncommitter ${by}\n`),
    data(`${message}\n`),
    Buffer.from(from === null ? '' : `from ${from}\n`),
    ...Object.entries(files).flatMap(([path, content]) => [
      Buffer.from(`M 100644 inline ${quotePath(path)}\n`),
      data(content),
    ]),
    Buffer.from('get-mark :1\n'),
  ];
  return execFileSync('git', ['fast-import', '--quiet', '--force'], {
    cwd: dir,
    env: ENV,
    input: Buffer.concat(input),
  })
    .toString()
    .trim();
};

export type World = {
  dir: string;
  data: string;
  outside: string;
  host: GitHost;
  workspaces: WorkspacePort;
  restart(): void;
  /** `more` may change the repository before its only commit. */
  repo(name: string, files: Files, more?: (dir: string) => void): RepoRef;
  bare(repo: RepoRef): string;
  advance(repo: RepoRef, files: Files, branch?: string): string;
  prepare(
    runId: string,
    repo: RepoRef,
    base?: string | null,
  ): Promise<{ ref: string; sha: string; ws: string }>;
  harvest(runId: string, base: string, parent?: string): Promise<CollectedChange>;
  close(): Promise<void>;
};

export const createWorld = async (lent?: ExposedSecrets): Promise<World> => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-git-'));
  const [data, root, outside] = [join(dir, 'data'), join(dir, 'host'), join(dir, 'outside')];
  for (const d of [data, root, outside]) mkdirSync(d);
  const host = await startGitHost(root);
  const open = (): WorkspacePort =>
    createWorkspaces({
      dataDir: data,
      serverUrl: host.origin,
      credential: () => Promise.resolve(TOKEN),
      ...(lent ? { lent } : {}),
    });
  let workspaces = open();
  /** Each goes on from the last one, whatever branch that is on. */
  const made = new Map<string, string>();
  const bare = (repo: RepoRef): string => join(root, `${repo.name}.git`);

  return {
    dir,
    data,
    outside,
    host,
    get workspaces() {
      return workspaces;
    },
    restart: () => void (workspaces = open()),
    bare,
    repo: (name, files, more) => {
      const ref = { name: `acme/${name}`, cloneUrl: `${host.origin}/acme/${name}.git` };
      const to = bare(ref);
      if (more === undefined) {
        git(dir, 'init', '-q', '--bare', '-b', 'main', to);
        if (Object.keys(files).length > 0)
          made.set(to, importCommit(to, { branch: 'main', from: null, message: 'first', files }));
        return ref;
      }
      const work = join(dir, 'made', name);
      mkdirSync(work, { recursive: true });
      git(work, 'init', '-q', '-b', 'main');
      write(work, files);
      git(work, 'add', '-A', '--force');
      more(work);
      git(work, 'commit', '-q', '--allow-empty', '-m', 'first');
      git(dir, 'clone', '-q', '--bare', work, to);
      return ref;
    },
    advance: (repo, files, branch = 'main') => {
      const to = bare(repo);
      const from = made.get(to) ?? git(to, 'rev-parse', 'HEAD');
      const sha = importCommit(to, { branch, from, message: 'next', files });
      made.set(to, sha);
      return sha;
    },
    prepare: async (runId, repo, base = null) => {
      const signal = new AbortController().signal;
      const made = await workspaces.prepare({ runId, repo, base, defaultBranch: 'main', signal });
      return { ...made, ws: workspaces.places(runId).workspace };
    },
    harvest: (runId, base, parent = base) =>
      workspaces.harvest({ runId, base, parent, message: 'Change\n\nWhy.\n', author: AUTHOR, at: AT }),
    close: async () => {
      await host.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

/** Does not follow links. */
export const everything = (dir: string): { path: string; ino: number; nlink: number; file: boolean }[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true }).map((e) => {
    const path = join(e.parentPath, e.name);
    const stats = lstatSync(path);
    return { path, ino: stats.ino, nlink: stats.nlink, file: stats.isFile() };
  });

/** A program that leaves a trace when it is executed. */
export const makeCanary = (dir: string): { program: string; trace: string } => {
  const [program, trace] = [join(dir, 'canary.sh'), join(dir, 'SANG')];
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${trace}'\ncat 2>/dev/null\n`);
  chmodSync(program, 0o755);
  return { program, trace };
};
