/** G10, P7: budgets, caps and numbers of approvals over two workers on Postgres, killed at the worst points. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '#playground';
import { cardFor, tapOn } from '../../support/approves.ts';
import { call, edit } from '../../support/builtin-round.ts';
import { createFakeModel, type FakeModel } from '../../support/fake-model.ts';
import { createFleet } from '../../support/fleet.ts';
import { withButton } from '../../support/persistent-person.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';
import { diesBefore } from '../../support/preloads.ts';
import { ANA, createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { storedRuns } from '../../support/stored-runs.ts';

const BEN = 2002;
/** Dollars, at ten a million tokens. */
const LIMIT = 0.6;
/** What the provider bills for one answer. */
const ANSWER = 0.0128;
/** Many processes start on a busy machine. */
const TAKES_MS = 600_000;
const WITHIN = { deadlineMs: 3 * PATIENCE };
const REPORT = { report: { status: 'done', summary: 'It greets in lower case.', ran: [] } };

let server: Server;
let database: string;
let model: FakeModel;
let product: Product;
let fleet: ReturnType<typeof createFleet>;
beforeAll(async () => {
  server = await startPostgres([]);
  database = await server.database();
  model = await createFakeModel();
  product = await createProduct({
    config: {
      engines: { builtin: { args: ['-m', 'scripted-model'] } },
      gateway: { identical: 100, prices: { 'scripted-model': { input: 10, output: 10 } } },
      caps: { openPerOwner: 1 },
      policies: {
        custom: [
          {
            id: 'greetings-need-two',
            when: { paths: ['hello.txt'] },
            verdict: 'escalate',
            reason: 'Two people read each greeting',
            approvals: 2,
          },
        ],
      },
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
});
afterAll(async () => {
  await fleet.stop();
  await product.close();
  await model.close();
  await server.stop();
});

const preloadOf = (name: string, request: RegExp): string => {
  const file = join(product.dir, `${name}.mjs`);
  writeFileSync(file, diesBefore(request));
  return file;
};
type Spent = { attempt: number; used: number; pending: number };
const spent = async (): Promise<Spent[]> => {
  const sql =
    'select attempt_id::int as attempt, cost_usd as used, pending_usd as pending from spending order by attempt_id';
  return server.ask<Spent>(database, sql);
};
const until = (what: () => Promise<boolean> | boolean): Promise<unknown> =>
  expect.poll(what, { timeout: WITHIN.deadlineMs, interval: 50 }).toBe(true);
const runOf = async (name: string) =>
  (await storedRuns(product.dataDir, database)).find(({ order }) => order.repo === `acme/${name}`);
const openingsOf = async (name: string): Promise<number> => {
  const { id } = (await runOf(name)) ?? { id: '' };
  return (await server.ask(database, `select n from effects where kind = 'open_pr' and run_id = '${id}'`))
    .length;
};
const waitsFor = async (name: string): Promise<string | null> => {
  const reason = (await runOf(name))?.lifecycle.reason;
  return reason?.kind === 'write_slot_wait' ? reason.why : null;
};
const signaturesOf = async (name: string): Promise<number> =>
  (await runOf(name))?.gate.approval?.signatures.length ?? 0;
const pullsOf = (name: string) => product.github.repo(`acme/${name}`).pulls;
/** What an admin said is proposed, and set by a tap. */
const changesSetting = async (like: RegExp): Promise<void> => {
  const offers = withButton(/^Change this setting/);
  const proposal = await product.ana.waitForMessage((m) => offers(m) && like.test(m.text), WITHIN);
  await tapOn(product.ana, proposal, /^Change this setting/);
};
const orders = async (name: string): Promise<void> => {
  await product.github.addRepo({ owner: 'acme', name, from: { 'hello.txt': 'Hello\n', 'README.md': 'x\n' } });
  product.ana.sends(`/new acme/${name} Greet in lower case check="grep -q hello hello.txt"`);
};

it(
  'P7: a worker killed between reservation and request, and one before the answer, pass no budget of a person',
  async () => {
    model.answers(() => ({ silent: true }));
    await fleet.start('control').running();
    // Workers hear of it in the ledger alone.
    product.ana.sends(`at most $${LIMIT.toFixed(2)} a person a month`);
    await changesSetting(/personbudget/);
    const first = fleet.start('worker', {
      preload: preloadOf('before-model', new RegExp(`POST ${model.url}/`)),
    });
    await first.running();
    await orders('one');
    await until(() => !first.alive());
    expect(first.child.signalCode, first.said()).toBe('SIGKILL');
    expect(model.requests).toHaveLength(0);
    const [reserved] = await spent();
    expect(reserved).toMatchObject({ used: 0 });
    const most = reserved?.pending ?? 0;
    expect(most).toBeGreaterThan(ANSWER);

    const second = fleet.start('worker');
    await until(() => model.requests.length === 1);
    expect(await spent()).toMatchObject([
      { used: most, pending: 0 },
      { used: 0, pending: expect.any(Number) as number },
    ]);
    model.answers(() => call('read', { path: 'hello.txt' }));
    await second.kill();
    // Whoever starts again in its place counts what it had reserved.
    fleet.start('worker', { preload: preloadOf('before-opening', /POST .*\/acme\/one\/pulls$/) });
    await until(async () => (await spent())[1]?.pending === 0);
    expect((await spent())[1]?.used).toBeGreaterThanOrEqual(most);

    fleet.start('worker');
    for (const name of ['two', 'three']) await orders(name);
    for (const person of [product.ana, product.telegram.person(BEN, 'Ben')])
      await person.waitForMessage(/A budget is used up: Ana alone, this month/, WITHIN);
    await until(async () => (await spent()).every(({ pending }) => pending === 0));
    const rows = await spent();
    const used = rows.reduce((all, row) => all + row.used, 0);
    expect(used).toBeGreaterThanOrEqual(LIMIT - 1e-9);
    expect(used).toBeLessThanOrEqual(LIMIT + most);
    // Nothing was billed that is not counted: one request was never answered.
    expect(used).toBeGreaterThanOrEqual((model.requests.length - 1) * ANSWER);
    const asked = model.requests.length;
    product.ana.sends('/cost');
    await product.ana.waitForMessage(/What agents cost/, WITHIN);
    expect(model.requests).toHaveLength(asked);
  },
  TAKES_MS,
);

it(
  'G10: what two approved is opened once, within its hours and the cap, although the control is killed between approvals and workers after the cap’s check',
  async () => {
    const isDone = (body: unknown): boolean => JSON.stringify(body).includes('Written: hello.txt');
    model.answers(({ messages }) => (isDone(messages) ? REPORT : edit('hello.txt', 'Hello', 'hello')));
    product.ana.taps(/Raise by half/);
    for (const name of ['one', 'two', 'three']) await cardFor(product.ana, `acme/${name}`);
    const ben = product.telegram.person(BEN, 'Ben');
    const signs = async (person: Person, name: string): Promise<void> => {
      const { id } = (await runOf(name)) ?? { id: '' };
      person.sends(`/approve_open_pr ${id}`);
      await cardFor(person, `acme/${name}`, /^Open PR\b/);
      person.sends(`/approve_open_pr ${id} --confirm`);
    };
    await signs(product.ana, 'one');
    await product.ana.waitForMessage(/1 of 2 approvals: Ana/, WITHIN);
    const [control] = fleet.members;
    await control?.kill();
    await fleet.start('control').running();
    const [dying, other] = fleet.members.filter((one) => one.role === 'worker' && one.alive());
    await other?.kill();
    expect(await openingsOf('one')).toBe(0);
    await signs(ben, 'one');
    await until(() => dying?.alive() === false);
    expect(dying?.child.signalCode).toBe('SIGKILL');
    expect(pullsOf('one')).toHaveLength(0);
    expect(await openingsOf('one')).toBe(1);
    for (let n = 0; n < 2; n += 1) fleet.start('worker');
    await until(() => pullsOf('one').length === 1);

    // Two days, since one may end meanwhile.
    const days = [0, 1].map((n) =>
      new Date(Date.now() + n * 86_400_000).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }),
    );
    product.ana.sends(`no pull requests on ${days.join(' and ')}`);
    await changesSetting(/settings hours/);
    for (const name of ['two', 'three']) {
      await signs(product.ana, name);
      await until(async () => (await signaturesOf(name)) === 1);
      await signs(ben, name);
      await until(async () => (await waitsFor(name)) === 'opening_hours');
      await ben.waitForMessage(
        (m) => m.text.includes(`acme/${name}`) && m.text.includes('outside of its hours'),
        WITHIN,
      );
    }
    const waiting = async (): Promise<string[]> =>
      (await Promise.all(['two', 'three'].map(waitsFor))).filter((why) => why !== null);
    const open = (): number => ['two', 'three'].reduce((n, name) => n + pullsOf(name).length, 0);
    await product.github.repo('acme/one').merge(1);
    await until(async () => (await runOf('one'))?.lifecycle.state === 'DONE');
    await fleet.members.find((one) => one.role === 'control' && one.alive())?.kill();
    await fleet.start('control').running();
    expect(open()).toBe(0);
    product.ana.sends('open pull requests any time');
    await changesSetting(/settings hours off/);
    await until(() => open() > 0);
    await until(async () => (await waiting()).length === 1);
    expect(open()).toBe(1);

    const runs = await storedRuns(product.dataDir, database);
    for (const { order, gate, lifecycle } of runs) {
      if (lifecycle.reason.kind === 'write_slot_wait') continue;
      const [, name = ''] = order.repo.split('/');
      const [pull, ...more] = pullsOf(name);
      expect(more).toEqual([]);
      expect(pull).toMatchObject({ headSha: gate.consumedApproval?.fields.headSha });
    }
    const replayed = await product.cli(['replay', '--all', '--json']);
    expect(JSON.parse(replayed.out)).toMatchObject({ runs: 3, findings: [] });
  },
  TAKES_MS,
);
