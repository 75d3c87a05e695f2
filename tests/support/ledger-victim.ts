/** Writes until it is killed and reports each durable write. Argument: data directory. */
import { writeSync } from 'node:fs';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { tell, wake, work, write } from './ledger.ts';

const ledger = await openLedger({ dataDir: process.argv[2] ?? '', now: Date.now });
await ledger.recover(Date.now());
// Synchronous, so that a reported write was durable before the kill.
const say = (what: object): number => writeSync(1, `${JSON.stringify(what)}\n`);
say({ ready: process.pid });

for (let i = 0; ; i += 1) {
  const runId = `run${i % 3}`;
  const body = { i, filler: 'x'.repeat(2_000) };
  const key = `${process.pid}-${i}`;
  const rows = await Promise.all([
    ledger.receive([{ source: 'forge', key, body }], i),
    ledger.receive([{ source: 'chat', key, body }], i),
  ]);
  for (const [row] of rows) say({ received: row?.id });
  const cause = { kind: 'inbox' as const, id: rows[0]?.[0]?.id ?? -1 };
  const effects = [work('remove_workspace'), tell(`${i}`, { slot: runId }), wake(0)];
  const outcome = await write(ledger, runId, { key, cause, effects, now: i });
  if (outcome.kind === 'written') say({ runId, version: outcome.run.lifecycle.version, key });
  for (const claim of await ledger.claim({ now: i, leaseMs: 1_000, limit: 5 })) {
    if (await ledger.finish(claim, { kind: 'done', result: { i } }, i)) say({ done: claim.n });
  }
}
