/**
 * E18: what a killed process had asked of its model is counted before an agent is started again; a
 * real ledger, and the handler that starts agents.
 */
import { expect, it } from 'vitest';
import { tellStory } from '../../bench/story.ts';
import { createSpendingMeter } from '../../orchestrator/limits/spending-meter.ts';
import { createImplementHandler } from '../../orchestrator/kernel/rounds/implement.effect.ts';
import type { EffectContext } from '#kernel';
import type { ClaimOf } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { createSubmitInput } from '#runtime';
import { createRenderContext } from '#views';
import { sayRecord } from '#chat-text';
import { LANGUAGE_TEXTS, type LanguageTexts } from '#language';
import { OutsideFailure } from '#ports/forge';
import type { Ledger } from '#ports/ledger';
import * as acts from '../support/core-acts.ts';
import { openInMemory } from '../support/ledger.ts';
import { renderBudget } from '../../bot/views/budget-screen.ts';
import { useLedger } from '../support/opened.ts';

const FROM = 1_700_000_000_000;
const { ledger } = useLedger(openInMemory);
const most = { inputTokens: 900_000, outputTokens: 128_000, costUsd: 3 };

/** What the agent of the new process would be started with; null when it is not started. */
const startAgain = async (of: Ledger): Promise<unknown> => {
  const now = (): number => FROM + 60_000;
  const claims = await of.claim({ now: now(), leaseMs: 60_000, limit: 1, kinds: ['implement'] });
  const [claim] = claims as ClaimOf<'implement'>[];
  if (!claim) return null;
  const clock = { now };
  const ids = { runId: () => 'x', nonce: () => 'n' };
  const submit = createSubmitInput({ ledger: of, clock, ids });
  let left: unknown = null;
  const parts = {
    ledger: of,
    submit,
    clock,
    agents: { engines: { script: {} } },
    workspaces: {
      // As far as an agent of this run would get.
      exists: async (runId: string) => {
        const run = await of.query.run(runId);
        left = run?.lifecycle.usage;
        throw new OutsideFailure('env_missing', 'enough is known');
      },
    },
  } as unknown as EffectContext;
  await createImplementHandler({ ...parts, spending: { createMeter: createSpendingMeter(parts) } })(
    claim,
    new AbortController().signal,
  ).catch(() => {});
  return left;
};

const killed = async (of: Ledger, maxCostUsd: number): Promise<void> => {
  const story = [acts.startDiscovery, acts.discovered(), acts.baseChecked(), acts.startWork()];
  const run = await tellStory({ ledger: of, from: FROM, bounds: { maxCostUsd } }, 'r1', story);
  const id = await of.attempt.start({
    runId: run.id,
    step: 'agent',
    command: 'codex',
    startedAt: FROM,
    engine: 'codex',
    model: null,
    promptHash: null,
    baseSha: null,
    containment: null,
    pid: null,
    pidStart: null,
  });
  await of.attempt.recordBill(id, most);
};

it('E18: what was asked for before the process died counts, once', async () => {
  await killed(ledger(), 10);
  expect(await startAgain(ledger())).toMatchObject(most);
  expect((await ledger().query.run('r1'))?.lifecycle.usage).toMatchObject(most);
  expect((await ledger().query.attempts('r1'))[0]?.billed).toEqual(most);
});

it('E18: what nobody told is called an upper bound, in both languages', async () => {
  await killed(ledger(), 2);
  await startAgain(ledger());
  const run = await ledger().query.run('r1');
  if (!run) throw new Error('no run');
  const says = (words: LanguageTexts): string =>
    [
      renderBudget(run, words),
      sayRecord(words.reasons, run.lifecycle.reason, createRenderContext(FROM, words)),
    ].join('\n');
  expect(says(LANGUAGE_TEXTS.en)).toMatch(/tokens: at most 1,028,000\b/);
  expect(says(LANGUAGE_TEXTS.en)).toContain('so its last requests count at their most');
  expect(says(LANGUAGE_TEXTS.en)).toMatch(/cost.*at most \$3/s);
  expect(says(LANGUAGE_TEXTS.zh)).toContain('最多 1,028,000');
  expect(run.lifecycle.reason).toMatchObject({ kind: 'budget_exhausted', atMost: true });
});

it('E18: a run whose limit that uses up starts no agent, and asks for more', async () => {
  await killed(ledger(), 2);
  expect(await startAgain(ledger())).toBeNull();
  expect(await ledger().query.run('r1')).toMatchObject({
    lifecycle: {
      state: 'NEEDS_HUMAN_REVIEW',
      reason: { kind: 'budget_exhausted', budget: 'cost', used: 3, limit: 2 },
    },
  });
});
