/** F5: an order is read out of a payload by a row or by a mapping of one's own, and out of nothing else. */
import { describe, expect, it } from 'vitest';
import { HOOK_SOURCES, readHookOrder, type HookMapping } from '#webhooks';

/** As the programs document their payloads; what nobody reads is left out. */
export const LINEAR = {
  action: 'update',
  type: 'Issue',
  url: 'https://linear.app/acme/issue/ACME-7/sum-is-wrong',
  webhookTimestamp: 1_767_614_400_000,
  data: {
    id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
    title: 'Sum is wrong',
    description: 'It subtracts.',
    labels: [{ name: 'bug' }, { name: 'agentpr' }],
    state: { name: 'Todo', type: 'unstarted' },
  },
};
const JIRA = {
  webhookEvent: 'jira:issue_updated',
  issue: {
    id: '10007',
    key: 'ACME-7',
    self: 'https://acme.atlassian.net/rest/api/2/issue/10007',
    fields: {
      summary: 'Sum is wrong',
      description: 'It subtracts.',
      labels: ['agentpr'],
      status: { name: 'Open', statusCategory: { id: 2, key: 'new', name: 'To Do' } },
    },
  },
};
const SENTRY = {
  action: 'triggered',
  data: {
    triggered_rule: 'Fix it',
    event: {
      title: 'TypeError: x is undefined',
      culprit: 'sum(src/sum.js)',
      message: '',
      issue_id: '1117540176',
      web_url: 'https://sentry.io/organizations/acme/issues/1117540176/events/e4/',
    },
  },
};

describe('a row', () => {
  it('F5: reads title, text, link and what tells items apart', () => {
    expect(readHookOrder(HOOK_SOURCES.linear, LINEAR)).toEqual({
      kind: 'order',
      title: 'Sum is wrong',
      text: 'It subtracts.',
      link: LINEAR.url,
      id: LINEAR.data.id,
    });
    const link = 'https://acme.atlassian.net/browse/{issue.key}';
    expect(readHookOrder({ ...HOOK_SOURCES.jira, link }, JIRA)).toEqual({
      kind: 'order',
      title: 'ACME-7 Sum is wrong',
      text: 'It subtracts.',
      id: '10007',
      link: 'https://acme.atlassian.net/browse/ACME-7',
    });
    expect(readHookOrder(HOOK_SOURCES.sentry, SENTRY)).toMatchObject({
      kind: 'order',
      title: 'TypeError: x is undefined',
      id: '1117540176',
      text: expect.stringContaining('sum(src/sum.js)') as string,
    });
  });

  it('F5: passes over what nobody marked, and says why', () => {
    const unmarked = { ...LINEAR, data: { ...LINEAR.data, labels: [{ name: 'bug' }] } };
    expect(readHookOrder(HOOK_SOURCES.linear, unmarked)).toEqual({
      kind: 'ignored',
      why: 'data.labels.name is bug, and not agentpr',
    });
    expect(readHookOrder(HOOK_SOURCES.linear, { ...LINEAR, type: 'Comment' })).toMatchObject({
      kind: 'ignored',
    });
    expect(readHookOrder(HOOK_SOURCES.sentry, { action: 'created' })).toMatchObject({ kind: 'ignored' });
  });
});

describe('what is done or removed', () => {
  const linear = (data: object, action = 'update') => ({
    ...LINEAR,
    action,
    data: { ...LINEAR.data, ...data },
  });
  const jira = (webhookEvent: string, key: string) => ({
    webhookEvent,
    issue: { ...JIRA.issue, fields: { ...JIRA.issue.fields, status: { statusCategory: { key } } } },
  });
  it('F5: is no order', () => {
    for (const payload of [
      linear({}, 'remove'),
      linear({ state: { type: 'completed' } }),
      linear({ state: { type: 'canceled' } }),
    ])
      expect(readHookOrder(HOOK_SOURCES.linear, payload)).toMatchObject({ kind: 'ignored' });
    for (const payload of [jira('jira:issue_deleted', 'new'), jira('jira:issue_updated', 'done')])
      expect(readHookOrder(HOOK_SOURCES.jira, payload)).toMatchObject({ kind: 'ignored' });
    expect(readHookOrder(HOOK_SOURCES.linear, linear({}, 'create'))).toMatchObject({ kind: 'order' });
    expect(readHookOrder(HOOK_SOURCES.linear, linear({ state: { type: 'started' } }))).toMatchObject({
      kind: 'order',
    });
    for (const payload of [jira('jira:issue_created', 'new'), jira('jira:issue_updated', 'indeterminate')])
      expect(
        readHookOrder({ ...HOOK_SOURCES.jira, link: 'https://a.test/{issue.key}' }, payload),
      ).toMatchObject({ kind: 'order' });
  });
});

describe('a mapping of one’s own', () => {
  const OWN: HookMapping = {
    header: 'x-sum',
    prefix: '',
    when: { state: ['open', 'new'] },
    title: 'Fix {item.name}',
    text: '{item.notes}',
    link: 'https://tracker.test/{item.no}',
    id: '{item.no}',
  };
  it('F5: fills its templates with what is there, and refuses what gives no title, id or link', () => {
    const payload = { state: 'new', item: { name: 'the sum', no: 7, notes: ['a', 'b'] } };
    expect(readHookOrder(OWN, payload)).toEqual({
      kind: 'order',
      title: 'Fix the sum',
      text: 'a, b',
      link: 'https://tracker.test/7',
      id: '7',
    });
    expect(readHookOrder({ ...OWN, title: '{item.title}' }, payload)).toMatchObject({ kind: 'unfit' });
    expect(readHookOrder(OWN, { state: 'new', item: {} })).toMatchObject({ kind: 'unfit' });
    for (const link of ['javascript:alert(1)', '{item.no}', 'file:///etc/passwd'])
      expect(readHookOrder({ ...OWN, link }, payload)).toMatchObject({ kind: 'unfit' });
  });

  it('F5: reads own properties alone, and takes no payload for more than data', () => {
    for (const payload of [
      null,
      7,
      'text',
      [],
      { state: { toString: 'open' } },
      { __proto__: { state: 'new' } },
    ])
      expect(readHookOrder(OWN, payload)).toMatchObject({ kind: 'ignored' });
    const named = { state: 'new', item: { name: '{item.notes}', no: 1, notes: 'secret' } };
    expect(readHookOrder(OWN, named)).toMatchObject({ title: 'Fix {item.notes}' });
  });
});
