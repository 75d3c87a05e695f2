/** L5 through the real process: a card whose row was edited while the process was away. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PATIENCE } from '../../support/product.ts';
import { createProductAtGate, REPO_AT_GATE } from '../../support/run-at-gate.ts';

it.each([
  ['state', "state = 'void'"],
  ['digest', `digest = '${'f'.repeat(64)}'`],
])('L5: an edited %s of a card is told at the start and on the card', async (_, change) => {
  const { product } = await createProductAtGate();
  onTestFinished(() => product.close());
  const db = new Database(join(product.dataDir, 'ledger.db'));
  expect(db.prepare(`update approvals set ${change} where state = 'open'`).run().changes).toBe(1);
  db.close();
  product.start();
  const shows = (like: RegExp) =>
    product.ana.waitForMessage((m) => m.from === 'bot' && like.test(m.text), {
      deadlineMs: PATIENCE,
      what: String(like),
    });
  const told = await shows(/agentpr replay/);
  product.ana.sends(`/approve_open_pr ${product.run(REPO_AT_GATE)?.id}`);
  const card = await shows(/Changed in the database/);
  expect(told.text).toContain('acme/patient');
  expect(card.buttons.flat()).toHaveLength(1);
  if (change.startsWith('state')) {
    product.ana.sends(`/cancel ${product.run(REPO_AT_GATE)?.id}`);
    const refused = await shows(/I could not do that, and changed nothing/);
    expect(refused.text).toContain('the record of a card was changed in the database. The operator runs');
  }
});
