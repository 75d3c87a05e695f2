/**
 * E7: what an agent adds to the contract stands in a file of the base commit, word for word, or is
 * not added.
 */
import { describe, expect, it } from 'vitest';
import { parseNamedFiles, refineContract } from '../../discovery/refine-contract.ts';
import { Contract } from '#model/contract';
import { NO_CLAIMS } from '#model/agent';
import { gradeAttempt } from '../../governor/grade-attempt.ts';
import { commit, contract } from '../support/core.ts';

const FILES: Record<string, string> = {
  'CONTRIBUTING.md': [
    '# Contributing',
    '',
    'Run `make check` before you push.',
    'Branches are named `fix/<issue>-<slug>`.',
    'We do not accept changes written by AI.',
    'Sign the CLA first.',
    'Run `make check` once more.',
    'Install what you need with `make deps`.',
    'The cache is shared between tenants.',
  ].join('\n'),
};
type Line = { kind: string; text: string; file?: string; line?: number; name?: string };
const read = (path: string): string | null => (Object.hasOwn(FILES, path) ? (FILES[path] ?? null) : null);
const tell = (...lines: (Line | string)[]): string =>
  lines
    .map((l) => (typeof l === 'string' ? l : JSON.stringify({ file: 'CONTRIBUTING.md', line: 3, ...l })))
    .join('\n');
const bare = contract({ checks: [] });
const refined = (before: Contract, ...lines: (Line | string)[]) =>
  refineContract(before, tell(...lines), read);
const check = { kind: 'check', name: 'test', text: 'make check' };

describe('what an agent found', () => {
  it('E7: adds a check with the file and the nearest line that has it', () => {
    const { contract: found, added, refused } = refined(bare, check, { ...check, line: 8 });
    expect(found.checks).toEqual([
      { name: 'test', command: 'make check', dir: '', source: 'CONTRIBUTING.md:3', by: 'agent' },
    ]);
    expect([added, refused]).toEqual([1, []]);
    expect(refined(bare, { ...check, line: 400 }).contract.checks[0]?.source).toBe('CONTRIBUTING.md:7');
    expect(Contract.safeParse(found).success).toBe(true);
  });

  it('E7: executes what stands there, and never the marks of code around it or put into it', () => {
    const { contract: found, refused } = refined(
      bare,
      { ...check, text: '`make check`' },
      { ...check, text: 'make `check`' },
      { kind: 'install', text: ' ``make deps`` ', line: 8 },
    );
    expect(found.checks.map(({ command }) => command)).toEqual(['make check']);
    expect(found.installs.map(({ command }) => command)).toEqual(['make deps']);
    expect(refused).toEqual(['line 2: those words do not stand in CONTRIBUTING.md:3']);
  });

  it('E7: changes nothing that we found ourselves', () => {
    const before = contract({
      installs: [{ command: 'npm ci', dir: '', source: 'package.json' }],
      branchRule: 'feature/<slug>',
    });
    const { contract: found } = refined(
      before,
      { ...check, text: 'npm test' },
      { kind: 'install', text: 'make deps', line: 8 },
      { kind: 'branch_name', text: 'Branches are named `fix/<issue>-<slug>`.', line: 4 },
    );
    expect(found).toMatchObject({
      checks: before.checks,
      installs: before.installs,
      branchRule: 'feature/<slug>',
    });
    expect(found.rules).toMatchObject([{ kind: 'branch_name', line: 4, by: 'agent' }]);
  });

  it('E7: takes an installation, a branch rule and a risk where we found none', () => {
    const { contract: found } = refined(
      bare,
      { kind: 'install', text: 'make deps', line: 8 },
      { kind: 'branch_name', text: 'Branches are named `fix/<issue>-<slug>`.', line: 4 },
      { kind: 'risk', text: 'The cache is shared between tenants.', line: 9 },
    );
    expect(found).toMatchObject({ installs: [{ command: 'make deps' }], branchRule: 'fix/<issue>-<slug>' });
    expect(found.riskFlags).toEqual(['The cache is shared between tenants. (CONTRIBUTING.md:9)']);
  });

  it('E7: refuses what stands nowhere, and says why', () => {
    const { contract: found, refused } = refined(
      bare,
      { ...check, text: 'rm -rf /' },
      { ...check, file: 'NOWHERE.md' },
      { ...check, file: '__proto__' },
      { ...check, text: 'make check\ncurl evil' },
      { kind: 'check', text: '``  ' },
      { kind: 'orders', text: 'make check' },
      'I found nothing else.',
      '[1]',
    );
    expect(found).toEqual(bare);
    expect(refused).toEqual([
      'line 1: those words do not stand in CONTRIBUTING.md:3',
      'line 2: NOWHERE.md is no text file of the base commit',
      'line 3: __proto__ is no text file of the base commit',
      'line 4: text: must be one line',
      'line 5: those words do not stand in CONTRIBUTING.md:3',
      expect.stringMatching(/^line 6: kind: /),
      expect.stringMatching(/^line 7: it: /),
      expect.stringMatching(/^line 8: it: /),
    ]);
  });

  it('E7: leaves it to a person whether a ban is one, and who signs', () => {
    const ban = { kind: 'ai_ban', text: 'We do not accept changes written by AI.', line: 5 };
    const banned = refined(bare, ban, { kind: 'cla', text: 'Sign the CLA first.', line: 6 });
    expect(banned.contract.rules.map((r) => r.kind)).toEqual(['other', 'cla']);
    expect(banned.escalate).toMatchObject({ kind: 'ban_read_by_agent', file: 'CONTRIBUTING.md', line: 5 });
    expect(refined(bare, { kind: 'cla', text: 'Sign the CLA first.', line: 6 }).escalate).toMatchObject({
      kind: 'agreement_required',
    });
  });

  it('E7: takes no more than a few of each, whatever it writes', () => {
    FILES['many.md'] = Array.from({ length: 80 }, (_, i) => `make target-${i}`).join('\n');
    const many = Array.from({ length: 80 }, (_, i) => ({
      kind: 'check',
      text: `make target-${i}`,
      file: 'many.md',
      line: i + 1,
    }));
    const { contract: found, refused } = refined(bare, ...many);
    expect(found.checks).toHaveLength(5);
    expect(refused[0]).toBe('line 6: there are enough of the kind check');
    expect(parseNamedFiles(tell(...many, 'words', check))).toEqual(['many.md']);
  });

  it('E13: a check that only the agent named proves less than one of ours', () => {
    const found = refined(bare, { ...check, text: 'make check', name: 'test' }).contract;
    const passed = {
      name: 'test',
      command: 'make check',
      exitCode: 0,
      outcome: 'passed',
      ms: 1,
      tail: '',
    } as const;
    const seen = { commit: commit('a'), checks: [passed], ordered: false, summary: '', claims: NO_CLAIMS };
    expect(gradeAttempt({ ...seen, contract: found })).toMatchObject({
      level: 'NEEDS_REVIEW',
      reasons: [{ reason: { kind: 'tests_found_by_agent' } }],
    });
    const ours = contract({ checks: [{ name: 'test', command: 'make check', dir: '', source: 'Makefile' }] });
    expect(gradeAttempt({ ...seen, contract: ours }).level).toBe('PASS');
  });
});
