/**
 * E13: every attempt has a grade; it is read from the input that ended the attempt, so that the log
 * alone tells it.
 */
import { gradeOf } from '../govern/grade-attempt.ts';
import type { Grade } from '../change-facts.ts';
import type { Input, InputOf } from './inputs.ts';

const failed = ({ class: failure, message }: InputOf<'worker.step.failed'>): Grade => ({
  level: 'FAIL',
  judgedBy: [],
  reasons: [{ level: 'FAIL', reason: { kind: 'step_failed', class: failure, message } }],
});

/**
 * Null for an input that ends no attempt, and for one that was recorded before grades were given.
 */
export const gradeIn = (input: Input): Grade | null => {
  switch (input.type) {
    case 'worker.validation.completed':
      return input.grade;
    case 'worker.implementation.completed': {
      const { commit, summary, claims } = input;
      // A commit is graded by the checks that follow.
      if (commit !== null) return null;
      return gradeOf({ commit, checks: [], contract: null, ordered: false, summary, claims });
    }
    case 'worker.step.failed':
      return failed(input);
    default:
      return null;
  }
};
