/**
 * C4, C8: what people write in their own words is never a dead end, changes nothing without a tap,
 * and is answered in the language it was written in.
 */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { createChatWorld, VIC } from '../support/chat-world.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
const last = (w: World) => w.messages.at(-1) ?? { text: '', buttons: [] };
const labels = (w: World): string[] =>
  last(w)
    .buttons.flat()
    .map(({ text }) => text);

describe('words that the grammar does not know', () => {
  it('C4: are shown what they ask for at once', async () => {
    const w = await createChatWorld();
    const {
      id,
      lifecycle: { version },
    } = await w.readyRun();
    for (const [said, expected] of [
      [`show me ${id}`, 'acme/api'],
      ['who has access', LANGUAGE_TEXTS.en.users.title],
      ['who else is allowed in here', LANGUAGE_TEXTS.en.users.title],
      ['run the codemod on all repos', 'Which repositories?'],
      ['lgtm', 'acme/api'],
      ['no', 'acme/api'],
      ['谁能批准', LANGUAGE_TEXTS.zh.users.title],
      ['列出所有任务', id],
    ] as const)
      expect((await w.says(said)).join(), said).toContain(expected);
    await w.says('设置');
    expect(labels(w)).toContain('English');
    expect((await w.run(id)).lifecycle.version).toBe(version);
  });

  it('C4: that change something become a button, in either language', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says('new run on api: add a license file');
    expect(last(w).text).toContain('add a license file');
    expect(labels(w)).toEqual(['Start']);
    await w.says('mark it as done');
    expect(labels(w)).toEqual(['Mark as done', 'Show the run']);
    await w.says(`把 ${run.id} 标记完成`);
    expect(labels(w)[0]).toBe(LANGUAGE_TEXTS.zh.proposal.does.done);
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
    expect(await w.taps(LANGUAGE_TEXTS.zh.proposal.does.done)).toBe(LANGUAGE_TEXTS.zh.tap.done);
    expect((await w.run(run.id)).lifecycle.state).toBe('DONE');
  });

  it('C4: a guessed change is read back before a second tap does it', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says('api zzz halt or kill qqq');
    const offer = labels(w).find((label) => label.endsWith(` · api ${run.id}`)) ?? labels(w)[0] ?? '';
    expect(labels(w).at(-1)).toBe('Help');
    await w.taps(offer);
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });

  it.each([
    "don't cancel the api run",
    'dotn cancle the api run',
    'did you cancel the api one?',
    'should i pause the api run',
    'what would skipping it do',
    'nobody should retry the api run',
    '别取消 api',
    '要不要暂停 api',
    '取消 api 会怎样',
    'thanks a lot',
    '谢谢',
  ])('C4: a no, a question or a thank-you offers no change: %s', async (said) => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(said);
    const { does } = LANGUAGE_TEXTS[/\p{Script=Han}/u.test(said) ? 'zh' : 'en'].proposal;
    for (const change of [does.cancel, does.pause, does.skip, does.retry, does.new])
      expect(
        labels(w).some((label) => label.startsWith(change)),
        change,
      ).toBe(false);
    expect(labels(w).length).toBeGreaterThan(0);
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });

  it('C4: what nobody understands is offered what is likeliest, and help', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    await w.says('flibber the gibbet');
    expect(labels(w).length).toBeGreaterThanOrEqual(2);
    expect(labels(w).length).toBeLessThanOrEqual(4);
    expect(labels(w).at(-1)).toBe('Help');
    await w.taps('Help');
    expect(last(w).text).toContain(LANGUAGE_TEXTS.en.help.title);
  });

  it('G3, C4: rights hold for words as for commands', async () => {
    const w = await createChatWorld();
    expect((await w.says('who has access', { by: VIC })).join()).toContain('Only admins');
  });

  it('C1: a question in answer to the greeting is about no run', async () => {
    const w = await createChatWorld();
    await w.readyRun({ order: { repo: 'acme/api', goal: 'Add a second repository to the list' } });
    await w.says('/start');
    const greeting = last(w) as { messageId?: string };
    const said = await w.says('how do i add a second repository?', {
      reply_to_message: { message_id: Number(greeting.messageId) },
    });
    expect(said.join()).not.toContain('Ready for your decision');
    expect(said.join()).toContain(LANGUAGE_TEXTS.en.help.title);
  });
});

describe('the language of a chat', () => {
  it('C8: is the one it is spoken to, until a person fixes it', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    await w.says('现在怎么样');
    expect(last(w).text).toContain('api');
    await w.says('/help');
    expect(last(w).text).toContain(LANGUAGE_TEXTS.zh.help.title);
    // Names and what everybody types are of no language.
    await w.says('diff');
    await w.says('/help');
    expect(last(w).text).toContain(LANGUAGE_TEXTS.zh.help.title);
    await w.says('how are things going over there');
    await w.says('/help');
    expect(last(w).text).toContain(LANGUAGE_TEXTS.en.help.title);
    // Two words are a sentence where one of them joins them.
    await w.says('现在怎么样');
    await w.says('hold on');
    await w.says('/help');
    expect(last(w).text).toContain(LANGUAGE_TEXTS.en.help.title);
    await w.says('/settings language en');
    await w.says('现在怎么样');
    await w.says('/help');
    expect(last(w).text).toContain(LANGUAGE_TEXTS.en.help.title);
  });

  it('C8: a Chinese order is an order', async () => {
    const w = await createChatWorld();
    await w.says('在 acme/tools 里加一个许可证文件');
    expect(last(w).text).toContain('acme/tools');
    expect(labels(w)).toEqual([LANGUAGE_TEXTS.zh.proposal.does.new]);
    expect(await w.ledger.query.runs({ live: true, limit: 5 })).toEqual([]);
    expect(await w.taps(LANGUAGE_TEXTS.zh.proposal.does.new)).toBe(LANGUAGE_TEXTS.zh.tap.done);
    const [run] = await w.ledger.query.runs({ live: true, limit: 5 });
    expect(run?.order).toMatchObject({ repo: 'acme/tools', goal: '加一个许可证文件' });
  });
});
