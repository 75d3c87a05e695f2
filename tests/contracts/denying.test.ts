/** P4: a no on a card: two taps, a reason that is kept with who gave it, or words in answer. */
import { describe, expect, it } from 'vitest';
import { DENIAL_REASONS } from '#model/feedback';
import { LANGUAGE_TEXTS } from '#language';
import { ANA, BO, createChatWorld, VIC, type Delivered } from '../support/chat-world.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
const cardIn = (w: World): Delivered =>
  w.messages.find(({ text }) => text.startsWith('Open this')) as Delivered;
const labels = ({ buttons }: Delivered): string[] => buttons.flat().map(({ text }) => text);
const answers = (to: Delivered) => ({ reply_to_message: { message_id: Number(to.messageId) } });

describe('denying with a reason', () => {
  it.each([
    ['Wrong approach', 'approach', 'Denied by P7: it is the wrong approach'],
    ['Not needed', 'unneeded', 'Denied by P7: it is not needed'],
    ['No reason', undefined, 'Denied by P7.'],
  ] as const)('P4: %s ends the run with two taps, and rings nobody', async (chip, because, said) => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Deny');
    const card = cardIn(w);
    expect(labels(card)).toEqual(['Wrong approach', 'Not needed', 'No reason', 'Back']);
    expect((await w.run(id)).gate.approval).not.toBeNull();
    const before = w.messages.length;
    expect(await w.taps(chip)).toBe('Recorded: denied.');
    const run = await w.run(id);
    expect(run).toMatchObject({
      lifecycle: { state: 'FAILED_TERMINAL', reason: { kind: 'ended_by_person', how: 'denied' } },
    });
    expect(run.lifecycle.reason).toEqual(
      because ? expect.objectContaining({ denialReason: because }) : run.lifecycle.reason,
    );
    const denied = (await w.ledger.query.events(id)).find(({ type }) => type === 'command.deny');
    expect(JSON.parse(denied?.body ?? '')).toMatchObject({ input: { by: { id: ANA }, final: true } });
    expect(card.text).toContain(said);
    expect(card.buttons).toEqual([]);
    expect(w.messages.slice(before).filter(({ silent }) => !silent)).toEqual([]);
  });

  it('P4: every reason is there in every language, and Back takes none of them', async () => {
    for (const { denials } of Object.values(LANGUAGE_TEXTS))
      for (const one of DENIAL_REASONS)
        expect([denials.chips[one], denials.why[one], denials.told[one]].every((t) => t !== '')).toBe(true);
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    for (const button of ['Deny', 'Ask for changes']) {
      await w.taps(button);
      await w.taps('Back', { on: cardIn(w) });
      expect(labels(cardIn(w))).toContain(button);
    }
    expect((await w.run(id)).gate.approval).not.toBeNull();
  });

  it('G4: reasons are an approver’s to give, and only for the card that shows them', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Deny');
    const card = cardIn(w);
    expect(await w.taps('Not needed', { by: VIC, chat: ANA, on: card })).toMatch(/Only approvers/);
    const token = card.buttons.flat().find(({ text }) => text === 'Not needed')?.token ?? '';
    expect(await w.taps('', { by: BO, chat: BO, data: token, messageId: card.messageId })).toMatch(
      /another chat/,
    );
    await w.says(`/pause ${id}`);
    expect(await w.taps('', { on: card, data: token })).toMatch(/void/);
    expect((await w.run(id)).lifecycle.state).toBe('PAUSED');
  });
});

