/** Size of one run's log, and its longest events (S9). */
import { openLedger } from '../../db/directory/open-ledger.ts';
import type { Measurement, Row } from '../row.ts';
import { MERGED, TO_REVIEW, tellStory } from '../story.ts';

const NAMED = 3;

export const eventBytes: Measurement = {
  name: 'event-bytes',
  about: 'bytes of the events of one run, from the order to the merge',
  run: async (): Promise<Row[]> => {
    const ledger = await openLedger({ dataDir: ':memory:', now: () => 0 });
    const run = await tellStory({ ledger, from: 0 }, 'story', [...TO_REVIEW, MERGED]);
    const events = (await ledger.query.events(run.id)).map(({ type, body }) => ({
      type,
      bytes: body.length,
    }));
    await ledger.close();
    const sum = events.reduce((n, { bytes }) => n + bytes, 0);
    const longest = events.toSorted((a, b) => b.bytes - a.bytes).slice(0, NAMED);
    const said = longest.map(({ type, bytes }) => `${type} ${bytes}`).join(', ');
    const value = Math.round(sum / events.length);
    const note = `a mean of ${events.length} events, ${sum} together; the longest: ${said}`;
    return [{ name: 'event-bytes', value, unit: 'bytes', bar: null, note }];
  },
};
