/** Renders English for prompts, the command line, logs and exports. Times are ISO 8601. */
import type { EnglishWording } from '../../orchestrator/ports.ts';
import { sayRecord } from '../text/catalogue.ts';
import { enFeedback } from './en/feedback.ts';
import { enFindingNote } from './en/findings.ts';
import { enJudgement } from './en/judgements.ts';
import { enReasons } from './en/reasons.ts';
import { enRefusals } from './en/refusals.ts';

export const ENGLISH_WORDING: EnglishWording = {
  reason: (r) => sayRecord(enReasons, r),
  refusal: (r) => sayRecord(enRefusals, r),
  judgement: enJudgement,
  findingNote: enFindingNote,
  fixedIn: (sha) => `Fixed in ${sha}.`,
  feedback: (all) => all.map((f) => sayRecord(enFeedback, f)).join('\n\n'),
};
