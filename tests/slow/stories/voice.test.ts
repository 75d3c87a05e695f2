/** C10: a voice note through the real process, to a server and to a command, whenever it is killed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleTranscriberCommand } from '#playground';
import { createFakeTranscriber, type FakeTranscriber } from '../../support/fake-transcriber.ts';
import { ANA, createProduct, PATIENCE, type Product } from '../../support/product.ts';

const REPO = 'acme/spoken';
const SAID = `in ${REPO}: write one more line into the README`;
const SCRIPT = "sed -i '$a spoken' README.md";
let product: Product;
let server: FakeTranscriber;
const begin = async (voice: object, env: Record<string, string> = {}): Promise<void> => {
  product = await createProduct({ script: SCRIPT, config: { chat: { voice } }, env });
  await product.github.addRepo({ owner: 'acme', name: 'spoken', from: { 'README.md': 'An app.\n' } });
  product.start();
  await product.running();
};
beforeEach(async () => void (server = await createFakeTranscriber()));
afterEach(async () => {
  await product.close();
  await server.close();
});
const asked = (): Promise<void> => new Promise((resolve) => server.onAsked(resolve));
const cards = () => product.ana.messages().filter((m) => m.from === 'bot' && m.text.startsWith('🎙'));
const heard = () => product.ana.waitForMessage(/^🎙 I heard/, { deadlineMs: PATIENCE });
const used = () => product.ana.waitForMessage(/^🎙 Used/, { deadlineMs: PATIENCE });

describe('a voice note', () => {
  it('C10: is lost by no SIGKILL between voice, transcript and tap, and is used once', async () => {
    await begin({ url: server.url, key: 'VOICE_KEY' }, { VOICE_KEY: 'key-of-the-transcriber' });
    server.hangs();
    const first = asked();
    product.ana.attaches('voice', { says: SAID });
    await first;
    await product.kill();
    server.says(SAID);
    product.start();
    const card = await heard();
    expect(card.text).toContain(SAID);
    expect(server.requests.at(-1)).toMatchObject({ authorization: 'Bearer key-of-the-transcriber' });
    await product.settled();
    await product.kill();
    expect(product.runs()).toEqual([]);

    product.ana.taps({ message: card.messageId, text: 'Use these words' });
    product.ana.taps({ message: card.messageId, text: 'Use these words' });
    product.start();
    await used();
    await product.restart();
    const offer = await product.ana.waitForMessage(
      (m) => m.buttons.flat().some((b) => /^Start/.test(b.text)),
      {
        deadlineMs: PATIENCE,
      },
    );
    expect(cards()).toHaveLength(1);
    expect(product.runs()).toEqual([]);
    product.ana.taps({ message: offer.messageId, text: /^Start/ });
    const run = await product.waitFor(() => product.run(REPO) ?? null, { what: 'a run' });
    expect(run.order).toMatchObject({ repo: REPO, requester: { id: String(ANA) } });
    await product.ana.waitForMessage(/open a pull request in acme\/spoken/, { deadlineMs: PATIENCE });
  });

  it('C10: a command of the operator gets a file of its own, no secret, and a limit of time', async () => {
    await begin({ command: sampleTranscriberCommand });
    product.ana.attaches('voice', { says: SAID });
    expect((await heard()).text).toContain(SAID);

    const tells = `const { readdirSync } = require('node:fs');
      console.log(Object.keys(process.env).sort().join(' '), readdirSync('.').join(' '), process.argv[1]);`;
    await product.close();
    await begin({ command: [process.execPath, '-e', tells, '{file}'] });
    product.ana.attaches('voice', {});
    const { text } = await heard();
    expect(text).toMatch(/HOME LANG PATH TMPDIR voice\.ogg .*voice\.ogg$/);
    expect(text).not.toMatch(/TOKEN|GITHUB|TELEGRAM/);

    await product.close();
    await begin({
      command: [process.execPath, '-e', 'setInterval(() => {}, 1000)', '{file}'],
      timeoutSeconds: 1,
    });
    product.ana.attaches('voice', {});
    await product.ana.waitForMessage(/had no transcript within 1 seconds/, { deadlineMs: PATIENCE });
    expect(product.startedProcesses()).toEqual([]);
    await product.close();
    await begin({ command: ['no-such-transcriber', '{file}'] });
    product.ana.attaches('voice', {});
    await product.ana.waitForMessage(/no-such-transcriber gave no transcript/, { deadlineMs: PATIENCE });
  });
});
