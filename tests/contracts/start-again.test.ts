/** S11: `retry` and `fix` of a run that has ended offer a new one, with the same order and the new words. */
import { describe, expect, it } from 'vitest';
import { pull, reopened, shown, type Act } from '../support/core.ts';
import { ANA, createChatWorld } from '../support/chat-world.ts';

const newest = async (w: Awaited<ReturnType<typeof createChatWorld>>) =>
  (await w.ledger.query.runs({ live: true, limit: 5 }))[0];

describe('a run that has ended', () => {
  it.each([
    ['/retry', 'wait twice as long', 'Start again with these words'],
    ['/fix', 'wait twice as long', 'Start again with these words'],
    ['/retry', '', 'Start again'],
  ])('S11: offers to start again on %s “%s”, and does so by a tap alone', async (command, words, button) => {
    const w = await createChatWorld();
    const { id } = await w.openRun({ order: { engineArgs: ['x'], checks: ['npm test'] } });
    await w.offer(id, { type: 'command.cancel', by: { id: ANA, name: 'Ana' }, reason: '' });
    const said = await w.says(`${command} ${id} ${words}`);
    expect(said.join('\n')).toContain(`acme/api · ${id} has ended:`);
    expect(await newest(w)).toBeUndefined();
    expect(await w.taps(button)).toBe('Recorded.');
    const before = await w.run(id);
    const again = await newest(w);
    expect(again?.order).toMatchObject({ repo: 'acme/api', checks: ['npm test'], engine: 'script' });
    expect(again?.order.goal).toBe(words === '' ? before.order.goal : `${before.order.goal}\n\n${words}`);
    expect(before.lifecycle.state).toBe('FAILED_TERMINAL');
  });

  it('S11: that lives again by the tap is not begun a second time', async () => {
    const w = await createChatWorld();
    const { id } = await w.openRun({ order: { engineArgs: ['x'] } });
    const seen = async (act: Act): Promise<void> => w.offer(id, act(await w.run(id)).input);
    await seen(pull({ id: '#12', closed: true, shown: shown({}, 10_000) }));
    expect((await w.run(id)).lifecycle.state).toBe('FAILED_TERMINAL');
    await w.says(`/retry ${id} wait longer`);
    await seen(reopened({ id: '#12', shown: shown({}, 20_000) }));
    expect((await w.run(id)).lifecycle.state).not.toBe('FAILED_TERMINAL');
    const count = (await w.ledger.query.runs({ live: false, limit: 9 })).length;
    expect(await w.taps('Start again with these words')).not.toBe('Recorded.');
    expect((await w.ledger.query.runs({ live: false, limit: 9 })).length).toBe(count);
  });

  it('S11: is not offered again as less than it was: named approvers, a revert, several fixes', async () => {
    const w = await createChatWorld();
    const { id } = await w.openRun({ order: { engineArgs: ['x'], approvers: [ANA] } });
    await w.offer(id, { type: 'command.cancel', by: { id: ANA, name: 'Ana' }, reason: '' });
    expect((await w.says(`/retry ${id} wait longer`)).join('\n')).toContain('/new');
    expect(
      w.messages.flatMap(({ buttons }) => buttons.flat()).some(({ text }) => text.startsWith('Start again')),
    ).toBe(false);
  });
});
