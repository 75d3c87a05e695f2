/**
 * English for readers outside the chat: prompts, the command line, logs and exports. Times are ISO
 * 8601.
 */
import type { Wording } from '../../orchestrator/ports.ts';
import { say } from '../text/catalogue.ts';
import { feedback } from './en/feedback.ts';
import { findingNote } from './en/findings.ts';
import { judgement } from './en/judgements.ts';
import { reasons } from './en/reasons.ts';
import { refusals } from './en/refusals.ts';

export const english: Wording = {
  reason: (r) => say(reasons, r),
  refusal: (r) => say(refusals, r),
  judgement,
  findingNote,
  fixedIn: (sha) => `Fixed in ${sha}.`,
  feedback: (all) => all.map((f) => say(feedback, f)).join('\n\n'),
};
