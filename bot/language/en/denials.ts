/** English reasons for denials, and the agent's instructions for changes. */
import type { DenialReason } from '../../../orchestrator/model/feedback.ts';

export const enDenials = {
  chips: {
    approach: 'Wrong approach',
    big: 'Too big',
    tests: 'Tests missing',
    unneeded: 'Not needed',
    none: 'No reason',
  },
  asks: 'Why deny it?',
  asksWhy: 'Why deny it? A button ends the run; words that you write now go to the agent, which tries again.',
  asksChanges: 'What should change? Write it now, or reply to this card: the agent goes on at once.',
  ask: 'What should change? Write it here: the agent goes on at once.',
  askBelow: 'Reply to the message below.',
  asked: 'Sent to the agent: it goes on.',
  captionOnly: 'Sent to the agent: it goes on. It gets your words; the picture stays here.',
  pictureStays: 'The agent gets your words; the picture stays here.',
  perhaps: {
    asks: {
      changes: 'Should the agent change this?',
      closing: 'Close the pull request with this sentence?',
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
  } satisfies Record<DenialReason, string>,
  told: {
    approach: 'An approver refused the change: it is the wrong approach. Reach the goal another way.',
    big: 'An approver refused the change: it is too big. Reach the goal with a smaller change, and leave out whatever it does not need.',
    tests: 'An approver refused the change: tests are missing. Add tests for what it changes.',
    unneeded: 'An approver refused the change: it is not needed.',
  } satisfies Record<DenialReason, string>,
};
