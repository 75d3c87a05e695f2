/**
 * S9: what policies, the risk and grades say is data; languages put it into words, and nothing
 * depends on which.
 */
import { describe, expect, it } from 'vitest';
import { enTexts, ENGLISH_WORDING, LANGUAGE_TEXTS } from '#language';
import { FindingNote } from '#model/change';
import { NotModified, AssessmentReason } from '#model/assessment';
import { NO_CLAIMS } from '#model/agent';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import { canonicalJson } from '#model/seal';
import { assessAction } from '../../governor/assess-action.ts';
import { listDecidingReasons, gradeAttempt } from '../../governor/grade-attempt.ts';
import { requireValue } from '../../orchestrator/kernel/handlers/effect-context.ts';
import type { EffectContext } from '#kernel';
import {
  assessPush,
  gatherPullProposal,
  gatherPushProposal,
} from '../../orchestrator/kernel/gate/gather-proposal.io.ts';
import { check, context, contract, own } from '../support/actions.ts';
import { at, sha } from '../support/core.ts';
import { samplesOf } from '../support/sample.ts';
import { ROWS } from '../support/policy-cases.ts';

const { zh } = LANGUAGE_TEXTS;
const JUDGEMENTS = samplesOf(AssessmentReason)
  // A cool-down is told in minutes.
  .filter((j) => j.kind !== 'custom_policy' || j.asks?.afterMs !== 1)
  .filter((j) => j.kind !== 'check_config_needed' || j.names.length > 0)
  .filter((j) => j.kind !== 'dependency_changes' || j.changes.length > 0)
  // What a code host refused has fields that its sentence does not say.
  .filter((j) => !JSON.stringify(j).includes('"days"'));
const FINDING_NOTES = samplesOf(FindingNote).filter(
  (n) => n.kind !== 'exposed_credentials' || n.names.length > 0,
);
const NOT_MODIFIED = samplesOf(NotModified);
const facts = {
  id: '1',
  defaultBranch: 'trunk',
  archived: false,
  cloneUrl: 'u',
  name: 'ana/app',
  network: '1',
  mayPush: true,
  mayFork: true,
  htmlUrl: 'h',
};
const compared = { mergeBase: sha('0'), tree: sha('7'), diff: 'd', conflicts: false, author: 'bot' };
const partsOf = (wording: typeof ENGLISH_WORDING): EffectContext =>
  ({
    texts: { wording },
    settings: { policies: DEFAULT_POLICY_SETTINGS },
    forge: { repo: async () => facts, openPulls: async () => 0 },
    workspaces: {
      compare: async () => compared,
      patch: async () => ({ text: '', omitted: 0, messages: ['Change'] }),
    },
  }) as unknown as EffectContext;
const rows = ROWS.map(([, , action, around = context]) => assessAction(action, around));
const said: AssessmentReason[] = rows.flatMap((a) => [...a.reasons, ...a.factors].map((r) => r.reason));

