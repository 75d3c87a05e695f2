/**
 * F5, E16: GitHub and a provider of models count what all our processes ask together: two workers over
 * one Postgres, and servers that count.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemTimers } from '../../../app/clock.ts';
import { createProviderBudget } from '#limits';
import { loadOrCreateKey } from '../../../db/directory/ledger-key.ts';
import { openSharedLedger, type OpenedFleet } from '../../../db/directory/shared-ledger.ts';
import { MIN_WRITE_GAP_MS } from '#model/limits';
import { HOUR, SECOND } from '#model/values';
import { createWriteScheduler } from '../../../orchestrator/limits/write-limiter.ts';
import { TurnAwaited } from '#ports/forge';
import { ask, createProvider, openDoor } from '../../support/gateway-world.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';

let server: Server;
const { dir, remove } = temporaryDirectory();
const opened: OpenedFleet[] = [];
beforeAll(async () => {
  server = await startPostgres();
  const database = await server.database();
  for (const role of ['control', 'worker', 'worker'] as const) {
    opened.push(await openSharedLedger({ dataDir: dir, database, role, onTrouble: () => {} }));
    loadOrCreateKey(join(dir, 'keys', 'seal.key'), { mayMake: true });
  }
});
afterAll(async () => {
  for (const { ledger } of opened.reverse()) await ledger.close();
  await server.stop();
  remove();
});
const workers = (): OpenedFleet[] => opened.slice(1);

it('F5: two workers write on the code host a second apart together, and neither once one was refused', async () => {
  const arrived: number[] = [];
  const host = await createProvider((_request, response) => {
    arrived.push(performance.now());
    response.writeHead(201).end();
  });
  const limiters = workers().map(
    ({ ledger, clock }) =>
      createWriteScheduler({
        books: ledger.writers,
        clock,
        timers: systemTimers,
        identity: async () => 'account',
      }).limiter,
  );
  const [one, other] = limiters;
  const post = (): Promise<Response> => fetch(host.url, { method: 'POST' });
  await Promise.all(
    limiters.flatMap((limiter) => [limiter.write('account', post), limiter.write('account', post)]),
  );
  // A request is let go by the database's clock, and arrives within moments.
  for (const [i, at] of arrived.slice(1).entries())
    expect(at - (arrived[i] ?? 0)).toBeGreaterThan(MIN_WRITE_GAP_MS - SECOND / 4);
  expect(arrived).toHaveLength(4);
  await one?.refused('account', (workers()[0]?.clock.now() ?? 0) + HOUR);
  await expect(other?.write('account', post)).rejects.toThrow(TurnAwaited);
  expect(arrived).toHaveLength(4);
});

it('E16: what a provider asks of one worker holds for the agents of all, for as long as it said', async () => {
  const provider = await createProvider((_request, response) => {
    const first = provider.heard.length === 1;
    response.writeHead(first ? 429 : 200, {
      'content-type': 'application/json',
      ...(first ? { 'retry-after': '2' } : {}),
    });
    response.end(JSON.stringify({ usage: { input_tokens: 1, output_tokens: 1 } }));
  });
  const doors = await Promise.all(
    workers().map(({ ledger: { writers: books }, clock }) =>
      openDoor(provider.url, {}, { budget: createProviderBudget({ books, clock, log: { info: () => {} } }) }),
    ),
  );
  const asks = async (which: number): Promise<[number, number]> => {
    const { socket, token } = doors[which] ?? { socket: '', token: '' };
    const body = JSON.stringify({ model: 'gpt-5.2', input: [{ role: 'user', content: 'hello' }] });
    const { status, headers } = await ask(socket, '/v1/responses', {
      headers: { authorization: `Bearer ${token}` },
      body,
    });
    return [status, Number(headers['retry-after'] ?? 0)];
  };
  expect(await asks(0)).toEqual([429, 2]);
  const refusedAt = performance.now();
  const [status, seconds] = await asks(1);
  expect(status).toBe(429);
  expect([1, 2]).toContain(seconds);
  expect(provider.heard).toHaveLength(1);
  await expect.poll(() => asks(1), { timeout: 10_000, interval: 100 }).toEqual([200, 0]);
  expect(performance.now() - refusedAt).toBeGreaterThan(1.5 * SECOND);
  expect(provider.heard).toHaveLength(2);
  expect(await asks(0)).toEqual([200, 0]);
});
