/**
 * F12 through the real process: pull requests are moved, branches and repositories renamed, given
 * away, archived, and a fork goes; every run follows, and publishes nothing of another base.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDirectory, type ChatMessage, type Person, type RepoHandle } from '#playground';
import type { Run } from '#run';
import { approves, buttonOf, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { QUICK_AGENT, quickOrder } from '../../support/quick-change.ts';

const FILE = 'src/waits.js';
/** Keeps our side of a conflict; mends the bug the first time, and adds a line for each review. */
const AGENT = `if grep -q '^<<<<<<<' ${FILE}; then sed -i -e '/^<<<<<<< /d' -e '/^=======$/,/^>>>>>>> /d' ${FILE}; elif grep -q 'failed - 1' ${FILE}; then echo '// As the review asked.' >> ${FILE}; else ${QUICK_AGENT}; fi; echo done`;

describe('a run whose ground is moved', () => {
  let product: Product;
  let ana: Person;
  const NAMES = ['develop', 'early', 'name'];
  const ids = new Map<string, string>();
  const repo = (name: string): RepoHandle => product.github.repo(name.includes('/') ? name : `acme/${name}`);
  const run = (name: string): Run =>
    product
      .look()
      .runs()
      .find((one) => one.id === ids.get(name)) as Run;
  const branch = (name: string): string => run(name).change.pushedHead?.branch ?? '';
  const shows = (text: string, like: RegExp): Promise<ChatMessage> =>
    ana.waitForMessage((m) => m.from === 'bot' && m.text.includes(text) && like.test(m.text), {
      deadlineMs: PATIENCE,
      what: `${text}: ${like}`,
    });
  const opened = async (name: string): Promise<void> => {
    await approves(ana, `acme/${name}`);
    await product.waitFor(() => run(name).upstream.pullRequest, { what: `the pull request of ${name}` });
  };
  /** A fix that a maintainer asks for, signed and pushed. */
  const fixed = async (name: string, today: RepoHandle): Promise<void> => {
    const was = run(name).change.pushedHead?.sha;
    today.review(1, { state: 'CHANGES_REQUESTED', body: 'Say why.' });
    const card = await cardFor(ana, today.fullName, /^Push fix/);
    await tapOn(ana, card, /^Push fix/);
    await tapOn(ana, await cardFor(ana, today.fullName, /^Confirm/), /^Confirm/);
    await product.waitFor(() => run(name).change.pushedHead?.sha !== was || null, {
      what: `a fix of ${name}`,
    });
    expect((await today.commits(branch(name)))[0]?.parents).toEqual([was]);
  };

  beforeAll(async () => {
    product = await createProduct({
      script: AGENT,
      bounds: { pollMs: 1_000, ciSettleMs: 200, noCiMs: 1_000 },
      config: { maxParallelRuns: 3 },
    });
    ({ ana } = product);
    product.start();
    for (const name of NAMES) {
      await product.github.addRepo({ owner: 'acme', name, from: sampleDirectory() });
      ana.sends(quickOrder(`acme/${name}`));
    }
    await product.github.addRepo({ owner: 'kim', name: 'plain', from: sampleDirectory(), access: 'read' });
    ana.sends(quickOrder('kim/plain'));
    for (const name of NAMES) ids.set(name, (await product.waitForState('PUSHED', `acme/${name}`)).id);
  }, 240_000);
  afterAll(() => product.close());

  it('F12: moved to another base that conflicts, it is updated from that one, and brings nothing of the old one', async () => {
    await opened('develop');
    const code = await repo('develop').read(FILE);
    const develop = await repo('develop').addBranch('develop', {
      files: { [FILE]: code.replace('factor ** failed,', 'factor * failed,') },
    });
    const foreign = await repo('develop').advance({ 'NEWS.md': 'Only on main.\n' });
    const was = run('develop').change.pushedHead?.sha ?? '';
    await repo('develop').retarget(1, 'develop');
    await shows('#1 was changed', /it now goes into develop/);
    const told = await cardFor(ana, 'acme/develop', /^Update from base$/);
    await tapOn(ana, told, /^Update from base$/);
    const card = await cardFor(ana, 'acme/develop', /^Push fix/);
    expect(card.text).toContain(`Merges develop ${develop.slice(0, 6)}`);
    await tapOn(ana, card, /^Push fix/);
    await tapOn(ana, await cardFor(ana, 'acme/develop', /^Confirm/), /^Confirm/);
    await product.waitFor(() => run('develop').change.pushedHead?.sha !== was || null, { what: 'the push' });
    const commits = await repo('develop').commits(branch('develop'));
    expect(commits[0]?.parents).toEqual([was, develop]);
    expect(commits.map((one) => one.sha)).not.toContain(foreign);
    expect(run('develop').target.base?.ref).toBe('develop');
  });

  it('F12: the default branch is renamed: before the tap nothing is opened without a new card, afterwards a fix goes on against it', async () => {
    await cardFor(ana, 'acme/early');
    await repo('early').renameBranch('main', 'trunk');
    await approves(ana, 'acme/early');
    const again = await shows('acme/early', /Open this[^]*Pull request into trunk/);
    expect(repo('early').pulls).toEqual([]);
    expect(again.text).toContain('Pull request into trunk');
    await opened('early');
    expect(repo('early').pulls).toMatchObject([{ base: 'trunk' }]);
    await repo('early').renameBranch('trunk', 'stem');
    await product.waitFor(() => run('early').target.base?.ref === 'stem' || null, { what: 'the new name' });
    await fixed('early', repo('early'));
    expect(repo('early').pulls[0]?.base).toBe('stem');
  });

  it('F12, S10: a repository that is renamed and given away is worked on where it is today; while it is archived nothing is offered that fails', async () => {
    await opened('name');
    product.github.renameRepo('acme/name', 'zoe/today');
    await product.github.addRepo({ owner: 'acme', name: 'name', from: sampleDirectory() });
    await product.waitFor(() => run('name').target.renamedTo === 'zoe/today' || null, {
      what: 'the new name',
    });
    const today = repo('zoe/today');
    today.archive();
    const told = await shows('zoe/today', /The repository is archived/);
    expect(told.text).toContain('An owner can unarchive it');
    expect([buttonOf(told, /^Resume/), buttonOf(told, /^Cancel/)]).toEqual(['', 'Cancel run']);
    await product.waitFor(() => run('name').lifecycle.state === 'PAUSED', { what: 'its pause' });
    today.unarchive();
    await product.waitFor(() => ['CI_WAIT', 'REVIEW_WAIT'].includes(run('name').lifecycle.state), {
      what: 'it to go on by itself',
    });
    await fixed('name', today);
    expect([repo('name').pushes, repo('name').pulls]).toEqual([[], []]);
  });

  it('F12: a fork that is gone is told, and what comes back goes on', async () => {
    const { github } = product;
    await approves(ana, 'kim/plain');
    await product.waitForState(['CI_WAIT', 'REVIEW_WAIT'], 'kim/plain');
    github.detachFork('agentpr-bot/plain');
    const told = await ana.waitForMessage(/The fork that the pull request comes from is gone/, {
      deadlineMs: PATIENCE,
    });
    expect(buttonOf(told, /^Resume/)).toBe('');
    github.attachFork('agentpr-bot/plain', 'kim/plain');
    await product.waitForState(['CI_WAIT', 'REVIEW_WAIT'], 'kim/plain');
    expect(product.complaints()).toEqual([]);
  });
});
