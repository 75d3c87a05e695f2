/** E9, E3, S7: the contract's linters are asked about edited files, where they can change nothing. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCheckExecutor } from '../../../executors/checks/run-check.ts';
import { createSandbox } from '../../../executors/sandbox/create-sandbox.ts';
import { createEditLint } from '../../../orchestrator/briefing/lint-edits.ts';
import type { Baseline } from '#model/evidence';
import type { Contract } from '#model/contract';
import { patchRun } from '../../../orchestrator/kernel/run/run.ts';
import type { CheckExecutor } from '#ports/processes';
import { at } from '../../support/core.ts';
import { never } from '../../support/doors.ts';
import { createWorld, type World } from '../../support/git-world.ts';
import { shareBox } from '../../support/shared-box.ts';

let world: World;
let checks: CheckExecutor;
const commands: string[] = [];

/** It complains about each line with `bad`, and does what a file tells it. */
const LINTER = `#!/bin/sh
for file in "$@"; do
  case "$file" in -*) continue;; esac
  grep -q HANG "$file" && { echo "$file:1:1: E0 hangs"; sleep 1000; }
  grep -q FLOOD "$file" && head -c 10000000 /dev/zero | tr '\\0' x
  grep -q WRITE "$file" && { echo changed > "$file"; echo other > other.py; rm -rf lib; ln -s / lib; }
  grep -n bad "$file" | sed "s|^\\([0-9]*\\):.*|$file:\\1:1: E1 bad word|"
done
exit 1
`;

beforeAll(async () => {
  world = await createWorld();
  shareBox(world.data);
  const tools = join(world.dir, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'flake8'), LINTER);
  chmodSync(join(tools, 'flake8'), 0o755);
  const modules = join(import.meta.dirname, '../../../node_modules');
  const outcome = await createSandbox({
    setting: 'auto',
    dataDir: world.data,
    readable: [tools, modules],
  });
  if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
  const made = createCheckExecutor({ sandbox: outcome.sandbox, tools: [tools, join(modules, '.bin')] });
  checks = {
    run: (input) => {
      commands.push(input.command);
      return made.run(input);
    },
  };
});
afterAll(() => world.close());

const FILES = { 'a.py': 'good\nbad\n', 'lib/b.py': 'good\n', 'other.py': 'good\n' };
let made = 0;
const lintWorld = async (
  command: string,
  files: Record<string, string> = FILES,
  more: { installs?: Contract['installs']; baseline?: Baseline; askMs?: number; roundMs?: number } = {},
) => {
  commands.length = 0;
  const runId = `lint${(made += 1)}`;
  const repo = world.repo(runId, files);
  const { sha, ws } = await world.prepare(runId, repo);
  const { run: one } = at('IMPLEMENTING');
  const run = patchRun(one, {
    id: runId,
    target: {
      base: { ref: 'main', sha, repoId: '1' },
      contract: {
        ...(one.target.contract as Contract),
        installs: more.installs ?? [],
        checks: [{ name: 'lint', command, dir: '', source: 'ci.yml' }],
      },
      baseline: more.baseline ?? null,
      waivedChecks: [],
    },
    change: { commit: null },
  });
  const warned: object[] = [];
  const log = { warn: (what: object) => void warned.push(what) };
  const { askMs = 20_000, roundMs = 60_000 } = more;
  const limits = { askMs, roundMs };
  const { lint, end } = createEditLint(
    { workspaces: world.workspaces, checks, log } as never,
    run,
    never,
    limits,
  );
  const place = join(ws, '..');
  const exports = (): string[] => readdirSync(place).filter((name) => name.startsWith('export-'));
  return { lint, end, ws, exports, warned, place };
};
const edited = (path: string, before: string | null, after: string | null) => ({ path, before, after });

