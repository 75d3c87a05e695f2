/** E8: PLAN.md is read by us, and what cannot be read is said so that an agent can mend it. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  bootstrapPlan,
  isPlanFinished,
  forbiddenPlanChanges,
  parsePlan,
  renderPlanFile,
  completePlanStep,
  type AgentPlan,
} from '#model/feedback';

const step = (id: string, text = `do ${id}`) => ({ id, text });
const plan = (changes: Partial<AgentPlan> = {}): AgentPlan => ({
  ...bootstrapPlan('Greet in French', ['npm test']),
  next: step('001'),
  backlog: [step('002'), step('003')],
  ...changes,
});
const read = (text: string): AgentPlan => {
  const found = parsePlan(text);
  if ('problems' in found) throw new Error(found.problems.join('; '));
  return found.plan;
};
const problems = (text: string): string[] => {
  const found = parsePlan(text);
  return 'problems' in found ? found.problems : [];
};

describe('a plan', () => {
  it('E8: reads back as it was written', () => {
    const word = fc.stringMatching(/^[a-z][a-z .,]{0,20}[a-z]$/);
    const steps = fc.array(word, { maxLength: 4 });
    fc.assert(
      fc.property(word, steps, steps, steps, (goal, next, backlog, done) => {
        let id = 0;
        const number = (text: string) => step(String((id += 1)).padStart(3, '0'), text);
        const first = next[0] ?? backlog[0];
        const made = plan({
          goal,
          next: first === undefined ? null : number(first),
          backlog: first === undefined ? [] : backlog.map(number),
          done: done.map(number),
        });
        expect(read(renderPlanFile(made))).toEqual(made);
      }),
    );
  });

  it('E8: is read as people and agents write it', () => {
    const text = renderPlanFile(plan({ notes: 'Mind the tests.' }))
      .replace('## Next (exactly ONE item)', '## NEXT')
      .replaceAll('- [ ]', '*')
      .replaceAll('\n', '\r\n');
    expect(read(text)).toEqual(plan({ notes: 'Mind the tests.' }));
    expect(read(`\ufeff${text.slice(text.indexOf('##'))}`)).toEqual(plan({ notes: 'Mind the tests.' }));
  });

  it.each([
    ['a missing section', renderPlanFile(plan()).replace(/## Backlog[^#]*/, ''), /“## Backlog” is missing/],
    [
      'an unknown section',
      `${renderPlanFile(plan())}\n## Ideas\n- x\n`,
      /line \d+: there is no section “Ideas”/,
    ],
    ['a section twice', `${renderPlanFile(plan())}\n## Done\n`, /comes twice/],
    [
      'two steps in Next',
      renderPlanFile(plan()).replace('do 001', 'do 001\n- [ ] (STEP_ID=009) more'),
      /exactly one/,
    ],
    ['an empty Next', renderPlanFile(plan({ next: null })), /“Next” is empty although Backlog is not/],
    [
      'a step without an id',
      renderPlanFile(plan()).replace('(STEP_ID=002) ', ''),
      /line \d+: a step is written/,
    ],
    ['an id twice', renderPlanFile(plan({ backlog: [step('001')] })), /STEP_ID=001 is used twice/],
    ['nothing', '', /“## Goal” is missing/],
    ['a flood', 'x'.repeat(30_000), /more than 20000 characters/],
  ])('E8: %s is said in a sentence', (_what, text, says) => {
    expect(problems(text).join('\n')).toMatch(says);
  });

  it('E8: never throws, whatever is in the file', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parsePlan(text)));
    fc.assert(fc.property(fc.string(), (text) => void parsePlan(`${renderPlanFile(plan())}${text}`)));
  });

  it('E8: a step that passed is done, and a plan without steps is finished', () => {
    const last = plan({ backlog: [] });
    expect(isPlanFinished(last)).toBe(false);
    expect(isPlanFinished(completePlanStep(last))).toBe(true);
    expect(isPlanFinished(completePlanStep(plan()))).toBe(false);
    expect(isPlanFinished(bootstrapPlan('x', []))).toBe(false);
  });

  it('E8: an agent cannot move its own goalposts', () => {
    const before = plan({ done: [step('000')] });
    expect(
      forbiddenPlanChanges(before, {
        ...before,
        next: step('004'),
        acceptance: ['npm test', 'npm run lint'],
      }),
    ).toEqual([]);
    expect(forbiddenPlanChanges(before, { ...before, goal: 'Greet in English' })).toHaveLength(1);
    expect(forbiddenPlanChanges(before, { ...before, acceptance: ['true'] })).toEqual([
      { kind: 'acceptance_lost', commands: ['npm test'] },
    ]);
    expect(forbiddenPlanChanges(before, { ...before, done: [] })).toHaveLength(1);
    expect(forbiddenPlanChanges(before, completePlanStep(before))).toHaveLength(1);
  });
});
