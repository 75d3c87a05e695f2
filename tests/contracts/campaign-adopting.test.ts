/** F5: a campaign follows pull requests that were opened elsewhere, counts them, and touches none. */
import { describe, expect, it } from 'vitest';
import { parsePullList } from '../../orchestrator/orders/pull-list.ts';
import { createCampaignWorld } from '../support/campaign-world.ts';
import { VIC } from '../support/chat-world.ts';

const MINUTE = 60_000;

const started = async () => {
  const w = await createCampaignWorld();
  await w.orders('/batch acme/a acme/b acme/c Fix it');
  await w.taps('Start 3');
  const id = (await w.campaign())?.id ?? '';
  const adopts = (links: string, extra = {}) => w.orders(`/adopt ${links}`, extra);
  const last = () => w.messages.at(-1)?.text ?? '';
  const card = () => w.messages.find(({ text }) => text.startsWith('RUNNING'))?.text ?? '';
  const follows = async () => {
    w.passes(6 * MINUTE);
    await w.adopter.follow();
    await w.goesOn();
  };
  return { ...w, id, adopts, last, card, follows };
};

describe('what was opened elsewhere', () => {
  it('F5: is followed from open to merged, on the card and in the share', async () => {
    const w = await started();
    await w.goesOn();
    const one = w.somebodyOpens('other/x', 7);
    const two = w.somebodyOpens('other/y', 8);
    expect((await w.adopts(`${w.id} ${one}\n- ${two}/files`))[0]).toContain('Looking at 2 pull requests');
    expect(w.messages.some(({ text }) => text.includes('follows 2 more pull requests'))).toBe(true);
    await w.goesOn();
    expect(w.card()).toContain('Merged 0 of 5 (0 %)');
    expect(w.card()).toContain('Opened elsewhere, and only followed: 2: other/x#7 open · other/y#8 open');
    const check = { key: 'k', name: 'test', kind: 'check', app: '1', startedAt: 1 } as const;
    w.checks.push({ ...check, status: 'ended', outcome: 'failed' });
    await w.follows();
    expect(w.card()).toContain('other/x#7 checks red');
    w.checks.splice(0, 1, { ...check, startedAt: 2, status: 'ended', outcome: 'passed' });
    w.somebodyOpens('other/y', 8, { state: 'closed', merged: true, endedAt: w.clock.now() });
    await w.follows();
    await w.follows();
    expect(w.card()).toContain('other/x#7 checks green · other/y#8 merged');
    expect(w.card()).toContain('Merged 1 of 5 (20 %)');
    expect(w.failed).toEqual([]);
  });

  it('F4, F5: is looked at as soon as the code host tells of it, and of nothing else', async () => {
    const w = await started();
    await w.goesOn();
    await w.adopts(`${w.id} ${w.somebodyOpens('other/x', 7)} ${w.somebodyOpens('other/y', 8)}`);
    expect(await w.adopter.follow()).toBe(2);
    expect(await w.adopter.follow()).toBe(0);
    expect([w.adopter.isFollowed('Other/X'), w.adopter.isFollowed('other/z')]).toEqual([true, false]);
    const sha = 'b'.repeat(40);
    for (const [repo, find] of [
      ['other/z', { pull: '#7' }],
      ['other/x', { pull: '#8' }],
      ['other/x', { sha: 'c'.repeat(40) }],
      ['other/x', { branch: 'fix' }],
    ] as const)
      expect(w.adopter.hint(repo, [find]), JSON.stringify(find)).toBe(false);
    expect(await w.adopter.follow()).toBe(0);
    for (const find of [{ pull: '#7' }, { sha }, { all: true }] as const) {
      expect(w.adopter.hint('Other/X', [find])).toBe(true);
      expect(await w.adopter.follow()).toBe(1);
    }
    w.somebodyOpens('other/x', 7, { state: 'closed', merged: true, endedAt: w.clock.now() });
    w.adopter.hint('other/x', [{ pull: '#7', sha }]);
    await w.adopter.follow();
    await w.goesOn();
    expect(w.card()).toContain('other/x#7 merged');
    // What has ended is worth no look.
    await w.adopter.follow();
    expect(w.adopter.isFollowed('other/x')).toBe(false);
  });

  it('F5: is offered to no machine: no run, no approval and no effect but messages comes of it', async () => {
    const w = await started();
    await w.adopts(`${w.id} ${w.somebodyOpens('other/x', 7)}`);
    await w.follows();
    const effects = await w.ledger.query.effects({});
    expect((await w.repos()).sort()).toEqual(['acme/a', 'acme/b', 'acme/c']);
    expect(effects.filter(({ do: what }) => JSON.stringify(what).includes('other/x')).length).toBe(0);
    // What a campaign can close, cancel, retry or teach are its runs.
    await w.taps('Close');
    await w.taps('Close, cancel 3');
    expect(w.buttons()?.some((text) => text.startsWith('Close 1 pull'))).toBe(false);
  });

  it('F5: stands in for a run in the repository, until it is closed unmerged', async () => {
    const w = await started();
    await w.adopts(`${w.id} ${w.somebodyOpens('acme/B', 3)}`);
    await w.goesOn();
    expect((await w.repos()).sort()).toEqual(['acme/a', 'acme/c']);
    expect(w.card()).toContain('Merged 0 of 3');
    w.somebodyOpens('acme/B', 3, { state: 'closed' });
    await w.follows();
    expect((await w.repos()).sort()).toEqual(['acme/a', 'acme/b', 'acme/c']);
  });

  it('F5: is taken in once; what is ours, not there or elsewhere is named with the reason', async () => {
    const w = await started();
    await w.goesOn();
    await w.opens('acme/a');
    const url = w.somebodyOpens('other/x', 7);
    w.somebodyOpens('acme/a', 12);
    await w.adopts(`${w.id} ${url} ${url}`);
    await w.adopts(
      `${w.id} ${url} https://github.com/acme/a/pull/12 other/gone#1 https://evil.example/o/r/pull/1`,
    );
    const said = w.messages.findLast(({ text }) => text.includes('took none of them:'))?.text;
    for (const line of [
      'other/x#7: followed already',
      'acme/a#12: a run of ours opened it',
      'other/gone#1: not there, or hidden from us',
      'o/r#1: not at this code host',
    ])
      expect(said).toContain(line);
    expect((await w.campaign())?.adoptedPulls).toHaveLength(1);
  });

  it('F5: no viewer adds to it, and a campaign that is over takes none', async () => {
    const w = await started();
    const url = w.somebodyOpens('other/x', 7);
    await w.adopts(`${w.id} ${url}`, { by: VIC, chat: '7' });
    expect((await w.campaign())?.adoptedPulls).toBeUndefined();
    await w.ledger.campaigns.decide(w.id, { decision: { kind: 'closed' }, by: null, at: 1 });
    await w.adopts(`${w.id} ${url}`);
    expect(w.messages.some(({ text }) => text.includes('takes no pull requests: it is over'))).toBe(true);
  });
});

it.each([
  ['c-abcdef https://github.com/o/r/pull/12 o/s#3', ['o/r#12', 'o/s#3']],
  ['1. https://github.com/o/r/pull/12/files?x=1,\n2. <https://github.com/o/s/pull/4>', ['o/r#12', 'o/s#4']],
  ['https://github.com/o/r', null],
  ['https://github.com/o/r/issues/3', null],
  ['c-abcdef', null],
  ['c-abcdef ../../x#3', null],
])('C1: of a list of links, each is a pull request or the list is refused: %s', (text, named) => {
  const read = parsePullList(text);
  const got = 'value' in read ? read.value.pulls.map(({ repo, pull }) => `${repo}${pull}`) : null;
  expect(got).toEqual(named);
});
