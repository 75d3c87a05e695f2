/**
 * E9, L5, S7 through the real process: stories of the builtin engine, killed in the middle, are
 * replayed turn by turn by the command; a turn that was altered is named.
 */
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, edit } from '../../support/builtin-round.ts';
import { cardFor } from '../../support/approves.ts';
import { createFakeModel, type FakeModel } from '../../support/fake-model.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const REPORT = { report: { status: 'done', summary: 'It greets in lower case.', ran: [] } };

let model: FakeModel;
let product: Product;
beforeAll(async () => {
  model = await createFakeModel();
  product = await createProduct({
    config: { engines: { builtin: { args: ['-m', 'scripted-model'] } } },
    env: { AGENTPR_ENGINE: 'builtin', OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: `${model.url}/v1` },
  });
  for (const name of ['proposed', 'cut', 'altered'])
    await product.github.addRepo({
      owner: 'acme',
      name,
      from: { 'hello.txt': 'Hello\n', 'README.md': 'x\n' },
    });
  product.start();
});
afterAll(async () => {
  await product.close();
  await model.close();
});

it('E9: two proposers tell one story, which the command replays turn by turn', async () => {
  const { ana } = product;
  const repo = 'acme/proposed';
  const bolder = { report: { status: 'done', summary: 'It greets.', ran: [] } };
  const scripts: Record<string, unknown[]> = {
    bold: [call('read', { path: 'README.md' }), edit('hello.txt', 'Hello', 'hello\nhello again'), bolder],
    calm: [call('read', { path: 'hello.txt' }), edit('hello.txt', 'Hello', 'hello'), REPORT],
  };
  const at = new Map<string, number>();
  model.answers(({ model: name }) => {
    const i = at.get(String(name)) ?? 0;
    at.set(String(name), i + 1);
    const script = scripts[String(name)] ?? [];
    return (script[Math.min(i, script.length - 1)] ?? REPORT) as typeof REPORT;
  });
  ana.sends(
    `/new ${repo} Greet in lower case engine=builtin:bold,builtin:calm check="grep -q hello hello.txt"`,
  );
  await cardFor(ana, repo);
  const { id = '' } = product.run(repo) ?? {};
  const said = await product.cli(['replay', '--turns', id, '--decide', '--json']);
  expect([said.code, said.err]).toEqual([0, '']);
  expect(JSON.parse(said.out)).toMatchObject({
    runs: [
      {
        run: id,
        turns: 3,
        proposals: 6,
        actions: 2,
        findings: [],
        proposers: [
          { proposer: 'bold', turns: 3, denied: 0, failed: 0, usage: { inputTokens: 3_600 } },
          { proposer: 'calm', turns: 3, chosen: 1, denied: 0, failed: 0, usage: { inputTokens: 3_600 } },
        ],
        edits: { result: 'same', reapplied: 1, files: 1 },
        policies: { gone: 0, differences: [] },
      },
    ],
  });
  const told = await product.cli(['replay', '--turns', id]);
  expect(told.out).toContain('3 turns, 6 proposals, 2 actions');
  expect(told.out).toContain('calm: chosen in 1 of 3 turns');
});

const billedSoFar = (): { inputTokens: number; outputTokens: number } => {
  const db = new Database(path.join(product.dataDir, 'ledger.db'), { readonly: true });
  const row = db.prepare(
    'select billed_json from step_attempts where billed_json is not null order by id desc',
  );
  const billed = JSON.parse((row.get() as { billed_json: string }).billed_json) as ReturnType<
    typeof billedSoFar
  >;
  db.close();
  return billed;
};

