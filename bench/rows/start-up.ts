/** Start-up time and memory of the real process, compared with a bare bot. */
import { join } from 'node:path';
import { startHost, type Host } from '../host.ts';
import { inPairs, round } from '../measure.ts';
import { residentMb, startNode, type Running } from '../processes.ts';
import type { Measurement, Row } from '../row.ts';
import type { Moment } from '#playground';

const BARE = join(import.meta.dirname, '../bare-grammy.ts');
/** Time until the garbage of the start is collected (ms). */
const REST = 3_000;
const pause = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms));

/** Returns the time to the first long poll (ms). */
const start = async (host: Host, launch: () => Running): Promise<{ ms: number; running: Running }> => {
  const began = performance.now();
  const polled = new Promise<number>((resolve) => {
    const stop = host.telegram.onRequest(({ phase, call }: Moment) => {
      if (phase === 'before' && call.route === 'getUpdates') {
        stop();
        resolve(performance.now() - began);
      }
      return undefined;
    });
  });
  const running = launch();
  const failed = running.ended.then(() => {
    throw new Error(`It ended before it polled:\n${running.stderr()}`);
  });
  failed.catch(() => {});
  return { ms: await Promise.race([polled, failed]), running };
};

const coldStart = async (host: Host, launch: () => Running): Promise<number> => {
  const { ms, running } = await start(host, launch);
  await running.stop();
  return ms;
};

const answered = (host: Host) => (): number =>
  host.telegram.calls.filter((call) => call.route === 'sendMessage').length;
/** The product's answers wait for the pace of their chat. */
const handled = (host: Host) => (): number =>
  host.look<{ n: number }>("select count(*) as n from inbox where source = 'chat' and state <> 'new'")[0]
    ?.n ?? 0;

const LONGEST_MS = 120_000;
const reach = async (count: () => number, wanted: number, running: Running): Promise<void> => {
  for (const until = performance.now() + LONGEST_MS; count() < wanted; await pause(20))
    if (performance.now() > until)
      throw new Error(`Messages were not handled:\n${running.stderr().slice(-2_000)}`);
};

/** Resident memory at rest and after many messages (MB). */
const memory = async (
  host: Host,
  launch: () => Running,
  updates: number,
  count: () => number,
): Promise<[number, number]> => {
  const { running } = await start(host, launch);
  await pause(REST);
  const idle = residentMb(running.pid);
  const before = count();
  for (let sent = 0; sent < updates; sent += 100) {
    for (let i = 0; i < 100; i += 1) host.ana.sends('/status');
    await reach(count, before + Math.min(sent + 100, updates), running);
  }
  await pause(REST);
  const after = residentMb(running.pid);
  await running.stop();
  return [idle, after];
};

export const startUp: Measurement = {
  name: 'start-up',
  about: 'cold start to the first getUpdates, and resident memory',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const host = await startHost();
    const bare = await startHost();
    const launchBare = (): Running => startNode([BARE, bare.telegram.token, bare.telegram.url]);
    try {
      const { a, b } = await inPairs(
        pairs,
        () => coldStart(host, host.early),
        () => coldStart(bare, launchBare),
      );
      const updates = quick ? 1_000 : 10_000;
      const [bareIdle, bareAfter] = await memory(bare, launchBare, updates, answered(bare));
      const [idle, after] = await memory(host, host.early, updates, handled(host));
      return [
        {
          name: 'cold-start',
          value: Math.round(a),
          unit: 'ms',
          bar: { is: '<=', at: 400 },
          note: `median of ${pairs} starts of the real process to its first getUpdates; bare grammY ${round(b)} ms`,
        },
        {
          name: 'rss-idle',
          value: Math.round(idle),
          unit: 'MB',
          bar: { is: '<=', at: 110 },
          note: `resident ${REST / 1_000} s after the start; bare grammY ${bareIdle.toFixed(0)} MB`,
        },
        {
          name: 'rss-after-updates',
          value: Math.round(after),
          unit: 'MB',
          bar: { is: '<=', at: 150 },
          note: `after ${round(updates)} messages, each stored and handled, and answered as fast as its chat takes it; bare grammY, which only answers, ${bareAfter.toFixed(0)} MB`,
        },
      ];
    } finally {
      await host.close();
      await bare.close();
    }
  },
};
