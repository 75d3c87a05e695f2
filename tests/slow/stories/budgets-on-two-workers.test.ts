/** P7: the budgets of persons and campaigns over two workers on Postgres, killed at the worst points. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cardFor, tapOn } from '../../support/approves.ts';
import { call, edit } from '../../support/builtin-round.ts';
import { createFakeModel, type FakeModel } from '../../support/fake-model.ts';
import { createFleet } from '../../support/fleet.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';
import { diesBefore } from '../../support/preloads.ts';
import { ANA, createProduct, PATIENCE, type Product } from '../../support/product.ts';

const BEN = 2002;
/** Dollars, at ten a million tokens. */
const [PERSON, CAMPAIGN] = [0.6, 0.4];
const TAKES_MS = 900_000;
const WITHIN = { deadlineMs: 5 * PATIENCE };
const REPORT = { report: { status: 'done', summary: 'It greets in lower case.', ran: [] } };
const OF_BEN = 'Greet Ben in lower case';

let server: Server;
let database: string;
let model: FakeModel;
let product: Product;
let fleet: ReturnType<typeof createFleet>;
/** Of one request, as it is reserved. */
let most = 0;
beforeAll(async () => {
  server = await startPostgres([]);
  database = await server.database();
  model = await createFakeModel();
  product = await createProduct({
    config: {
      engines: { builtin: { args: ['-m', 'scripted-model'] } },
      gateway: { identical: 1_000, prices: { 'scripted-model': { input: 10, output: 10 } } },
      budgets: { person: { month: PERSON } },
    },
    env: {
      DATABASE_URL: database,
      TELEGRAM_ADMIN_IDS: `${ANA},${BEN}`,
      AGENTPR_ENGINE: 'builtin',
      OPENAI_API_KEY: 'sk-scripted',
      OPENAI_BASE_URL: `${model.url}/v1`,
    },
  });
  fleet = createFleet(product);
}, TAKES_MS);
afterAll(async () => {
  await fleet.stop();
  await product.close();
  await model.close();
  await server.stop();
});

type Spent = { attempt: number; person: string; campaign: string | null; used: number; pending: number };
const spent = async (of: Partial<Spent>): Promise<{ used: number; pending: number }> => {
  const sql = 'select person, campaign, cost_usd as used, pending_usd as pending from spending';
  const rows = (await server.ask<Spent>(database, sql)).filter((row) =>
    Object.entries(of).every(([key, value]) => row[key as keyof Spent] === value),
  );
  const sum = (unit: 'used' | 'pending'): number => rows.reduce((all, row) => all + row[unit], 0);
  return { used: sum('used'), pending: sum('pending') };
};
const until = (what: () => Promise<boolean> | boolean): Promise<unknown> =>
  expect.poll(what, { timeout: WITHIN.deadlineMs, interval: 50 }).toBe(true);
const repository = (name: string): Promise<unknown> =>
  product.github.addRepo({ owner: 'acme', name, from: { 'hello.txt': 'Hello\n', 'README.md': 'x\n' } });
const CHECK = 'grep -q hello hello.txt';
const isOfBen = (body: unknown): boolean => JSON.stringify(body).includes(OF_BEN);
const isDone = (body: unknown): boolean => JSON.stringify(body).includes('Written: hello.txt');
/** Ben's agent does its work; the others read the same file until somebody stops them. */
const plays = (): void =>
  model.answers(({ messages }) =>
    !isOfBen(messages)
      ? call('read', { path: 'hello.txt' })
      : isDone(messages)
        ? REPORT
        : edit('hello.txt', 'Hello', 'hello'),
  );
const ofOthers = (): number => model.requests.filter(({ body }) => !isOfBen(body)).length;

