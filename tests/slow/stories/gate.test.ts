/**
 * The gate through the real process: whatever moves and whoever taps, a pull request is what was
 * approved. Tapped by others, killed and moved while it waits: tests/stories/gate.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, badGateway, commitThen, type ChatMessage, type Person, type RepoHandle } from '#playground';
import { withReceipt } from '../../../pull-text/receipt.ts';
import type { Run } from '#run';
import { approves, arms, buttonOf, cardFor } from '../../support/approves.ts';
import { createProduct, PATIENCE, TOKENS, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';
import { reasonOf } from '../../support/english.ts';

const BO = { id: '2002', name: 'Bo', role: 'approver' } as const;
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
  const NAMES = ['others', 'foreign', 'again', 'late', 'typed', 'denied'];
  const repo = (name: string): RepoHandle => repos.get(name) as RepoHandle;
  const run = (name: string): Run => product.run(`acme/${name}`) as Run;
  const branch = (name: string): string => run(name).change.pushedHead?.branch ?? '';

  beforeAll(async () => {
    product = await createProduct({
      script: QUICK_AGENT,
      bounds: { pollMs: 600_000 },
      config: { maxParallelRuns: 3 },
      users: [BO],
    });
    ({ ana } = product);
    product.start();
    for (const name of NAMES) repos.set(name, await askForChange(product, name));
    for (const name of NAMES) await product.waitForState('PUSHED', `acme/${name}`);
  }, 180_000);
  afterAll(() => product.close());

  it('G2, G3, G4: takes taps only in the chat of the card, and opens what it showed, though the base advanced and the order was edited', async () => {
    const { telegram } = product;
    const [bo, eve] = [telegram.person(Number(BO.id), 'Bo'), telegram.person(6006, 'Eve')];
    const card = await cardFor(ana, 'acme/others');
    await repo('others').advance({ 'NEWS.md': 'Something else.\n' });
    const order = ana.messages().find((m) => m.text.startsWith('/new acme/others'));
    ana.edits(order?.messageId ?? 0, '/new acme/others Something else title="Other words"');
    const open = dataOf(card, /^Open PR/);
    const here = { chatId: ana.chatId, messageId: card.messageId };
    const group = telegram.group(-100_7, 'The team');
    const answer = async (
      who: Person,
      data: string,
      on: { chatId?: number; messageId?: number },
    ): Promise<string> => (await who.pressRaw(data, on).answered(WITHIN)).text;
    expect(await answer(eve, open, here)).toContain('I do not know you yet');
    expect(await answer(bo, open, { chatId: bo.chatId, messageId: card.messageId })).toBe(
      'This button belongs to another chat.',
    );
    expect(await answer(ana, open, { chatId: group.chatId, messageId: card.messageId })).toBe(
      'This button belongs to another chat.',
    );
    const armed = await arms(ana, 'acme/others');
    const confirm = dataOf(armed, /^Confirm/);
    expect(await answer(ana, confirm, { chatId: ana.chatId, messageId: card.messageId - 1 })).toContain(
      'replaced by a newer one',
    );
    expect(run('others').lifecycle.state).toBe('PUSHED');
    expect(repo('others').pulls).toEqual([]);
    expect(await answer(ana, confirm, here)).toBe('Recorded: approved.');
    await opened(product, repo('others'));
    expect(repo('others').pulls).toHaveLength(1);
    const title = repo('others').pulls[0]?.title ?? '';
    expect(card.text).toContain(title);
    expect(title).not.toContain('Other');
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
