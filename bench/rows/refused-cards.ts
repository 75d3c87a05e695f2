/** Open pull requests whose repositories answer 404, beside the same ones that nobody looks at (F4). */
import { setTimeout as pause } from 'node:timers/promises';
import { ANA, startHost, type Host } from '../host.ts';
import { median, round, timed } from '../measure.ts';
import { processorSeconds } from '../processes.ts';
import { amountOf, type Measurement, type Row } from '../row.ts';
import { greenRuns, waitingRuns } from '../story.ts';

/** The first look at everything is over by then (ms). */
const BEGIN_MS = 60_000;
const WINDOW_MS = 60_000;
const REPORTS = 3;
/** The code host allows a token this many requests an hour. */
const HOURLY = 5_000;

type Seen = { requests: number; first: number; busy: number; report: number };

const answersReport = async ({ telegram, ana }: Host): Promise<number> => {
  const sent = (): number => telegram.calls.filter(({ route }) => route === 'sendMessage').length;
  const times: number[] = [];
  for (let i = 0; i < REPORTS; i += 1) {
    const before = sent();
    times.push(
      await timed(() => {
        ana.sends('/report');
        return telegram.waitFor(() => sent() > before, { deadlineMs: 60_000, what: 'an answer to /report' });
      }),
    );
    // Beyond the pace of a chat.
    await pause(2_000);
  }
  return median(times);
};

const watch = async (fill: (dataDir: string) => Promise<unknown>, windowMs: number): Promise<Seen> => {
  const host = await startHost();
  try {
    await fill(host.dataDir);
    const product = await host.start();
    await pause(Math.min(BEGIN_MS, windowMs));
    const first = host.github.calls.length;
    const used = processorSeconds(product.pid);
    await pause(windowMs);
    const busy = ((processorSeconds(product.pid) - used) * 1_000) / windowMs;
    const requests = ((host.github.calls.length - first) * 60_000) / windowMs;
    return { requests, first, busy, report: await answersReport(host) };
  } finally {
    await host.close();
  }
};

export const refusedCards: Measurement = {
  name: 'refused-cards',
  about: 'requests, processor time and /report where 500 open pull requests answer 404',
  run: async (options): Promise<Row[]> => {
    const count = amountOf(options, 50, 500, 500);
    const windowMs = amountOf(options, 10_000, WINDOW_MS, WINDOW_MS);
    const still = await watch((dataDir) => waitingRuns(dataDir, { count, named: 'still' }), windowMs);
    const refused = await watch((dataDir) => greenRuns(dataDir, { count, chat: ANA }), windowMs);
    const after = `${Math.min(BEGIN_MS, windowMs) / 1_000} s after the start`;
    return [
      {
        name: 'refused-requests',
        value: refused.requests,
        unit: 'a minute',
        bar: { is: '<=', at: Math.floor(HOURLY / 60) },
        note: `${count} open pull requests whose repositories are not there, from ${after}; ${round(refused.first)} requests before that; the bar is what an hour’s ${round(HOURLY)} give a minute`,
      },
      {
        name: 'refused-processor',
        value: (refused.busy - still.busy) * 100,
        unit: '% of one',
        bar: { is: '<=', at: 10 },
        note: `${(refused.busy * 100).toFixed(1)} % against ${(still.busy * 100).toFixed(1)} % of as many paused runs, at which nobody looks, in the same run`,
      },
      {
        name: 'refused-report',
        value: refused.report / still.report,
        unit: 'x',
        bar: { is: '<=', at: 3 },
        note: `/report from message to answer: ${round(refused.report)} ms against ${round(still.report)} ms beside the paused ones, median of ${REPORTS}`,
      },
    ];
  },
};
