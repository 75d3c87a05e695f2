/** What the cards of a campaign share: a line of text, and names of repositories in one. */
import type { CampaignNow } from '../../orchestrator/engine/campaign-now.ts';
import type { Texts } from '../language/language.ts';
import { show, showPath } from '../text/text.ts';

export type CampaignScene = CampaignNow & { now: number };

/** Names that one line shows. */
const NAMES = 6;

export const line = (text: string): string => show(text, 400);

export const namesOf = (repos: readonly string[], { campaign }: Texts, most = NAMES): string =>
  [
    ...repos.slice(0, most).map((repo) => showPath(repo, 50)),
    ...(repos.length > most ? [show(campaign.more(repos.length - most))] : []),
  ].join(' · ');
