/** What one repository of a campaign taught, offered to its open siblings; and an owner who says no. */
import { expect, it } from 'vitest';
import { createCampaignWorld } from '../support/campaign-world.ts';
import { ANA, VIC } from '../support/chat-world.ts';
import { inputsToCard, someCommit } from '../support/ready-run.ts';

const FIVE = ['acme/a', 'acme/b', 'acme/c', 'beta/d', 'beta/e'];
const by = { id: ANA, name: 'Ana' };

const started = async () => {
  const w = await createCampaignWorld();
  await w.sends(
    'campaign.yml',
    `name: Mend it\nrepositories: [${FIVE.join(', ')}]\ngoal: Fix it\npace: { canary: 5, stop: { denials: 1 } }`,
    '/batch',
  );
  await w.taps('Start 5');
  await w.goesOn();
  const run = async (repo: string) => {
    const found = (await w.runs()).find(({ order }) => order.repo === repo);
    if (!found) throw new Error(`there is no run of ${repo}`);
    return found;
  };
  const denies = async (repo: string, reason: string, more: { retryNow?: true } = {}) => {
    const {
      id,
      gate: { approval },
    } = await run(repo);
    const no = { type: 'command.deny', by, reason, final: false, approvalId: approval?.id ?? null } as const;
    await w.offer(id, { ...no, ...more });
  };
  /** The agent has made its fix, and the checks have passed: the change is on a card again. */
  const comesBack = async (repo: string) => {
    const sha = 'f'.repeat(40);
    const inputs = inputsToCard({ commit: { ...someCommit(), sha }, fields: { headSha: sha } });
    const from = inputs.findIndex(({ type }) => type === 'worker.implementation.completed');
    await w.offer((await run(repo)).id, ...inputs.slice(from));
    expect((await run(repo)).gate.approval).not.toBeNull();
  };
  return { ...w, run, denies, comesBack };
};

