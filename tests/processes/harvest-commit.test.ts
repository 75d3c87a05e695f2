/**
 * What an agent's tree becomes as a commit: what is left out or refused, what is exact, what a
 * person is told.
 */
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AT, AUTHOR, git, write } from '../support/git-world.ts';
import { has, unsafe, useVictim } from '../support/victim.ts';

const victim = useVictim();

describe('E1: what cannot be published safely is left out or refused, and said', () => {
  it('a huge file is left out without being read', async () => {
    write(victim.run.ws, { huge: '', 'b.txt': 'b\n' });
    truncateSync(join(victim.run.ws, 'huge'), 3 * 1024 ** 3);
    truncateSync(join(victim.run.ws, 'a.txt'), 21 * 1024 ** 2);
    const commit = victim.committed(await victim.harvested());
    expect(commit.diff.files.map((f) => f.path)).toEqual(['b.txt']);
    expect(commit.skipped.filter((f) => f.kind === 'too_large').map((f) => f.path)).toEqual([
      'a.txt',
      'huge',
    ]);
  });

  it('names that pass for .git, or that people cannot see or type, are left out', async () => {
    const names = [
      '.GIT/config',
      'git~1/config',
      '.git /config',
      '.git./config',
      '.g\u200dit/config',
      '.git::$INDEX_ALLOCATION/config',
      'x\\.git\\config',
      'back\\slash',
      'new\nline',
      'bell\u0007',
      'rtl\u202etxt.js',
      'zero\u200bwidth',
    ];
    write(victim.run.ws, { ...Object.fromEntries(names.map((name) => [name, 'x\n'])), 'b.txt': 'b\n' });
    const commit = victim.committed(await victim.harvested());
    expect(commit.diff.files.map((f) => f.path)).toEqual(['b.txt']);
    const left = commit.skipped.filter((f) => f.kind === 'bad_name').map((f) => f.path);
    expect(left.sort()).toEqual(names.map((name) => name.split('/')[0]).sort());
  });

  it('a name that is not UTF-8 is left out, and shown with its bytes', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${victim.run.ws}/caf`), Buffer.from([0xe9])]), 'x\n');
    const harvest = await victim.harvested();
    expect(harvest.kind === 'no_changes' && has(harvest.skipped, 'bad_name', 'caf\\xe9')).toBe(true);
  });

  it('.gitmodules as a symbolic link is left out', async () => {
    symlinkSync('a.txt', join(victim.run.ws, '.gitmodules'));
    const harvest = await victim.harvested();
    expect(harvest.kind === 'no_changes' && has(harvest.skipped, 'bad_name', '.gitmodules')).toBe(true);
  });

  it.each([
    ['case', { 'A.TXT': 'x\n' }, 'A.TXT'],
    ['case of a folder', { 'SRC/other.js': 'x\n' }, 'SRC'],
    ['case of two new files', { 'new.md': '1\n', 'New.md': '2\n' }, 'new.md'],
    ['Unicode form', { 'caf\u00e9.txt': '1\n', 'cafe\u0301.txt': '2\n' }, 'caf\u00e9.txt'],
  ])('names that differ only in %s are refused', async (_, files, path) => {
    write(victim.run.ws, files);
    expect(has(unsafe(await victim.harvested()), 'bad_name', path)).toBe(true);
  });

  it('names that look like options or patterns are published literally', async () => {
    const names = ['-rf', '*', ':(exclude)a.txt', '"quoted"', 'tab\u00a0?', '--output=x', '!x', '#y', ' z '];
    write(victim.run.ws, Object.fromEntries(names.map((n) => [n, 'x\n'])));
    const commit = victim.committed(await victim.harvested());
    expect(commit.diff.files.map((f) => f.path).sort()).toEqual([...names].sort());
  });
});

describe('the commit says what is in the workspace, whatever git in there believes', () => {
  it('takes bytes as they are, in spite of attributes', async () => {
    write(victim.run.ws, {
      '.gitattributes': '* text eol=crlf ident export-subst\n',
      'w.txt': 'a\r\nb\n$Id$ $Format:%H$\r\n',
    });
    const commit = victim.committed(await victim.harvested());
    expect(git(victim.trusted(), 'cat-file', '-s', `${commit.sha}:w.txt`)).toBe('23');
  });

  it('knows only two modes of files', async () => {
    for (const [name, mode] of [
      ['s', 0o4755],
      ['w', 0o666],
      ['x', 0o711],
      ['o', 0o600],
    ] as const) {
      writeFileSync(join(victim.run.ws, name), 'x\n');
      chmodSync(join(victim.run.ws, name), mode);
    }
    const files = victim.committed(await victim.harvested()).diff.files;
    expect(files.map((f) => `${f.path} ${f.newMode}`)).toEqual([
      'o 100644',
      's 100755',
      'w 100644',
      'x 100755',
    ]);
  });

  it('is not fooled by times, assume-unchanged, skip-worktree, sparse checkouts, grafts or replaced objects', async () => {
    const { atime, mtime } = lstatSync(join(victim.run.ws, 'a.txt'));
    git(victim.run.ws, 'update-index', '--assume-unchanged', 'a.txt');
    git(victim.run.ws, 'update-index', '--skip-worktree', 'src/main.js');
    git(victim.run.ws, 'config', 'core.sparseCheckout', 'true');
    writeFileSync(join(victim.run.ws, 'a.txt'), 'two\n');
    utimesSync(join(victim.run.ws, 'a.txt'), atime, mtime);
    rmSync(join(victim.run.ws, 'src/main.js'));
    mkdirSync(join(victim.run.ws, '.git/info'), { recursive: true });
    writeFileSync(join(victim.run.ws, '.git/info/grafts'), `${victim.run.sha}\n`);
    expect(victim.committed(await victim.harvested()).diff.files.map((f) => `${f.status} ${f.path}`)).toEqual(
      ['modified a.txt', 'deleted src/main.js'],
    );
  });

  it('ignores by the rules of the base, never by those that the agent wrote; tracked files stay', async () => {
    write(victim.run.ws, {
      '.gitignore': 'helper.js\n*.log\n',
      'helper.js': 'x\n',
      'src/.gitignore': '*\n',
      'src/new.js': 'x\n',
      'debug.log': 'x\n',
      'build/o.js': 'x\n',
      'build/p.js': 'x\n',
      'out/keep.txt': 'x\n',
      'out/drop.txt': 'x\n',
      'deep/er/build/o.js': 'x\n',
      'deep/er/file.js': 'x\n',
      'node_modules/p/index.js': 'x\n',
      'logs/kept.log': 'changed\n',
    });
    appendFileSync(join(victim.run.ws, '.git/info/exclude'), 'a*\n');
    const commit = victim.committed(await victim.harvested());
    expect(commit.diff.files.map((f) => f.path)).toEqual([
      '.gitignore',
      'deep/er/file.js',
      'helper.js',
      'logs/kept.log',
      'out/keep.txt',
      'src/.gitignore',
      'src/new.js',
    ]);
    expect(commit.skipped).toEqual([
      { kind: 'skipped_ignored', path: '', line: 0, note: { kind: 'ignored', count: 5 }, count: 5 },
    ]);
  });

  it('C4: a stash, commits and pushes of the agent are told, and what they hold stays out', async () => {
    const { ws } = victim.run;
    git(ws, 'init', '-q', '--bare', '../elsewhere.git');
    git(join(ws, '../elsewhere.git'), 'config', 'receive.shallowUpdate', 'true');
    git(ws, 'remote', 'add', 'elsewhere', '../elsewhere.git');
    for (const name of ['one', 'two']) {
      write(ws, { [`${name}.txt`]: `${name}\n` });
      git(ws, 'add', '-A');
      git(ws, 'commit', '-q', '-m', `agent's ${name}`);
    }
    git(ws, 'push', '-q', 'elsewhere', 'HEAD:refs/heads/agent');
    git(ws, 'push', '-q', 'elsewhere', 'HEAD:refs/heads/other/deep/x');
    write(ws, { 'a.txt': 'hidden\n' });
    git(ws, 'stash', 'push', '-q');
    const commit = victim.committed(await victim.harvested());
    expect(commit.diff.files.map((f) => f.path)).toEqual(['one.txt', 'two.txt']);
    expect(commit.skipped.filter(({ kind }) => kind === 'agent_git').map(({ note }) => note)).toEqual([
      { kind: 'agent_stashed', count: 1 },
      { kind: 'agent_committed', count: 2 },
      { kind: 'agent_pushed', count: 2 },
    ]);
  });

  it('E1: a log of Git that leads out of the workspace is not followed', async () => {
    const { ws } = victim.run;
    git(ws, 'commit', '-q', '--allow-empty', '-m', 'x');
    renameSync(join(ws, '.git/logs'), join(ws, '../logs'));
    symlinkSync('../../logs', join(ws, '.git/logs'));
    write(ws, { 'b.txt': 'b\n' });
    expect(has(victim.committed(await victim.harvested()).skipped, 'agent_git', '')).toBe(false);
  });

  it('ignores by the rules of the base, whatever the commit before says that it builds on', async () => {
    write(victim.run.ws, { '.gitignore': '*\n', 'first.txt': 'x\n' });
    const first = victim.committed(await victim.harvested());
    expect(first.paths).toContain('first.txt');
    write(victim.run.ws, { 'second.txt': 'x\n', 'debug.log': 'x\n' });
    const second = victim.committed(await victim.world.harvest(victim.run.id, victim.run.sha, first.sha));
    expect(second.paths).toContain('second.txt');
    expect(second.paths).not.toContain('debug.log');
  });

  it('E17: names the files that the repository ignores where nothing else was changed', async () => {
    write(victim.run.ws, {
      'debug.log': 'x\n',
      'build/o.js': 'x\n',
      'logs/more.log': 'x\n',
      'node_modules/p.js': 'x\n',
    });
    expect(await victim.harvested()).toMatchObject({
      kind: 'no_changes',
      ignored: ['debug.log', 'logs/more.log'],
    });
  });

  it('replaces files by folders and folders by files', async () => {
    rmSync(join(victim.run.ws, 'a.txt'));
    write(victim.run.ws, { 'a.txt/inside': 'x\n' });
    rmSync(join(victim.run.ws, 'lib'), { recursive: true });
    write(victim.run.ws, { lib: 'now a file\n' });
    expect(victim.committed(await victim.harvested()).paths).toEqual(
      expect.arrayContaining(['a.txt/inside', 'lib']),
    );
  });

  it('is the same commit for the same bytes, with our author and time on the given parent', async () => {
    write(victim.run.ws, { 'b.txt': 'b\n' });
    const first = victim.committed(await victim.harvested());
    expect(victim.committed(await victim.world.harvest(victim.run.id, victim.run.sha)).sha).toBe(first.sha);
    const other = await victim.world.prepare(`${victim.run.id}-twin`, victim.repo);
    write(other.ws, { 'b.txt': 'b\n' });
    expect(victim.committed(await victim.world.harvest(`${victim.run.id}-twin`, victim.run.sha)).sha).toBe(
      first.sha,
    );
    expect(git(victim.trusted(), 'show', '-s', '--format=%an <%ae> %at %cn %ct %P %B', first.sha)).toBe(
      `${AUTHOR.name} <${AUTHOR.email}> ${Math.floor(AT / 1000)} ${AUTHOR.name} ${Math.floor(AT / 1000)} ${victim.run.sha} Change\n\nWhy.`,
    );
    const tree = git(victim.trusted(), 'rev-parse', `${first.sha}^{tree}`);
    expect(first).toMatchObject({ base: victim.run.sha, tree, message: 'Change\n\nWhy.\n' });
  });

  it('compares with the parent for "no changes" and with the base for the facts', async () => {
    expect((await victim.harvested()).kind).toBe('no_changes');
    write(victim.run.ws, { 'b.txt': 'b\n' });
    const first = victim.committed(await victim.harvested());
    expect((await victim.world.harvest(victim.run.id, victim.run.sha, first.sha)).kind).toBe('no_changes');
    write(victim.run.ws, { 'c.txt': 'c\n' });
    const second = victim.committed(await victim.world.harvest(victim.run.id, victim.run.sha, first.sha));
    expect(second.diff.files.map((f) => f.path)).toEqual(['b.txt', 'c.txt']);
    expect(git(victim.trusted(), 'rev-parse', `${second.sha}^`)).toBe(first.sha);
  });
});

