/** Events per second that are verified by replay (L5). */
import { createReplayThreads } from '../../cli/replay-threads.ts';
import { openReader } from '../../db/directory/open-reader.ts';
import { replayRuns as judge } from '../../orchestrator/audit/replay.ts';
import { fillLedger } from '../bulk.ts';
import { temporaryDirectory } from '../machine.ts';
import { median, round, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { MERGED, TO_REVIEW, checks } from '../story.ts';

const EVENTS_EACH = 100;

export const replay: Measurement = {
  name: 'replay',
  about: 'events a second and core that `agentpr replay --all` judges',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const { dir, remove } = temporaryDirectory();
    try {
      const runs = quick ? 200 : 1_000;
      const story = [...TO_REVIEW, ...checks(EVENTS_EACH - TO_REVIEW.length - 2), MERGED];
      const { events } = await fillLedger(dir, [{ story, runs }], Date.now() - 86_400_000);
      const reader = openReader(dir);
      const threads = createReplayThreads(dir);
      const cores = threads.count + 1;
      const rates: number[] = [];
      let findings = 0;
      for (let i = 0; i <= pairs; i += 1) {
        const ms = await timed(async () => {
          const judged = await judge(reader, null, threads);
          findings += judged.findings.length;
          if (judged.events !== events) throw new Error(`replay saw ${judged.events} of ${events} events`);
        });
        if (i > 0) rates.push((events * 1_000) / ms);
      }
      await reader.close();
      if (findings > 0) throw new Error(`replay found ${findings} faults in a ledger that has none`);
      return [
        {
          name: 'replay',
          value: Math.round(median(rates) / cores),
          unit: 'events/s and core',
          bar: { is: '>=', at: 60_000 },
          note: `${round(events)} events of ${round(runs)} runs, all three verdicts: every event's hash is computed, what it decided is folded and judged by the table, every head's MAC checked; file cached; ${round(median(rates))} events/s in ${cores} threads; 0 findings`,
        },
      ];
    } finally {
      remove();
    }
  },
};
