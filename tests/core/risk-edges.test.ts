/**
 * P2: how dangerous an action is, at the edges of what is known; and names of branches at theirs.
 */
import { describe, expect, it } from 'vitest';
import { branchNameByRule, matchesBranchRule, slugifyTitle, workType } from '#model/pull';
import type { Contract } from '#model/contract';
import { isTestRemoved, isTestShrunk } from '#model/paths';
import type { GovernedAction } from '../../governor/governed-action.ts';
import { assessRisk } from '../../governor/assess-risk.ts';
import { neutraliseDescription } from '../../text-safety/neutralise-text.ts';
import {
  command,
  comment,
  context,
  contract,
  file,
  finding,
  pull,
  push,
  reply,
  with_,
} from '../support/actions.ts';

const factor = (id: string, ...given: Parameters<typeof assessRisk>) =>
  assessRisk(...given).factors.find((f) => f.id === id);

describe('a ban that somebody overruled', () => {
  type Rule = Contract['rules'][number];
  const ban: Rule = { kind: 'ai_ban', quote: 'No AI.', file: 'CONTRIBUTING.md', line: 3 };
  const said = { by: 'Ana', why: 'about text', quote: ban.quote, file: ban.file, line: ban.line };
  const around = (rules: Rule[], more: Partial<typeof said> = {}) => ({
    ...context,
    contract: { ...contract, rules },
    overruled: [{ ...said, ...more }],
  });
  const other: Rule = { ...ban, kind: 'dco' };

  it.each([push(), pull(), comment('a'), reply('a')])(
    'P2: makes an action of high risk that says so: $kind',
    (action) => {
      expect(factor('ban-overruled', action, around([other, ban]))).toEqual({
        id: 'ban-overruled',
        level: 'high',
        reason: { kind: 'ban_overruled', ...said },
      });
    },
  );

  it('P2: counts only while the repository has that very rule, and for what goes there', () => {
    for (const gone of [
      around([]),
      around([other]),
      around([ban], { quote: 'No robots.' }),
      around([ban], { file: 'README.md' }),
      { ...around([ban]), contract: null },
      { ...around([ban]), overruled: [] },
      context,
    ])
      expect(factor('ban-overruled', push(), gone)).toBeUndefined();
    expect(factor('ban-overruled', command('ls'), around([ban]))).toBeUndefined();
  });
});

it('P2: each kind of finding is named with its own places', () => {
  const findings = [finding('secret'), { ...finding('long_line'), path: 'b.ts' }];
  const places = (id: string) => {
    const reason = factor(id, push({ findings }), context)?.reason;
    return reason && 'at' in reason ? reason.at : null;
  };
  expect(places('long-line')).toEqual(['b.ts:3']);
  expect(places('secret')).toHaveLength(1);
});

it('P2: what nobody knows is of high risk', () => {
  expect(assessRisk({ kind: 'merge' } as unknown as GovernedAction, context)).toEqual({
    level: 'high',
    factors: [{ id: 'unknown-action', level: 'high', reason: { kind: 'unknown_action' } }],
  });
});

it('P2: a file of attributes is one by its whole name', () => {
  expect(factor('attributes', push({ files: [file('x/.gitattributes')] }), context)).toBeDefined();
  expect(
    factor('attributes', push({ files: [file('.gitattributes.md'), file('a.gitattributes')] }), context),
  ).toBeUndefined();
});

it('P2: at a limit is within it', () => {
  const size = (files: number, lines: number) =>
    factor(
      'size',
      push({ files: Array.from({ length: files }, (_, i) => file(`a${i}`, { added: lines, deleted: 0 })) }),
      with_({ smallFiles: 2, smallLines: 10, maxFiles: 4, maxLines: 40 }),
    )?.level;
  expect([size(2, 5), size(3, 1), size(2, 6), size(4, 10), size(5, 1), size(4, 11)]).toEqual([
    ...[undefined, 'medium', 'medium', 'medium', 'high', 'high'],
  ]);
});

describe('a file of tests', () => {
  const test = (more: Parameters<typeof file>[1]) => file('tests/a.test.ts', more);
  it('P3: is lost when it goes away, moves to where none is looked for, or only gets shorter', () => {
    expect(isTestRemoved(test({ status: 'deleted' }))).toBe(true);
    expect(isTestRemoved(file('src/a.ts', { oldPath: 'tests/a.test.ts', status: 'renamed' }))).toBe(true);
    expect(isTestRemoved(test({ added: 0, deleted: 3 }))).toBe(true);
    expect(isTestRemoved(test({ added: 0, deleted: 3, status: 'renamed', oldPath: 'tests/b.test.ts' }))).toBe(
      false,
    );
    expect(isTestRemoved(test({ added: 0, deleted: 0 }))).toBe(false);
    expect(isTestRemoved(test({ added: 1, deleted: 3 }))).toBe(false);
    expect(isTestRemoved(file('src/a.ts', { status: 'deleted' }))).toBe(false);
  });

  it('E13: is thinner when it loses at least what it gains', () => {
    expect(
      [
        [3, 3],
        [2, 3],
        [4, 3],
        [0, 0],
      ].map(([added = 0, deleted = 0]) => isTestShrunk(test({ added, deleted }))),
    ).toEqual([...[true, true, false, false]]);
    expect(isTestShrunk(test({ added: 0, deleted: 3, status: 'deleted' }))).toBe(false);
  });
});

describe('a branch', () => {
  it('E14: is called by the work that its goal asks for, wherever that begins', () => {
    for (const goal of [
      'Upgrade to React 19, which does not need the old JSX runtime',
      'Run the formatter; this does not change behaviour',
      'Bump eslint to 9; it does not support Node 16',
      'Make the build work offline',
      'Report progress in percent, not bytes',
      'Speed up startup, which hangs on telemetry',
    ])
      expect(workType(goal)).toBe('chore');
    expect(workType('The loop hangs')).toBe('fix');
    expect(['  fix the retry', 'Add a flag', 'it is broken', 'x'].map(workType)).toEqual([
      'fix',
      'feat',
      'fix',
      'chore',
    ]);
  });

  it('E14: has a slug without dashes at its ends', () => {
    expect([slugifyTitle('--A  b--', 9), slugifyTitle('ab cd', 3), slugifyTitle('…', 9)]).toEqual([
      'a-b',
      'ab',
      '',
    ]);
  });

  it('E14: has the number that its rule asks for, or no name', () => {
    expect(branchNameByRule('<type>/<issue>-<slug>', 'Fix #12 now', 'R1')).toBe('fix/12-fix-12-now-r1');
    expect(branchNameByRule('<type>/<issue>-<slug>', 'Fix it', 'R1')).toBeNull();
    expect([
      matchesBranchRule('fix/12-a', '<type>/<issue>-<slug>'),
      matchesBranchRule('fix/a', '<type>/<issue>'),
    ]).toEqual([true, false]);
  });
});

it('G8: a line of signs below another is no heading; one with words stays', () => {
  expect(neutraliseDescription('a\n===  \nb\n---\t\n=== c\n-- d').split('\n')).toEqual([
    'a',
    '· ===  ',
    'b',
    '· ---\t',
    '=== c',
    '-- d',
  ]);
});
