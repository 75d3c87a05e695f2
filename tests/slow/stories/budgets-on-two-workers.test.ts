/** P7: the budget of a campaign's file and that of a person over two workers on Postgres, killed at the worst points. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tapOn } from '../../support/approves.ts';
import { call } from '../../support/builtin-round.ts';
import { campaignFileOf } from '../../support/campaign-play.ts';
import type { Turn } from '../../support/fake-model.ts';
import { ANSWER, createPricedFleet, WITHIN, type PricedFleet } from '../../support/priced-fleet.ts';

/** Dollars. */
const LIMIT = 0.6;
const PER_PROCESS = 2;
const TAKES_MS = 600_000;

let world: PricedFleet;
beforeAll(async () => {
  world = await createPricedFleet({
    maxParallelRuns: 8,
    maxParallelPerProcess: PER_PROCESS,
    budgets: { month: 100 },
  });
  await world.fleet.start('control').running();
});
afterAll(() => world.close());

const beginCampaign = async (names: readonly string[]): Promise<void> => {
  const { product } = world;
  const file = {
    name: 'Greet in lower case',
    repositories: names.map((name) => `acme/${name}`),
    goal: 'Greet in lower case',
    checks: ['grep -q hello hello.txt'],
    pace: { canary: names.length },
    budget: LIMIT,
  };
  writeFileSync(join(product.dir, 'campaign.yml'), campaignFileOf(file));
  expect(await product.cli(['campaign', 'plan', 'campaign.yml'])).toMatchObject({ code: 0, err: '' });
  const preview = await product.ana.waitForMessage(/^PREVIEW · c-/, WITHIN);
  await tapOn(product.ana, preview, /^Start /);
};
const beginOrders = async (names: readonly string[]): Promise<void> => {
  const words = `at most $${LIMIT.toFixed(2)} a person a month`;
  await world.changeSetting(world.product.ana, words, /personbudget/);
  for (const name of names) world.ben.sends(world.orderIn(name));
};

type Row = { attempt: number; boot: string; used: number; pending: number };
/** What each agent of these repositories spent, and at which process. */
const spentIn = (names: readonly string[]): Promise<Row[]> =>
  world.ask<Row>(
    `select attempt_id::int as attempt, boot_id as boot, cost_usd as used, pending_usd as pending from spending
     join step_attempts on id = attempt_id where repo in (${listOf(names)})
     order by attempt_id`,
  );
const sum = (rows: readonly Row[], of: 'used' | 'pending'): number =>
  rows.reduce((all, row) => all + row[of], 0);
const placesOf = (rows: readonly Row[]): number =>
  new Set(rows.filter(({ pending }) => pending > 0).map(({ boot }) => boot)).size;

const listOf = (names: readonly string[]): string => names.map((name) => `'acme/${name}'`).join();
const countTurns = async (names: readonly string[], where: string): Promise<number> => {
  const [row] = await world.ask<{ n: number }>(
    `select count(*)::int as n from step_attempts join run_states using (run_id)
     where step = 'agent' and repo in (${listOf(names)}) and ${where}`,
  );
  return row?.n ?? 0;
};
const turnsBegun = (names: readonly string[]): Promise<number> => countTurns(names, 'true');
const turnsAtWork = (names: readonly string[]): Promise<number> => countTurns(names, `outcome = 'running'`);

/** The model answers nothing before the returned function is called. */
const holdAnswers = (then: (body: Readonly<Record<string, unknown>>) => Turn | Promise<Turn>) => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  world.model.answers(async (body) => {
    await held;
    return then(body);
  });
  return release;
};

type Raise = { key: string; costUsd: number };
const raises = async (scope: string): Promise<Raise[]> => {
  const rows = await world.ask<{ body_json: string }>(
    `select body_json from installation_events where type = 'setting.set' order by seq`,
  );
  return rows
    .map(({ body_json }) => JSON.parse(body_json) as { key: string; value: string })
    .filter(({ key }) => key.startsWith(`spending:${scope}:`))
    .map(({ key, value }) => ({ key, ...(JSON.parse(value) as { costUsd: number }) }));
};