describe('E9: each edit is linted', () => {
  test('only what is new is told, and the workspace is not what is looked at', async () => {
    const { lint, end, exports, ws } = await lintWorld('flake8 .');
    expect(exports()).toEqual([]);
    const found = await lint([
      edited('a.py', FILES['a.py'], 'bad\ngood\nbad\n'),
      edited('-x y.py', null, 'bad\n'),
    ]);
    expect(found).toEqual([
      { program: 'flake8', path: 'a.py', line: 3, text: 'E1 bad word' },
      { program: 'flake8', path: '-x y.py', line: 1, text: 'E1 bad word' },
    ]);
    expect(readFileSync(join(ws, 'a.py'), 'utf8')).toBe(FILES['a.py']);
    expect(await lint([edited('a.py', FILES['a.py'], FILES['a.py'])])).toEqual([]);
    expect(commands).toEqual([
      `flake8 --format=default ./a.py './-x y.py' 2>&1`,
      'flake8 --format=default ./a.py 2>&1',
      'flake8 --format=default ./a.py 2>&1',
      'flake8 --format=default ./a.py 2>&1',
    ]);
    await end();
    expect(exports()).toEqual([]);
  });

  test('a clean edit is asked about once, one that removes files or that nobody lints not at all', async () => {
    const { lint, end } = await lintWorld('flake8 .');
    expect(await lint([edited('lib/b.py', 'good\n', 'better\n')])).toEqual([]);
    expect(commands).toHaveLength(1);
    expect(await lint([edited('lib/b.py', 'good\n', null), edited('a.md', null, 'bad')])).toEqual([]);
    expect(commands).toHaveLength(1);
    await end();
  });

  test.each([
    ['a command that takes no files', 'make lint'],
    ['a linter that is not there', 'pyflakes .'],
  ])('nothing is told by %s', async (_, command) => {
    const { lint, end, warned } = await lintWorld(command);
    expect(await lint([edited('a.py', 'good', 'bad')])).toEqual([]);
    expect(await lint([edited('a.py', 'good', 'bad')])).toEqual([]);
    expect(commands.length).toBeLessThan(2);
    expect(warned).toEqual([]);
    await end();
  });

  test.each([
    ['was not kept', { tools: [], installs: [], checks: [], sha: '' } as unknown as Baseline],
    ['is not known', undefined],
  ])('nothing is asked where the base’s installation %s', async (_, baseline) => {
    const installs = [{ command: 'npm ci', dir: '', source: 'package.json' }];
    const more = baseline ? { installs, baseline } : { installs };
    const { lint, end, exports } = await lintWorld('flake8 .', FILES, more);
    expect(await lint([edited('a.py', 'good', 'bad')])).toEqual([]);
    expect([commands, exports()]).toEqual([[], []]);
    await end();
  });

  test('a linter of the real world behind a script', async () => {
    const files = {
      'package.json': '{"scripts": {"lint": "oxlint -D no-debugger src"}}',
      'src/a.js': 'export const a = 1;\n',
    };
    const { lint, end } = await lintWorld('npm run lint', files);
    const after = 'export const a = 1;\ndebugger;\n';
    const found = await lint([
      edited('src/a.js', files['src/a.js'], after),
      edited('b.js', null, 'debugger;\n'),
    ]);
    expect(found).toMatchObject([{ program: 'oxlint', path: 'src/a.js', line: 2 }]);
    await end();
  });
});

describe('E9: linters that nobody would want', () => {
  test('one that hangs is asked once', async () => {
    const { lint, end } = await lintWorld('flake8 .', FILES, { askMs: 1_000 });
    await lint([edited('a.py', null, 'HANG\n')]);
    const asked = commands.length;
    expect(await lint([edited('a.py', null, 'bad\n')])).toEqual([]);
    expect(commands).toHaveLength(asked);
    await end();
  });

  test('S7: all together they take so much of a round and no more', async () => {
    const { lint, end } = await lintWorld('flake8 .', FILES, { roundMs: 1 });
    await lint([edited('a.py', null, 'good\n')]);
    expect(commands).toHaveLength(1);
    expect(await lint([edited('a.py', null, 'bad\n')])).toEqual([]);
    expect(commands).toHaveLength(1);
    await end();
  });

  test('one that prints 10 MB is heard as far as people would read', async () => {
    const { lint, end } = await lintWorld('flake8 .');
    expect(await lint([edited('a.py', null, 'FLOOD\nbad\n')])).toEqual([]);
    expect(await lint([edited('a.py', null, 'bad\n')])).toHaveLength(1);
    await end();
  });

  test('what one writes reaches neither the workspace nor what is asked next', async () => {
    const { lint, end, ws } = await lintWorld('flake8 .');
    await lint([edited('a.py', null, 'WRITE\n')]);
    expect(await lint([edited('lib/b.py', 'good\n', 'bad\n'), edited('a.py', null, 'bad\n')])).toHaveLength(
      2,
    );
    expect(readFileSync(join(ws, 'a.py'), 'utf8')).toBe(FILES['a.py']);
    expect(readFileSync(join(ws, 'other.py'), 'utf8')).toBe('good\n');
    await end();
    expect(readdirSync(ws).toSorted()).toEqual(['.git', 'a.py', 'lib', 'other.py']);
  });
});

describe('E3: what is written into an export stays there', () => {
  test('no path leads out of it, and no link is followed', async () => {
    const { ws } = await lintWorld('flake8 .');
    const runId = `lint${made}`;
    const { sha } = JSON.parse(readFileSync(join(ws, '../ready.json'), 'utf8')) as { sha: string };
    const place = await world.workspaces.export({ runId, sha });
    for (const path of ['../a', '/etc/a', 'a/../../b', '', '.git/config', 'lib/.GIT/hooks/x', 'a\nb'])
      await expect(place.write([{ path, text: 'x' }])).rejects.toThrow('no file of a tree');
    const outside = join(world.outside, 'b.py');
    writeFileSync(outside, 'theirs');
    symlinkSync(world.outside, join(place.dir, 'out'));
    symlinkSync(outside, join(place.dir, 'link.py'));
    await place.write([
      { path: 'out/b.py', text: 'ours' },
      { path: 'link.py', text: 'ours' },
      { path: 'a.py', text: null },
    ]);
    expect(readFileSync(outside, 'utf8')).toBe('theirs');
    expect(readFileSync(join(place.dir, 'out/b.py'), 'utf8')).toBe('ours');
    expect(readdirSync(place.dir)).not.toContain('a.py');
    await place.remove();
  });
});
