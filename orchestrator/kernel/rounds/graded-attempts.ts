/** E13: reads an attempt's grade from the input that ended it, so that the log alone tells it. */
import { gradeOf } from '#governor';
import type { Grade } from '../../model/change-records.ts';
import type { Input, InputOf } from '../run/inputs.ts';

const failed = ({ class: failure, message, detail }: InputOf<'worker.step.failed'>): Grade => ({
  level: 'FAIL',
  judgedBy: [],
  reasons: [
    {
      level: 'FAIL',
      reason: { kind: 'step_failed', class: failure, message, ...(detail ? { detail } : {}) },
    },
  ],
});

export const gradeIn = (input: Input): Grade | null => {
  switch (input.type) {
    case 'worker.validation.completed':
      return input.grade;
    case 'worker.implementation.completed': {
      const { commit, summary, claims } = input;
      if (commit !== null) return null;
      return gradeOf({ commit, checks: [], contract: null, ordered: false, summary, claims });
    }
    case 'worker.step.failed':
      return failed(input);
    default:
      return null;
  }
};
