/** A tool that nobody knows is added by one YAML file, and everything that reads tools knows it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { isListingOnly } from '../../discovery/listing-options.ts';
import { classifyTestRun } from '../../executors/checks/classify-test-run.ts';
import { findFailureNames } from '../../executors/checks/failing-tests.ts';
import { readVerdict } from '../../executors/checks/read-verdict.ts';
import { addRowsFrom, findHostTool } from '#tools';

const XMAKE = String.raw`
names: xmake
language: cpp
commands:
  - for: test
    behind: ' test\b'
    example: xmake test
  - for: build
    example: xmake
needs: itself
host:
  programs: xmake
  get: [apt-get install xmake]
versionIn:
  - file: .xmake-version
    pattern: '^v?([\d.]+)'
    example: 'v3.0.1'
lists:
  options: --dry-run
  subcommands: show
  examples: [xmake test --dry-run, xmake show]
testResults:
  noTests:
    '^nothing to test$': nothing to test
  failures:
    '^\d+% tests passed, [1-9]\d* tests? failed': 50% tests passed, 1 test failed
failingTests:
  - seenBy:
      '^report of tests:$': 'report of tests:'
    names:
      '^\[ *\d+%\]: (\S+) \.+ failed': '[ 50%]: reads/file ........ failed 0.010s'
`;

const output = (stdout: string): { stdout: string; stderr: string } => ({ stdout, stderr: '' });
const RED = `report of tests:
[ 50%]: reads/file ........ failed 0.010s
[100%]: reads/folder ...... passed 0.010s
50% tests passed, 1 test failed out of 2`;

const WORKFLOW = `on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: xmake test --dry-run
      - run: xmake test
`;
const files: Record<string, string> = {
  'xmake.lua': 'target("app")',
  'src/a.cpp': '',
  '.xmake-version': 'v3.0.1\n',
  '.github/workflows/ci.yml': WORKFLOW,
};
const contract = (): ReturnType<typeof discoverContract> =>
  discoverContract(Object.keys(files), (path) => files[path] ?? null);
const checks = (): { command: string; name: string }[] =>
  contract().checks.map(({ command, name }) => ({ command, name }));

describe('without a row', () => {
  it('its command is no check, and its output says nothing', () => {
    expect(checks()).toEqual([]);
    expect(classifyTestRun(output(RED))).toBeNull();
    expect(findFailureNames(output(RED))).toBeNull();
  });
});

describe('with a row', () => {
  let remove = (): void => {};
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'tools-'));
    writeFileSync(join(folder, 'xmake.yaml'), XMAKE);
    remove = addRowsFrom(folder);
  });
  afterAll(() => {
    remove();
  });

  it('E19: its command is a check, and what only lists is none', () => {
    expect(checks()).toEqual([{ command: 'xmake test', name: 'test' }]);
    expect(isListingOnly('xmake test --dry-run && xmake show')).toBe(true);
  });

  it('E19: a run without tests is no evidence, and one with failures has not passed', () => {
    expect(classifyTestRun(output('nothing to test'))).toBe('none');
    expect(classifyTestRun(output(RED))).toBe('failures');
  });

  it('E15: its failing tests are named', () => {
    expect(findFailureNames(output(RED))).toEqual(['reads/file']);
  });

  it('E15: where it is not installed, that is said, with the version that is wanted and how to get it', () => {
    const { tools } = contract();
    expect(tools).toMatchObject([{ name: 'xmake', asked: '3.0.1' }]);
    const end = { ended: 'exited', exitCode: 127, signal: null, ms: 1, stdout: '' } as const;
    const command = 'xmake test';
    const verdict = readVerdict({
      kind: 'check',
      command,
      end: { ...end, stderr: 'sh: 1: xmake: not found' },
      refusal: null,
    });
    expect(verdict).toMatchObject({
      outcome: 'not_run',
      commandFailure: { kind: 'no_program', program: 'xmake' },
    });
    expect(findHostTool('xmake')?.get).toEqual(['apt-get install xmake']);
  });
});
