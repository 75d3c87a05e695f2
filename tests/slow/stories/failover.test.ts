/**
 * L5, L6, L7: a control, one that stands by and a worker over one Postgres: what a start cannot do ends
 * it, and a Postgres that comes back without its newest commits is noticed by whoever made them.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createFleet, type Member } from '../../support/fleet.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';

let server: Server;
let database: string;
let product: Product;
let fleet: ReturnType<typeof createFleet>;
beforeAll(async () => {
  server = await startPostgres([]);
  database = await server.database();
  product = await createProduct({ script: QUICK_AGENT, env: { DATABASE_URL: database } });
  fleet = createFleet(product);
});
afterAll(async () => {
  await fleet.stop();
  await product.close();
  await server.stop();
});
/** The one that an earlier test left, or a new one. */
const aControl = async (): Promise<Member> => {
  const control =
    fleet.members.find((one) => one.role === 'control' && one.alive()) ?? fleet.start('control');
  await control.running();
  return control;
};
// Who taps a card before it is recorded is asked to tap again.
const told = (): Promise<unknown> =>
  until(async () => {
    const telling = "select n from effects where kind = 'chat_message' and state in ('pending', 'claimed')";
    return (await server.ask(database, telling)).length === 0;
  });
const until = (what: () => boolean | Promise<boolean>): Promise<unknown> =>
  expect.poll(what, { timeout: PATIENCE, interval: 50 }).toBe(true);

it('L7: a start that loses its connection between two questions asks again', async () => {
  expect(await product.cli(['migrate'])).toMatchObject({ code: 0 });
  await server.ask(
    database,
    `create function lose() returns trigger language plpgsql as $$ begin raise exception 'lost' using errcode = '57P01'; end $$;
     create trigger lose before insert on installation_events for each row
       when (new.body_json like '%receipt_keys%') execute function lose()`,
  );
  const control = fleet.start('control');
  await until(() => control.said().includes('cannot be reached') || !control.alive());
  await server.ask(database, 'drop trigger lose on installation_events');
  await control.running();
});

it('L6, L7: a control waits at its start for what comes back; what does not ends it, and it leaves its seat to the one that stands by', async () => {
  const refuse = (code: string): Promise<unknown> =>
    server.ask(
      database,
      `create or replace function refuse() returns trigger language plpgsql as $$
         begin raise exception 'refused' using errcode = '${code}'; end $$;
       create or replace trigger refuse before insert on inbox for each row execute function refuse()`,
    );
  const first = await aControl();
  const standby = fleet.start('control');
  await until(() => standby.said().includes('This one stands by.'));
  // As where no connection is left, and then as on a full disk.
  await refuse('53300');
  await first.kill();
  await until(() => standby.said().includes('no connection left'));
  expect(standby.alive()).toBe(true);
  const third = fleet.start('control');
  await until(() => third.said().includes('This one stands by.'));
  await refuse('53100');
  await until(() => !standby.alive());
  await server.ask(database, 'drop trigger refuse on inbox');
  expect(standby.child.exitCode).toBe(1);
  expect(standby.said()).toContain('is full');
  if (!third.alive()) fleet.start('control');
  await until(() => fleet.members.some((one) => one.alive() && one.said().includes('is running')));
});

it('L5, L7: a failover that loses an approval stops whoever made it; people are told, and no second pull request is opened', async () => {
  const control = await aControl();
  await fleet.start('worker').running();
  const repo = await askForChange(product, 'app');
  await cardFor(product.ana, repo.fullName);
  await told();
  // It ends the server, and who stands by may be the quicker one then: it comes when the control is back.
  await server.keep();
  const controls = `select 1 from pg_locks where locktype = 'advisory' and objid = 2 and granted`;
  await until(async () => (await server.ask(database, controls)).length === 1);
  const standby = fleet.start('control');
  await until(() => standby.said().includes('This one stands by.'));
  await told();
  await approves(product.ana, repo.fullName);
  await product.ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
  await server.rewind();
  await until(() => !control.alive());
  expect(control.said()).toContain('came back without what it had acknowledged');
  await standby.running();
  await product.ana.waitForMessage('The ledger was put back to an earlier state', { deadlineMs: PATIENCE });
  product.ana.sends('/pending');
  // The card of then is closed on the phone: it comes anew.
  await tapOn(product.ana, await cardFor(product.ana, '', /^Decide\b/), /^Decide\b/);
  await approves(product.ana, repo.fullName);
  const state = async (): Promise<string | undefined> =>
    (await server.ask<{ state: string }>(database, 'select current_state as state from run_states'))[0]
      ?.state;
  await until(async () => (await state()) === 'CI_WAIT');
  expect(repo.pulls).toHaveLength(1);
  expect(repo.pushes.filter((p) => p.refused === null && p.old !== p.new)).toHaveLength(1);
  const replayed = await product.cli(['replay', '--all']);
  expect(replayed.out).toContain('installation 1 is an older copy');
});
