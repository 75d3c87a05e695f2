/** Campaigns in the memory ledger. */
import { artifactDigest } from '../../../db/ledger/attempt-store.ts';
import { evolveCampaign, validateDecision, planNewCampaign, CampaignOrder } from '#model/campaign';
import type { Ledger } from '#ports/ledger';
import { kept } from './kept.ts';
import { transact, type MemoryStore } from './store.ts';

export const createMemoryCampaigns = (store: MemoryStore): Ledger['campaigns'] => ({
  plan: async ({ id, order, at, by, origin }) =>
    transact(store, (tx) => {
      if (store.campaigns.has(id)) return false;
      const read = CampaignOrder.parse(order);
      const campaign = planNewCampaign(
        {
          id,
          digest: artifactDigest(JSON.stringify(read)),
          by,
          origin,
          undoes: order.undoes,
          every: order.schedule?.every,
        },
        at,
      );
      tx.put(store.campaigns, id, kept({ campaign, order: read }));
      return true;
    }),
  decide: async (id, { decision, by, at, from }) =>
    transact(store, (tx) => {
      const found = store.campaigns.get(id);
      if (!found) return { kind: 'unknown' };
      const { campaign, order } = found;
      if (from && (from.stateEnteredAt !== campaign.stateEnteredAt || from.released !== campaign.released))
        return { kind: 'same', campaign };
      const judged = validateDecision(campaign, decision);
      if (judged !== 'taken') return { kind: judged, campaign };
      const next = evolveCampaign(campaign, decision, by, at);
      tx.put(store.campaigns, id, kept({ campaign: next, order }));
      return { kind: 'taken', campaign: next };
    }),
});
