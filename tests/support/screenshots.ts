/**
 * `npm run screenshots`: takes the README's pictures. Needs Chromium, pngquant, and the fonts Inter
 * and JetBrains Mono.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sampleGoal, sampleReview } from '#playground';
import { DESK, findChromium, PHONE } from './browser.ts';
import { startPagedProduct } from './paged-product.ts';

const INTO = join(import.meta.dirname, '../../docs/images');
const SHARP = { deviceScaleFactor: 2 };
const GREEN = 'All 2 checks passed';

const take = async (page: Page, name: string, looks: ('light' | 'dark')[]): Promise<void> => {
  for (const colorScheme of looks) {
    await page.emulateMedia({ colorScheme });
    const path = join(INTO, `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    execFileSync('pngquant', ['--force', '--skip-if-larger', '--strip', '--speed=1', '--output', path, path]);
    console.log(path);
  }
  await page.emulateMedia({ colorScheme: 'light' });
};

const chromium = findChromium();
if ('missing' in chromium) throw new Error(`No pictures: ${chromium.missing}`);
mkdirSync(INTO, { recursive: true });
const looks = { phone: { ...PHONE, ...SHARP }, forge: { ...DESK, viewport: { width: 1280, height: 1000 } } };
const world = await startPagedProduct(chromium.path, looks, { botName: 'agentpr_demo_bot' });
try {
  const { ana, maintainer, phone, forge } = world;
  await ana.opensChat('agentpr demo');
  await ana.says(`/new acme/patient ${sampleGoal}`);
  await ana.reads('Open this');
  await ana.reads('Ready for your decision');
  await ana.looksUp();
  await take(phone.page, 'phone-card', ['light', 'dark']);
  await ana.taps('Diff');
  await ana.reads('DIFF');
  await ana.looksUp();
  await take(phone.page, 'phone-viewer', ['light', 'dark']);
  await ana.taps('Back to the card');
  await ana.agreesTo('Open PR');
  await maintainer.opensPull('acme/patient', 1);
  await maintainer.seesChecks('1 of 2 checks failed');
  await ana.reads('Push this fix');
  await ana.looksUp();
  await take(phone.page, 'phone-fix', ['light']);
  await ana.agreesTo('Push fix');
  await maintainer.seesChecks(GREEN);
  await maintainer.reviews('Request changes', sampleReview);
  await ana.agreesTo('Push fix');
  await world.product.telegram.waitFor(() => world.repo.pushes.length === 3, { deadlineMs: 60_000 });
  await maintainer.seesChecks(GREEN);
  await maintainer.looksUp();
  await forge.page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await take(forge.page, 'forge-pull', ['light', 'dark']);
  await forge.page.locator('#say').scrollIntoViewIfNeeded();
  await take(forge.page, 'forge-checks', ['light']);
  await maintainer.opensDeliveries();
  await take(forge.page, 'forge-deliveries', ['light']);
} finally {
  await world.close();
}
