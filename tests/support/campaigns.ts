/** A campaign's order to test with, and runs of it that stand as a test wants. */
import {
  CampaignLimits,
  CampaignOrder,
  CampaignPace,
  spread,
} from '../../orchestrator/core/campaign/order.ts';
import { anOrder } from './ledger.ts';

type Change = Partial<Omit<CampaignOrder, 'targets' | 'pace' | 'limits'>> & {
  repos?: readonly string[];
  pace?: Parameters<typeof CampaignPace.parse>[0] & object;
  limits?: Parameters<typeof CampaignLimits.parse>[0] & object;
};

export const aCampaign = ({
  repos = ['ana/one', 'ana/two'],
  pace,
  limits,
  ...rest
}: Change = {}): CampaignOrder => {
  const { repo: _, ...run } = anOrder();
  return CampaignOrder.parse({
    ...{ name: 'Mend the tests', leftOut: [], unseen: 0, run },
    targets: spread(repos.map((repo) => ({ repo, vars: {} }))),
    pace: CampaignPace.parse(pace ?? {}),
    limits: CampaignLimits.parse(limits ?? {}),
    ...{ requester: { id: '7', name: 'Ana' }, chat: '7' },
    ...rest,
  });
};
