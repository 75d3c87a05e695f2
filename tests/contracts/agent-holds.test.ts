/** P7, E18: used-up budgets and closed providers hold agents back, a question's too, and nothing that needs none. */
import { describe, expect, it } from 'vitest';
import type { EffectContext } from '#kernel';
import type { WriteHold } from '#ports/forge';
import type { Run } from '#run';
import { createAnswerQuestionHandler } from '../../orchestrator/kernel/rounds/answer-question.effect.ts';
import { createImplementHandler } from '../../orchestrator/kernel/rounds/implement.effect.ts';
import { findOpenQuestion, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { createSpendingGuard } from '../../orchestrator/limits/spending-guard.ts';
import { askQuestion, at } from '../support/core.ts';
import { claimOf, never } from '../support/doors.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const holdOf = (why: 'spending' | 'provider'): WriteHold => ({
  at: NOW + 1_000,
  turn: { action: 'implement', why, readyAt: 0, position: 1 },
});

const COMMIT = at('PUSHED').run.change.commit;

type Round = Run['agent']['round'];
const KEPT: Round = { kind: 'kept_edits', feedback: [], purpose: [] };
const SUGGESTED: Round = {
  kind: 'suggested_edits',
  feedback: [],
  purpose: [],
  suggestedEdits: [{ path: 'a.txt', from: 1, to: 1, text: 'two\n', by: 'ana', lines: ['one'] }],
} as unknown as Round;

/** `reached`: what the handler did in the workspace. */
const createParts = (run: Run, why: 'spending' | 'provider') => {
  const reached: string[] = [];
  const parts = {
    ledger: {
      query: { run: async () => run, attempts: async () => [], effects: async () => [] },
    },
    clock: { now: () => NOW },
    settings: { author: { name: 'AgentPR', email: 'agentpr@example.org' } },
    agents: { engines: { [run.order.engine]: {} }, findHold: async () => holdOf(why) },
    workspaces: {
      exists: async () => {
        reached.push('files');
        return false;
      },
      suggest: async () => {
        reached.push('suggestion');
        return COMMIT;
      },
      revert: async () => {
        reached.push('revert');
        return { kind: 'reverted', commit: COMMIT };
      },
    },
  } as unknown as EffectContext;
  return { parts, reached };
};
const handle = async (run: Run, round: Round, why: 'spending' | 'provider' = 'spending') => {
  const { parts, reached } = createParts(run, why);
  const handler = createImplementHandler(parts);
  const outcome = await handler(claimOf(run, { kind: 'implement', round }), never);
  return { outcome, reached };
};

describe('a budget above the run is used up', () => {
  const { run } = at('IMPLEMENTING');

  it.each(['spending', 'provider'] as const)(
    'P7: an agent waits, and the run says for what: %s',
    async (why) => {
      const { outcome, reached } = await handle(run, run.agent.round, why);
      expect(outcome).toEqual({ kind: 'held', hold: holdOf(why) });
      expect(reached).toEqual([]);
    },
  );

  it('E21: what a stopped agent left is kept', async () => {
    const { outcome, reached } = await handle(run, KEPT);
    expect(reached).toEqual(['files']);
    expect(outcome).toMatchObject({ kind: 'result', input: { class: 'interrupted' } });
  });

  it('F7: what a reviewer suggests is applied', async () => {
    const judged = patchRun(run, { agent: { containment: 'bwrap' } });
    const { outcome, reached } = await handle(judged, SUGGESTED);
    expect(reached).toEqual(['suggestion']);
    expect(outcome).toMatchObject({ kind: 'result', input: { type: 'worker.implementation.completed' } });
  });

  it('F5: a revert without conflicts is made', async () => {
    const reverts = { pull: 'acme/app#7', url: 'https://example.org/7' };
    const order = { ...run.order, engine: 'codex', reverts } as unknown as Run['order'];
    const mergedPull = { commit: 'a'.repeat(40) } as unknown as NonNullable<Run['target']['mergedPull']>;
    const reverting = patchRun(run, { order, target: { mergedPull } });
    const { outcome, reached } = await handle(reverting, { ...run.agent.round, kind: 'implement' });
    expect(reached).toEqual(['revert']);
    expect(outcome).toMatchObject({ kind: 'result', input: { revert: 'clean' } });
  });

  it('P7: a script, which asks no model, starts', async () => {
    const spent = { costUsd: 100, tokens: 1 };
    const guard = createSpendingGuard({
      ledger: {
        spending: { charge: async () => 'go' },
        receive: async () => [],
        query: {
          run: async () => run,
          setting: async () => null,
          spent: async () => [
            {
              day: Date.UTC(2026, 10, 29),
              person: '1',
              personName: 'Ana',
              campaign: null,
              repo: 'acme/app',
              engine: 'codex',
              used: spent,
              pending: { costUsd: 0, tokens: 0 },
            },
          ],
        },
      } as unknown as Parameters<typeof createSpendingGuard>[0]['ledger'],
      clock: { now: () => NOW },
      timers: { after: () => ({ cancel: () => {} }) },
      budgets: async () => ({ month: { costUsd: 100 }, repositories: [], warnAt: 0.8 }),
    });
    const withEngine = (engine: string): Run => patchRun(run, { order: { ...run.order, engine } });
    expect(await guard.findHold(withEngine('codex'))).toMatchObject({ turn: { why: 'spending' } });
    expect(await guard.findHold(withEngine('script'))).toBeNull();
  });

  it.each([
    ['spending', 'budget_exceeded', 'spending_used_up'],
    ['provider', 'rate_limited', 'provider_closed'],
  ] as const)('E21: a question is answered with why no agent starts: %s', async (why, of, kind) => {
    const asked = at('PUSHED').when(askQuestion()).run;
    const question = findOpenQuestion(asked)?.id ?? '';
    const { parts, reached } = createParts(asked, why);
    const handler = createAnswerQuestionHandler(parts);
    const claim = claimOf(asked, { kind: 'answer_question', question, askedAt: NOW });
    expect(await handler(claim, never)).toMatchObject({
      kind: 'result',
      input: { outcome: { kind: 'failed', class: of, detail: { kind } } },
    });
    expect(reached).toEqual([]);
  });
});
