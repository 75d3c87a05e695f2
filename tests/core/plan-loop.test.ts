/**
 * E8: the plan loop: plan, one step, our checks, decide; bounded, resumable, and with a person
 * where it must stop.
 */
import { describe, expect, it } from 'vitest';
import { renderPlanFile, completePlanStep } from '#model/feedback';
import {
  at,
  bounds,
  countOf,
  baseChecked,
  discovered,
  failed,
  given,
  implemented,
  ofEpoch,
  pause,
  planBlocks,
  planNext,
  planOfTwo,
  planUnreadable,
  plans,
  resume,
  retry,
  rings,
  startDiscovery,
  startWork,
  validated,
  works,
  type Story,
} from '../support/core.ts';
import { reasonOf, toldIn } from '../support/english.ts';

const step = (id: string) => ({ id, text: `do ${id}` });
const [two, nextOne, unreadable] = [planOfTwo, planNext, planUnreadable];

const begin = (change: Parameters<typeof bounds>[0] = {}): Story =>
  given({ flow: 'plan', bounds: bounds(change) }, startDiscovery, discovered(), baseChecked(), startWork());
const kinds = (story: Story): string[] =>
  story.all.flatMap((e) => (e.do.kind === 'implement' ? [e.do.round.kind] : []));

describe('the plan loop', () => {
  it('E8: plans, does one step at a time, checks each, and pushes at the end', () => {
    const story = begin();
    expect(story.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { round: { kind: 'plan_update' } },
    });
    const done = story.when(two, implemented('a'), validated(), nextOne, implemented('b'), validated());
    expect(kinds(done)).toEqual(['plan_update', 'plan_step', 'plan_update', 'plan_step']);
    expect(done.run.agent.plan?.plan).toMatchObject({
      next: null,
      backlog: [],
      done: [step('001'), step('002')],
    });
    expect(done.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(works(done)).toEqual(['push']);
    expect(done.run.lifecycle.workedMs).toBeGreaterThan(0);
  });

  it('S7: going on after a pause gives no rounds of the plan back; a person’s retry does', () => {
    const used = begin().when(two, implemented(null));
    expect(used.run.lifecycle.counts.planRounds).toBe(2);
    expect(used.when(pause, resume()).run.lifecycle.counts.planRounds).toBe(2);
    expect(used.when(failed('auth_missing'), retry()).run.lifecycle.counts.planRounds).toBe(0);
  });

  it('E12: an agent that ends the plan early has its whole change checked all the same', () => {
    const early = begin().when(
      two,
      implemented('a'),
      validated(),
      plans((p) => ({ ...p, next: null, backlog: [] })),
    );
    expect(early.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(works(early)).toEqual(['check']);
  });

  it('E8: the agent is told exactly the one step', () => {
    const story = begin().when(two);
    expect(story.run.agent.round).toMatchObject({
      kind: 'plan_step',
      feedback: [{ kind: 'step', id: '001', text: 'do 001' }],
    });
    expect(reasonOf(story.run)).toContain('Step 001');
  });

  it('E8: a plan that cannot be read, or that moved the goalposts, is asked for again, within the bound', () => {
    const again = begin({ maxPlanRounds: 2 }).when(unreadable);
    expect(again.run.agent.round).toMatchObject({
      kind: 'plan_update',
      feedback: [{ kind: 'words', text: expect.stringContaining('Goal') as string }],
    });
    const moved = begin().when(plans((p) => ({ ...p, acceptance: [], next: step('001') })));
    expect(toldIn(moved.run)).toContain('acceptance was taken away');
    const over = again.when(unreadable);
    expect(over.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(over.all)).toBe(1);
    expect(over.when(retry()).run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { round: { kind: 'plan_update' } },
    });
  });

  it('S7: a step is fixed within its own bound, and then it is blocked and a person decides', () => {
    let story = begin({ maxStepFixes: 2 }).when(two, implemented('a'));
    for (const letter of ['b', 'c']) {
      story = story.when(validated({ passed: false }));
      expect(story.run.agent.round.kind).toBe('plan_fix');
      story = story.when(implemented(letter));
    }
    story = story.when(validated({ passed: false }));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', counts: { planStepFixes: 2, reflections: 0 } },
    });
    expect(reasonOf(story.run)).toContain('checks still fail after');
    expect(rings(story.all)).toBe(1);
    const fresh = begin({ maxStepFixes: 1 }).when(
      ...[two, implemented('a'), validated({ passed: false }), implemented('b'), validated()],
      ...[nextOne, implemented('c'), validated({ passed: false })],
    );
    expect(fresh.run).toMatchObject({ lifecycle: { state: 'IMPLEMENTING', counts: { planStepFixes: 1 } } });
  });

  it('E8: in a fix the agent may ask for another plan, and what the step changed stays', () => {
    const claims = { status: 'blocked' as const, ran: [] };
    const failing = begin().when(two, implemented('a'), validated({ passed: false }));
    expect(failing.run.agent.round.kind).toBe('plan_fix');
    const story = failing.when(implemented('b', 1_000, { claims }));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { round: { kind: 'plan_update', feedback: [{ kind: 'words', text: 'Done.' }] } },
    });
    expect(story.run.change.commit).toMatchObject(failing.when(implemented('b')).run.change.commit ?? {});
    expect(story.when(nextOne, implemented('c'), validated()).run.agent.plan?.plan.done).toEqual([
      step('002'),
    ]);
    // A first try of a step that is blocked is checked as ever.
    const first = begin().when(two, implemented('a', 1_000, { claims }));
    expect(first.run.lifecycle.state).toBe('LOCAL_VALIDATING');
  });

  it('E8: a step that the agent blocks names the decision that a person has to make', () => {
    const story = begin().when(planBlocks);
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(reasonOf(story.run)).toContain('Which locale is meant?');
    expect(story.when(retry(null, 'The locale of the browser.')).run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', reason: { kind: 'retried', note: 'The locale of the browser.' } },
      agent: { round: { kind: 'plan_update' }, advice: ['The locale of the browser.'] },
    });
  });

  it('P4: what people say when a run goes on stays with it, the newest five; a refusal keeps nothing', () => {
    let story = begin().when(planBlocks);
    for (const word of ['1', '2', '3', '4', '5', '6'])
      story = story.when(
        retry(null, word),
        pause,
        resume(null, `${word}!`),
        planBlocks,
        failed('auth_missing'),
      );
    expect(story.run.agent.advice).toEqual(['4!', '5', '5!', '6', '6!']);
    expect(story.when(retry('PUSHED', '7')).run.agent.advice).toEqual(story.run.agent.advice);
  });

  it('E8: a step that changes nothing goes back to the plan, not to a person', () => {
    const story = begin().when(two, implemented(null));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { round: { kind: 'plan_update' } },
    });
    expect(toldIn(story.run)).toContain('changed no file');
  });

  it('E8: broken guards are counted', () => {
    const story = begin().when(
      plans((p) => ({ ...p, next: step('001') }), { violations: 1 }),
      implemented('a'),
    );
    expect(story.run.agent.plan?.violations).toBe(1);
  });

  it('L6: paused in a plan round, the plan that arrives is kept and used on resume', () => {
    const planning = begin();
    const story = planning.when(pause, ofEpoch(planning.run.lifecycle.epoch, two), resume());
    expect(story.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { round: { kind: 'plan_step' } },
    });
    expect(countOf(story.effects, 'implement')).toBe(1);
  });

  it('E5: a crashed step is tried again as the same step', () => {
    const story = begin().when(two, failed('crashed'));
    expect(story.run.lifecycle.state).toBe('FAILED_RETRYABLE');
    expect(story.run.agent.round).toMatchObject({
      kind: 'plan_step',
      feedback: [{ kind: 'step', id: '001', text: 'do 001' }],
    });
  });

  it('S2: a run without a plan takes no plan', () => {
    expect(at('IMPLEMENTING').when(two).step.kind).toBe('ignored');
  });

  it('E8: what the agent is shown is what we accepted', () => {
    const {
      agent: { plan },
    } = begin().when(two, implemented('a'), validated()).run;
    expect(plan && renderPlanFile(plan.plan)).toContain('- [x] (STEP_ID=001) do 001');
    expect(plan && completePlanStep(plan.plan)).toEqual(plan?.plan);
  });
});
