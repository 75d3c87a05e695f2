/** The ledger's contract in memory, where it is quick; tests/adapters/sqlite.test.ts runs it on disk. */
import { openInMemory } from '../support/ledger.ts';
import { ledgerContract } from './ledger-contract.ts';

ledgerContract('in memory', openInMemory);
