/** E14: titles as the repository's rule, its CI and its merged pull requests have them. */
import { describe, expect, it } from 'vitest';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { composePullTitle } from '../../pull-text/commit-subjects.ts';
import { matchesTitleFormat, withTitleHabits, type TitleFormat } from '#model/contract';
import { EMPTY_REPORT } from '#model/agent';
import { assessAction } from '../../governor/assess-action.ts';
import { context, contract, pull } from '../support/actions.ts';

const formatOf = (files: Readonly<Record<string, string>>): TitleFormat | undefined =>
  discoverContract(Object.keys(files), (path) => files[path] ?? null).titleFormat;
const titleFor = (
  goal: string,
  format: TitleFormat,
  paths: readonly string[] = ['src/parse/read.ts'],
): string =>
  composePullTitle(
    {
      order: { title: null, goal },
      said: EMPTY_REPORT,
      files: paths.map((path) => ({ path, status: 'modified', added: 1, deleted: 0 })),
      patch: '',
      checks: [],
    } as unknown as Parameters<typeof composePullTitle>[0],
    { titleRule: null, titleFormat: format },
    100,
  );
const semantic = (given: string): Record<string, string> => ({
  '.github/workflows/pr-title.yml': `name: title
on: pull_request_target
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: amannn/action-semantic-pull-request@v5
        with:
${given}`,
});
const PLACE = { quote: 'x', file: 'CONTRIBUTING.md', line: 3 };

describe('a check of titles in CI', () => {
  it('E14: gives the types that it lets pass, and how the words begin', () => {
    const found = formatOf(
      semantic(
        '          types: |\n            bugfix\n            feature\n          subjectPattern: ^(?![a-z]).+$\n',
      ),
    );
    expect(found).toMatchObject({ shape: 'conventional', types: ['bugfix', 'feature'], capital: 'upper' });
    expect(found && titleFor('Fix the crash on empty input', found)).toBe(
      'bugfix: Correct the crash on empty input',
    );
    expect(found && titleFor('Add a flag for quiet output', found)).toBe(
      'feature: Add a flag for quiet output',
    );
  });
  it('E14: a pattern that is not known is never run, and the title is asked about', () => {
    const found = formatOf(semantic('          subjectPattern: ^(a+)+$\n'));
    expect(found?.pattern).toBe('^(a+)+$');
    expect(found && matchesTitleFormat('fix: aaa', found)).toBe(false);
  });
  it('E14: a pattern for whole titles gives its types', () => {
    const workflow = `on: pull_request
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: fastify/action-pr-title@v0
        with:
          regex: '/^(build|chore|docs|feat|fix)(?:\\([^\\):]*\\))?!?:\\s/'
`;
    expect(formatOf({ '.github/workflows/pull-request-title.yml': workflow })).toMatchObject({
      shape: 'conventional',
      types: ['build', 'chore', 'docs', 'feat', 'fix'],
    });
  });
});

describe('a check that the repository wrote itself', () => {
  const own = (script: string, env = 'TITLE: ${{ github.event.pull_request.title }}'): string => `name: title
on: pull_request
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - name: Check it
        env:
          ${env}
        run: |
${script.replace(/^/gm, '          ')}
`;
  const ofScript = (script: string, env?: string) =>
    formatOf({ '.github/workflows/pr-title.yml': own(script, env) });
  it.each([
    [
      'types',
      `if ! echo "$TITLE" | grep -qE '^(feat|fix|docs|chore)(\(.+\))?: .+'; then\n  exit 1\nfi`,
      { shape: 'conventional', types: ['feat', 'fix', 'docs', 'chore'] },
    ],
    [
      'a ticket',
      'if [[ ! "$TITLE" =~ ^LANG-[0-9]+ ]]; then exit 1; fi',
      { shape: 'ticket', project: 'LANG' },
    ],
    ['its own pattern', `echo "$TITLE" | grep -E '^(a+)+: ' || exit 1`, { shape: null, pattern: '^(a+)+: ' }],
  ])('E14: gives %s', (_, script, expected) => {
    expect(ofScript(script.replaceAll('\\n', '\n'))).toMatchObject(expected);
  });
  it.each([
    ['refuses what begins so', `if echo "$TITLE" | grep -qE '^WIP'; then exit 1; fi`],
    ['only looks', `echo "$TITLE" | grep -E '^feat: ' || echo other`],
    ['looks anywhere', `if ! echo "$TITLE" | grep -q 'WIP'; then exit 1; fi`],
  ])('E14: that %s asks for no form', (_, script) => {
    expect(ofScript(script)).toBeUndefined();
  });
  it('E14: of something else than the title asks for none', () => {
    expect(ofScript(`if ! echo "$X" | grep -qE '^v[0-9]'; then exit 1; fi`, 'X: title')).toBeUndefined();
  });
  it('P3: counts more than what a guide says and what was merged, and its pattern is asked about', () => {
    const files = {
      'CONTRIBUTING.md': '## Pull requests\n\nTitles must follow Conventional Commits.\n',
      '.github/workflows/pr-title.yml': own('if [[ ! "$TITLE" =~ ^LANG-[0-9]+ ]]; then exit 1; fi'),
    };
    const found = formatOf(files);
    expect(found).toMatchObject({ shape: 'ticket', project: 'LANG' });
    const merged = Array.from({ length: 20 }, (_, n) => `fix(core): close it ${n}`);
    expect(withTitleHabits(found, merged)?.shape).toBe('ticket');
    const ruled = discoverContract(
      Object.keys(files),
      (path) => (files as Record<string, string>)[path] ?? null,
    );
    const { reasons } = assessAction(pull({ title: 'fix: close it' }), { ...context, contract: ruled });
    expect(reasons.map((r) => r.reason)).toContainEqual(
      expect.objectContaining({
        kind: 'title_rule',
        style: 'ticket',
        place: expect.objectContaining({ line: 11 }) as unknown,
      }),
    );
  });
});

