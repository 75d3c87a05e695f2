/** G11: a person registers a key of their own and decides with it, in a real browser over TLS. */
import { afterEach, describe, expect, it } from 'vitest';
import { sampleGoal } from '#playground';
import { DESK, findChromium, PHONE } from '../../support/browser.ts';
import { startPagedProduct, type PagedProduct } from '../../support/paged-product.ts';
import { startTlsFront, type TlsFront } from '../../support/tls-front.ts';
import { holdKey } from '../../support/virtual-key.ts';

const chromium = findChromium();
let front: TlsFront | undefined;
let world: PagedProduct | undefined;
afterEach(async () => {
  await world?.close();
  await front?.close();
  world = front = undefined;
});

const byKey = {
  policies: {
    custom: [
      {
        id: 'own-key',
        when: { repos: ['*/*'], actions: ['open_pr'] },
        verdict: 'escalate',
        by: 'passkey',
        reason: 'Approved with a key alone.',
      },
    ],
  },
};

describe('an own key', () => {
  it('G11: is registered, and opens a pull request that the chat cannot open', async ({ skip }) => {
    if ('missing' in chromium) return skip(chromium.missing);
    front = await startTlsFront();
    const { publicUrl, browserArgs } = front;
    world = await startPagedProduct(
      chromium.path,
      { phone: PHONE, forge: DESK },
      {},
      {
        env: { AGENTPR_PUBLIC_URL: publicUrl },
        config: { ...byKey, approvalKeys: 'registered' },
        browserArgs,
        begins: (port) => front?.leadsTo(port),
      },
    );
    const { ana, maintainer, product, open, forge } = world;
    await ana.opensChat('agentpr test');
    await ana.says('/passkey');
    const shown = await ana.reads('Your link to register a key');
    const { page, complaints } = await open('about:blank', DESK);
    const { cdp, authenticatorId } = await holdKey(page);
    await page.goto(/https:\S+\/board\/enter\/\S+/.exec(shown)?.[0] ?? '');
    await page.getByRole('button', { name: 'Register a key on this device' }).click();
    await page
      .locator('#register-says')
      .getByText(/^Registered: [0-9a-f]{32}\./)
      .waitFor();
    await ana.reads('🔑 Ana registered a key');

    await ana.says(`/new acme/patient ${sampleGoal}`);
    await ana.reads('Open this');
    await ana.taps('Open PR');
    await ana.reads('This one needs your own key');
    const run = product.run()?.id ?? '';
    expect(product.run()?.upstream.pullRequest).toBeNull();

    await page.goto(`${publicUrl}/board/run/${run}/diff`);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Open PR' }).click();
    await page.getByText('Your key did not sign').waitFor();
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Open PR' }).click();
    await page.locator('#live').getByText('Approved with your key.').waitFor();
    await maintainer.opensPull('acme/patient', 1);
    await forge.page.getByText('AgentPR receipt').first().click();
    await maintainer.sees('the approver’s own key');
    expect(complaints).toEqual([]);
    expect(product.complaints()).toEqual([]);
  }, 300_000);
});
