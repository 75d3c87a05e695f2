/**
 * E21 with every engine, the real programs and the whole product: words to an agent at work, a question,
 * a change that is taken back, and an agent that is stopped, each over a SIGKILL of everything. What its
 * model was told is looked at. Skipped where a program is not installed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { OperatorWords } from '../../orchestrator/kernel/run/operator-words.ts';
import { approves, cardFor, tapOn } from '../support/approves.ts';
import { call, edit } from '../support/builtin-round.ts';
import { createFakeModel, type FakeModel, type Turn } from '../support/fake-model.ts';
import { withAgent } from '../support/installed-agents.ts';
import { buttonsOf, withButton } from '../support/persistent-person.ts';
import { PATIENCE, type Product } from '../support/product.ts';
import { createScriptedProduct, type ScriptedName } from '../support/scripted-agents.ts';
import { asksOnCard, saysNow, sealedIn, tellsAgent } from '../support/steering.ts';

const REPO = 'acme/steered';
const GOAL = 'Greet somebody in lower case';
const NOTE = 'NOTED-WORDS: a greeting ends without a full stop.';
const WORDS = 'HELPER-WORDS: greet in lower case';
const MORE = 'FURTHER-WORDS: and be brief';
const REPORT: Turn = { report: { status: 'done', summary: 'It greets in lower case.', ran: [] } };
const SILENT: Turn = { silent: true };
/** Some of the programs take long to start (ms). */
const WITHIN = { deadlineMs: 2 * PATIENCE };

/** How the scripted model works behind an engine: it looks at a file, and puts `to` in the place of `from`. */
type Hands = { looks: (file: string) => Play; edits: (file: string, from: string, to: string) => Play };
/** A turn, or what gives it once the model is asked. */
type Play = Turn | (() => Turn | Promise<Turn>);
const turnOf = (play: Play): Turn | Promise<Turn> => (typeof play === 'function' ? play() : play);
const BY_COMMANDS: Hands = {
  looks: (file) => ({ run: `cat ${file}` }),
  edits: (file, from, to) => ({ run: `sed -i s/${from}/${to}/ ${file}` }),
};
/** What asks before it runs a command edits by its own tools, which need no permission. */
const byTools = (looks: string, edits: string, more: object = {}): Hands => ({
  looks: (file) => () => call(looks, { file_path: inWorkspace(file) }),
  edits: (file, from, to) => () =>
    call(edits, { file_path: inWorkspace(file), old_string: from, new_string: to, ...more }),
});

const ENGINES: readonly (Hands & {
  engine: ScriptedName;
  program?: string;
  /** How it is told words that are to be said now. */
  hears: 'stream' | 'prompt';
})[] = [
  { engine: 'claude', hears: 'stream', ...BY_COMMANDS },
  { engine: 'codex', hears: 'prompt', ...BY_COMMANDS },
  { engine: 'opencode', hears: 'prompt', ...BY_COMMANDS },
  { engine: 'gemini', hears: 'prompt', ...byTools('read_file', 'replace', { instruction: 'Greet' }) },
  { engine: 'acp', program: 'claude-agent-acp', hears: 'stream', ...byTools('Read', 'Edit') },
  {
    engine: 'builtin',
    hears: 'stream',
    looks: (file) => call('read', { path: file }),
    edits: (file, from, to) => edit(file, from, to),
  },
];

let model: FakeModel;
let product: Product;
beforeEach(async () => {
  model = await createFakeModel();
});
afterEach(async () => {
  await product.close();
  await model.close();
});

const inWorkspace = (file: string): string =>
  path.join(product.dataDir, 'runs', product.run(REPO)?.id ?? '', 'ws', file);
const read = (file: string): string => readFileSync(inWorkspace(file), 'utf8');
const times = (body: unknown, words: string): number => JSON.stringify(body).split(words).length - 1;
/** What the model was asked in the run’s conversation; some programs ask for a title, too. */
const asked = () => model.requests.map(({ body }) => body).filter(isOfRun);
const isOfRun = (body: FakeModel['requests'][number]['body']): boolean =>
  times(body, GOAL) > 0 && times(body, '"tools":[{') > 0;
