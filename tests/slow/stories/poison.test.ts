/** L9 through the real process: a message that hangs it, and what came after it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../support/contained.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

/** The text whose reading never ends, in the main thread, as an expression with a fault would. */
const POISON = 'poison';
const HANGS = `
import { isMainThread } from 'node:worker_threads';
const trim = String.prototype.trim;
if (isMainThread) String.prototype.trim = function () {
  if (String(this) === '${POISON}') /^(a+)+$/.test('a'.repeat(60) + 'b');
  return trim.call(this);
};`;
const BEN = 1002;

let product: Product | undefined;
afterEach(async () => {
  await product?.kill();
  await product?.close();
});

/** Processor time of a process (ms). */
const spentBy = (pid: number): number => {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
};

it('L9: a message that hangs the process twice is set aside at the third start, which listens, tells sender and admin, and handles the rest', async () => {
  product = await createProduct({
    script: 'true',
    webhooks: true,
    users: [{ id: String(BEN), role: 'viewer', name: 'Ben' }],
  });
  const it = product;
  const preload = join(it.dir, 'hangs.mjs');
  writeFileSync(preload, HANGS);
  const mark = join(it.dataDir, 'stopped-at');
  const stops = join(it.dataDir, 'stops.json');
  const start = (): void => it.start({ preload });
  /** A start counts the mark of the one before it, and takes it away. */
  const hangs = async ({ before }: { before: boolean }): Promise<void> => {
    const isMarked = (): boolean =>
      existsSync(stops) === before && existsSync(mark) && readFileSync(mark, 'utf8').startsWith('inbox ');
    expect(await eventually(isMarked, PATIENCE)).toBe(true);
    await it.kill();
  };
  const ben = it.telegram.person(BEN, 'Ben');
  start();
  await it.running();
  ben.sends(POISON);
  await hangs({ before: false });
  it.ana.sends('/help');
  start();
  await hangs({ before: true });
  start();
  await it.waitFor(() => it.look().inbox().dead === 1, { what: 'the poison to be set aside' });
  await it.waitFor(() => ben.messages().some(({ text }) => text.includes('stopped me twice')), {
    what: 'its sender to be told',
  });
  await it.waitFor(() => it.ana.messages().some(({ text }) => text.includes('One thing stopped me twice')), {
    what: 'an admin to be told',
  });
  await it.waitFor(() => it.ana.messages().some(({ text }) => text.includes('What do you want to do?')), {
    what: 'the rest to be handled',
  });
  const before = spentBy(it.pid());
  const answer = await fetch(`${it.address()}/healthz`);
  expect(answer.status).toBe(200);
  expect(spentBy(it.pid()) - before).toBeLessThan(150);
  expect(existsSync(stops)).toBe(false);
});
