/**
 * What the machine tells as data, in the English that people read; and notes of any words for tests
 * of what carries them.
 */
import type { RunAgent } from '../../orchestrator/core/machine/run.ts';
import { say } from '../../bot/text/catalogue.ts';
import { english } from '../../bot/language/english.ts';
import { notes } from '../../bot/language/en/notes.ts';
import type { View } from '../../orchestrator/core/machine/effects.ts';
import type { Feedback } from '../../orchestrator/core/feedback.ts';
import type { Reason } from '../../orchestrator/core/machine/reasons.ts';

export const reasonOf = (one: { lifecycle: { reason: Reason } } | null | undefined): string =>
  one ? english.reason(one.lifecycle.reason) : '';
export const toldIn = ({ agent: { round } }: { agent: Pick<RunAgent, 'round'> }): string =>
  english.feedback(round.feedback);
export const words = (text: string): Feedback[] => [{ kind: 'words', text }];

type Noted = Extract<View, { view: 'note' }>;
export const noteOf = (text: string): Noted => ({
  view: 'note',
  note: { kind: 'effect_stuck', step: 'test', says: text, state: null },
});
/** What `noteOf` was given; the sentence of any other note. */
export const textOf = ({ note }: Noted): string =>
  note.kind === 'effect_stuck' && note.step === 'test' ? note.says : say(notes, note);
