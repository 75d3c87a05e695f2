/** E13: what of a package.json judges, and which files are tests by their own names. */
import { describe, expect, it } from 'vitest';
import {
  changesCheckConfig,
  parseManifest,
  parseManifestScripts,
  withCheckConfigFields,
} from '../../governor/check-config/manifest-fields.ts';
import { isTestFile } from '../../governor/check-config/runner-files.ts';

const json = (fields: object): string => JSON.stringify(fields);

describe('a manifest', () => {
  it('E13: is read with the sign that some editors put before it, and only there', () => {
    expect(parseManifest('\uFEFF{"a":1}')).toEqual({ a: 1 });
    expect([
      parseManifest('{\uFEFF}'),
      parseManifest(''),
      parseManifest('[]'),
      parseManifest('7'),
      parseManifest(null),
    ]).toEqual(Array(5).fill(null));
  });

  it('E13: that cannot be read judges otherwise when it is another text', () => {
    expect(changesCheckConfig('{', '{')).toBe(false);
    expect(changesCheckConfig('{', '{}')).toBe(true);
    expect(changesCheckConfig(null, null)).toBe(false);
    expect(changesCheckConfig(json({ a: 1 }), null)).toBe(true);
  });

  it('E13: of the change with the judging part of the base has nothing of the change that judges', () => {
    const before = json({ name: 'a', scripts: { test: 'old' } });
    const after = json({ name: 'b', scripts: { test: 'new' }, jest: { bail: 0 }, dependencies: { x: '1' } });
    const mixed = withCheckConfigFields(before, after);
    expect(mixed?.endsWith('\n')).toBe(true);
    expect(JSON.parse(mixed ?? '')).toEqual({
      name: 'b',
      dependencies: { x: '1' },
      scripts: { test: 'old' },
    });
    expect([
      withCheckConfigFields('{', after),
      withCheckConfigFields(before, '{'),
      withCheckConfigFields(null, after),
    ]).toEqual([null, null, null]);
  });

  it('E13: has the scripts that are texts', () => {
    expect([...parseManifestScripts(json({ scripts: { a: 'x', b: 7, c: 'y' } }))]).toEqual([
      ['a', 'x'],
      ['c', 'y'],
    ]);
    expect([
      parseManifestScripts('{').size,
      parseManifestScripts(null).size,
      parseManifestScripts(json({ scripts: [] })).size,
    ]).toEqual([0, 0, 0]);
  });
});

it('E13: a file of tests is one by its own name', () => {
  const tests = [
    'x/test_a.py',
    'a_test.go',
    'a_test.py',
    'a.test.ts',
    'a-spec.js',
    'ATest.java',
    'ATests.kt',
    'a_spec.rb',
    'ASpec.scala',
  ];
  const none = [
    'atest_a.py',
    'test_a.pyc',
    'test/a.py',
    'a.test.ts2',
    'a_test.go2',
    'ATest.javax',
    'test.py',
    'a.test.',
  ];
  expect([tests.filter((p) => !isTestFile(p)), none.filter(isTestFile)]).toEqual([[], []]);
});
