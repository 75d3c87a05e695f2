/** O5: a person follows a run in the Mini App and on a wide page, while the chat goes on. */
import { afterEach, describe, expect, it } from 'vitest';
import { sampleGoal } from '#playground';
import { DESK, findChromium, PHONE } from '../../support/browser.ts';
import { startPagedProduct, type PagedProduct } from '../../support/paged-product.ts';
import { ANA, TOKENS } from '../../support/product.ts';
import {
  holdFrame,
  signInitData,
  startTelegramFront,
  type TelegramFront,
} from '../../support/telegram-frame.ts';

const chromium = findChromium();
let front: TelegramFront | undefined;
let world: PagedProduct | undefined;
afterEach(async () => {
  await world?.close();
  await front?.close();
  world = front = undefined;
});

const linkIn = (text: string): string => /https:\S+\/board\/enter\/\S+/.exec(text)?.[0] ?? '';

describe('the Mini App in Telegram’s frame', () => {
  it('O5: shows a run from the order to the merge, at 390 px in the frame and at 1440 px, while the chat goes on', async ({
    skip,
  }) => {
    if ('missing' in chromium) return skip(chromium.missing);
    front = await startTelegramFront();
    const { publicUrl, browserArgs } = front;
    world = await startPagedProduct(
      chromium.path,
      { phone: PHONE, forge: DESK },
      {},
      { env: { AGENTPR_PUBLIC_URL: publicUrl }, browserArgs, begins: (port) => front?.leadsTo(port) },
    );
    const { ana, maintainer, product, open, phone } = world;
    await ana.opensChat('agentpr test');
    await ana.says('/board');
    await ana.reads('Your link to the board');
    await ana.taps('Open the board');
    const link = linkIn(await phone.page.locator('#sheet-text').innerText());
    await phone.page.getByRole('button', { name: 'Back', exact: true }).tap();
    const wide = { viewport: { width: 1440, height: 900 }, ignoreHTTPSErrors: true };
    const desk = await open(link, wide);
    await desk.page.getByRole('heading', { name: 'Inbox' }).waitFor();

    await ana.says(`/new acme/patient ${sampleGoal}`);
    await ana.reads('Open this');
    const needs = desk.page.getByRole('region', { name: /Needs a person/ });
    await needs.getByRole('link', { name: /wait/ }).first().click();

    await ana.taps('Diff');
    const address = await phone.page.locator('#sheet-text').innerText();
    await phone.page.getByRole('button', { name: 'Back', exact: true }).tap();
    const run = product.run()?.id ?? '';
    expect(address).toBe(`${publicUrl}/board/app/open?run=${run}&to=diff`);

    const telegram = await open('https://web.telegram.org/', { ...PHONE, ignoreHTTPSErrors: true });
    const frame = holdFrame(telegram.page);
    await frame.opens(address, signInitData(String(ANA), Date.now(), TOKENS.telegram));
    await frame.app.getByText('Sealed: exactly these bytes are approved').waitFor();
    expect(await frame.address()).toBe(`/board/app/run/${run}/diff`);
    expect(await frame.app.locator('.file:visible').count()).toBe(1);
    await frame.app.getByRole('link', { name: 'Next' }).click();
    await frame.app.locator('#file-1.here').waitFor();
    expect(await frame.style('body', 'background-color')).toBe('rgb(14, 22, 33)');
    await frame.says('theme_changed', {
      theme_params: { bg_color: '#ffffff', secondary_bg_color: '#f1f1f1' },
    });
    await expect.poll(() => frame.style('body', 'background-color')).toBe('rgb(241, 241, 241)');
    await expect.poll(() => frame.style('.pager', 'padding-bottom')).toBe('44px');

    await frame.reloads();
    await frame.app.getByText('Sealed: exactly these bytes are approved').waitFor();
    await frame.goesBack();
    await frame.app.locator('.way').waitFor();
    expect(await frame.address()).toBe(`/board/app/run/${run}`);

    await ana.agreesTo('Open PR');
    for (const at of [frame.app, desk.page])
      await at.locator('#facts').getByRole('link', { name: '#1' }).waitFor();
    await frame.app.locator('#facts').getByRole('link', { name: '#1' }).click();
    await expect
      .poll(async () => (await frame.told()).map(({ eventType }) => eventType))
      .toContain('web_app_open_link');
    await maintainer.opensPull('acme/patient', 1);
    await maintainer.seesChecks('1 of 2 checks failed');
    await ana.reads('Push this fix');
    await ana.agreesTo('Push fix');
    await maintainer.seesChecks('All 2 checks passed');
    await maintainer.merges();
    for (const at of [frame.app, desk.page]) await at.locator('.way .here', { hasText: 'Done' }).waitFor();

    await frame.goesBack();
    await frame.app.getByRole('heading', { name: 'Inbox' }).waitFor();
    expect(await telegram.page.getByRole('button', { name: 'Back' }).isVisible()).toBe(false);
    expect(product.github.mergeCalls()).toEqual([]);
    expect(product.complaints()).toEqual([]);
    expect([...telegram.complaints, ...desk.complaints]).toEqual([]);
  }, 300_000);
});
