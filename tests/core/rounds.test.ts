/**
 * E7, E8: what a round of the agent is about, within which bound, and what it leaves for the next
 * one.
 */
import { describe, expect, it } from 'vitest';
import { RunBounds } from '#model/limits';
import {
  type LoopCounts,
  ROUND_WITHOUT_FEEDBACK,
  ROUND_ROWS,
  ROUND_KINDS,
  nextRoundFor,
  innerRound,
  type AgentRound,
} from '../../orchestrator/kernel/run/round-table.ts';
import {
  at,
  check,
  countOf,
  deny,
  failed,
  implemented,
  iterate,
  pushed,
  review,
  rings,
  retry,
  validated,
  works,
} from '../support/core.ts';
import { words } from '../support/english.ts';

const REVIEW = [{ kind: 'review', reviewer: 'mia', body: 'Use salut.' }];
const none: LoopCounts = { iterations: 0, reflections: 0, reportRepairs: 0, planRounds: 0, planStepFixes: 0 };
const wish = (kind: AgentRound['kind'], text = 'It fails.'): AgentRound => ({
  kind,
  feedback: words(text),
  purpose: [],
});
const spent = { session: null, usage: { inputTokens: 5, outputTokens: 7, costUsd: 0.5 }, ms: 2_000 };

describe('the next round', () => {
  it.each(ROUND_KINDS.filter((kind) => ROUND_ROWS[kind].bound))(
    'S7: %s is counted up to its bound, and ends with a reason',
    (kind) => {
      const bound = ROUND_ROWS[kind].bound;
      if (!bound) throw new Error('filtered');
      const bounds = { ...RunBounds.parse({}), [bound.most]: 2 };
      let counts = none;
      for (const tries of [1, 2]) {
        const again = nextRoundFor(wish(kind), { counts, bounds, msLeft: 1 });
        if ('stop' in again) throw new Error(JSON.stringify(again.stop));
        expect(again.counts[bound.counts]).toBe(tries);
        counts = again.counts;
      }
      expect(nextRoundFor(wish(kind), { counts, bounds, msLeft: 1 })).toEqual({
        stop: typeof bound.past === 'string' ? bound.past : bound.past(2, words('It fails.')),
      });
    },
  );

  it('E6: with no time left nothing goes round', () => {
    const now = { counts: none, bounds: RunBounds.parse({}), msLeft: 0 };
    expect(nextRoundFor(wish('check_fix'), now)).toHaveProperty('stop');
    expect(nextRoundFor(wish('implement'), now)).toHaveProperty('round');
  });

  it('S7: a new iteration has its reflections before it, and nothing gives iterations back', () => {
    const worn = { ...none, iterations: 1, reflections: 3, reportRepairs: 1 };
    const now = { counts: worn, bounds: RunBounds.parse({}), msLeft: 1 };
    expect(nextRoundFor(wish('ci_fix'), now)).toMatchObject({
      counts: { iterations: 2, reflections: 0, reportRepairs: 0 },
    });
    expect(nextRoundFor(wish('check_fix'), now)).toHaveProperty('stop');
  });

  it('S7: a mended report gives no reflections back, and a reflection no repairs', () => {
    const worn = { ...none, reflections: 3, reportRepairs: 1 };
    const now = {
      counts: worn,
      bounds: { ...RunBounds.parse({}), maxReflections: 9, maxReportRepairs: 9 },
      msLeft: 1,
    };
    expect(nextRoundFor(wish('report_repair'), now)).toMatchObject({
      counts: { reflections: 3, reportRepairs: 2 },
    });
    expect(nextRoundFor(wish('check_fix'), now)).toMatchObject({
      counts: { reflections: 4, reportRepairs: 1 },
    });
  });

  it('E8: only rounds that are to change something may write to the files', () => {
    const kept = ROUND_KINDS.filter((kind) => ROUND_ROWS[kind].writes !== 'change');
    expect(kept.sort()).toEqual(['person_question', 'plan_update', 'preflight', 'report_repair']);
    expect(ROUND_ROWS.report_repair.writes).toBe('nothing');
  });

  it('E8: a round within an iteration remembers what the iteration was asked for', () => {
    const reflect = innerRound(wish('review_fix', 'Use salut.'), 'check_fix', words('A test fails.'));
    expect(reflect).toEqual({
      kind: 'check_fix',
      feedback: words('A test fails.'),
      purpose: words('Use salut.'),
    });
    expect(innerRound(reflect, 'report_repair', words('No JSON.')).purpose).toEqual(words('Use salut.'));
    expect(innerRound(ROUND_WITHOUT_FEEDBACK, 'check_fix', words('A test fails.')).purpose).toEqual([]);
  });
});

