/** F5: campaigns that nobody ordered just now: what arrives is a preview, and begins with a tap. */
import { describe, expect, it } from 'vitest';
import type { CampaignTrigger } from '#model/schedule';
import { isWrongArgument } from '#model/chat';
import { toCampaignRequest, readCampaignOrder } from '../../orchestrator/orders/campaign-argument.ts';
import { campaignPlanInboxItem } from '#campaigns';
import { campaignIdOf } from '#runtime';
import { anOrder } from '../support/ledger.ts';
import { createCampaignWorld, repoFacts } from '../support/campaign-world.ts';
import { ANA } from '../support/chat-world.ts';

const DAY = 86_400_000;
const FILE = [
  'name: Look after it',
  'repositories: [acme/a, acme/b]',
  'goal: Update what is outdated',
  'every: day 09:00 Europe/Berlin',
].join('\n');

describe('F5: a schedule', () => {
  const scheduled = async () => {
    const w = await createCampaignWorld();
    await w.sends('campaign.yml', FILE, '/batch');
    return w;
  };

  it('says what its goal is where it will come, and never {{team}}', async () => {
    const w = await createCampaignWorld();
    const file = [
      'name: Give {{team}} its file',
      'repositories: [{repo: acme/a, vars: {team: core}}, {repo: acme/b, vars: {team: search}}]',
      "goal: 'Name {{team}} in OWNERS of {{name}}, and keep {{{{ x }}}}'",
      'every: day 09:00 Europe/Berlin',
    ].join('\n');
    await w.sends('campaign.yml', file, '/batch');
    for (const _ of ['shown', 'scheduled']) {
      expect(w.card()).toContain('Give core / search its file');
      expect(w.card()).toContain('Name core / search in OWNERS of a / b, and keep {{ x }}');
      expect(w.card()).not.toContain('{{team}}');
      if (w.buttons()?.includes('Schedule')) await w.taps('Schedule');
    }
    expect(w.card()).toMatch(/^SCHEDULED/);
  });

  it('is shown first, begins nothing, and shows one preview at its time, also after days of silence', async () => {
    const w = await scheduled();
    expect(w.card()).toMatch(/^PREVIEW · Look after it/);
    expect(w.card()).toContain('Every day 09:00 Europe/Berlin this is looked at again');
    expect(w.card()).toContain('Nothing comes until you tap Schedule.');
    expect(w.buttons()).toEqual(['Schedule', 'Drop']);
    w.passes(2 * DAY);
    await w.goesOn();
    expect(await w.ledger.query.campaigns()).toHaveLength(1);

    expect(await w.taps('Schedule')).toBe('Scheduled.');
    const [schedule] = await w.ledger.query.campaigns();
    expect(w.card()).toMatch(/^SCHEDULED · Look after it[\s\S]*Next preview: \S+/);
    expect(w.buttons()).toEqual(['Pause', 'Close', 'Refresh']);
    await w.goesOn();
    expect(await w.ledger.query.campaigns()).toHaveLength(1);
    w.passes(3 * DAY);
    await w.goesOn();
    await w.goesOn();
    const all = await w.ledger.query.campaigns();
    expect(all.map(({ state }) => state)).toEqual(['planned', 'running']);
    expect(w.card()).toMatch(/^PREVIEW/);
    expect(w.card()).toContain(`It is due by its schedule, ${schedule?.id ?? ''}`);
    expect(w.buttons()).toEqual(['Start 2', 'Drop']);
    expect(await w.ledger.query.runs({ live: true, limit: 10 })).toEqual([]);

    // The next one takes its place.
    w.passes(DAY);
    await w.goesOn();
    expect((await w.ledger.query.campaigns()).map(({ state }) => state)).toEqual([
      'planned',
      'closed',
      'running',
    ]);
    await w.taps('Start 2');
    await w.goesOn();
    expect((await w.ledger.query.runs({ live: true, limit: 10 })).map(({ order }) => order.goal)).toEqual([
      'Update what is outdated',
      'Update what is outdated',
    ]);
    expect(w.failed).toEqual([]);
  });

  it('asks no second time for a time that gave nothing, also after the inbox has forgotten it', async () => {
    let isThere = true;
    const w = await createCampaignWorld((name) => (isThere ? repoFacts(name) : null));
    await w.sends('campaign.yml', FILE.replace('day 09:00', 'month 09:00'), '/batch');
    await w.taps('Schedule');
    const passesTo = async (date: string): Promise<number> => {
      w.passes(Date.parse(date) - w.clock.now());
      while (await w.ledger.tidy(w.clock.now()));
      await w.goesOn();
      return (await w.ledger.query.campaigns()).length;
    };
    isThere = false;
    expect(await passesTo('2026-02-01T08:00:00Z')).toBe(1);
    isThere = true;
    expect(await passesTo('2026-02-12T08:00:00Z')).toBe(1);
    expect(await passesTo('2026-03-01T08:00:00Z')).toBe(2);
    expect(await passesTo('2026-03-12T08:00:00Z')).toBe(2);
  });

  it('G10, P7: what comes of it opens in its hours, and has its budget', async () => {
    const w = await createCampaignWorld();
    const hours = "openings: { hours: 'mon-thu 09:00-17:00 Europe/Berlin' }";
    await w.sends('campaign.yml', `${FILE}\n${hours}\nbudget: 20`, '/batch');
    await w.taps('Schedule');
    w.passes(3 * DAY);
    await w.goesOn();
    const [{ id = '' } = {}] = await w.ledger.query.campaigns();
    const { order } = (await w.ledger.query.campaign(id)) ?? {};
    expect(order).toMatchObject({ openings: { hours: expect.anything() as unknown } });
    expect(order?.schedule).toBeUndefined();
    expect(order?.run.campaignBudget).toEqual({ costUsd: 20 });
  });

  it('shows nothing while it is paused, nor after it was closed; the list says when it comes', async () => {
    const w = await scheduled();
    await w.taps('Schedule');
    await w.taps('Pause');
    w.passes(2 * DAY);
    await w.goesOn();
    expect(await w.ledger.query.campaigns()).toHaveLength(1);
    expect(w.card()).toContain('No further preview comes.');
    await w.taps('Resume');
    await w.goesOn();
    expect(await w.ledger.query.campaigns()).toHaveLength(1);
    w.passes(DAY);
    await w.goesOn();
    expect(await w.ledger.query.campaigns()).toHaveLength(2);
    expect((await w.says('/campaign'))[0]).toContain('scheduled, every day 09:00 Europe/Berlin');
  });
});

