/** Handles what stops a run: a pause, or an end by a person's word. */
import { z } from 'zod';
import { Person } from '#model/order';
import { ACTIVE_STATES, isTerminal } from '#model/run';
import type { InputOf } from '../run/input-types.ts';
import type { ReasonOf } from '../run/reasons.ts';
import { listOnwardHints } from '../run/refusals.ts';
import type { Run } from '../run/run.ts';
import { BEFORE_PULL, LIVE, STOPPED, WATCHING } from '../run/state-groups.ts';
import { defineCommand, moveFrom, type HandlerRuling } from './define-input.ts';
import { enterState } from './enter-state.ts';
import { addWork } from './step-draft.ts';

type Ending = ReasonOf<'ended_by_person'>;
const endingOf = (
  how: Ending['how'],
  { by, reason }: Pick<InputOf<'command.skip' | 'command.cancel'>, 'by' | 'reason'>,
  { upstream: { pullRequest: pr } }: Run,
): Ending => ({ kind: 'ended_by_person', how, by: by.name, note: reason, pull: pr?.id ?? null });

const reason = z.string().max(2_000);

export const STOP_COMMANDS = [
  defineCommand({
    type: 'command.pause',
    fields: { by: Person },
    moves: [moveFrom(ACTIVE_STATES, ['PAUSED'])],
    instead: (run) => {
      const { state } = run.lifecycle;
      if (isTerminal(state)) return [];
      if (state === 'PAUSED') return listOnwardHints(run);
      return [state === 'FAILED_RETRYABLE' ? 'cancel_retrying' : 'already_stopped'];
    },
    handle: (d, { by }): HandlerRuling => void enterState(d, 'PAUSED', { kind: 'paused', by: by.name }),
  }),
  defineCommand({
    type: 'command.skip',
    fields: { by: Person, reason },
    moves: [moveFrom([...BEFORE_PULL, 'PUSHED', ...STOPPED], ['SKIPPED'], 'without a PR')],
    instead: ({ lifecycle: { state } }) => (isTerminal(state) ? [] : ['cancel']),
    handle: (d, input): HandlerRuling => {
      if (d.run.upstream.pullRequest) return { refuse: { kind: 'has_pull', run: d.run.id } };
      return void enterState(d, 'SKIPPED', endingOf('skipped', input, d.run));
    },
  }),
  defineCommand({
    type: 'command.cancel',
    fields: {
      by: Person,
      reason,
      close: z.string().min(1).max(1_000).exactOptional(),
      branch: z.literal('removed').exactOptional(),
    },
    moves: [moveFrom(LIVE, ['FAILED_TERMINAL'])],
    handle: (d, input): HandlerRuling => {
      enterState(d, 'FAILED_TERMINAL', {
        ...endingOf('cancelled', input, d.run),
        ...(input.close !== undefined && input.branch ? { branch: input.branch } : {}),
      });
      const { pullRequest: pr } = d.run.upstream;
      if (input.close !== undefined && pr) addWork(d, { kind: 'close_pr', pull: pr.id, words: input.close });
      return undefined;
    },
  }),
  defineCommand({
    type: 'command.run.finish',
    fields: { by: Person },
    moves: [moveFrom(['PUSHED', ...WATCHING, 'NEEDS_HUMAN_REVIEW'], ['DONE'])],
    instead: (run) => (isTerminal(run.lifecycle.state) ? [] : [...listOnwardHints(run), 'cancel']),
    handle: (d, { by }): HandlerRuling => void enterState(d, 'DONE', { kind: 'marked_done', by: by.name }),
  }),
];
