/** Facts of a change, whatever its paths and kinds are, from real git. */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentFindings } from '../../executors/git/workspace/content-findings.ts';
import { isTestPath } from '../../executors/git/workspace/weakened-tests.ts';
import { parseDiffTree } from '../../executors/git/parse-diff-tree.ts';
import { escapesTree } from '../../executors/git/symlink-escapes.ts';
import { displayPath } from '../../executors/git/path-names.ts';
import { DIFF_QUESTIONS } from '../../governor/policies/path-policies.ts';
import type { RepoRef } from '#ports/workspaces';
import { toVisibleText } from '../../text-safety/visible-text.ts';
import type { Commit, DiffFacts } from '#model/change';
import { growth, LINEAR } from '../support/cost.ts';
import { createWorld, git, write, type World } from '../support/git-world.ts';

let world: World;
let commit: Commit;
let trusted: string;
let repo: RepoRef;
const lines = (n: number): string => Array.from({ length: n }, (_, i) => `line ${i}\n`).join('');

beforeAll(async () => {
  world = await createWorld();
  const latin1 = Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9]), Buffer.from('.txt')]);
  repo = world.repo(
    'facts',
    {
      'quoted "ä\t.txt': 'one\n',
      'moved/old name.txt': lines(50),
      'mode.sh': '#!/bin/sh\n',
      'gone.txt': 'a\nb\n',
      'image.bin': Buffer.from([0, 1, 2]),
      'turned.txt': 'file\n',
    },
    (dir) => {
      writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), latin1]), 'x\n');
      git(dir, 'add', '-A');
    },
  );
  const { ws, sha } = await world.prepare('f1', repo);
  writeFileSync(Buffer.concat([Buffer.from(`${ws}/`), latin1]), 'x\ny\n');
  write(ws, {
    'quoted "ä\t.txt': 'two\nthree\n',
    'image.bin': Buffer.from([0, 1, 2, 3]),
    'b/ added\u00a0.txt': 'no newline',
    'a => b.txt': 'x\n',
  });
  renameSync(join(ws, 'moved/old name.txt'), join(ws, 'moved/{new} name.txt'));
  chmodSync(join(ws, 'mode.sh'), 0o755);
  rmSync(join(ws, 'gone.txt'));
  rmSync(join(ws, 'turned.txt'));
  symlinkSync('mode.sh', join(ws, 'turned.txt'));
  const harvest = await world.harvest('f1', sha);
  if (harvest.kind !== 'commit') throw new Error(JSON.stringify(harvest));
  commit = harvest.commit;
  trusted = join(world.data, 'runs/f1/git');
});
afterAll(() => world.close());

const of = (diff: DiffFacts, path: string) => diff.files.find((f) => f.path === path);

describe('P2: facts of a change', () => {
  it('names every path exactly, and bytes that are not UTF-8 visibly', () => {
    expect(commit.diff.files.map((f) => f.path).sort()).toEqual(
      [
        'a => b.txt',
        'b/ added\u00a0.txt',
        'caf\\xe9.txt',
        'gone.txt',
        'image.bin',
        'mode.sh',
        'moved/{new} name.txt',
        'quoted "ä\t.txt',
        'turned.txt',
      ].sort(),
    );
  });

  it('tells added, modified, deleted, renamed, mode-only, binary and type changes apart', () => {
    const { diff } = commit;
    expect(of(diff, 'a => b.txt')).toMatchObject({ status: 'added', added: 1, oldMode: '000000' });
    expect(of(diff, 'quoted "ä\t.txt')).toMatchObject({ status: 'modified', added: 2, deleted: 1 });
    expect(of(diff, 'caf\\xe9.txt')).toMatchObject({ status: 'modified', added: 1 });
    expect(of(diff, 'gone.txt')).toMatchObject({ status: 'deleted', deleted: 2, newMode: '000000' });
    expect(of(diff, 'moved/{new} name.txt')).toMatchObject({
      status: 'renamed',
      oldPath: 'moved/old name.txt',
      added: 0,
    });
    expect(of(diff, 'mode.sh')).toMatchObject({
      status: 'modified',
      oldMode: '100644',
      newMode: '100755',
      added: 0,
      deleted: 0,
    });
    expect(of(diff, 'image.bin')).toMatchObject({ status: 'modified', binary: true });
    expect(of(diff, 'turned.txt')).toMatchObject({ status: 'type_changed', newMode: '120000' });
    expect(diff.added).toBe(diff.files.reduce((n, f) => n + f.added, 0));
  });

  it('G2: has the digest that plain git gives it, and the size of the patch', () => {
    const asked = (...args: string[]): Buffer =>
      execFileSync('git', [
        ...['--git-dir', trusted, '-c', 'core.quotePath=false'],
        'diff-tree',
        '-r',
        ...args,
      ]);
    const list = asked('-z', '--no-renames', commit.base, commit.sha);
    expect(list.length).toBeGreaterThan(500);
    expect(commit.diff.digest).toBe(createHash('sha256').update(list).digest('hex'));
    expect(commit.diff.bytes).toBe(asked('-p', '-a', '-M50%', commit.base, commit.sha).length);
  });

  it('G2: its digest is the same when it is gathered again', async () => {
    const compared = await world.workspaces.compare({ runId: 'f1', repo, base: 'main', head: commit.sha });
    expect(compared).toMatchObject({ mergeBase: commit.base, diff: commit.diff.digest });
  });

  it('gives people a patch that ends with a whole line, and counts what is omitted', async () => {
    const range = { runId: 'f1', base: commit.base, head: commit.sha };
    const whole = await world.workspaces.patch({ ...range, limit: 1_000_000 });
    expect(whole.omitted).toBe(0);
    expect(whole.text).toContain('+three');
    const part = await world.workspaces.patch({ ...range, limit: 200 });
    expect(part.text.endsWith('\n')).toBe(true);
    expect(whole.text.startsWith(part.text)).toBe(true);
    const none = await world.workspaces.patch({ ...range, limit: 0 });
    expect(none.text).toBe('');
    expect(part.omitted).toBe(none.omitted - Buffer.byteLength(part.text));
    expect(part.omitted).toBeGreaterThan(0);
  });
});

