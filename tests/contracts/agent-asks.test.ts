/** C4: an agent's question in plain words, as it stands on the phone. */
import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '#model/reports';
import { toStepFailure } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { createChatWorld, type Delivered } from '../support/chat-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

const TEXT = 'There are two parsers.\n\nWhich of the two should I <b>change</b>?\n- old.js\n- new.js';

const askedBy = async (edited: boolean) => {
  const w = await createChatWorld();
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  const spent = { session: { id: 's1', usage: NO_USAGE }, usage: NO_USAGE, ms: 10, outputBytes: 1 };
  const { input } = toStepFailure('agent', 'invalid_output', 'words', {
    usageSoFar: spent,
    question: { text: TEXT, edited },
  });
  await w.offer('q1', { type: 'command.run.create', runId: 'q1', order: anOrder() }, ...toWork, input);
  return w;
};

const questionIn = (w: Awaited<ReturnType<typeof createChatWorld>>): Delivered =>
  w.messages.findLast(({ text }) => text.startsWith('❓')) as Delivered;

describe('a question of an agent', () => {
  it('C4: has its own heading, its own words with its choices, and says how it is answered', async () => {
    const w = await askedBy(false);
    const { text } = questionIn(w);
    expect(text).toMatch(/^❓ THE AGENT ASKS · /);
    expect(text).toContain(TEXT);
    expect(text).toContain('Reply to this message with your answer');
    expect(text).not.toMatch(/changed nothing|valid report/);
  });

  it('C4: reaches the phone where the work goes on, too', async () => {
    const w = await askedBy(true);
    const note = w.messages.find(({ text }) => text.includes('Which of the two'));
    expect(note?.text).toMatch(/^❓ The agent asks, and its work goes on/m);
  });

  it('C4: is answered by a reply, with which the agent goes on', async () => {
    const w = await askedBy(false);
    const question = questionIn(w);
    await w.says('new.js, please', { reply_to_message: { message_id: Number(question.messageId) } });
    await w.taps('Retry');
    const run = await w.run('q1');
    expect(run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { advice: ['new.js, please'] },
    });
  });
});
