/** Time from a voice note to its transcript card, without the transcriber's own time. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { startHost } from '../host.ts';
import { quantile } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';

const SAID = 'what is waiting for me?';
const FIRST_PERSON = 2_000;

export const voice: Measurement = {
  name: 'voice',
  about: 'a voice note to its transcript card, through the real process and a server that answers at once',
  run: async ({ quick }): Promise<Row[]> => {
    const people = quick ? 20 : 100;
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.end(JSON.stringify({ text: SAID })));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const host = await startHost({ settings: { chat: { voice: { url, minutesPerDay: 600 } } } });
    try {
      const ledger = await openLedger({ dataDir: host.dataDir, now: Date.now });
      for (let no = 0; no < people; no += 1)
        await ledger.setUser({ id: String(FIRST_PERSON + no), name: `P${no}`, role: 'viewer' }, null);
      await ledger.close();
      await host.start();
      const waits: number[] = [];
      // Each person has a chat of their own, so that no pace of one chat is measured.
      for (let no = 0; no < people; no += 1) {
        const person = host.telegram.person(FIRST_PERSON + no, `P${no}`);
        const began = performance.now();
        person.attaches('voice', { seconds: 5 });
        await person.waitForMessage(SAID, { deadlineMs: 60_000 });
        waits.push(performance.now() - began);
      }
      const at = (q: number): string => quantile(waits, q).toFixed(0);
      const note = `p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)} ms over ${people} notes of 5 seconds: fetched, measured, sent to a server that answers at once, shown`;
      return [
        {
          name: 'voice-to-card',
          value: quantile(waits, 0.95),
          unit: 'ms',
          bar: { is: '<=', at: 1_000 },
          note,
        },
      ];
    } finally {
      await host.close();
      server.closeAllConnections();
      server.close();
    }
  },
};
