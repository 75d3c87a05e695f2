/**
 * E10 with real coding agents that ask: in a box with a listed network, a person allows their command
 * from the phone after the process was killed, and the run goes on in the same session: through failed
 * checks, red CI and a review to its merge.
 */
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { sampleCi, sampleDirectory, sampleGoal, sampleReview } from '#playground';
import { AGENT_CLIS } from '../../executors/engines/engines.ts';
import type { Run } from '#run';
import { tapOn } from '../support/approves.ts';
import { BEST } from '../support/agent-round.ts';
import { createFakeModel, type FakeModel } from '../support/fake-model.ts';
import { withAgent } from '../support/installed-agents.ts';
import { carry } from '../support/maintained.ts';
import { withButton } from '../support/persistent-person.ts';
import { PATIENCE, type Product } from '../support/product.ts';
import { createScriptedProduct, SCRIPTED_KEY } from '../support/scripted-agents.ts';
import { askingModel } from '../support/sample-model.ts';

const REPO = 'acme/patient';

let model: FakeModel;
let product: Product;
beforeEach(async () => {
  model = await createFakeModel();
});
afterEach(async () => {
  await product.close();
  await model.close();
});

describe.each(['opencode-acp', 'qwen', 'copilot', 'gemini', 'claude-ask', 'builtin'] as const)(
  'the real %s',
  (engine) => {
    const { test } = withAgent(AGENT_CLIS[engine].program);

    test('E10: asks a person, is answered after a kill, and goes through red CI and a review to the merge', async () => {
      product = await createScriptedProduct(engine, model);
      const { ana, github } = product;
      const sample = { owner: 'acme', name: 'patient', from: sampleDirectory(), ci: sampleCi };
      const repo = await github.addRepo(sample);
      model.answers(askingModel());
      product.start();
      ana.sends(`/new ${REPO} ${sampleGoal}`);
      const question = await ana.waitForMessage(withButton(/^Allow once$/), { deadlineMs: PATIENCE });
      expect(question.text).toContain('f.writeFileSync');
      const before = product.run(REPO) as Run;
      await product.atRest();
      await product.kill();
      await expect.poll(() => product.processes(), { timeout: PATIENCE }).toEqual([]);
      product.start();
      expect(await tapOn(ana, question, /^Allow once$/)).toBe('Recorded: allowed, once.');
      // Four rounds and as many questions, each a start of the program.
      await carry(product, repo, sampleReview, 8 * PATIENCE);
      const run = product.run(REPO) as Run;
      expect(run.agent.session?.id).toBe(before.agent.session?.id);
      expect(run).toMatchObject({
        agent: { containment: BEST, permissions: { askedCount: 4, grants: [] } },
        lifecycle: { counts: { iterations: 2, retries: 0 } },
      });
      expect(repo.pulls).toHaveLength(1);
      expect(new Set(model.requests.map(({ key }) => key))).toEqual(new Set([SCRIPTED_KEY]));
    }, 12);
  },
);
