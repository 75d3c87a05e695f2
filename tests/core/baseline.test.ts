/**
 * E15: what was red on the base is named and not blamed on the change; what is new is never hidden
 * behind it.
 */
import { describe, expect, it } from 'vitest';
import {
  groupAlikeStops,
  compareWithBaseline,
  findBaselineStops,
  type Baseline,
  isBlockingCheck,
  isPassingEvidence,
  isExcusedRed,
  isRedWithoutNames,
  type CheckResult,
} from '#model/evidence';
import { NO_CLAIMS } from '#model/agent';
import { checksMustPass } from '../../governor/policies/evidence-policies.ts';
import { gradeAttempt } from '../../governor/grade-attempt.ts';
import type { GovernedAction } from '../../governor/governed-action.ts';
import type { PolicyContext, AssessedRisk } from '../../governor/policy-types.ts';
import {
  checksOf,
  installsOf,
  isLeftOut,
  plannedChecksOf,
} from '../../orchestrator/kernel/preparation/check-selection.ts';
import { enTexts } from '#language';
import { file, someBaseline } from '../support/ready-run.ts';
import {
  ana,
  at,
  baseChecked,
  commit,
  contract,
  discovered,
  given,
  goWithout,
  lacking,
  order,
  retry,
  startDiscovery,
  startWork,
  works,
} from '../support/core.ts';

const RISK: AssessedRisk = { level: 'low', factors: [] };
const result = (change: Partial<CheckResult> = {}): CheckResult => ({
  name: 'test',
  command: 'npm test',
  exitCode: 1,
  outcome: 'failed',
  ms: 1,
  tail: '',
  ...change,
});
const green = result({ exitCode: 0, outcome: 'passed' });
const red = (...failing: string[]): CheckResult => result({ failing });
const unnamed = result();
const timedOut = result({ exitCode: null, outcome: 'timed_out' });
const base = (...checks: CheckResult[]): Baseline => someBaseline({ checks });
/** How the check stands after the change, when it stood so before. */
const after = (then: CheckResult, now: CheckResult): CheckResult => compareWithBaseline(now, base(then));

describe('a check that was red on the base', () => {
  it.each([
    ['the same test fails', red('a'), red('a'), true],
    ['fewer tests fail', red('a', 'b'), red('b'), true],
    ['another test fails as well', red('a'), red('a', 'b'), false],
    ['another test fails instead', red('a'), red('b'), false],
    ['it fails without naming a test now', red('a'), unnamed, false],
    ['it names tests now, and did not before', unnamed, red('a'), false],
    ['it names none, before and now', unnamed, unnamed, true],
    ['it ends with another code', red('a'), { ...red('a'), exitCode: 2 }, false],
    ['it takes too long now', red('a'), timedOut, false],
    ['it took too long, and fails now', timedOut, red('a'), false],
    ['it takes too long, as before', timedOut, timedOut, true],
    ['it was green', green, red('a'), false],
    ['it came and went, and the same test fails', { ...red('a'), flaky: true as const }, red('a'), true],
    ['it came and went without a name', { ...unnamed, flaky: true as const }, unnamed, false],
  ])('E15: is excused only for the failure that it had: %s', (_, then, now, excused) => {
    const seen = after(then, now);
    expect(isBlockingCheck(seen)).toBe(!excused);
    expect(isExcusedRed(seen)).toBe(excused);
  });

  it('E15: names what is new, and nobody looked at what the base does not have', () => {
    expect(after(red('a'), red('a', 'b')).onBase).toEqual({
      outcome: 'failing',
      excused: false,
      newFailures: ['b'],
    });
    expect(compareWithBaseline(red('a'), null)).toEqual(red('a'));
    expect(compareWithBaseline(red('a'), base(result({ name: 'lint' })))).toEqual(red('a'));
    expect(compareWithBaseline(red('a'), base({ ...red('a'), command: 'npm t' }))).toEqual(red('a'));
  });

  it('E15: proves most when it is green now, and nothing when that may be luck', () => {
    expect(isPassingEvidence(after(red('a'), green))).toBe(true);
    expect(isPassingEvidence(after({ ...red('a'), flaky: true }, green))).toBe(false);
    expect(isPassingEvidence(green)).toBe(true);
  });

  const opinions = (...checks: CheckResult[]): unknown => {
    const action = { kind: 'push', checks, passed: !checks.some(isBlockingCheck), checkConfig: null };
    const context = {} as PolicyContext;
    return checksMustPass(action as unknown as GovernedAction, context, RISK).map((o) => [
      o.verdict,
      o.reason,
    ]);
  };
  const graded = (...checks: CheckResult[]): string =>
    gradeAttempt({
      commit: { ...commit('a'), base: 'b' },
      checks,
      contract: contract(),
      ordered: false,
      summary: 'x',
      claims: NO_CLAIMS,
      checkConfig: null,
    }).level;

  it('E15: is looked at by a person where nothing else is green, or where it names nothing', () => {
    const [same, whole] = [after(red('a'), red('a')), after(unnamed, unnamed)];
    const lint = result({ name: 'lint', exitCode: 0, outcome: 'passed' });
    expect(opinions(same, lint)).toEqual([['note', { kind: 'red_before', names: ['test'] }]]);
    expect(opinions(same)).toEqual([['escalate', { kind: 'red_before', names: ['test'] }]]);
    expect(isRedWithoutNames(whole)).toBe(true);
    expect(opinions(whole, lint)).toEqual([['escalate', { kind: 'red_unnamed', names: ['test'] }]]);
    expect(opinions(after({ ...red('a'), flaky: true }, green))).toEqual([
      ['escalate', { kind: 'flaky_before', names: ['test'] }],
    ]);
    expect(opinions(after(red('a'), red('a', 'b')))).toEqual([
      ['deny', { kind: 'checks_fail', names: ['test'] }],
    ]);
    expect([graded(same, lint), graded(whole, lint), graded(after(red('a'), red('b')))]).toEqual([
      ...['NEEDS_REVIEW', 'NEEDS_REVIEW', 'FAIL'],
    ]);
  });
});

