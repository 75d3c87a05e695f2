/** E21: what a person says to a working agent in the chat, who may say it, and what the phone shows of it. */
import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '#model/reports';
import type { ExecutorEvent } from '#ports/processes';
import { codexCli } from '../../executors/engines/codex/codex.ts';
import type { AgentDeps } from '../../executors/engines/shared/agent-cli.ts';
import type { ModelAccess } from '../../executors/engines/shared/model-access.ts';
import { createRoundWatch } from '../../executors/engines/shared/round-watch.ts';
import type { ExecutorInput } from '../../executors/engines/shared/start-contained.ts';
import { createWordsDelivery, isOfModel } from '../../orchestrator/kernel/rounds/words-delivery.io.ts';
import { bootInboxItem, notifyOfRestart } from '../../orchestrator/notices/work-notices.ts';
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
  await w.offer(
    'q1',
    { type: 'command.run.create', runId: 'q1', order: anOrder({ engine: 'codex' }) },
    ...toWork,
  );
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

  it.each(['IMPLEMENTING', 'LOCAL_VALIDATING'])(
    'E21: a question in reply to a message of a run whose agent works is told to it: %s',
    async (state) => {
      const w = await working();
      const progress = progressOf(w);
      if (state === 'LOCAL_VALIDATING') {
        const all = inputsToCard({ session: { id: 's1', usage: NO_USAGE } });
        const made = all.filter(({ type }) => type === 'worker.implementation.completed');
        await w.offer('q1', ...made);
      }
      expect((await w.run('q1')).lifecycle.state).toBe(state);
      const before = w.messages.length;
      await w.says('Why did you change the default?', replyTo(progress));
      expect(await told(w)).toMatchObject([{ words: 'Why did you change the default?' }]);
      expect(
        w.messages.slice(before).flatMap(({ buttons }) => buttons.flat().map(({ text }) => text)),
      ).not.toContain('Ask the agent');
    },
  );

  it('E21: a reply to the notice of a restart is told to the agent of the one run that it names', async () => {
    const w = await working();
    const found = { freed: 1, killed: 0, swept: 0, lastSeenAt: 500, rollback: null };
    await w.ledger.receive([bootInboxItem(found, w.clock.now())], w.clock.now());
    for (const row of await w.ledger.inbox(10)) await notifyOfRestart(w.ledger, row, w.clock);
    await w.deliver();
    await w.says(WORDS, replyTo(w.messages.findLast(({ text }) => text.includes('I was restarted'))));
    expect(await told(w)).toMatchObject([{ words: WORDS }]);
  });

  it('E21: /tell says it to the run that it names', async () => {
    const w = await working();
    await w.says(`/tell q1 ${WORDS}`);
    expect(await told(w)).toMatchObject([{ words: WORDS }]);
  });

  it('E21: words just below the limit are told, though what is invisible in them is written out', async () => {
    const w = await working();
    const words = `${'a\u200b'.repeat(990)}a`;
    await w.says(`/tell q1 ${words}`);
    expect((await told(w))[0]?.words).toHaveLength(990 * 9 + 1);
    await w.says(`/tell q1 ${'a'.repeat(2_001)}`);
    expect(w.messages.at(-1)?.text).toMatch(/2.?000/);
    expect(await told(w)).toHaveLength(1);
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
    const clock = { now: () => 0, after: () => ({ cancel: () => {} }) };
    for (const leaseEpoch of [1, 2]) {
      const run = await w.run('q1');
      if (!run) throw new Error('no run');
      const claim = {
        id: 'e71',
        epoch: run.lifecycle.epoch,
        leaseEpoch,
        do: { kind: 'implement', round: ROUND_WITHOUT_FEEDBACK },
      } as ClaimOf<'implement'>;
      const delivery = createWordsDelivery({ ledger: w.ledger, submit: w.submit, clock, log }, claim, run);
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
    expect((await w.run('q1'))?.lifecycle.state).toBe('PAUSED');
    await w.taps('Yes, end the run');
    expect((await w.run('q1'))?.lifecycle.state).toBe('FAILED_TERMINAL');
  });

  it('E21: /drop asks before it ends a run, and the end says what nobody heard', async () => {
    const w = await working();
    await w.says(`/tell q1 ${WORDS}`);
    await w.says('/drop q1');
    expect((await w.run('q1'))?.lifecycle.state).toBe('IMPLEMENTING');
    await w.taps('Yes, end the run', { by: VIC });
    expect((await w.run('q1'))?.lifecycle.state).toBe('IMPLEMENTING');
    await w.taps('Yes, end the run');
    expect((await w.run('q1'))?.lifecycle.state).toBe('FAILED_TERMINAL');
    expect(w.messages.some(({ text }) => text.includes(`never heard: ${WORDS}`))).toBe(true);
  });

  it('E21: what was heard is noted again with the same key until it is written', async () => {
    const w = await working();
    await w.says(`/tell q1 ${WORDS}`);
    const run = await w.run('q1');
    if (!run) throw new Error('no run');
    const again: (() => void)[] = [];
    const clock = {
      now: () => 0,
      after: (_: number, call: () => void) => (again.push(call), { cancel: () => {} }),
    };
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const keys: string[] = [];
    let failures = 2;
    const submit: typeof w.submit = async (one) => {
      keys.push(one.key);
      if (failures-- > 0) throw new Error('the ledger is away');
      return w.submit(one);
    };
    const { epoch } = run.lifecycle;
    const work = { kind: 'implement', round: ROUND_WITHOUT_FEEDBACK };
    const claim = { id: 'e72', epoch, leaseEpoch: 1, do: work } as ClaimOf<'implement'>;
    const delivery = createWordsDelivery({ ledger: w.ledger, submit, clock, log }, claim, run);
    delivery.prompted();
    await expect.poll(() => again.length).toBe(1);
    again.splice(0).forEach((call) => call());
    await expect.poll(() => again.length).toBe(1);
    await delivery.settled();
    delivery.end();
    expect(await told(w)).toMatchObject([{ no: 1, delivered: { how: 'prompt' } }]);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);
  });

  it('E21: only a model that answered, or is paid for, has read a prompt', () => {
    const used = { session: null, outputBytes: 1 };
    expect(isOfModel({ type: 'progress', kind: 'says', text: 'Reconnecting… 1/5', lines: [] })).toBe(false);
    expect(isOfModel({ type: 'progress', kind: 'says', text: 'Looks', lines: [], isOfModel: true })).toBe(
      true,
    );
    expect(isOfModel({ type: 'used', usage: NO_USAGE, ...used })).toBe(false);
    expect(isOfModel({ type: 'used', usage: { ...NO_USAGE, inputTokens: 1 }, ...used })).toBe(true);
  });

  it.each([
    ['Reconnecting… 1/5', { type: 'error', message: 'Reconnecting… 1/5' }, false],
    ['a message', { type: 'item.completed', item: { type: 'agent_message', text: 'Looking.' } }, true],
  ])('E21: codex says %s: its model has answered: %s', (_, event, isAnswer) => {
    const events: unknown[] = [];
    const watch = createRoundWatch(codexCli, {} as AgentDeps, {
      input: { session: null, onEvent: (one: unknown) => events.push(one) } as unknown as ExecutorInput,
      directory: '/',
      way: { used: () => null } as unknown as ModelAccess,
    });
    watch.hear(event);
    watch.settle();
    expect(events.filter((one) => isOfModel(one as ExecutorEvent))).toHaveLength(isAnswer ? 1 : 0);
    expect(events).toContainEqual(expect.objectContaining({ type: 'progress' }));
  });
});
