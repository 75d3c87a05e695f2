/** The product with a sample repository, and two people who use only its local servers' pages. */
import type { BrowserContextOptions } from 'playwright-core';
import {
  sampleAgentCommand,
  sampleCi,
  sampleDirectory,
  type RepoHandle,
  type TelegramOptions,
} from '#playground';
import { openChromium, type Chromium, type Window } from './browser.ts';
import { beMaintainer, holdPhone, type MaintainerHand, type PhoneHand } from './page-hands.ts';
import { createProduct, type Product, type ProductOptions } from './product.ts';

export type PagedProduct = {
  product: Product;
  repo: RepoHandle;
  phone: Window;
  forge: Window;
  ana: PhoneHand;
  maintainer: MaintainerHand;
  open: Chromium['open'];
  close(): Promise<void>;
};
export type Looks = { phone: BrowserContextOptions; forge: BrowserContextOptions };

/** `begins` is told the product's port before it starts. */
type Outside = {
  env?: Record<string, string>;
  config?: Record<string, unknown>;
  users?: ProductOptions['users'];
  bounds?: ProductOptions['bounds'];
  browserArgs?: readonly string[];
  begins?: (port: number) => void;
};

/** The agent fails first, learns from the checks, and follows a review; the pages need keys. */
export const startPagedProduct = async (
  chromium: string,
  looks: Looks,
  telegram: Partial<TelegramOptions> = {},
  { env = {}, config = {}, users = [], bounds = {}, browserArgs = [], begins }: Outside = {},
): Promise<PagedProduct> => {
  const product = await createProduct({
    script: sampleAgentCommand({ mood: 'learns' }),
    // Polling is so rare that only a webhook can be in time.
    bounds: { ciSettleMs: 300, noCiMs: 5_000, pollMs: 600_000, ...bounds },
    users,
    webhooks: true,
    env,
    config,
    servers: {
      github: { forgeKey: 'key-of-the-forge' },
      telegram: { phoneKey: 'key-of-the-phone', ...telegram },
    },
  });
  const browser = await openChromium(chromium, browserArgs);
  const sample = { from: sampleDirectory(), ci: sampleCi };
  const repo = await product.github.addRepo({ owner: 'acme', name: 'patient', ...sample });
  begins?.(Number(product.environment().AGENTPR_HTTP_PORT));
  product.start();
  await product.running();
  const phone = await browser.open(product.telegram.phoneUrl, looks.phone);
  const forge = await browser.open(product.github.forgeUrl, looks.forge);
  return {
    product,
    repo,
    phone,
    forge,
    open: browser.open,
    ana: holdPhone(phone.page),
    maintainer: beMaintainer(forge.page),
    async close() {
      await browser.close();
      await product.close();
    },
  };
};
