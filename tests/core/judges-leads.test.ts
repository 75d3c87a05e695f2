/**
 * E13: what the texts that a command leads to name in their turn: modules, lists, settings,
 * recipes, scripts.
 */
import { describe, expect, it } from 'vitest';
import { findJudges } from '../../orchestrator/core/govern/judges/find.ts';

describe('a text that a command leads to', () => {
  /** What judges, when each of these files is changed and the base has the same texts. */
  const judges = (command: string, repo: Record<string, string>): string[] => {
    const paths = Object.keys(repo);
    const texts = new Map(paths.map((p) => [p, [repo[p] ?? null, repo[p] ?? null]] as const));
    return findJudges({ commands: [{ command, dir: '' }], changed: paths, paths, texts }).files;
  };

  it.each<[string, string, Record<string, string>, string[]]>([
    [
      'a module that it imports',
      'python ci/run.py',
      { 'ci/run.py': 'from tools.lint import x', 'tools/lint.py': '' },
      ['ci/run.py', 'tools/lint.py'],
    ],
    [
      'a module that it imports further in',
      'python ci/run.py',
      { 'ci/run.py': 'def f():\n  import  tools.lint', 'tools/lint.py': '' },
      ['ci/run.py', 'tools/lint.py'],
    ],
    [
      'a neighbour that it imports',
      'python ci/run.py',
      { 'ci/run.py': 'from .lint import x', 'ci/lint.py': '' },
      ['ci/lint.py', 'ci/run.py'],
    ],
    [
      'no word that only speaks of importing',
      'python ci/run.py',
      { 'ci/run.py': 'x = "we import tools.lint"', 'tools/lint.py': '' },
      ['ci/run.py'],
    ],
    [
      'a file on a line of a list',
      'just ci',
      { justfile: '  - tools/a.sh,\n', 'tools/a.sh': '' },
      ['justfile', 'tools/a.sh'],
    ],
    [
      'a string that stands for the root',
      'node ci/x.js',
      { 'ci/x.js': "load('<rootDir>/tools/y.js')", 'tools/y.js': '' },
      ['ci/x.js', 'tools/y.js'],
    ],
    [
      'a file without its ending',
      'node ci/x.js',
      { 'ci/x.js': "import './y'", 'ci/y.ts': '' },
      ['ci/x.js', 'ci/y.ts'],
    ],
    [
      'no product that a script loads',
      'node ci/x.js',
      { 'ci/x.js': "import '../src/y.js'", 'src/y.js': '' },
      ['ci/x.js'],
    ],
    [
      'no document that it names',
      'node ci/x.js',
      { 'ci/x.js': "open('../README.md')", 'README.md': '' },
      ['ci/x.js'],
    ],
    ['a script that a script runs', 'sh a.sh', { 'a.sh': 'sh b.sh', 'b.sh': '' }, ['a.sh', 'b.sh']],
    ['a script without an ending', './run', { run: 'sh b.sh', 'b.sh': '' }, ['b.sh', 'run']],
    [
      'a script that its first line names',
      './run',
      { run: '#!/usr/bin/env bash\nsh b.sh', 'b.sh': '' },
      ['b.sh', 'run'],
    ],
    [
      'what a program without an ending loads',
      './run',
      { run: '#!/usr/bin/env python\nx = "tools/y.py"', 'tools/y.py': '' },
      ['run', 'tools/y.py'],
    ],
    ['no command in a program', './run.py', { 'run.py': 'sh b.txt', 'b.txt': '' }, ['run.py']],
    [
      'recipes of the asked target only',
      'make a',
      { Makefile: 'a:\n\tsh a.sh\nb:\n\tsh b.sh', 'a.sh': '', 'b.sh': '' },
      ['Makefile', 'a.sh'],
    ],
    [
      'a pattern',
      'tool conf/*-a-*.ini',
      { 'conf/x-a-y.ini': '', 'conf/a-.ini': '', 'conf/x-b-y.ini': '', 'conf/x-a-y.txt': '' },
      ['conf/x-a-y.ini'],
    ],
    [
      'a pattern with parts in their order',
      'tool conf/*b*a*',
      { 'conf/ab': '', 'conf/ba': '', 'conf/b': '' },
      ['conf/ba'],
    ],
    [
      'a pattern whose ends do not overlap',
      'tool conf/aba*ba',
      { 'conf/aba': '', 'conf/ababa': '' },
      ['conf/ababa'],
    ],
    [
      'what settings at hand load first',
      'vitest',
      { 'vitest.config.ts': "setup: './ci/first.ts'", 'ci/first.ts': '' },
      ['ci/first.ts', 'vitest.config.ts'],
    ],
    [
      'and none that lie deep',
      'vitest',
      { 'a/b/c/vitest.config.ts': "setup: './first.ts'", 'a/b/c/first.ts': '' },
      ['a/b/c/vitest.config.ts'],
    ],
    [
      'and none of a kind that no runner loads',
      'vitest',
      { '.husky/first.ts.txt': "setup: './ci/first.ts'", '.husky/ci/first.ts': '', 'ci/first.ts': '' },
      ['.husky/ci/first.ts', '.husky/first.ts.txt'],
    ],
    [
      'files on lines of settings',
      'mocha',
      {
        '.mocharc.yml': 'require:\n  - ci/a.js\n  -  ci/b,\n  ci/c-d.js',
        'ci/a.js': '',
        'ci/b.js': '',
        'ci/c-d.js': '',
        'ci/cd.js': '',
      },
      ['.mocharc.yml', 'ci/a.js', 'ci/b.js', 'ci/c-d.js'],
    ],
    [
      'no command in a program whose name speaks of a shell',
      './x.sh.py',
      { 'x.sh.py': 'sh b.txt', 'b.txt': '' },
      ['x.sh.py'],
    ],
    [
      'no command in a program that speaks of a shell',
      './x.py',
      { 'x.py': '# see #!/bin/sh\nsh b.txt', 'b.txt': '' },
      ['x.py'],
    ],
    [
      'no command in a program without an ending',
      './run',
      { run: '#!/usr/bin/python\nsh b.txt', 'b.txt': '' },
      ['run'],
    ],
    [
      'a script in a folder with a dot',
      './a.d/run',
      { 'a.d/run': 'sh b.txt', 'b.txt': '' },
      ['a.d/run', 'b.txt'],
    ],
    ['no module in a script', './a.sh', { 'a.sh': 'echo "tools/y"', 'tools/y.js': '' }, ['a.sh']],
    ['a pattern from the beginning', 'tool *b*', { 'b.cfg': '', 'a.cfg': '' }, ['b.cfg']],
    [
      'a module of a task file',
      'just ci',
      { justfile: 'x := "tools/y"', 'tools/y.js': '' },
      ['justfile', 'tools/y.js'],
    ],
    [
      'what a loaded file loads',
      'node ci/x.js',
      { 'ci/x.js': "import './y'", 'ci/y.js': "import './z'", 'ci/z.js': '' },
      ['ci/x.js', 'ci/y.js', 'ci/z.js'],
    ],
    [
      'what settings two folders down load',
      'vitest',
      { 'a/b/vitest.config.mts': "setup: './first.ts'", 'a/b/first.ts': '' },
      ['a/b/first.ts', 'a/b/vitest.config.mts'],
    ],
  ])('E13: names %s', (_, command, repo, files) => {
    expect(judges(command, repo)).toEqual(files);
  });

  const manifest = (scripts: Record<string, string>, more: object = {}): string =>
    JSON.stringify({ scripts, ...more });
  it('E13: scripts are asked for by their short names, with those around them', () => {
    const repo = {
      'package.json': manifest({ pretest: 'sh a.sh', test: 'sh b.sh', posttest: 'sh c.sh', lint: 'sh d.sh' }),
      'a.sh': '',
      'b.sh': '',
      'c.sh': '',
      'd.sh': '',
    };
    for (const command of ['npm test', 'npm t', 'npm tst'])
      expect(judges(command, repo)).toEqual(['a.sh', 'b.sh', 'c.sh']);
  });

  it('E13: what a manifest sets for a tool is loaded', () => {
    const repo = {
      'package.json': manifest({ test: 'jest' }, { jest: { setupFiles: ['./ci/first.js'] } }),
      'ci/first.js': '',
    };
    expect(judges('npm test', repo)).toEqual(['ci/first.js']);
  });

  it('E13: a manifest judges when its judging part differs; one whose text is not known is wanted', () => {
    const before = manifest({ test: 'jest' });
    const look = (after: string | null, texts = true) =>
      findJudges({
        commands: [{ command: 'npm test', dir: '' }],
        ...{ changed: ['package.json'], paths: ['package.json'] },
        texts: new Map(texts ? [['package.json', [before, after]]] : []),
      });
    expect(look(manifest({ test: 'true' }))).toEqual({ files: ['package.json'], wants: [] });
    expect(look(before)).toEqual({ files: [], wants: [] });
    expect(look(null, false)).toEqual({ files: [], wants: ['package.json'] });
  });

  it('E13: only texts that are there are wanted, manifests that are changed, and settings up to a bound', () => {
    const wants = (command: string, paths: string[]): string[] =>
      findJudges({ commands: [{ command, dir: '' }], changed: paths, paths, texts: new Map() }).wants;
    expect(wants('make', ['Makefile'])).toEqual(['Makefile']);
    expect(wants('true', ['a/package.json', 'b.json'])).toEqual(['a/package.json']);
    expect(
      wants(
        'true',
        Array.from({ length: 50 }, (_, i) => `p${i}/vitest.config.ts`),
      ),
    ).toHaveLength(40);
  });
});
