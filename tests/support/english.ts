/** English texts of the machine's records, and notes with any text. */
import type { RunAgent, Reason } from '#run';
import { sayRecord } from '#chat-text';
import { ENGLISH_WORDING, enTexts } from '#language';
import type { MessageView } from '#effects';
import type { Feedback } from '#model/feedback';

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
