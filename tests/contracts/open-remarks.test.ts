/** F7: the call for answers that reviewers wait for, as a person reads and taps it. */
import { describe, expect, it } from 'vitest';
import type { Input } from '#inputs';
import { LANGUAGE_TEXTS } from '#language';
import { DAY } from '#model/values';
import { renderOpenRemarks } from '../../bot/views/open-remarks-card.ts';
import { ANA, createChatWorld, PULL, VIC, type Delivered } from '../support/chat-world.ts';
import { act, at, later, timer } from '../support/core.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
const US = { id: 1, is_bot: true, first_name: 'AgentPR', username: 'AgentPR_bot' };
const to = ({ messageId, text }: Delivered) => ({
  reply_to_message: { message_id: Number(messageId), from: US, text },
});
const asked: Input = {
  type: 'forge.comment.created',
  author: 'leo',
  access: 'write',
  body: 'Does <b>this</b> work for empty lists?',
  url: `${PULL}#issuecomment-1`,
  createdAt: 5,
};

/** A pull request on which leo has waited through that many calls. */
const waited = async (w: World, calls: number): Promise<string> => {
  const { id } = await w.openRun();
  await w.offer(id, asked);
  for (let call = 0; call < calls; call += 1) {
    w.passes(4 * DAY);
    const { epoch } = (await w.run(id)).lifecycle;
    await w.offer(id, { type: 'timer.remarks.due', epoch });
  }
  return id;
};

describe('a call for answers', () => {
  it('F7: rings with the remark, its author and its place, and its words are text', async () => {
    const w = await createChatWorld();
    await waited(w, 1);
    const call = w.messages.at(-1);
    expect(call?.text).toMatch(
      /^SOMEBODY WAITS FOR AN ANSWER · acme\/api[^]*1 remark without an answer[^]*leo .*issuecomment-1\nDoes <b>this<\/b> work for empty lists\?/,
    );
    expect(call?.buttons).not.toContain('Close with a sentence');
  });

  it('F7: ends with a tap on “They are answered”, of an operator', async () => {
    const w = await createChatWorld();
    const id = await waited(w, 1);
    expect(await w.taps('They are answered', { by: VIC })).toMatch(/operator/i);
    await w.taps('They are answered');
    expect((await w.run(id)).review.remarks?.open).toEqual([]);
    expect(w.messages.at(-1)?.text).toContain('Nobody is waiting for an answer any more.');
  });

  it('F7: the second one closes the pull request with the sentence of an approver, word for word', async () => {
    const w = await createChatWorld();
    const id = await waited(w, 2);
    await w.taps('Close with a sentence');
    const form = w.messages.findLast((m) => m.asks) as Delivered;
    expect(form.text).toContain('Which sentence');
    expect((await w.says('Bye.', { ...to(form), by: VIC, chat: ANA })).join()).toMatch(/approver/);
    expect((await w.run(id)).lifecycle.state).not.toBe('FAILED_TERMINAL');
    await w.says('Thank you; we go another way.', to(form));
    expect((await w.run(id)).lifecycle.state).toBe('FAILED_TERMINAL');
    const [closing, ...more] = await w.ledger.query.effects({ kind: 'close_pr' });
    expect([closing?.do, more]).toEqual([
      { kind: 'close_pr', pull: '#12', words: 'Thank you; we go another way.' },
      [],
    ]);
    expect((await w.says('Again.', to(form))).join()).not.toContain('is being closed');
    expect(await w.ledger.query.effects({ kind: 'close_pr' })).toHaveLength(1);
  });

  it.each([
    ['nothing', '   '],
    ['more than a thousand characters', 'x'.repeat(1_001)],
  ])('F7: %s closes nothing', async (_, sentence) => {
    const w = await createChatWorld();
    const id = await waited(w, 2);
    await w.taps('Close with a sentence');
    const form = w.messages.findLast((m) => m.asks) as Delivered;
    await w.says(sentence, to(form));
    expect((await w.run(id)).lifecycle.state).not.toBe('FAILED_TERMINAL');
  });

  it('F7, G6: a comment is answered in a person’s words, which a card shows before they are posted', async () => {
    const w = await createChatWorld();
    const id = await waited(w, 1);
    expect(await w.taps('Answer', { by: VIC })).toMatch(/operator/i);
    await w.taps('Answer');
    const form = w.messages.findLast((m) => m.asks) as Delivered;
    expect(form.text).toContain('What is your answer?');
    expect((await w.says('Yes.', { ...to(form), by: VIC, chat: ANA })).join()).toMatch(/operator/);
    await w.says('Yes, it returns an empty list.', to(form));
    const [item, ...more] = (await w.run(id)).review.chosenRemarks;
    expect(more).toEqual([]);
    expect(item).toMatchObject({
      thread: `conversation:${PULL}#issuecomment-1`,
      reviewer: 'leo',
      answer: 'Yes, it returns an empty list.',
      answeredBy: 'person',
    });
    expect(await w.ledger.query.effects({ kind: 'seal_replies' })).toHaveLength(1);
    expect(await w.ledger.query.effects({ kind: 'reply' })).toEqual([]);
  });

  it.each([
    ['nothing', '   '],
    ['more than two thousand characters', 'x'.repeat(2_001)],
  ])('F7: %s answers no comment', async (_, words) => {
    const w = await createChatWorld();
    const id = await waited(w, 1);
    await w.taps('Answer');
    await w.says(words, to(w.messages.findLast((m) => m.asks) as Delivered));
    expect((await w.run(id)).review.chosenRemarks).toEqual([]);
  });

  it.each(['en', 'zh'] as const)('F7, P5: fits one message, whatever reviewers wrote (%s)', (code) => {
    const many = Array.from({ length: 100 }, (_, i) =>
      act({
        ...asked,
        url: `https://forge/${i}`,
        body: `<a href="x">?</a> @everyone ${'<&>"'.repeat(9_000)}`,
      }),
    );
    const story = at('REVIEW_WAIT').when(...many, later(4 * DAY, timer('timer.remarks.due')));
    const remarks = (story.run.review.remarks?.open ?? []).map(({ id }) => id);
    const view = { view: 'open_remarks', remarks, closes: true } as const;
    const scene = { run: story.run, approval: null, attempts: [], patch: null, now: story.now };
    const { html } = renderOpenRemarks(view, scene, LANGUAGE_TEXTS[code]);
    expect(html.length).toBeLessThanOrEqual(4_096);
    expect(html.replace(/<code>[\s\S]*?<\/code>/g, '')).not.toMatch(/href|@everyone/);
    expect(html).toMatch(/95/);
  });
});