describe('the base before an agent', () => {
  it('E15: is checked first, and what it lacks stops the run before anything is spent', () => {
    const asked = given({}, startDiscovery, discovered());
    expect([asked.run.lifecycle.state, ...works(asked)]).toEqual(['DISCOVERY', 'check_base']);
    const stopped = asked.when(baseChecked(lacking));
    expect(stopped.run).toMatchObject({
      lifecycle: {
        state: 'NEEDS_HUMAN_REVIEW',
        reason: { kind: 'base_unusable', stops: [{ command: 'npm ci', commandFailure: { program: 'npm' } }] },
      },
    });
    expect(works(stopped)).toEqual([]);
    expect(stopped.when(retry('IMPLEMENTING')).step.kind).toBe('refused');
  });

  it('E15: what a person must say first is asked before anything of the base is run', () => {
    const near = { kind: 'possible_ban', quote: 'No AI, please?', file: 'README.md', line: 3 } as const;
    const asked = given({}, startDiscovery, discovered({ escalate: near }));
    expect(asked.run.lifecycle).toMatchObject({ state: 'PLAN_READY', reason: near });
    expect(works(asked)).toEqual([]);
    const agreed = asked.when(startWork(ana));
    expect(agreed.run.lifecycle.state).toBe('DISCOVERY');
    expect(works(agreed)).toEqual(['check_base']);
    const checked = agreed.when(baseChecked());
    expect(checked.run.lifecycle.state).toBe('PLAN_READY');
    expect(checked.run.target.escalation).toBeNull();
    expect(checked.when(startWork()).run.lifecycle.state).toBe('IMPLEMENTING');
  });

  it('E15: what was agreed to is not asked again, and a retry asks the base anew', () => {
    const near = { kind: 'possible_ban', quote: 'No AI, please?', file: 'README.md', line: 3 } as const;
    const agreed = given({}, startDiscovery, discovered({ escalate: near }), startWork(ana));
    const again = agreed.when(baseChecked(lacking), retry('DISCOVERY'), discovered({ escalate: near }));
    expect(again.run.lifecycle.state).toBe('DISCOVERY');
    expect(again.effects.at(-1)?.do).toEqual({ kind: 'check_base', fresh: true });
    const other = { ...near, quote: 'No AI at all?' };
    const moved = agreed.when(baseChecked(lacking), retry('DISCOVERY'), discovered({ escalate: other }));
    expect(moved.run.lifecycle.state).toBe('PLAN_READY');
  });

  it('E15: a person may go on without it; a retry asks the base again', () => {
    const stopped = at('DISCOVERY').when(discovered(), baseChecked(lacking));
    const without = stopped.when(goWithout);
    expect(without.run).toMatchObject({
      lifecycle: { state: 'PLAN_READY' },
      target: { waivedChecks: ['install'] },
    });
    const again = stopped.when(retry('DISCOVERY'), discovered());
    expect(again.effects.at(-1)?.do).toEqual({ kind: 'check_base', fresh: true });
  });

  it('E15: what is red there is said and stops nothing', () => {
    const story = at('DISCOVERY').when(discovered(), baseChecked({ checks: [red('a')] }));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'PLAN_READY', reason: { kind: 'base_checked', failing: ['test'] } },
    });
  });

  it('E15: a red check that speaks of the machine alone stops it, and one that speaks of the code does not', () => {
    const says = 'Could not transfer artifact org.junit:junit-bom:pom:5.13.4: repo.maven.apache.org';
    const offline = { kind: 'no_network', program: null, says } as const;
    const seen = (check: CheckResult) => ({ installs: [], checks: [check] });
    const asked = { ordered: false, without: [] };
    expect(findBaselineStops(seen(result({ commandFailure: offline })), asked)).toEqual([
      { name: 'test', command: 'npm test', commandFailure: offline },
    ]);
    expect(
      findBaselineStops(seen(result({ commandFailure: offline })), { ...asked, without: ['test'] }),
    ).toEqual([]);
    expect(
      findBaselineStops(seen(result({ commandFailure: { ...offline, kind: 'no_package' } })), asked),
    ).toEqual([]);
    expect(
      findBaselineStops(seen(result({ exitCode: 0, outcome: 'passed', commandFailure: offline })), asked),
    ).toEqual([]);
  });

  it('E15: what lacks one program is told once; what fails by itself is told by itself', () => {
    const lacking = (command: string, program: string | null) => ({
      name: command,
      command,
      commandFailure: {
        kind: program === null ? ('fails' as const) : ('no_program' as const),
        program,
        says: '',
      },
    });
    const stops = [lacking('a', 'nix'), lacking('b', null), lacking('c', 'nix'), lacking('d', null)];
    const [first, second, third] = groupAlikeStops(stops).map(enTexts.stopReason);
    expect(first).toMatch(/`a` needs nix,.* The same stops 1 other command\.$/);
    expect([second, third]).toEqual([
      'The base branch does not install. `b` fails here on the base branch, before any change.',
      'The base branch does not install. `d` fails here on the base branch, before any change.',
    ]);
  });

  it('E19: a package that a registry lacks is blamed on nobody, and an installation that CI did on this machine', () => {
    const says = 'npm error 404 Not Found - GET https://registry.npmjs.org/a/-/a-1.1.225.tgz';
    const missing = { kind: 'no_package', program: null, says, host: 'registry.npmjs.org' } as const;
    const told = (more: Partial<CheckResult>): string | undefined => {
      const install = result({ name: 'install', command: 'npm ci', commandFailure: missing, ...more });
      const stops = findBaselineStops({ installs: [install], checks: [] }, { ordered: false, without: [] });
      return groupAlikeStops(stops).map(enTexts.stopReason)[0];
    };
    expect(told({})).toMatch(
      /^The base branch could not be installed here\. `npm ci` asks for a package that registry/,
    );
    expect(told({})).not.toContain('does not install');
    const inCi = { environmentGap: { kind: 'ci_green' } } as const;
    expect(told(inCi)).toMatch(/^This machine is not ready .* CI of this commit is green/);
    const broken = { commandFailure: { kind: 'fails', program: null, says: '' } } as const;
    expect(told({ ...inCi, ...broken })).toMatch(/^This machine is not ready .* CI of this commit is green/);
    expect(told(broken)).toBe(
      'The base branch does not install. `npm ci` fails here on the base branch, before any change.',
    );
  });

  it('E15: a failed installation stops it, except before checks that a person ordered', () => {
    const seen = { installs: [result({ name: 'install', command: 'npm ci' })], checks: [green] };
    expect(findBaselineStops(seen, { ordered: false, without: [] })).toHaveLength(1);
    expect(findBaselineStops(seen, { ordered: true, without: [] })).toEqual([]);
    expect(findBaselineStops(seen, { ordered: false, without: ['install'] })).toEqual([]);
  });
});

