/** O5: a person follows a run on the board in a real browser, while the chat goes on. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { sampleGoal } from '#playground';
import { DESK, findChromium, PHONE, type Window } from '../../support/browser.ts';
import { startPagedProduct, type PagedProduct } from '../../support/paged-product.ts';

const chromium = findChromium();

let world: PagedProduct | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const linkIn = (text: string): string => /http:\S+\/board\/enter\/\S+/.exec(text)?.[0] ?? '';

/** Findings that keep somebody from reading a page. */
const barriersOn = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${new URL(page.url()).pathname} ${id}: ${nodes[0]?.html ?? ''}`);
};

describe('the board in a browser', () => {
  it('O5: shows a run from the order to the merge without a reload', async ({ skip }) => {
    if ('missing' in chromium) return skip(chromium.missing);
    world = await startPagedProduct(chromium.path, { phone: PHONE, forge: DESK });
    const { ana, maintainer, product, open } = world;
    await ana.opensChat('agentpr test');
    await ana.says('/board');
    const board: Window = await open(linkIn(await ana.reads('Your link to the board')), DESK);
    const { page } = board;
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/board/');

    await ana.says(`/new acme/patient ${sampleGoal}`);
    await ana.reads('Open this');
    const needs = page.getByRole('region', { name: /Needs a person/ });
    await needs.getByText('waiting for your decision').waitFor();
    await needs.getByRole('link', { name: /wait/ }).first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('region', { name: 'Checks' }).innerText()).toContain('passed');
    const sealed = product.run()?.gate.proposal?.digest ?? 'no seal';
    expect(await page.locator('#seal').innerText()).toContain(sealed.slice(0, 12));
    expect(await page.locator('#replay').innerText()).toMatch(/✓[^]*✓[^]*✓/);
    await page.locator('#contract summary').click();
    await page.evaluate('globalThis.before = document.getElementById("contract")');

    await page.getByRole('link', { name: 'Read the change' }).click();
    await page.getByText('Sealed: exactly these bytes are approved').waitFor();
    expect(await page.locator('.code .added').count()).toBeGreaterThan(0);
    await page.goBack();

    await ana.agreesTo('Open PR');
    await page.locator('#facts').getByRole('link', { name: '#1' }).waitFor();
    await maintainer.opensPull('acme/patient', 1);
    await maintainer.seesChecks('1 of 2 checks failed');
    await ana.reads('Push this fix');
    await ana.agreesTo('Push fix');
    await maintainer.seesChecks('All 2 checks passed');
    await maintainer.merges();
    await page.locator('.way .here', { hasText: 'Done' }).waitFor();

    expect(product.github.mergeCalls()).toEqual([]);
    expect(product.complaints()).toEqual([]);
    expect(board.complaints).toEqual([]);
  }, 300_000);

  it('O5: keeps nobody from reading: every page, light and dark, wide and narrow, and without scripts', async ({
    skip,
  }) => {
    if ('missing' in chromium) return skip(chromium.missing);
    world = await startPagedProduct(chromium.path, { phone: PHONE, forge: DESK });
    const { ana, product, open } = world;
    await ana.opensChat('agentpr test');
    await ana.says(`/new acme/patient ${sampleGoal}`);
    await ana.reads('Open this');
    await ana.says('/board');
    const { page, complaints } = await open(linkIn(await ana.reads('Your link to the board')), DESK);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    const { origin } = new URL(page.url());
    const run = `${origin}/board/run/${product.run()?.id ?? ''}`;
    const barriers: string[] = [];
    for (const address of [
      `${origin}/board/`,
      run,
      `${run}/diff`,
      `${run}/diff?split=1`,
      `${origin}/board/campaigns`,
      `${origin}/board/figures?days=all`,
    ]) {
      await page.goto(address);
      for (const width of [1440, 390])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 844 });
          await page.emulateMedia({ colorScheme });
          barriers.push(...(await barriersOn(page)));
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect([address, width, overflow]).toEqual([address, width, 0]);
          const cut = await page.evaluate(
            `[...document.querySelectorAll('.attempts')].filter((one) => one.scrollWidth > one.parentElement.clientWidth).length`,
          );
          expect([address, width, cut]).toEqual([address, width, 0]);
        }
    }
    expect(barriers).toEqual([]);
    expect(complaints).toEqual([]);

    const cookies = await page.context().cookies(`${origin}/board`);
    const plain = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    await plain?.addCookies(cookies);
    const still = await plain?.newPage();
    await still?.goto(`${origin}/board/`);
    await still?.locator('.row .title').first().click();
    await still?.getByRole('link', { name: 'Read the change' }).click();
    expect(await still?.locator('.code .added').count()).toBeGreaterThan(0);
  }, 300_000);
});
