/** What every ledger promises, whatever it stores into: run on each implementation. */
import { describe } from 'vitest';
import type { Open } from '../support/ledger.ts';
import { approvalContract } from './ledger-approvals.ts';
import { campaignContract } from './ledger-campaigns.ts';
import { clockContract } from './ledger-clock.ts';
import { deliveryContract } from './ledger-deliveries.ts';
import { effectContract } from './ledger-effects.ts';
import { fairnessContract } from './ledger-fairness.ts';
import { figureContract } from './ledger-figures.ts';
import { messageContract } from './ledger-messages.ts';
import { pageContract } from './ledger-pages.ts';
import { recordContract } from './ledger-records.ts';
import { spendingContract } from './ledger-spending.ts';
import { stepContract } from './ledger-steps.ts';

/** Each part opens ledgers of its own, and none for the tests of others. */
const PARTS = {
  steps: stepContract,
  effects: effectContract,
  messages: messageContract,
  approvals: approvalContract,
  records: recordContract,
  deliveries: deliveryContract,
  fairness: fairnessContract,
  clocks: clockContract,
  campaigns: campaignContract,
  figures: figureContract,
  pages: pageContract,
  spending: spendingContract,
};

export const ledgerContract = (name: string, open: Open): void => {
  describe(`the ledger ${name}`, () => {
    for (const [part, contract] of Object.entries(PARTS)) describe(part, () => contract(open));
  });
};
