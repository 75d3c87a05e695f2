/**
 * What hostile agents leave behind: nothing of it executes, and nothing outside the workspace is
 * read.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGit, type TrustedGit } from '../../executors/git/trusted-git.ts';
import { stageChange } from '../../executors/git/workspace/stage-change.ts';
import { git, write } from '../support/git-world.ts';
import { SECRET, has, useVictim } from '../support/victim.ts';

const victim = useVictim();

describe('E1: nothing that the agent leaves behind is executed', () => {
  it('a canary that plain git does execute, so that the other tests mean something', () => {
    appendFileSync(join(victim.run.ws, '.git/config'), victim.evilConfig());
    writeFileSync(join(victim.run.ws, '.gitattributes'), '* filter=evil\n');
    writeFileSync(join(victim.run.ws, 'a.txt'), 'two\n');
    try {
      git(victim.run.ws, 'add', '-A');
    } catch {
      // The filter's output may make git fail; what counts is that it ran.
    }
    expect(existsSync(victim.canary.trace)).toBe(true);
    rmSync(victim.canary.trace);
  });

  it('configuration, filters, hooks and attributes of its repository', async () => {
    appendFileSync(
      join(victim.run.ws, '.git/config'),
      `${victim.evilConfig()}[core]\n\thooksPath = ${join(victim.run.ws, 'hooks')}\n`,
    );
    victim.evilHooks(join(victim.run.ws, '.git'));
    victim.evilHooks(victim.run.ws);
    writeFileSync(
      join(victim.run.ws, '.gitattributes'),
      '* filter=evil diff=evil merge=evil working-tree-encoding=UTF-99\n',
    );
    writeFileSync(join(victim.run.ws, 'a.txt'), 'two\n');
    const commit = victim.committed(await victim.everyStep());
    expect(victim.content(commit.sha, 'a.txt')).toBe('two');
    expect(commit.paths).toContain('hooks/pre-commit');
  });

  it.each([
    ['a file', (ws: string, evil: string) => writeFileSync(join(ws, '.git'), `gitdir: ${evil}\n`)],
    ['a symbolic link', (ws: string, evil: string) => symlinkSync(evil, join(ws, '.git'))],
    ['a named pipe', (ws: string) => execFileSync('mkfifo', [join(ws, '.git')])],
    ['absent', () => undefined],
  ])('a `.git` that is %s', async (_, plant) => {
    const evil = join(victim.world.outside, `evil-${victim.run.id}`);
    renameSync(join(victim.run.ws, '.git'), evil);
    appendFileSync(join(evil, 'config'), victim.evilConfig());
    victim.evilHooks(evil);
    plant(victim.run.ws, evil);
    writeFileSync(join(victim.run.ws, 'a.txt'), 'two\n');
    expect(victim.committed(await victim.everyStep()).diff.files.map((f) => f.path)).toEqual(['a.txt']);
  });

  it('a worktree of the repository is left out, whole and told; a nested repository is committed as plain files', async () => {
    git(victim.run.ws, 'worktree', 'add', '-q', '.claude/worktrees/agent-a9', 'HEAD');
    write(join(victim.run.ws, '.claude/worktrees/agent-a9'), { 'a.txt': 'changed there\n' });
    const nested = join(victim.run.ws, 'scaffold');
    mkdirSync(nested);
    git(nested, 'init', '-q');
    write(nested, { 'index.js': 'x\n' });
    // What only looks like one is no reason to leave anything out.
    write(join(victim.run.ws, 'looks'), { '.git': 'gitdir: ../.git/modules/x\n', 'kept.txt': 'x\n' });
    const { paths, skipped } = victim.committed(await victim.harvested());
    expect(paths).toEqual(expect.arrayContaining(['scaffold/index.js', 'looks/kept.txt']));
    expect(paths.filter((path) => path.startsWith('.claude/') || path.endsWith('.git'))).toEqual([]);
    expect(has(skipped, 'nested_repository', 'looks/.git')).toBe(true);
    expect(has(skipped, 'nested_repository', '.claude/worktrees/agent-a9')).toBe(true);
  });

  it('a submodule that was removed is removed, and nothing else can come in its place as a submodule', async () => {
    rmSync(join(victim.run.ws, 'vendor'), { recursive: true });
    expect(victim.committed(await victim.everyStep()).diff.files).toMatchObject([
      { path: 'vendor/sub', status: 'deleted', oldMode: '160000' },
    ]);
  });

  it.each([['with a commit'], ['without a commit']])(
    'a nested repository %s: its files are plain files',
    async (how) => {
      const nested = join(victim.run.ws, 'pkg/nested');
      mkdirSync(nested, { recursive: true });
      git(nested, 'init', '-q');
      write(nested, { 'n.txt': 'n\n', '.gitattributes': '* filter=evil\n' });
      if (how === 'with a commit') {
        git(nested, 'add', 'n.txt');
        git(nested, 'commit', '-q', '-m', 'n');
      }
      appendFileSync(join(nested, '.git/config'), victim.evilConfig());
      write(victim.run.ws, {
        '.gitmodules': '[submodule "x"]\n\tpath = pkg/nested\n\turl = ext::sh -c id\n\tupdate = !id\n',
      });
      const commit = victim.committed(await victim.everyStep());
      expect(commit.paths.filter((p) => p.startsWith('pkg/'))).toEqual([
        'pkg/nested/.gitattributes',
        'pkg/nested/n.txt',
      ]);
      expect(has(commit.skipped, 'nested_repository', 'pkg/nested/.git')).toBe(true);
      expect(git(victim.trusted(), 'ls-tree', '-r', commit.sha).match(/^160000.*$/gm)).toHaveLength(1);
    },
  );
});

describe('E1: nothing outside the workspace is read', () => {
  it('hard links to a secret are left out; hard links among its own files are fine', async () => {
    linkSync(victim.secret, join(victim.run.ws, 'leak.txt'));
    rmSync(join(victim.run.ws, 'a.txt'));
    linkSync(victim.secret, join(victim.run.ws, 'a.txt'));
    write(victim.run.ws, { 'own.txt': 'own\n' });
    linkSync(join(victim.run.ws, 'own.txt'), join(victim.run.ws, 'own-2.txt'));
    const commit = victim.committed(await victim.harvested());
    expect(commit.diff.files.map((f) => f.path)).toEqual(['own-2.txt', 'own.txt']);
    expect(has(commit.skipped, 'hard_link', 'leak.txt')).toBe(true);
    expect(has(commit.skipped, 'hard_link', 'a.txt')).toBe(true);
    victim.neverStored(SECRET);
  });

  it.each([
    ['another file', () => renameSync(join(victim.run.ws, 'src/main.js'), join(victim.run.ws, 'a.txt'))],
    [
      'a link to a secret',
      () => {
        rmSync(join(victim.run.ws, 'a.txt'));
        symlinkSync(victim.secret, join(victim.run.ws, 'a.txt'));
      },
    ],
    [
      'a link to the very file',
      () => {
        renameSync(join(victim.run.ws, 'a.txt'), join(victim.world.outside, victim.run.id));
        symlinkSync(join(victim.world.outside, victim.run.id), join(victim.run.ws, 'a.txt'));
      },
    ],
  ])('a file that becomes %s after it was listed ends the harvest', async (_, swap) => {
    const plain = createGit('https');
    // What is ignored is asked when the files of a folder are known and none of them was read.
    const asked = (...[args, options]: Parameters<TrustedGit>): ReturnType<TrustedGit> => {
      if (args[0] === 'check-ignore') swap();
      return plain(args, options);
    };
    const { ws: workspace, sha } = victim.run;
    write(workspace, { 'new.txt': 'x\n', 'a.txt': 'changed\n' });
    const scratch = mkdtempSync(join(victim.world.outside, 'scratch-'));
    const input = { gitDir: victim.trusted(), workspace, base: sha, parent: sha, scratch };
    await expect(stageChange(Object.assign(asked, plain), input)).rejects.toThrow(
      /changed while it was read|ELOOP/,
    );
    victim.neverStored(SECRET);
  });

  it('E21: of a tree at work what is swapped, moved or taken away meanwhile is as it was before, and the rest is there', async () => {
    const plain = createGit('https');
    const { ws: workspace, sha } = victim.run;
    const { outside } = victim.world;
    mkdirSync(join(outside, 'lib/x'), { recursive: true });
    writeFileSync(join(outside, 'lib/x/y.txt'), SECRET);
    const swap = (): void => {
      // A folder becomes a link to one with the same names, a file a link, and another is gone.
      renameSync(join(workspace, 'lib'), join(outside, `lib-of-${victim.run.id}`));
      symlinkSync(join(outside, 'lib'), join(workspace, 'lib'));
      rmSync(join(workspace, 'a.txt'));
      symlinkSync(victim.secret, join(workspace, 'a.txt'));
      rmSync(join(workspace, 'gone.txt'));
      appendFileSync(join(workspace, 'new.txt'), 'more\n');
    };
    const asked = (...[args, options]: Parameters<TrustedGit>): ReturnType<TrustedGit> => {
      if (args[0] === 'check-ignore') swap();
      return plain(args, options);
    };
    write(workspace, {
      'new.txt': 'x\n',
      'gone.txt': 'x\n',
      'a.txt': 'changed\n',
      'lib/x/y.txt': 'changed\n',
    });
    const scratch = mkdtempSync(join(outside, 'scratch-'));
    const input = { gitDir: victim.trusted(), workspace, base: sha, parent: sha, scratch };
    const staged = await stageChange(Object.assign(asked, plain), { ...input, isAtWork: true });
    if (staged.kind !== 'tree') throw new Error(staged.kind);
    const bare = { cwd: outside, encoding: 'utf8' } as const;
    const files = execFileSync(
      'git',
      ['--git-dir', victim.trusted(), 'diff', '--name-status', sha, staged.tree],
      bare,
    );
    expect(files).toBe('A\tnew.txt\n');
    victim.neverStored(SECRET);
  });

  it('symbolic links out are link text with a finding, also where a folder was', async () => {
    symlinkSync(victim.secret, join(victim.run.ws, 'leak'));
    symlinkSync('../../../outside/secret.txt', join(victim.run.ws, 'up'));
    symlinkSync('../a.txt', join(victim.run.ws, 'src/fine'));
    rmSync(join(victim.run.ws, 'lib'), { recursive: true });
    symlinkSync(victim.world.outside, join(victim.run.ws, 'lib'));
    const commit = victim.committed(await victim.harvested());
    expect(commit.paths).not.toContain('lib/x/y.txt');
    const escaped = commit.diff.findings.filter((f) => f.kind === 'symlink_escape').map((f) => f.path);
    expect(escaped.sort()).toEqual(['leak', 'lib', 'up']);
    victim.neverStored(SECRET);
  });

  it('symbolic links that lead out only together are found', async () => {
    symlinkSync('..', join(victim.run.ws, 'lib/x/up'));
    symlinkSync('lib/x/up/../../etc', join(victim.run.ws, 'joined'));
    const { findings } = victim.committed(await victim.harvested()).diff;
    expect(findings.filter((f) => f.kind === 'symlink_escape').map((f) => f.path)).toEqual(['joined']);
  });
});
