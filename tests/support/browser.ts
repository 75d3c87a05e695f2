/** Headless Chromium with a fresh profile, which records every error of its pages. */
import { existsSync } from 'node:fs';
import { chromium, type BrowserContextOptions, type Page } from 'playwright-core';

/** Disables network services, the GPU and the user's profile. */
const ARGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
/** Long enough for a busy machine (ms). */
const PATIENCE = 60_000;

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

export type Window = {
  page: Page;
  /** Script errors, console errors and policy violations. */
  complaints: string[];
};
export type Chromium = {
  open: (url: string, look: BrowserContextOptions) => Promise<Window>;
  close: () => Promise<void>;
};

/** Returns the program's path, or why it is missing. */
export const findChromium = (): { path: string } | { missing: string } => {
  const path = process.env.CHROME_PATH ?? '/usr/bin/chromium';
  return existsSync(path)
    ? { path }
    : { missing: `there is no ${path} (apt-get install chromium, or set CHROME_PATH)` };
};

export const openChromium = async (path: string, args: readonly string[] = []): Promise<Chromium> => {
  const browser = await chromium.launch({ executablePath: path, args: [...ARGS, ...args] });
  return {
    async open(url, look) {
      const context = await browser.newContext({ locale: 'en-GB', ...look });
      context.setDefaultTimeout(PATIENCE);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (said) => {
        if (['error', 'warning'].includes(said.type())) complaints.push(`${said.type()}: ${said.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
      // A string, because this project's types have no DOM.
      await page.addInitScript(`document.addEventListener('securitypolicyviolation', (one) =>
        console.error('forbidden by ' + one.effectiveDirective + ': ' + one.blockedURI))`);
      await page.goto(url);
      return { page, complaints };
    },
    close: () => browser.close(),
  };
};
