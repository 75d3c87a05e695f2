/**
 * One viewer, or many strangers, send very much, and Telegram limits how fast the bot may answer:
 * nobody else feels it.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { TELEGRAM_LIMITS, tooManyRequests, type Person } from '#playground';
import { cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';

const BO = { id: '2002', name: 'Bo', role: 'viewer' } as const;
const DAY = 86_400_000;
const FLOOD = 300;
const WITHIN = { deadlineMs: PATIENCE };

let product: Product;
let bo: Person;
const rows = <T>(sql: string): T[] => {
  const db = new Database(join(product.dataDir, 'ledger.db'), { readonly: true, timeout: 5_000 });
  try {
    return db.prepare(sql).all() as T[];
  } finally {
    db.close();
  }
};
const count = (sql: string): number => rows<{ n: number }>(`select count(*) as n from ${sql}`)[0]?.n ?? -1;
const handled = (): Promise<unknown> =>
  product.waitFor(() => count("inbox where state = 'new'") === 0, { what: 'all to be handled' });

beforeAll(async () => {
  product = await createProduct({
    script: QUICK_AGENT,
    users: [BO],
    servers: { telegram: { limits: TELEGRAM_LIMITS } },
  });
  bo = product.telegram.person(Number(BO.id), BO.name);
  const ledger = await openLedger({ dataDir: product.dataDir, now: Date.now });
  const then = Date.now() - 8 * DAY;
  const [row] = await ledger.receive([{ source: 'chat', key: 'old', body: 'old' }], then);
  await ledger.settleInbox(row?.id ?? -1, { kind: 'done', note: 'old', replies: [] }, then);
  await ledger.close();
  product.start();
  await product.running();
});
afterAll(() => product.close());

describe('the process', () => {
  it('L8: keeps installation by itself: what was handled a week ago goes, and room on the disk is taken', async () => {
    await product.waitFor(() => count("inbox where key = 'old'") === 0, { what: 'the old row to be gone' });
    const reserve = join(product.dataDir, 'reserve');
    await product.waitFor(() => existsSync(reserve) && statSync(reserve).size === 8 * 2 ** 20, {
      what: 'the reserve',
    });
  });
});

describe('a flood by one viewer', () => {
  it('L8: taps and commands of another chat are handled before most of what was sent before them', async () => {
    await askForChange(product, 'flooded');
    const card = await cardFor(product.ana);
    for (let i = 0; i < FLOOD; i += 1) bo.sends('/status');
    const asked = product.ana.sends('/status');
    await tapOn(product.ana, card, /^Diff\b/);
    await product.ana.waitForMessage((m) => m.messageId > asked && /flooded/.test(m.text), WITHIN);
    await handled();
    const [answer] = rows<{ n: number }>(
      `select max(n) as n from effects where chat = ${product.ana.id} and request_json like '%"view":"reply"%'`,
    );
    // What was sent long before it is answered after it.
    expect(count(`effects where chat = ${BO.id} and n > ${answer?.n ?? 0}`)).toBeGreaterThan(FLOOD / 10);
  });

  it('L8: who asks the same again and again is answered with the newest, and hears nothing that is old', async () => {
    await product.waitFor(
      () => count(`effects where chat = ${BO.id} and state in ('pending', 'claimed')`) === 0,
      {
        what: 'Bo to have heard everything',
      },
    );
    expect(count(`effects where chat = ${BO.id} and kind = 'chat_message'`)).toBe(FLOOD);
    const [last] = rows<{ n: number; state: string }>(
      `select n, state from effects where chat = ${BO.id} order by n desc limit 1`,
    );
    expect(last?.state).toBe('done');
    // One a second at most, however long it took to handle them all.
    expect(bo.messages().filter((m) => m.from === 'bot').length).toBeLessThan(FLOOD / 3);
  });

  it('C3: a message costs little more than one claim, and Telegram has hardly anything to refuse', () => {
    const [all] = rows<{ claims: number; done: number }>(
      "select sum(lease_epoch) as claims, sum(state = 'done') as done from effects where kind = 'chat_message'",
    );
    expect((all?.claims ?? NaN) / (all?.done ?? NaN)).toBeLessThanOrEqual(2);
  });

  it('C3: a chat that Telegram silences hears nothing, also after a restart, and others go on', async () => {
    const refused = product.telegram.faults.always(
      { route: 'sendMessage', when: ({ params }) => Number(params.chat_id) === Number(BO.id) },
      tooManyRequests(1_000),
    );
    bo.sends('/runs');
    await product.waitFor(() => refused.used() > 0, { what: 'a refusal' });
    const silenced = `chat_paces where chat = ${BO.id} and answer_at > ${Date.now() + 900_000}`;
    await product.waitFor(() => count(silenced) === 1, { what: 'the silence to be recorded' });
    for (let i = 0; i < 20; i += 1) bo.sends(`/detail x${i}`);
    await product.kill();
    product.start();
    await product.running();
    const asked = product.ana.sends('/status');
    await product.ana.waitForMessage((m) => m.messageId > asked && /flooded/.test(m.text), WITHIN);
    await handled();
    expect(refused.used()).toBe(1);
    // No more than a few wait to be heard: what else was asked is put off, in one message.
    expect(count(`effects where chat = ${BO.id} and state = 'pending'`)).toBeLessThanOrEqual(10);
    refused.stop();
  });
});

describe('a flood by strangers', () => {
  it('L8: leaves few rows, with ids only, and keeps nobody waiting', async () => {
    for (let i = 0; i < FLOOD; i += 1)
      product.telegram.person(9_000 + i, `Stranger ${i}`).sends('/start me and my long story');
    const asked = product.ana.sends('/status');
    await product.ana.waitForMessage((m) => m.messageId > asked && /flooded/.test(m.text), WITHIN);
    await handled();
    expect(count("inbox where lane = 'strangers'")).toBeLessThanOrEqual(60);
    expect(count("inbox where body like '%long story%'")).toBe(0);
    expect(product.complaints()).toEqual([]);
  });
});