describe('what is run on the base', () => {
  const one = (dir: string) => ({ dir, source: 'x' });
  const several = contract({
    installs: ['', 'a', 'b'].map((dir) => ({ command: 'npm ci', ...one(dir) })),
    checks: ['', 'a', 'b'].map((dir) => ({ name: `test ${dir}`, command: 'npm test', ...one(dir) })),
    folders: ['', 'a', 'b'].map((dir) => ({ dir, needs: [] })),
  });

  it('E15: of several projects is the root’s, until the change is known', () => {
    const asked = order();
    const names = (of: Parameters<typeof installsOf>[0]) => [
      ...installsOf(of).map((i) => i.name),
      ...checksOf(of).map((c) => c.name),
    ];
    expect(names({ target: { contract: several }, change: { commit: null }, order: asked })).toEqual([
      'install',
      'test ',
    ]);
    const changed = commit('a');
    changed.diff.files = [file('a/x.ts', 1, 0)];
    expect(names({ target: { contract: several }, change: { commit: changed }, order: asked })).toEqual([
      ...['install', 'a install', 'test ', 'test a'],
    ]);
  });

  it('E19: tries offline what an installation is missing for that somebody waived', () => {
    const changed = commit('a');
    changed.diff.files = [file('a/x.ts', 1, 0)];
    const offline = (waivedChecks: string[], asked = order()) =>
      checksOf({ target: { contract: several, waivedChecks }, change: { commit: changed }, order: asked })
        .filter((planned) => planned.offline)
        .map(({ name }) => name);
    expect(offline([])).toEqual([]);
    expect(offline(['test '])).toEqual([]);
    expect(offline(['a install'])).toEqual(['test a']);
    expect(offline(['install'])).toEqual(['test ', 'test a']);
    expect(offline(['install'], order({ checks: ['npm test'] }))).toEqual([]);
  });

  it('E19: tries offline what an agent’s plan adds, too, and leaves out what would fetch its program', () => {
    const planned = (waivedChecks: string[], ...steps: string[]) => {
      const backlog = steps.map((text, i) => ({ id: `${i}`, text }));
      const plan = { backlog, acceptance: ['cd a && npm test', 'npx vitest', 'npm test'] };
      const target = { contract: several, waivedChecks };
      const run = { target, change: { commit: null }, order: order(), agent: { plan: { plan } } };
      return plannedChecksOf(run).flatMap((one) =>
        isLeftOut(one, run) ? [] : [[one.name, one.offline === true]],
      );
    };
    const added = ['acceptance 1', 'acceptance 2'];
    expect(planned([])).toEqual([['test ', false], ...added.map((name) => [name, false])]);
    expect(planned(['install'])).toEqual([
      ['test ', true],
      ['acceptance 1', true],
    ]);
    expect(planned(['install'], 'a step')).toEqual([['test ', true]]);
  });

  const built = (command = 'npm run build', alone = false) =>
    contract({
      checks: [
        ...(alone ? [] : [{ name: 'test', command: 'npm test', ...one('') }]),
        { name: 'build', command, ...one('') },
      ],
    });
  it.each([
    ['is left out for documents alone', built(), ['README.md', 'docs/guide.rst'], ['test']],
    ['is run for code', built(), ['README.md', 'src/a.ts'], ['test', 'build']],
    [
      'is run where it builds the documents',
      built('mkdocs build --strict'),
      ['docs/a.md'],
      ['test', 'build'],
    ],
    ['is run where a document is code', built(), ['docs/page.mdx'], ['test', 'build']],
    ['is run for what a build reads', built(), ['requirements.txt'], ['test', 'build']],
    ['is run where nothing else judges the change', built('npm run build', true), ['README.md'], ['build']],
  ])('E15: a build %s', (_, of, paths, names) => {
    const changed = commit('a');
    changed.diff.files = paths.map((path) => file(path, 1, 0));
    const run = { target: { contract: of }, change: { commit: changed }, order: order() };
    expect(checksOf(run).map(({ name }) => name)).toEqual(names);
    const asked = { ...run, order: order({ checks: ['npm run build'] }) };
    expect(checksOf(asked).map(({ command }) => command)).toEqual(['npm run build']);
  });

  it('E15: installs nothing where somebody ordered that', () => {
    const without = order({ install: 'none' });
    expect(installsOf({ target: { contract: several }, change: { commit: null }, order: without })).toEqual(
      [],
    );
    expect(
      checksOf({ target: { contract: several }, change: { commit: null }, order: without }),
    ).toHaveLength(1);
  });

  it('E15: runs what has to be run first together with the command', () => {
    const before = contract({
      checks: [{ name: 'test', command: 'pytest', before: ['. .venv/bin/activate'], ...one('') }],
    });
    expect(checksOf({ target: { contract: before }, change: { commit: null }, order: order() })).toEqual([
      { name: 'test', command: '. .venv/bin/activate && pytest', dir: '' },
    ]);
  });
});
