/** Time from `/pending` to its first page, where 200 decisions wait. */
import { openLedger } from '../../db/directory/open-ledger.ts';
import { fillLedger } from '../bulk.ts';
import { startHost } from '../host.ts';
import { quantile } from '../measure.ts';
import { processorSeconds } from '../processes.ts';
import type { Measurement, Row } from '../row.ts';
import { TO_REVIEW } from '../story.ts';

const DECISIONS = 200;
const FIRST_PERSON = 3_000;
/** Up to the card: all before the signature. */
const TO_CARD = TO_REVIEW.slice(0, 7);
const HALF_HOUR_MS = 1_800_000;

export const waitingList: Measurement = {
  name: 'waiting-list',
  about: `the first page of \`/pending\` where ${DECISIONS} decisions wait, through the real process`,
  run: async ({ quick }): Promise<Row[]> => {
    const people = quick ? 20 : 100;
    const host = await startHost();
    try {
      await fillLedger(host.dataDir, [{ story: TO_CARD, runs: DECISIONS }], Date.now() - HALF_HOUR_MS);
      const ledger = await openLedger({ dataDir: host.dataDir, now: Date.now });
      for (let no = 0; no < people; no += 1)
        await ledger.setUser({ id: String(FIRST_PERSON + no), name: `P${no}`, role: 'operator' }, null);
      const waiting = (await ledger.query.runs({ live: true, limit: 1_000 })).filter(
        ({ gate }) => gate.approval !== null,
      ).length;
      await ledger.close();
      if (waiting !== DECISIONS) throw new Error(`${waiting} of ${DECISIONS} decisions wait`);
      const { pid } = await host.start();
      const busyBefore = processorSeconds(pid);
      const waits: number[] = [];
      // Each person has a chat of their own, so that no pace of one chat is measured.
      for (let no = 0; no < people; no += 1) {
        const person = host.telegram.person(FIRST_PERSON + no, `P${no}`);
        const began = performance.now();
        person.sends('/pending');
        await person.waitForMessage(String(DECISIONS), { deadlineMs: 60_000 });
        waits.push(performance.now() - began);
      }
      const each = ((processorSeconds(pid) - busyBefore) * 1_000) / people;
      const at = (q: number): string => quantile(waits, q).toFixed(0);
      const note = `p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)} ms over ${people} people who each ask once; ${each.toFixed(0)} ms of a processor for each page`;
      return [
        { name: 'waiting-list', value: quantile(waits, 0.95), unit: 'ms', bar: { is: '<=', at: 100 }, note },
      ];
    } finally {
      await host.close();
    }
  },
};
