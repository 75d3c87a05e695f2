/** Provides lines that several campaign cards share. */
import type { CampaignStatus } from '#campaigns';
import type { LanguageTexts } from '../language/languages.ts';
import { escapeLine, showPath } from '../text/telegram-html.ts';

/** `mostOpen`: the operator's own limit of what is open with one owner. */
export type CampaignScene = CampaignStatus & { now: number; mostOpen?: number };

const MAX_REPOSITORY_NAMES = 6;

export const campaignLine = (text: string): string => escapeLine(text, 400);

export const repositoryNames = (
  repos: readonly string[],
  { campaign }: LanguageTexts,
  most = MAX_REPOSITORY_NAMES,
): string =>
  [
    ...repos.slice(0, most).map((repo) => showPath(repo, 50)),
    ...(repos.length > most ? [escapeLine(campaign.more(repos.length - most))] : []),
  ].join(' · ');
