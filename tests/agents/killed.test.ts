/**
 * L6 with each real coding agent: killed in the middle of its turn, alone or with the orchestrator,
 * it goes on in the same session.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { Run } from '#run';
import { sampleDirectory, sampleGoal } from '#playground';
import { approves } from '../support/approves.ts';
import { COST } from '../support/fake-model/turns.ts';
import { createFakeModel, type FakeModel } from '../support/fake-model.ts';
import { withAgent } from '../support/installed-agents.ts';
import { processesOf } from '../support/process-list.ts';
import { PATIENCE, type Product } from '../support/product.ts';
import { createScriptedProduct, type ScriptedName } from '../support/scripted-agents.ts';
import { afterTool, promptIn, sampleModel } from '../support/sample-model.ts';

const REPO = 'acme/patient';
const MEND = sampleModel({ mood: 'mends' });
const PER_ANSWER = COST.fresh + COST.cached;

let model: FakeModel;
let product: Product;
beforeEach(async () => {
  model = await createFakeModel();
});
afterEach(async () => {
  await product.close();
  await model.close();
});

/** Starts a run whose agent has worked and waits for its model, for ever. */
const inTheMiddle = async (engine: ScriptedName): Promise<Run> => {
  product = await createScriptedProduct(engine, model);
  await product.github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });
  const silent = new Promise<void>((resolve) =>
    model.answers((body) => {
      if (!afterTool(body)) return MEND(body);
      resolve();
      return { silent: true };
    }),
  );
  product.start();
  product.ana.sends(`/new ${REPO} ${sampleGoal}`);
  await silent;
  await product.waitFor(() => product.run()?.agent.session, { what: 'the session to be known' });
  return product.run() as Run;
};

/** The rest of the story, with a model that answers again. */
const finishes = async (before: Run, answered: number): Promise<void> => {
  const { ana, github } = product;
  await product.waitForState('PUSHED');
  await approves(ana, REPO);
  await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
  const repo = github.repo(REPO);
  await repo.merge(1);
  await product.waitForState('DONE');
  await product.atRest();
  const run = product.run() as Run;
  const asked = model.requests.slice(answered);

  expect(run.agent.session?.id).toBe(before.agent.session?.id);
  expect(asked).toHaveLength(2);
  expect(promptIn(asked[0]?.body ?? {})).toContain('Your last turn was cut off');
  // The conversation is still there: what was asked and done before the end.
  expect(JSON.stringify(asked[0]?.body).split('Fix the first wait').length).toBeGreaterThan(2);
  expect(repo.pulls).toHaveLength(1);
  expect(repo.pushes.filter((push) => push.refused === null)).toHaveLength(1);
  // E18: what was never answered counts as the most that may be billed, and nothing counts twice.
  const most = Buffer.byteLength(JSON.stringify(model.requests[answered - 1]?.body));
  expect(run.lifecycle.usage.inputTokens).toBe(3 * PER_ANSWER + most);
};

const outcomes = (): string[] =>
  product
    .look()
    .attempts()
    .filter(({ step }) => step === 'agent')
    .map(({ outcome }) => outcome);

describe.each(['codex', 'claude', 'opencode'] as const)('the real %s', (engine) => {
  const { program, test } = withAgent(engine);

  test('L6: goes on with its session when the orchestrator was killed', async () => {
    const before = await inTheMiddle(engine);
    await product.kill();
    await expect.poll(() => product.processes(), { timeout: PATIENCE }).toEqual([]);
    model.answers(MEND);
    const answered = model.requests.length;
    product.start();
    await finishes(before, answered);
    expect(outcomes()).toEqual(['interrupted', 'completed']);
  });

  test('E5: goes on with its session when it was killed itself', async () => {
    const before = await inTheMiddle(engine);
    model.answers(MEND);
    const answered = model.requests.length;
    const [agent] = processesOf(product.dataDir).filter(({ pid }) => {
      const [argv0 = ''] = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      return argv0 === program?.file || path.basename(argv0) === engine;
    });
    process.kill(agent?.pid ?? NaN, 'SIGKILL');
    await finishes(before, answered);
    expect(outcomes()).toEqual(['crashed', 'completed']);
  });
});
