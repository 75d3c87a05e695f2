/**
 * The real process and who it works with: what it says when it starts, while one of them is away,
 * and when they are back.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { answer, drop } from '#playground';
import { createProduct, PATIENCE, type Product, type ProductOptions } from '../../support/product.ts';

let product: Product;
afterEach(() => product.close());

const begin = async (options: ProductOptions = {}): Promise<void> => {
  product = await createProduct({ script: 'true', ...options });
};
const says = (text: string): Promise<unknown> =>
  product.waitFor(() => product.stdout().includes(text), { what: `the console to say “${text}”` });
const hears = (text: string): Promise<unknown> =>
  product.ana.waitForMessage((m) => m.from === 'bot' && m.text.includes(text), { deadlineMs: PATIENCE });
const ready = async (): Promise<{ status: number; away: string[] }> => {
  const response = await fetch(`${product.address()}/readyz`);
  const { connections } = (await response.json()) as { connections: { kind: string; state: string }[] };
  return {
    status: response.status,
    away: connections.filter(({ state }) => state !== 'reached').map(({ kind }) => kind),
  };
};
const ALL = '@agentpr_test_bot connected · GitHub as agentpr-bot · engine script ready';

it('O2: a start says in one line whom it reached, and is ready; a GitHub that refuses us while we run is told of on the console and in the chat, and so is its return', async () => {
  await begin();
  product.start();
  await says(ALL);
  expect(await ready()).toEqual({ status: 200, away: [] });
  expect(product.ana.messages()).toEqual([]);
  const outage = product.github.faults.always('*', answer(401, { message: 'Bad credentials' }));
  // Somebody needs it: nobody has to wait for the next look.
  product.ana.sends('/new acme/app Mend it');
  const why = 'GitHub refused our credential: Bad credentials. Check GITHUB_TOKEN';
  await says(`GitHub cannot be used: ${why}`);
  expect(await ready()).toEqual({ status: 503, away: ['forge'] });
  await hears(`GitHub · cannot be used\n${why}`);
  outage.stop();
  await hears('GitHub · works again after');
  expect(await ready()).toEqual({ status: 200, away: [] });
});

it('O2: a Telegram that is away is named while it is, and the chat hears of it when it is back', async () => {
  await begin();
  const outage = product.telegram.faults.always('*', drop());
  product.start();
  await says('Telegram cannot be used: Telegram could not be reached.');
  await says('GitHub as agentpr-bot · engine script ready');
  expect(await ready()).toEqual({ status: 503, away: ['chat'] });
  await product.waitFor(() => product.look().notes().includes('told of a connection'));
  outage.stop();
  await says('\nTelegram: @agentpr_test_bot connected');
  await hears('Telegram · works again after');
  expect(await ready()).toEqual({ status: 200, away: [] });
});

it('O2: a code host that has no address here, and an engine that is not there or not signed in, are named at the start with what to do', async () => {
  await begin({
    env: { GITHUB_API_URL: 'https://github.invalid/api/v3', AGENTPR_ENGINE: 'codex' },
    config: {
      engines: {
        codex: { command: '/nonexistent/codex' },
        claude: { command: '/bin/true', authFile: '/nonexistent' },
      },
    },
  });
  product.start();
  await says('GitHub cannot be used: GitHub could not be reached');
  await says('@agentpr_test_bot connected');
  await hears('GitHub · cannot be used');
  await says('engine codex cannot be used: the program /nonexistent/codex was not found. Install it');
  await says('engine claude cannot be used: ');
  await says('Sign in (`claude auth login`)');
  await hears('Engine codex · cannot be used');
  expect((await ready()).away.toSorted()).toEqual(['engine', 'engine', 'forge']);
});

it('L3: what somebody wrote is received before the rest of the program is loaded, kept when that cannot start, and answered once by the next start', async () => {
  await begin();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  product.ana.sends('/status');
  product.start({ env: { AGENTPR_HTTP_PORT: String(port) } });
  expect(await product.ended()).toEqual({ code: 1, signal: null });
  other.close();
  expect(product.stderr()).toContain(`Port ${port} of 127.0.0.1 is in use by another program`);
  expect(Object.values(product.look().inbox())).toEqual([1]);
  expect(product.ana.messages().filter(({ from }) => from === 'bot')).toEqual([]);
  product.start();
  await hears('Nothing is running');
  await product.atRest();
  expect(product.ana.messages().filter(({ text }) => text.includes('Nothing is running'))).toHaveLength(1);
});
