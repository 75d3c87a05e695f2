/** E21: words to a working agent from the page of its run. */
import { expect, it, onTestFinished } from 'vitest';
import { boardAddressOf } from '../../app/board-routes.ts';
import { createBoardWorld } from '../support/board-world.ts';
import { ANA, VIC } from '../support/chat-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

const begin = async () => {
  const w = await createBoardWorld({ atEnd: onTestFinished });
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  await w.offer(
    'q1',
    { type: 'command.run.create', runId: 'q1', order: anOrder({ engine: 'codex' }) },
    ...toWork,
  );
  return w;
};
const SAID = { words: 'Use the helper in lib/.', when: 'now' };

it('E21: a field on the page queues words in the name of who is signed in, and the page shows them', async () => {
  const w = await begin();
  const session = await w.signIn(ANA);
  const before = await (await w.get('/board/run/q1', session)).text();
  expect(before).toContain('id="tell-words"');
  const answer = await w.post('/board/run/q1/words', SAID, session);
  expect([answer.status, await answer.json()]).toMatchObject([200, { ok: true }]);
  expect((await w.run('q1'))?.agent.operatorWords).toMatchObject([{ ...SAID, no: 1, by: 'P7' }]);
  expect(await (await w.get('/board/run/q1', session)).text()).toContain('waits, to be said now');
});

it('E21: takes them where the host has no name, and keys cannot be used', async () => {
  const w = await begin();
  const session = await w.signIn(ANA);
  const at = w.address.replace('localhost', '127.0.0.1');
  const send = async (origin: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', ...session, origin };
    const body = JSON.stringify(SAID);
    return (await fetch(`${at}/board/run/q1/words`, { method: 'POST', headers, body })).status;
  };
  expect(await send(at)).toBe(200);
  expect(await send(at.replace(/\d+$/, '1'))).toBe(403);
});

it('O5: a board of this machine is opened by the name for which browsers hold keys', () => {
  const places = ['http://127.0.0.1:8787', 'http://[::1]:7', 'http://192.0.2.1:7'];
  expect(places.map((at) => boardAddressOf(null, at))).toEqual([
    'http://localhost:8787',
    'http://localhost:7',
    'http://192.0.2.1:7',
  ]);
  expect(boardAddressOf('https://a.example/below', 'http://127.0.0.1:8787')).toBe('https://a.example/below');
});

it('E21: whoever may only look, another site, and words that are none say nothing to an agent', async () => {
  const w = await begin();
  const [ana, vic] = [await w.signIn(ANA), await w.signIn(VIC)];
  const sends = async (body: unknown, headers: Record<string, string>): Promise<number> =>
    (await w.post('/board/run/q1/words', body, headers)).status;
  expect(await sends(SAID, vic)).toBe(403);
  expect(await sends(SAID, {})).toBe(401);
  expect(await sends(SAID, { ...ana, origin: 'https://else.where' })).toBe(403);
  expect(await sends({ ...SAID, words: ' ' }, ana)).toBe(400);
  expect(await sends({ ...SAID, by: 'Bob' }, ana)).toBe(400);
  expect((await w.run('q1'))?.agent.operatorWords).toBeUndefined();
});

it('E21: a run without an agent at work refuses them, and its page has no field', async () => {
  const w = await begin();
  const session = await w.signIn(ANA);
  await w.offer('q1', { type: 'command.cancel', by: { id: '1', name: 'Ana' }, reason: '' });
  expect(await (await w.get('/board/run/q1', session)).text()).not.toContain('id="tell-words"');
  expect((await w.post('/board/run/q1/words', SAID, session)).status).toBe(409);
});
