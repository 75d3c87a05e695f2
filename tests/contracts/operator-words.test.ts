/** E21: what a person says to a working agent in the chat, who may say it, and what the phone shows of it. */
import { describe, expect, it } from 'vitest';
import { createWordsDelivery } from '../../orchestrator/kernel/rounds/words-delivery.effect.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../../orchestrator/kernel/run/round-table.ts';
import type { ClaimOf } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { createChatWorld, VIC } from '../support/chat-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
const WORDS = 'Use the helper in lib/.';
const by = { id: '1', name: 'Ana' };

const working = async (): Promise<World> => {
  const w = await createChatWorld();
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  await w.offer('q1', { type: 'command.run.create', runId: 'q1', order: anOrder() }, ...toWork);
  return w;
};
const told = async (w: World) => (await w.run('q1'))?.agent.operatorWords ?? [];
const replyTo = (message?: { messageId: string }) => ({
  reply_to_message: { message_id: Number(message?.messageId ?? 0) },
});
const progressOf = (w: World) => w.messages.find(({ text }) => text.startsWith('Working · '));

describe('words in the chat', () => {
  it('E21: a reply to a progress message is stored, shown as queued, and said now by a tap', async () => {
    const w = await working();
    const progress = progressOf(w);
    await w.says(WORDS, replyTo(progress));
    expect(await told(w)).toMatchObject([{ no: 1, by: 'P7', words: WORDS, when: 'after' }]);
    expect(w.messages.some(({ text }) => text.includes(`after this turn: ${WORDS}`))).toBe(true);
    await w.taps('Now');
    expect(await told(w)).toMatchObject([{ no: 1, when: 'now' }]);
    await w.taps('After this turn');
    expect(await told(w)).toMatchObject([{ no: 1, when: 'after' }]);
  });

  it('E21: /tell says it to the run that it names', async () => {
    const w = await working();
    await w.says(`/tell q1 ${WORDS}`);
    expect(await told(w)).toMatchObject([{ words: WORDS }]);
  });

  it('E21: whoever may only look says nothing to an agent, by reply, command or button', async () => {
    const w = await working();
    const progress = progressOf(w);
    await w.says(WORDS, { ...replyTo(progress), by: VIC, chat: progress?.chat ?? '' });
    await w.says(`/tell q1 ${WORDS}`, { by: VIC });
    expect(await told(w)).toEqual([]);
    await w.says(`/tell q1 ${WORDS}`);
    await w.taps('Now', { by: VIC });
    expect(await told(w)).toMatchObject([{ when: 'after' }]);
  });

  it('E21: what was heard is shown with its time, and recorded once though a round begins again', async () => {
    const w = await working();
    await w.says(`/tell q1 ${WORDS}`);
    const fails = (): never => {
      throw new Error('a delivery failed');
    };
    const log = { debug: () => {}, info: () => {}, warn: fails, error: fails };
    const timers = { after: () => ({ cancel: () => {} }) };
    for (const leaseEpoch of [1, 2]) {
      const run = await w.run('q1');
      if (!run) throw new Error('no run');
      const claim = {
        id: 'e71',
        epoch: run.lifecycle.epoch,
        leaseEpoch,
        do: { kind: 'implement', round: ROUND_WITHOUT_FEEDBACK },
      } as ClaimOf<'implement'>;
      const delivery = createWordsDelivery({ ledger: w.ledger, submit: w.submit, timers, log }, claim, run);
      delivery.prompted();
      delivery.prompted();
      await delivery.settled();
      await w.deliver();
      delivery.end();
    }
    expect(await told(w)).toMatchObject([{ no: 1, delivered: { how: 'prompt' } }]);
    const events = await w.ledger.query.events('q1');
    expect(events.filter(({ type }) => type === 'worker.words.delivered')).toHaveLength(1);
    expect(w.messages.some(({ text }) => text.includes('the agent heard'))).toBe(true);
  });

  it('E21: a paused run offers to keep or to drop what its agent did', async () => {
    const w = await working();
    await w.offer('q1', { type: 'command.pause', by });
    await w.taps('Stop and keep');
    expect((await w.run('q1'))?.agent.round.kind).toBe('kept_edits');
    await w.offer('q1', { type: 'command.pause', by });
    await w.taps('Stop and drop');
    expect((await w.run('q1'))?.lifecycle.state).toBe('FAILED_TERMINAL');
  });
});
