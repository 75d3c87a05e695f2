/** What the ledger keeps of campaigns: the order, once, and what was decided since. */
import type { Campaign, CampaignDecision } from '../core/campaign/campaign.ts';
import type { CampaignOrder } from '../core/campaign/campaign-order.ts';
import type { CampaignTrigger } from '../core/campaign-trigger.ts';
import type { Run } from '../core/machine/run.ts';
import type { Person } from '../core/order.ts';

export type CampaignOutcome =
  /** `same`: it stood so before, or has moved on since it was looked at. */
  { kind: 'taken' | 'same' | 'refused'; campaign: Campaign } | { kind: 'unknown' };

export type CampaignPort = {
  /** False when there is one with that id: the first order stays. */
  plan(campaign: {
    id: string;
    order: CampaignOrder;
    at: number;
    by: Person | null;
    origin?: CampaignTrigger | undefined;
  }): Promise<boolean>;
  /** `from` is what was looked at: what was concluded from it holds only while it stands so. */
  decide(
    id: string,
    given: {
      decision: CampaignDecision;
      by: Person | null;
      at: number;
      from?: Pick<Campaign, 'stateEnteredAt' | 'released'>;
    },
  ): Promise<CampaignOutcome>;
};

export type CampaignQueries = {
  /** Throws when its order is not what was planned. */
  campaign(id: string): Promise<{ campaign: Campaign; order: CampaignOrder } | null>;
  /** Newest first. */
  campaigns(): Promise<Campaign[]>;
  /** In the order in which they were begun; those that can be read. */
  campaignRuns(id: string): Promise<Run[]>;
};
