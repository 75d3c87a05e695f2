/** `node tests/support/board-pictures.ts <folder> [all]`: the pictures of the board in the documentation, or of every page. Needs Chromium. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { createBoardWorld } from './board-world.ts';
import { ANA } from './chat-world.ts';
import { findChromium } from './browser.ts';
import { fillCampaign } from './board-campaign.ts';
import { fillBoard, samplePatch } from './board-samples.ts';

const [, , into = 'docs/images', which = ''] = process.argv;
const IN_DOCS = ['inbox-desk', 'run-desk', 'diff-phone', 'campaign-desk', 'figures-desk'];
const found = findChromium();
if ('missing' in found) throw new Error(`No pictures: ${found.missing}`);
mkdirSync(into, { recursive: true });
const ends: (() => Promise<void>)[] = [];
const faults: unknown[] = [];
const world = await createBoardWorld({
  atEnd: (close) => void ends.unshift(close),
  faults,
  patch: samplePatch,
});
const browser = await chromium.launch({
  executablePath: found.path,
  args: ['--no-sandbox', '--disable-gpu'],
});
const SIZES = [
  ['phone', 390, 844],
  ['desk', 1440, 900],
] as const;

const takePictures = async (pages: Record<string, string>): Promise<void> => {
  const { cookie } = await world.signIn(ANA);
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  for (const [size, width, height] of SIZES)
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme,
        deviceScaleFactor: size === 'phone' ? 2 : 1,
        isMobile: size === 'phone',
        hasTouch: size === 'phone',
      });
      await context.addCookies([{ name, value, url: `${world.address}/board` }]);
      const page = await context.newPage();
      page.on('console', (said) => console.log(size, colorScheme, said.text()));
      for (const [title, path] of Object.entries(pages)) {
        if (which !== 'all' && !IN_DOCS.includes(`${title}-${size}`)) continue;
        await page.goto(`${world.address}${path}`, { waitUntil: 'load' });
        await page.screenshot({
          path: join(into, `board-${title}-${size}-${colorScheme}.png`),
          animations: 'disabled',
        });
      }
      await context.close();
    }
};

try {
  const { figures, ...pages } = await fillBoard(world);
  await takePictures(pages);
  const campaign = await fillCampaign(world);
  await takePictures({ campaign, figures: figures ?? '' });
} finally {
  await browser.close();
  for (const end of ends) await end();
}
for (const fault of faults) console.log(fault);
