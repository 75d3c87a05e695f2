/**
 * The ledger's contract in memory, where it is quick; tests/adapters/sqlite.test.ts runs it on
 * disk.
 */
import { randomLedgerKey } from '../../db/directory/ledger-key.ts';
import { openInMemory, type Open } from '../support/ledger.ts';
import { createMemoryLedger, createMemoryStore } from '../support/memory-ledger.ts';
import { ledgerContract } from './ledger-contract.ts';

/** A restart is another boot over the same values. */
const openPlain: Open = async () => {
  const [store, key] = [createMemoryStore(), randomLedgerKey()];
  const boot = (name: string) => createMemoryLedger({ store, key, boot: name, now: () => 0 });
  return { ledger: boot('boot-1'), restart: async () => boot('boot-2'), close: async () => undefined };
};

ledgerContract('in memory', openInMemory);
ledgerContract('of plain values', openPlain);
