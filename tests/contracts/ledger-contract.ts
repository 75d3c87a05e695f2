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
import { recordContract } from './ledger-records.ts';
import { stepContract } from './ledger-steps.ts';

export const ledgerContract = (name: string, open: Open): void => {
  describe(`the ledger ${name}`, () => {
    stepContract(open);
    effectContract(open);
    messageContract(open);
    approvalContract(open);
    recordContract(open);
    deliveryContract(open);
    fairnessContract(open);
    clockContract(open);
    campaignContract(open);
    figureContract(open);
  });
};
