/** Open tabs beside steps, and the memory of the product that serves pages. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { Run } from '#run';
import type { BoardWorld } from '../tests/support/board-world.ts';
import { createProduct, PATIENCE } from '../tests/support/product.ts';

const STEPS = 150;
const PAGES = 30;
const ana = { id: '7', name: 'Ana' };

/** As a page in a browser: it hears of a run, and asks for itself at most once a second. */
const openTab = async (
  w: BoardWorld,
  { cookie, watches, path }: { cookie: string; watches: string; path: string },
): Promise<() => void> => {
  const asked = get(`${w.address}/board/live?run=${watches}&from=999999999`, { headers: { cookie } });
  asked.on('error', () => {});
  const [stream] = (await once(asked, 'response')) as [IncomingMessage];
  if (stream.statusCode !== 200) throw new Error(`a tab was answered with ${stream.statusCode}`);
  let waiting: NodeJS.Timeout | undefined;
  let at = 0;
  stream.on('error', () => {});
  stream.on('data', (piece: Buffer) => {
    if (!piece.includes('data: ')) return;
    waiting ??= setTimeout(
      () => {
        waiting = undefined;
        at = Date.now();
        w.get(path, { cookie, 'accept-encoding': 'gzip' }).then(
          (answer) => answer.arrayBuffer(),
          () => {},
        );
      },
      Math.max(0, at + 1_000 - Date.now()),
    );
  });
  return () => {
    clearTimeout(waiting);
    asked.destroy();
  };
};

const p95 = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length * 0.95)] ?? 0;

const timeSteps = async (w: BoardWorld, run: Run): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < STEPS; i += 1) {
    const begun = performance.now();
    await w.offer(
      run.id,
      i % 2 === 0 ? { type: 'command.pause', by: ana } : { type: 'command.resume', by: ana, target: null },
    );
    times.push(performance.now() - begun);
    w.board.onRunChanged(run.id);
    await new Promise((done) => setTimeout(done, 20));
  }
  return p95(times);
};

/** Forty tabs are the most of one person: ten on the inbox, thirty on a run, one in five of them on this one. */
export const measureTabs = async (w: BoardWorld, run: Run, others: readonly string[]) => {
  const people = ['7', '8', '9', '21', '22'];
  for (const id of people.slice(3)) await w.ledger.setUser({ id, name: `P${id}`, role: 'viewer' }, null);
  await timeSteps(w, run);
  const without = await timeSteps(w, run);
  const closes: (() => void)[] = [];
  for (const person of people) {
    const { cookie } = await w.signIn(person);
    for (let i = 0; i < 40; i += 1) {
      const one = i % 5 === 4 ? run.id : (others[i] ?? run.id);
      const [watches, path] = i < 10 ? ['*', '/board/'] : [one, `/board/run/${one}`];
      closes.push(await openTab(w, { cookie, watches, path }));
    }
  }
  const beside = await timeSteps(w, run);
  for (const close of closes) close();
  return { without, beside, tabs: closes.length };
};

const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Memory of the product as it is started, before and after pages were read (MB). */
export const measureMemory = async (): Promise<{ unused: number; used: number; loads: number }> => {
  const product = await createProduct();
  try {
    product.start();
    await product.running();
    product.ana.sends('/board');
    const { text } = await product.ana.waitForMessage('Your link to the board', { deadlineMs: PATIENCE });
    const link = /http:\S+\/board\/enter\/\S+/.exec(text)?.[0] ?? '';
    await new Promise((done) => setTimeout(done, 3_000));
    const unused = residentOf(product.pid());
    const opened = await fetch(`${link}/confirmed`);
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
    const loads = residentOf(product.pid());
    for (let i = 0; i < PAGES; i += 1)
      for (const path of ['/board/', '/board/campaigns', '/board/figures'])
        await (await fetch(new URL(path, link), { headers: { cookie } })).arrayBuffer();
    await new Promise((done) => setTimeout(done, 3_000));
    return { unused, loads, used: residentOf(product.pid()) };
  } finally {
    await product.close();
  }
};