describe('reports', () => {
  it('E7: a report that cannot be read is asked for once more, in the same state and session, and nothing else is written', () => {
    const asked = at('IMPLEMENTING').when(
      failed('invalid_output', { message: 'No JSON.', usageSoFar: spent }),
    );
    expect(asked.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', counts: { reportRepairs: 1, retries: 0 } },
    });
    expect(works(asked)).toEqual(['implement']);
    expect(asked.effects).toContainEqual(
      expect.objectContaining({
        do: { kind: 'implement', round: { kind: 'report_repair', feedback: words('No JSON.'), purpose: [] } },
      }),
    );
    expect(ROUND_ROWS.report_repair).toMatchObject({ writes: 'nothing', verifiedBy: 'report' });
    expect(asked.when(implemented()).run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING', counts: { reportRepairs: 0 } },
    });
    const again = asked.when(failed('invalid_output', { message: 'Still none.' }));
    expect(again.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(again.all)).toBe(1);
  });

  it('E6: what a failed agent used up counts', () => {
    const story = at('IMPLEMENTING').when(failed('crashed', { usageSoFar: spent }));
    expect(story.run).toMatchObject({
      lifecycle: { workedMs: 2_000, usage: { inputTokens: 5, outputTokens: 7 } },
    });
  });

  it('E5: a conversation that is lost, or too long, is not resumed', () => {
    const talking = at('IMPLEMENTING').when(implemented(), validated({ passed: false }));
    expect(talking.run.agent.session?.id).toBe('s1');
    const lost = talking.when(failed('session_lost'));
    expect(lost.run).toMatchObject({ lifecycle: { state: 'FAILED_RETRYABLE' }, agent: { session: null } });
    expect(talking.when(failed('context_exceeded')).run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      agent: { session: null },
    });
    expect(talking.when(failed('crashed')).run.agent.session?.id).toBe('s1');
  });
});

describe('iterations', () => {
  const auto = { autoIterate: true };

  it('E8: red checks, changes requested and a person’s words are three rounds of one mechanism', () => {
    const red = at('CI_WAIT', auto).when(check({ outcome: 'failed' }));
    expect(red.run.agent.round).toEqual({
      kind: 'ci_fix',
      feedback: [{ kind: 'red', checks: ['test'] }],
      purpose: [],
    });
    expect(at('CI_WAIT').when(review()).run.agent.round.kind).toBe('review_fix');
    expect(at('CI_WAIT').when(iterate('Rename it.')).run.agent.round).toEqual({
      kind: 'person_request',
      feedback: words('Rename it.'),
      purpose: [],
    });
  });

  it('E8: a failed check inside a fix goes back to the agent with what the fix is for', () => {
    const story = at('CI_WAIT').when(review(), implemented('b'), validated({ passed: false }));
    expect(story.run.agent.round).toEqual({
      kind: 'check_fix',
      feedback: words('test: expected bonjour'),
      purpose: REVIEW,
    });
    expect(countOf(story.effects, 'implement')).toBe(1);
  });

  it('G6: the card of a fix still tells what the fix is for; a rejection goes back with both', () => {
    const card = at('CI_WAIT').when(review(), implemented('b'), validated());
    expect(card.run.gate.approval?.kind).toBe('push');
    expect(card.run.agent.round).toMatchObject({
      kind: 'implement',
      purpose: REVIEW,
    });
    const denied = card.when(deny('Smaller.'));
    expect(denied.run.agent.round).toMatchObject({ kind: 'rejection_fix', feedback: words('Smaller.') });
    expect(denied.run.agent.round.purpose).toEqual(REVIEW);
    const out = at('CI_WAIT', auto).when(review(), implemented('b'), validated(), pushed());
    expect(out.run.agent.round).toEqual(ROUND_WITHOUT_FEEDBACK);
  });

  it('E8: retrying a fix that found no reader goes on with the same wish', () => {
    const stuck = at('CI_WAIT').when(review(), failed('auth_missing'), retry());
    expect(stuck.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: { round: { kind: 'review_fix' } },
    });
  });
});
