/**
 * S10 through the real process: the base moves on, somebody else pushes, and every run goes on from
 * there.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDirectory, type ChatMessage, type Person, type RepoHandle } from '#playground';
import type { Run } from '#run';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { QUICK_AGENT, quickOrder } from '../../support/quick-change.ts';

const FILE = 'src/waits.js';
/** Resolves conflicts by keeping what the change itself says; else mends the bug. */
const AGENT = `if grep -q '^<<<<<<<' ${FILE}; then if [ -f half.sh ]; then sed -i -e '/^<<<<<<< /d' ${FILE}; rm half.sh; else sed -i -e '/^<<<<<<< /d' -e '/^=======$/,/^>>>>>>> /d' ${FILE}; fi; echo resolved; else ${QUICK_AGENT}; fi`;

describe('a run whose ground moves', () => {
  let product: Product;
  let ana: Person;
  const repos = new Map<string, RepoHandle>();
  const NAMES = ['clean', 'clash', 'theirs', 'forced', 'late', 'review'];
  const repo = (name: string): RepoHandle => repos.get(name) as RepoHandle;
  const run = (name: string): Run => product.run(`acme/${name}`) as Run;
  const branch = (name: string): string => run(name).change.pushedHead?.branch ?? '';
  const shows = (name: string, like: RegExp): Promise<ChatMessage> =>
    ana.waitForMessage((m) => m.from === 'bot' && m.text.includes(`acme/${name}`) && like.test(m.text), {
      deadlineMs: PATIENCE,
      what: `${name}: ${like}`,
    });
  const withTake = (name: string, sha: string): Promise<ChatMessage> =>
    cardFor(ana, `acme/${name}`, new RegExp(`^Take their commit ${sha.slice(0, 6)}$`));
  const clash = async (name: string): Promise<string> => {
    const code = await repo(name).read(FILE);
    return repo(name).advance({ [FILE]: code.replace('factor ** failed,', 'factor * failed,') });
  };
  const pushedTo = async (name: string): Promise<string> =>
    (await repo(name).commits(branch(name)))[0]?.sha ?? '';

  beforeAll(async () => {
    product = await createProduct({
      script: AGENT,
      bounds: { pollMs: 400, ciSettleMs: 200, noCiMs: 1_000 },
      config: { maxParallelRuns: 3 },
    });
    ({ ana } = product);
    product.start();
    for (const name of NAMES) {
      repos.set(name, await product.github.addRepo({ owner: 'acme', name, from: sampleDirectory() }));
      ana.sends(quickOrder(`acme/${name}`));
    }
    for (const name of NAMES) await product.waitForState('PUSHED', `acme/${name}`);
  }, 240_000);
  afterAll(() => product.close());

  it('S10: a base that moved on is merged without an agent, and the new card says so', async () => {
    await cardFor(ana, 'acme/clean');
    const was = run('clean').change.pushedHead?.sha ?? '';
    const base = await repo('clean').advance({ 'NEWS.md': 'Something else.\n' });
    const agents = (): number =>
      product
        .look()
        .attempts()
        .filter((a) => a.step === 'agent').length;
    const before = agents();
    ana.sends(`/update ${run('clean').id}`);
    await shows('clean', new RegExp(`Open this[^]*Merges main ${base.slice(0, 6)}: 1 commit`));
    expect(agents()).toBe(before);
    const [head] = await repo('clean').commits(branch('clean'));
    expect(head?.parents).toEqual([was, base]);
    expect(await approves(ana, 'acme/clean')).toBe('Recorded: approved.');
    await shows('clean', /Pull request #\d+ opened/);
    expect(repo('clean').pulls).toHaveLength(1);
  });

  it('S10: a conflict is found at the opening, resolved by the agent, checked, and opened by a new card', async () => {
    await cardFor(ana, 'acme/clash');
    const base = await clash('clash');
    await approves(ana, 'acme/clash');
    const told = await cardFor(ana, 'acme/clash', /^Update from base$/);
    expect(repo('clash').pulls).toEqual([]);
    await tapOn(ana, told, /^Update from base$/);
    await shows('clash', /Open this[^]*Merges main/);
    const code = await repo('clash').read(FILE, branch('clash'));
    expect(code).not.toMatch(/^(<<<<<<<|=======|>>>>>>>)/m);
    expect((await repo('clash').commits(branch('clash')))[0]?.parents).toContain(base);
    expect(await approves(ana, 'acme/clash')).toBe('Recorded: approved.');
    await shows('clash', /Pull request #\d+ opened/);
  });

  it('S10: somebody else’s commit is shown, taken by a tap, checked, and on a new card that names them', async () => {
    await cardFor(ana, 'acme/theirs');
    const now = await repo('theirs').pushForeign(branch('theirs'), { message: 'Explain the waits' });
    const told = await withTake('theirs', now);
    expect(told.text).toMatch(/Kim Stranger[^]*Explain the waits[^]*1 file, \+1 −0/);
    expect(told.buttons.flat().map((b) => b.text)).not.toContain('Retry');
    await tapOn(ana, told, /^Take their commit/);
    const card = await shows('theirs', /Open this[^]*Kim Stranger/);
    expect(card.text).toContain(now.slice(0, 6));
    expect(run('theirs').change.ownCommits).toContain(now);
    expect(await approves(ana, 'acme/theirs')).toBe('Recorded: approved.');
    await shows('theirs', /Pull request #\d+ opened/);
    expect(await pushedTo('theirs')).toBe(now);
  });

  it('S10: a push over our commits is told as that, and can be taken all the same', async () => {
    await cardFor(ana, 'acme/forced');
    const name = branch('forced');
    await repo('forced').deleteBranch(name);
    const now = await repo('forced').pushForeign(name);
    const told = await withTake('forced', now);
    expect(told.text).toContain('force-push');
    await tapOn(ana, told, /^Take their commit/);
    await shows('forced', /(Open this|Push this|NEEDS YOU)[^]*Kim Stranger|NEEDS YOU/);
    await product.waitFor(() => run('forced').change.ownCommits.includes(now) || null, {
      what: 'their commit to be ours',
    });
  });

  it('S10: a commit that came between the message and the tap is not taken; it is shown instead', async () => {
    await cardFor(ana, 'acme/late');
    const first = await repo('late').pushForeign(branch('late'));
    const told = await withTake('late', first);
    const tap = told.buttons.flat().find((b) => /^Take/.test(b.text))?.data ?? '';
    const second = await repo('late').pushForeign(branch('late'), { message: 'Once more' });
    ana.pressRaw(tap, { chatId: ana.chatId, messageId: told.messageId });
    const newer = await withTake('late', second);
    expect(newer.text).toContain('Once more');
    expect(run('late').change.ownCommits).not.toContain(first);
    expect(run('late').change.ownCommits).not.toContain(second);
    ana.sends(`/take ${run('late').id} ${second.slice(0, 8)}`);
    await product.waitFor(() => run('late').change.ownCommits.includes(second) || null, {
      what: 'the newer commit to be taken',
    });
  });

  it('S10: an open pull request that conflicts says so, is updated by a signed push, and overwrites nothing', async () => {
    await approves(ana, 'acme/review');
    await shows('review', /Pull request #\d+ opened/);
    await product.waitForState(['CI_WAIT', 'REVIEW_WAIT'], 'acme/review');
    const was = await pushedTo('review');
    const base = await clash('review');
    const told = await cardFor(ana, 'acme/review', /^Update from base$/);
    await tapOn(ana, told, /^Update from base$/);
    const card = await cardFor(ana, 'acme/review', /^Push fix/);
    expect(card.text).toContain(`Merges main ${base.slice(0, 6)}: 1 commit`);
    expect(await pushedTo('review')).toBe(was);
    await tapOn(ana, card, /^Push fix/);
    await tapOn(ana, await cardFor(ana, 'acme/review', /^Confirm/), /^Confirm/);
    await product.waitFor(() => (run('review').change.pushedHead?.sha === was ? null : run('review')), {
      what: 'the push',
    });
    expect((await repo('review').commits(branch('review')))[0]?.parents).toEqual([was, base]);
    await product.waitFor(
      () => (run('review').upstream.observed.pull?.baseStatus === 'level' ? true : null),
      {
        what: 'the code host to find no conflict',
      },
    );
  });
});
