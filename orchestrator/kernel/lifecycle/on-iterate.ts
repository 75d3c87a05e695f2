/** Handles a person's wish for another round on an open pull request. */
import { z } from 'zod';
import { CampaignLesson, wordsFeedback } from '#model/feedback';
import { Person } from '#model/order';
import { giveRemarksToAgent } from '../reviews/on-open-remarks.ts';
import { listHintsWithoutPull } from '../run/refusals.ts';
import { WATCHING } from '../run/state-groups.ts';
import { defineCommand, moveFrom, type HandlerRuling } from './define-input.ts';
import { enterIteration } from './settle-state.ts';

export const ITERATION_COMMANDS = [
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
