/** F10: open pull requests for the same issue, found over HTTP in a repository that has thousands. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, secondaryLimit } from '#playground';
import type { CompetingPulls } from '#model/pull';
import { forgeAt, repo, startForgeWorld, type ForgeWorld } from '../../support/forge-world.ts';

const TIMELINE = 'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline';
const LIST = 'GET /repos/{owner}/{repo}/pulls';
const CHATTER = 950;
let world: ForgeWorld;
let issue: number;
beforeEach(async () => {
  world = await startForgeWorld();
  issue = world.acme.openIssue({ title: 'Broken', user: 'eve' });
});
afterEach(() => world.github.stop());

const seek = (paths: readonly string[] = []): Promise<CompetingPulls> =>
  forgeAt(world.github.url).competingPulls(repo, { issue: `#${issue}`, paths });
const opened = async (body: string): Promise<{ id: string; number: number; path: string }> => {
  const pull = await world.openPull();
  await forgeAt(world.github.url).describe(repo, pull.id, body);
  return pull;
};
const ids = ({ pulls }: CompetingPulls): string[] => pulls.map(({ id }) => id);
const labels = (times: number): void => {
  for (let n = 0; n < times; n += 1) world.acme.labelIssue(issue, 'bug', 'max', n % 2 === 0);
};

describe('a pull request of somebody else', () => {
  it('F10: is found though 3,000 others are open and it is the oldest of all', async () => {
    const rival = await opened(`Fixes #${issue}`);
    world.acme.crowd(rival.number, 2_999, (n) => ({ title: `Other ${n}`, body: `Fixes #${issue}${n}` }));
    expect(world.acme.pulls).toHaveLength(3_000);
    expect(ids(await seek())).toEqual([rival.id]);
    expect(world.callsOf(LIST)).toHaveLength(0);
  });

  it('F10: is found at the end of a timeline of many pages', async () => {
    labels(CHATTER);
    const rival = await opened(`Fixes #${issue}`);
    expect(await seek()).toEqual({ pulls: [expect.objectContaining({ id: rival.id, matchedBy: 'issue' })] });
    expect(world.callsOf(TIMELINE)).toHaveLength(10);
  });

  it('F10: is told as perhaps missed where a timeline is longer than is read', async () => {
    labels(5_001);
    const rival = await opened(`Fixes #${issue}`);
    expect(await seek()).toEqual({
      pulls: [expect.objectContaining({ id: rival.id })],
      unread: 'timeline: 5000+',
    });
  });

  it.each([
    ['is closed', async () => world.acme.close((await opened(`Fixes #${issue}`)).number)],
    ['is merged', async () => world.acme.merge((await opened(`Fixes #${issue}`)).number)],
    ['names another number', () => opened(`Fixes #${issue}0`)],
    ['is for the issue of another repository', () => opened(`Fixes other/api#${issue}`)],
    [
      'names it in a comment',
      async () => world.acme.comment((await opened('')).number, { body: `#${issue}` }),
    ],
    ['is an issue itself', () => world.acme.openIssue({ title: 'Alike', body: `Like #${issue}` })],
  ])('F10: does not count where it %s', async (_, make) => {
    await make();
    expect(await seek()).toEqual({ pulls: [] });
  });

  it('F10: does not count in a fork or another repository, whatever it names', async () => {
    const other = await world.github.addRepo({ owner: 'kim', name: 'api', from: { 'a.ts': 'one\n' } });
    other.grant('bot', 'write');
    await other.pushForeign('fix', { files: { 'b.ts': 'two\n' } });
    const wish = { title: 'Fix', head: 'fix', base: 'main', draft: false, maintainerCanModify: true };
    await forgeAt(world.github.url).createPull('kim/api', {
      ...wish,
      body: `Fixes #1 like ${repo}#${issue}`,
    });
    expect(await seek()).toEqual({ pulls: [] });
  });

  it.each([
    `Fixes ${repo.toUpperCase()}#1`,
    'Closes GH-1',
    () => `See ${world.github.url}/${repo}/issues/1.`,
  ])('F10: counts however it names the issue: %s', async (words) => {
    const rival = await opened(typeof words === 'string' ? words : words());
    expect(ids(await seek())).toEqual([rival.id]);
  });

  it('F10: counts under the new name of a repository that was renamed', async () => {
    const rival = await opened(`Fixes #${issue}`);
    world.github.renameRepo(repo, 'acme/server');
    expect(ids(await seek())).toEqual([rival.id]);
  });

  it('F10: that was linked by hand is told as not named by GitHub, until the link is taken away', async () => {
    world.acme.connectIssue(issue);
    expect(await seek()).toEqual({ pulls: [], unread: 'timeline: connected' });
    world.acme.connectIssue(issue, false);
    expect(await seek()).toEqual({ pulls: [] });
  });

  it('F9: that touches the same files is found among the last updated ones', async () => {
    const first = await opened('');
    const second = await opened(`Fixes #${issue}`);
    expect((await seek([first.path])).pulls).toMatchObject([
      { id: second.id, matchedBy: 'issue' },
      { id: first.id, matchedBy: 'files' },
    ]);
  });
});

describe('a timeline that is not shown', () => {
  it.each([403, 404, 410, 451])(
    'F10: is told with its status %i, and the last updated pull requests are read in its place',
    async (status) => {
      const rival = await opened(`Fixes #${issue}`);
      world.github.faults.always(TIMELINE, answer(status, { message: 'No' }));
      expect(await seek()).toMatchObject({ pulls: [{ id: rival.id }], unread: `timeline: ${status}` });
    },
  );

  const usedUp = answer(403, { message: 'No' }, { 'x-ratelimit-remaining': '0' });
  const tooMany = answer(429, { message: 'Too many requests' }, { 'retry-after': '60' });
  it.each([
    ['a secondary limit', secondaryLimit(60), 'rate_limited'],
    ['a secondary limit with 429', tooMany, 'rate_limited'],
    ['the end of the quota', usedUp, 'rate_limited'],
    ['an outage', answer(502, 'Bad gateway'), 'forge_unavailable'],
  ])(
    'F10: in the middle for %s says nothing of pull requests, and the next look finds all',
    async (_, fault, kind) => {
      labels(250);
      const rival = await opened(`Fixes #${issue}`);
      const isThird = {
        route: TIMELINE,
        when: ({ params }: { params: Record<string, unknown> }) => params['page'] === '3',
      };
      world.github.faults.next(isThird, fault);
      await expect(seek()).rejects.toMatchObject({ class: kind });
      expect(await seek()).toMatchObject({ pulls: [{ id: rival.id }] });
    },
  );
});

describe('the last pull requests of outsiders', () => {
  it('F9: are read with the time of their first answer, of which a bot gives none', async () => {
    const [answered, alone] = [await world.openPull(), await world.openPull()];
    world.acme.review(answered.number, { state: 'COMMENTED', body: 'Why?' });
    world.acme.comment(alone.number, { user: 'ci[bot]', body: 'Thanks' });
    for (const { number } of [answered, alone]) await world.acme.close(number);
    world.acme.setPrivate(false);
    world.acme.grant('bot', 'none');
    world.github.addUser('reader', 'other', ['repo']);
    const { url } = world.github;
    const [last, first] = await forgeAt(url, undefined, 'other').pastPulls(repo);
    expect(first).toMatchObject({ outsider: true, answeredHours: 0 });
    expect(last).toMatchObject({ outsider: true, answeredHours: null });
    expect(world.callsOf(TIMELINE)).toHaveLength(2);
  });
});
