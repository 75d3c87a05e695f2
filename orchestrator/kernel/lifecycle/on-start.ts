/** Handles what starts work: reading, implementing, checking, and another round on a pull request. */
import { z } from 'zod';
import { CampaignLesson, wordsFeedback } from '#model/feedback';
import { Person } from '#model/order';
import { giveRemarksToAgent } from '../reviews/on-open-remarks.ts';
import { listHintsWithoutPull } from '../run/refusals.ts';
import { WATCHING } from '../run/state-groups.ts';
import { enterIteration } from './settle-state.ts';
import { defineCommand, moveFrom, type HandlerRuling } from './define-input.ts';
import { enterState } from './enter-state.ts';
import { continueAsAnswered } from '../preparation/on-discovery.ts';
import { startPlan } from '../rounds/on-plan-loop.ts';

export const START_COMMANDS = [
  defineCommand({
    type: 'command.discovery.start',
    fields: {},
    moves: [moveFrom(['QUEUED'], ['DISCOVERY'], 'auto when a slot is free')],
    handle: (d): HandlerRuling => void enterState(d, 'DISCOVERY', { kind: 'reading_repository' }),
  }),
  defineCommand({
    type: 'command.implementation.start',
    fields: { by: Person.nullable() },
    moves: [
      moveFrom(
        ['PLAN_READY'],
        ['IMPLEMENTING', 'DISCOVERY', 'NEEDS_HUMAN_REVIEW'],
        'auto, after the plan card when escalated; then the base is checked, unless it was',
      ),
    ],
    handle: (d, { by }): HandlerRuling => {
      const { run } = d;
      if (run.target.escalation !== null && by === null)
        return { refuse: { kind: 'plan_first', run: run.id } };
      if (continueAsAnswered(d) === 'checks') return undefined;
      run.lifecycle.counts = { ...run.lifecycle.counts, reflections: 0, reportRepairs: 0 };
      return void enterState(d, 'IMPLEMENTING', { kind: startPlan(run) ? 'planning' : 'implementing' });
    },
  }),
  defineCommand({
    type: 'command.validation.accept',
    fields: { by: Person },
    moves: [moveFrom(['IMPLEMENTING'], ['LOCAL_VALIDATING'], 'human')],
    handle: (d, { by }): HandlerRuling => {
      if (!d.run.change.commit) return { refuse: { kind: 'no_commit', run: d.run.id } };
      return void enterState(d, 'LOCAL_VALIDATING', { kind: 'sent_to_checks', by: by.name });
    },
  }),
  defineCommand({
    type: 'command.iterate',
    fields: {
      by: Person,
      instruction: z.string().max(20_000),
      comment: z.string().exactOptional(),
      lesson: CampaignLesson.exactOptional(),
    },
    moves: [moveFrom(WATCHING, ['ITERATING', 'NEEDS_HUMAN_REVIEW'], 'a tap on a comment')],
    pushes: true,
    instead: listHintsWithoutPull,
    handle: (d, { instruction, comment, lesson }): HandlerRuling => {
      giveRemarksToAgent(d, ({ id }) => id === comment);
      enterIteration(d, {
        kind: 'person_request',
        feedback: wordsFeedback(instruction, lesson),
        purpose: [],
      });
      return undefined;
    },
  }),
];