describe('G8: what people get to read of a change', () => {
  const range = () => ({ runId: 'f1', base: commit.base, head: commit.sha });

  it('has binary files, links, modes and names that are no UTF-8, byte for byte', async () => {
    const { text } = await world.workspaces.patch({ ...range(), limit: 1_000_000 });
    expect(text).toContain('+\0\u0001\u0002\u0003');
    expect(text).toContain('+++ b/caf\udce9.txt');
    expect(text).toContain('old mode 100644\nnew mode 100755');
    expect(text).toContain('new file mode 120000');
    expect(text).toContain('+mode.sh\n\\ No newline at end of file');
    expect(text).not.toContain('Binary files');
  });

  it('has the messages of its commits as git keeps them', async () => {
    const { messages } = await world.workspaces.patch({ ...range(), limit: 1_000 });
    expect(messages).toEqual(['Change\n\nWhy.\n']);
  });

  it('is as large as the facts say', async () => {
    const { text } = await world.workspaces.patch({ ...range(), limit: 1_000_000 });
    expect(commit.diff.documentBytes).toBe(Buffer.byteLength(toVisibleText(text)));
    expect(commit.diff.documentBytes).toBeGreaterThan(Buffer.byteLength(text));
  });
});

describe('reading the list of changes', () => {
  const nul = (...fields: string[]): Buffer => Buffer.from(fields.map((f) => `${f}\0`).join(''), 'latin1');
  const zero = '0'.repeat(40);

  it('refuses output that is cut off, unknown or does not fit together', () => {
    const head = `:100644 100644 ${zero} ${zero} M`;
    expect(() => parseDiffTree(nul(head))).toThrow();
    expect(() => parseDiffTree(Buffer.from(`${head}\0a`))).toThrow();
    expect(() => parseDiffTree(nul(head.replace(' M', ' X'), 'a'))).toThrow();
    expect(() => parseDiffTree(nul('1\t1\tb'))).toThrow();
    expect(() => parseDiffTree(nul(head, 'a', '1\t1\tb'))).toThrow();
    expect(parseDiffTree(Buffer.alloc(0)).changes).toEqual([]);
  });
});

