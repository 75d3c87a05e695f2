/** E21: what people ask for again becomes a note of its repository, after a tap of an approver, and agents are told it. */
import { describe, expect, it } from 'vitest';
import { findRepeatedWish, isAlike, readNotes } from '#repository-notes';
import { offeredNote } from '#notices';
import { offerRepeatedWish } from '../../orchestrator/notices/note-offer.ts';
import type { Run } from '#run';
import { createChatWorld, ANA, VIC } from '../support/chat-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

describe('a wish', () => {
  it.each([
    ['Tests live in spec/, not in test/.', 'tests live in spec/'],
    ['No em dashes, please.', 'please no em dashes in the docs'],
    ['Put the helper into lib/.', 'The helpers should go into lib/'],
    ['测试放在 spec 目录里', '请把测试放在 spec 目录里'],
  ])('E21: is the same in other words: %s', (one, other) => {
    expect(isAlike(one, other)).toBe(true);
    expect(isAlike(other, one)).toBe(true);
  });

  it.each([
    ['Tests live in spec/.', 'No em dashes.'],
    ['Rename the function.', 'Rename the file.'],
    ['Use it.', 'Use that.'],
    ['Add a test', 'Remove the changelog entry for the old parser and add one for the new'],
    ['测试放在 spec 目录里', '不要用破折号'],
  ])('E21: is another one: %s', (one, other) => {
    expect(isAlike(one, other)).toBe(false);
  });

  const runWith = (id: string, lessons: Run['agent']['lessons'], words: string[] = []): Run =>
    ({ id, agent: { lessons, operatorWords: words.map((text) => ({ words: text })) } }) as unknown as Run;

  it('E21: counts of people and of reviews, and not of red checks, of a sibling, or within one run', () => {
    const said = { from: 'denial', text: 'Fine so far.\nTests live in spec/.', at: 1 } as const;
    const before = runWith('r1', [said]);
    const now = runWith('r2', [], ['Move it: the tests live in spec/.']);
    expect(findRepeatedWish(now, [before], [])).toEqual({
      text: 'Move it: the tests live in spec/.',
      from: 'person',
      before: { run: 'r1', text: 'Tests live in spec/.' },
    });
    expect(findRepeatedWish(now, [before], ['tests live in spec/'])).toBeNull();
    expect(findRepeatedWish(now, [now], [])).toBeNull();
    for (const other of [{ ...said, from: 'checks' } as const, { ...said, taught: true } as const])
      expect(findRepeatedWish(now, [runWith('r1', [other])], [])).toBeNull();
    const review = runWith('r3', [{ ...said, from: 'review' }]);
    expect(findRepeatedWish(review, [before], [])?.from).toBe('maintainer');
  });
});

const WISH = 'Tests live in spec/.';
const OLA = '10';
const createWorld = async () => {
  const w = await createChatWorld();
  await w.ledger.setUser({ id: OLA, name: 'Ola', role: 'operator' }, null);
  return w;
};
type World = Awaited<ReturnType<typeof createChatWorld>>;

/** As the product does when a run was written. */
const compare = async (w: World, runId: string): Promise<void> => {
  const run = await w.run(runId);
  const note = run && offeredNote(run, null);
  if (!note) return;
  await w.ledger.receive([note], w.clock.now());
  const row = (await w.ledger.inbox(10)).find(({ key }) => key === note.key);
  if (row) await offerRepeatedWish(w.ledger, row, w.clock);
  await w.deliver();
};
const asksIn = async (w: World, id: string, words: string): Promise<void> => {
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  await w.offer(
    id,
    { type: 'command.run.create', runId: id, order: anOrder({ engine: 'codex', repo: 'acme/app' }) },
    ...toWork,
    { type: 'command.agent.tell', by: { id: ANA, name: 'Ana' }, words, when: 'after' },
  );
  await compare(w, id);
};
const offers = (w: World) => w.messages.filter(({ text }) => text.startsWith('NOTES'));
const textsOf = async (w: World) => (await readNotes(w.ledger, 'acme/app')).map(({ text }) => text);

describe('a note', () => {
  it('E21: is offered with its exact words the second time, once, and kept by an approver alone', async () => {
    const w = await createWorld();
    await asksIn(w, 'q1', WISH);
    expect(offers(w)).toHaveLength(0);
    await asksIn(w, 'q2', 'The tests live in spec/, as always.');
    expect(offers(w)).toHaveLength(1);
    expect(offers(w)[0]?.text).toContain('The tests live in spec/, as always.');
    expect(offers(w)[0]?.text).toContain(`In q1 it was: ${WISH}`);
    expect(await textsOf(w)).toEqual([]);
    for (const nobody of [VIC, OLA]) await w.taps('Keep as a note', { by: nobody });
    expect(await textsOf(w)).toEqual([]);
    await w.taps('Keep as a note');
    expect(await textsOf(w)).toEqual(['The tests live in spec/, as always.']);
    expect(offers(w)[0]?.text).toContain('Kept as a note by');
    // What is a note is not offered again, and other words are.
    await asksIn(w, 'q3', WISH);
    expect(offers(w)).toHaveLength(1);
  });

  it('E21: is listed, changed and forgotten by words; whoever is no approver only reads', async () => {
    const w = await createWorld();
    expect((await w.says('/notes')).join()).toContain('No repository has notes');
    await w.says('/notes acme/app add No em dashes.');
    await w.says('/notes acme/app add Tests live in spec/.');
    expect((await w.says('/notes acme/app', { by: VIC })).join()).toMatch(
      /1\. No em dashes\.[^]*2\. Tests live/,
    );
    await w.says('/notes acme/app 2 Tests live in test/.', { by: VIC });
    await w.says('/notes acme/app forget 1', { by: OLA });
    expect(await textsOf(w)).toEqual(['No em dashes.', 'Tests live in spec/.']);
    await w.says('/notes Acme/App 2 Tests live in test/.');
    await w.says('/notes acme/app forget 1');
    expect(await textsOf(w)).toEqual(['Tests live in test/.']);
    expect((await w.says('/notes acme/app forget 9')).join()).toContain('no note with this number');
    expect((await w.says(`/notes acme/app add ${'x'.repeat(301)}`)).join()).toContain('1 to 300 characters');
    expect((await w.says('/notes')).join()).toContain('acme/app');
    await w.says('/notes acme/app forget 2');
    expect((await w.says('/notes')).join()).toContain('No repository has notes');
  });

  it('E21: holds no secret and nothing invisible, as it was shown', async () => {
    const w = await createWorld();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await w.says(`/notes acme/app add Use ${token} and \u202e this`);
    const [text = ''] = await textsOf(w);
    expect(text).not.toContain(token);
    expect(text).not.toContain('\u202e');
  });
});