it('F5: a denial with words is offered to the open siblings, silently and once; a tap says it to each once', async () => {
  const w = await started();
  await w.comes('acme/a');
  await w.comes('acme/b');
  await w.opens('beta/d');
  const old = (await w.run('acme/b')).gate.approval;
  await w.denies('acme/a', 'Keep the old name as an alias');
  await w.goesOn();
  await w.goesOn();
  const offers = w.messages.filter(({ text }) => text.includes('What an approver said'));
  expect(offers).toHaveLength(1);
  expect(offers[0]).toMatchObject({ silent: true });
  expect(offers[0]?.text).toContain('Keep the old name as an alias');
  expect(w.buttons()).toEqual(['Apply to 2 others', 'Back']);
  // Nothing was said to anybody by itself.
  expect((await w.run('acme/b')).gate.approval).toEqual(old);
  expect(await w.taps('Apply to 2', { by: VIC, chat: '7' })).toContain('approver');
  expect(await w.taps('Apply to 2')).toBe('Passed on to 2 runs; each comes back with a card of its own.');
  const told = await w.run('acme/b');
  // G2: what was approved before is not what it will be.
  expect(told.gate.approval).toBeNull();
  expect(told.lifecycle.state).toBe('IMPLEMENTING');
  expect(JSON.stringify(told.agent.round.feedback)).toContain('Keep the old name as an alias');
  expect((await w.run('beta/d')).lifecycle.state).toBe('ITERATING');
  // Those at work, and the one that taught it, hear nothing.
  expect((await w.run('acme/c')).lifecycle.version).toBeLessThan(3);
  expect((await w.run('acme/a')).lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  const versions = (await w.runs()).map(({ lifecycle: { version } }) => version);
  expect(w.card()).toContain('Nobody is left to be told');
  await w.goesOn();
  expect((await w.runs()).map(({ lifecycle: { version } }) => version)).toEqual(versions);
  expect(w.failed).toEqual([]);
});

it('F5: a lesson is found again on the card of the campaign, whoever taught it', async () => {
  const w = await started();
  for (const repo of ['acme/a', 'acme/b']) {
    await w.comes(repo);
    await w.denies(repo, 'Say it in the changelog');
  }
  await w.comes('acme/c');
  await w.says('/campaign');
  expect(w.buttons()).toContain('Learned 1');
  await w.taps('Learned 1');
  expect(w.buttons()).toEqual(['Apply to 1 other', 'Back']);
  expect(w.card()).toContain('Say it in the changelog');
});

it('F5: what was said stays a lesson when its fix is on a card again, however quick the agent was', async () => {
  const w = await started();
  for (const repo of ['acme/a', 'acme/b']) await w.comes(repo);
  await w.denies('acme/a', 'Keep the old name as an alias', { retryNow: true });
  // The round that heard it is over before the campaign is looked at.
  await w.comesBack('acme/a');
  await w.goesOn();
  expect(w.messages.filter(({ text }) => text.includes('What an approver said'))).toHaveLength(1);
  expect(w.buttons()).toEqual(['Apply to 1 other', 'Back']);
  await w.says('/campaign');
  expect(w.buttons()).toContain('Learned 1');
  expect(w.failed).toEqual([]);
});

it('F5: who was only taught teaches nothing of its own, and hears nothing twice', async () => {
  const w = await started();
  for (const repo of ['acme/a', 'acme/b', 'acme/c', 'beta/d']) await w.comes(repo);
  await w.denies('acme/a', 'Keep the old name as an alias', { retryNow: true });
  await w.goesOn();
  expect(await w.taps('Apply to 3')).toBe('Passed on to 3 runs; each comes back with a card of its own.');
  for (const repo of ['acme/a', 'acme/b', 'acme/c', 'beta/d']) await w.comesBack(repo);
  await w.goesOn();
  await w.comes('beta/e');
  await w.goesOn();
  await w.says('/campaign');
  expect(w.buttons()).toContain('Learned 1');
  await w.taps('Learned 1');
  expect(w.buttons()).toEqual(['Apply to 1 other', 'Back']);
  expect(w.card().match(/An approver said/g)).toHaveLength(1);
  expect(w.card()).toMatch(/What an approver said · (<code>)?acme\/a/);
  const versions = async () => Promise.all(FIVE.map(async (repo) => (await w.run(repo)).lifecycle.version));
  const before = await versions();
  expect(await w.taps('Apply to 1')).toBe('Passed on to 1 run; it comes back with a card of its own.');
  expect((await versions()).filter((version, i) => version !== before[i])).toHaveLength(1);
  // Its button on an older card finds nobody, and says so.
  const told = () => w.messages.filter(({ text }) => text.includes('Nobody is left to be told')).length;
  const known = told();
  await w.says('/campaign');
  expect(w.buttons()).not.toContain('Learned 1');
  await w.taps('Learned 1');
  expect(told()).toBe(known + 1);
  expect(w.failed).toEqual([]);
});

it('F5: a tap tells those that its button counted; who came to a card meanwhile has a button of its own', async () => {
  const w = await started();
  for (const repo of ['acme/a', 'acme/b']) await w.comes(repo);
  await w.denies('acme/a', 'Say it in the changelog', { retryNow: true });
  await w.goesOn();
  expect(w.buttons()).toEqual(['Apply to 1 other', 'Back']);
  await w.comes('acme/c');
  await w.comes('beta/d');
  expect(await w.taps('Apply to 1')).toBe('Passed on to 1 run; it comes back with a card of its own.');
  expect((await w.run('acme/c')).gate.approval).not.toBeNull();
  expect(w.buttons()).toEqual(['Apply to 2 others', 'Back']);
  expect(await w.taps('Apply to 2')).toBe('Passed on to 2 runs; each comes back with a card of its own.');
  expect(w.card()).toContain('Nobody is left to be told');
  expect(w.failed).toEqual([]);
});

it('F5: of more lessons than a card shows, the card says how many more there are', async () => {
  const w = await started();
  for (const repo of ['acme/a', 'acme/b', 'acme/c', 'beta/d', 'beta/e']) await w.comes(repo);
  for (const [i, repo] of ['acme/a', 'acme/b', 'acme/c', 'beta/d'].entries()) {
    await w.denies(repo, `Lesson number ${i}`, { retryNow: true });
    await w.comesBack(repo);
    w.passes(1_000);
  }
  await w.says('/campaign');
  await w.taps('Learned 4');
  expect(w.card()).toContain('Lesson number 3');
  expect(w.card()).not.toContain('Lesson number 0');
  expect(w.card()).toContain('… and 1 more');
});

it('F5: an owner whose maintainers said no to two keeps the rest of theirs; told once, without a sound', async () => {
  const w = await createCampaignWorld();
  await w.sends(
    'campaign.yml',
    'name: Mend it\nrepositories: [acme/a, acme/b, acme/c, acme/d, beta/e]\ngoal: Fix it\npace: { canary: 3, stop: { denials: 1 } }',
    '/batch',
  );
  await w.taps('Start 5');
  await w.goesOn();
  const acme = (await w.repos()).filter((repo) => repo.startsWith('acme/'));
  expect(acme).toHaveLength(2);
  for (const repo of await w.repos()) await w.opens(repo);
  for (const repo of acme) {
    const run = (await w.runs()).find(({ order }) => order.repo === repo);
    await w.offer(run?.id ?? '', {
      type: 'forge.pull.observed',
      pull: '#12',
      headSha: run?.change.pushedHead?.sha ?? '',
      state: 'closed',
      merged: false,
      by: 'the-maintainer',
    });
  }
  for (let i = 0; i < 3; i += 1) await w.goesOn();
  expect((await w.repos()).filter((repo) => repo.startsWith('acme/'))).toEqual(acme);
  const [own, ...told] = w.messages.filter(({ text }) => text.includes('Maintainers of acme said no'));
  expect(own).toMatchObject({ silent: true });
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ silent: true });
  expect(told[0]?.text).toContain('Maintainers of acme said no: 2 repositories of theirs are not begun.');
  await w.says('/campaign');
  expect(w.card()).toContain('3 of 5 repositories started');
  expect(w.card()).toContain('Not started: 2 of owners whose maintainers said no.');
  expect(w.card()).not.toContain('All repositories have been started');
  expect(w.failed).toEqual([]);
});
