/** L6: an agent whose last turn was cut off goes on in its conversation, and is told so: what it remembers may be gone. */
import type { Run } from '../core/run.ts';
import type { AttemptRow } from '../ports.ts';
import type { Evidence } from './prompt.ts';

/** How a turn ends that the agent itself brought to an end. */
const WHOLE = ['completed', 'invalid_output'];

export const cutOff = (
  { session }: Pick<Run, 'session'>,
  attempts: readonly Pick<AttemptRow, 'step' | 'outcome'>[],
): Evidence[] => {
  const last = attempts.findLast(({ step }) => step === 'agent');
  if (session === null || last === undefined || WHOLE.includes(last.outcome)) return [];
  return [
    {
      title: 'Your last turn was cut off',
      text: 'What you changed in it may be gone. Look at the files as they are now, then do what is asked for here.',
    },
  ];
};
