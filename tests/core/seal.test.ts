/**
 * The seal as a text: one text for each value, and what is said of a card whose bytes have moved.
 */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { sealFields } from '../../orchestrator/kernel/runtime/content-hash.ts';
import { canonicalJson, isUnsignable, findSealDifferences, type SealFields } from '#model/seal';
import { proposal, sha } from '../support/core.ts';
import { SEALED_FIELDS, withOther } from '../support/sealed-fields.ts';

describe('the text of a seal', () => {
  it('G2: is JSON with sorted keys and no blanks, without what is not there', () => {
    const value = { b: [1, 'x', null, { d: false, c: undefined }], a: { z: '"', y: {} }, ab: [] };
    expect(canonicalJson(value)).toBe('{"a":{"y":{},"z":"\\""},"ab":[],"b":[1,"x",null,{"d":false}]}');
    for (const one of [null, 0, '', true, [], {}]) expect(canonicalJson(one)).toBe(JSON.stringify(one));
    expect(canonicalJson([undefined, () => 1])).toBe('[null,null]');
  });

  it('G2: can be read back as the same value, so that no two values share it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('G2: does not depend on the order of keys, at any depth', () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([k, v]) => [k, turned(v)]),
      );
    };
    const names = fc.constantFrom('a', 'b', 'B', 'aa', 'ab', 'é', '_', 'z9', '10', '9');
    const tree = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.dictionary(names, tie('node'), { maxKeys: 9 })),
    })).node;
    fc.assert(
      fc.property(tree, (value) => {
        expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
      }),
    );
  });
});

describe('the digest of a seal', () => {
  const { fields } = proposal('open_pr', sha('a'));
  const whole: SealFields = {
    ...fields,
    diffFacts: sha('f'),
    signer: 'SHA256:ours',
    pullBody: 'It says hello.',
    pushes: true,
  };

  it.each(SEALED_FIELDS)('G2: is another when %s alone is another, or comes, or goes', (field) => {
    const { [field]: _, ...less } = whole;
    const seals = [whole, withOther(whole, field), withOther(fields, field), fields, less as SealFields];
    const texts = new Set(seals.map(canonicalJson));
    expect(texts.size).toBeGreaterThan(3);
    expect(new Set(seals.map((one) => sealFields(one).digest)).size).toBe(texts.size);
  });
});

describe('what moved since a card was signed', () => {
  const { fields } = proposal('open_pr', sha('a'));
  const moved = (change: Partial<SealFields>, was: Partial<SealFields> = {}) =>
    findSealDifferences({ ...fields, ...was }, { ...fields, ...change });

  it('G2: names the rules that came and those that went, and no others', () => {
    const rule = (quote: string) => ({ kind: 'dco', quote, file: 'CONTRIBUTING.md' }) as const;
    const [kept, gone, added] = ['Sign.', 'Squash.', 'Test.'].map(rule);
    const rules = (...some: (typeof kept)[]) => ({ rules: some.flatMap((one) => one ?? []) });
    expect(moved(rules(kept, added), rules(kept, gone))).toEqual([
      { kind: 'rules', added: [added], removed: [gone] },
    ]);
    expect(moved(rules(kept), rules(kept))).toEqual([]);
    expect(moved({ ...rules(kept), title: 'Other' }, rules())).toEqual([
      expect.objectContaining({ kind: 'field', field: 'title' }),
      { kind: 'rules', added: [kept], removed: [] },
    ]);
  });

  it('G2: names why a policy asks now, and says nothing of reasons that were signed', () => {
    const { assessment } = fields;
    const judged = (...kinds: ('closed' | 'locked')[]): Partial<SealFields> => ({
      assessment: {
        ...assessment,
        reasons: kinds.map((standing) => ({
          policy: 'contribution-rules',
          verdict: 'escalate',
          reason: { kind: 'issue', issue: '#1', standing },
        })),
      },
    });
    const reason = { kind: 'issue', issue: '#1', standing: 'locked' };
    expect(moved(judged('closed', 'locked'), judged('closed'))).toEqual([{ kind: 'judgement', reason }]);
    expect(moved(judged(), judged('closed'))).toEqual([
      expect.objectContaining({ kind: 'field', field: 'assessment' }),
    ]);
  });

  it('G2: is nothing while every byte is the same', () => {
    expect(moved({})).toEqual([]);
  });

  it('G2: names each field that differs, with its two values', () => {
    expect(moved({ title: 'New', draft: true, baseRepoId: '2' })).toEqual([
      { kind: 'field', field: 'baseRepoId', from: '1', to: '2' },
      { kind: 'field', field: 'title', from: 'Say hello in French', to: 'New' },
      { kind: 'field', field: 'draft', from: 'false', to: 'true' },
    ]);
  });

  it('G2: shortens hashes to six characters, and nothing that only begins or ends like one', () => {
    const [from, to] = ['a'.repeat(40), `0123456789${'b'.repeat(54)}`];
    expect(moved({ tree: to }, { tree: from })).toEqual([
      { kind: 'field', field: 'tree', from: 'aaaaaa', to: '012345' },
    ]);
    for (const plain of ['a'.repeat(39), `x${'a'.repeat(40)}`, `${'a'.repeat(40)} x`, `${'A'.repeat(40)}`])
      expect(moved({ tree: plain })).toMatchObject([{ to: plain }]);
  });

  it('G2: cuts long words after 57 characters, and says so', () => {
    const [fits, long] = ['w '.repeat(30), 'w '.repeat(31)];
    expect(fits).toHaveLength(60);
    expect(moved({ title: long }, { title: fits })).toMatchObject([
      { from: fits, to: `${long.slice(0, 57)}…` },
    ]);
  });

  it('G2: gives no words for what is no words', () => {
    expect(moved({ evidence: [{ kind: 'check_config', path: 'a' }] })).toEqual([
      { kind: 'field', field: 'evidence', from: '', to: '' },
    ]);
  });

  it('G2: tells of a conflict once, as what it is, and of one that is gone as a field', () => {
    expect(moved({ conflicts: true })).toEqual([{ kind: 'conflicts' }]);
    expect(moved({ conflicts: true, title: 'x' }, { conflicts: true })).toMatchObject([
      { field: 'title' },
      { kind: 'conflicts' },
    ]);
    expect(moved({}, { conflicts: true })).toEqual([
      { kind: 'field', field: 'conflicts', from: 'true', to: 'false' },
    ]);
  });
});

it('G2: nobody signs a pull request that conflicts; a push is for nobody to merge', () => {
  const conflicting = proposal('open_pr', sha('a'), { conflicts: true });
  expect(isUnsignable(conflicting, 'open_pr')).toBe(true);
  expect(isUnsignable(conflicting, 'push')).toBe(false);
  expect(isUnsignable(proposal('open_pr', sha('a')), 'open_pr')).toBe(false);
});