describe('words for what is judged', () => {
  it('S9: both languages have a sentence for every sample of every kind', () => {
    const kinds = new Set(JUDGEMENTS.map((j) => j.kind));
    expect([...kinds].sort()).toEqual(Object.keys(enTexts.judgements).sort());
    expect([...kinds].sort()).toEqual(Object.keys(zh.judgements).sort());
    for (const one of [...JUDGEMENTS, ...said]) {
      expect(enTexts.judgement(one), one.kind).toMatch(/^\S/);
      expect(`${enTexts.judgement(one)}${zh.judgement(one)}`, one.kind).not.toMatch(
        /undefined|null|NaN|\[object/,
      );
    }
  });

  it('S9: both languages have words for every note of a finding, and for words that were not taken', () => {
    const samples = [
      ...FINDING_NOTES.map(
        (note) => [enTexts.findingNote({ note }), zh.findingNote({ note, more: 2 })] as const,
      ),
      ...NOT_MODIFIED.map((no) => [enTexts.notModified(no), zh.notModified(no)] as const),
    ];
    expect(new Set(FINDING_NOTES.map((n) => n.kind)).size).toBeGreaterThan(25);
    for (const [one, other] of samples) {
      expect(one).toMatch(/^[a-z0-9.]/);
      expect(other).toMatch(/\p{Script=Han}/u);
      expect(`${one}${other}`).not.toMatch(/undefined|null|NaN|\[object/);
    }
    expect(enTexts.findingNote({ note: { kind: 'looks_same' }, more: 2 })).toMatch(
      / \(and 2 more like these\)$/,
    );
  });

  it('C1: no sentence of one language stands in the other', () => {
    const theirs = ['custom_policy', 'opinion'];
    for (const one of JUDGEMENTS.filter((j) => !theirs.includes(j.kind))) {
      expect(zh.judgement(one), one.kind).toMatch(/\p{Script=Han}/u);
      const words = zh
        .judgement(one)
        .replace(/`[^`]*`/g, '')
        .replaceAll('acme', '');
      expect(words, one.kind).not.toMatch(/[a-z]{2,} [a-z]{2,}/);
      expect(enTexts.judgement(one), one.kind).not.toMatch(/\p{Script=Han}/u);
    }
  });

  it('S9: every value that a kind can have is heard: no two samples of a kind sound the same', () => {
    const heard = new Map<string, AssessmentReason>();
    // Most rules have no value: for them the sample's is as good as none.
    const without = (one: AssessmentReason): AssessmentReason =>
      'value' in one ? { ...one, value: null } : one;
    const same = (one: AssessmentReason): boolean =>
      enTexts.judgement(one) === enTexts.judgement(without(one));
    for (const one of JUDGEMENTS.map((j) => (same(j) ? without(j) : j))) {
      const text = `${one.kind}: ${enTexts.judgement(one)}`;
      expect(heard.get(text) ?? one).toEqual(one);
      heard.set(text, one);
    }
  });

  it('P3: an operator’s own policy keeps its own words in every language', () => {
    const mine = own('Nichts am Freitag', ['a.ts']);
    expect(enTexts.judgement(mine)).toBe('Nichts am Freitag: a.ts');
    expect(zh.judgement(mine)).toBe('Nichts am Freitag：a.ts');
  });

  it('P3: says how many places there are besides those it names', () => {
    const files = { kind: 'ci_changed', at: ['a.yml', 'b.yml', 'c.yml'], more: 2 } as const;
    expect(enTexts.judgement({ ...files, at: [...files.at] })).toMatch(
      /: a\.yml, b\.yml, c\.yml and 2 more$/,
    );
    expect(zh.judgement({ ...files, at: [...files.at] })).toMatch(/：a\.yml, b\.yml, c\.yml 等，另有 2 个$/);
  });
});

describe('rewording', () => {
  const reworded = { ...ENGLISH_WORDING, judgement: ({ kind }: AssessmentReason) => `# ${kind} #` };
  const { run } = at('PUSHED');
  const grade = gradeAttempt({
    commit: run.change.commit,
    checks: [check('passed'), check('not_run')],
    contract,
    ordered: false,
    summary: 'Added a test.',
    claims: NO_CLAIMS,
  });
  const evaluation = requireValue(run.change.evaluation, 'evaluation');
  const graded = { ...run, change: { ...run.change, evaluation: { ...evaluation, grade } } };
  const sealedIn = async (wording: typeof ENGLISH_WORDING) => {
    const parts = partsOf(wording);
    const repo = await parts.forge.repo(run.order.repo);
    const judged = { ...evaluation, run: graded, repo, grade, checkConfig: null };
    return {
      push: await gatherPushProposal(parts, judged, assessPush(parts, judged)),
      pull: await gatherPullProposal(parts, graded),
    };
  };

  it('G2, S9: another wording of all of it changes no decision, no grade and no digest of them', async () => {
    const [now, other] = [await sealedIn(ENGLISH_WORDING), await sealedIn(reworded)];
    expect(other.push).toEqual(now.push);
    // A pull request's description is public English, and sealed as it reads.
    expect(other.pull.fields).toEqual(now.pull.fields);
  });

  it('S9: what is stored and sealed has no word of any catalogue', async () => {
    const { push, pull } = await sealedIn(ENGLISH_WORDING);
    const stored = canonicalJson([...rows, grade, push.fields, { ...pull.fields, body: '' }]);
    for (const one of [...said, ...listDecidingReasons(grade)])
      expect(stored).not.toContain(JSON.stringify(enTexts.judgement(one)).slice(1, -1));
  });
});
