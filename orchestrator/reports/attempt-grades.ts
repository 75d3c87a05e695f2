/** Reads the grades of a run's attempts from its events (E13). */
import { z } from 'zod';
import type { Grade } from '#model/assessment';
import type { Input, InputOf } from '../kernel/run/input-types.ts';
import { InputSchema } from '../kernel/inputs/inputs.ts';
import type { EventRow } from '#ports/ledger';
import { gradeAttempt } from '#governor';

const toFailGrade = ({ class: failure, message, detail }: InputOf<'worker.step.failed'>): Grade => ({
  level: 'FAIL',
  gradedBy: [],
  reasons: [
    { level: 'FAIL', reason: { kind: 'step_failed', class: failure, message, ...(detail && { detail }) } },
  ],
});

export const gradeIn = (input: Input): Grade | null => {
  switch (input.type) {
    case 'worker.validation.completed':
      return input.grade;
    case 'worker.implementation.completed': {
      const { commit, summary, claims } = input;
      if (commit !== null) return null;
      return gradeAttempt({ commit, checks: [], contract: null, ordered: false, summary, claims });
    }
    case 'worker.step.failed':
      return toFailGrade(input);
    default:
      return null;
  }
};

const Logged = z.object({ input: InputSchema });

/** Oldest first; `at` is epoch ms. */
export const readAttemptGrades = (
  events: readonly Pick<EventRow, 'seq' | 'at' | 'body'>[],
): { seq: number; at: number; grade: Grade }[] =>
  events.flatMap(({ seq, at, body }) => {
    const input = Logged.safeParse(JSON.parse(body)).data?.input;
    const grade = input ? gradeIn(input) : null;
    return grade ? [{ seq, at, grade }] : [];
  });
