/** Defines what a campaign file may say (F5). Strict at every depth. */
import { z } from 'zod';
import { OpeningWindow, RepeatRule } from '#model/schedule';
import { CampaignLimits, CampaignPace, TargetVariables } from '#model/campaign';
import { LINK_OUTCOMES, MAX_LINKS, MAX_CAMPAIGN_QUERIES } from '#model/targets';
import { PersonId, toRuleParams } from '#model/settings';
import { INSTALL_MODES, MAX_ORDERED_FIXES } from '#model/order';
import { PullOptions } from '#model/opening';
import { BudgetAmount } from '#model/spending';
import { MAX_LISTED_REPOSITORIES } from './repository-list.ts';

const nonEmptyText = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((said) => said.trim() !== '', toRuleParams('filled'));
export const Link = z.union([
  nonEmptyText(400),
  z.strictObject({ repo: nonEmptyText(400), until: z.enum(LINK_OUTCOMES).default('merged') }),
]);
const Repository = z.union([
  nonEmptyText(400),
  z.strictObject({
    repo: nonEmptyText(400),
    vars: TargetVariables.default({}),
    after: z.union([Link, z.array(Link).min(1).max(MAX_LINKS)]).optional(),
    goal: nonEmptyText(8_000).optional(),
    title: nonEmptyText(200).optional(),
    script: nonEmptyText(100_000).optional(),
  }),
]);

export const CampaignFile = z.strictObject({
  name: nonEmptyText(80),
  repositories: z.array(Repository).max(MAX_LISTED_REPOSITORIES).default([]),
  /** `org:…`, `team:…/…`, `repos:…` or `code:…`. */
  query: z.union([nonEmptyText(400), z.array(nonEmptyText(400)).max(MAX_CAMPAIGN_QUERIES)]).default([]),
  goal: nonEmptyText(8_000).optional(),
  /** Runs instead of an agent; gets the goal on standard input. */
  script: nonEmptyText(100_000).optional(),
  /** Fixes instead of one goal; each repository gets one pull request for all of them. */
  fixes: z
    .array(
      z.strictObject({
        title: nonEmptyText(200),
        goal: nonEmptyText(8_000).optional(),
        script: nonEmptyText(100_000).optional(),
      }),
    )
    .min(2)
    .max(MAX_ORDERED_FIXES)
    .optional(),
  engine: nonEmptyText(100).optional(),
  flow: z.enum(['direct', 'plan']).optional(),
  base: nonEmptyText(200).optional(),
  branch: nonEmptyText(200).optional(),
  title: nonEmptyText(200).optional(),
  checks: z.array(nonEmptyText(10_000)).max(50).default([]),
  install: z.enum(INSTALL_MODES).optional(),
  /** F13: how its pull requests open. */
  pull: PullOptions.optional(),
  approvers: z.array(PersonId).min(1).max(20).optional(),
  pace: CampaignPace.prefault({}),
  limits: CampaignLimits.prefault({}),
  openings: OpeningWindow.optional(),
  /** P7: what it may cost in all. */
  budget: BudgetAmount.optional(),
  every: RepeatRule.optional(),
});
export type CampaignFile = z.infer<typeof CampaignFile>;
