/** P7: twenty agents of two workers on Postgres spend against one month at once. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadOrCreateKey } from '../../../db/directory/ledger-key.ts';
import { openSharedLedger, type OpenedFleet } from '../../../db/directory/shared-ledger.ts';
import { createSpendingGuard } from '#limits';
import { SpendingBudgets } from '#model/spending';
import { systemTimers } from '../../../app/clock.ts';
import { asks, attemptOf, usd } from '../../contracts/ledger-spending.ts';
import { createRandom } from '../../prove/random.ts';
import { at } from '../../support/core.ts';
import { temporaryDirectory, write } from '../../support/ledger.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';

const AGENTS = 20;
const LIMIT = 10;
/** The dearest request: most cost a part of what was reserved, and some all of it. */
const MOST = 1.5;
const AT_ONCE = 5;
const TAKES_MS = 400_000;

let server: Server;
beforeAll(async () => void (server = await startPostgres()), TAKES_MS);
afterAll(() => server.stop());

it.each([1, 2])(
  'P7: together they overshoot by less than one request may cost (seed %i)',
  async (seed) => {
    const random = createRandom(seed);
    const database = await server.database();
    const { dir, remove } = temporaryDirectory();
    const opened: OpenedFleet[] = [];
    for (const role of ['control', 'worker', 'worker'] as const) {
      const fleet = await openSharedLedger({ dataDir: dir, database, role, onTrouble: () => {} });
      await fleet.ledger.recover(fleet.clock.now());
      loadOrCreateKey(join(dir, 'keys', 'seal.key'), { mayMake: true });
      opened.push(fleet);
    }
    const [control, ...workers] = opened;
    if (!control) throw new Error('nobody is there');
    let [under, mostUnder] = [0, 0];
    const several = Promise.withResolvers<void>();
    const works = async (no: number): Promise<void> => {
      const { ledger, clock } = workers[no % workers.length] as OpenedFleet;
      const budgets = async () => SpendingBudgets.parse({ month: LIMIT });
      const guard = createSpendingGuard({ ledger, clock, timers: systemTimers, budgets });
      const run = { ...at('IMPLEMENTING').run, id: `r${no}` };
      const spending = guard.open(run, await ledger.attempt.start(attemptOf(run.id, clock.now())));
      let used = 0;
      for (;;) {
        const most = MOST * (0.2 + 0.8 * random.next());
        if (await spending.reserve(asks(most, used))) return;
        under += 1;
        mostUnder = Math.max(mostUnder, under);
        // The provider answers nobody before several have asked.
        if (under >= AT_ONCE) several.resolve();
        await several.promise;
        used += random.chance(0.3) ? most : most * random.next();
        under -= 1;
        await spending.settled(usd(used), usd(used));
      }
    };
    try {
      for (let no = 0; no < AGENTS; no += 1) await write(control.ledger, `r${no}`);
      await Promise.all(Array.from({ length: AGENTS }, (_, no) => works(no)));
      const rows = await control.ledger.query.spent({ since: 0 });
      const spent = rows.reduce((all, { used }) => all + used.costUsd, 0);
      expect(rows.every(({ pending }) => pending.costUsd === 0)).toBe(true);
      expect(spent).toBeGreaterThanOrEqual(LIMIT);
      expect(spent).toBeLessThanOrEqual(LIMIT + MOST);
      expect(mostUnder).toBeGreaterThanOrEqual(AT_ONCE);
    } finally {
      for (const { ledger } of opened.toReversed()) await ledger.close();
      remove();
    }
  },
  TAKES_MS,
);