describe('reading names, links and content', () => {
  it('shows invalid bytes one by one and leaves valid text alone', () => {
    const raw = (bytes: number[]): string => Buffer.from(bytes).toString('latin1');
    expect(displayPath(raw([0x61, 0xff, 0xc3, 0xa4, 0xc3]))).toBe('a\\xffä\\xc3');
    expect(displayPath(raw([0xed, 0xa0, 0x80]))).toBe('\\xed\\xa0\\x80');
    expect(displayPath(raw([0xf0, 0x9f, 0x98, 0x80, 0x80]))).toBe('😀\\x80');
  });

  it('knows which links leave the tree', () => {
    const check = (target: string, more: Record<string, string> = {}): boolean =>
      escapesTree(new Map(Object.entries({ 'd/link': target, ...more })), 'd/link');
    for (const inside of ['x', './x', '../x', '../d/../x', 'missing/../x', '..'])
      expect(check(inside)).toBe(false);
    for (const outside of ['/etc', '../..', '../../x', 'x/../../../y', '../.git/config', 'C:\\x', 'link'])
      expect(check(outside), outside).toBe(true);
    expect(check('up/../../x', { 'd/up': '../e/f' })).toBe(false);
    expect(check('up/../x', { 'd/up': '..' })).toBe(true);
  });

  it.each([
    ['one word of another script', 'д', 30_000],
    ['one word of digits', 'deadbeef', 16_000],
    ['the beginnings of tests', 'it.each(', 10_000],
    ['empty lines', '\n', 250_000],
  ])('P2: costs no more for each byte when it is longer, and nothing but %s and a dash', (_, text, count) => {
    const side = (content: string) => ({ path: 'test/a.test.ts', bytes: Buffer.from(content) });
    const make = (n: number) => [side(`${text.repeat(n)}…`), side(`${text.repeat(n)}…\nexport {};`)] as const;
    const judge = ([before, after]: ReturnType<typeof make>): void => {
      contentFindings(null, before);
      contentFindings(before, after);
    };
    expect(growth(count, make, judge)).toBeLessThan(LINEAR);
  });

  it('P2: finds letters that look alike in one word, whichever comes first, and not in neighbours', () => {
    const lines = ['paуpal', 'Оpen', 'о2_k', 'е\u0301a', 'привет, hello', 'δx', 'αβ naïve'].join('\n');
    const mixed = (text: string): number[] =>
      contentFindings(null, { path: 'a.txt', bytes: Buffer.from(text) })
        .filter((f) => f.kind === 'mixed_script')
        .map((f) => f.line);
    expect(mixed(lines)).toEqual([1, 2, 3, 4]);
    // Armenian, Cherokee, Lisu, Coptic, and a click that passes for an exclamation mark.
    expect(mixed('օpen\nᎪdmin\nꓐase\nⲟpen\nenvǃ = PROD\nԲարեւ hello')).toEqual([1, 2, 3, 4, 5]);
  });

  it('knows tests by their names', () => {
    for (const path of [
      'test/a.js',
      'src/a.test.ts',
      'a_test.go',
      'test_a.py',
      'spec/a_spec.rb',
      'FooTest.java',
    ])
      expect(isTestPath(path), path).toBe(true);
    for (const path of ['src/latest.js', 'contest/a.js', 'attestation.ts'])
      expect(isTestPath(path), path).toBe(false);
  });

  it('reports a deleted test file, and not one that moved whole', () => {
    const bytes = Buffer.from('def test_a():\n    pass\n');
    const before = { path: 'tests/test_a.py', bytes };
    expect(contentFindings(before, null)).toMatchObject([{ kind: 'test_removed', path: 'tests/test_a.py' }]);
    expect(contentFindings(before, { path: 'tests/test_b.py', bytes })).toEqual([]);
    expect(contentFindings(before, { path: 'src/a.py', bytes })).toMatchObject([{ kind: 'test_removed' }]);
  });

  it.each([
    ['a.test.ts', "it('x', () => expect(a).toBe(1));", "it.skip('x', () => expect(a).toBe(1));"],
    ['a.test.ts', "it('x', () => expect(a).toBe(1));", "xit('x', () => expect(a).toBe(1));"],
    ['a.test.ts', "it('x', () => expect(a).toBe(1));", "it('x', { skip: true }, () => expect(a).toBe(1));"],
    ['test_a.py', 'def test_a():\n  assert 1', '@pytest.mark.skip\ndef test_a():\n  assert 1'],
    ['a_test.go', 'func TestA(t *T) {\n}', 'func TestA(t *T) {\n\tt.Skip("x")\n}'],
    ['tests/a.rs', '#[test]\nfn a() {}', '#[test]\n#[ignore]\nfn a() {}'],
    ['ATest.java', '@Test void a() {}', '@Disabled\n@Test void a() {}'],
  ])('E13: names a test that is skipped now, in %s: %j', (path, was, is) => {
    const side = (text: string) => ({ path, bytes: Buffer.from(`x\n${text}\n`) });
    expect(contentFindings(side(was), side(is))).toMatchObject([{ kind: 'test_skipped', path }]);
    expect(contentFindings(side(is), side(is))).toEqual([]);
    expect(contentFindings(side(is), side(was))).toEqual([]);
    expect(contentFindings({ ...side(was), path: 'src/a.txt' }, { ...side(is), path: 'src/a.txt' })).toEqual(
      [],
    );
  });

  it('E13: names a test that checks less, and says the line where one is skipped', () => {
    const side = (text: string) => ({ path: 'test/a.test.js', bytes: Buffer.from(text) });
    const two = "it('a', () => {\n  assert.equal(1, 1);\n  assert.ok(f(2));\n});\n";
    const one = "it('a', () => {\n  assert.equal(1, 1);\n  f(2);\n});\n";
    expect(contentFindings(side(two), side(one))).toMatchObject([
      { kind: 'test_weakened', note: { kind: 'assertions', was: 2, is: 1 } },
    ]);
    expect(contentFindings(side(one), side(two))).toEqual([]);
    const skipped = `${two}\nit.skip('b', () => {});\n`;
    expect(contentFindings(side(two), side(skipped))).toMatchObject([{ kind: 'test_skipped', line: 6 }]);
    expect(contentFindings(null, side(skipped))).toMatchObject([{ kind: 'test_skipped' }]);
  });

  it('counts tests of a table as one, and costs what the length of a file costs', () => {
    const side = (text: string) => ({ path: 'a.test.ts', bytes: Buffer.from(text) });
    const plain = "it('a', f);\nit.each([1, (2)])('b', f);\ntest.each`\n  a\n`('c', f);\n";
    expect(contentFindings(side(plain), side("it('a', f);\n"))).toMatchObject([
      { kind: 'test_removed', note: { kind: 'test_cases', was: 3, is: 1 } },
    ]);
    const hostile = side('it.each('.repeat(100_000));
    const found: unknown = runInNewContext(
      'contentFindings(null, hostile).length',
      { contentFindings, hostile },
      { timeout: 5_000 },
    );
    expect(found).toBe(1);
  });

  it('finds each kind of secret once and not in the text around it', () => {
    const secrets = [
      `github_pat_${'A1'.repeat(25)}`,
      'AKIAIOSFODNN7EXAMPLE',
      'xoxb-1234567890-abc',
      `sk-proj-${'a1'.repeat(20)}`,
      `1234567890:AA${'b'.repeat(33)}`,
    ];
    const find = (text: string) => contentFindings(null, { path: 'x', bytes: Buffer.from(text) });
    for (const secret of secrets)
      expect(find(`key = "${secret}"\n`)).toMatchObject([{ kind: 'secret', line: 1 }]);
    expect(find(`key = "ghp_${'a1'.repeat(9)}"\n`)).toMatchObject([{ kind: 'likely_secret', line: 1 }]);
    expect(find('task-list-of-the-team-with-many-words-in-one-name\nsk-short\nghp_short\n')).toEqual([]);
  });
});

