/** E7: reading a repository costs little and ends, whoever wrote it. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Contract } from '#model/contract';
import { discoverContract, selectContractFiles } from '../../discovery/discover-contract.ts';
import { parseYamlTree } from '../../discovery/workflows/yaml-tree.ts';

type Files = Record<string, string>;
const learn = (files: Files, more: readonly string[] = ['Makefile']): Contract => {
  const paths = [...Object.keys(files), ...more];
  const wanted = new Set(selectContractFiles(paths));
  return Contract.parse(discoverContract(paths, (path) => (wanted.has(path) ? (files[path] ?? null) : null)));
};
/** Stops what takes too long, so that the test fails in place of hanging. */
const within = (files: Files, more: readonly string[] = ['Makefile']): Contract => {
  let learned: Contract | null = null;
  runInNewContext(
    'done(learn(files, more))',
    { learn, files, more, done: (c: Contract) => (learned = c) },
    { timeout: 60_000 },
  );
  return Contract.parse(learned);
};
const ci = (text: string): Files => ({ '.github/workflows/ci.yml': text });
const job = (id: string, steps: string): string =>
  `  ${id}:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`;

describe('a repository that is too much', { timeout: 120_000 }, () => {
  const lots = (n: number, text: (i: number) => string): string =>
    Array.from({ length: n }, (_, i) => text(i)).join('');
  it.each<[string, Files]>([
    [
      'forty jobs of a hundred steps',
      ci(
        `on: push\njobs:\n${lots(40, (i) =>
          job(
            `j${i}`,
            lots(100, (s) => `      - run: make test-${i}-${s}\n`),
          ),
        )}`,
      ),
    ],
    [
      'aliases of aliases',
      ci(
        `a: &a [x,x,x,x,x,x,x,x,x]\n${lots(30, (i) => `b${i}: &b${i} [${lots(9, () => `*${i === 0 ? 'a' : `b${i - 1}`},`)}]\n`)}on: push\njobs: *b29\n`,
      ),
    ],
    ['aliases of what they stand in', ci('on: push\njobs: &j\n  a: *j\n  <<: *j\n')],
    ['brackets in brackets', ci(`on: ${'['.repeat(100_000)}`)],
    ['maps in maps', ci(lots(3_000, (i) => `${' '.repeat(i)}a:\n`))],
    ['lists in lists', ci(`a: ${'- '.repeat(50_000)}`)],
    [
      'a matrix of a million',
      ci(
        `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n${lots(12, (i) => `        k${i}: [${lots(40, (v) => `v${v}x,`)}]\n`)}    steps:\n      - run: make test\n`,
      ),
    ],
    [
      'workflows that call each other',
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [
          `.github/workflows/w${i}.yml`,
          `on: [push, workflow_call]\njobs:\n${lots(30, (j) => `  j${j}:\n    uses: ./.github/workflows/w${j}.yml\n`)}`,
        ]),
      ),
    ],
    [
      'conditions in conditions',
      ci(
        `on: push\njobs:\n${job('a', `      - if: ${'('.repeat(5_000)}${'!'.repeat(5_000)}\n        run: make test\n`)}`,
      ),
    ],
    [
      'a script of one endless line',
      ci(`on: push\njobs:\n${job('a', `      - run: ${'pytest && '.repeat(20_000)}x\n`)}`),
    ],
    [
      'quotes and blanks',
      ci(
        `on: push\njobs:\n${job('a', `      - run: |\n          ${`uv run ${' --frozen'.repeat(5_000)} ${'"'.repeat(999)}`}\n          cargo ${'run '.repeat(5_000)}\n          hatch run ${'a:'.repeat(5_000)}\n`)}`,
      ),
    ],
    [
      'manifests of two megabytes',
      {
        'package.json': `{"scripts":{${lots(60_000, (i) => `"test:${i}":"run-s a:${i}",`)}"test":"x"}}`,
        'pyproject.toml': `[project]\n${'[tool.ruff\n'.repeat(200_000)}`,
        Makefile: 'test:\n'.repeat(300_000),
        'Cargo.toml': ' '.repeat(2_000_000),
        'mise.toml': '[tools]\n'.repeat(250_000),
      },
    ],
    // Each took minutes: a pattern went to the end of the file from everywhere in it.
    ['a guide of blanks', { 'README.md': ' '.repeat(262_000) }],
    ['settings of empty lines', { 'deno.json': '\n'.repeat(262_000) }],
    ['engines in engines', { 'package.json': '"engines": {'.repeat(20_000) }],
    [
      'scripts that call each other',
      {
        'package.json': JSON.stringify({
          scripts: Object.fromEntries(
            Array.from({ length: 300 }, (_, i) => [
              `check${i}`,
              lots(30, (j) => `npm run check${(i * 7 + j) % 300} && `),
            ]),
          ),
        }),
      },
    ],
  ])('E7: %s', (_, files) => {
    expect(within(files).checks.length).toBeLessThanOrEqual(40);
  });

  it('E7: a bomb of aliases is read as the tree that it names, once', () => {
    const tree = parseYamlTree('a: &a {run: x}\nb: [*a, *a]\n');
    expect(tree?.entries.get('b')?.items.map((i) => i.entries.get('run')?.text)).toEqual(['x', 'x']);
    expect(tree?.entries.get('b')?.items[0]).toBe(tree?.entries.get('a'));
  });

  it('O10: a workflow of signs alone is refused, and said', () => {
    const text = `on: push\njobs:\n${job('a', `      - run: ${'"'.repeat(250_000)}\n`)}`;
    const files = {
      ...ci(text),
      '.github/workflows/b.yml': `on: push\njobs:\n${job('b', '      - run: make test\n')}`,
    };
    const c = within(files);
    expect(c.riskFlags.join()).toContain('say nothing here: .github/workflows/ci.yml');
    expect(c.checks.map(({ command }) => command)).toEqual(['make test']);
    expect(within(ci('on: push\njobs: {}\n')).riskFlags.join()).not.toContain('say nothing here');
  });

  it('O10: a guide of more sentences than anybody reads is told as unread, and one of many lines too', () => {
    for (const text of ['Use tabs. '.repeat(9_000), '* @a\n\n'.repeat(20_000), '- a\n'.repeat(20_000)])
      expect(within({ 'CONTRIBUTING.md': text }).rules).toMatchObject([{ kind: 'other', value: 'unread' }]);
    expect(within({ 'CONTRIBUTING.md': 'Use tabs. '.repeat(900) }).rules).toEqual([]);
  });

  it('O10: expressions that never end, in a script and in a condition, are left as they are', () => {
    const text = (run: string): string =>
      `on: push\njobs:\n${job('a', `      - if: ${JSON.stringify(run)}\n        run: ${JSON.stringify(run)}\n`)}`;
    for (const sign of ['${{', '${{ ', '${{ a', '}}', '\u00a0', '|| ', "'"])
      expect(within(ci(text(sign.repeat(60_000)))).checks).toEqual([]);
  });

  it('O10: a command that is too long for whoever reads it on the main thread is no check, and is told', () => {
    const run = `pytest ${'tests/a '.repeat(700)}`;
    const c = within(ci(`on: push\njobs:\n${job('a', `      - run: ${run}\n      - run: make test\n`)}`));
    expect(c.checks.map(({ command }) => command)).toEqual(['make test']);
    expect(c.riskFlags).toContain('1 command of more than 4000 characters is not run');
  });

  it('O10: a path that no file system can hold is nobody’s file, and costs nothing', () => {
    const long = `scripts/${'test'.repeat(50_000)}.sh`;
    const wanted: unknown = runInNewContext(
      'wanted(paths)',
      { wanted: selectContractFiles, paths: [long, 'README.md'] },
      { timeout: 1_000 },
    );
    expect(wanted).toEqual(['README.md']);
  });

  it('E7: names of folders that lead elsewhere are nobody’s project', () => {
    const c = within({
      '../a/package.json': '{"scripts":{"test":"x"}}',
      ...ci(
        'on: push\ndefaults: {run: {working-directory: ../../etc}}\njobs:\n' +
          job('a', '      - run: pytest\n'),
      ),
    });
    expect(c.checks).toEqual([]);
  });

  it('E7: what is no YAML says nothing, and what is broken says what it says before', () => {
    for (const text of ['', '\u0000', '%', '{', '- - -', 'a: b: c', '\t', '&a'.repeat(999)])
      expect(within(ci(text)).checks).toEqual([]);
    const broken = `on: push\njobs:\n${job('a', '      - run: make test\n      - run: "never ends\n')}`;
    expect(within(ci(broken)).checks.map((c) => c.command)).toEqual(['make test']);
  });
});
