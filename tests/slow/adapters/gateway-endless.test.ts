/** E16: an answer of a provider that never ends, over a real socket. */
import { expect, it } from 'vitest';
import { MB } from '#model/values';
import { ask, createProvider, openDoor } from '../../support/gateway-world.ts';
const body = (more: object = {}): string =>
  JSON.stringify({ model: 'gpt-5.2', input: [{ role: 'user', content: 'hello there' }], ...more });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

it('E16: cuts an answer that does not end, or is far too large, and lets go of the provider', async () => {
  let closed = 0;
  const line = Buffer.from(
    `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(60_000) } }] })}\n\n`,
  );
  const { url } = await createProvider((_request, response) => {
    response.on('close', () => (closed += 1));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = (): void => {
      while (!response.destroyed && response.write(line));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const { socket, token, models } = await openDoor(url);
  const body100 = ask(socket, '/v1/chat/completions', { headers: bearer(token), body: body() });
  await expect(body100).rejects.toThrow();
  await expect.poll(() => closed).toBe(1);
  await expect.poll(() => models?.used().outputTokens).toBeGreaterThan(15 * MB);
});
