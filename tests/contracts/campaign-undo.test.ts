/** Undoing a campaign: a campaign of reverts, which closes and cancels what is left of the first (F5). */
import { LANGUAGE_TEXTS } from '#language';
import { describe, expect, it } from 'vitest';
import { createCampaignWorld } from '../support/campaign-world.ts';
import { VIC } from '../support/chat-world.ts';

type World = Awaited<ReturnType<typeof createCampaignWorld>>;

const merges = async (w: World, repo: string): Promise<void> => {
  const run = (await w.runs()).find(({ order }) => order.repo === repo);
  if (!run) throw new Error(`there is no run of ${repo}`);
  await w.offer(run.id, {
    type: 'forge.pull.observed',
    pull: '#12',
    state: 'closed',
    merged: true,
    headSha: run.change.pushedHead?.sha ?? '',
    by: 'zoe',
  });
};

/** Two merged, one open, one at work. */
const halfDone = async () => {
  const w = await createCampaignWorld();
  await w.orders('/batch acme/a acme/b acme/c acme/d Fix it');
  await w.taps('Start 4');
  await w.goesOn();
  for (const repo of ['acme/a', 'acme/b', 'acme/d']) await w.opens(repo);
  await w.goesOn();
  await merges(w, 'acme/a');
  await merges(w, 'acme/b');
  const first = (await w.campaign())?.id ?? '';
  return { w, first, of: () => w.ledger.query.campaignRuns(first) };
};
const undo = async () => (await halfDoneUndone()).w;
const halfDoneUndone = async () => {
  const at = await halfDone();
  await at.w.orders(`/campaign ${at.first} undo`);
  return at;
};

