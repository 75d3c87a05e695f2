/** English texts for a run's state and activity. Plain text, not escaped. */
import type { RunState } from '../../../orchestrator/model/run-states.ts';
import type { CiVerdict } from '../../../orchestrator/model/ci-records.ts';

export const enHeadings: Record<RunState, string> = {
  QUEUED: 'Queued',
  DISCOVERY: 'Reading',
  PLAN_READY: 'Plan ready',
  IMPLEMENTING: 'Working',
  LOCAL_VALIDATING: 'Testing',
  PUSHED: 'Ready for your decision',
  CI_WAIT: 'Waiting for CI',
  REVIEW_WAIT: 'In review',
  ITERATING: 'Fixing',
  PAUSED: 'Paused',
  DONE: 'Done',
  SKIPPED: 'Skipped',
  NEEDS_HUMAN_REVIEW: 'Needs you',
  FAILED_RETRYABLE: 'Trying again',
  FAILED_TERMINAL: 'Failed',
};
/** Each follows the run's name, and also stands alone. */
export const enStates: Record<RunState, string> = {
  QUEUED: 'is waiting for a free slot',
  DISCOVERY: 'is reading the repository',
  PLAN_READY: 'is ready to start',
  IMPLEMENTING: 'is being worked on',
  LOCAL_VALIDATING: 'is running our checks',
  PUSHED: 'is waiting for your decision',
  CI_WAIT: 'is waiting for the repository’s checks',
  REVIEW_WAIT: 'is waiting for a review',
  ITERATING: 'is being fixed',
  PAUSED: 'is paused',
  DONE: 'is done',
  SKIPPED: 'was skipped',
  NEEDS_HUMAN_REVIEW: 'needs you',
  FAILED_RETRYABLE: 'failed; it tries again by itself',
  FAILED_TERMINAL: 'has failed',
};
/** F3: missing check results are never called green. */
const verdicts: Record<CiVerdict, string> = {
  RED: 'Checks are red.',
  PENDING: 'Checks have not finished.',
  GREEN: 'All checks are green.',
  GREEN_REQUIRED: 'The required checks are green, others are not.',
  GREEN_SEEN: 'All checks that we can read are green. Some we cannot read: look at them on GitHub.',
  AWAITING_MAINTAINER: 'A maintainer must allow the checks to run.',
  NO_CI: 'No checks ran: nothing was tested there.',
};

export const enRun = {
  headings: enHeadings,
  states: enStates,
  doing: {
    card: 'is waiting for your decision on the card',
    opening: 'is opening the pull request',
    pushing: 'is pushing',
  },
  verdicts,
  progress: {
    created: 'started',
    repeat: '(repeat)',
    stray: (chat: string) => `I cannot write to the chat ${chat}, so this one comes to you:`,
    fix: (n: number, of: number) => `fix ${n} of ${of}`,
    agent: 'the agent is working',
    plan: (done: number, of: number) => `plan ${done} of ${of} steps`,
    check: (name: string) => `our check ${name} is running`,
    tookBefore: (time: string) => `took ${time} last time`,
    moreChecks: (n: number) => `+${n} more`,
  },
  attention: {
    title: {
      plan: 'PLAN',
      human: 'NEEDS YOU',
      paused: 'PAUSED',
      retry: 'FAILED',
      waits: 'STILL WAITING',
      past: 'MOVED ON',
      asks: '❓ THE AGENT ASKS',
    },
    over: (state: string) => `This has moved on: it ${state}.`,
  },
  ended: {
    done: 'DONE',
    skipped: 'SKIPPED',
    failed: 'FAILED',
    cancelled: { title: 'CANCELLED', did: 'was cancelled' },
    denied: { title: 'DENIED', did: 'was denied' },
    closed: {
      title: (by: string | null) => `CLOSED BY ${by ?? 'A MAINTAINER'}`,
      did: (by: string | null) => `was closed by ${by ?? 'a maintainer'}`,
    },
    took: (time: string) => `took ${time}`,
  },
};
