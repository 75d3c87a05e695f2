/**
 * `npm run bench:board`: the board with 10,000 runs, and with a run of 2,000 events and 20,000
 * lines, in a headless Chromium.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { patchRun } from '../orchestrator/kernel/run/run.ts';
import { createBoardWorld } from '../tests/support/board-world.ts';
import { findChromium } from '../tests/support/browser.ts';
import { ANA } from '../tests/support/chat-world.ts';
import { anOrder, write } from '../tests/support/ledger.ts';
import { measureMemory, measureTabs } from './board-tabs.ts';
import { holds, toJsonMember, toText, type Row } from './row.ts';

const RUNS = 10_000;
const AT_WORK = 50;
const LINES = 20_000;
const EVENTS = 2_000;
const LIVE_EVENTS = 20;
const MANY_EVENTS = 1_000;
const MB = 1024 * 1024;

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const found = findChromium();
if ('missing' in found) throw new Error(found.missing);
const lines = Array.from(
  { length: LINES },
  (_, i) => `+  const value${i} = compute(${i}, 'a word', options);`,
);
const patch = [
  'diff --git a/src/big.ts b/src/big.ts',
  '--- a/src/big.ts',
  '+++ b/src/big.ts',
  `@@ -0,0 +1,${LINES} @@`,
  ...lines,
  '',
].join('\n');
const ends: (() => Promise<void>)[] = [];
const world = await createBoardWorld({ patch, atEnd: (close) => void ends.unshift(close) });
const { ledger } = world;
const person = { id: ANA, name: 'Ana' };

for (let i = 0; i < RUNS; i += 1) {
  const order = anOrder({
    repo: `acme/service-${i % 300}`,
    goal: `Replace the retired client library in module ${i}, and keep its timeouts`,
  });
  const state = i < RUNS - AT_WORK ? ('DONE' as const) : ('IMPLEMENTING' as const);
  const now = world.now() - (RUNS - i) * 60_000;
  await write(ledger, `b${i}x`, {
    now,
    run: patchRun({ lifecycle: { state, stateEnteredAt: now } }, { order }),
  });
}
const run = await world.readyRun();
for (let i = 8; i < EVENTS; i += 2)
  await world.offer(
    run.id,
    { type: 'command.pause', by: person },
    { type: 'command.resume', by: person, target: null },
  );

const { cookie } = await world.signIn(ANA);
const [name = '', value = ''] = cookie.split(/=(.*)/s);
const browser = await chromium.launch({
  executablePath: found.path,
  args: ['--no-sandbox', '--disable-gpu'],
});
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
await context.addCookies([{ name, value, url: `${world.address}/board` }]);

type Opened = { page: Page; paintMs: number; bytes: number };
const open = async (path: string): Promise<Opened> => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(`${world.address}${path}`, { waitUntil: 'load' });
  const paintMs = Number(
    await page.evaluate(`new Promise((done) => new PerformanceObserver((list) => {
      const first = list.getEntriesByName('first-contentful-paint')[0]; if (first) done(first.startTime);
    }).observe({ type: 'paint', buffered: true }))`),
  );
  return { page, paintMs, bytes };
};
const middle = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
const several = async (path: string): Promise<Omit<Opened, 'page'>> => {
  const seen: Opened[] = [];
  for (let i = 0; i < 5; i += 1) {
    const one = await open(path);
    await one.page.close();
    seen.push(one);
  }
  return { paintMs: middle(seen.map((one) => one.paintMs)), bytes: middle(seen.map((one) => one.bytes)) };
};

const figures: Row[] = [];
const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;
const note = (what: string, n: number, unit: string, most: number, about = ''): void =>
  void figures.push({
    name: what,
    value: n,
    unit,
    bar: { is: '<=', at: most },
    note: [about, load()].filter(Boolean).join('; '),
  });

try {
  const inbox = await several('/board/');
  note('inbox of 10,000 runs: first paint', inbox.paintMs, 'ms', 800);
  note('inbox of 10,000 runs: over the wire', inbox.bytes / 1_000, 'KB', 60);
  const runPage = await several(`/board/run/${run.id}`);
  note('run of 2,000 events: first paint', runPage.paintMs, 'ms', 1_200);
  note('run of 2,000 events: over the wire', runPage.bytes / 1_000, 'KB', 200);
  const diff = await several(`/board/run/${run.id}/diff`);
  note('diff of 20,000 lines: first paint', diff.paintMs, 'ms', 1_200);
  note('diff of 20,000 lines: over the wire', diff.bytes / 1_000, 'KB', 200);
  const hunks: number[] = [];
  for (let from = 300; from < LINES; from += 2_700) {
    const begun = performance.now();
    await (await world.get(`/board/run/${run.id}/hunk?file=0&from=${from}`, { cookie })).text();
    hunks.push(performance.now() - begun);
  }
  note('a hunk reached by scrolling', Math.max(...hunks), 'ms', 100);

  const { page } = await open(`/board/run/${run.id}`);
  const heaps: number[] = [];
  const heap = async (): Promise<void> => {
    const session = await context.newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    heaps.push(Number(await page.evaluate('performance.memory.usedJSHeapSize')));
  };
  await heap();
  const times: number[] = [];
  for (let i = 0; i < LIVE_EVENTS; i += 1) {
    const paused = i % 2 === 0;
    await world.offer(
      run.id,
      paused ? { type: 'command.pause', by: person } : { type: 'command.resume', by: person, target: null },
    );
    const begun = performance.now();
    world.board.onRunChanged(run.id);
    const newest = (await ledger.query.events(run.id)).at(-1)?.seq ?? 0;
    await page.locator(`#event-${newest}`).waitFor({ timeout: 10_000 });
    times.push(performance.now() - begun);
    await page.waitForTimeout(1_000);
  }
  note('an event on the page after its commit, median', middle(times), 'ms', 300);
  await heap();
  for (let i = 0; i < MANY_EVENTS; i += 1) {
    await world.offer(
      run.id,
      i % 2 === 0
        ? { type: 'command.pause', by: person }
        : { type: 'command.resume', by: person, target: null },
    );
    world.board.onRunChanged(run.id);
  }
  const last = (await ledger.query.events(run.id)).at(-1)?.seq ?? 0;
  await page.locator(`#event-${last}`).waitFor({ timeout: 30_000 });
  await heap();
  const [, before = 0, after = 0] = heaps;
  note('heap of an open page after 1,000 events', (after - before) / MB, 'MB', 2);
  await page.close();

  const others = Array.from({ length: 40 }, (_, i) => `b${RUNS - 1 - i}x`);
  const { without, beside, tabs } = await measureTabs(world, run, others);
  note(
    'step p95 beside 200 open tabs',
    beside / without,
    'x',
    1.2,
    `${without.toFixed(1)} ms without, ${beside.toFixed(1)} ms with ${tabs} tabs`,
  );
  const { unused, loads, used } = await measureMemory();
  note(
    'memory of the product after 90 pages',
    used - unused,
    'MB',
    8,
    `${unused.toFixed(0)} MB unused, ${loads.toFixed(0)} MB after the first page`,
  );
} finally {
  await browser.close();
  for (const end of ends) await end();
}
console.log(values.json ? `{${figures.map(toJsonMember).join(', ')}}` : toText(figures));
if (!figures.every(holds)) process.exitCode = 1;
