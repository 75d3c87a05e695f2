/** Makes the repository that a task starts from: the commit before the fix, and the tests of the fix. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Task } from './task-list.ts';

export type PreparedTask = {
  task: Task;
  /** A bare repository with one commit; the clone's objects are read, never written. */
  dir: string;
  commit: string;
  fixedTree: string;
};

const AUTHOR = { name: 'Tasks', email: 'tasks@localhost' };

export const git = (dir: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): string =>
  execFileSync('git', ['-c', 'safe.directory=*', '-c', 'core.quotePath=false', '--git-dir', dir, ...args], {
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: AUTHOR.name,
      GIT_AUTHOR_EMAIL: AUTHOR.email,
      GIT_COMMITTER_NAME: AUTHOR.name,
      GIT_COMMITTER_EMAIL: AUTHOR.email,
      ...env,
    },
  });

export const findClone = (folder: string, repo: string): string | null => {
  const [owner = '', name = ''] = repo.split('/');
  const places = [`${owner}+${name}/repo`, `${owner}+${name}`, `${owner}/${name}`, name].flatMap((at) => [
    path.join(folder, at, '.git'),
    path.join(folder, at),
    path.join(folder, `${at}.git`),
  ]);
  return places.find((at) => existsSync(path.join(at, 'objects'))) ?? null;
};

const treeWith = (dir: string, from: string, files: readonly string[], of: string): string => {
  const env = { GIT_INDEX_FILE: path.join(dir, 'task-index') };
  git(dir, ['read-tree', from], env);
  for (const file of files) {
    const entry = git(dir, ['ls-tree', of, '--', file]).trim();
    if (entry === '') git(dir, ['update-index', '--force-remove', '--', file], env);
    else git(dir, ['update-index', '--add', '--index-info'], env, `${entry}\n`);
  }
  return git(dir, ['write-tree'], env).trim();
};

export const prepareTask = (task: Task, clones: string, into: string): PreparedTask => {
  const clone = findClone(clones, task.repo);
  if (clone === null) throw new Error(`no clone of ${task.repo} is in ${clones}`);
  const dir = path.join(into, `${task.id}.git`);
  mkdirSync(dir, { recursive: true });
  git(dir, ['init', '--quiet', '--bare', '-b', 'main', dir]);
  appendFileSync(path.join(dir, 'objects/info/alternates'), `${path.resolve(clone, 'objects')}\n`);
  const tree = treeWith(dir, task.base, task.tests, task.fix);
  const commit = git(dir, ['commit-tree', tree, '-m', 'Add the tests of the change']).trim();
  git(dir, ['update-ref', 'refs/heads/main', commit]);
  const fixedTree = treeWith(dir, commit, task.files, task.fix);
  return { task, dir, commit, fixedTree };
};

export const checkOutTree = (dir: string, tree: string, into: string): void => {
  mkdirSync(into, { recursive: true });
  git(dir, ['--work-tree', into, 'checkout', '--force', tree, '--', '.'], {
    GIT_INDEX_FILE: path.join(dir, 'checkout-index'),
  });
};
