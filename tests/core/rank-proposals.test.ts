/** E9: the governor ranks proposals of one turn: denied ones fall out; risk, then evidence, then size. */
import { describe, expect, test } from 'vitest';
import { rankProposals } from '#model/turn';
import type { RankedProposal } from '../../model/turn/rank-proposals.ts';
import { enginesInTurn, Order, OrderProposers, proposersOfEngine, readProposer } from '#model/order';
import { parseEngines, findEnginesProblem } from '../../orchestrator/orders/order-argument.ts';

type Action = RankedProposal['actions'][number];
const acts = (more: Partial<RankedProposal> = {}, ...actions: Partial<Action>[]): RankedProposal => ({
  thought: { kind: 'actions' },
  ends: false,
  actions: (actions.length > 0 ? actions : [{}]).map((one) => ({ verdict: 'allow', risk: 'low', ...one })),
  evidence: [],
  size: 0,
  ...more,
});
const reports = (more: Partial<RankedProposal> = {}): RankedProposal => ({
  ...acts(),
  thought: { kind: 'report' },
  ends: true,
  actions: [],
  ...more,
});

describe('E9: ranking of proposals', () => {
  test.each<[string, RankedProposal[], number[]]>([
    ['less risk goes first', [acts({}, { risk: 'high' }), acts({}, { risk: 'low' })], [1, 0]],
    [
      'the riskiest action of a proposal counts',
      [acts({}, { risk: 'low' }, { risk: 'medium' }), acts({ size: 9 })],
      [1, 0],
    ],
    ['then more evidence', [acts({ evidence: ['read'] }), acts({ evidence: ['read', 'fits'] })], [1, 0]],
    ['risk goes before evidence', [acts({ evidence: ['read'] }, { risk: 'medium' }), acts()], [1, 0]],
    ['then the smaller one', [acts({ size: 8 }), acts({ size: 3 })], [1, 0]],
    ['then an action before a report', [reports(), acts()], [1, 0]],
    ['and then the earlier proposer', [acts(), acts()], [0, 1]],
    ['what a policy denies falls out', [acts({}, { verdict: 'deny' }), acts({ size: 50 })], [1]],
    ['also by one action of several', [acts({}, {}, { verdict: 'deny' })], []],
    ['what a person refused falls out', [acts({}, { verdict: 'refused' }), acts({}, { risk: 'high' })], [1]],
    ['what a person allowed goes first', [acts(), acts({}, { risk: 'high', verdict: 'granted' })], [1, 0]],
    [
      'what a person picked goes before what a person lets pass in this run',
      [acts({}, { verdict: 'granted' }), acts({}, { risk: 'high', verdict: 'granted', allowedBy: 'Ana' })],
      [1, 0],
    ],
    ['what counts for nothing falls out', [{ ...acts(), thought: { kind: 'invalid' } }, acts()], [1]],
    [
      'green tests after the last change speak for an end',
      [acts(), reports({ evidence: ['checked'] })],
      [1, 0],
    ],
    ['nobody is chosen among none', [], []],
  ])('%s', (_, proposals, order) => {
    expect(rankProposals(proposals, { isLastTurn: false })).toEqual(order);
  });

  test('in the last turn whoever reports goes first', () => {
    expect(rankProposals([acts({ evidence: ['read', 'fits'] }), reports()], { isLastTurn: true })).toEqual([
      1, 0,
    ]);
  });
});

describe('E9: proposers of one engine, and of several', () => {
  test('one word for both: names after a colon think side by side, engines try in turn', () => {
    const within = { proposers: ['builtin:gpt-5.2', 'builtin:openai/GPT-5.2-mini'] };
    expect(enginesInTurn(within)).toEqual([]);
    expect(proposersOfEngine(within, 'builtin')).toEqual(['gpt-5.2', 'openai/GPT-5.2-mini']);
    const mixed = { proposers: ['codex', 'builtin:a', 'builtin:b'] };
    expect(enginesInTurn(mixed)).toEqual(['codex', 'builtin']);
    expect(proposersOfEngine(mixed, 'codex')).toEqual([]);
    expect(proposersOfEngine(mixed, 'builtin')).toEqual(['a', 'b']);
    expect(enginesInTurn({})).toEqual([]);
    expect(readProposer('builtin:qwen:8b')).toEqual({ engine: 'builtin', name: 'qwen:8b' });
  });

  test.each([
    [['codex'], false],
    [['builtin:a'], true],
    [['builtin:a', 'builtin:a'], false],
    [['builtin', 'builtin:a'], false],
    [['builtin:a', 'builtin:b', 'codex', 'claude'], false],
    [['builtin:'], false],
    [['builtin:-m'], false],
    [['builtin:a b'], false],
  ])('%j is read: %s', (proposers, isRead) => {
    expect(OrderProposers.safeParse(proposers).success).toBe(isRead);
    expect(Order.shape.proposers.safeParse(proposers).success).toBe(isRead);
  });

  test('as people write them, with a plan only within one engine', () => {
    const both = { engine: 'builtin', proposers: ['builtin:GPT', 'builtin:b'] };
    expect(parseEngines('Builtin:GPT, builtin:b', 'direct')).toEqual(both);
    expect(parseEngines('builtin:GPT,builtin:b', 'plan')).toEqual(both);
    expect(parseEngines('builtin:a', 'direct')).toEqual({ engine: 'builtin', proposers: ['builtin:a'] });
    expect(parseEngines('codex,builtin:a', 'plan')).toBeNull();
  });

  test('an engine that takes no models says so', () => {
    const all = ['codex', 'builtin'];
    const read = { engine: 'codex', proposers: ['codex:a', 'codex:b'] };
    expect(findEnginesProblem(read, all, ['builtin'])).toEqual({
      kind: 'proposers',
      text: 'codex',
      all: 'builtin',
    });
    expect(findEnginesProblem({ engine: 'nope' }, all, ['builtin'])).toMatchObject({ kind: 'engine' });
    expect(findEnginesProblem({ engine: 'builtin', proposers: ['builtin:a'] }, all, ['builtin'])).toBeNull();
  });
});
