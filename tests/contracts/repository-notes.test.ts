/** E21: what people ask for again becomes a note of its repository, after a tap of an approver, and agents are told it. */
import { describe, expect, it, vi } from 'vitest';
import {
  addNote,
  findRepeatedRequest,
  forgetNote,
  listNotedRepositories,
  readNotes,
} from '#repository-notes';
import { createBriefing } from '#briefing';
import { ENGLISH_WORDING } from '#language';
import { NO_USAGE } from '#model/reports';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import { findNoteOfferInboxItem } from '#notices';
import { offerRepeatedRequest } from '../../orchestrator/notices/note-offer.ts';
import type { Run } from '#run';
import { AGENT_NAMES } from '../../executors/engines/engine-settings.ts';
import { createEngines } from '../../executors/engines/engines.ts';
import type { CommandSandbox } from '../../executors/sandbox/create-sandbox.ts';
import type { BriefingParts } from '../../orchestrator/briefing/brief-agent.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../../orchestrator/kernel/run/round-table.ts';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { at } from '../support/core.ts';
import { createChatWorld, ANA, VIC } from '../support/chat-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

const runWith = (id: string, lessons: Run['agent']['lessons'], words: string[] = []): Run =>
  ({ id, agent: { lessons, operatorWords: words.map((text) => ({ words: text })) } }) as unknown as Run;

const WISH = 'Tests live in spec/.';