const counts = (words: string): number[] => asked().map((body) => times(body, words));
const isAsked = (requests: number): Promise<unknown> =>
  product.waitFor(() => asked().length >= requests, {
    ...WITHIN,
    what: `${requests} requests of its model`,
  });
const words = (): readonly OperatorWords[] => product.run(REPO)?.agent.operatorWords ?? [];
const session = (): string | undefined => product.run(REPO)?.agent.session?.id;

const answers = (decide: (body: object) => Play | Promise<Play>): void =>
  model.answers(async (body) => (isOfRun(body) ? turnOf(await decide(body)) : { say: 'Greeting' }));
/** The last one repeats. */
const plays = (...all: readonly Play[]): void => {
  const left = [...all];
  answers(() => (left.length > 1 ? left.shift() : left[0]) ?? SILENT);
};

const begin = async ({ engine, program }: (typeof ENGINES)[number]): Promise<void> => {
  const settings = program === undefined ? {} : { command: program };
  product = await createScriptedProduct(engine, model, { settings });
  const from = { 'hello.txt': 'Hello\n', 'README.md': 'old\n', '.gitignore': '*.log\n' };
  await product.github.addRepo({ owner: 'acme', name: 'steered', from });
  product.start();
  product.ana.sends(`/notes ${REPO} add ${NOTE}`);
  await product.ana.waitForMessage(NOTE, WITHIN);
  product.ana.sends(`/new ${REPO} ${GOAL} check="grep -q hello hello.txt"`);
};
const dies = async (): Promise<void> => {
  await product.kill();
  await product.processesGone(product.processes);
};
/** A message after which a card of the run can be approved. */
const cardAfter = (messageId: number, like: RegExp) =>
  product.ana.waitForMessage((m) => m.messageId > messageId && withButton(like)(m), {
    ...WITHIN,
    what: 'the next card',
  });
const opensPull = async (sha: string | undefined): Promise<void> => {
  await approves(product.ana, REPO);
  await product.ana.waitForMessage('Pull request #1 opened', WITHIN);
  expect(product.github.repo(REPO).pulls[0]?.headSha).toBe(sha);
  expect(product.complaints()).toEqual([]);
};
const commit = () => product.run(REPO)?.change.commit;