describe('asking for changes', () => {
  const goesOn = async (w: World, id: string, note: string): Promise<void> => {
    const run = await w.run(id);
    expect(run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', reason: { kind: 'rejected', note, again: true } },
      agent: { round: { kind: 'rejection_fix' } },
    });
  };

  it.each([
    ['Ask for changes', 'as a message', {}],
    ['Ask for changes', 'below a photo', { caption: true }],
    ['Deny', 'as a message', {}],
    ['Deny', 'below a photo', { caption: true }],
  ] as const)('P4: after %s, words %s go to the agent at once, and ring nobody', async (button, _, how) => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps(button);
    const card = cardIn(w);
    const before = w.messages.length;
    const words = 'Please tell of it in the changelog, too.';
    const said =
      'caption' in how
        ? await w.says('', { text: undefined, photo: [{ file_id: 'p' }], caption: words })
        : await w.says(words);
    await goesOn(w, id, words);
    expect(said.join()).toContain('caption' in how ? 'the picture stays here' : 'it goes on');
    expect(card.text).toMatch(/^Changes asked for[^]*tell of it in the changelog/);
    expect(card.buttons).toEqual([]);
    expect(w.messages.slice(before).filter(({ silent }) => !silent)).toEqual([]);
  });

  it('P4: a reply to the question, or to the card, is the same', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Ask for changes');
    const question = w.messages.at(-1) as Delivered;
    expect(question).toMatchObject({ asks: true, buttons: [] });
    expect(await w.says('no', { ...answers(question), by: VIC, chat: ANA })).toEqual([
      expect.stringContaining('Only approvers'),
    ]);
    expect((await w.says('x'.repeat(20_001), answers(question))).join()).toMatch(/characters/);
    expect((await w.run(id)).gate.approval).not.toBeNull();
    await w.says('Use the <v2> API.', answers(question));
    await goesOn(w, id, 'Use the <v2> API.');
    // A second answer comes too late for this card.
    expect(await w.says('And more.', answers(question))).toEqual([expect.stringMatching(/^Already closed/)]);

    const other = await createChatWorld();
    const run = await other.readyRun();
    await other.taps('Deny');
    await other.says('Use the <v3> API.', answers(cardIn(other)));
    await goesOn(other, run.id, 'Use the <v3> API.');
  });

  it.each([
    ['Too big', 'big'],
    ['Tests missing', 'tests'],
  ] as const)('P4: %s is one more tap, and no typing', async (chip, because) => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Ask for changes');
    expect(labels(cardIn(w))).toEqual(['Too big', 'Tests missing', 'Back']);
    await w.taps(chip);
    expect(await w.run(id)).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', reason: { denialReason: because, again: true } },
    });
  });

  it.each(['Mention it in the docs.', 'Use a constant.', 'Rename the retry helper.', '加个测试'])(
    'P4: few words are an answer, too, whatever a guess would make of them: %s',
    async (words) => {
      const w = await createChatWorld();
      const { id } = await w.readyRun();
      await w.taps('Ask for changes');
      await w.says(words);
      await goesOn(w, id, words);
    },
  );

  it.each(['Deny', 'Ask for changes'])(
    'P4: words that come between %s and its question are its answer',
    async (button) => {
      const w = await createChatWorld();
      const { id } = await w.readyRun();
      const card = cardIn(w);
      const before = w.messages.length;
      await w.holdsBack(async () => {
        await w.taps(button);
        expect(w.messages).toHaveLength(before);
        await w.says('Tell of it in the changelog.');
      });
      await w.deliver();
      await goesOn(w, id, 'Tell of it in the changelog.');
      expect(card.text).toMatch(/^Changes asked for/);
      expect(labels(card)).toEqual([]);
      // The question that came too late asks for nothing any more.
      expect(w.messages.slice(before).filter(({ silent }) => !silent)).toEqual([]);
    },
  );

  it.each(['Deny', 'Ask for changes'])(
    'C1: a voice message of an hour after %s decides nothing, and says that words are needed',
    async (button) => {
      const w = await createChatWorld();
      const { id } = await w.readyRun();
      await w.taps(button);
      const voice = { file_id: 'v', file_unique_id: 'v', duration: 3_600, file_size: 60_000_000 };
      const said = await w.says('', { text: undefined, voice });
      expect(said.join()).toMatch(/hear|listen|voice/i);
      expect((await w.run(id)).gate.approval).not.toBeNull();
      await w.says('Tell of it in the changelog.');
      await goesOn(w, id, 'Tell of it in the changelog.');
    },
  );

  it.each([
    ['Deny', 'pause everything, there is an incident'],
    ['Ask for changes', 'please cancel the acme/docs run right now'],
    ['Deny', '暂停文档那个任务，出故障了'],
    ['Ask for changes', '全部暂停，线上出故障了，先这样'],
  ])(
    'C4: after %s, an order of any length is asked about, and not given to the agent: %s',
    async (button, words) => {
      // Without a name that is known, words in a reply to the card itself are for its agent.
      for (const toCard of words.startsWith('暂停文档') ? [false] : [false, true]) {
        const w = await createChatWorld();
        await w.readyRun({ order: { repo: 'acme/docs' } });
        const docs = cardIn(w);
        const { id } = await w.readyRun();
        const card = w.messages.findLast(
          (one) => one.text.startsWith('Open this') && one !== docs,
        ) as Delivered;
        await w.taps(button, { on: card });
        await w.says(words, toCard ? answers(card) : {});
        expect((await w.run(id)).gate.approval).not.toBeNull();
        expect((await w.run(id)).lifecycle.state).not.toBe('IMPLEMENTING');
        const { use, other } = LANGUAGE_TEXTS[/\p{Script=Han}/u.test(words) ? 'zh' : 'en'].denials.perhaps;
        if (!toCard) expect(labels(w.messages.at(-1) as Delivered)).toEqual([use, other]);
      }
    },
  );

  it.each(['All log lines should say which run they are about.', '重试次数改成五次，并且在日志里写清楚原因'])(
    'P4: a long sentence that only names what could be shown is an answer: %s',
    async (words) => {
      const w = await createChatWorld();
      const { id } = await w.readyRun();
      await w.taps('Ask for changes');
      await w.says(words);
      await goesOn(w, id, words);
    },
  );

  it('C4: once it is taken back, and before any tap, words are read as ever', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.says('Name the helper after what it does.');
    await w.taps('Deny');
    await w.taps('Back', { on: cardIn(w) });
    await w.says('Name the helper after what it does.');
    expect((await w.run(id)).gate.approval).not.toBeNull();
  });

  it('C4, E21: a reply to a message of a run that has ended changes no other card, and says that it ended', async () => {
    const w = await createChatWorld();
    const ended = await w.readyRun({ order: { engineArgs: ['x'] } });
    const theirs = cardIn(w);
    await w.offer(ended.id, { type: 'command.cancel', by: { id: ANA, name: 'Ana' }, reason: '' });
    const { id } = await w.readyRun();
    const card = w.messages.findLast(({ text }) => text.startsWith('Open this')) as Delivered;
    await w.taps('Ask for changes', { on: card });
    const before = await w.run(id);
    const words = 'Use the helper in lib/ instead.';
    for (const said of [words, 'cancel it', 'Why did you do that?', 'thanks!', `${words} `.repeat(25)]) {
      const told = await w.says(said, answers(theirs));
      if (said.startsWith(words)) expect(told.join('\n')).toContain(`${ended.id} has ended:`);
      if (said === 'cancel it') expect(told.join('\n')).toContain('was cancelled');
      expect(await w.run(id)).toEqual(before);
      const all = w.messages.flatMap(({ buttons }) => buttons.flat());
      expect(all.map(({ text }) => text)).not.toContain('Ask for these changes');
    }
    // A reply to a message that is of no run is for no card either.
    await w.says(words, { reply_to_message: { message_id: 987_654 } });
    expect(await w.run(id)).toEqual(before);
    await w.says(words);
    await goesOn(w, id, words);
  });

  it('C4: a request for the fleet or an order that comes then is none for the agent', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Deny');
    for (const words of ['status', 'cancel it', 'pause everything', 'lgtm, merge it']) await w.says(words);
    expect((await w.run(id)).gate.approval).not.toBeNull();
  });
});

