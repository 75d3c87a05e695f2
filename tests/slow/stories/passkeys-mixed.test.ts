/** G11: of two signatures one comes from the chat and one from a key; a lost key is replaced; what a browser sent is used once. */
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { sampleGoal } from '#playground';
import { DESK, findChromium, PHONE } from '../../support/browser.ts';
import { startPagedProduct, type PagedProduct } from '../../support/paged-product.ts';
import { PATIENCE, TOKENS } from '../../support/product.ts';
import { startTlsFront, type TlsFront } from '../../support/tls-front.ts';
import { holdKey } from '../../support/virtual-key.ts';

const BO = { id: '2002', name: 'Bo', role: 'approver' } as const;
const chromium = findChromium();
let front: TlsFront | undefined;
let world: PagedProduct | undefined;
afterEach(async () => {
  await world?.close();
  await front?.close();
  world = front = undefined;
});

/** Returns the fingerprint of the new key. */
const registerBy = async ({ ana }: PagedProduct, page: Page): Promise<string> => {
  await ana.says('/passkey');
  const shown = await ana.reads('Your link to register a key');
  await page.goto(/https:\S+\/board\/enter\/\S+/.exec(shown)?.[0] ?? '');
  await page.getByRole('button', { name: 'Register a key on this device' }).click();
  const said = page.locator('#register-says').getByText(/^Registered: [0-9a-f]{32}\./);
  await said.waitFor();
  return /[0-9a-f]{32}/.exec(await said.innerText())?.[0] ?? '';
};

it('G11: two people sign, by chat and by key, after the first key was lost; what was sent is used once', async ({
  skip,
}) => {
  if ('missing' in chromium) return skip(chromium.missing);
  front = await startTlsFront();
  const { publicUrl, browserArgs } = front;
  world = await startPagedProduct(
    chromium.path,
    { phone: PHONE, forge: DESK },
    {},
    {
      env: { AGENTPR_PUBLIC_URL: publicUrl },
      users: [BO],
      bounds: { approvals: 2 },
      browserArgs,
      begins: (port) => front?.leadsTo(port),
    },
  );
  const { ana, product, repo, open } = world;
  await ana.opensChat('agentpr test');
  const { page } = await open('about:blank', DESK);
  const { cdp, authenticatorId } = await holdKey(page);
  const lost = await registerBy(world, page);

  await ana.says(`/new acme/patient ${sampleGoal}`);
  await ana.reads('Open this');
  const run = product.run()?.id ?? '';
  const bo = product.telegram.person(Number(BO.id), BO.name);
  bo.sends(`/approve_open_pr ${run}`);
  await bo.waitForMessage(/Open this/, { deadlineMs: PATIENCE });
  bo.sends(`/approve_open_pr ${run} --confirm`);
  await bo.waitForMessage(/signature/, { deadlineMs: PATIENCE });

  // The key is lost: nothing signs. Another one is registered, and the lost one revoked.
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  await holdKey(page);
  await page.goto(`${publicUrl}/board/run/${run}/diff`);
  await page.getByRole('button', { name: 'Open PR' }).click();
  await page.getByText('Your key did not sign').waitFor();
  await ana.says('/passkey');
  await ana.reads('Your link to register a key');
  await ana.taps(`Revoke Ana ${lost.slice(0, 4)}`);
  await ana.reads('The key');
  const found = await registerBy(world, page);
  expect(found).not.toBe(lost);

  await page.goto(`${publicUrl}/board/run/${run}/diff`);
  const sent = page.waitForRequest((request) => request.url().endsWith('/decide'));
  await page.getByRole('button', { name: 'Open PR' }).click();
  const press = await sent;
  await page.locator('#live').getByText('Approved with your key.').waitFor();
  await product.waitFor(() => repo.pulls.length === 1, { what: 'the pull request' });

  // The same press once more, as it was recorded, and as another site would send it.
  const again = (origin: string): Promise<number> =>
    page.request
      .post(press.url(), { data: press.postData() ?? '', headers: { ...press.headers(), origin } })
      .then((answer) => answer.status());
  expect(await again(publicUrl)).toBeGreaterThanOrEqual(400);
  expect(await again('https://evil.example')).toBe(403);
  expect(repo.pulls).toHaveLength(1);

  const keys = ['--keys', product.address(), '--api', product.github.url];
  const link = `${product.github.url}/${repo.fullName}/pull/1`;
  const verify = async (...args: string[]): Promise<string> => {
    const said = await product.cli(['verify', link, ...keys, ...args], '', { GITHUB_TOKEN: TOKENS.github });
    return `${said.code} ${said.out}${said.err}`;
  };
  expect(await verify('--approver', found)).toMatch(new RegExp(`^0 ✔ .*own key ${found} `, 's'));
  expect(await verify('--approver', lost)).toMatch(/^5 ✘ .*None of the keys/s);
  expect(product.complaints()).toEqual([]);
}, 400_000);