it('L6: killed twice after its proposals were written, once before, and before one was done: it is done once, and paid once', async () => {
  const { ana } = product;
  const [repo, asked] = ['acme/cut', model.requests.length];
  const kills = ['1:before', '1:after', '2:after'];
  const turns = 4;
  const isDone = (body: unknown): boolean => JSON.stringify(body).includes('Written: hello.txt');
  const append = edit('hello.txt', 'Hello', 'Hello\nhello once');
  model.answers(({ messages }) => (isDone(messages) ? REPORT : append));
  await product.stop();
  const preload = path.join(import.meta.dirname, '../../support/kill-at-commit.ts');
  for (const [i, at] of kills.entries()) {
    product.start({ preload, env: { KILL_AT: at, KILL_ON: 'turns' } });
    // A new process first closes the turn that was cut off.
    if (i === 0) {
      await product.running();
      ana.sends(
        `/new ${repo} Greet in lower case engine=builtin:bold,builtin:calm check="grep -q hello hello.txt"`,
      );
    }
    expect((await product.ended()).signal).toBe('SIGKILL');
    expect(model.requests).toHaveLength(asked + 2 * (i + 1));
  }
  const before = billedSoFar();
  product.start();
  await cardFor(ana, repo);
  const { id = '', lifecycle } = product.run(repo) ?? {};
  // What the killed process may have spent counts at its most, once; then two turns of two models.
  expect(lifecycle?.usage).toMatchObject({
    inputTokens: before.inputTokens + 4 * 1_200,
    outputTokens: before.outputTokens + 4 * 80,
  });
  expect(model.requests).toHaveLength(asked + 2 * kills.length + 4);
  const cut = JSON.stringify(model.requests[asked + 2 * kills.length]?.body);
  expect(cut.split('It was not done: the work was interrupted before.')).toHaveLength(turns - 1);
  const said = await product.cli(['replay', '--turns', id, '--json']);
  expect([said.code, said.err]).toEqual([0, '']);
  expect(JSON.parse(said.out)).toMatchObject({
    runs: [
      {
        turns,
        proposals: 2 * turns,
        actions: turns - 1,
        findings: [],
        edits: { result: 'same', reapplied: 1, files: 1 },
      },
    ],
  });
});

it('S7, E9: what was killed in its second turn goes on, and the command follows every turn to the commit', async () => {
  const { ana } = product;
  const [repo, asked] = ['acme/altered', model.requests.length];
  model.answers(() =>
    model.requests.length === asked + 1 ? call('read', { path: 'hello.txt' }) : { silent: true },
  );
  ana.sends(`/new ${repo} Greet in lower case check="grep -q hello hello.txt"`);
  await expect.poll(() => model.requests.length, { timeout: PATIENCE }).toBe(asked + 2);
  await product.kill();
  model.plays(edit('hello.txt', 'Hello', 'hello'), REPORT);
  product.start();
  await cardFor(ana, repo);
  const { id = '' } = product.run(repo) ?? {};
  // The new process knows by the rows what was read before.
  expect(JSON.stringify(model.requests[asked + 2]?.body)).toContain('hello.txt, lines 1 to 1 of 1:');
  const said = await product.cli(['replay', '--turns', id, '--decide', '--json']);
  expect([said.code, said.err]).toEqual([0, '']);
  expect(JSON.parse(said.out)).toMatchObject({
    runs: [
      {
        run: id,
        turns: 3,
        actions: 2,
        findings: [],
        edits: { result: 'same', reapplied: 1, byDigest: 0, files: 1 },
        policies: { asked: 2, gone: 0, differences: [] },
      },
    ],
  });
  const told = await product.cli(['replay', '--turns', '--all']);
  expect(told.out).toContain('byte for byte (1 file; 1 applied again, 0 known by digest)');
  await product.kill();
  const db = new Database(path.join(product.dataDir, 'ledger.db'));
  db.exec(
    `update turns set facts_json = replace(facts_json, '"approved"', '"rejected"') where seq = 2 and run_id = '${id}'`,
  );
  db.close();
  const altered = await product.cli(['replay', '--turns', id]);
  expect(altered.code).toBe(5);
  expect(altered.out).toContain('turn 2 is not what was written');
  expect(altered.out).toContain('action 2.1 ran, although it was decided: rejected');
  expect((await product.cli(['replay', id])).out).toContain('turn 2 is not what was written');
});