describe('asking the agent', () => {
  const WHY = 'Why did you change the default?';
  const TALKS = { id: 's1', usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 } };
  /** *Ask for changes* begins alike. */
  const askOn = (card: Delivered): string =>
    card.buttons.flat().find(({ text }) => text === 'Ask')?.token ?? '';
  const questionsOf = async (w: World, id: string) => (await w.run(id)).agent.personQuestions ?? [];

  it('E21: a button asks for the words, which reach the agent; the card stays as it is', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun({ session: TALKS });
    const { gate } = await w.run(id);
    const card = cardIn(w);
    expect(labels(card)).toContain('Ask');
    expect(await w.taps('', { on: card, data: askOn(card) })).toBe('Reply to the message below.');
    const form = w.messages.at(-1) as Delivered;
    expect(form.text).toContain('the agent answers, and nothing is changed');
    await w.says(WHY, answers(form));
    expect(await questionsOf(w, id)).toMatchObject([{ text: WHY, chat: ANA, outcome: null }]);
    expect(w.messages.at(-1)?.text).toContain('Asked. The answer comes here');
    expect((await w.run(id)).gate).toEqual(gate);
    expect(labels(cardIn(w))).toEqual(labels(card));
  });

  it('E21: only operators ask, and approvers take back', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun({ session: TALKS });
    expect(await w.taps('', { by: VIC, chat: ANA, on: cardIn(w), data: askOn(cardIn(w)) })).toMatch(
      /Only operators/,
    );
    await w.says(`/ask ${id} ${WHY}`, { by: VIC });
    await w.says(`/take_back ${id}`, { by: VIC });
    expect(await questionsOf(w, id)).toEqual([]);
  });

  it('E21: an engine without a conversation says so at once, and its card has no such button', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    expect(labels(cardIn(w))).not.toContain('Ask');
    await w.says(`/ask ${id} ${WHY}`);
    expect(w.messages.at(-1)?.text).toContain('has no conversation that could be asked');
  });

  it('E21: a question just below the limit is asked, though what is invisible in it is written out', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun({ session: TALKS });
    await w.says(`/ask ${id} ${'a\u200b'.repeat(990)}?`);
    expect((await questionsOf(w, id))[0]?.text).toHaveLength(990 * 9 + 1);
  });

  it('E21: a mere question in place of a wish is offered as a question first', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun({ session: TALKS });
    await w.taps('Ask for changes');
    const form = w.messages.at(-1) as Delivered;
    await w.says(WHY, answers(form));
    const offer = w.messages.at(-1) as Delivered;
    expect(labels(offer)).toEqual(expect.arrayContaining(['Ask the agent', 'Ask for these changes']));
    expect((await w.run(id)).lifecycle.state).toBe('PUSHED');
    await w.taps('Ask the agent', { on: offer });
    expect(await questionsOf(w, id)).toMatchObject([{ text: WHY, chat: ANA }]);
    expect((await w.run(id)).gate.approval).not.toBeNull();
  });
});
