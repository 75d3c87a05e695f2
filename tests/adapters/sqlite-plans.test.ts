/** Nothing that runs often may read a whole table: its cost would grow with the ledger. */
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createLedger } from '../../db/ledger/ledger.ts';
import type { SqlScript } from '../../db/sql/statements.ts';
import { openStore } from '../../db/directory/open-ledger.ts';
import { temporaryDirectory, tell, work, write } from '../support/ledger.ts';
import { join } from 'node:path';

it('steps, claims, wakes and status use an index for every table that grows', async () => {
  const { dir, remove } = temporaryDirectory();
  const { store, key } = await openStore({ dataDir: dir });
  const texts = new Set<string>();
  const ledger = createLedger({
    store: {
      ...store,
      transact: async (script) => store.transact(listen(script, (sql) => texts.add(sql))),
      read: async (query) => {
        texts.add(query.compile().sql);
        return store.read(query);
      },
    },
    key,
    boot: 'b',
    now: () => 0,
  });
  const [row] = await ledger.receive([{ source: 'cli', key: 'k', body: 1 }], 1);
  await ledger.inbox(5);
  const cause = { kind: 'inbox' as const, id: row?.id ?? -1 };
  await write(ledger, 'r1', {
    cause,
    effects: [work('start_run'), tell('a', { slot: 's' }), tell('b', { slot: 's' })],
  });
  await write(ledger, 'r1', { run: { lifecycle: { epoch: 2 } } });
  const claims = await ledger.claim({
    now: 9_000,
    leaseMs: 10,
    limit: 9,
    kinds: ['chat_message', 'start_run'],
  });
  for (const claim of [...claims, ...(await ledger.claim({ now: 9_000, leaseMs: 10, limit: 9 }))]) {
    await ledger.renew(claim, 9_900);
    await ledger.finish(claim, { kind: 'done', result: null }, 9_000);
  }
  await ledger.hurry('r1', 9_000);
  await ledger.nextDue();
  await ledger.recover(9_000);
  await ledger.setUser({ id: '7', name: 'Ana', role: 'viewer' }, null);
  await ledger.tidy(9_000);
  await ledger.query.user('7');
  const { query } = ledger;
  await Promise.all([
    query.run('r1'),
    query.runs({ live: true, limit: 5 }),
    query.runs({ live: false, limit: 5, repo: { id: '1', fullName: 'ana/widgets' } }),
    query.alive({ id: '1', fullName: 'ana/widgets' }),
    query.incoming(row?.id ?? -1),
    query.body(row?.id ?? -1),
    query.counts(),
    query.inboxCounts(),
  ]);
  await Promise.all([
    query.queue({ since: 5, until: 9 }),
    query.sent('s'),
    query.answersWaiting('7'),
    query.events('r1'),
    query.effects({ runId: 'r1' }),
  ]);
  await Promise.all([query.effects({ state: 'dead' }), query.approvals({ runId: 'r1', state: 'open' })]);
  await Promise.all([query.artifact('r1', 'x'), query.attempts('r1'), ledger.attempt.orphans()]);
  await ledger.close();

  const db = new Database(join(dir, 'ledger.db'));
  // Small for ever: a row for each state, person, start and chat that was just spoken to, one for
  // the books; and indexes over what is open at the moment.
  const small =
    /^SCAN (state_counts|users|settings|boots|chat_paces|\d+-ROW VALUES CLAUSE)\b|INDEX (inbox_new|step_attempts_running|effects_dead|effects_leased|spending_pending)$/;
  // What is served in an order must come in it: a sort reads everything first.
  const ordered = /"priority" = |"live" = |from "inbox"/;
  // An index that fits in part would read every live run to find those of one repository.
  const ofOne = /where .*"repo(_id)?" = /;
  const dear = [...texts].flatMap((sql) => {
    const plan = db.prepare(`explain query plan ${sql}`).all(...blanks(sql)) as { detail: string }[];
    return plan
      .map(({ detail }) => detail)
      .filter(
        (d) =>
          (d.startsWith('SCAN') && !small.test(d)) ||
          // Rows of the same time among themselves: a handful.
          (/TEMP B-TREE(?! FOR LAST TERM)/.test(d) && ordered.test(sql)) ||
          (ofOne.test(sql) && d.includes('run_states') && !/repo(_id)?=\?/.test(d)),
      )
      .map((d) => `${d}: ${sql}`);
  });
  db.close();
  remove();
  expect(texts.size).toBeGreaterThan(30);
  expect(dear).toEqual([]);
});

const blanks = (sql: string): null[] => Array.from(sql.matchAll(/\?/g), () => null);

function* listen<T>(script: SqlScript<T>, hear: (sql: string) => void): SqlScript<T> {
  let turn = script.next();
  while (!turn.done) {
    const { value } = turn;
    for (const { statement } of 'statement' in value ? [value] : value) hear(statement.sql);
    turn = script.next(yield value);
  }
  return turn.value;
}
