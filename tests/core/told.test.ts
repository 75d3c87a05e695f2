/**
 * What a person says to a run reaches its agent: words after a denial, after a pause, and after
 * anything else that stands still.
 */
import { describe, expect, it } from 'vitest';
import {
  at,
  confirm,
  deny,
  failed,
  implemented,
  iterate,
  ofEpoch,
  pause,
  planEnds,
  planOfTwo,
  planNext,
  resume,
  retry,
  validated,
  ways,
  given,
  why,
  works,
  type Story,
} from '../support/core.ts';
import { toldIn } from '../support/english.ts';

const escalated = validated({ decision: 'escalate' });
const WORDS = 'Keep the old name, too.';
const card = at('LOCAL_VALIDATING').when(escalated);
const fixCard = at('ITERATING').when(implemented('b'), escalated);
const late = at('ITERATING', { maxReflections: 0 }).when(implemented('b'), escalated);

/** The agent runs, and is told the words. */
const heard = (story: Story): void => {
  expect(works(story)).toEqual(['implement']);
  const { run } = story;
  expect(`${toldIn(run)}\n${run.agent.advice?.join('\n') ?? ''}`).toContain(WORDS);
  expect(run.gate.approval).toBeNull();
};

describe('words given after a denial', () => {
  const denied: Record<string, Story> = {
    'of the card of a pull request': at('PUSHED').when(deny('')),
    'of the card of a first push': card.when(deny('')),
    'of the card of a fix': fixCard.when(deny('')),
    'of a fix, with no reflection left': late.when(deny('')),
    'with a reason, and more words later': at('PUSHED').when(deny('No.')),
    'of a fix, with a reason past the bound': late.when(deny('No.')),
  };
  for (const [of, story] of Object.entries(denied)) {
    it(`C18: reach the agent before anything is shown again, ${of}`, () => {
      expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
      heard(story.when(retry(null, WORDS)));
    });
    it(`C18: reach it as well when the agent fails once after them, ${of}`, () => {
      const again = story.when(retry(null, WORDS), failed('crashed'));
      expect(again.run.lifecycle.state).toBe('FAILED_RETRYABLE');
      heard(again.when((run) => ({ input: { type: 'timer.retry', epoch: run.lifecycle.epoch } })));
    });
  }

  it('C18: are the reason itself, when the denial has one', () => {
    for (const story of [card, fixCard]) heard(story.when(deny(WORDS)));
    heard(at('PUSHED').when(deny(WORDS), retry()));
    heard(late.when(deny(WORDS), retry()));
  });

  it('C18: are followed by our checks, and not by the agent again', () => {
    const story = fixCard.when(deny(''), retry(null, WORDS), implemented('c'), failed('crashed'));
    const again = story.when((run) => ({ input: { type: 'timer.retry', epoch: run.lifecycle.epoch } }));
    expect(works(again)).toEqual(['check']);
  });

  it('C18: go with a state only where an agent works', () => {
    const story = at('PUSHED').when(deny(''));
    expect(why(story.when(retry('PUSHED', WORDS)))).toContain('nobody would read your words');
    expect(why(story.when(retry('LOCAL_VALIDATING', WORDS)))).toContain('nobody would read your words');
    heard(story.when(retry('IMPLEMENTING', WORDS)));
    expect(story.when(retry('PUSHED')).run.lifecycle.state).toBe('PUSHED');
  });

  it('C18: reach the agent of a run whose plan was done', () => {
    const plan = given({ flow: 'plan' }, ...ways.IMPLEMENTING, planOfTwo, implemented('a'), validated());
    const done = plan.when(planNext, implemented('b'), validated(), planEnds, escalated, deny(''));
    expect(done.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    heard(done.when(retry(null, WORDS)));
  });
});

describe('words given to a run that stands still', () => {
  it.each(['PUSHED', 'LOCAL_VALIDATING', 'IMPLEMENTING', 'ITERATING'] as const)(
    'C18: reach the agent after a pause in %s',
    (state) => heard(at(state).when(pause, resume(null, WORDS))),
  );

  it('C18: do not give way to a result that came in meanwhile, whose use is counted', () => {
    const busy = at('IMPLEMENTING');
    const kept = busy.when(pause, ofEpoch(busy.run.lifecycle.epoch, implemented('a', 7_000)));
    const told = kept.when(resume(null, WORDS));
    heard(told);
    expect(told.run.lifecycle.workedMs).toBe(7_000);
    expect(told.run.agent.session?.id).toBe('s1');
    expect(kept.when(resume()).run.lifecycle.state).toBe('LOCAL_VALIDATING');
  });

  it('C18: make a fix of an open pull request, which counts as one', () => {
    for (const state of ['CI_WAIT', 'REVIEW_WAIT'] as const) {
      const told = at(state).when(pause, resume(null, WORDS));
      heard(told);
      expect(told.run).toMatchObject({
        lifecycle: { state: 'ITERATING', counts: { iterations: 1 } },
        agent: { round: { kind: 'person_request' } },
      });
    }
  });

  it('S7: ask for more fixes where none is left', () => {
    const none = at('CI_WAIT', { maxIterations: 0 }).when(iterate(), retry(null, WORDS));
    expect(none.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(none.run.lifecycle.counts.iterations).toBe(0);
  });

  it('C18: reach the agent when the checks could not run', () => {
    heard(at('LOCAL_VALIDATING').when(failed('env_missing', { step: 'check' }), retry(null, WORDS)));
  });
});

it('C18: without words a run goes on where it was', () => {
  expect(at('PUSHED').when(pause, resume()).run.lifecycle.state).toBe('PUSHED');
  expect(at('CI_WAIT').when(pause, resume()).run.lifecycle.state).toBe('CI_WAIT');
  expect(
    at('PUSHED').when(confirm(), failed('auth_missing', { step: 'open_pr' }), retry()).run.lifecycle.state,
  ).toBe('PUSHED');
});