describe('a rule for titles', () => {
  it.each([
    [
      '- **PR title format**: Must start with `[chart-name] ` (e.g., `[grafana] Add new feature`).',
      'bracketed',
    ],
    ['The title of the PR should start with the issue number, like “#1234 Brief description”', 'numbered'],
    ['Your commit message should contain the key of the JIRA issue, e.g. LANG-1777 Fix it.', 'ticket'],
  ])('E14: is read from its example: %s', (rule, shape) => {
    expect(formatOf({ '.github/pull_request_template.md': `## Pull requests\n\n${rule}\n` })?.shape).toBe(
      shape,
    );
  });
  it.each<[string, TitleFormat, readonly string[], string]>([
    [
      'Update the memory limit of the exporter',
      { shape: 'bracketed', place: PLACE },
      ['charts/couchdb/values.yaml'],
      '[couchdb] Update the memory limit of the exporter',
    ],
    [
      'Fix the parser of quotes, see LANG-1777',
      { shape: 'ticket', project: 'LANG', place: PLACE },
      ['src/a.ts'],
      'LANG-1777 Fix the parser of quotes, see',
    ],
    ['Fix #12345: close the socket after use', { shape: 'numbered', place: PLACE }, ['src/a.ts'], '#12345'],
  ])('E14: is kept: %s', (goal, format, paths, title) => {
    const made = titleFor(goal, format, paths);
    expect(made.startsWith(title)).toBe(true);
    expect(matchesTitleFormat(made, format)).toBe(true);
  });
  it.each([
    ['ticket', 'LANG'],
    ['numbered', undefined],
  ] as const)(
    'P3: where the task does not name its %s, the card says which rule, and asks',
    (shape, project) => {
      const format: TitleFormat = { shape, ...(project ? { project } : {}), place: PLACE };
      const title = titleFor('Close the socket after use', format);
      expect(title).toBe('Close the socket after use');
      const ruled = { ...contract, titleFormat: format };
      const { decision, reasons } = assessAction(pull({ title }), { ...context, contract: ruled });
      expect(decision).toBe('escalate');
      expect(reasons.map((r) => r.reason)).toContainEqual(
        expect.objectContaining({ kind: 'title_rule', style: shape, place: PLACE }),
      );
    },
  );
  it('E14: bears the marker that a repository wants for changes of agents', () => {
    const quote = '- The title of issues or pull requests MUST be prefixed with `🤖` or `[AI]`.';
    const files = { 'AGENTS.md': `# Instructions for AI agents\n\n${quote}\n` };
    const format = formatOf(files);
    expect(format).toMatchObject({ shape: null, marker: '[AI]', place: { file: 'AGENTS.md', line: 3 } });
    const title = titleFor('Close the socket after use', format as TitleFormat);
    expect(title).toBe('[AI] Close the socket after use');
    expect(matchesTitleFormat(title, format as TitleFormat)).toBe(true);
    expect(matchesTitleFormat('Close the socket after use', format as TitleFormat)).toBe(false);
    const both: TitleFormat = { shape: 'bracketed', marker: '[AI]', place: PLACE };
    expect(titleFor('Close the socket', both, ['src/net/a.ts'])).toBe('[AI] [net] Close the socket');
    expect(matchesTitleFormat('[AI] Close the socket', both)).toBe(false);
  });
  it('P3: a type that CI does not know is asked about', () => {
    const ruled = {
      ...contract,
      titleFormat: { shape: 'conventional' as const, types: ['feature'], place: PLACE },
    };
    const { reasons } = assessAction(pull({ title: 'docs: name it' }), { ...context, contract: ruled });
    expect(reasons.map((r) => r.reason.kind)).toContain('title_rule');
  });
});

describe('twenty merged titles', () => {
  const titles = (make: (n: number) => string): string[] => Array.from({ length: 20 }, (_, n) => make(n));
  it.each([
    ['[chart] shapes', titles((n) => `[grafana] Update it ${n}`), 'bracketed', 'upper'],
    ['tickets', titles((n) => `CSV-${100 + n} Close the reader`), 'ticket', 'upper'],
    ['small letters', titles((n) => `fix(core): close it ${n}`), 'conventional', 'lower'],
    ['components', titles((n) => `net/http: Close it ${n}`), 'component', 'upper'],
  ])('E14: show %s', (_, seen, shape, capital) => {
    expect(withTitleHabits(undefined, seen)).toMatchObject({ shape, capital, place: null });
  });
  it('E14: few, or of all kinds, show nothing; a habit is never asked about', () => {
    expect(withTitleHabits(undefined, ['fix: a', 'fix: b'])).toBeUndefined();
    const mixed = titles((n) => (n % 2 === 0 ? `fix: close ${n}` : `Close ${n}`));
    expect(withTitleHabits(undefined, mixed)?.shape ?? null).toBeNull();
    expect(matchesTitleFormat('Whatever', { shape: 'ticket', place: null })).toBe(true);
  });
  it('E14: a rule counts more than what was merged', () => {
    const ruled: TitleFormat = { shape: 'component', place: PLACE };
    expect(
      withTitleHabits(
        ruled,
        titles((n) => `fix: Close ${n}`),
      )?.shape,
    ).toBe('component');
  });
});
