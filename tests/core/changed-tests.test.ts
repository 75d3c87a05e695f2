/** F9: what a description says of the tests that were there before. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '#model/change';
import { findChangedTests } from '../../pull-text/changed-tests.ts';
import { file } from '../support/actions.ts';
import { ran, rendered, SAMPLES, type Sample } from '../support/change-samples.ts';

const diffOf = (path: string, ...lines: readonly string[]) => {
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const changed = file(path, { status: 'modified', added: count('+'), deleted: count('-') });
  const patch = `diff --git a/${path} b/${path}\nindex 1..2\n--- a/${path}\n+++ b/${path}\n${lines.join('\n')}\n`;
  return { files: [changed], patch };
};
const found = (path: string, lines: readonly string[]) => {
  const { files, patch } = diffOf(path, ...lines);
  return findChangedTests({ files, findings: [] }, patch);
};
const NONE = { changed: '', removed: '', skipped: '' };

describe('existing tests', () => {
  it.each([
    [
      'an assertion of Ruby',
      'test/spec_a.rb',
      ['@@ -1,3 +1,3 @@ describe "A" do', '   it "fails" do', '-    x.should == 1', '+    x.should == 2'],
      { ...NONE, changed: '`fails`' },
    ],
    [
      'an assertion of Go',
      'a_test.go',
      [
        '@@ -8,3 +8,3 @@ func TestBare(t *testing.T) {',
        ' \tgot := Parse("a")',
        '-\tif got != 1 {',
        '+\tif got != 2 {',
      ],
      { ...NONE, changed: '`TestBare`' },
    ],
    [
      'an assertion of Python behind its test',
      'tests/test_a.py',
      ['@@ -1,3 +1,3 @@', ' def test_a():', '-    assert run() is None', '+    assert run() == ""'],
      { ...NONE, changed: '`test_a`' },
    ],
    [
      'an assertion of a script',
      'test/a.test.ts',
      [
        "@@ -1,3 +1,3 @@ describe('a', () => {",
        "   it('waits twice', () => {",
        '-    expect(a).toBe(1);',
        '+    expect(a).toBe(2);',
      ],
      { ...NONE, changed: '`waits twice`' },
    ],
    [
      'a test of Go under another name',
      'a_test.go',
      [
        '@@ -1,4 +1,4 @@',
        '-func TestLiteral(t *testing.T) {',
        '-\tif err != nil {',
        '+func TestError(t *testing.T) {',
        '+\tif err == nil {',
        ' \t}',
        ' }',
      ],
      { ...NONE, removed: '`TestLiteral`' },
    ],
    [
      'a test with another signature',
      'tests/test_a.py',
      ['@@ -1,2 +1,2 @@', '-def test_a():', '+def test_a(tmp_path):', '     assert run()'],
      { ...NONE, changed: '`test_a`' },
    ],
  ] as const)('F9: %s is named', (_, path, lines, said) => {
    expect(found(path, lines)).toEqual(said);
  });

  it.each([
    [
      'a helper of Ruby',
      'spec/spec_helper.rb',
      ['@@ -1,3 +1,3 @@ describe "A" do', '   it "fails" do', '-    x.should == 1', '+    x.should == 2'],
    ],
    [
      'only new tests',
      'tests/test_a.py',
      ['@@ -1,1 +1,4 @@', ' def test_a():', '+    assert more()', '+def test_b():', '+    assert run()'],
    ],
    [
      'a moved line',
      'tests/test_a.py',
      ['@@ -1,3 +1,3 @@', ' def test_a():', '-    assert run()', '+  assert  run()'],
    ],
    [
      'a comment',
      'a_test.go',
      ['@@ -1,3 +1,2 @@ func TestA(t *testing.T) {', '-\t// It is a literal.', ' \trun()'],
    ],
    ['an import', 'tests/test_a.py', ['@@ -1,2 +1,2 @@', '-import a', '+import b', ' def test_a():']],
    ['a helper', 'tests/helpers.py', ['@@ -1,2 +1,2 @@ def make():', '-    return 1', '+    return 2']],
    [
      'a helper that asks',
      'tests/helpers.py',
      ['@@ -1,2 +1,2 @@', '-    if value is None:', '+    if not value:'],
    ],
    [
      'a fixture',
      'tests/conftest.py',
      ['@@ -1,2 +1,2 @@', ' def test_client():', '-    return Client()', '+    return Client(1)'],
    ],
    ['words', 'tests/README.md', ['@@ -1,1 +1,1 @@', '-The suite is slow.', '+The suite is quick.']],
    [
      'a description',
      'specs/openapi.yaml',
      ['@@ -1,1 +1,1 @@', '-  description: This is required (always)', '+  description: Required'],
    ],
    [
      'what a test requires',
      'test/retry.test.js',
      [
        '@@ -1,1 +1,1 @@',
        "-const { retry } = require('../src/retry');",
        "+const { retry } = require('../src/again');",
      ],
    ],
    [
      'the entry of a suite',
      'a_test.go',
      ['@@ -1,2 +1,2 @@ func TestMain(m *testing.M) {', '-\tsetUp()', '+\tsetUp(1)'],
    ],
    [
      'code outside of any named test',
      'tests/test_a.py',
      ['@@ -1,5 +1,4 @@', ' def test_a():', '     assert run()', ' ', '-LIMIT = 4', '+LIMIT = 5'],
    ],
    ['the code itself', 'src/a.py', ['@@ -1,2 +1,2 @@ def test_a():', '-    assert a', '+    assert b']],
  ] as const)('F9: nothing is said of %s', (_, path, lines) => {
    expect(found(path, lines)).toEqual(NONE);
  });

  it('F9: nothing is said of a diff that was cut', () => {
    const lines = [
      '@@ -1,3 +1,3 @@',
      ' def test_a():',
      '-    assert run() is None',
      '+    assert run() == ""',
    ];
    const { files, patch } = diffOf('tests/test_a.py', ...lines);
    const cut = patch.replace('+    assert run() == ""\n', '');
    expect(findChangedTests({ files, findings: [] }, cut)).toEqual(NONE);
  });

  it('F9: tests that are gone, and that are skipped, are named by their file', () => {
    const [gone, fixture] = ['tests/test_b.py', 'tests/fixtures/old.json'].map((path) => ({
      ...file(path),
      status: 'deleted' as const,
    }));
    if (!gone || !fixture) throw new Error('no files');
    const skipped: Finding = {
      kind: 'test_skipped',
      path: 'tests/test_a.py',
      line: 3,
      note: { kind: 'skipped_tests', was: 0, is: 1 },
    };
    expect(findChangedTests({ files: [gone, fixture], findings: [skipped] }, '')).toEqual({
      changed: '',
      removed: '`tests/test_b.py`',
      skipped: '`tests/test_a.py`',
    });
  });
});

it('F9: stands below the checks, or where boxes say that they passed', () => {
  const { patch } = diffOf(
    'test/retry.test.ts',
    "@@ -1,3 +1,3 @@ describe('retry', () => {",
    " it('waits', () => {",
    '-  expect(delay).toBe(1);',
    '+  expect(delay).toBe(2);',
  );
  const sample: Sample = {
    ...(SAMPLES['fix'] as Sample),
    said: { what: 'Keep the last delay', why: 'It was lost.' },
    files: [['test/retry.test.ts', 1, 1]],
    patch,
    checks: [{ ...ran('test', 'npm test'), withTestsOnBase: 'passes' }],
  };
  const cautions =
    'With the tests of this change alone, `npm test` passes on `main` as well, so it does not show what this changes.\nExisting tests are changed: `waits`.';
  const apart = cautions.replace('\n', '\n\n');
  expect(rendered(sample, null).body).toContain(`- \`npm test\`: passed\n\n${apart}\n\nMade by`);
  const ticked = rendered(sample, '- [ ] `npm test` passes\n').body;
  expect(ticked).toContain('- [x] `npm test` passes');
  expect(ticked).toContain(`\n\n${cautions}\n\nMade by`);
  expect(ticked).not.toContain('**Checks**');
});
