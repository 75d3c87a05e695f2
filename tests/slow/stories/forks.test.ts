/**
 * F1 through the real process: repositories that our account may not push to are changed by way of
 * forks.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDirectory, type ChatMessage, type Person, type RepoHandle } from '#playground';
import type { Run } from '#run';
import { approves, cardFor } from '../../support/approves.ts';
import { reasonOf } from '../../support/english.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { QUICK_AGENT, quickOrder } from '../../support/quick-change.ts';

const ci = [{ name: 'test', command: 'true' }];

describe('repositories of others', () => {
  let product: Product;
  let ana: Person;
  let killed = false;
  const run = (name: string): Run => product.run(`kim/${name}`) as Run;
  const theirs = (name: string): RepoHandle => product.github.repo(`kim/${name}`);
  const shows = (name: string, like: RegExp): Promise<ChatMessage> =>
    ana.waitForMessage((m) => m.from === 'bot' && m.text.includes(`kim/${name}`) && like.test(m.text), {
      deadlineMs: PATIENCE,
      what: `${name}: ${like}`,
    });

  beforeAll(async () => {
    product = await createProduct({
      script: QUICK_AGENT,
      bounds: { pollMs: 300, ciSettleMs: 200, noCiMs: 1_000 },
      config: { maxParallelRuns: 3 },
    });
    ({ ana } = product);
    const { github } = product;
    const of = { owner: 'kim', from: sampleDirectory(), access: 'read' } as const;
    const slow = { takes: 1_500 };
    const plain = await github.addRepo({ ...of, name: 'plain', ci, holdsForks: true, forking: slow });
    plain.addRule({ type: 'required_signatures', branch: 'main', parameters: {} });
    await github.addRepo({ ...of, name: 'closed', forking: { off: true } });
    await github.addRepo({ ...of, name: 'killed' });
    const fork = 'POST /repos/{owner}/{repo}/forks';
    github.onRequest(async ({ phase, call }) => {
      if (phase === 'before' || killed || call.route !== fork || !call.path.includes('/killed/')) return;
      killed = true;
      await product.restart();
    });
    product.start();
    for (const name of ['plain', 'closed', 'killed']) ana.sends(quickOrder(`kim/${name}`));
  }, 240_000);
  afterAll(() => product.close());

  it('F1: opens a pull request from a fork that it makes, and the card says where the change goes', async () => {
    const card = await cardFor(ana, 'kim/plain');
    expect(card.text).toContain('agentpr-bot/plain, a fork');
    expect(card.text).toContain('main takes only signed commits; this one is not signed');
    expect(await approves(ana, 'kim/plain')).toBe('Recorded: approved.');
    await shows('plain', /Pull request #1 opened/);
    const fork = product.github.repo('agentpr-bot/plain');
    const { branch = '', sha } = run('plain').change.pushedHead ?? {};
    expect(theirs('plain').pulls).toMatchObject([
      { author: 'agentpr-bot', base: 'main', head: `agentpr-bot:${branch}`, headSha: sha, state: 'open' },
    ]);
    expect(theirs('plain').pushes).toEqual([]);
    expect(fork.pushes.map((one) => one.ref)).toEqual([`refs/heads/${branch}`]);
    expect(run('plain').gate.consumedApproval?.fields).toMatchObject({
      baseRepoId: String(theirs('plain').id),
      headRepoId: String(fork.id),
      maintainerCanModify: true,
    });
  });

  it('F3: shows that checks of a fork wait for a maintainer, and goes on when they are allowed', async () => {
    await shows('plain', /maintainer/);
    theirs('plain').allowChecks(1);
    await product.waitForState('REVIEW_WAIT', 'kim/plain');
  });

  it('F1: takes its branch out of the fork when it was merged', async () => {
    const fork = product.github.repo('agentpr-bot/plain');
    const branch = run('plain').change.pushedHead?.branch ?? '';
    await theirs('plain').merge(1);
    await product.waitForState('DONE', 'kim/plain');
    await product.settled();
    expect(await fork.branches()).not.toContain(branch);
  });

  it('L6: a fork whose making was cut short by a kill is found again, and is the only one', async () => {
    await cardFor(ana, 'kim/killed');
    expect(killed).toBe(true);
    expect(product.github.repo('agentpr-bot/killed').pushes).toHaveLength(1);
    expect(() => product.github.repo('agentpr-bot/killed-1')).toThrow(/no repository/);
  });

  it('F1: says before an agent costs anything that a repository can be neither pushed to nor forked', async () => {
    await product.waitForState('NEEDS_HUMAN_REVIEW', 'kim/closed');
    expect(reasonOf(run('closed'))).toContain('kim/closed does not allow forks');
    expect(run('closed').target.baseline).toBeNull();
  });
});
