/** E13: the grades of a run's attempts, read from the events that ended them. */
import { z } from 'zod';
import { gradeIn } from '../core/machine/graded-attempts.ts';
import type { Grade } from '../core/change-facts.ts';
import { Input } from '../core/machine/inputs.ts';
import type { EventRow } from '../ports.ts';

const Logged = z.object({ input: Input });

/** Oldest first; `at` is epoch ms. */
export const gradesIn = (
  events: readonly Pick<EventRow, 'seq' | 'at' | 'body'>[],
): { seq: number; at: number; grade: Grade }[] =>
  events.flatMap(({ seq, at, body }) => {
    const input = Logged.safeParse(JSON.parse(body)).data?.input;
    const grade = input ? gradeIn(input) : null;
    return grade ? [{ seq, at, grade }] : [];
  });
