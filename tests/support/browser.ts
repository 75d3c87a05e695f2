/**
 * A real browser: Chromium, headless, with a fresh profile, and pages whose every complaint is
 * heard.
 */
import { existsSync } from 'node:fs';
import { chromium, type BrowserContextOptions, type Page } from 'playwright-core';

/** Nothing that reaches for the network, the graphics card or the person's own profile. */
const ARGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
/** Long enough for a machine that does much else (ms). */
const PATIENCE = 60_000;

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

export type Window = {
  page: Page;
  /** Errors of its scripts and its console, and what its policy has forbidden. */
  complaints: string[];
};
export type Chromium = {
  open: (url: string, look: BrowserContextOptions) => Promise<Window>;
  close: () => Promise<void>;
};

/** The program, or why there is none. */
export const findChromium = (): { path: string } | { missing: string } => {
  const path = process.env.CHROME_PATH ?? '/usr/bin/chromium';
  return existsSync(path)
    ? { path }
    : { missing: `there is no ${path} (apt-get install chromium, or set CHROME_PATH)` };
};

export const openChromium = async (path: string): Promise<Chromium> => {
  const browser = await chromium.launch({ executablePath: path, args: ARGS });
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
      // Text, since the types of this project know no document.
      await page.addInitScript(`document.addEventListener('securitypolicyviolation', (one) =>
        console.error('forbidden by ' + one.effectiveDirective + ': ' + one.blockedURI))`);
      await page.goto(url);
      return { page, complaints };
    },
    close: () => browser.close(),
  };
};
