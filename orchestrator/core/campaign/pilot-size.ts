/**
 * F5: with how many repositories a campaign may begin at once. What an agent writes differs from one
 * repository to the next, so that its first step is always few. Pure.
 */
import { z } from 'zod';
import { MAX_CAMPAIGN_TARGETS, type CampaignOrder } from './campaign-order.ts';

export const CampaignSettings = z.strictObject({
  /** Repositories that the first step may have. */
  mostCanaries: z.int().min(1).max(100).default(10),
  /** A script makes the same everywhere: its campaigns may begin with as many as they say. */
  scriptsMaySkipPilot: z.boolean().default(false),
});
export type CampaignSettings = z.infer<typeof CampaignSettings>;

type Order = {
  targets: { readonly length: number };
  pace: Pick<CampaignOrder['pace'], 'canary'>;
  run: Pick<CampaignOrder['run'], 'engine' | 'proposers'>;
};

/** Another engine beside a script is an agent. */
const isScript = ({ engine, proposers }: Order['run']): boolean =>
  engine === 'script' && proposers === undefined;

/** Its first step is larger than it may be: so many of at most how many; null when it may begin so. */
export const pilotSkipped = (
  { targets, pace, run }: Order,
  { mostCanaries, scriptsMaySkipPilot }: CampaignSettings,
): { first: number; most: number; script: boolean } | null => {
  const first = Math.min(pace.canary, targets.length);
  const script = isScript(run);
  const most = script && scriptsMaySkipPilot ? MAX_CAMPAIGN_TARGETS : mostCanaries;
  return first > most ? { first, most, script } : null;
};