describe('F5: what arrives', () => {
  const arrives = async (
    w: Awaited<ReturnType<typeof createCampaignWorld>>,
    n: number,
    origin: CampaignTrigger,
  ) => {
    const read = readCampaignOrder(`acme/a Mend number ${n}`);
    if (isWrongArgument(read)) throw new Error('no batch');
    const key = `test:${n}`;
    const asked = toCampaignRequest(read.value, anOrder());
    const batch = {
      ...asked,
      requester: { id: null, name: 'ben' },
      id: campaignIdOf(key),
      origin,
      perDay: 3,
    };
    await w.ledger.receive([campaignPlanInboxItem(key, { ...batch, chat: ANA })], w.clock.now());
  };
  const issue = (n: number): CampaignTrigger => ({
    kind: 'issue',
    repo: 'acme/a',
    issue: `#${n}`,
    by: 'ben',
    url: `https://github.com/acme/a/issues/${n}`,
  });

  it('says who asked and where, rings once, and begins with a tap alone', async () => {
    const w = await createCampaignWorld();
    await arrives(w, 1, issue(1));
    await arrives(w, 2, issue(2));
    await w.notes();
    const cards = w.messages.filter(({ text }) => text.startsWith('PREVIEW'));
    expect(cards.map(({ text }) => /ben labelled issue #\d of acme\/a/.exec(text)?.[0])).toEqual([
      'ben labelled issue #1 of acme/a',
      'ben labelled issue #2 of acme/a',
    ]);
    expect(cards.map(({ silent }) => silent)).toEqual([false, true]);
    await w.goesOn();
    expect(await w.ledger.query.runs({ live: true, limit: 10 })).toEqual([]);
    await w.taps('Start 1');
    await w.goesOn();
    expect(await w.ledger.query.runs({ live: true, limit: 10 })).toHaveLength(1);
  });

  it('E6: a thousand in a minute are as many previews as a day may have, and one sentence', async () => {
    const w = await createCampaignWorld();
    for (let n = 1; n <= 1_000; n += 1) await arrives(w, n, issue(n));
    for (let i = 0; i < 11; i += 1) await w.notes();
    expect((await w.ledger.query.campaigns()).length).toBe(3);
    const told = w.messages.map(({ text }) => text);
    expect(told).toHaveLength(4);
    expect(told.at(-1)).toContain('3 previews from issues of acme/a came within a day.');
    // Not even an edit in its place.
    expect(await w.ledger.query.effects({ kind: 'chat_message' })).toHaveLength(4);
  });

  it('is closed with a sentence when nobody took it for a week, and cannot be begun then', async () => {
    const w = await createCampaignWorld();
    await arrives(w, 1, { kind: 'hook', hook: 'deps' });
    await w.notes();
    const preview = w.messages.at(-1);
    expect(preview?.text).toContain('The webhook deps asked for it');
    expect(preview?.text).toContain('Without a tap it is closed after a week.');
    w.passes(7 * DAY);
    await w.goesOn();
    expect(w.card()).toMatch(/^CLOSED[\s\S]*Nobody started it within a week, so it was closed\./);
    const token = preview?.buttons.flat()[0]?.token ?? '';
    await w.taps('', { data: token, messageId: preview?.messageId ?? '' });
    await w.goesOn();
    expect(await w.ledger.query.runs({ live: true, limit: 10 })).toEqual([]);
  });
});
