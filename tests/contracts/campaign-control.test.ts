/** What the command line asks of campaigns, and what it is answered when it asks again. */
import { describe, expect, it } from 'vitest';
import { CampaignControl, createCampaignSource } from '../../app/campaign-control.ts';
import { createCliSource, type ControlAnswer, type ControlOrder } from '../../app/control-socket.ts';
import { CAMPAIGN_ACTS, performCampaignAct, type CampaignAct } from '#campaigns/acts';
import { toCampaignRequest, readCampaignOrder } from '../../orchestrator/orders/campaign-argument.ts';
import { isWrongArgument } from '#model/chat';
import { campaignIdOf, type Inbox } from '#runtime';
import { createCampaignWorld, repoFacts } from '../support/campaign-world.ts';
import { anOrder } from '../support/ledger.ts';

const USED = expect.stringContaining('Use a new one') as unknown;

const atTheHost = async () => {
  const w = await createCampaignWorld((name) => (name === 'acme/gone' ? null : repoFacts(name)));
  const { ledger, clock, submit, planner, adopter } = w;
  const source = createCampaignSource({
    ledger,
    clock,
    submit,
    planner: () => planner,
    adopter: () => adopter,
  });
  const gives = (order: ControlOrder): Promise<ControlAnswer> => {
    // As after a restart: nothing is remembered but what the ledger keeps.
    const cli = createCliSource({ ledger, clock });
    const handle = cli.handler(submit, source);
    const inbox: Inbox = {
      receive: (items) => ledger.receive(items, clock.now()),
      drain: async () => {
        for (const row of await ledger.inbox(100)) await handle(row);
      },
    };
    return cli.give(inbox, order);
  };
  const asks = (key: string, campaign: CampaignControl['campaign']) => gives({ key, campaign });
  const plans = (key: string, repo: string, goal = 'Fix it', more = {}): Promise<ControlAnswer> => {
    const read = readCampaignOrder(`${repo} ${goal}`);
    if (isWrongArgument(read)) throw new Error('not read');
    const order = anOrder({ requester: { id: null, name: 'the operator' }, goal, repo });
    const batch = { ...toCampaignRequest(read.value, order), ...more };
    return asks(key, { do: 'plan', id: campaignIdOf(`cli:${key}`), batch });
  };
  const id = campaignIdOf('cli:p');
  const decides = (key: string, act: 'start' | 'pause' | 'close') =>
    asks(key, act === 'close' ? { do: act, id, cancel: false } : { do: act, id });
  return { ...w, gives, asks, plans, decides, id };
};

describe('a key that was used before', () => {
  it('S4, F5: is the same call where everything is the same, and is refused for any other', async () => {
    const w = await atTheHost();
    expect(await w.plans('p', 'acme/a')).toMatchObject({ kind: 'written', state: 'planned' });
    expect(await w.plans('p', 'acme/a')).toMatchObject({ kind: 'duplicate' });
    expect(await w.plans('p', 'acme/b')).toMatchObject({ kind: 'refused', reason: USED });
    expect(await w.plans('p', 'acme/a', 'Something else')).toMatchObject({ kind: 'refused', reason: USED });
    expect(await w.decides('p', 'start')).toMatchObject({ kind: 'refused', reason: USED });
    expect(await w.decides('d', 'start')).toMatchObject({ kind: 'written', state: 'running' });
    expect(await w.decides('d', 'start')).toMatchObject({ kind: 'duplicate' });
    expect(await w.decides('d', 'close')).toMatchObject({ kind: 'refused', reason: USED });
    const input = { type: 'command.cancel', by: { id: null, name: 'the operator' }, reason: '' } as const;
    expect(await w.gives({ runId: 'r1', key: 'd', input })).toMatchObject({ kind: 'refused', reason: USED });
    expect((await w.campaign())?.state).toBe('running');
  });

  it('S4, F5: a refusal stays one, with its words', async () => {
    const w = await atTheHost();
    const none = await w.plans('n', 'acme/gone');
    expect(none).toMatchObject({ kind: 'refused', reason: expect.stringContaining('acme/gone') as unknown });
    expect(await w.plans('n', 'acme/gone')).toEqual(none);
    await w.plans('p', 'acme/a');
    const early = await w.decides('e', 'pause');
    expect(early).toMatchObject({ kind: 'refused', state: 'planned' });
    await w.decides('d', 'start');
    expect(await w.decides('e', 'pause')).toEqual(early);
  });

  it('S4, F5: closing the pull requests is the same call when they are closed by then', async () => {
    const w = await atTheHost();
    await w.plans('p', 'acme/a');
    await w.decides('c', 'close');
    const closes = (runs: string[]) => w.asks('w', { do: 'withdraw', id: w.id, runs });
    expect(await closes(['r-1'])).toMatchObject({ kind: 'written' });
    expect(await closes([])).toMatchObject({ kind: 'duplicate' });
  });
});

