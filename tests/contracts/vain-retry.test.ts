/** S10: no button is offered that must fail. */
import { expect, it } from 'vitest';
import { toStepFailure } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { anOrder } from '../support/ledger.ts';
import { createChatWorld, type Delivered } from '../support/chat-world.ts';

it('S10: where each try meets the same, Retry is not offered; where a person can help, it is', async () => {
  for (const [failure, offered] of [
    ['transfer_refused', false],
    ['env_missing', true],
  ] as const) {
    const w = await createChatWorld();
    const { input } = toStepFailure('discover', failure, 'why');
    const created = { type: 'command.run.create', runId: 'v1', order: anOrder() } as const;
    await w.offer('v1', created, { type: 'command.discovery.start' }, input);
    const told = w.messages.findLast(({ text }) => text.startsWith('NEEDS YOU')) as Delivered;
    const labels = told.buttons.flat().map(({ text }) => text);
    expect(labels.includes('Retry'), failure).toBe(offered);
    expect(labels).toContain('Cancel run');
  }
});
