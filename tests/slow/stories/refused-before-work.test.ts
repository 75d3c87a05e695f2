/** F10 through the real process: what a repository refuses costs nothing, and is over when it is over. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDirectory, type ChatMessage, type RepoHandle } from '#playground';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { QUICK_AGENT, quickOrder } from '../../support/quick-change.ts';

describe('a repository that takes no pull request of ours', () => {
  let product: Product;
  const repos = new Map<string, RepoHandle>();
  const repo = (name: string): RepoHandle => repos.get(name) as RepoHandle;
  const shows = (name: string, like: RegExp): Promise<ChatMessage> =>
    product.ana.waitForMessage(
      (m) => m.from === 'bot' && m.text.includes(`acme/${name}`) && like.test(m.text),
      { deadlineMs: PATIENCE, what: `${name}: ${like}` },
    );
  const callsOf = (name: string, like: RegExp) =>
    product.github.calls.filter(({ route, path }) => path.includes(`/${name}`) && like.test(route));
  const order = (name: string, words = 'Mend the first wait'): void =>
    void product.ana.sends(quickOrder(`acme/${name}`, words));
  const rival = async (name: string): Promise<number> => {
    await repo(name).addBranch('theirs', { files: { 'theirs.txt': 'theirs\n' } });
    repo(name).grant('kim', 'write');
    const answered = await fetch(`${product.github.url}/repos/acme/${name}/pulls`, {
      method: 'POST',
      headers: { authorization: 'Bearer kims' },
      body: JSON.stringify({ title: 'Mine', head: 'theirs', base: 'main', body: 'Fixes #1' }),
    });
    expect(answered.status).toBe(201);
    return repo(name).pulls.at(-1)?.number ?? 0;
  };

  beforeAll(async () => {
    product = await createProduct({ script: QUICK_AGENT, config: { maxParallelRuns: 4 } });
    product.github.addUser('kim', 'kims', ['repo']);
    product.start();
    for (const name of ['off', 'limited', 'rivals', 'late']) {
      const wish = { owner: 'acme', name, from: sampleDirectory(), access: 'read' } as const;
      repos.set(name, await product.github.addRepo(wish));
      repo(name).openIssue({ title: 'The first wait is too long' });
    }
  }, 240_000);
  afterAll(() => product.close());

  it('F10: switched off is told with the field, costs nothing, and a retry goes on once it is on again', async () => {
    repo('off').refusePulls({ off: true });
    order('off');
    const call = await shows('off', /NEEDS YOU/);
    expect(call.text).toContain(
      'Pull requests are switched off in the repository (has_pull_requests: false).',
    );
    expect(callsOf('off', /upload-pack|forks/)).toEqual([]);
    expect(product.run('acme/off')?.lifecycle).toMatchObject({ workedMs: 0, usage: { inputTokens: 0 } });
    repo('off').refusePulls({ off: false });
    await tapOn(product.ana, call, /^Retry$/);
    await cardFor(product.ana, 'acme/off');
  });

  it('F10: an open pull request for the same issue is told before the work', async () => {
    const number = await rival('rivals');
    order('rivals', 'Mend the first wait (#1)');
    const call = await shows('rivals', /^PLAN/);
    expect(call.text).toContain(`Somebody is already working on this: #${number} by kim`);
    expect(callsOf('rivals', /forks/)).toEqual([]);
    expect(product.run('acme/rivals')?.lifecycle).toMatchObject({ state: 'PLAN_READY' });
  });

  it('F10: what came since the card was shown stops the opening, and is said with its reason', async () => {
    order('late', 'Mend the first wait (#1)');
    await cardFor(product.ana, 'acme/late');
    repo('late').changeIssue(1, { assignees: ['kim'] });
    const number = await rival('late');
    expect(await approves(product.ana, 'acme/late')).toBe('Recorded: approved.');
    const told = await shows('late', /but it was not opened/);
    expect(told.text).toContain(
      `the issue #1 is assigned to somebody else; open for the same issue: #${number} by kim`,
    );
    expect(repo('late').pulls).toHaveLength(1);
    const card = await cardFor(product.ana, 'acme/late');
    expect(card.text).toMatch(/⚠ The issue #1 is assigned to somebody else\n⚠ Open for the same issue/);
  });

  it('F10: an interaction limit is told where it is met, and a retry opens the pull request when it has ended', async () => {
    repo('limited').limitInteractions('contributors_only', 3_600_000);
    order('limited');
    await cardFor(product.ana, 'acme/limited');
    expect(await approves(product.ana, 'acme/limited')).toBe('Recorded: approved.');
    const call = await shows('limited', /NEEDS YOU[^]*limits for a while who may take part/);
    expect(repo('limited').pulls).toEqual([]);
    repo('limited').limitInteractions('contributors_only', 0);
    await tapOn(product.ana, call, /^Retry$/);
    expect(await approves(product.ana, 'acme/limited')).toBe('Recorded: approved.');
    await shows('limited', /Pull request #\d+ opened/);
    expect(repo('limited').pulls).toHaveLength(1);
  });
});
