/**
 * E21 through the real process: a person asks about a card, over a kill, and approves what it showed;
 * with the builtin engine and with a program; and takes back what was asked for.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { ASKED_PROGRAM_ENV, installAskedProgram } from '../../support/asked-program.ts';
import { call, edit, REPORT } from '../../support/builtin-round.ts';
import { createFakeModel, type FakeModel } from '../../support/fake-model.ts';
import { buttonsOf } from '../../support/persistent-person.ts';
import { createProduct, PATIENCE, type Product, type ProductOptions } from '../../support/product.ts';
import { asksOnCard, sealedIn } from '../../support/steering.ts';

const REPO = 'acme/asked';
const WITHIN = { deadlineMs: PATIENCE };
let product: Product;
let model: FakeModel | undefined;
afterEach(async () => {
  await product.close();
  await model?.close();
  model = undefined;
});

const begin = async (options: ProductOptions): Promise<void> => {
  product = await createProduct(options);
  await product.github.addRepo({ owner: 'acme', name: 'asked', from: { 'README.md': 'An app.\n' } });
};
const gate = () => product.run(REPO)?.gate;
const sealed = () => sealedIn(product, REPO);

it('E21, L6: the builtin engine answers about its card over a kill, cannot edit, and the card is approved', async () => {
  model = await createFakeModel();
  await begin({
    config: { engines: { builtin: { args: ['-m', 'scripted-model'] } } },
    env: { AGENTPR_ENGINE: 'builtin', OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: `${model.url}/v1` },
  });
  const { ana } = product;
  model.plays(edit('README.md', 'An app.', 'An app. salut'), REPORT);
  product.start();
  ana.sends(`/new ${REPO} Greet check="grep -q salut README.md"`);
  const card = await cardFor(ana, REPO);
  const before = sealed();
  const used = product.run(REPO)?.lifecycle.usage.inputTokens ?? 0;
  const asked = model.requests.length;
  // The model says nothing, and everything dies while it is asked.
  model.plays({ silent: true });
  await asksOnCard(product, card, 'Why did you greet in French?');
  await product.waitFor(() => (model?.requests.length ?? 0) > asked, { what: 'the question to be asked' });
  await product.kill();
  model.plays(edit('README.md', 'salut', 'hello'), call('read', { path: 'README.md' }), {
    report: { status: 'done', summary: 'Because the goal says so.', ran: [] },
  });
  product.start();
  const answer = await ana.waitForMessage(/Ana asked the agent/, WITHIN);
  expect(answer.text).toContain('Why did you greet in French?');
  expect(answer.text).toContain('Because the goal says so.');
  expect(answer.text).toContain('The card is unchanged');
  expect(answer.messageId).toBeGreaterThan(card.messageId);
  expect(sealed()).toEqual(before);
  const last = JSON.stringify(model.requests.at(-1)?.body);
  // It is its own conversation that goes on, without a tool that writes.
  expect(last).toContain('An app. salut');
  expect(last).toContain('What a person asks you about your work');
  expect(product.run(REPO)?.lifecycle.usage.inputTokens).toBeGreaterThan(used);
  expect(await approves(ana, REPO)).toBe('Recorded: approved.');
  await ana.waitForMessage('Pull request #1 opened', WITHIN);
  const [pull] = product.github.repo(REPO).pulls;
  expect(pull?.headSha).toBe(product.run(REPO)?.change.pushedHead?.sha);
  expect(product.complaints()).toEqual([]);
});

it('E21, L6: a program answers in its session over a kill; changes that were asked for are taken back', async () => {
  await begin({ env: ASKED_PROGRAM_ENV });
  const config = installAskedProgram(join(product.dir, 'tools'));
  writeFileSync(
    join(product.dir, 'agentpr.config.json'),
    JSON.stringify({ bounds: { pollMs: 100, retryMs: 50 }, ...config }),
  );
  const inHome = (name: string): string | null => {
    const file = globSync(join(product.dataDir, 'runs/**/home', name))[0];
    return file === undefined ? null : readFileSync(file, 'utf8');
  };
  const { ana } = product;
  product.start();
  ana.sends(`/new ${REPO} Write one more line check="grep -q more README.md"`);
  const card = await cardFor(ana, REPO);
  const before = sealed();
  const id = product.run(REPO)?.id ?? '';
  ana.sends(`/ask ${id} Why is it so long?`);
  await product.waitFor(() => inHome('hung') !== null, { what: 'the agent to be asked' });
  await product.kill();
  await product.processesGone(product.processes);
  product.start();
  const answer = await ana.waitForMessage(/Ana asked the agent/, WITHIN);
  expect(answer.text).toContain('It was too long.');
  expect(sealed()).toEqual(before);
  expect(inHome('args')).toMatch(/resume t1/);
  expect(inHome('prompt')).toContain('Why is it so long?');

  // A mere question as a wish is offered as a question; the other button asks for changes.
  await tapOn(ana, card, /^Ask for changes$/);
  const form = await ana.waitForMessage('What should change? Write it here', WITHIN);
  ana.sends('Why is it so long?', { replyTo: form.messageId });
  const offer = await ana.waitForMessage((m) => buttonsOf(m).includes('Ask the agent'), {
    ...WITHIN,
    what: 'the offer to ask',
  });
  expect(buttonsOf(offer)).toContain('Ask for these changes');
  expect(sealed()).toEqual(before);

  // So is one in reply to the card, which shows the run, too.
  ana.sends('Why is it so long?', { replyTo: card.messageId });
  const choice = await ana.waitForMessage(
    (m) => m.messageId > offer.messageId && buttonsOf(m).includes('Ask the agent'),
    { ...WITHIN, what: 'the offer to ask' },
  );
  expect(buttonsOf(choice)).toEqual(['Ask the agent', 'Ask for these changes', 'Show the run']);
  await tapOn(ana, choice, /^Ask the agent$/);
  await ana.waitForMessage((m) => m.messageId > choice.messageId && m.text.includes('Ana asked the agent'), {
    ...WITHIN,
    what: 'its answer',
  });

  // Nothing changed: the card is live again, for the same bytes.
  ana.sends(`/changes ${id} Nothing of this matters?`);
  const again = await ana.waitForMessage(
    (m) => m.messageId > offer.messageId && buttonsOf(m).some((text) => /^Open PR/.test(text)),
    { ...WITHIN, what: 'the card again' },
  );
  expect(again.text).toContain('Nothing is new since the last card');
  expect(gate()?.approval?.digest).toBe((before[0] as { digest: string }).digest);

  ana.sends(`/changes ${id} Write another line too.`);
  const other = await ana.waitForMessage(
    (m) => m.messageId > again.messageId && buttonsOf(m).includes('Take back'),
    { ...WITHIN, what: 'the card of the changes' },
  );
  expect(product.run(REPO)?.change.commit?.diff.added).toBe(2);
  await tapOn(ana, other, /^Take back$/);
  const back = await ana.waitForMessage(
    (m) => m.messageId > other.messageId && buttonsOf(m).some((text) => /^Open PR/.test(text)),
    { ...WITHIN, what: 'the card before' },
  );
  expect(product.run(REPO)?.change.commit).toEqual(before[2]);
  expect(buttonsOf(back)).not.toContain('Take back');
  await approves(ana, REPO);
  await ana.waitForMessage('Pull request #1 opened', WITHIN);
  expect(product.complaints()).toEqual([]);
});
