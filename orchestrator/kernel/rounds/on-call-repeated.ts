/** Tells people once a round that the agent repeats a command; only they may stop it (C4). */
import { z } from 'zod';
import { AGENTS } from '../run/state-groups.ts';
import { defineResult, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { addMessage, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';

const onCallRepeated = (
  draft: StepDraft,
  { call, times, of }: InputOf<'worker.call.repeated'>,
): HandlerRuling => {
  const { agent } = draft.run;
  const slot = `repeated:${draft.stamp.nonce}`;
  agent.repeatedCalls = [...(agent.repeatedCalls ?? []), { slot, call, times, of }];
  addMessage(draft, { view: 'repeated_call', call, times, of, answered: null }, { slot, sound: true });
  return undefined;
};

export const CALL_RESULTS = [
  defineResult({
    type: 'worker.call.repeated',
    fields: { call: z.string().max(2_000), times: z.number().int(), of: z.number().int() },
    moves: stayIn(['DISCOVERY', ...AGENTS], 'told; the agent works on'),
    late: 'ignored',
    handle: (d, input): HandlerRuling => onCallRepeated(d, input),
  }),
];