describe('dependencies', () => {
  it('C9: are named from both sides of a manifest, also of a large one, and only where they change', async () => {
    const filler = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`pkg-${i}`, '1.0.0']));
    const json = (dependencies: object): string => JSON.stringify({ name: 'x', dependencies }, null, 2);
    const large = world.repo('depends', {
      'package.json': json({ a: '^1.0.0' }),
      'web/package.json': json(filler),
      'go.mod': 'module x\n',
    });
    const { ws, sha } = await world.prepare('d1', large);
    write(ws, {
      'package.json': json({ a: '^2.0.0', 'left-pad': '^1.3.0' }),
      'web/package.json': json({ ...filler, chalk: '5' }),
      'go.mod': 'module x\n\n// no more\n',
    });
    const harvest = await world.harvest('d1', sha);
    if (harvest.kind !== 'commit') throw new Error(JSON.stringify(harvest));
    expect(harvest.commit.diff.dependencies).toEqual([
      { name: 'left-pad', was: null, version: '^1.3.0', path: 'package.json' },
      { name: 'a', was: '^1.0.0', version: '^2.0.0', path: 'package.json' },
      { name: 'chalk', was: null, version: '5', path: 'web/package.json' },
    ]);
  });

  it('P3: the version of the package itself is no dependency, also in a large lockfile', async () => {
    const locked = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, i) => [`node_modules/pkg-${i}`, { version: '1.0.0' }]),
    );
    const lock = (version: string, other = '1.0.0'): string =>
      JSON.stringify({
        name: 'x',
        version,
        packages: { '': { name: 'x', version }, ...locked, 'node_modules/last': { version: other } },
      });
    const json = (version: string): string => JSON.stringify({ name: 'x', version }, null, 2);
    const files = {
      'package.json': json('1.0.0'),
      'package-lock.json': lock('1.0.0'),
      'a/package-lock.json': lock('1.0.0'),
    };
    const { ws, sha } = await world.prepare('d2', world.repo('bumps', files));
    write(ws, {
      'package.json': json('1.0.1'),
      'package-lock.json': lock('1.0.1'),
      'a/package-lock.json': lock('1.0.1', '1.0.1'),
    });
    const harvest = await world.harvest('d2', sha);
    if (harvest.kind !== 'commit') throw new Error(JSON.stringify(harvest));
    const { diff } = harvest.commit;
    expect(diff.ownVersions).toEqual(['package-lock.json', 'package.json']);
    expect(JSON.stringify(DIFF_QUESTIONS.dependencies.asks(diff))).toMatch(
      /^\[\{"kind":"dependencies"[^\]]*\["a\/package-lock\.json"\]/,
    );
  });
});
