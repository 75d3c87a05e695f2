/** English texts of the machine's records, and notes with any text. */
import type { RunAgent } from '../../orchestrator/kernel/run/run.ts';
import { sayRecord } from '../../bot/text/catalogue.ts';
import { ENGLISH_WORDING } from '../../bot/language/english-wording.ts';
import { enTexts } from '../../bot/language/languages.ts';
import type { MessageView } from '../../orchestrator/kernel/run/effect-types.ts';
import type { Feedback } from '../../orchestrator/model/feedback.ts';
import type { Reason } from '../../orchestrator/kernel/run/reasons.ts';

export const reasonOf = (one: { lifecycle: { reason: Reason } } | null | undefined): string =>
  one ? ENGLISH_WORDING.reason(one.lifecycle.reason) : '';
export const toldIn = ({ agent: { round } }: { agent: Pick<RunAgent, 'round'> }): string =>
  ENGLISH_WORDING.feedback(round.feedback);
export const words = (text: string): Feedback[] => [{ kind: 'words', text }];

type Noted = Extract<MessageView, { view: 'note' }>;
export const noteOf = (text: string): Noted => ({
  view: 'note',
  note: { kind: 'effect_stuck', step: 'test', says: text, state: null },
});
/** Returns the text given to `noteOf`, or the note's sentence. */
export const textOf = ({ note }: Noted): string =>
  note.kind === 'effect_stuck' && note.step === 'test' ? note.says : sayRecord(enTexts.notes, note);