describe.each(ENGINES)('the real $engine', (row) => {
  const { test } = withAgent(row.program ?? row.engine);
  const greets = (): Play => row.edits('hello.txt', 'Hello', 'hello');

  test('E21: hears words now, with the note of its repository, and once, though all is killed then', async () => {
    const onTheirWay = Promise.withResolvers<void>();
    let heard = 0;
    answers(async (body) => {
      if (times(body, WORDS) > 0) {
        heard += 1;
        return heard === 1 ? greets() : SILENT;
      }
      const already = asked().length;
      if (already > 1) await onTheirWay.promise;
      return row.looks(already % 2 === 0 ? 'hello.txt' : 'README.md');
    });
    await begin(row);
    await isAsked(2);
    await tellsAgent(product, REPO, WORDS);
    await saysNow(product);
    onTheirWay.resolve();
    await product.waitFor(() => heard > 1 && words()[0]?.delivered, { what: 'words to be heard' });
    const before = session();
    await dies();
    expect(read('hello.txt')).toBe('hello\n');
    plays(REPORT);
    product.start();
    expect((await cardFor(product.ana, REPO)).text).toContain('+1');
    expect(words()).toMatchObject([{ no: 1, when: 'now', delivered: { how: row.hears } }]);
    expect(session()).toBe(before);
    const told = counts(WORDS);
    expect(told.slice(told.indexOf(1))).toEqual(told.slice(told.indexOf(1)).map(() => 1));
    expect(counts(NOTE)[0]).toBe(1);
  }, 6);

  test('E21, L6: hears words after its turn, though all is killed while they wait', async () => {
    plays(row.looks('hello.txt'), SILENT);
    await begin(row);
    await isAsked(2);
    await tellsAgent(product, REPO, WORDS);
    expect(words()).toMatchObject([{ no: 1, when: 'after' }]);
    const before = session();
    await dies();
    const ends = Promise.withResolvers<Turn>();
    plays(row.looks('hello.txt'), greets(), () => ends.promise, REPORT);
    const already = asked().length;
    product.start();
    await isAsked(already + 3);
    await tellsAgent(product, REPO, MORE);
    ends.resolve(REPORT);
    await cardFor(product.ana, REPO);
    expect(words()).toMatchObject([1, 2].map((no) => ({ no, delivered: { how: 'prompt' } })));
    expect(session()).toBe(before);
    expect(counts(WORDS)).toEqual(asked().map((_, i) => (i < already ? 0 : 1)));
    expect(counts(MORE)).toEqual(asked().map((_, i) => (i < already + 3 ? 0 : 1)));
  }, 6);

  test('E21, L6: answers about its card over a SIGKILL, and can change no file, not even one that git ignores', async () => {
    plays(row.looks('hello.txt'), greets(), REPORT);
    await begin(row);
    await isAsked(3);
    const card = await cardFor(product.ana, REPO);
    const [sealed, before] = [sealedIn(product, REPO), session()];
    writeFileSync(inWorkspace('build.log'), 'built\n');
    const already = asked().length;
    plays(SILENT);
    await asksOnCard(product, card, WORDS);
    await isAsked(already + 1);
    await dies();
    plays(
      row.looks('build.log'),
      row.edits('build.log', 'built', 'spoilt'),
      row.edits('hello.txt', 'hello', 'spoilt'),
      { report: { status: 'done', summary: 'Because the goal says so.', ran: [] } },
    );
    product.start();
    const answer = await product.ana.waitForMessage(/Ana asked the agent/, WITHIN);
    expect(answer.text).toContain('Because the goal says so.');
    expect([read('build.log'), read('hello.txt')]).toEqual(['built\n', 'hello\n']);
    expect(sealedIn(product, REPO)).toEqual(sealed);
    expect(session()).toBe(before);
    expect(times(asked().at(-1), WORDS)).toBeGreaterThanOrEqual(1);
    expect(times(asked().at(-1), 'What a person asks you about your work')).toBeGreaterThanOrEqual(1);
    await opensPull(commit()?.sha);
  }, 6);

  test('E21, L6: does what was asked for over a SIGKILL, and is told nothing when that is taken back', async () => {
    plays(row.looks('hello.txt'), greets(), REPORT);
    await begin(row);
    await isAsked(3);
    const card = await cardFor(product.ana, REPO);
    const [first, before] = [commit(), session()];
    const already = asked().length;
    plays(SILENT);
    product.ana.sends(`/changes ${product.run(REPO)?.id} ${WORDS}`);
    await isAsked(already + 1);
    await dies();
    plays(row.looks('README.md'), row.edits('README.md', 'old', 'new'), REPORT);
    product.start();
    const second = await cardAfter(card.messageId, /^Take back$/);
    expect(commit()?.diff.files.map(({ path: name }) => name)).toEqual(['README.md', 'hello.txt']);
    expect(session()).toBe(before);
    expect(counts(WORDS).slice(0, already)).toEqual(
      counts(WORDS)
        .slice(0, already)
        .map(() => 0),
    );
    expect(times(asked().at(-1), WORDS)).toBeGreaterThanOrEqual(1);
    const told = asked().length;
    await tapOn(product.ana, second, /^Take back$/);
    await dies();
    product.start();
    const back = await cardAfter(second.messageId, /^Open PR\b/);
    expect(buttonsOf(back)).not.toContain('Take back');
    expect(commit()).toEqual(first);
    await opensPull(first?.sha);
    expect(asked()).toHaveLength(told);
  }, 6);

  test('E21, L6: is stopped, and what it edited is kept, though all is killed before and after', async () => {
    plays(row.looks('hello.txt'), greets(), SILENT);
    await begin(row);
    await isAsked(3);
    await dies();
    plays(SILENT);
    product.start();
    await isAsked(4);
    product.ana.sends(`/pause ${product.run(REPO)?.id}`);
    const paused = await product.ana.waitForMessage(
      (m) => m.text.startsWith('PAUSED') && withButton(/^Stop and keep$/)(m),
      WITHIN,
    );
    await product.atRest();
    const told = asked().length;
    await tapOn(product.ana, paused, /^Stop and keep$/);
    await dies();
    product.start();
    expect((await cardFor(product.ana, REPO)).text).toContain('+1');
    await opensPull(commit()?.sha);
    expect(asked()).toHaveLength(told);
  }, 6);
});
