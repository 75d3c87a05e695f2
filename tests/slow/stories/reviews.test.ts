/**
 * A review with threads, through the real process: chosen from on one card, fixed in one round,
 * answered with one signature.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { RepoHandle } from '#playground';
import { apiCalls, judge } from '../../support/openapi/judge.ts';
import { createProduct, type Product } from '../../support/product.ts';

const REPO = 'acme/app';
/** Says hello; told of remarks, it does what the first asks and answers the others. */
const AGENT = `
prompt=$(cat)
case "$prompt" in
  *"rename it"*) printf 'const salut = 1;\\nconst b = 2;\\n' > a.js; echo '{"summary":"Renamed it","what":"Rename it to salut"}';;
  *) printf 'const hello = 1;\\nconst b = 2;\\n' > a.js; echo '{"summary":"Say hello"}';;
esac`;

let product: Product | undefined;
afterEach(async () => {
  await product?.close();
  product = undefined;
});

const press = async (it: Product, text: RegExp): Promise<void> => {
  await it.waitFor(() => it.ana.messages().some((m) => m.buttons.flat().some((b) => text.test(b.text))), {
    what: `a button like ${String(text)}`,
  });
  it.ana.taps(text);
};

const signed = async (it: Product, first: RegExp): Promise<void> => {
  await press(it, first);
  await press(it, /^Confirm/);
};

const opened = async (): Promise<RepoHandle> => {
  product = await createProduct({ script: AGENT, bounds: { ciSettleMs: 100, noCiMs: 300 } });
  const repo = await product.github.addRepo({
    owner: 'acme',
    name: 'app',
    from: { 'a.js': 'const a = 1;\nconst b = 2;\n' },
    // Of strangers: no right to push, and no webhook.
    access: 'read',
  });
  repo.grant('maya', 'write');
  product.start();
  product.ana.sends(`/new ${REPO} Say hello check="true"`);
  await signed(product, /^Open PR/);
  await product.waitForState(['CI_WAIT', 'REVIEW_WAIT']);
  return repo;
};

describe('a review with three threads', () => {
  it('F7, G6, G8: one is fixed, one is answered and one is ignored, by taps and one typed answer', async () => {
    const repo = await opened();
    const it = product as Product;
    expect(repo.pulls).toMatchObject([{ author: 'agentpr-bot', base: 'main' }]);
    expect(repo.pulls[0]?.head).toMatch(/^agentpr-bot:/);
    expect(it.github.deliveries()).toEqual([]);
    repo.review(1, {
      user: 'maya',
      state: 'CHANGES_REQUESTED',
      comments: [
        { path: 'a.js', line: 1, body: 'Please rename it to salut.' },
        { path: 'a.js', line: 2, body: 'Why is b two?' },
        { path: 'a.js', line: 2, body: 'nit (optional): three would be nicer' },
      ],
    });
    const card = await it.waitFor(() => it.ana.messages().find((m) => m.text.startsWith('REVIEW')) ?? null, {
      what: 'the card of the review',
    });
    expect(card.buttons.flat().map((b) => b.text)).toEqual([
      '1 🔧 Fix',
      '2 💬 Answer',
      '3 ➖ Ignore',
      'Start: 1 to fix, 1 to answer',
      'Read all',
    ]);
    it.ana.sends('2 It is the second number.', { replyTo: card.messageId });
    await it.waitFor(
      () =>
        it.ana
          .messages()
          .some((m) => m.messageId === card.messageId && m.text.includes('Answer: It is the second number.')),
      { what: 'the answer on the card' },
    );
    await press(it, /^Start: 1 to fix/);
    await signed(it, /^Push fix/);
    const answers = await it.waitFor(
      () => it.ana.messages().find((m) => m.text.startsWith('ANSWERS')) ?? null,
      { what: 'the card with the answers' },
    );
    const head = repo.pulls[0]?.headSha ?? '';
    expect(answers.text).toContain(`Fixed in ${head.slice(0, 12)}.`);
    expect(answers.text).toContain('It is the second number.');
    // Only who may write there can ask for another review: nothing of it is promised.
    expect(answers.text).not.toContain('to review again');
    expect(repo.lineComments(1).filter((c) => c.user === 'agentpr-bot')).toEqual([]);
    await signed(it, /^Post\b/);
    await it.waitFor(() => it.ana.messages().some((m) => m.text.startsWith('ANSWERED')), {
      what: 'word of the answers',
    });
    const [first, second, third] = repo.lineComments(1).filter((c) => c.user === 'maya');
    const ours = repo.lineComments(1).filter((c) => c.user === 'agentpr-bot');
    expect(ours.map((c) => [c.inReplyTo, c.body.split('\n')[0]])).toEqual([
      [first?.id, `Fixed in ${head.slice(0, 12)}.`],
      [second?.id, 'It is the second number.'],
    ]);
    expect(ours.some((c) => c.inReplyTo === third?.id)).toBe(false);
    expect(repo.requested(1)).toEqual([]);

    // What is suggested word for word needs no agent.
    const agents = () =>
      it
        .look()
        .attempts()
        .filter(({ step }) => step === 'agent').length;
    const before = agents();
    const suggestion = '```suggestion\nconst b = 3;\n```';
    const comments = [{ path: 'a.js', line: 2, body: suggestion }];
    repo.review(1, { user: 'maya', state: 'COMMENTED', comments });
    await press(it, /^Start: 1 to fix/);
    await signed(it, /^Push fix/);
    await it.waitFor(() => repo.pulls[0]?.headSha !== head, { what: 'the suggestion to be pushed' });
    const applied = repo.pulls[0]?.headSha ?? '';
    // Read from the fork that it was pushed to: the base repository is told of it a moment later.
    expect(await it.github.repo('agentpr-bot/app').read('a.js', applied)).toContain('const b = 3;');
    const commit = it.run()?.change.commit;
    expect(commit?.message).toMatch(/Co-authored-by: maya <\d+\+maya@users\.noreply\.github\.com>/);
    expect(agents()).toBe(before);
    expect(JSON.parse((await it.cli(['replay', '--all', '--json'])).out)).toMatchObject({ findings: [] });
    expect(it.complaints()).toEqual([]);
    // Every request of the story, and every answer to it, is as GitHub describes it.
    const calls = apiCalls(it.github);
    expect(calls.length).toBeGreaterThan(50);
    expect([...new Set(calls.flatMap(judge))]).toEqual([]);
  });
});
