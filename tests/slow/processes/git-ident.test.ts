/**
 * F9, O3: which names, addresses and branches we take, held against what git itself does with them:
 * what git refuses or writes differently is refused where a person gives it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../app/settings-schema.ts';
import { ConfigError } from '../../../app/config-error.ts';
import { createGit } from '../../../executors/git/trusted-git.ts';
import { BranchName } from '#model/order';
import { SignOff } from '#model/trailers';

let dir: string;
let tree: string;
let commit: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'agentpr-ident-'));
  execFileSync('git', ['init', '--quiet', '--bare', dir]);
  const identity = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org'];
  const plain = (...args: string[]): string =>
    execFileSync('git', [...identity, ...args], { cwd: dir, input: '' })
      .toString()
      .trim();
  tree = plain('mktree');
  commit = plain('commit-tree', '-m', 'One', tree);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The author as the product's own git writes it; null where it makes no commit. */
const written = async (name: string, email: string): Promise<{ name: string; email: string } | null> => {
  const git = createGit('https');
  const env = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: 'Ana',
    GIT_COMMITTER_EMAIL: 'ana@example.org',
  };
  try {
    const { stdout } = await git(['commit-tree', tree], { gitDir: dir, env, stdin: '' });
    const made = await git(['cat-file', 'commit', stdout.trim()], { gitDir: dir });
    const [, name = '', email = ''] = /^author ([^<]*) <([^>]*)> \d+ /m.exec(made.stdout) ?? [];
    return { name, email };
  } catch {
    return null;
  }
};

