/**
 * C4, E10 through the real process: a model that asks in plain words is heard on the phone and
 * answered there; one that was allowed a command is not told that it was denied.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Run } from '#run';
import { cardFor, tapOn } from '../../support/approves.ts';
import { createFakeModel, type FakeModel } from '../../support/fake-model.ts';
import { withButton } from '../../support/persistent-person.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const QUESTION = 'There are two greetings here. Which of the two should I change?';
const MEND = "sed -i '$a salut' README.md";
const REPORT = { report: { status: 'done', summary: 'One more line.', ran: [] } };

let model: FakeModel;
let product: Product;
beforeAll(async () => {
  model = await createFakeModel();
  product = await createProduct({
    config: { engines: { builtin: { args: ['-m', 'scripted-model'] } } },
    env: { AGENTPR_ENGINE: 'builtin', OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: `${model.url}/v1` },
  });
  for (const name of ['found', 'asks'])
    await product.github.addRepo({
      owner: 'acme',
      name,
      from: { 'README.md': 'An app.\n', 'AGENTS.md': 'Greetings are lower case.\n' },
    });
  product.start();
});
afterAll(async () => {
  await product.close();
  await model.close();
});
const askedSince = (from: number): string =>
  JSON.stringify(model.requests.slice(from).map(({ body }) => body));

it('E7, E10: an engine whose commands are judged writes what it found, and nothing else, before it works', async () => {
  const { ana } = product;
  const repo = 'acme/found';
  const find = { kind: 'other', text: 'Greetings are lower case.', file: 'AGENTS.md', line: 1 };
  model.plays(
    { run: 'echo planted > ~/.profile' },
    { run: `cat > ~/CONTRACT.jsonl <<'END'\n${JSON.stringify(find)}\nEND` },
    REPORT,
    { say: QUESTION },
  );
  ana.sends(`/new ${repo} Write one more line discovery=agent check="grep -q salut README.md"`);
  await ana.waitForMessage('THE AGENT ASKS', { deadlineMs: PATIENCE });
  expect(product.run(repo)?.target.contract?.rules).toContainEqual(
    expect.objectContaining({ quote: find.text, file: 'AGENTS.md' }),
  );
  expect(askedSince(0)).toMatch(/may only look|no-write-outside-workspace|outside the workspace/);
});

it('C4: a question in plain words is answered on the phone, and its answer is what the agent goes on with', async () => {
  const { ana } = product;
  const [repo, begun] = ['acme/asks', model.requests.length];
  model.plays({ say: QUESTION });
  ana.sends(`/new ${repo} Write one more line check="grep -q salut README.md"`);
  const question = await ana.waitForMessage(
    (m) => m.text.includes('THE AGENT ASKS') && m.text.includes(repo),
    { deadlineMs: PATIENCE, what: 'the question' },
  );
  expect(question.text).toContain(QUESTION);
  // P5: the engine does not read it by itself.
  expect(askedSince(begun)).toMatch(
    /What the repository tells coding agents[^#]*AGENTS\.md[^#]*Greetings are lower case/,
  );
  expect(product.run(repo)).toMatchObject({
    lifecycle: { state: 'NEEDS_HUMAN_REVIEW', counts: { reportRepairs: 0 } },
  });
  ana.sends(`/log ${product.run(repo)?.id ?? ''}`);
  const log = await ana.waitForMessage((m) => m.from === 'bot' && m.messageId > question.messageId, {
    deadlineMs: PATIENCE,
    what: 'its log',
  });
  expect(log.text).toContain('Which of the two should I change?');
  const asked = model.requests.length;
  model.plays({ run: MEND }, REPORT);
  ana.sends('The second one.', { replyTo: question.messageId });
  const offer = await ana.waitForMessage(
    (m) => m.from === 'bot' && m.messageId > log.messageId && withButton(/^Retry$/)(m),
    { deadlineMs: PATIENCE, what: 'the offer to go on' },
  );
  await tapOn(ana, offer, /^Retry$/);
  // The command has to be allowed by a person.
  const permission = await ana.waitForMessage(withButton(/^Allow once$/), { deadlineMs: PATIENCE });
  const before = model.requests.length;
  expect(askedSince(asked)).toContain('The second one.');
  model.plays({ run: MEND }, REPORT);
  await tapOn(ana, permission, /^Allow once$/);
  await cardFor(ana, repo);
  expect(askedSince(before)).toContain('You may do this, once');
  expect(askedSince(before)).not.toMatch(/What ended it|permission denied/);
  expect((product.run(repo) as Run).change.commit?.diff).toMatchObject({ added: 1, deleted: 0 });
});
