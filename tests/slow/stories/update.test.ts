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
/** Resolves conflicts by keeping what the change itself says; else mends the bug, and then only notes. */
const MENDS = `if grep -q 'failed - 1' ${FILE}; then echo more >> NOTES.md && echo noted; else ${QUICK_AGENT}; fi`;
const AGENT = `if grep -q '^<<<<<<<' ${FILE}; then if [ -f half.sh ]; then sed -i -e '/^<<<<<<< /d' ${FILE}; rm half.sh; else sed -i -e '/^<<<<<<< /d' -e '/^=======$/,/^>>>>>>> /d' ${FILE}; fi; echo resolved; else ${MENDS}; fi`;

describe('a run whose ground moves', () => {
  let product: Product;
  let ana: Person;
  const repos = new Map<string, RepoHandle>();
  const NAMES = ['clean', 'clash', 'theirs', 'forced', 'review', 'button'];
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

  const said = (): string[] => ana.messages().flatMap((m) => (m.from === 'bot' ? [m.text] : []));
  /** *Update branch* on the code host, which is nobody's push. */
  const updates = async (name: string): Promise<{ head: string; base: string }> => {
    const base = await repo('button').advance({ [name]: 'Something else.\n' });
    return { head: await repo('button').updateBranch(1, 'kim'), base };
  };
  const isGround = (head: string) => () => (run('button').change.pushedHead?.sha === head ? true : null);

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

  it('S10: somebody else’s commit is shown, taken by a tap on exactly it, checked, and on a new card that names them', async () => {
    await cardFor(ana, 'acme/theirs');
    const first = await repo('theirs').pushForeign(branch('theirs'), { message: 'Explain the waits' });
    const told = await withTake('theirs', first);
    expect(told.text).toMatch(/Kim Stranger[^]*Explain the waits[^]*1 file, \+1 −0/);
    expect(told.buttons.flat().map((b) => b.text)).not.toContain('Retry');
    // Another came between the message and the tap: it is not taken, but shown instead.
    const tap = told.buttons.flat().find((b) => /^Take/.test(b.text))?.data ?? '';
    const second = await repo('theirs').pushForeign(branch('theirs'), { message: 'Once more' });
    ana.pressRaw(tap, { chatId: ana.chatId, messageId: told.messageId });
    const newer = await withTake('theirs', second);
    expect(newer.text).toContain('Once more');
    expect(run('theirs').change.ownCommits).not.toContain(first);
    expect(run('theirs').change.ownCommits).not.toContain(second);
    ana.sends(`/take ${run('theirs').id} ${second.slice(0, 8)}`);
    const card = await shows('theirs', /Open this[^]*Kim Stranger/);
    expect(card.text).toContain(second.slice(0, 6));
    expect(run('theirs').change.ownCommits).toContain(second);
    expect(await approves(ana, 'acme/theirs')).toBe('Recorded: approved.');
    await shows('theirs', /Pull request #\d+ opened/);
    expect(await pushedTo('theirs')).toBe(second);
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

  it('S10: a base merged on the code host needs nobody, and its red checks are fixed without a tap', async () => {
    await cardFor(ana, 'acme/button');
    await approves(ana, 'acme/button');
    await product.waitForState(['CI_WAIT', 'REVIEW_WAIT'], 'acme/button');
    const { head, base } = await updates('NEWS.md');
    await product.waitFor(isGround(head), { what: 'the merge to be the ground of the run' });
    expect(run('button').target.base?.sha).toBe(base);
    expect(
      said().filter((text) => /acme\/button/.test(text) && /NEEDS YOU|AgentPR did not push/.test(text)),
    ).toEqual([]);
    repo('button').setCheck(head, { name: 'unit', conclusion: 'failure', log: 'not ok 1 - waits\n' });
    const card = await cardFor(ana, 'acme/button', /^Push fix/);
    expect(card.text).toContain('NOTES.md');
    // Pressed again while the card waits: it is void, and asked anew for what was merged.
    const again = await updates('MORE.md');
    await product.waitFor(isGround(again.head), { what: 'the second merge to be the ground' });
    const anew = await ana.waitForMessage(
      (m) => m.messageId > card.messageId && m.buttons.flat().some((b) => /^Push fix/.test(b.text)),
      { deadlineMs: PATIENCE, what: 'a new card of the fix' },
    );
    await tapOn(ana, anew, /^Push fix/);
    await tapOn(ana, await cardFor(ana, 'acme/button', /^Confirm/), /^Confirm/);
    await product.waitFor(() => (run('button').change.pushedHead?.sha === again.head ? null : true), {
      what: 'the push of the fix',
    });
    const [pushed] = await repo('button').commits(run('button').change.pushedHead?.branch);
    expect(pushed?.parents[0]).toBe(again.head);
    const spoken = said().filter(
      (text) => /acme\/button/.test(text) && /NEEDS YOU|AgentPR did not push/.test(text),
    );
    expect(spoken.filter((text) => /Take their commit/.test(text))).toEqual([]);
  });
});
