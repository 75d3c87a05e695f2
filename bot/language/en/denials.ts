/** English: why people deny a change, and what the agent is told then. */
import type { Denial } from '../../../orchestrator/core/feedback.ts';

export const denials = {
  chips: {
    approach: 'Wrong approach',
    big: 'Too big',
    tests: 'Tests missing',
    unneeded: 'Not needed',
    other: 'Other…',
    none: 'No reason',
  },
  asks: 'Why deny it?',
  ask: 'Why is it denied? Reply to this message: your words are kept as the reason.',
  askBelow: 'Reply to the message below.',
  /** Words that came without a reply, soon after a question. */
  perhaps: {
    asks: {
      denial: 'Is this your reason for denying it?',
      permission: 'Is this your answer to the agent?',
      'permission-edit': 'Is this the command that should run instead?',
    },
    use: 'Yes, use these words',
    other: 'No, I meant something else',
    used: 'Sent as your answer:',
    unused: 'Not an answer:',
  },
  whichForm:
    'I asked you for words more than once here, and cannot tell which question that answers. Nothing was done with it: send it again as a reply to my newest question.',
  why: {
    approach: 'it is the wrong approach',
    big: 'it is too big',
    tests: 'tests are missing',
    unneeded: 'it is not needed',
  } satisfies Record<Denial, string>,
  told: {
    approach: 'An approver refused the change: it is the wrong approach. Reach the goal another way.',
    big: 'An approver refused the change: it is too big. Reach the goal with a smaller change, and leave out whatever it does not need.',
    tests: 'An approver refused the change: tests are missing. Add tests for what it changes.',
    unneeded: 'An approver refused the change: it is not needed.',
  } satisfies Record<Denial, string>,
};
