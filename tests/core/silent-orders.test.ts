/** F9: what is published where nothing but the order says what was done. */
import { describe, expect, it } from 'vitest';
import { branchFor, stateTask, withoutOrders } from '../../pull-text/commit-subjects.ts';
import { order } from '../support/core-samples.ts';
import { rendered, SAMPLES, type Sample } from '../support/change-samples.ts';

describe('an order', () => {
  it.each([
    ['Fix the Allow header: OPTIONS is listed.', 'This fixes the Allow header: OPTIONS is listed.'],
    ['Use size_t, so that CBC works. Closes #172', 'This uses size_t, so that CBC works. Closes #172'],
    ['Document the flag, and test it.', 'This documents the flag, and tests it.'],
    ['Add methods to get and set the edition.', 'This adds methods to get and set the edition.'],
    ['Apply the fold once', 'This applies the fold once'],
    ['Fix #12: it forgets the delay', 'Fix #12: it forgets the delay'],
    ['The parser forgets the delay.', 'The parser forgets the delay.'],
    ['fix(core): keep it', 'fix(core): keep it'],
    ['Copy and paste the table', 'Copy and paste the table'],
    ['修复解析器', '修复解析器'],
  ])('F9: %j is told as %j', (goal, told) => {
    expect(stateTask(goal)).toBe(told);
  });
  it('F9: says to the agent alone what to document and test', () => {
    expect(withoutOrders('Add utarray_replace. Document and test it.')).toBe('Add utarray_replace.');
  });
  it.each([
    ['Fix the Allow header', 'fix/the-allow-header-r7'],
    ['fix: keep the delay', 'fix/keep-the-delay-r7'],
    ['Document the flag', 'docs/document-the-flag-r7'],
    ['Escape raw HTML in the alt text', 'fix/escape-raw-html-in-the-alt-text-r7'],
    ['Fix', 'fix/fix-r7'],
  ])('E14: %j names the branch %s', (goal, branch) => {
    expect(branchFor(order({ goal }), null, 'r7')).toBe(branch);
  });
});

describe('the description of a change that nobody described', () => {
  const fix = SAMPLES['fix'] as Sample;
  const said = (change: Partial<Sample>, engine = 'script'): string => {
    const goal = change.goal ?? fix.goal;
    return rendered({ ...fix, said: {}, ...change }, null, { order: order({ goal, engine }) }).body;
  };
  it('F9: is no order, and calls a script a script', () => {
    const body = said({ goal: 'Keep the last delay of a retry' });
    expect(body).toMatch(/^This keeps the last delay of a retry\.\n\n\*\*Checks\*\*/);
    expect(body).toContain('Made by a script; a person approved exactly this content before it was opened.');
    expect(body).not.toContain('agent (');
  });
  it('F9: is a sentence, too, where an engine only repeats the title', () => {
    const goal = 'Keep the last delay of a retry';
    expect(said({ goal, said: { what: goal } }, 'codex')).toMatch(/^This keeps the last delay of a retry\./);
  });
  it('F11: names the engine that made the change', () => {
    expect(said({}, 'codex')).toContain('Made by a coding agent (`codex`); a person approved');
  });
});
