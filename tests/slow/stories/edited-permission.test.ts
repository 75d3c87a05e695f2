/**
 * P4, E10: a person writes a command in place of the agent's on the phone, and the process is killed
 * between that and the run of it: theirs runs, once, and the agent's never.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { permissionsOf, type Run } from '#run';
import { cardFor, tapOn } from '../../support/approves.ts';
import { createFakeModel, type FakeModel } from '../../support/fake-model.ts';
import { withButton } from '../../support/persistent-person.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const REPO = 'acme/edits';
const MINE = "sed -i '$a mine' README.md";
const THEIRS = "sed -i '$a theirs' README.md";
const REPORT = { report: { status: 'done', summary: 'One more line.', ran: [] } };

let model: FakeModel;
let product: Product;
beforeEach(async () => {
  model = await createFakeModel();
  product = await createProduct({
    config: { engines: { builtin: { args: ['-m', 'scripted-model'] } } },
    env: { AGENTPR_ENGINE: 'builtin', OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: `${model.url}/v1` },
  });
  await product.github.addRepo({ owner: 'acme', name: 'edits', from: { 'README.md': 'An app.\n' } });
});
afterEach(async () => {
  await product.close();
  await model.close();
});

const killed = async (): Promise<void> => {
  await product.kill();
  await expect.poll(() => product.processes(), { timeout: PATIENCE }).toEqual([]);
};
const grants = () => permissionsOf(product.run(REPO) as Run).grants;

it('P4: an edited command runs exactly once, though the process is killed twice before it runs', async () => {
  const { ana } = product;
  model.plays({ run: MINE }, REPORT);
  product.start();
  ana.sends(`/new ${REPO} Write one more line check="grep -q theirs README.md"`);
  const question = await ana.waitForMessage(withButton(/^Edit$/), { deadlineMs: PATIENCE });
  expect(question.text).toContain(MINE);
  expect(await tapOn(ana, question, /^Edit$/)).toMatch(/below/);
  const form = await ana.waitForMessage((m) => m.from === 'bot' && m.messageId > question.messageId, {
    deadlineMs: PATIENCE,
    what: 'a message to answer',
  });
  // The model says nothing, so that nothing can run before the second kill.
  model.plays({ silent: true });
  const asked = model.requests.length;
  ana.sends(THEIRS, { replyTo: form.messageId });
  // The form may have gone out without a note of it: the answer to that copy counts all the same.
  await killed();
  product.start();
  await expect.poll(() => model.requests.length, { timeout: PATIENCE }).toBeGreaterThan(asked);
  expect(grants()).toMatchObject([{ instead: { input: JSON.stringify({ command: THEIRS }) } }]);
  await killed();
  model.plays({ run: MINE }, REPORT);
  product.start();

  await cardFor(ana, REPO);
  const run = product.run(REPO) as Run;
  expect(permissionsOf(run)).toMatchObject({ askedCount: 1, grants: [] });
  expect(run.change.commit?.diff).toMatchObject({ added: 1, deleted: 0 });
  const said = model.requests.map(({ body }) => JSON.stringify(body));
  expect(said.at(-1)).toContain('theirs');
});
