/**
 * The gate through the real process: whatever moves, whoever taps and whenever it dies, a pull
 * request is what was approved.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answer,
  badGateway,
  commitThen,
  commitThenDrop,
  type ChatMessage,
  type Person,
  type RepoHandle,
} from '#playground';
import { withReceipt } from '../../../pull-text/receipt.ts';
import type { Run } from '#run';
import { approves, arms, buttonOf, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, TOKENS, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';
import { reasonOf } from '../../support/english.ts';

const BO = { id: '2002', name: 'Bo', role: 'approver' } as const;
const VIC = { id: '3003', name: 'Vic', role: 'viewer' } as const;
const WITHIN = { deadlineMs: PATIENCE };

const dataOf = (message: ChatMessage, like: RegExp): string =>
  message.buttons.flat().find((b) => like.test(b.text))?.data ?? '';
const opened = (product: Product, repo: RepoHandle): Promise<ChatMessage> =>
  product.ana.waitForMessage(
    (m) => m.text.includes(repo.fullName) && /Pull request #\d+ opened/.test(m.text),
    WITHIN,
  );
const closing = (product: Product, repo: RepoHandle, like: RegExp): Promise<ChatMessage> =>
  product.ana.waitForMessage(
    (m) => m.from === 'bot' && m.text.includes(repo.fullName) && like.test(m.text),
    WITHIN,
  );

// The code host is watched rarely here, so that it is the door itself which has to see what moved.
describe('the gate', () => {
  let product: Product;
  let ana: Person;
  const repos = new Map<string, RepoHandle>();
  const NAMES = [
    'moved',
    'advanced',
    'conflict',
    'others',
    'restart',
    'double',
    'dropped',
    'foreign',
    'again',
    'late',
    'unknown',
    'typed',
    'denied',
    'title',
  ];
  const repo = (name: string): RepoHandle => repos.get(name) as RepoHandle;
  const run = (name: string): Run => product.run(`acme/${name}`) as Run;
  const branch = (name: string): string => run(name).change.pushedHead?.branch ?? '';

  beforeAll(async () => {
    product = await createProduct({
      script: QUICK_AGENT,
      bounds: { pollMs: 600_000 },
      config: { maxParallelRuns: 3 },
      users: [BO, VIC],
    });
    ({ ana } = product);
    product.start();
    for (const name of NAMES) repos.set(name, await askForChange(product, name));
    for (const name of NAMES) await product.waitForState('PUSHED', `acme/${name}`);
  }, 180_000);
  afterAll(() => product.close());

  it('G2: opens nothing when somebody else has pushed to the branch, and says what moved', async () => {
    await arms(ana, 'acme/moved');
    const was = run('moved').change.pushedHead?.sha ?? '';
    const now = await repo('moved').pushForeign(branch('moved'));
    await tapOn(ana, await cardFor(ana, 'acme/moved', /^Confirm\b/), /^Confirm\b/);
    await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/moved');
    const moved = `it was at ${was.slice(0, 6)}, and is at ${now.slice(0, 6)} now`;
    await closing(product, repo('moved'), new RegExp(`NEEDS YOU[^]*${moved}`));
    await closing(product, repo('moved'), /Not opened/);
    expect(repo('moved').pulls).toEqual([]);
  });

  it('G2: opens when the target branch merely advanced', async () => {
    await cardFor(ana, 'acme/advanced');
    await repo('advanced').advance({ 'NEWS.md': 'Something else.\n' });
    expect(await approves(ana, 'acme/advanced')).toBe('Recorded: approved.');
    await opened(product, repo('advanced'));
    expect(repo('advanced').pulls).toHaveLength(1);
  });

  it('G2: opens nothing when the change conflicts with the base branch', async () => {
    await cardFor(ana, 'acme/conflict');
    const code = await repo('conflict').read('src/waits.js');
    await repo('conflict').advance({ 'src/waits.js': code.replace('factor ** failed,', 'factor * failed,') });
    await approves(ana, 'acme/conflict');
    await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/conflict');
    const told = await closing(product, repo('conflict'), /NEEDS YOU/);
    expect(told.text).toContain('the change conflicts with the base branch');
    expect(repo('conflict').pulls).toEqual([]);
  });

  it('G3, G4: takes taps only from an approver who armed the card, in the chat of the card', async () => {
    const { telegram } = product;
    const [bo, vic, eve] = [
      telegram.person(Number(BO.id), 'Bo'),
      telegram.person(Number(VIC.id), 'Vic'),
      telegram.person(6006, 'Eve'),
    ];
    const card = await cardFor(ana, 'acme/others');
    const open = dataOf(card, /^Open PR/);
    const here = { chatId: ana.chatId, messageId: card.messageId };
    const group = telegram.group(-100_7, 'The team');
    const answer = async (
      who: Person,
      data: string,
      on: { chatId?: number; messageId?: number },
    ): Promise<string> => (await who.pressRaw(data, on).answered(WITHIN)).text;
    expect(await answer(eve, open, here)).toContain('I do not know you yet');
    expect(await answer(vic, open, here)).toBe('Only approvers may do that; ask an admin.');
    expect(await answer(bo, open, { chatId: bo.chatId, messageId: card.messageId })).toBe(
      'This button belongs to another chat.',
    );
    expect(await answer(ana, open, { chatId: group.chatId, messageId: card.messageId })).toBe(
      'This button belongs to another chat.',
    );
    const armed = await arms(ana, 'acme/others');
    const confirm = dataOf(armed, /^Confirm/);
    expect(await answer(bo, confirm, here)).toBe(
      'Confirm is for whoever tapped the button before it. Tap that one first.',
    );
    expect(await answer(ana, `${confirm.slice(0, -1)}${confirm.endsWith('A') ? 'B' : 'A'}`, here)).toContain(
      'not one of mine',
    );
    expect(await answer(ana, confirm, { chatId: ana.chatId, messageId: card.messageId - 1 })).toContain(
      'replaced by a newer one',
    );
    expect(run('others').lifecycle.state).toBe('PUSHED');
    expect(repo('others').pulls).toEqual([]);
    expect(await answer(ana, confirm, here)).toBe('Recorded: approved.');
    await opened(product, repo('others'));
    expect(repo('others').pulls).toHaveLength(1);
  });

  it('G3, L6: keeps the card good over a kill between Open PR and Confirm', async () => {
    const armed = await arms(ana, 'acme/restart');
    // Shown is not yet recorded; a tap in that moment is asked to come again.
    await product.settled();
    await product.restart();
    expect(await tapOn(ana, armed, /^Confirm\b/)).toBe('Recorded: approved.');
    await opened(product, repo('restart'));
    expect(repo('restart').pulls).toHaveLength(1);
  });

  it('G1, S4: opens one pull request for two taps on Confirm, and says so', async () => {
    const armed = await arms(ana, 'acme/double');
    const data = dataOf(armed, /^Confirm/);
    const taps = [
      ana.pressRaw(data, { messageId: armed.messageId }),
      ana.pressRaw(data, { messageId: armed.messageId }),
    ];
    const texts = await Promise.all(taps.map(async (tap) => (await tap.answered(WITHIN)).text));
    expect(texts).toEqual([
      'Recorded: approved.',
      expect.stringMatching(/^Already approved by Ana\.$|replaced by a newer one/),
    ]);
    await opened(product, repo('double'));
    expect(repo('double').pulls).toHaveLength(1);
  });

  it('G1, L4: adopts its own pull request when the answer to opening it was lost', async () => {
    const at = (request: { path: string }): boolean => request.path.includes('/acme/dropped/');
    const fault = product.github.faults.next(
      { route: 'POST /repos/{owner}/{repo}/pulls', when: at },
      commitThenDrop(),
    );
    await approves(ana, 'acme/dropped');
    await opened(product, repo('dropped'));
    expect(fault.used()).toBe(1);
    expect(repo('dropped').pulls).toHaveLength(1);
    expect(product.github.calls.filter((c) => c.method === 'POST' && at(c))).toHaveLength(1);
    expect(run('dropped').upstream.pullRequest?.id).toBe('#1');
  });

  it('G1: does not adopt a pull request that somebody else opened for our branch, though it copies ours word for word', async () => {
    const { github } = product;
    github.addUser('mallory', 'token-of-mallory');
    repo('foreign').grant('mallory', 'write');
    const at = (request: { path: string }): boolean => request.path.includes('/acme/foreign/');
    const fault = github.faults.next({ route: 'POST /repos/{owner}/{repo}/pulls', when: at }, badGateway());
    await approves(ana, 'acme/foreign');
    // While our own call fails and is about to be tried again, hers succeeds with the very same
    // content.
    const ours = await github.waitFor(
      () => github.calls.find((c) => c.method === 'POST' && at(c) && c.outcome === 'answered'),
      WITHIN,
    );
    const made = await fetch(`${github.url}/repos/acme/foreign/pulls`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-mallory', 'content-type': 'application/json' },
      body: JSON.stringify(ours.params),
    });
    expect([made.status, fault.used()]).toEqual([201, 1]);
    await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/foreign');
    expect(run('foreign').upstream.pullRequest).toBeNull();
    expect(reasonOf(run('foreign'))).toContain('#1');
    expect(reasonOf(run('foreign'))).toContain('exists and is not ours');
    expect(repo('foreign').pulls).toMatchObject([{ author: 'mallory' }]);
  });

  it('L4: hears late of a pull request whose answer was lost, also when the run was cancelled since', async () => {
    const at = (request: { path: string }): boolean => request.path.includes('/acme/late/');
    // It was made, and what is said of it is another thing: long enough for somebody to change
    // their mind.
    const fault = product.github.faults.next(
      { route: 'POST /repos/{owner}/{repo}/pulls', when: at },
      commitThen(answer(429, { message: 'Too many requests' }, { 'retry-after': '4' })),
    );
    await approves(ana, 'acme/late');
    await product.github.waitFor(() => (fault.used() === 1 ? true : undefined), WITHIN);
    ana.sends(`/cancel ${run('late').id}`);
    await product.waitForState('FAILED_TERMINAL', 'acme/late');
    expect(run('late').upstream.pullRequest).toBeNull();
    await closing(product, repo('late'), /Pull request #1 was opened just before the run ended/);
    expect(repo('late').pulls).toHaveLength(1);
    expect(run('late').upstream.pullRequest?.id).toBe('#1');
  });

  it('G6: pushes nothing to its pull request that it does not know of, when it was sent back meanwhile', async () => {
    const at = (request: { path: string }): boolean => request.path.includes('/acme/unknown/');
    product.github.faults.next(
      { route: 'POST /repos/{owner}/{repo}/pulls', when: at },
      commitThen(answer(429, { message: 'Too many requests' }, { 'retry-after': '10' })),
    );
    const was = run('unknown').change.pushedHead?.sha;
    await approves(ana, 'acme/unknown');
    await product.github.waitFor(() => repo('unknown').pulls[0], WITHIN);
    ana.sends(`/pause ${run('unknown').id}`);
    await product.waitForState('PAUSED', 'acme/unknown');
    // The next change would be another one.
    await repo('unknown').advance({ 'NEWS.md': 'Something else.\n' });
    ana.sends(`/resume ${run('unknown').id} DISCOVERY`);
    await closing(product, repo('unknown'), /Pull request #1 was opened/);
    await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/unknown');
    expect(run('unknown').upstream.pullRequest?.id).toBe('#1');
    expect(await repo('unknown').head(run('unknown').change.pushedHead?.branch)).toBe(was);
  });

  it('L6: opens no second pull request for a run, though the first one is closed and was of another draft', async () => {
    const url = `${product.github.url}/repos/acme/again/pulls`;
    const asUs = (method: string, to: string, body: object): Promise<Response> =>
      fetch(to, {
        method,
        headers: { authorization: `Bearer ${TOKENS.github}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await cardFor(ana, 'acme/again');
    const receipt = {
      version: 1,
      run: run('again').id,
      digest: 'd'.repeat(64),
      policyVersion: 'builtin-1',
    } as const;
    const body = withReceipt('An earlier draft.', { ...receipt, approver: 'Ana', mac: 'not-looked-at' });
    const made = await asUs('POST', url, { title: 'Earlier', head: branch('again'), base: 'main', body });
    const closed = await asUs('PATCH', `${url}/1`, { state: 'closed' });
    expect([made.status, closed.status]).toEqual([201, 200]);
    await approves(ana, 'acme/again');
    await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/again');
    expect(reasonOf(run('again'))).toContain('has opened pull request #1 before');
    expect(repo('again').pulls).toHaveLength(1);
  });

  it('G4: takes a typed confirmation only as a new message, after a card', async () => {
    await cardFor(ana, 'acme/typed');
    const { id } = run('typed');
    const typed = `/approve_open_pr ${id} --confirm`;
    ana.edits(ana.sends('hello'), typed);
    await ana.waitForMessage('Edited messages are ignored', WITHIN);
    const mine = ana.in(product.telegram.group(-100_8, 'Elsewhere'));
    ana.forwards({ chatId: mine.chatId, messageId: mine.sends(typed) });
    await ana.waitForMessage('Forwarded messages are ignored', WITHIN);
    expect(run('typed').lifecycle.state).toBe('PUSHED');
    expect(repo('typed').pulls).toEqual([]);
    ana.sends(typed);
    await opened(product, repo('typed'));
    expect(repo('typed').pulls).toHaveLength(1);
  });

  it('S2, P4: a denied card opens nothing, and its buttons are dead', async () => {
    const card = await cardFor(ana, 'acme/denied');
    const data = dataOf(card, /^Open PR/);
    ana.sends(`/deny ${run('denied').id} the name is wrong`);
    await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/denied');
    const closed = await closing(product, repo('denied'), /Denied/);
    const decides = closed.buttons.flat().filter(({ text }) => text !== 'Next decision');
    expect([closed.messageId, decides]).toEqual([card.messageId, []]);
    const tapped = await ana.pressRaw(data, { messageId: card.messageId }).answered(WITHIN);
    expect(tapped.alert).toBe(true);
    expect(repo('denied').pulls).toEqual([]);
  });

  it('G2: the title stays what the card showed, whatever the order is edited into', async () => {
    const card = await cardFor(ana, 'acme/title');
    const order = ana.messages().find((m) => m.text.startsWith('/new acme/title'));
    ana.edits(order?.messageId ?? 0, '/new acme/title Something else title="Other words"');
    await approves(ana, 'acme/title');
    await opened(product, repo('title'));
    const title = repo('title').pulls[0]?.title ?? '';
    expect(card.text).toContain(title);
    expect(title).not.toContain('Other');
  });

  it('G1, S8, L5: in the end each repository has at most one pull request, and the ledger proves every one', async () => {
    await product.settled();
    for (const name of NAMES) {
      const pulls = repo(name).pulls.filter((p) => p.author === 'agentpr-bot');
      // The one of `again` was made by the test itself.
      const ours = run(name).upstream.pullRequest || name === 'again' ? 1 : 0;
      expect([name, pulls.length]).toEqual([name, ours]);
    }
    expect(product.github.mergeCalls()).toEqual([]);
    expect((await product.cli(['replay', '--all'])).code).toBe(0);
    expect(product.complaints()).toEqual([]);
  });
});

describe('a card with little time', () => {
  it('G3: expires, opens nothing any more, and a new card takes its place', async () => {
    const product = await createProduct({ script: QUICK_AGENT, bounds: { approvalMs: 4_000 } });
    try {
      const { ana } = product;
      product.start();
      const repo = await askForChange(product, 'late');
      const first = await cardFor(ana);
      const data = dataOf(first, /^Open PR/);
      const fresh = await ana.waitForMessage(
        (m) => m.messageId > first.messageId && buttonOf(m, /^Open PR/) !== '',
        WITHIN,
      );
      const old = await ana.waitForMessage(
        (m) => m.messageId === first.messageId && /Expired/.test(m.text),
        WITHIN,
      );
      expect(old.buttons).toEqual([]);
      const tapped = await ana.pressRaw(data, { messageId: first.messageId }).answered(WITHIN);
      expect(tapped).toMatchObject({
        alert: true,
        text: expect.stringMatching(/expired|replaced/) as string,
      });
      expect(repo.pulls).toEqual([]);
      expect(product.run()?.lifecycle.state).toBe('PUSHED');
      expect(fresh.text).toContain('Open this');
    } finally {
      await product.close();
    }
  });
});
