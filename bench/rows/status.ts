/** Latency of `/status` with many live runs and Telegram's limits. */
import { setTimeout as pause } from 'node:timers/promises';
import { TELEGRAM_LIMITS } from '#playground';
import { startHost, type Host } from '../host.ts';
import { quantile } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { TO_REVIEW, waitingRuns } from '../story.ts';

const RUNS = 20;
/** Telegram's limit of one message per second in a chat is not our cost. */
const BREATH_MS = 1_100;

/** Messages of the runs count toward the same limit. */
const waiting = (host: Host): number =>
  host.look<{ n: number }>(
    "select count(*) as n from effects where kind = 'chat_message' and state = 'pending'",
  )[0]?.n ?? 0;

export const status: Measurement = {
  name: 'status',
  about: '/status with 20 live runs, to the arrival of its answer, through the real process',
  run: async ({ quick }): Promise<Row[]> => {
    const host = await startHost({ limits: TELEGRAM_LIMITS });
    const { telegram, ana } = host;
    try {
      // These steps need no pull request.
      await waitingRuns(host.dataDir, { count: RUNS, named: 'live', story: TO_REVIEW.slice(0, 5) });
      await host.start();
      while (waiting(host) > 0) await pause(BREATH_MS);
      const sent = (): number => telegram.calls.filter((call) => call.route === 'sendMessage').length;
      const waits: number[] = [];
      for (let i = 0; i < (quick ? 12 : 60) + 3; i += 1) {
        await pause(BREATH_MS);
        const before = sent();
        const began = performance.now();
        ana.sends('/status');
        await telegram.waitFor(() => sent() > before, { deadlineMs: 30_000, what: 'an answer to /status' });
        if (i >= 3) waits.push(performance.now() - began);
      }
      const at = (q: number): string => quantile(waits, q).toFixed(1);
      return [
        {
          name: 'status-answer',
          value: quantile(waits, 0.95),
          unit: 'ms',
          bar: { is: '<=', at: 100 },
          note: `p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)} ms over ${waits.length} questions, one every ${BREATH_MS / 1_000} s, ${RUNS} live runs`,
        },
      ];
    } finally {
      await host.close();
    }
  },
};
