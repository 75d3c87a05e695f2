/** Edits and notifications in a chat during a run of thirty minutes. */
import { createChatWorld } from '../../tests/support/chat-world.ts';
import { findDelivery } from '../../bot/commands/verify-card.ts';
import { anOrder } from '../../tests/support/ledger.ts';
import * as acts from '../../tests/support/core-acts.ts';
import type { Measurement, Row } from '../row.ts';

const MINUTE = 60_000;
/** Events with their delay in minutes: two fixes of red checks, then the card. */
const STORY: readonly (readonly [minutes: number, act: acts.Act])[] = [
  [0.2, acts.startDiscovery],
  [0.8, acts.discovered()],
  [2, acts.baseChecked()],
  [0, acts.startWork()],
  [9, acts.implemented('a')],
  [3, acts.validated({ passed: false })],
  [5, acts.implemented('b')],
  [3, acts.validated({ passed: false })],
  [4, acts.implemented('c')],
  [2.5, acts.validated()],
  [0.5, acts.pushed()],
];

export const longRun: Measurement = {
  name: 'long-run',
  about: 'edits and sounds of a run of thirty minutes, up to its card',
  run: async (): Promise<Row[]> => {
    let close = (): Promise<void> => Promise.resolve();
    const w = await createChatWorld({ atEnd: (end) => void (close = end) });
    try {
      const runId = 'long1';
      await w.offer(runId, { type: 'command.run.create', runId, order: anOrder({ repo: 'acme/api' }) });
      for (const [minutes, act] of STORY) {
        w.passes(minutes * MINUTE);
        await w.offer(runId, act(await w.run(runId)).input);
      }
      if (!w.messages.some(({ text }) => text.startsWith('Open this'))) throw new Error('no card came');
      const tells = await w.ledger.query.effects({ runId, kind: 'chat_message', state: 'done' });
      const edits = tells.length - new Set(tells.map((row) => findDelivery(row)?.messageId)).size;
      const sounds = w.messages.filter(({ silent }) => !silent).length;
      const took = STORY.reduce((sum, [minutes]) => sum + minutes, 0);
      const note = `${took} minutes of the chat's own clock, two fixes of red checks, then the card; ${w.messages.length} messages`;
      return [
        { name: 'long-run-edits', value: edits, unit: 'edits', bar: { is: '<=', at: 20 }, note },
        {
          name: 'long-run-sounds',
          value: sounds,
          unit: 'sounds',
          bar: { is: '=', at: 1 },
          note: 'of the same: the card',
        },
      ];
    } finally {
      await close();
    }
  },
};
