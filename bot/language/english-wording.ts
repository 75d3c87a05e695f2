/** Renders English for prompts, the command line, logs and exports. Times are ISO 8601. */
import type { EnglishWording } from '../../orchestrator/kernel/ports/index.ts';
import { sayRecord } from '../text/catalogue.ts';
import { enComposed } from './en/sentences.ts';

export const ENGLISH_WORDING: EnglishWording = {
  reason: (r) => sayRecord(enComposed.reasons, r),
  refusal: (r) => sayRecord(enComposed.refusals, r),
  judgement: enComposed.judgement,
  findingNote: enComposed.findingNote,
  fixedIn: (sha) => `Fixed in ${sha}.`,
  fixedOtherwise: (sha, lines) =>
    lines.length === 0
      ? `Fixed in ${sha}, otherwise than suggested: the suggested lines are not in it.`
      : `Fixed in ${sha}, otherwise than suggested. In place of the suggested lines it has:\n\n${fenced(lines)}`,
  ownWords: '*A person wrote this answer, word for word.*',
  feedback: (all) => all.map((f) => sayRecord(enComposed.feedback, f)).join('\n\n'),
};

const fenced = (lines: readonly string[]): string => {
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
};
