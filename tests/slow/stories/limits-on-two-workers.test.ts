/** G10: caps and numbers of approvals over two workers on Postgres, killed at the worst points. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '#playground';
import { cardFor } from '../../support/approves.ts';
import { createPricedFleet, WITHIN, type PricedFleet } from '../../support/priced-fleet.ts';

const TAKES_MS = 600_000;

let world: PricedFleet;
beforeAll(async () => {
  world = await createPricedFleet({
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
  });
});
afterAll(() => world.close());

const openingsOf = async (name: string): Promise<number> => {
  const { id } = (await world.runOf(name)) ?? { id: '' };
  return (await world.ask(`select n from effects where kind = 'open_pr' and run_id = '${id}'`)).length;
};
const waitsFor = async (name: string): Promise<string | null> => {
  const reason = (await world.runOf(name))?.lifecycle.reason;
  return reason?.kind === 'write_slot_wait' ? reason.why : null;
};
const signaturesOf = async (name: string): Promise<number> =>
  (await world.runOf(name))?.gate.approval?.signatures.length ?? 0;
const pullsOf = (name: string) => world.product.github.repo(`acme/${name}`).pulls;

it(
  'G10: what two approved is opened once, within its hours and the cap, although the control is killed between approvals and workers after the cap’s check',
  async () => {
    const { product, fleet, ben, until, runOf, changeSetting } = world;
    world.model.answers(world.finish);
    const first = fleet.start('control');
    await first.running();
    const dying = world.startDying(/POST .*\/acme\/one\/pulls$/);
    const other = fleet.start('worker');
    for (const name of ['one', 'two', 'three']) {
      await world.addRepo(name);
      product.ana.sends(world.orderIn(name));
    }
    await until(async () => {
      const runs = await world.runs();
      return runs.length === 3 && runs.every(({ gate }) => gate.approval !== null);
    });
    const signs = async (person: Person, name: string): Promise<void> => {
      const { id } = (await runOf(name)) ?? { id: '' };
      person.sends(`/approve_open_pr ${id}`);
      await cardFor(person, `acme/${name}`, /^Open PR\b/);
      person.sends(`/approve_open_pr ${id} --confirm`);
    };
    await signs(product.ana, 'one');
    await product.ana.waitForMessage(/1 of 2 approvals: Ana/, WITHIN);
    await first.kill();
    await fleet.start('control').running();
    await other.kill();
    expect(await openingsOf('one')).toBe(0);
    await signs(ben, 'one');
    await until(() => !dying.alive());
    expect(dying.child.signalCode, dying.said()).toBe('SIGKILL');
    expect(pullsOf('one')).toHaveLength(0);
    expect(await openingsOf('one')).toBe(1);
    for (let n = 0; n < 2; n += 1) fleet.start('worker');
    await until(() => pullsOf('one').length === 1);

    // Two days, since one may end meanwhile.
    const days = [0, 1].map((n) =>
      new Date(Date.now() + n * 86_400_000).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }),
    );
    await changeSetting(product.ana, `no pull requests on ${days.join(' and ')}`, /settings hours/);
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
    await changeSetting(product.ana, 'open pull requests any time', /settings hours off/);
    await until(() => open() > 0);
    await until(async () => (await waiting()).length === 1);
    expect(open()).toBe(1);

    const runs = await world.runs();
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