it.each([
  {
    scope: 'campaign',
    of: 'campaign c-',
    names: ['one', 'two', 'three', 'four'],
    begin: beginCampaign,
    by: /the operator: \$0\.6/,
  },
  {
    scope: 'person',
    of: 'Ben alone, this month',
    names: ['red', 'blue', 'green', 'grey'],
    begin: beginOrders,
    by: /acme\/\w+: \$0\./,
  },
])(
  'P7: agents on two workers pass the budget of a $scope by no more than one request, although workers are killed around a request; a raise holds in the middle of their turns',
  async ({ scope, of, names, begin, by }) => {
    const { product, fleet, model, until } = world;
    for (const member of fleet.members) if (member.role === 'worker') await member.kill();
    for (const name of names) await world.addRepo(name);
    const answer = holdAnswers(() => call('read', { path: 'hello.txt' }));
    const asked = model.requests.length;
    // Between the reservation and the request.
    const first = world.startDying(new RegExp(`POST ${model.url}/`));
    await first.running();
    await begin(names);
    await until(() => !first.alive());
    expect(first.child.signalCode, first.said()).toBe('SIGKILL');
    expect(model.requests).toHaveLength(asked);
    const [reserved] = await spentIn(names);
    expect(reserved).toMatchObject({ used: 0 });
    const most = reserved?.pending ?? 0;
    expect(most).toBeGreaterThan(ANSWER);

    // Before the answer: both have agents at work.
    const [doomed] = [fleet.start('worker'), fleet.start('worker')];
    await until(async () => sum(await spentIn(names), 'used') >= most);
    await until(async () => placesOf(await spentIn(names)) === 2);
    await doomed.kill();
    answer();
    fleet.start('worker');
    const isCall = (text: string): boolean => text.includes(`A budget is used up: ${of}`);
    for (const person of [product.ana, world.ben]) {
      const { text, messageId } = await person.waitForMessage(({ text: said }) => isCall(said), WITHIN);
      expect(text).toMatch(by);
      expect(text).toMatch(/No new turn starts/);
      expect(
        person
          .messages()
          .filter((m) => isCall(m.text))
          .map((m) => m.messageId),
      ).toEqual([messageId]);
    }
    await until(async () => sum(await spentIn(names), 'pending') === 0);
    const used = sum(await spentIn(names), 'used');
    expect(used).toBeGreaterThanOrEqual(LIMIT - 1e-9);
    expect(used).toBeLessThanOrEqual(LIMIT + most);
    // Nothing was billed that is not counted: what the killed worker asked was never answered.
    expect(used).toBeGreaterThanOrEqual((model.requests.length - asked - PER_PROCESS) * ANSWER);
    const answered = model.requests.length;
    product.ana.sends('/cost');
    await product.ana.waitForMessage(/What agents cost/, WITHIN);
    expect(model.requests).toHaveLength(answered);

    const goOn = holdAnswers(async (body) => {
      // Beyond what the first raise allowed.
      const isBeyond = sum(await spentIn(names), 'used') > 1.5 * LIMIT + most;
      return isBeyond ? world.finish(body) : call('read', { path: 'hello.txt' });
    });
    product.ana.taps(/Raise by half/);
    await until(async () => (await turnsAtWork(names)) === names.length);
    await until(async () => placesOf(await spentIn(names)) > 0);
    const [raised] = await raises(scope);
    expect(raised?.costUsd).toBeCloseTo(1.5 * LIMIT);
    const words = `/cost raise ${raised?.key.slice('spending:'.length)}:${raised?.costUsd}:`;
    product.ana.sends(words);
    // Whoever waited for room asks at once.
    await until(async () => placesOf(await spentIn(names)) === 2);
    const begun = await turnsBegun(names);
    goOn();
    await until(async () => {
      const runs = (await world.runs()).filter(({ order }) =>
        names.includes(order.repo.slice('acme/'.length)),
      );
      return runs.length === names.length && runs.every(({ gate }) => gate.approval !== null);
    });
    // The turns that were under way went on.
    expect(await turnsBegun(names)).toBe(begun);
    expect(sum(await spentIn(names), 'used')).toBeGreaterThan(1.5 * LIMIT + most);
    expect((await raises(scope)).map(({ costUsd }) => costUsd)).toEqual([0.9, 1.35]);
    expect(product.ana.messages().filter((m) => isCall(m.text))).toEqual([]);

    const replayed = await product.cli(['replay', '--all', '--json']);
    expect(JSON.parse(replayed.out)).toMatchObject({ findings: [] });
  },
  TAKES_MS,
);

it(
  'P7: “/cost raise month” raises once, although the control is killed after the raise and before it answers',
  async () => {
    const { product, fleet, ask, until } = world;
    await ask(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'the message cannot be ended'; end $$`);
    await ask(`create trigger refuses before update on inbox for each row
      when (new.note = 'cost') execute function refuse()`);
    product.ana.sends('/cost raise month');
    await until(async () => (await raises('all')).length > 0);
    await fleet.members.find((one) => one.role === 'control' && one.alive())?.kill();
    await ask('drop function refuse cascade');
    await fleet.start('control').running();
    await product.ana.waitForMessage(/^What agents cost[^]*everything, this month: .* of \$150\.00/, WITHIN);
    expect((await raises('all')).map(({ costUsd }) => costUsd)).toEqual([150]);
  },
  TAKES_MS,
);