describe('P2: what a person should know of the content', () => {
  it('finds hidden text, long lines, secrets, mixed scripts and tests that no longer run, each with its line', async () => {
    write(victim.run.ws, {
      'src/main.js': `let a = 1;\nlet b = '\u202e';\nlet pa\u0443pal = 2;\n`,
      'long.txt': `short\n${'x'.repeat(5001)}\n`,
      'key.txt': `\ntoken = ghp_${'a1'.repeat(20)}\n-----BEGIN RSA PRIVATE KEY-----\n`,
      'lfs.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
      'test/sum.test.js': "it('adds', () => {});\nit.skip('subtracts', () => {});\n",
      'emoji.md': '\ufeff👩\u200d💻 and 1\u00a0km\r\n',
      'bytes.bin': Buffer.from([0, 1, 2, 3]),
    });
    const commit = victim.committed(await victim.harvested());
    expect(commit.diff.findings.map((f) => `${f.kind} ${f.path}:${f.line}`).sort()).toEqual([
      'bidi_text src/main.js:2',
      'hidden_line key.txt:2',
      'lfs_pointer lfs.bin:1',
      'long_line long.txt:2',
      'look_alike src/main.js:3',
      'mixed_script src/main.js:3',
      'secret key.txt:2',
      'secret key.txt:3',
      'test_skipped test/sum.test.js:2',
    ]);
    expect(JSON.stringify(commit.diff.findings)).not.toContain('ghp_');
    expect(commit.diff.files.find((f) => f.path === 'bytes.bin')?.binary).toBe(true);
  });

  it('says nothing of lines that were there before', async () => {
    write(victim.run.ws, { 'old.txt': `${'x'.repeat(6000)}\n` });
    const first = victim.committed(await victim.world.harvest(victim.run.id, victim.run.sha));
    appendFileSync(join(victim.run.ws, 'old.txt'), 'more\n');
    const second = victim.committed(await victim.world.harvest(victim.run.id, first.sha, first.sha));
    expect(second.diff.findings).toEqual([]);
  });
});
