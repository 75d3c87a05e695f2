/**
 * O9, S9: what stands in the way to the code host is told in the language of the chat, by the errors
 * that a real connection ends with.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { renderConnection } from '../../bot/views/connection-message.ts';
import { LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { networkFailure } from '../../executors/git/git-failure.ts';
import { unreachableFailure } from '../../forge/github-failures.ts';
import { toFailedReason } from '../../orchestrator/kernel/run/reasons.ts';
import { OutsideFailure, toFailure } from '#ports/forge';

/** The error of a request to a server that does this to whoever connects. */
const asked = async (cut: 'destroys' | 'is gone'): Promise<unknown> => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  if (cut === 'is gone') {
    server.close();
    await once(server, 'close');
  }
  try {
    return await fetch(`http://127.0.0.1:${port}/`);
  } catch (error) {
    return error;
  } finally {
    server.close();
  }
};

const inBoth = (error: OutsideFailure): string[] =>
  Object.values(LANGUAGE_TEXTS).map(({ reasons }) => sayRecord(reasons, toFailedReason(toFailure(error))));

describe('the way to the code host', () => {
  it('S9: that is lost is told in words of each language, and in no other', async () => {
    const lost = unreachableFailure(await asked('destroys'));
    expect(lost).toMatchObject({ class: 'forge_unavailable', detail: { kind: 'connection_lost' } });
    const refused = unreachableFailure(await asked('is gone'));
    expect(refused).toMatchObject({ class: 'forge_unavailable', detail: { kind: 'connection_refused' } });
    for (const error of [lost, refused]) {
      const [en = '', zh = ''] = inBoth(error);
      expect(en).not.toMatch(/\p{Script=Han}/u);
      expect(zh).not.toMatch(/could not|[a-z]+ [a-z]+ [a-z]+/);
    }
  });

  it.each([
    ["fatal: unable to access 'https://h/a/': Could not resolve host: h", 'name_not_found'],
    [
      "fatal: unable to access 'https://h/a/': Failed to connect to h port 443 after 1 ms: Connection refused",
      'connection_refused',
    ],
    ["fatal: unable to access 'https://h/a/': Recv failure: Connection reset by peer", 'connection_lost'],
    [
      "fatal: unable to access 'https://h/a/': SSL certificate problem: certificate has expired",
      'certificate_untrusted',
    ],
    ["fatal: unable to access 'https://h/a/': CONNECT tunnel failed, response 407", 'proxy_wants_sign_in'],
    ["fatal: unable to access 'https://h/a/': CONNECT tunnel failed, response 403", 'proxy_forbids'],
  ])('S9: is read from git’s “%s”', (words, kind) => {
    const error = networkFailure(words);
    expect(error.detail).toMatchObject({ kind });
    expect(inBoth(error)[1]).not.toMatch(/fatal|unable|[a-z]+ [a-z]+ [a-z]+/);
  });

  it('S9: that fails at the start or later is told so in the chat', () => {
    const error = networkFailure("fatal: unable to access 'https://h/a/': Could not resolve host: h");
    const [text, detail] = [error.message, error.detail];
    const view = { view: 'connection', kind: 'forge', name: 'GitHub', says: text } as const;
    const findings = [{ kind: 'outside_failure', text, detail }];
    const { html } = renderConnection({ ...view, backAfterMs: null, findings }, LANGUAGE_TEXTS.zh);
    expect(html).toContain('查不到代码托管平台的域名');
    expect(html).not.toContain('Git did not');
  });
});
