/** Repositories of a campaign that come after others: in order, with what those came to (F5). */
import { describe, expect, it } from 'vitest';
import { readCampaignFile } from '../../orchestrator/orders/campaign-file.ts';
import { isWrongArgument } from '#model/chat';
import { isSafeTag } from '#model/targets';
import { MINUTE } from '#model/values';
import { createCampaignWorld } from '../support/campaign-world.ts';
import { sha256Hex } from '#runtime';

const CHAIN = [
  'name: Rename the field',
  'repositories:',
  '  - { repo: acme/api, goal: Rename userId to accountId in the API }',
  '  - repo: acme/web',
  '    after: { repo: acme/api, until: released }',
  '    goal: "Use {{after_version}} ({{after_tag}}) of {{after_link}}"',
  '  - { repo: acme/cli, after: acme/api, goal: "Follow {{after_commit}}" }',
  '  - { repo: acme/app, after: [acme/web, acme/cli], goal: "Follow {{after_link}} and {{after_2_link}}" }',
].join('\n');

const API = sha256Hex('acme/api').slice(0, 40);
const merges = async (w: Awaited<ReturnType<typeof createCampaignWorld>>, repo: string): Promise<void> => {
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
const started = async () => {
  const w = await createCampaignWorld();
  await w.sends('campaign.yml', CHAIN, '/batch');
  await w.taps('Start 4');
  await w.goesOn();
  return w;
};

describe('the order among repositories', () => {
  it('F5: is on the preview, which says of none that waits for another that it starts at once', async () => {
    const w = await createCampaignWorld();
    await w.sends('campaign.yml', `${CHAIN}\npace: { canary: 4 }`, '/batch');
    expect(w.card()).toContain('Wave 1 of 3: 1 repository');
    expect(w.card()).not.toContain('at once');
  });

  it('F5: each begins when those before it are merged or released, and is told what they came to', async () => {
    const w = await started();
    expect(w.card()).toContain('Wave 1 of 3: 1 repository');
    expect(w.card()).toMatch(/acme\/web\S* after a release of acme\/api$/m);
    expect(w.card()).toMatch(/acme\/cli\S* after acme\/api$/m);
    expect(await w.repos()).toEqual(['acme/api']);
    await w.opens('acme/api');
    await w.goesOn();
    expect(await w.repos()).toEqual(['acme/api']);
    await merges(w, 'acme/api');
    await w.goesOn();
    expect(await w.repos()).toEqual(['acme/api', 'acme/cli']);
    const cli = (await w.runs()).find(({ order }) => order.repo === 'acme/cli');
    expect(cli?.order).toMatchObject({
      goal: `Follow ${API}`,
      follows: [{ url: 'https://github.com/acme/api/pull/12', commit: API }],
    });
    w.releases.set('acme/api', ['v2.0.0']);
    w.passes(6 * MINUTE);
    await w.goesOn();
    const web = (await w.runs()).find(({ order }) => order.repo === 'acme/web');
    expect(web?.order.goal).toBe('Use 2.0.0 (v2.0.0) of https://github.com/acme/api/pull/12');
    await w.says('/campaign');
    expect(w.card()).toContain('merged as');
    expect(w.card()).toContain('released as v2.0.0');
    for (const repo of ['acme/web', 'acme/cli']) await w.opens(repo);
    await merges(w, 'acme/web');
    await w.goesOn();
    expect(await w.repos()).not.toContain('acme/app');
    await merges(w, 'acme/cli');
    await w.goesOn();
    const app = (await w.runs()).find(({ order }) => order.repo === 'acme/app');
    expect(app?.order.follows).toHaveLength(2);
  });

  it('F5: one that ends unmerged stops what comes after it, says so once, and the rest goes on', async () => {
    const w = await started();
    const run = (await w.runs())[0];
    if (!run) throw new Error('no run');
    await w.opens('acme/api');
    await w.offer(run.id, {
      type: 'forge.pull.observed',
      pull: '#12',
      state: 'closed',
      merged: false,
      headSha: run.change.pushedHead?.sha ?? '',
      by: 'zoe',
    });
    await w.goesOn();
    await w.goesOn();
    expect(await w.repos()).toEqual(['acme/api']);
    const told = w.messages.filter(({ text }) => text.includes('acme/api ended without being merged'));
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain('acme/web, acme/cli, acme/app');
    await w.says(`/campaign ${(await w.campaign())?.id}`);
    expect(w.card()).toContain('not started: acme/api was denied');
  });

  it('F5: hears of a release by its webhook, though no run is live there any more', async () => {
    const w = await started();
    expect(w.links.awaits('acme/api')).toBe(false);
    await w.opens('acme/api');
    await merges(w, 'acme/api');
    await w.goesOn();
    expect([w.links.awaits('Acme/API'), w.links.awaits('acme/web')]).toEqual([true, false]);
    w.releases.set('acme/api', ['v2.0.0']);
    expect(w.links.hint('Acme/API')).toBe(true);
    await w.goesOn();
    expect(await w.repos()).toContain('acme/web');
    expect(w.links.awaits('acme/api')).toBe(false);
  });

  it('F5: what waits for a release waits past one whose name cannot be used, and is told so once', async () => {
    const w = await started();
    await w.opens('acme/api');
    await merges(w, 'acme/api');
    w.releases.set('acme/api', ['v2$(id)']);
    for (let i = 0; i < 3; i += 1) {
      await w.goesOn();
      w.passes(6 * MINUTE);
    }
    expect(w.messages.filter(({ text }) => text.includes('Waiting for its next release'))).toHaveLength(1);
    await w.opens('acme/cli');
    await merges(w, 'acme/cli');
    await w.goesOn();
    expect((await w.campaign())?.state).toBe('running');
    w.releases.set('acme/api', ['v2$(id)', 'v2.0.1', 'v3.0.0']);
    w.passes(6 * MINUTE);
    await w.goesOn();
    const web = (await w.runs()).find(({ order }) => order.repo === 'acme/web');
    expect(web?.order.goal).toBe('Use 2.0.1 (v2.0.1) of https://github.com/acme/api/pull/12');
    expect(w.failed).toEqual([]);
  });

  it('P5, F5: a tag that a shell could read reaches no goal and no command', async () => {
    const w = await started();
    await w.opens('acme/api');
    await merges(w, 'acme/api');
    w.releases.set('acme/api', ['v1$(touch x)']);
    await w.goesOn();
    w.passes(6 * MINUTE);
    await w.goesOn();
    expect(await w.repos()).toEqual(['acme/api', 'acme/cli']);
    const told = () => w.messages.filter(({ text }) => text.includes('a name that no command may hold'));
    expect(told().some(({ text }) => text.includes('Waiting for its next release: acme/web.'))).toBe(true);
    expect(told().some(({ text }) => /acme\/api.* waits for the next release/.test(text))).toBe(true);
    expect(told().some(({ text }) => text.includes('failed'))).toBe(false);
    for (const tag of [
      'v1;id',
      'v1`id`',
      "v1'x",
      'v1 x',
      '-v1',
      'v1\n',
      `v${'1'.repeat(101)}`,
      '$(x)',
      'v1&x',
    ])
      expect(isSafeTag(tag), tag).toBe(false);
    for (const tag of ['v1.2.3', '2026.1', 'api/v1.0.0-rc.1+b', 'pkg@1.0.0'])
      expect(isSafeTag(tag)).toBe(true);
  });
});

describe('a file that says what comes after what', () => {
  const wrong = (source: string) => {
    const read = readCampaignFile(source);
    if (!isWrongArgument(read)) throw new Error('it was read');
    return read.problem;
  };
  const file = (...repositories: string[]): string =>
    ['name: N', 'goal: G', 'repositories:', ...repositories.map((one) => `  - ${one}`)].join('\n');

  it.each([
    ['itself', file('{ repo: a/a, after: A/a }'), { kind: 'file_after_self', line: 4, repo: 'A/a' }],
    ['an unknown one', file('a/a', '{ repo: b/b, after: c/c }'), { kind: 'file_after_unknown', line: 5 }],
    ['one twice', file('a/a', '{ repo: b/b, after: [a/a, a/a] }'), { kind: 'file_after_twice', line: 5 }],
    [
      'a circle',
      file(
        'z/z',
        '{ repo: a/a, after: c/c }',
        '{ repo: b/b, after: a/a }',
        '{ repo: c/c, after: [z/z, b/b] }',
      ),
      { kind: 'file_circle', line: 5, way: 'a/a → c/c → b/b → a/a' },
    ],
    [
      'a circle behind others',
      file('{ repo: x/x, after: a/a }', '{ repo: a/a, after: b/b }', '{ repo: b/b, after: a/a }'),
      { kind: 'file_circle', line: 5, way: 'a/a → b/b → a/a' },
    ],
    [
      'an outcome that there is not',
      file('a/a', '{ repo: b/b, after: { repo: a/a, until: soon } }'),
      { line: 5 },
    ],
    [
      'a tag of what is only merged',
      file('a/a', '{ repo: b/b, after: a/a, goal: "Use {{after_tag}}" }'),
      { kind: 'variable', name: 'after_tag', repo: 'b/b' },
    ],
    [
      'a variable called like what comes before',
      file('a/a', '{ repo: b/b, vars: { after_link: x }, after: a/a, goal: "{{after_link}}" }'),
      { kind: 'variable_taken', name: 'after_link' },
    ],
    [
      'a link where only plain values fit',
      file('a/a', '{ repo: b/b, after: a/a }').replace('goal: G', 'script: "sed s/x/{{after_link}}/ f"'),
      { kind: 'variable' },
    ],
    ['a script of one alone', file('{ repo: a/a, script: make }', 'b/b'), { kind: 'file_scripts' }],
  ])('F5: refuses %s, with the line', (_, source, problem) => {
    expect(wrong(source)).toMatchObject(problem);
  });

  it('F5, G5: scripts of single repositories come from the host only', async () => {
    const w = await createCampaignWorld();
    const source = file('{ repo: a/a, script: make }', '{ repo: b/b, script: make, after: a/a }');
    await w.sends('campaign.yml', source.replace('goal: G\n', ''), '/batch');
    expect(w.messages.at(-1)?.text).toContain('Scripts are given on the host');
  });

  it('F5: who comes after a repository that takes no part takes none either', async () => {
    const w = await createCampaignWorld((name) => (name === 'acme/api' ? null : { ...repoHere(name) }));
    await w.sends('campaign.yml', CHAIN, '/batch');
    expect(w.messages.at(-1)?.text).toContain('after a repository that takes no part');
  });
});

const repoHere = (name: string) => ({
  id: name,
  name,
  network: name,
  defaultBranch: 'main',
  archived: false,
  cloneUrl: `https://github.com/${name}.git`,
  mayPush: true,
  mayFork: true,
  htmlUrl: `https://github.com/${name}`,
});
