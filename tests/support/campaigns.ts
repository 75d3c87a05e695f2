/** A sample campaign order, and runs of it in any state. */
import { CampaignLimits, CampaignOrder, CampaignPace, spreadTargets } from '#model/campaign';
import type { z } from 'zod';
import { anOrder } from './ledger.ts';

type Change = Partial<Omit<CampaignOrder, 'targets' | 'pace' | 'limits'>> & {
  repos?: readonly string[];
  pace?: z.input<typeof CampaignPace>;
  limits?: z.input<typeof CampaignLimits>;
};

export const aCampaign = ({
  repos = ['ana/one', 'ana/two'],
  pace,
  limits,
  ...rest
}: Change = {}): CampaignOrder => {
  const { repo: _, ...run } = anOrder();
  return CampaignOrder.parse({
    name: 'Mend the tests',
    excludedTargets: [],
    unseen: 0,
    run,
    targets: spreadTargets(repos.map((repo) => ({ repo, vars: {} }))),
    pace: CampaignPace.parse(pace ?? {}),
    limits: CampaignLimits.parse(limits ?? {}),
    requester: { id: '7', name: 'Ana' },
    chat: '7',
    ...rest,
  });
};