describe('a wish', () => {
  const isRepeated = async (one: string, other: string): Promise<boolean> =>
    (await findRepeatedRequest(runWith('r2', [], [one]), [runWith('r1', [], [other])], [])) !== null;

  it.each([
    ['Tests live in spec/, not in test/.', 'tests live in spec/'],
    ['No em dashes, please.', 'please no em dashes in the docs'],
    ['Put the helper into lib/.', 'The helpers should go into lib/'],
    ['测试放在 spec 目录里', '请把测试放在 spec 目录里'],
  ])('E21: is the same in other words: %s', async (one, other) => {
    expect(await isRepeated(one, other)).toBe(true);
    expect(await isRepeated(other, one)).toBe(true);
  });

  it.each([
    ['Tests live in spec/.', 'No em dashes.'],
    ['Rename the function.', 'Rename the file.'],
    ['Use it here.', 'Use that there.'],
    ['Add a test', 'Remove the changelog entry for the old parser and add one for the new'],
    ['测试放在 spec 目录里', '不要用破折号'],
  ])('E21: is another one: %s', async (one, other) => {
    expect(await isRepeated(one, other)).toBe(false);
  });

  it('E21: counts of people and of reviews, and not of red checks, of a sibling, or within one run', async () => {
    const said = { from: 'denial', text: 'Fine so far.\nTests live in spec/.', at: 1 } as const;
    const before = runWith('r1', [said]);
    const now = runWith('r2', [], ['Move it: the tests live in spec/.']);
    expect(await findRepeatedRequest(now, [before], [])).toEqual({
      text: 'Move it: the tests live in spec/.',
      from: 'person',
      before: { run: 'r1', text: 'Tests live in spec/.' },
    });
    expect(await findRepeatedRequest(now, [before], ['tests live in spec/'])).toBeNull();
    expect(await findRepeatedRequest(now, [now], [])).toBeNull();
    for (const other of [{ ...said, from: 'checks' } as const, { ...said, taught: true } as const])
      expect(await findRepeatedRequest(now, [runWith('r1', [other])], [])).toBeNull();
    const review = runWith('r3', [{ ...said, from: 'review' }]);
    expect((await findRepeatedRequest(review, [before], []))?.from).toBe('maintainer');
    // Of several, the newest one is offered, also where a later run heard it.
    const twice = runWith('r4', [], ['No em dashes, please.', WISH]);
    const dashes = runWith('r5', [], ['Please no em dashes.']);
    expect((await findRepeatedRequest(twice, [dashes, before], []))?.text).toBe(WISH);
  });

  it('C5: is not offered with a secret in it, also one that only the whole text shows', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'aB3d/Ef+gH9'.repeat(5)}`;
    for (const words of [`Use the token ghp_${'a1B2'.repeat(9)} for it.`, key])
      expect(await isRepeated(words, words)).toBe(false);
  });

  it('L9: is looked for in each run once, in the ends of long texts, while others have their turn', async () => {
    let reads = 0;
    const said = (run: number): string =>
      Array.from({ length: 90 }, (_, i) => `please rename item${run}${i} to thing${run}x${i}.`).join(' ');
    const runOf = (run: number): Run => {
      const agent = { lessons: [], operatorWords: Array.from({ length: 5 }, () => ({ words: said(run) })) };
      return {
        id: `r${run}`,
        get agent() {
          reads += 1;
          return agent;
        },
      } as unknown as Run;
    };
    const runs = Array.from({ length: 20 }, (_, i) => runOf(i + 1));
    const compared = vi.spyOn(String.prototype, 'normalize');
    let turns = 0;
    const takeTurn = (): void => {
      turns += 1;
      others = setImmediate(takeTurn);
    };
    let others = setImmediate(takeTurn);
    expect(await findRepeatedRequest(runOf(99), runs, [])).toBeNull();
    clearImmediate(others);
    const sentences = compared.mock.calls.length;
    compared.mockRestore();
    expect(reads).toBe(21);
    expect(sentences).toBeLessThanOrEqual(21 * 40);
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});

const OLA = '10';
const NO_GROUND = { past: [], left: { files: [], unfit: [] }, undone: null, conflicts: null };
const createWorld = async () => {
  const w = await createChatWorld();
  await w.ledger.setUser({ id: OLA, name: 'Ola', role: 'operator' }, null);
  return w;
};
type World = Awaited<ReturnType<typeof createChatWorld>>;

/** As the product does when a run was written. */
const compare = async (w: World, runId: string): Promise<void> => {
  const run = await w.run(runId);
  const note = run && findNoteOfferInboxItem(run, null);
  if (!note) return;
  await w.ledger.receive([note], w.clock.now());
  const row = (await w.ledger.inbox(10)).find(({ key }) => key === note.key);
  if (row) await offerRepeatedRequest(w.ledger, row, w.clock);
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

  it('E21: is not lost when two are kept at once, and its number is never that of another one', async () => {
    const { ledger } = await createWorld();
    const [by, repo] = [{ id: ANA, name: 'Ana' }, 'acme/app'];
    const texts = ['Tests live in spec/.', 'No em dashes.', 'Docs in German.'];
    await Promise.all(texts.map((text) => addNote(ledger, { repo, text, by, at: 1 })));
    expect((await readNotes(ledger, repo)).map(({ text }) => text).sort()).toEqual([...texts].sort());
    const numbers = (await readNotes(ledger, repo)).map(({ no }) => no);
    expect(numbers).toEqual([1, 2, 3]);
    await forgetNote(ledger, { repo, no: 3, by });
    await addNote(ledger, { repo, text: 'Small commits.', by, at: 2 });
    // A late second tap meets nothing.
    expect(await forgetNote(ledger, { repo, no: 3, by })).toBe('unknown');
    expect((await readNotes(ledger, repo)).map(({ no }) => no)).toEqual([1, 2, 4]);
  });

  it('E21: is listed from the moment that it is kept, wherever a process is killed', async () => {
    const { ledger } = await createWorld();
    const [by, repo] = [{ id: ANA, name: 'Ana' }, 'acme/app'];
    for (let writes = 1; (await readNotes(ledger, repo)).length === 0; writes += 1) {
      let left = writes;
      const dies = {
        ...ledger,
        changeSetting: async (...change: Parameters<typeof ledger.changeSetting>) => {
          if (left-- === 0) throw new Error('killed');
          return ledger.changeSetting(...change);
        },
      } as typeof ledger;
      await addNote(dies, { repo, text: 'No em dashes.', by, at: 1 }).catch(() => 'killed');
      expect(await listNotedRepositories(ledger)).toEqual(
        (await readNotes(ledger, repo)).length === 0 ? [] : [repo],
      );
    }
  });

  it('E21: holds no secret and nothing invisible, as it was shown', async () => {
    const w = await createWorld();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await w.says(`/notes acme/app add Use ${token} and \u202e this`);
    const [text = ''] = await textsOf(w);
    expect(text).not.toContain(token);
    expect(text).not.toContain('\u202e');
  });

  it.each(AGENT_NAMES)('E21: is told to %s in every round, as data of the operator', async (engine) => {
    const { ledger } = await createWorld();
    const [by, repo] = [{ id: ANA, name: 'Ana' }, at('IMPLEMENTING').run.order.repo];
    await addNote(ledger, { repo, text: 'Tests live in spec/.', by, at: 1 });
    const sandbox = { level: 'bwrap' } as CommandSandbox;
    const brief = createBriefing({
      ledger,
      agents: { engines: createEngines({ sandbox }, { env: {}, home: '/nowhere' }) },
      workspaces: { tree: async () => ({ paths: [] }) },
      settings: { policies: DEFAULT_POLICY_SETTINGS },
      texts: { wording: ENGLISH_WORDING },
      skill: () => 'Be brief.',
    } as unknown as BriefingParts);
    for (const session of [null, { id: 's1', usage: NO_USAGE }])
      for (const kind of ['implement', 'person_question'] as const) {
        const { run } = at('IMPLEMENTING');
        const now = patchRun(run, { order: { ...run.order, engine }, agent: { session } });
        const { prompt } = await brief(now, { ...ROUND_WITHOUT_FEEDBACK, kind }, NO_GROUND);
        expect(prompt).toMatch(/## Notes for this repository[^]*\n```\n- Tests live in spec\/\.\n```\n/);
      }
  });
});