const isTaken = (author: { name: string; email: string }): boolean => {
  try {
    readSettings(JSON.stringify({ author }));
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
};
const EMAIL = 'ana@example.org';
const isNameTaken = (name: string): boolean => isTaken({ name, email: EMAIL });
const isSignOff = (text: string): boolean => SignOff.safeParse(text).success;

describe('the name of an author', () => {
  it.each([
    ...['Ana', 'Ana Example', 'Ana B.', '"Ana"', "O'Brien", "'Ana", 'Ana, Bo', 'A', '7', 'é', '张三', '。'],
    ...['---', 'agentpr[bot]', 'Jr.', '🤖', ' Ana ', '\\Ana\\', 'Ana: Bo;', 'x.', '-n'],
  ])('F9: %j is taken by git, which cuts off its ends at most, and by us', async (name) => {
    const made = (await written(name, EMAIL))?.name ?? '';
    expect(made).not.toBe('');
    expect(name).toContain(made);
    expect(isNameTaken(name)).toBe(true);
    if (name.trim() === name) expect(isSignOff(`${name} <${EMAIL}>`)).toBe(true);
  });

  it.each([
    ...[
      '',
      ' ',
      ',',
      ':',
      ';',
      '<',
      '>',
      '<>',
      '"',
      '\\',
      "'",
      '""',
      "'.'",
      '. , :',
      '<.>',
      '\t',
      '\n',
      '\r\n',
    ],
    ...['A\nB', 'A<b>C', 'Ana <ana@example.org>', 'A>B', '\u0000', 'A\u0000B'],
  ])('F9: %j is refused by git, or is another name there, and is refused where it is given', async (name) => {
    const made = (await written(name, EMAIL))?.name;
    expect(made === undefined || !name.includes(made)).toBe(true);
    expect(isNameTaken(name)).toBe(false);
    expect(isSignOff(`${name} <${EMAIL}>`)).toBe(false);
  });

  it('F9: full stops alone, which only newer gits take, are refused', async () => {
    const isKept = (await written('Ana.', EMAIL))?.name === 'Ana.';
    for (const name of ['.', '...']) {
      expect((await written(name, EMAIL)) !== null, name).toBe(isKept);
      expect(isNameTaken(name), name).toBe(false);
      expect(isSignOff(`${name} <${EMAIL}>`), name).toBe(false);
    }
  });

  it('F9: characters that nobody sees are refused, though git would take them', () => {
    for (const name of ['A\tB', 'Ana\u202e', 'A\u200bna', '\u007f', 'A\u001b[2J', 'A\ud800', 'Ana\n', '<Ana'])
      expect(isNameTaken(name), JSON.stringify(name)).toBe(false);
    expect(isNameTaken('A'.repeat(201))).toBe(false);
  });
});

describe('the address of an author', () => {
  it.each([
    ...['ana@example.org', "o'brien@example.org", 'a.b+c@x-y.example.org', 'ana@xn--bcher-kva.example'],
    ...['用户@例子.公司', '49699333+agentpr[bot]@users.noreply.github.com', 'agentpr@agentpr.invalid'],
  ])('F9: %j stands in a commit as it is, and may sign off', async (email) => {
    expect(await written('Ana', email)).toEqual({ name: 'Ana', email });
    expect(isTaken({ name: 'Ana', email })).toBe(true);
    expect(isSignOff(`Ana <${email}>`)).toBe(true);
  });

  it.each([
    ...['', ' ', '.', '<>', "'ana@example.org", 'ana@example.org.', 'ana@exam\nple.org', 'a<b>@example.org'],
    ...[' ana@example.org', 'ana@example.org,', ':ana@example.org', '"ana@example.org"'],
  ])('F9: %j is another address, or none, in a commit, and is refused', async (email) => {
    const made = (await written('Ana', email))?.email;
    expect(made === '' || made !== email).toBe(true);
    expect(isTaken({ name: 'Ana', email })).toBe(false);
    expect(isSignOff(`Ana <${email}>`)).toBe(false);
  });

  it('F9: what is no address is refused, though git would write it', () => {
    for (const email of [
      'ana',
      'ana@',
      '@example.org',
      'ana@example',
      'a@b@example.org',
      'ana@-x.org',
      'a b@x.org',
      'ana@x..org',
      'a\u202e@x.org',
      `ana@${'x'.repeat(190)}.org`,
    ]) {
      expect(isTaken({ name: 'Ana', email }), email).toBe(false);
      expect(isSignOff(`Ana <${email}>`), email).toBe(false);
    }
  });

  it('O3: the refusal names the key, and says what to write', () => {
    const said =
      (author: object): (() => unknown) =>
      () =>
        readSettings(JSON.stringify({ author }));
    expect(said({ name: '...', email: EMAIL })).toThrow(
      'author.name: git takes no name that is empty or only punctuation; write one like Ana Example',
    );
    expect(said({ name: 'Ana <ana@example.org>', email: EMAIL })).toThrow(
      'author.name: a name may not have <, >',
    );
    expect(said({ name: 'Ana', email: 'ana' })).toThrow('author.email is "ana"; it must be an email address');
  });
});

describe('the name of a branch', () => {
  const takesBranch = (name: string): boolean =>
    spawnSync('git', ['check-ref-format', '--branch', name], { cwd: dir }).status === 0 &&
    spawnSync('git', ['update-ref', `refs/heads/${name}`, commit], { cwd: dir }).status === 0;

  it.each([
    ...[
      'fix/it',
      'a@b',
      'release-1.2',
      '修复',
      'x.lock2',
      'heads',
      'HEAD2',
      'head',
      'é/ü',
      '%20',
      'a$b',
      "a'b",
    ],
    ...[
      'HEAD',
      'a..b',
      '.a',
      'a.',
      'a/',
      '/a',
      'a//b',
      'a/.b',
      'a.lock',
      'a.lock/b',
      'a b',
      'a~b',
      'a^',
      'a:b',
    ],
    ...[
      'a?',
      'a*',
      'a[b',
      'a\\b',
      'a@{b',
      '-a',
      'a\u007f',
      '开'.repeat(90),
      `${'开'.repeat(60)}/${'关'.repeat(60)}`,
    ],
  ])('E14: of %j, what git says is what we say', (name) => {
    expect(BranchName.safeParse(name).success).toBe(takesBranch(name));
  });
});
