/** Cost of a report over 1,000,000 events, before and after the figures are caught up (O4). */
import { join } from 'node:path';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { createFigures } from '../../orchestrator/reports/fold-figures.io.ts';
import { reportOf } from '../../orchestrator/reports/period-report.ts';
import { randomIds, createSubmitInput } from '#runtime';
import { check } from '../../tests/support/core-acts.ts';
import { fillLedger } from '../bulk.ts';
import { temporaryDirectory } from '../machine.ts';
import { median, round, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { MERGED, TO_REVIEW, checks } from '../story.ts';

const EACH = 100;
const TIMES = 7;

const measure = async (runs: number): Promise<Row[]> => {
  const { dir, remove } = temporaryDirectory();
  try {
    const dataDir = join(dir, 'data');
    const story = checks(EACH - TO_REVIEW.length - 2);
    const from = Date.now() - 3_600_000;
    const kinds = [
      { story: [...TO_REVIEW, ...story], runs: 10 },
      { story: [...TO_REVIEW, ...story, MERGED], runs: runs - 10 },
    ];
    const { ids, events } = await fillLedger(dataDir, kinds, from);
    const ledger = await openLedger({ dataDir, now: Date.now });
    const submit = createSubmitInput({ ledger, clock: { now: Date.now }, ids: randomIds });
    const figures = createFigures({ query: ledger.query, books: ledger.figures });
    const first = await timed(() => figures.refresh());
    const asked: number[] = [];
    for (let i = 0; i < TIMES; i += 1) {
      // Each report must find a new event.
      const runId = ids[0]?.[i % 10] ?? '';
      const run = await ledger.query.run(runId);
      if (!run) throw new Error(`run ${runId} is not there`);
      const { input } = check({ startedAt: 1_000 + i })(run);
      await submit({ runId, input, key: `forge:bench-${i}`, cause: { kind: 'none' } });
      asked.push(
        await timed(async () => {
          await figures.refresh();
          const found = reportOf(await figures.since(0), { since: 0, until: Date.now(), by: 'engine' });
          if (found.all.runs !== runs) throw new Error(`${found.all.runs} of ${runs} runs were counted`);
        }),
      );
    }
    await ledger.close();
    const note = `${round(runs)} runs, ${round(events)} events; the first fold of all of them took ${round(first)} ms`;
    return [{ name: 'report', value: median(asked), unit: 'ms', bar: { is: '<=', at: 1_000 }, note }];
  } finally {
    remove();
  }
};

export const report: Measurement = {
  name: 'report',
  about: 'a report of all runs where 10,000 runs and 1,000,000 events lie',
  run: ({ quick }) => measure(quick ? 1_000 : 10_000),
};
