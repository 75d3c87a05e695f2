/** C4: tells people once a round that the agent repeats a command; only they may stop it. */
import type { HandlerRuling } from '../lifecycle/input-handler.ts';
import { addMessage, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../inputs/inputs.ts';

export const onCallRepeated = (
  d: StepDraft,
  { call, times, of }: InputOf<'worker.call.repeated'>,
): HandlerRuling =>
  void addMessage(
    d,
    { view: 'repeated_call', call, times, of, answered: null },
    { slot: `repeated:${d.stamp.nonce}`, sound: true },
  );
