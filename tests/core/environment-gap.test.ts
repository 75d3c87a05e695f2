/** E19: red is blamed on the base, the machine or the change by evidence. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '../../bot/language/languages.ts';
import { checkLine } from '../../bot/views/evidence-lines.ts';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { compareWithBaseline } from '../../orchestrator/model/baseline.ts';
import { blocksChange, type CheckResult } from '../../orchestrator/model/change-facts.ts';
import { findEnvironmentGap, type EnvironmentGap } from '../../orchestrator/model/environment-gap.ts';
import { checkEvidence } from '../../pull-text/check-evidence.ts';
import { someBaseline } from '../support/ready-run.ts';

const red = (more: Partial<CheckResult> = {}): CheckResult => ({
  name: 'test',
  command: 'pytest',
  exitCode: 1,
  outcome: 'failed',
  ms: 1,
  tail: 'FAILED tests/test_a.py::test_a - assert 1 == 2',
  failing: ['test_a'],
  ...more,
});
const NOTHING = { tools: [], needs: [], ciGreen: false };
const python = { name: 'python', asked: '>=3.12', version: '3.11.2', fits: false };

const MISFITS: readonly (readonly [string, CheckResult, Partial<typeof NOTHING> & object, EnvironmentGap])[] =
  [
    [
      'another version',
      red(),
      { tools: [python] as never[] },
      { kind: 'tool_version', name: 'python', asked: '>=3.12', version: '3.11.2' },
    ],
    [
      'services',
      red(),
      { needs: [{ kind: 'services', names: ['postgres'] }] as never[] },
      { kind: 'needs', needs: [{ kind: 'services', names: ['postgres'] }] },
    ],
    ['the time limit', red({ outcome: 'timed_out', exitCode: null, tail: '' }), {}, { kind: 'time_limit' }],
    [
      'no network',
      red({ tail: 'Error: getaddrinfo ENOTFOUND api.example.org' }),
      {},
      { kind: 'lacks', what: 'network' },
    ],
    [
      'no database',
      red({ tail: 'connect ECONNREFUSED 127.0.0.1:5432' }),
      {},
      { kind: 'lacks', what: 'service' },
    ],
    [
      'a system library',
      red({ tail: 'a.c:3:10: fatal error: openssl/ssl.h: No such file or directory' }),
      {},
      { kind: 'lacks', what: 'system_library' },
    ],
    [
      'a browser',
      red({ tail: "Executable doesn't exist at /ms-playwright/chrome" }),
      {},
      { kind: 'lacks', what: 'browser' },
    ],
    [
      'a registry gap',
      red({ commandFailure: { kind: 'no_package', program: null, says: 'x' } }),
      {},
      { kind: 'lacks', what: 'package' },
    ],
    ['a green CI of this commit', red(), { ciGreen: true }, { kind: 'ci_green' }],
  ];

describe('a check that is red with and without the change', () => {
  it.each(MISFITS)(
    'E19: by %s tells of the machine, in body and on the card, and never of the base',
    (_, then, around, environmentGap) => {
      const found = findEnvironmentGap(then, { ...NOTHING, ...around });
      expect(found).toEqual(environmentGap);
      const seen = compareWithBaseline(
        then,
        someBaseline({ checks: [{ ...then, ...(found ? { environmentGap: found } : {}) }] }),
      );
      expect(blocksChange(seen)).toBe(false);
      const body = checkEvidence([seen], 'main');
      expect(body).toContain('not judged here');
      expect(body).not.toMatch(/base branch|passed/);
      for (const words of [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh]) {
        const line = checkLine(seen, 'main', words);
        expect(line).toMatch(/^⚠ /);
        expect(line).not.toContain('main');
        expect(words.evidence.environmentGap(environmentGap)).toMatch(
          words.code === 'zh' ? /\p{Script=Han}/u : /^(?:it|CI) /,
        );
      }
    },
  );

  it('E19: without evidence against the machine is the base’s own', () => {
    expect(findEnvironmentGap(red(), { ...NOTHING, tools: [{ ...python, fits: null }] })).toBeNull();
    const seen = compareWithBaseline(red(), someBaseline({ checks: [red()] }));
    expect(checkEvidence([seen], 'main')).toContain('`pytest`: fails on the base branch too (exit 1)');
    expect(checkLine(seen, 'main', LANGUAGE_TEXTS.en)).toContain('fails on main too');
  });

  it('E19: a new failure stays the change’s, whatever the machine lacks', () => {
    const then = red({ environmentGap: { kind: 'time_limit' } });
    const seen = compareWithBaseline(
      red({ failing: ['test_a', 'test_b'] }),
      someBaseline({ checks: [then] }),
    );
    expect(blocksChange(seen)).toBe(true);
    expect(checkEvidence([seen], 'main')).toContain('FAILED (exit 1)');
  });
});

it('E19: what CI gives the job of a check stands beside the check', () => {
  const ci = `on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    services:
      postgres:
        image: postgres
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          submodules: recursive
          lfs: true
      - run: pytest
`;
  const files: Record<string, string> = {
    '.github/workflows/ci.yml': ci,
    'pyproject.toml': '[project]\nname = "x"\n',
    '.gitmodules': '[submodule "x"]\n',
  };
  const { checks } = discoverContract(Object.keys(files), (path) => files[path] ?? null);
  expect(checks.find(({ name }) => name === 'test')?.needs).toEqual([
    { kind: 'history', names: [] },
    { kind: 'submodules', names: [] },
    { kind: 'services', names: ['postgres'] },
  ]);
});
