/** F9: an agent's reasons for lines of a template: what they prove stays, and nothing else. */
import { describe, expect, it } from 'vitest';
import type { TemplateClaim } from '#model/agent';
import { readAgentReport } from '../../executors/engines/shared/agent-report.ts';
import { ran, rendered, SAMPLES, type Sample } from '../support/change-samples.ts';

const TEMPLATE = `## チェックリスト

- [ ] テストを追加しました
- [ ] リトライの遅延 (delay) を変更しました
- [ ] I have tested this on Windows
- [ ] There are no breaking changes
- [ ] All tests pass on CI
- [ ] コミットは一つです

## Rollout

<!-- how is it rolled out? -->
`;
const fix = SAMPLES['fix'] as Sample;
const ADDED = /^\+(?!\+)(.{12,})$/gm;
const added = [...fix.patch.matchAll(ADDED)].map(([, line = '']) => line);
const parts = fix.patch.split(/^diff --git /m);
const ofTest = parts.find((part) => part.startsWith('a/test/')) ?? '';
const testLine = [...ofTest.matchAll(ADDED)][0]?.[1] ?? '';

const bodyWith = (...template: TemplateClaim[]): string =>
  rendered({ ...fix, said: { ...fix.said, template } }, TEMPLATE).body;
const claim = (
  line: string,
  because: TemplateClaim['because'],
  proof: string,
  value = 'x',
): TemplateClaim => ({
  line,
  value,
  because,
  proof,
});

describe('a box that our facts cannot read', () => {
  it('F9: is open without a reason, and ticked by a hunk that adds a test', () => {
    expect(bodyWith()).toContain('- [ ] テストを追加しました');
    expect(testLine).not.toBe('');
    for (const line of ['テストを追加しました', '- [ ] テストを追加しました'])
      expect(bodyWith(claim(line, 'hunk', testLine)), line).toContain('- [x] テストを追加しました');
  });

  it.each(['单元测试', 'Unit tests'])(
    'F9: of the word %j alone is ticked where tests were added and passed',
    (label) => {
      const body = (outcome: 'passed' | 'not_run'): string => {
        const said = { ...fix.said, template: [claim(label, 'hunk', testLine)] };
        const checks = [ran('test', 'py.test tests/', outcome)];
        return rendered({ ...fix, checks, said }, `## 待办\n\n- [ ] ${label}\n- [ ] 文档\n`).body;
      };
      expect(body('passed')).toContain(`- [x] ${label}`);
      expect(body('not_run')).toContain(`- [ ] ${label}`);
    },
  );

  it.each<[string, TemplateClaim]>([
    ['the line is not in the diff', claim('テストを追加しました', 'hunk', 'expect(nothing).toBe(here);')],
    ['only a part of a line is quoted', claim('テストを追加しました', 'hunk', testLine.trim().slice(0, 9))],
    ['the hunk is no test', claim('テストを追加しました', 'hunk', added[0] ?? '')],
    ['the check never ran', claim('テストを追加しました', 'check', 'npm run e2e')],
    ['the check is about something else', claim('テストを追加しました', 'check', 'npm run lint')],
    ['the fact is none of ours', claim('テストを追加しました', 'fact', 'everything_is_fine')],
    ['the name of the fact is one of every object', claim('テストを追加しました', 'fact', 'constructor')],
    ['only a part of the line is named', claim('テスト', 'hunk', testLine)],
  ])('F9: stays open where %s', (_, one) => {
    expect(bodyWith(one)).toContain('- [ ] テストを追加しました');
  });

  it.each([
    ['I have tested this on Windows', 'check', 'npm test'],
    ['There are no breaking changes', 'hunk', added[0] ?? ''],
    // Nothing ran there before the pull request was opened.
    ['All tests pass on CI', 'check', 'npm test'],
  ] as const)('F11: stays open whatever is said for it: %s', (line, because, proof) => {
    expect(bodyWith(claim(line, because, proof))).toContain(`- [ ] ${line}`);
  });

  it('F9: is ticked by a fact that holds wholly', () => {
    expect(bodyWith(claim('コミットは一つです', 'fact', 'one_commit'))).toContain('- [x] コミットは一つです');
  });
});