describe('an act on a campaign', () => {
  it('F5: is one row, which the command line and the chat perform alike', async () => {
    const w = await atTheHost();
    const fields = { close: { cancel: true }, retry: { class: null }, withdraw: { runs: [] } };
    await w.plans('p', 'acme/a');
    for (const { act, schema } of CAMPAIGN_ACTS) {
      if (act === 'adopt') continue;
      const asked = { do: act, id: w.id, ...(act in fields ? fields[act as keyof typeof fields] : {}) };
      expect(schema.safeParse(asked).success, act).toBe(true);
      const order = { key: act, campaign: asked } as CampaignControl;
      expect(CampaignControl.safeParse(order).data, act).toEqual(order);
    }
    expect(CampaignControl.safeParse({ key: 'x', campaign: { do: 'decide', id: w.id } }).success).toBe(false);
    const act: CampaignAct = { do: 'withdraw', id: w.id, runs: [] };
    const { ledger, clock, submit } = w;
    const parts = { ledger, clock, submit, words: { closingNote: '', gaveUp: '', closed: '' } };
    await w.decides('d', 'start');
    const by = { id: '7', name: 'Ana' };
    // A person saw the card with these pull requests; the host closes none while others are to come.
    expect(await performCampaignAct(parts, { by, key: 'chat:1' }, act)).toMatchObject({ kind: 'written' });
    expect(await w.asks('w', act)).toMatchObject({ kind: 'refused', state: 'running' });
  });
});

describe('pull requests that were opened elsewhere', () => {
  const pull = (repo: string) => ({ repo, pull: '#7', host: null });

  it('F5: are refused where none of them is taken, with the reason of each', async () => {
    const w = await atTheHost();
    await w.plans('p', 'acme/a');
    w.somebodyOpens('other/x', 7);
    const adopts = (key: string, ...repos: string[]) =>
      w.asks(key, { do: 'adopt', id: w.id, pulls: repos.map(pull) });
    const missing = 'other/gone#7: not there, or hidden from us';
    expect(await adopts('1', 'other/gone')).toMatchObject({
      kind: 'refused',
      reason: `Campaign ${w.id} took nothing:\n${missing}`,
    });
    const some = await adopts('2', 'other/gone', 'other/x');
    expect(some.kind).toBe('written');
    expect(some.reason).toMatch(/follows one more pull request[^]*other\/gone#7: not there/);
    expect(await adopts('3', 'other/gone', 'other/x')).toMatchObject({
      kind: 'refused',
      reason: `Campaign ${w.id} took none of them:\n${missing}\nother/x#7: followed already`,
    });
  });

  it('F5: belong to a campaign of a schedule, and not to the schedule', async () => {
    const w = await atTheHost();
    await w.plans('p', 'acme/a', 'Fix it', { every: 'day 09:00 UTC' });
    await w.decides('d', 'start');
    expect(await w.asks('1', { do: 'adopt', id: w.id, pulls: [pull('other/x')] })).toMatchObject({
      kind: 'refused',
      reason: `Campaign ${w.id} is a schedule, and follows no pull requests itself. Name one of the campaigns that came from it.`,
    });
  });
});
