/** English for prompts, logs, exports and what is published, whatever a chat speaks. Times are ISO 8601. */
import type { EffectContext } from '#kernel';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { enTexts as english } from './languages.ts';

export const ENGLISH_WORDING: EffectContext['texts']['wording'] = {
  reason: (r) => sayRecord(english.reasons, r),
  refusal: (r) => sayRecord(english.refusals, r),
  judgement: (one) => english.judgement(one),
  findingNote: (of) => english.findingNote(of),
  fixedIn: (sha) => `Fixed in ${sha}.`,
  fixedOtherwise: (sha, lines) =>
    lines.length === 0
      ? `Fixed in ${sha}, otherwise than suggested: the suggested lines are not in it.`
      : `Fixed in ${sha}, otherwise than suggested. In place of the suggested lines it has:\n\n${toFencedBlock(lines)}`,
  ownWords: '*A person wrote this answer, word for word.*',
  feedback: (all) => all.map((f) => sayRecord(english.feedback, f)).join('\n\n'),
};

const toFencedBlock = (lines: readonly string[]): string => {
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
};

/** Published in the description of a closed pull request. */
export const CAMPAIGN_CLOSING_NOTE =
  'Thank you for your time. The change that this pull request belongs to is no longer pursued, so we are closing it. There is nothing for you to do.';

export const UNDO_WORDS = {
  closing:
    'Thank you for your time. The change that this pull request belongs to is being taken back everywhere, so we are closing it. There is nothing for you to do.',
  reason: 'The campaign is being undone.',
} as const;
