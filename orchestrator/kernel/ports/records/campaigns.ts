/** The campaign port: stores the order once, and the decisions made afterwards. */
import type { Campaign, CampaignDecision, CampaignOrder } from '#model/campaign';
import type { CampaignTrigger } from '#model/schedule';
import type { Person } from '#model/order';
import type { Run } from '../../run/run.ts';

export type CampaignOutcome =
  /** `same`: nothing changed, or the campaign changed since `from` was read. */
  { kind: 'taken' | 'same' | 'refused'; campaign: Campaign } | { kind: 'unknown' };

export type CampaignPort = {
  /** Returns false when the id exists; the first order stays. */
  plan(campaign: {
    id: string;
    order: CampaignOrder;
    at: number;
    by: Person | null;
    origin?: CampaignTrigger | undefined;
  }): Promise<boolean>;
  /** The decision is taken only while the campaign still equals `from`. */
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
  /** Throws when the stored order differs from the planned one. */
  campaign(id: string): Promise<{ campaign: Campaign; order: CampaignOrder } | null>;
  campaigns(): Promise<Campaign[]>;
  /** Sorted by start; unreadable runs are left out. */
  campaignRuns(id: string): Promise<Run[]>;
};