describe('/campaign <id> undo', () => {
  it('F5: shows what it would do, and does nothing before a tap', async () => {
    const { w, first, of } = await halfDoneUndone();
    expect(w.card()).toContain('PREVIEW · Undo Fix it');
    expect(w.card()).toContain(`Takes back what ${first} merged`);
    expect(w.card()).toContain('closes 1 open pull request and cancels 1 run');
    expect(w.buttons()).toContain('Undo 2');
    await w.goesOn();
    expect(await w.ledger.query.effects({ kind: 'close_pr' })).toEqual([]);
    expect((await of()).map(({ lifecycle: { state } }) => state)).not.toContain('FAILED_TERMINAL');
  });

  it('F5, L6: the tap closes the first, its open pull request and its branch, cancels the rest, and begins reverts', async () => {
    const { w, first, of } = await halfDoneUndone();
    await w.taps('Undo 2');
    await w.goesOn();
    await w.goesOn();
    const known = await w.ledger.query.campaign(first);
    expect(known?.campaign.state).toBe('closed');
    const closings = await w.ledger.query.effects({ kind: 'close_pr' });
    expect(closings.map(({ do: what }) => what)).toEqual([
      { kind: 'close_pr', pull: '#12', words: expect.stringContaining('taken back') as string },
    ]);
    const ended = (await of()).filter(({ lifecycle: { state } }) => state === 'FAILED_TERMINAL');
    expect(ended.map(({ order }) => order.repo).sort()).toEqual(['acme/c', 'acme/d']);
    expect(ended.find(({ order }) => order.repo === 'acme/d')?.lifecycle.reason).toMatchObject({
      branch: 'removed',
      by: 'P7',
    });
    const begun = (await w.runs()).map(({ order: { repo, title, reverts } }) => ({ repo, title, reverts }));
    expect(begun.sort((a, b) => (a.repo < b.repo ? -1 : 1))).toEqual(
      ['acme/a', 'acme/b'].map((repo) => ({
        repo,
        title: expect.stringMatching(/^Revert ".+"$/) as string,
        reverts: { pull: '#12', url: `https://github.com/${repo}/pull/12` },
      })),
    );
    // Asked again, it shows the one that is at work.
    await w.orders(`/campaign ${first} undo`);
    expect(w.card()).toContain('RUNNING · Undo Fix it');
    expect((await w.ledger.query.campaigns()).length).toBe(2);
    await w.says(`/campaign ${first}`);
    expect(w.card()).toContain(`Undone by ${(await w.campaign())?.id}`);
  });

  it('F5: takes back in reverse order, with the checks of the first; one that stands still holds up only its own', async () => {
    const w = await createCampaignWorld();
    const file = [
      'name: Rename',
      'goal: Rename it',
      'checks: ["make {{name}}"]',
      'pace: { canary: 2, stop: { failures: 0 } }',
      'repositories:',
      '  - acme/a',
      '  - { repo: acme/b, after: acme/a }',
      '  - { repo: acme/c, after: acme/a }',
      '  - { repo: acme/d, after: [acme/b, acme/c] }',
      '  - acme/e',
    ];
    await w.sends('campaign.yml', file.join('\n'), '/batch');
    await w.taps('Start 5');
    for (const some of [['acme/a', 'acme/e'], ['acme/b', 'acme/c'], ['acme/d']]) {
      for (let i = 0; i < 4; i += 1) await w.goesOn();
      for (const repo of some) await w.opens(repo);
      await w.goesOn();
      for (const repo of some) await merges(w, repo);
    }
    const first = (await w.campaign())?.id ?? '';
    await w.orders(`/campaign ${first} undo`);
    expect(w.card()).toContain('what came last is taken back first');
    expect(w.card()).toMatch(/Wave 1 of 3.*acme\/d.*Wave 2 of 3.*acme\/[bc].*Wave 3 of 3.*acme\/a/s);
    expect(w.card()).toContain('Nothing starts until you tap Undo.');
    // Each has its own, so the example shows them.
    expect(w.card()).toMatch(/acme\/e will have it[^]*Command: make e$/m);
    await w.taps('Undo 5');
    for (let i = 0; i < 4; i += 1) await w.goesOn();
    expect((await w.repos()).sort()).toEqual(['acme/d', 'acme/e']);
    const checks = (await w.runs()).map(({ order }) => order.checks);
    expect(checks.flat().sort()).toEqual(['make d', 'make e']);
    await w.fails('acme/e');
    await w.opens('acme/d');
    await merges(w, 'acme/d');
    for (let i = 0; i < 4; i += 1) await w.goesOn();
    expect((await w.campaign())?.state).toBe('running');
    expect((await w.repos()).sort()).toEqual(['acme/b', 'acme/c', 'acme/d', 'acme/e']);
  });

  it('G3: who may not order makes no preview, and who may not approve taps no Undo', async () => {
    const { w, first } = await halfDone();
    await w.says(`/campaign ${first} undo`, { by: VIC, chat: '7' });
    expect((await w.ledger.query.campaigns()).length).toBe(1);
    const shown = await undo();
    await shown.ledger.setUser({ id: '10', name: 'Olga', role: 'operator' }, null);
    for (const who of [VIC, '10'])
      expect(await shown.taps('Undo 2', { by: who, chat: '7' })).toContain('approver');
    expect((await shown.campaign())?.state).toBe('planned');
  });

  it.each([
    [
      2,
      0,
      'Undo also closes 2 open pull requests; our branches go with them.',
      '“撤销”还会关闭 2 个打开的拉取请求，并删除我们的分支。',
    ],
    [0, 1, 'Undo also cancels 1 run without a pull request.', '“撤销”还会取消 1 个没有拉取请求的任务。'],
  ])('F5: says of %i open pull requests and %i runs at work only what there is', (open, working, en, zh) => {
    expect(LANGUAGE_TEXTS.en.campaign.undo.also(open, working)).toBe(en);
    expect(LANGUAGE_TEXTS.zh.campaign.undo.also(open, working)).toBe(zh);
  });

  it('F5: says where nothing is merged, of a schedule, and of a campaign that there is not', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a acme/b Fix it');
    await w.taps('Start 2');
    await w.goesOn();
    const first = (await w.campaign())?.id ?? '';
    await w.orders(`/campaign ${first} undo`);
    expect(w.messages.at(-1)?.text).toContain('nothing to take back');
    await w.orders('/campaign c-aaaaaa undo');
    expect(w.messages.at(-1)?.text).toContain('There is no campaign c-aaaaaa');
    expect((await w.ledger.query.campaigns()).length).toBe(1);
  });
});
