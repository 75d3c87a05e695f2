/** E15: checks that a run leaves out are named on the card, in the plan and in the pull request. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { NO_CHECKS_FOUND, NO_TESTS_FOUND, type Contract } from '#model/contract';
import type { CheckNeed } from '#model/environment';
import { checksOf } from '../../orchestrator/kernel/preparation/check-selection.ts';
import { describeCheckEvidence } from '../../pull-text/describe-evidence.ts';
import { evidenceLines } from '../../bot/views/evidence-lines.ts';
import { renderPlan } from '../../bot/views/plan-screen.ts';
import { checksLine } from '../../bot/views/run-lines.ts';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { readContract } from '../../discovery/read-repository.ts';
import { ran } from '../support/change-samples.ts';
import { at } from '../support/core.ts';

const workflow = (on: string, ...commands: string[]): string =>
  `name: ci\non:\n  pull_request:\n${on}jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${commands.map((c) => `      - run: ${c}\n`).join('')}`;
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"scripts":{"test":"node --test","build:app":"tsc -p app","build:lib":"tsc -p lib"}}',
  '.github/workflows/ci.yml': workflow('', 'npm run build:app', 'npm run build:lib', 'npm test'),
  '.github/workflows/web.yml': workflow("    paths: ['web/**']\n", 'npm run lint:web'),
};
const read = (path: string): string | null => FILES[path] ?? null;
const contract: Contract = discoverContract(Object.keys(FILES), read);
const results = contract.checks
  .filter(({ filters }) => filters === undefined)
  .map(({ name, command }) => ran(name, command));

const { run: story } = at('LOCAL_VALIDATING');
const run = {
  ...story,
  target: { ...story.target, contract },
  change: { ...story.change, evaluation: { ...story.change.evaluation, checks: results } as never },
} as typeof story;

describe('what a run leaves out', () => {
  it('E15: is kept of the commands of CI, beyond the number of a kind', () => {
    expect(contract.checks.filter(({ name }) => name.endsWith('build'))).toHaveLength(1);
    expect(contract.leftToCi).toEqual([
      { command: 'npm run build:lib', dir: '', source: expect.stringMatching(/ci\.yml:\d+$/) as string },
    ]);
  });

  it('E15: is nothing where the repository says which checks count', () => {
    const own = { ...FILES, '.agentpr.json': '{"checks":[{"name":"test","command":"npm test"}]}' };
    const known = readContract(
      { paths: Object.keys(own), files: new Map(Object.entries(own)), owner: null },
      () => undefined,
    );
    expect(known).toMatchObject({ checks: [{ command: 'npm test' }] });
    expect(known).not.toHaveProperty('leftToCi');
  });

  it('E15: is named in the pull request, and not where an order says what to check', () => {
    const of = { contract, changed: ['src/a.ts'] };
    const said = describeCheckEvidence(results, 'main', of);
    expect(said).toContain('\n\nNot run, because CI runs it for other files: `npm run lint:web`.');
    expect(said).toContain('\nLeft to CI: `npm run build:lib`.');
    expect(describeCheckEvidence([ran('check 1', 'npm test')], 'main', of)).not.toMatch(/Not run|Left to CI/);
    expect(describeCheckEvidence(results, 'main')).not.toMatch(/Not run|Left to CI/);
  });

  it('E15: is not what another check runs first, which is neither run twice nor told as left out', () => {
    const check = (name: string, command: string, before: string[] = []) => ({
      name,
      command,
      before,
      dir: '',
      source: '',
    });
    const checks = [check('test', 'make test', ['make', 'make dist']), check('build', 'make')];
    const planned = (needs?: CheckNeed[]) =>
      checksOf({
        order: { checks: [], install: 'auto' } as never,
        target: {
          contract: { ...contract, checks: checks.map((c, i) => (needs && i === 0 ? { ...c, needs } : c)) },
        },
        change: { commit: null },
      }).map(({ command }) => command);
    expect(planned()).toEqual(['make && make dist && make test']);
    expect(planned([{ kind: 'secrets', names: ['KEY'] }])).toHaveLength(2);
    const of = { contract: { ...contract, checks, leftToCi: [] }, changed: ['src/a.c'] };
    expect(describeCheckEvidence([ran('test', 'make && make dist && make test')], 'main', of)).not.toContain(
      'Not run',
    );
  });

  it('E15: a check of a folder is told with its folder, whether it ran or not', () => {
    const checks = [{ name: 'web test', dir: 'web', command: 'npm test', source: '' }];
    const of = { contract: { ...contract, checks, leftToCi: [] }, changed: ['web/a.js'] };
    expect(describeCheckEvidence([ran('web test', 'npm test')], 'main', of)).toContain(
      '- `npm test` in `web`: passed',
    );
    expect(describeCheckEvidence([ran('web test', 'npm test', 'not_run')], 'main', of)).toContain(
      '- `npm test` in `web`: could not be run',
    );
  });

  it('E15: is said to be of other files only where CI says so', () => {
    const check = (name: string, dir: string) => ({ name, dir, command: `make ${name}`, source: '' });
    const checks = [check('lint', ''), check('test', 'web'), check('build', '')];
    const said = (...changed: string[]): string =>
      describeCheckEvidence([ran('lint', 'make lint')], 'main', {
        contract: { ...contract, checks },
        changed,
      });
    expect(said('api/README.md')).toContain(
      'Not run here, because no file of its folder is changed: `make test` in `web`.\nNot run, because only texts are changed: `make build`.',
    );
    expect(said('api/README.md')).not.toContain('other files');
  });

  it.each([
    [
      'en',
      '1 check is not run for these files: <code>npm run lint:web</code>',
      'Left to CI',
      'only for web/**',
    ],
    ['zh', '1 项检查没有为这些文件运行：<code>npm run lint:web</code>', '留给 CI', '仅用于 web/**'],
  ] as const)('E15: is named on the card and in the plan: %s', (language, onCard, left, only) => {
    const words = LANGUAGE_TEXTS[language];
    expect(evidenceLines(run, words).join('\n')).toContain(onCard);
    expect(evidenceLines(run, words).join('\n')).toContain('npm run build:lib');
    const plan = renderPlan(run, words) ?? '';
    expect(plan).toContain(`<b>${left}</b>\n`);
    expect(plan).toContain('npm run build:lib');
    expect(plan).toContain(only);
  });
});

describe('a change that no check judged', () => {
  it.each([
    ['en', [NO_CHECKS_FOUND], 'no check was run: there are tests, and nothing here says how they are run'],
    ['zh', [NO_CHECKS_FOUND], '没有运行检查：这里有测试，但没有说明怎样运行'],
    ['en', [NO_CHECKS_FOUND, NO_TESTS_FOUND], LANGUAGE_TEXTS.en.evidence.none],
    ['zh', [], LANGUAGE_TEXTS.zh.evidence.none],
  ] as const)('E19: is told on the card with its cause: %s, %j', (language, riskFlags, told) => {
    const bare = {
      ...run,
      target: { ...run.target, contract: { ...contract, riskFlags: [...riskFlags] } },
      change: { ...run.change, evaluation: null },
    };
    expect(evidenceLines(bare, LANGUAGE_TEXTS[language])).toEqual([`⚠ ${told}`]);
  });
});

describe('a check that the machine cannot run', () => {
  it.each([
    ['en', '1 of 3 checks passed, 1 fails on main too, 1 not judged here ⚠'],
    ['zh', '3 项检查中 1 项通过，其中 1 项在 main 上同样不通过，1 项在这里无法判断 ⚠'],
  ] as const)('E19: is no failure of the base on the progress message: %s', (language, told) => {
    const red = { outcome: 'failing', excused: true, newFailures: [] } as const;
    const checks = [
      ran('test', 'npm test'),
      { ...ran('lint', 'npm run lint', 'failed'), onBase: red },
      {
        ...ran('types', 'tl check', 'failed'),
        onBase: { ...red, environmentGap: { kind: 'no_program', program: 'tl' } },
      },
    ];
    const evaluated = { ...run, change: { ...run.change, evaluation: { checks } } } as never;
    expect(checksLine(evaluated, LANGUAGE_TEXTS[language])).toBe(told);
  });
});
