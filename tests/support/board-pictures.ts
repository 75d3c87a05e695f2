/** `node tests/support/board-pictures.ts <folder>`: pictures of the board's pages. Needs Chromium. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { createBoardWorld } from './board-world.ts';
import { ANA } from './chat-world.ts';
import { findChromium } from './browser.ts';
import { fillBoard, samplePatch } from './board-samples.ts';

const [, , into = 'docs/images'] = process.argv;
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
const pages = await fillBoard(world);
const { cookie } = await world.signIn(ANA);
const [name = '', value = ''] = cookie.split(/=(.*)/s);
const browser = await chromium.launch({
  executablePath: found.path,
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const [size, width, height] of [
    ['phone', 390, 844],
    ['desk', 1440, 900],
  ] as const)
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
        await page.goto(`${world.address}${path}`);
        await page.waitForTimeout(250);
        await page.screenshot({
          path: join(into, `board-${title}-${size}-${colorScheme}.png`),
          animations: 'disabled',
        });
      }
      await context.close();
    }
} finally {
  await browser.close();
  for (const end of ends) await end();
}
for (const fault of faults) console.log(fault);
