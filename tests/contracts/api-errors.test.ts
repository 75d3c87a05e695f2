/** O1: whatever is wrong with a request of a program, the answer is JSON with a sentence. */
import { expect, it } from 'vitest';
import { createHttpApi } from '../../cli/api/serve-http.ts';

const TOKEN = 'a-token-of-a-test';
const api = createHttpApi(TOKEN, { data: '/nowhere' });
const authorized = { authorization: `Bearer ${TOKEN}` };

it.each([
  ['no token', '/api', {}, 401],
  ['another token', '/api', { authorization: 'Bearer wrong' }, 401],
  ['a token that the shell left empty', '/api/order_change', { authorization: 'Bearer ' }, 400],
  ['no scheme', '/mcp', { authorization: TOKEN }, 400],
  ['an unknown path', '/api/nothing', authorized, 404],
  ['no input', '/api/order_change', authorized, 400],
])('O1: given %s, the answer at %s is an error in JSON', async (_, path, headers, status) => {
  const answer = await api.request(path, { method: 'POST', headers });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  const { error } = (await answer.json()) as { error: string };
  expect(error).toMatch(/^.{12,}/);
});
