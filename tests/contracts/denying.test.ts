/** P4: a no on a card: two taps, a reason that is kept with who gave it, or words in answer. */
import { describe, expect, it } from 'vitest';
import { DENIALS } from '../../orchestrator/core/feedback.ts';
import { LANGUAGES } from '../../bot/language/language.ts';
import { ANA, BO, createChatWorld, VIC, type Delivered } from '../support/chat-world.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
const cardIn = (w: World): Delivered =>
  w.messages.find(({ text }) => text.startsWith('Open this')) as Delivered;
const labels = ({ buttons }: Delivered): string[] => buttons.flat().map(({ text }) => text);
const answers = (to: Delivered) => ({ reply_to_message: { message_id: Number(to.messageId) } });

describe('denying with a reason', () => {
  it.each([
    ['Wrong approach', 'approach', 'Denied by P7: it is the wrong approach'],
    ['Too big', 'big', 'Denied by P7: it is too big'],
    ['Tests missing', 'tests', 'Denied by P7: tests are missing'],
    ['Not needed', 'unneeded', 'Denied by P7: it is not needed'],
  ] as const)('P4: %s is two taps, kept with who said it, shown by /status', async (chip, because, said) => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Deny');
    const card = cardIn(w);
    expect(labels(card)).toEqual([
      ...['Wrong approach', 'Too big', 'Tests missing', 'Not needed', 'Other…', 'No reason', 'Back'],
    ]);
    expect((await w.run(id)).approval).not.toBeNull();
    expect(await w.taps(chip)).toBe('Recorded: denied.');
    expect((await w.run(id)).reason).toMatchObject({ kind: 'rejected', because });
    const denied = (await w.ledger.query.events(id)).find(({ type }) => type === 'command.deny');
    expect(JSON.parse(denied?.body ?? '')).toMatchObject({ input: { by: { id: ANA }, because } });
    expect(card.text).toContain(said);
    expect(card.buttons).toEqual([]);
    expect((await w.says('/status')).join()).toContain(said);
  });

  it('P4: every reason is there in every language, and Back takes none of them', async () => {
    for (const { denials } of Object.values(LANGUAGES))
      for (const one of DENIALS)
        expect([denials.chips[one], denials.why[one], denials.told[one]].every((t) => t !== '')).toBe(true);
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Deny');
    await w.taps('Back');
    expect(labels(cardIn(w))).toContain('Deny');
    expect((await w.run(id)).approval).not.toBeNull();
  });

  it('P4: other words are asked for in a message of their own, and its answer is the reason', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Deny');
    const card = cardIn(w);
    expect(await w.taps('Other')).toMatch(/message below/);
    const question = w.messages.at(-1) as Delivered;
    expect(question).toMatchObject({ asks: true, buttons: [] });
    expect(labels(cardIn(w))).toContain('Deny');
    expect(card).not.toHaveProperty('asks');
    expect(await w.says('no', { ...answers(question), by: VIC, chat: ANA })).toEqual([
      expect.stringContaining('Only approvers'),
    ]);
    expect((await w.says('x'.repeat(2_001), answers(question))).join()).toMatch(/2000|2,000/);
    expect((await w.run(id)).approval).not.toBeNull();
    await w.says('Use the <v2> API.', answers(question));
    expect((await w.run(id)).reason).toMatchObject({ kind: 'rejected', note: 'Use the <v2> API.' });
    expect(card.text).toMatch(/^Denied[^]*Use the <v2> API\./);
    // A second answer comes too late for this card.
    expect(await w.says('And more.', answers(question))).toEqual([expect.stringMatching(/^Already closed/)]);
  });

  it('G4: reasons are an approver’s to give, and only for the card that shows them', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Deny');
    const card = cardIn(w);
    expect(await w.taps('Too big', { by: VIC, chat: ANA, on: card })).toMatch(/Only approvers/);
    const token = card.buttons.flat().find(({ text }) => text === 'Too big')?.token ?? '';
    expect(await w.taps('', { by: BO, chat: BO, data: token, messageId: card.messageId })).toMatch(
      /another chat/,
    );
    await w.says(`/pause ${id}`);
    expect(await w.taps('', { on: card, data: token })).toMatch(/void/);
    expect((await w.run(id)).state).toBe('PAUSED');
  });
});
