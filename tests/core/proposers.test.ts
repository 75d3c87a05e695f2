/** E9: several engines try the same goal, one after the other; the best of their changes goes on. */
import { describe, expect, it } from 'vitest';
import { parseEngines } from '../../orchestrator/orders/order-argument.ts';
import { Order } from '#model/order';
import { selectBestTurn } from '../../orchestrator/kernel/run/proposer-rotation.ts';
import { engineOf, type ProposerTurn } from '#run';
import { commit } from '../support/core-samples.ts';
import {
  at,
  bounds,
  cancel,
  failed,
  given,
  implemented,
  later,
  pause,
  pushed,
  resume,
  retry,
  sha,
  spent,
  validated,
  works,
  ways,
  type Story,
} from '../support/core.ts';

const ENGINES = ['codex', 'claude'];
const between = (...proposers: string[]): Story =>
  given({ bounds: bounds(), engine: proposers[0] ?? '', proposers }, ...ways.IMPLEMENTING);
const two = (): Story => between(...ENGINES);
const big = implemented('a');
const ends = ({ run }: Story): string[] =>
  (run.agent.proposerRotation?.finishedTurns ?? []).map(({ engine, outcome: end }) => `${engine} ${end}`);
const red = validated({ passed: false });

describe('several engines', () => {
  it('E9: begin one after the other from the base, without what the one before made', () => {
    const story = two().when(big, validated());
    expect(story.run).toMatchObject({
      lifecycle: {
        state: 'IMPLEMENTING',
        reason: { kind: 'proposer_started', engine: 'claude', no: 2, of: 2 },
      },
      change: { commit: null, evaluation: null, resetTo: sha('0') },
      agent: { session: null, summary: '' },
      gate: { proposal: null },
    });
    expect(engineOf(story.run)).toBe('claude');
    expect(works(story)).toEqual(['implement']);
    expect(ends(story)).toEqual(['codex passed']);
  });

  it('E9: the change that passed goes on, with the session of the engine that made it', () => {
    const story = two().when(
      big,
      validated(),
      implemented('b'),
      red,
      implemented('b'),
      red,
      implemented('b'),
      red,
    );
    const over = story.when(implemented('b'), red);
    expect(over.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING', reason: { kind: 'proposal_chosen', engine: 'codex', of: 2 } },
      change: { commit: { sha: sha('a') }, evaluation: null, resetTo: sha('a') },
      agent: { session: { id: 's1' } },
    });
    expect(works(over)).toEqual(['check']);
    expect(ends(over)).toEqual(['codex passed', 'claude checks_failed']);
    const on = over.when(validated());
    expect(works(on)).toEqual(['push']);
    expect(engineOf(on.when(pushed()).run)).toBe('codex');
  });

  it('E9: the last one goes on at once when it is the best', () => {
    const story = two().when(implemented(null), implemented('b'), validated());
    expect(works(story)).toEqual(['push']);
    expect(engineOf(story.run)).toBe('claude');
    expect(ends(story)).toEqual(['codex no_changes', 'claude passed']);
  });

  it('E9: an engine that fails for good, or whose change is denied, gives way to the next', () => {
    expect(ends(two().when(failed('auth_missing')))).toEqual(['codex failed']);
    expect(ends(two().when(big, validated({ decision: 'deny' })))).toEqual(['codex denied']);
    expect(two().when(failed('crashed')).run.lifecycle.state).toBe('FAILED_RETRYABLE');
  });

  it('S6: when none comes to anything, a person hears of the last, and may go on with it', () => {
    const story = two().when(failed('auth_missing'), implemented(null));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'no_changes' } },
    });
    const again = story.when(retry('IMPLEMENTING'), implemented('b'), validated());
    expect(works(again)).toEqual(['push']);
    expect(ends(again)).toHaveLength(2);
  });

  it('E6: they share one budget, and what each took of it is known', () => {
    const story = two().when(
      big,
      validated({ ms: 500 }),
      later(10, implemented('b', 3_000)),
      validated({ ms: 500 }),
    );
    const past = story.run.agent.proposerRotation?.finishedTurns ?? [];
    expect(past.map(({ workedMs }) => workedMs)).toEqual([1_500, 3_500]);
    expect(past.reduce((n, one) => n + one.tokens, 0)).toBe(
      story.run.lifecycle.usage.inputTokens + story.run.lifecycle.usage.outputTokens,
    );
    const broke = given(
      { bounds: bounds({ maxTokens: 100 }), engine: 'codex', proposers: ENGINES },
      ...ways.IMPLEMENTING,
    ).when(big, validated(), spent({ tokens: 100 }));
    expect(broke.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'budget_exhausted' } },
    });
  });

  it('S6: a pause keeps whose turn it is', () => {
    const story = two().when(big, validated(), pause, resume());
    expect([story.run.lifecycle.state, engineOf(story.run)]).toEqual(['IMPLEMENTING', 'claude']);
    expect(story.when(cancel).run.lifecycle.state).toBe('FAILED_TERMINAL');
  });

  it('E9: one engine alone has no turns', () => {
    expect(at('LOCAL_VALIDATING').when(validated()).run.agent.proposerRotation).toBeUndefined();
  });
});

describe('the choice', () => {
  const turn = (engine: string, more: Partial<ProposerTurn> = {}): ProposerTurn => ({
    engine,
    outcome: 'passed',
    decision: 'allow',
    commit: commit('a'),
    session: null,
    summary: '',
    claims: { status: 'done', ran: [] },
    agentReports: two().run.agent.agentReports,
    commitTrailers: [],
    containment: null,
    exposedCredentials: null,
    tokens: 0,
    costUsd: 0,
    workedMs: 0,
    ...more,
  });
  const sized = (added: number) => ({ commit: { ...commit('a'), diff: { ...commit('a').diff, added } } });

  it('E9: is checks, then policies, then the smaller change, then who came first', () => {
    const red = turn('red', { outcome: 'checks_failed' });
    const asked = turn('asked', { decision: 'escalate' });
    const large = turn('large', sized(90));
    const small = turn('small', sized(2));
    const first = turn('first', sized(2));
    expect(selectBestTurn([red, asked, large, small])?.engine).toBe('small');
    expect(selectBestTurn([red, asked, large])?.engine).toBe('large');
    expect(selectBestTurn([red, asked])?.engine).toBe('asked');
    expect(selectBestTurn([red])).toBeNull();
    expect(selectBestTurn([first, small])?.engine).toBe('first');
  });
});

describe('engine=', () => {
  it.each([
    ['codex', { engine: 'codex' }],
    ['codex,claude', { engine: 'codex', proposers: ['codex', 'claude'] }],
    ['codex,codex', null],
    ['a,b,c,d', null],
    ['codex,', null],
    [',codex', null],
  ])('E9: “%s”', (text, read) => {
    expect(parseEngines(text, 'direct')).toEqual(read);
  });

  it('E9: several are not for a plan', () => {
    expect(parseEngines('codex,claude', 'plan')).toBeNull();
  });

  it('keeps in the order', () => {
    const { order } = two().run;
    expect(Order.parse(order).proposers).toEqual(ENGINES);
    expect(Order.safeParse({ ...order, proposers: ['codex'] }).success).toBe(false);
  });
});