describe('a box in Portuguese', () => {
  const checks = fix.checks.map((one) => ({ ...one, command: `. ./.venv/bin/activate && ${one.command}` }));
  const { feature } = SAMPLES as Record<'feature', Sample>;
  const written = (label: string, proof: string): string => {
    const patch = [
      'diff --git a/docs/cli.md b/docs/cli.md\n+++ b/docs/cli.md\n+A opção `--json` da lista',
      'diff --git a/CHANGES.rst b/CHANGES.rst\n+++ b/CHANGES.rst\n+* A lista tem a opção `--json`',
      'diff --git a/tests/test_list.py b/tests/test_list.py\n+++ b/tests/test_list.py\n+def test_list_as_json():\n',
    ].join('\n');
    const template = [claim(label, proof === 'npm test' ? 'check' : 'hunk', proof)];
    const sample = { ...feature, patch, checks, said: { ...feature.said, template } };
    return rendered(sample, `## Descrição\n\n## Checklist\n\n- [ ] ${label}\n`).body;
  };
  const link = 'https://github.com/acme/lib/blob/main';
  it.each([
    [
      'Foi adicionada uma entrada no changelog / Meu PR não necessita de uma entrada',
      '* A lista tem a opção `--json`',
    ],
    [`A [documentação](${link}/docs/cli.md) foi atualizada`, 'A opção `--json` da lista'],
    [`Todos os testes passam. [Instruções](${link}/CONTRIBUTING.md#testes)`, 'npm test'],
  ])('F11: is ticked by what shows it: %s', (label, proof) => {
    expect(written(label, proof)).toContain(`- [x] ${label}`);
  });
  it.each([
    [
      'Foi adicionada uma entrada no changelog / Meu PR não necessita de uma entrada',
      'A opção `--json` da lista',
    ],
    ['Meu PR não necessita de uma entrada no changelog', '* A lista tem a opção `--json`'],
    [`A [documentação](${link}/README.md) foi atualizada`, 'A opção `--json` da lista'],
    [`Li a [documentação](${link}/docs/cli.md)`, 'A opção `--json` da lista'],
    [`A [documentação](${link}/docs/cli.md) segue o [guia](${link}/GUIDE.md)`, 'A opção `--json` da lista'],
    ['Todos os testes passam no Windows', 'npm test'],
    ['Os testes passam sem avisos', 'npm test'],
  ])('F11: stays open without it: %s', (label, proof) => {
    expect(written(label, proof)).toContain(`- [ ] ${label}`);
  });
});

describe('a title that nobody knows', () => {
  const words = 'The `delay` is read before it is reset. Everybody is happy and all callers were verified.';

  it('F9: gets the words that the diff bears out, and a reason of its own', () => {
    const proof = added.find((line) => /delay/i.test(line)) ?? '';
    const body = bodyWith({ line: 'Rollout', value: words, because: 'hunk', proof });
    expect(body).toContain('## Rollout\n\nThe `delay` is read before it is reset.');
    expect(body).not.toContain('verified');
  });

  it('F9: is left out where the reason is not proven', () => {
    expect(bodyWith(claim('Rollout', 'hunk', 'no such line at all', words))).not.toContain('Rollout');
  });
});

describe('a report with lines of a template', () => {
  const read = (template: unknown) => {
    const found = readAgentReport({ status: 'done', summary: 'Done.', ran: [], template });
    return found.kind === 'valid' ? found.report.reported.template : found.why;
  };

  it('E7: keeps what can be read, drops the rest, and is valid without any', () => {
    const good = claim('Tests', 'check', 'npm test');
    expect(read([good, { line: 'x' }, 7, null, { ...good, because: 'trust' }])).toEqual([good]);
    for (const none of [undefined, null, 'all of it', {}, []]) expect(read(none)).toBeUndefined();
  });

  it('E7: of ten thousand lines the first forty count', () => {
    expect(read(Array.from({ length: 2_000 }, () => claim('Tests', 'check', 'npm test')))).toHaveLength(40);
  });
});

describe('a list of types', () => {
  const types = (...labels: string[]) =>
    `## Type of change\n\n${labels.map((label) => `- [ ] ${label}`).join('\n')}\n`;
  const ticked = (change: string, template: string): string[] =>
    rendered(SAMPLES[change] as Sample, template)
      .body.split('\n')
      .filter((line) => line.startsWith('- [x]'));

  it.each([
    [
      'breaking',
      types('Bugfix', 'Feature', 'Refactoring (no functional changes, no api changes)', 'Docs'),
      [],
    ],
    ['breaking', types('Bug fix', 'New feature', 'Refactoring', 'Docs'), ['- [x] Refactoring']],
    [
      'fix',
      types('Bug fix (non-breaking change)', 'New feature', 'Docs'),
      ['- [x] Bug fix (non-breaking change)'],
    ],
  ])('F11: of a %s change claims nothing that its own words deny', (change, template, expected) => {
    expect(ticked(change, template)).toEqual(expected);
  });
});
