/** Which changes of a campaign are alike: what is abstracted, and what never is. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  likenessOf,
  type SampleLikeness,
  type ChangeSample,
  parsePatchedFiles,
} from '../../orchestrator/clusters/compare-changes.ts';
import { abstractVaryingValues, varyingValuesOf } from '../../orchestrator/clusters/varying-values.ts';
import { FINDING_KINDS } from '#model/change';
import { createRandom } from '../prove/random.ts';
import { campaignSample, expanded, plantedCampaign, REAL, UNLIKE } from '../support/codemod.ts';

const like = (sample: ChangeSample, declared: Record<string, string> = {}): SampleLikeness | null =>
  likenessOf(sample, varyingValuesOf({ id: sample.run.id, repo: sample.run.order.repo }, declared));

const keysOf = (samples: readonly ChangeSample[]): (string | null)[] =>
  samples.map((s) => like(s)?.key ?? null);

describe('a codemod over real repositories', () => {
  it('makes one group of those in which it changed the same, and sets the other apart', () => {
    expect(REAL).toHaveLength(8);
    const found = REAL.map(({ repo, text }) => ({ repo, like: like(campaignSample({ repo, text })) }));
    const first = found.find(({ repo }) => repo === 'unjs/defu')?.like?.key;
    const apart = found.filter((one) => one.like?.key !== first).map(({ repo }) => repo);
    expect(apart).toEqual([UNLIKE]);
  });

  it('shows what all of them share, each repository’s own name as a mark', () => {
    const [{ common } = { common: '' }] = REAL.flatMap(
      ({ repo, text }) => like(campaignSample({ repo, text })) ?? [],
    );
    expect(common).toContain('-  "repository": "⟪repository⟫",');
    expect(common).toContain('+    "url": "git+https://github.com/⟪repository⟫.git"');
    expect(common).not.toContain('confbox');
  });

  it('sets each of 30 planted changes among 300 apart, and nothing else', () => {
    const samples = plantedCampaign(300, createRandom(18));
    const keys = keysOf(samples.map(({ sample }) => sample));
    const usual = keys[0];
    expect(usual).not.toBeNull();
    const wrong = samples.flatMap(({ planted }, i) =>
      (keys[i] === usual) === (planted === null)
        ? []
        : [`${i}: ${planted ?? 'taken out although it is alike'}`],
    );
    expect(wrong).toEqual([]);
    expect(samples.filter(({ planted }) => planted !== null)).toHaveLength(30);
  });
});

describe('what is abstracted', () => {
  const varying = varyingValuesOf(
    { id: 'r42', repo: 'acme/web-shop' },
    { port: '8080', a: 'x', 'no mark': 'long' },
  );

  it('is the name, the owner, the run and what was declared, as whole words', () => {
    expect(abstractVaryingValues('acme/web-shop acme web-shop web_shop r42 8080', varying)).toBe(
      '⟪repository⟫ ⟪owner⟫ ⟪name⟫ ⟪name_⟫ ⟪run⟫ ⟪$port⟫',
    );
    expect(abstractVaryingValues('acmes my_acme 18080 x long', varying)).toBe('acmes my_acme 18080 x long');
  });

  it('is never taken from what somebody wrote as a mark', () => {
    const written = campaignSample({ repo: 'acme/api', text: patchOf('+role = "⟪name⟫"') });
    const named = campaignSample({ repo: 'acme/admin', text: patchOf('+role = "admin"') });
    expect(like(written)?.key).not.toBe(like(named)?.key);
  });

  it('gives every text back, byte by byte', () => {
    const words = fc.constantFrom(
      'acme',
      'web-shop',
      'acme/web-shop',
      'r42',
      '8080',
      '⟪',
      '⟫',
      '⟪name⟫',
      ' ',
      '_',
      '.',
    );
    const text = fc
      .array(fc.oneof(words, fc.string({ unit: 'grapheme' })), { maxLength: 30 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (one) => expanded(abstractVaryingValues(one, varying), varying) === one),
      { numRuns: 2_000 },
    );
  });
});

const patchOf = (...changed: string[]): string => {
  const added = changed.filter((line) => line.startsWith('+')).length;
  return [
    'diff --git a/src/a.ts b/src/a.ts',
    'index 1111111..2222222 100644',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    `@@ -1,${changed.length - added + 1} +1,${added + 1} @@`,
    ' around',
    ...changed,
    '',
  ].join('\n');
};

describe('two changes of one group', () => {
  it('add and remove the very same lines, once each repository’s own words are put in', () => {
    const word = fc.constantFrom(
      'acme',
      'api',
      'beta',
      'shop',
      'if',
      'allow',
      '⟪name⟫',
      '(',
      ' ',
      '-- a/x',
      '@@ -1 +1 @@',
    );
    const line = fc
      .tuple(fc.constantFrom('+', '-'), fc.array(word, { maxLength: 4 }))
      .map(([s, w]) => s + w.join(' '));
    const lines = fc.array(line, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const a = like(campaignSample({ repo: 'acme/api', text: patchOf(...one) }));
        const b = like(campaignSample({ repo: 'beta/shop', text: patchOf(...other) }));
        if (!a || !b || a.key !== b.key) return true;
        const own = (common: string, repo: string): string =>
          expanded(common, varyingValuesOf({ id: 'run1', repo })).split('@@\n')[1] ?? '';
        return (
          own(a.common, 'acme/api') === one.join('\n') && own(b.common, 'beta/shop') === other.join('\n')
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it('may have other lines around them, which shows', () => {
    const [a, b] = ['one', 'two'].map((word) =>
      like(campaignSample({ repo: 'acme/api', text: patchOf('+x').replace('around', word) })),
    );
    expect(a?.key).toBe(b?.key);
    expect(a?.around).not.toBe(b?.around);
  });

  it('are not told apart by line numbers, and are by where one block ends', () => {
    const split = (text: string): string => `${patchOf('+x')} between\n+y\n`.replace('@@ -1,1 +1,2 @@', text);
    const [here, there] = ['@@ -1,2 +1,4 @@', '@@ -900,2 +901,4 @@ function f() {'].map((at) =>
      like(campaignSample({ text: split(at) })),
    );
    expect(here?.key).toBe(there?.key);
    expect(here?.key).not.toBe(like(campaignSample({ text: patchOf('+x', '+y') }))?.key);
  });
});

describe('what stands alone', () => {
  const text = patchOf('+x');
  const clean = campaignSample({ text });

  it('G6: is whatever is of high risk or denied', () => {
    for (const assessment of [{ risk: 'high' as const }, { decision: 'deny' as const }])
      expect(like(campaignSample({ text, assessment }))).toBeNull();
    expect(like(campaignSample({ text, assessment: { risk: 'medium' } }))).not.toBeNull();
  });

  it('G8: is whatever has a finding, but for files that the repository ignores', () => {
    const alone = FINDING_KINDS.filter((kind) => {
      const finding = { kind, path: 'a', line: 1, note: { kind: 'bytes', bytes: 1, skipped: true } as const };
      return like(campaignSample({ text, findings: [finding] })) === null;
    });
    expect(FINDING_KINDS.filter((kind) => !alone.includes(kind))).toEqual(['skipped_ignored']);
  });

  it('is what hides secrets, touches agent configuration, or was not read to its end', () => {
    for (const policy of ['no-secrets', 'hidden-lines', 'agent-config-changed', 'trust-roots-changed']) {
      const reasons = [{ policy, verdict: 'escalate' as const, reason: { kind: 'high_risk' } as never }];
      expect(like(campaignSample({ text, assessment: { reasons } })), policy).toBeNull();
    }
    expect(like({ ...clean, patch: { ...clean.patch, omitted: 1 } })).toBeNull();
    expect(like({ ...clean, patch: { ...clean.patch, text: `${text}\0` } })).toBeNull();
  });

  it('is what conflicts, failed a check, or has words of a person', () => {
    const { fields, run } = clean;
    const failed = { kind: 'check', name: 'test', command: 'npm test', outcome: 'failed' } as const;
    expect(like({ ...clean, fields: { ...fields, conflicts: true } })).toBeNull();
    expect(like({ ...clean, fields: { ...fields, evidence: [failed] } })).toBeNull();
    expect(
      like({
        ...clean,
        run: {
          ...run,
          gate: { ...run.gate, editedPrText: { title: null, description: 'x', by: 'Ana' } as never },
        },
      }),
    ).toBeNull();
  });

  it('is what is no patch that git writes', () => {
    for (const odd of [
      '',
      'nonsense',
      text.replace('+x', '*x'),
      `${text}+more\n`,
      text.replace('@@ -1,1', '@@ -1,9'),
    ])
      expect(parsePatchedFiles(odd), odd).toBeNull();
  });
});
