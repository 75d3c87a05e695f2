/** `agentpr hook test`: the order that a webhook makes of a saved payload, or why it makes none. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommandHere } from '../../support/command-here.ts';
import { temporaryDirectory } from '../../support/ledger.ts';

let dir: string;
let remove: () => void;
beforeEach(() => {
  ({ dir, remove } = temporaryDirectory());
  const hooks = {
    tracker: {
      secret: 'TRACKER',
      from: { program: 'linear', repository: 'acme/app', comment: { token: 'TRACKER_KEY' } },
    },
    deps: { secret: 'DEPS' },
  };
  writeFileSync(join(dir, 'agentpr.config.json'), JSON.stringify({ arrivals: { hooks } }));
});
afterEach(() => remove());

const item = (label: string) => ({
  action: 'create',
  type: 'Issue',
  url: 'https://linear.app/acme/issue/ACME-7',
  data: {
    id: 'i-1',
    title: 'Sum is wrong',
    description: 'It subtracts.',
    labels: [{ name: label }],
    state: { type: 'unstarted' },
  },
});
const test = (name: string, payload: string, ...more: string[]) => {
  writeFileSync(join(dir, 'payload.json'), payload);
  const env = { PATH: process.env['PATH'], HOME: dir };
  return runCommandHere(['hook', 'test', name, 'payload.json', ...more], { cwd: dir, env });
};

it('F5: prints goal, link and quoted text, without a secret and without anything running', async () => {
  const { code, out } = await test('tracker', JSON.stringify(item('agentpr')));
  expect([code, out]).toEqual([0, expect.stringContaining('Goal: Sum is wrong')]);
  expect(out).toContain('Link: https://linear.app/acme/issue/ACME-7');
  expect(out).toContain('It subtracts.');
  expect(out).toMatch(/After a tap a comment goes to https:\/\/api\.linear\.app\/graphql: .*"id":"i-1"/);
  const json = await test('tracker', JSON.stringify(item('agentpr')), '--json');
  expect(JSON.parse(json.out)).toMatchObject({ kind: 'order', repository: 'acme/app', id: 'i-1' });
});

it('F5: says why a payload makes no order, and which webhook has no mapping', async () => {
  const unmarked = await test('tracker', JSON.stringify(item('bug')));
  expect([unmarked.code, unmarked.err]).toEqual([3, expect.stringContaining('data.labels.name is bug')]);
  expect((await test('tracker', 'no json')).code).toBe(2);
  expect((await test('deps', '{}')).code).toBe(2);
  expect((await test('nobody', '{}')).code).toBe(4);
});
