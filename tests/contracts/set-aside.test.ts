/** L9, S6: what was given up or set aside is shown to admins, retried and dropped, by chat and command line. */
import { expect, it } from 'vitest';
import { createCampaignSource } from '../../app/campaign-control.ts';
import { createCliSource, type ControlOrder } from '../../app/control-socket.ts';
import { SET_ASIDE } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { Inbox } from '#runtime';
import { readEnvelope } from '../../slack/read-envelope.ts';
import { readSlackRecord } from '../../slack/read-record.ts';
import { ANA, BO, VIC, createChatWorld } from '../support/chat-world.ts';
import { openInMemory } from '../support/ledger.ts';

const giveUp = async (ledger: Ledger, text: string, note = SET_ASIDE): Promise<number> => {
  const item = { source: 'chat' as const, key: text, body: { update_id: 7, message: { text } } };
  const [row] = await ledger.receive([item], 0);
  await ledger.settleInbox(row?.id ?? 0, { kind: 'dead', note, replies: [] }, 0);
  return row?.id ?? 0;
};

it('L9: an admin sees what was set aside and why, retries it with a tap, and drops it with a word', async () => {
  const w = await createChatWorld();
  expect(await w.says('/set_aside')).toEqual(['Nothing is set aside.']);
  const poison = await giveUp(w.ledger, 'poison <b>');
  const broken = await giveUp(w.ledger, 'broken', 'no such run');
  const [said = ''] = await w.says('/set_aside');
  expect(said).toContain(`${poison} · message of`);
  expect(said).toContain('it stopped me twice · “poison <b>”');
  expect(said).toContain('no such run · “broken”');
  await w.taps(`Retry ${poison}`);
  expect(await w.ledger.query.incoming(poison)).toMatchObject({ state: 'new' });
  expect(w.messages.at(-1)?.text).toContain(`${poison} is handled once more.`);
  expect(await w.says(`/set_aside drop ${broken}`)).toEqual([`${broken} is dropped.`]);
  expect(await w.says(`/set_aside retry ${broken}`)).toEqual([
    `Nothing with the number ${broken} is set aside.`,
  ]);
  expect(await w.says('/set_aside')).toEqual(['Nothing is set aside.']);
});

it('L9: nobody else sees or retries it, and in a group nobody reads what another wrote', async () => {
  const w = await createChatWorld();
  const id = await giveUp(w.ledger, 'poison');
  for (const by of [BO, VIC])
    for (const line of ['/set_aside', `/set_aside retry ${id}`, `/set_aside drop ${id}`])
      expect((await w.says(line, { by })).join()).toContain('admin');
  expect(await w.ledger.query.incoming(id)).toMatchObject({ state: 'dead' });
  const [said = ''] = await w.says('/set_aside', { by: ANA, chat: '-100' });
  expect(said).toContain(`${id} · message of`);
  expect(said).not.toContain('poison');
});

it('L9: the command line retries and drops it, once for one key', async () => {
  const { ledger, close } = await openInMemory();
  const clock = { now: () => 1 };
  const source = createCliSource({ ledger, clock });
  const submit = (): never => {
    throw new Error('no run is steered');
  };
  const never = { planner: submit, adopter: submit };
  const handle = source.handler(submit, createCampaignSource({ ledger, clock, submit, ...never }));
  const inbox: Inbox = {
    receive: (items) => ledger.receive(items, 1),
    drain: async () => {
      for (const row of await ledger.inbox(9)) if (row.source === 'cli') await handle(row);
    },
  };
  const give = (order: ControlOrder) => source.give(inbox, order);
  const id = await giveUp(ledger, 'poison');
  const retry: ControlOrder = { key: 'k1', setAside: { do: 'retry', id } };
  expect(await give(retry)).toMatchObject({ kind: 'written', reason: 'it is handled once more' });
  expect((await ledger.inbox(9)).map(({ key, wasSetAside }) => [key, wasSetAside])).toEqual([
    ['poison', true],
  ]);
  expect(await give(retry)).toMatchObject({ kind: 'duplicate' });
  const drop: ControlOrder = { key: 'k1', setAside: { do: 'drop', id } };
  expect(await give(drop)).toMatchObject({ kind: 'refused' });
  expect(await give({ ...drop, key: 'k2' })).toMatchObject({ kind: 'refused', note: 'set_aside_unknown' });
  const other = await giveUp(ledger, 'other');
  expect(await give({ key: 'k3', setAside: { do: 'drop', id: other } })).toMatchObject({
    kind: 'written',
    note: 'set_aside_dropped',
  });
  await close();
});

it('L9: whose message of Slack stopped the process hears so there, in their language, and a stranger nothing', async () => {
  const world = await createChatWorld({ read: readSlackRecord });
  const us = { team: 'T0LOCAL01', user: 'U0AGENTPR1', name: 'agentpr' };
  const sorryTo = async (user: string) => {
    const event = { type: 'message', channel: 'D0CAT0001', channel_type: 'im', user, text: 'poison' };
    const payload = {
      type: 'event_callback',
      team_id: us.team,
      event_id: user,
      event: { ...event, ts: '1700000000.000100', team: us.team },
    };
    const body = readEnvelope('events_api', payload, us, '1700000000.123000')?.record;
    await world.ledger.receive([{ source: 'chat', key: user, body }], 1);
    const row = (await world.ledger.inbox(9)).find(({ key }) => key === user);
    if (!row) throw new Error('nothing came in');
    return world.sorry(row, SET_ASIDE);
  };
  const CAT = 'U0CAT0001';
  await world.ledger.setUser({ id: CAT, name: 'Cat', role: 'viewer' }, null);
  await world.ledger.setSetting(`language:${CAT}`, 'zh');
  expect(await sorryTo(CAT)).toMatchObject([{ chat: CAT }]);
  expect(JSON.stringify(await sorryTo(CAT))).toContain('两次');
  expect(await sorryTo('U0EVE0001')).toEqual([]);
});

it('L9: a message of Slack is listed with its words, as Slack wrote them', async () => {
  const w = await createChatWorld();
  const us = { team: 'T0LOCAL01', user: 'U0AGENTPR1', name: 'agentpr' };
  const text = 'poison &lt;b&gt; <https://acme.test|here>';
  const block = { type: 'rich_text', elements: [{ type: 'text', text: 'a block' }] };
  const event = { type: 'message', channel: 'D0CAT0001', channel_type: 'im', user: 'U0CAT0001', text };
  const payload = {
    type: 'event_callback',
    team_id: us.team,
    event: { ...event, ts: '1700000000.000100', blocks: [block] },
  };
  const read = readEnvelope('events_api', payload, us, '1700000000.123000');
  const [row] = await w.ledger.receive([{ source: 'chat', key: read?.key ?? '', body: read?.record }], 0);
  await w.ledger.settleInbox(row?.id ?? 0, { kind: 'dead', note: SET_ASIDE, replies: [] }, 0);
  expect(await w.says('/set_aside')).toMatchObject([
    expect.stringContaining('it stopped me twice · “poison <b> https://acme.test”'),
  ]);
});
