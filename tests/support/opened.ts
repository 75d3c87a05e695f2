/** Opens a resource before each test and closes it afterwards. */
import { afterEach, beforeEach } from 'vitest';
import type { Ledger } from '#ports/ledger';
import type { Open, Opened } from './ledger.ts';

export const useLedger = (open: Open): { ledger: () => Ledger; restart: () => Promise<Ledger> } => {
  let opened: Opened | undefined;
  const current = (): Opened => {
    if (!opened) throw new Error('no ledger is open');
    return opened;
  };
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(async () => {
    await current().close();
    opened = undefined;
  });
  return { ledger: () => current().ledger, restart: () => current().restart() };
};
