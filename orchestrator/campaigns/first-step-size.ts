/** Limits the first step, because an agent's work differs between repositories (F5). */
import { z } from 'zod';
import { MAX_CAMPAIGN_TARGETS, type CampaignOrder } from '#model/campaign';

export const CampaignSettings = z.strictObject({
  mostCanaries: z.int().min(1).max(100).default(10),
  /** Scripts are deterministic: their campaigns may start with any number. */
  scriptsMaySkipPilot: z.boolean().default(false),
});
export type CampaignSettings = z.infer<typeof CampaignSettings>;

type Order = {
  targets: { readonly length: number };
  pace: Pick<CampaignOrder['pace'], 'canary'>;
  run: Pick<CampaignOrder['run'], 'engine' | 'proposers'>;
};

const isScript = ({ engine, proposers }: Order['run']): boolean =>
  engine === 'script' && proposers === undefined;

export const checkFirstStepSize = (
  { targets, pace, run }: Order,
  { mostCanaries, scriptsMaySkipPilot }: CampaignSettings,
): { first: number; limit: number; script: boolean } | null => {
  const first = Math.min(pace.canary, targets.length);
  const script = isScript(run);
  const limit = script && scriptsMaySkipPilot ? MAX_CAMPAIGN_TARGETS : mostCanaries;
  return first > limit ? { first, limit, script } : null;
};
