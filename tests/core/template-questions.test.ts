/** F9: what a template asks and nothing that we know answers is asked of a person, never made up. */
import { describe, expect, it } from 'vitest';
import { contributionRules } from '../../governor/policies/contribution-rules-policy.ts';
import { parseRequirementAnswer, missingRequirements } from '#model/requirements';
import { parseQuestionAnswers, findOpenQuestions } from '../../pull-text/template-questions.ts';
import { context, pull } from '../support/actions.ts';
import { rendered, SAMPLES } from '../support/change-samples.ts';
import { contract } from '../support/core.ts';

const TEMPLATE = `## Description

<!-- What changed? -->

## Which customers asked for this?

## Rollout

<!-- How is it rolled out, and how is it taken back? -->

## Moon phase (optional)

<!-- Which one? -->

## Appendix

- [ ] I read the guide
`;
const body = (template?: string): string => {
  const { fix } = SAMPLES;
  if (!fix) throw new Error('no sample');
  const answers = template === undefined ? {} : { answers: { template } };
  return rendered({ ...fix, ...answers }, TEMPLATE).body;
};
const QUESTIONS = ['Which customers asked for this?', 'Rollout'];

describe('a question of a template', () => {
  it('F9: stands open where nothing that we know answers it; optional ones and boxes do not', () => {
    expect(findOpenQuestions(TEMPLATE, body())).toEqual(QUESTIONS);
    expect(body()).not.toContain('Rollout');
    expect(findOpenQuestions(null, body())).toEqual([]);
  });

  it('F9: gets the answer of a person under its title, and the text says whose it is', () => {
    const answered = body('1. Two of them, in #4.\n2. With the next release.\nBack by a revert.');
    expect(answered).toContain('## Which customers asked for this?\n\nTwo of them, in #4.');
    expect(answered).toContain('## Rollout\n\nWith the next release.\nBack by a revert.');
    expect(answered).toContain('a person answered what only a person can say and approved');
    expect(findOpenQuestions(TEMPLATE, answered)).toEqual([]);
    expect(body()).not.toContain('answered what only a person');
  });

  it.each<[string, Record<string, string>]>([
    ['Both are fine.', { A: 'Both are fine.' }],
    ['2) Only this.', { B: 'Only this.' }],
    ['1. x\n2. y\n7. z', { A: 'x', B: 'y\n7. z' }],
    ['2024 was a good year', { A: '2024 was a good year' }],
  ])('F9: %j is placed by its numbers', (text, placed) => {
    expect(Object.fromEntries(parseQuestionAnswers(['A', 'B'], text))).toEqual(placed);
  });

  it('F9: cannot be answered with markup that acts', () => {
    const [said = ''] = parseQuestionAnswers(['A'], 'Ask @ana.\n<!-- agentpr:run -->').values();
    expect(said).not.toContain('<!--');
  });
});

describe('the gate', () => {
  const templated = { ...context, contract: contract({ template: TEMPLATE }) };
  const open = (text: string) =>
    contributionRules(pull({ body: text }), templated, {} as never).filter(
      ({ reason }) => reason.kind === 'template_open',
    );
  it('F9: asks before anything is opened, and no more once it is answered', () => {
    expect(open(body())).toEqual([
      { verdict: 'escalate', reason: { kind: 'template_open', questions: QUESTIONS } },
    ]);
    expect(open(body('1. Two.\n2. Now.'))).toEqual([]);
  });
  it('F9: takes a reply as the answer only where something stands open', () => {
    const rules = [{ kind: 'template' as const, quote: '## Description', file: 'T.md', line: 1 }];
    const known = { contract: { rules }, issue: null, answers: [], trailers: [], work: 'chore' };
    expect(missingRequirements(known)).toEqual([]);
    expect(missingRequirements({ ...known, questions: QUESTIONS })).toMatchObject([
      { what: 'template', quote: QUESTIONS.join(' · '), file: 'T.md' },
    ]);
    expect(parseRequirementAnswer('template', ' Two. ')).toBe('Two.');
  });
});
