/** L9 through the real process: a message that hangs it, and what came after it. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createProduct, type Product } from '../../support/product.ts';

/** The text whose reading never ends, in the main thread, as an expression with a fault would. */
const POISON = 'poison';
const HANGS = `
import { isMainThread } from 'node:worker_threads';
const trim = String.prototype.trim;
if (isMainThread) String.prototype.trim = function () {
  if (String(this) === '${POISON}') /^(a+)+$/.test('a'.repeat(60) + 'b');
  return trim.call(this);
};`;
/** Took earlier versions for ever. */
const SLOW_WORDS = `${'不行吧'.repeat(34)}合`;
const SLOW_STEP = `- run: npm ci ${'--a '.repeat(34)}"--b"`;
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

/** What the process spent while it answered that it lives; null while it answers nothing (ms). */
const healthCost = async (it: Product): Promise<number | null> => {
  const before = spentBy(it.pid());
  const answer = await fetch(`${it.address()}/healthz`).catch(() => null);
  return answer?.status === 200 ? spentBy(it.pid()) - before : null;
};
/** Asks until it is told to end, since the product also has its own work at a start. */
const cheapestHealth = (it: Product) => {
  let cheapest = Infinity;
  const once = async (): Promise<void> =>
    void (cheapest = Math.min(cheapest, (await healthCost(it)) ?? Infinity));
  const asked = setInterval(() => void once(), 100);
  return (): number => {
    clearInterval(asked);
    return cheapest;
  };
};

it('L9: a message that hangs the process twice is set aside at the third start, which listens, tells sender and admin, and handles the rest, also what hung earlier versions', async () => {
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
  /** It ends itself, since nobody may be there to do so. */
  const hangs = async (): Promise<void> => {
    expect(await it.ended()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(readFileSync(mark, 'utf8')).toMatch(/^inbox \d+ chat /);
    expect(it.stderr()).toContain('"msg":"the process hangs, and ends itself"');
  };
  const ben = it.telegram.person(BEN, 'Ben');
  const workflow = `on: push\njobs:\n  t:\n    runs-on: ubuntu-latest\n    steps:\n      ${SLOW_STEP}\n`;
  await it.github.addRepo({
    owner: 'acme',
    name: 'flags',
    from: { 'a.txt': 'a\n', '.github/workflows/w.yml': workflow },
  });
  start();
  await it.running();
  ben.sends(POISON);
  await hangs();
  it.ana.sends('/help');
  start();
  const cost = cheapestHealth(it);
  await hangs();
  // The poison was in its inbox all the time; it listened and handled the rest before it.
  expect(cost()).toBeLessThan(150);
  expect(it.look().inbox()).toMatchObject({ new: 1 });
  expect(it.look().inbox()).not.toHaveProperty('dead');
  // Beside it lies what hung earlier versions.
  const heard = ben.messages().length;
  ben.sends(SLOW_WORDS);
  it.ana.sends('/new acme/flags Say it');
  const cheapest = cheapestHealth(it);
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
  expect(existsSync(stops)).toBe(false);
  expect(await healthCost(it)).toBeLessThan(150);
  ben.sends(SLOW_WORDS);
  const answers = (): number =>
    ben
      .messages()
      .slice(heard)
      .filter(({ from }) => from === 'bot').length;
  await it.waitFor(() => answers() > 2, { what: 'Ben to be answered' });
  await it.waitForState(['NEEDS_HUMAN_REVIEW', 'FAILED_RETRYABLE', 'LOCAL_VALIDATING'], 'acme/flags');
  await it.waitFor(() => it.look().inbox().new === undefined, { what: 'everything to be handled' });
  expect(cheapest()).toBeLessThan(150);
  expect(it.look().inbox()).toMatchObject({ dead: 1 });
  expect(existsSync(mark)).toBe(false);
}, 300_000);

it('L9: a stop by a person while it stands still accuses nobody', async () => {
  product = await createProduct({
    script: 'true',
    webhooks: true,
    users: [{ id: String(BEN), role: 'viewer', name: 'Ben' }],
  });
  const it = product;
  const preload = join(it.dir, 'stalls.mjs');
  // Says so after 3.5 s of work, and goes on for a second.
  const STALLS = HANGS.replace(
    /if \(String.+/,
    `if (String(this) === '${POISON}' && !stalled) {
    stalled = true;
    const spin = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
    spin(3_500); writeSync(2, 'it stands still'); spin(1_000);
  }`,
  );
  writeFileSync(preload, `import { writeSync } from 'node:fs'; let stalled = false;${STALLS}`);
  it.start({ preload });
  await it.running();
  it.telegram.person(BEN, 'Ben').sends(POISON);
  await it.waitFor(() => it.stderr().includes('it stands still'), { what: 'the stall' });
  await it.stop();
  expect(existsSync(join(it.dataDir, 'stopped-at'))).toBe(false);
  it.start({ preload });
  await it.waitFor(() => it.look().inbox().new === undefined, { what: 'everything to be handled' });
  expect(it.look().inbox()).not.toHaveProperty('dead');
  expect(existsSync(join(it.dataDir, 'stops.json'))).toBe(false);
});

it('L9: no order of the host is taken before the service listens', async () => {
  product = await createProduct({ script: 'true' });
  const it = product;
  mkdirSync(it.dataDir, { recursive: true });
  const made: (string | null)[] = [];
  const watching = watch(it.dataDir, (_, name) => made.push(name));
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  // The address is taken, so it never listens.
  it.start({ env: { AGENTPR_HTTP_PORT: String(port) } });
  expect(await it.ended()).toMatchObject({ code: 1 });
  other.close();
  watching.close();
  expect(made).toContain('ledger.db');
  expect(made).not.toContain('control.sock');
});
