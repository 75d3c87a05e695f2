/** Tells what came of an act on a campaign, in the chat and on the command line (F5). */
import type { CampaignSaying } from '#campaigns/acts';
import type { LanguageTexts } from '../language/languages.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';

export const describeCampaignOutcome = (words: LanguageTexts, said: CampaignSaying): string => {
  const t = words.campaign;
  switch (said.kind) {
    case 'nothing_yet':
      return t.planned;
    case 'tried':
    case 'withdrawn':
      return t[said.kind](said.n);
    case 'unknown':
      return t.unknown(said.id);
    case 'not':
      return t.not(t.states[said.state]);
    case 'did':
      return t.did[said.decision];
    case 'failed':
      return t.notDone(said.note);
    case 'note':
      return sayRecord(words.notes, said.note);
  }
};