it(
  'P7: one person’s month holds although workers and the control are killed; another person goes on',
  async () => {
    model.answers(() => ({ silent: true }));
    await fleet.start('control').running();
    const dies = join(product.dir, 'before-model.mjs');
    writeFileSync(dies, diesBefore(new RegExp(`POST ${model.url}/`)));
    const first = fleet.start('worker', { preload: dies });
    await first.running();
    const { ana } = product;
    const ben = product.telegram.person(BEN, 'Ben');
    for (const name of ['one', 'two', 'three', 'four']) await repository(name);
    ana.sends(`/new acme/one Greet in lower case check="${CHECK}"`);
    await until(() => !first.alive());
    expect(first.child.signalCode, first.said()).toBe('SIGKILL');
    most = (await spent({ person: String(ANA) })).pending;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(PERSON);

    const second = fleet.start('worker');
    await until(() => model.requests.length === 1);
    plays();
    await second.kill();
    for (let n = 0; n < 2; n += 1) fleet.start('worker');
    for (const name of ['two', 'three']) ana.sends(`/new acme/${name} Greet in lower case check="${CHECK}"`);
    ben.sends(`/new acme/four ${OF_BEN} check="${CHECK}"`);
    const called = await ana.waitForMessage(/A budget is used up: Ana alone, this month/, WITHIN);
    expect(called.text).toContain('acme/');
    await cardFor(ben, 'acme/four');
    await until(async () => (await spent({ person: String(ANA) })).pending === 0);
    const { used } = await spent({ person: String(ANA) });
    expect(used).toBeGreaterThanOrEqual(PERSON - 1e-9);
    expect(used).toBeLessThanOrEqual(PERSON + most);

    const asked = ofOthers();
    await fleet.members[0]?.kill();
    await fleet.start('control').running();
    ana.sends('/cost');
    await ana.waitForMessage(/What agents cost/, WITHIN);
    expect(ofOthers()).toBe(asked);
    expect(await tapOn(ana, called, /^Raise by half/)).toBe('It is $0.90 now.');
    const isRedrawn = (m: { messageId: string | number; text: string; buttons: unknown[] }): boolean =>
      m.messageId === called.messageId && m.text.includes('Ana raised it to $0.90') && m.buttons.length === 0;
    await ana.waitForMessage((m) => isRedrawn(m), { ...WITHIN, what: 'the call without its button' });
    await until(() => ofOthers() > asked);
  },
  TAKES_MS,
);

it(
  'P7: a campaign’s own budget holds although a worker is killed with a request under way',
  async () => {
    const names = ['five', 'six', 'seven'];
    for (const name of names) await repository(name);
    const file = join(product.dir, 'campaign.yml');
    const lines = [
      'name: Greet',
      `repositories: [${names.map((name) => `acme/${name}`).join(', ')}]`,
      'goal: Greet in lower case',
      `checks: ['${CHECK}']`,
      'pace: { canary: 3 }',
      `budget: ${CAMPAIGN}`,
    ];
    writeFileSync(file, lines.join('\n'));
    const planned = await product.cli(['campaign', 'plan', file]);
    const [id = ''] = /c-[a-z0-9]{6}/.exec(planned.out) ?? [];
    expect(planned.out).toContain(`Its budget: $${CAMPAIGN.toFixed(2)}`);
    expect((await product.cli(['campaign', 'start', id])).code).toBe(0);
    const mine = { campaign: id };
    await until(async () => (await spent(mine)).pending > 0);
    await fleet.members.findLast((one) => one.role === 'worker' && one.alive())?.kill();
    fleet.start('worker');
    const called = await product.ana.waitForMessage(
      new RegExp(`A budget is used up: campaign ${id}, in all`),
      WITHIN,
    );
    expect(called.text).toContain('No new turn starts until you raise it');
    await until(async () => (await spent(mine)).pending === 0);
    const { used } = await spent(mine);
    expect(used).toBeGreaterThanOrEqual(CAMPAIGN - 1e-9);
    expect(used).toBeLessThanOrEqual(CAMPAIGN + most);
    const replayed = await product.cli(['replay', '--all', '--json']);
    expect(JSON.parse(replayed.out)).toMatchObject({ findings: [] });
  },
  TAKES_MS,
);
