/**
 * The whole story as a person lives it: on the phone's page and the code host's, in a real browser,
 * with the real process behind.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { sampleGoal, sampleReview, startTelegram } from '#playground';
import { DESK, findChromium, openChromium, PHONE } from '../../support/browser.ts';
import { startPagedProduct, type PagedProduct } from '../../support/paged-product.ts';

const GREEN = 'All 2 checks passed';
const chromium = findChromium();

let world: PagedProduct | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

describe('in a browser', () => {
  it('S2, G4, G6: a person orders, approves, mends, reviews and merges by the pages alone', async ({
    skip,
  }) => {
    if ('missing' in chromium) return skip(chromium.missing);
    world = await startPagedProduct(chromium.path, { phone: PHONE, forge: DESK });
    const { ana, maintainer, product, repo, phone, forge } = world;
    const head = (): string | undefined => repo.pulls[0]?.headSha.slice(0, 6);

    await ana.opensChat('agentpr test');
    await ana.says(`/new acme/patient ${sampleGoal}`);
    expect(await ana.reads('Open this')).toContain('fix: make the first wait as long as documented');
    expect(repo.pulls).toEqual([]);
    await ana.agreesTo('Open PR');
    await ana.reads('Pull request #1 opened');

    await maintainer.opensPull('acme/patient', 1);
    await maintainer.seesChecks('1 of 2 checks failed');
    expect(await ana.reads('Push this fix')).toContain('changelog');
    const opened = head();
    await ana.agreesTo('Push fix');
    await maintainer.seesChecks(GREEN);
    const mended = head();
    expect(mended).not.toBe(opened);

    await maintainer.reviews('Request changes', sampleReview);
    await ana.agreesTo('Push fix');
    await product.telegram.waitFor(() => head() !== mended, { deadlineMs: 60_000 });
    expect(repo.pushes.length).toBe(3);
    const reworked = head();
    await maintainer.sees(reworked ?? 'a third head');
    await maintainer.seesChecks(GREEN);
    expect(await maintainer.timeline()).toMatch(/added 2 commits[^]*requested changes[^]*added 1 commit/);

    await maintainer.reviews('Approve');
    await maintainer.merges();
    await ana.reads('DONE');
    await product.atRest();
    expect(product.run()).toMatchObject({
      lifecycle: { state: 'DONE' },
      upstream: { pullRequest: { id: '#1' } },
    });
    expect([repo.pulls.length, repo.pulls[0]?.merged, head()]).toEqual([1, true, reworked]);
    expect(product.github.mergeCalls()).toEqual([]);
    expect(product.complaints()).toEqual([]);
    expect({ phone: phone.complaints, forge: forge.complaints }).toEqual({ phone: [], forge: [] });
  }, 300_000);

  it('shows neither page to one who was not told its key', async ({ skip }) => {
    if ('missing' in chromium) return skip(chromium.missing);
    world = await startPagedProduct(chromium.path, { phone: PHONE, forge: DESK });
    const { github, telegram } = world.product;
    const [phone, forge] = await Promise.all([
      world.open(telegram.url, PHONE),
      world.open(`${github.url}/acme/patient`, DESK),
    ]);
    await phone.page.getByText('This phone is locked').waitFor();
    await forge.page.getByText('This forge is locked').waitFor();
    // The cookie holds the keys of those who were told: they need not stand in the address.
    for (const { page } of [world.phone, world.forge]) expect(new URL(page.url()).search).toBe('');
  });

  it('O6: keeps an answer and the line that it quotes inside a phone of 390 px', async ({ skip }) => {
    if ('missing' in chromium) return skip(chromium.missing);
    const telegram = await startTelegram({ token: '4242:x', botName: 'agentpr_bot', limits: null });
    const browser = await openChromium(chromium.path);
    try {
      const ana = telegram.person(1001, 'Ana');
      const first = ana.sends('Only retry on 429 and 503, and say so in the README. '.repeat(6));
      ana.sends('Yes', { replyTo: first });
      const { page, complaints } = await browser.open(telegram.phoneUrl, PHONE);
      await page.getByText('agentpr').first().click();
      await page.locator('.reply-text').waitFor();
      const outside = await page.evaluate(
        `[...document.querySelectorAll('.bubble')].map((one) => one.getBoundingClientRect()).filter(({ left, right }) => left < 0 || right > innerWidth).map(({ left, right }) => [left, right])`,
      );
      expect(outside).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await telegram.stop();
    }
  });
});
