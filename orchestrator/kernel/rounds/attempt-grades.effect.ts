/** E13: reads the grades of a run's attempts from its events. */
import { z } from 'zod';
import { gradeIn } from './graded-attempts.ts';
import type { Grade } from '../../model/change-records.ts';
import { Input } from '../run/inputs.ts';
import type { EventRow } from '../ports/index.ts';

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
