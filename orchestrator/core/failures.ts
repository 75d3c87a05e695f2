/** E5: the ways a step fails, what follows from each, and the one sentence a person reads. */
import { z } from 'zod';

const table = {
  agent_missing: ['human', 'The agent program was not found. Run `agentpr doctor`, install it, then retry.'],
  auth_missing: [
    'human',
    'A sign-in is missing or was refused. Mend it on the host (`agentpr doctor` tells which), then retry.',
  ],
  rate_limited: ['wait', 'The model provider asked us to wait. We try again by ourselves.'],
  quota_exhausted: ['human', 'The model account has no quota left. Top it up, then retry.'],
  context_exceeded: ['human', 'The task did not fit the model. Make the goal smaller, then retry.'],
  model_unavailable: ['wait', 'The model did not answer. We try again by ourselves.'],
  sandbox_denied: ['human', 'The sandbox refused what the agent needs. Look at the log, then retry.'],
  permission_denied: ['human', 'Permission was denied. Look at the log for what, mend it, then retry.'],
  env_missing: ['human', 'The machine lacks something the repository needs. Install it, then retry.'],
  session_lost: ['retry', 'The agent lost its conversation. We try again by ourselves, in a new one.'],
  bad_config: [
    'human',
    'The agent refused how it was started. Look at the log, mend its settings, then retry.',
  ],
  invalid_output: ['human', 'The agent ended without a valid report. Retry, or use another engine.'],
  crashed: ['retry', 'The step ended unexpectedly. We try again by ourselves.'],
  timed_out: ['retry', 'The step ran out of time and was stopped. We try again by ourselves.'],
  cancelled: ['human', 'The step was stopped on request.'],
  interrupted: ['retry', 'The step was cut off by a restart. We try again by ourselves.'],
  budget_exceeded: [
    'human',
    'The budget of the run is used up. Retry to grant it once more, or cancel the run.',
  ],
  no_changes: ['human', 'The agent changed nothing. Say more about the goal, then retry.'],
  checks_failed: ['human', 'The checks of the repository fail. Look at the log, then retry.'],
  push_rejected: ['human', 'The code host refused the push. Look at the reason, then retry.'],
  policy_denied: ['human', 'A policy forbids this change. Ask `/detail` which one.'],
  repository_missing: ['human', 'The repository was not found, or our credential may not read it.'],
  repository_empty: ['terminal', 'The repository has no commit yet. Push a first one, then make a new run.'],
  unsafe_workspace: ['human', 'What the agent left behind cannot be committed safely. Look at the findings.'],
  bad_repository_file: [
    'human',
    'The repository says how it wants to be changed, and that cannot be read. Mend `.agentpr.json` on its base branch, then retry.',
  ],
  disk_full: ['human', 'The disk is full. Free some space, then retry.'],
  seal_moved: ['human', 'What you approved is no longer what would be published, so nothing was opened.'],
  readback_mismatch: [
    'human',
    'What the code host shows is not what was approved. Look at it before going on.',
  ],
  forge_unavailable: ['retry', 'The code host did not answer. We try again by ourselves.'],
  forge_refused: ['human', 'The code host refused the request. Look at the reason, then retry.'],
} as const satisfies Record<string, readonly ['retry' | 'wait' | 'human' | 'terminal', string]>;

export type FailureClass = keyof typeof table;
export const FailureClass = z.enum(Object.keys(table) as [FailureClass, ...FailureClass[]]);
export const FAILURE_CLASSES = FailureClass.options;

/** Whether a class is retried by us, needs a person, or ends the run. */
export const consequence = (c: FailureClass): 'retry' | 'human' | 'terminal' =>
  table[c][0] === 'wait' ? 'retry' : table[c][0];
/** E17: a provider is busy or away; it comes back by itself, so that waiting for it uses up no try. */
export const waitsForProvider = (c: FailureClass): boolean => table[c][0] === 'wait';
/** What a person reads: what happened and what to do. */
export const sentence = (c: FailureClass): string => table[c][1];

export const AGAIN = ' We try again by ourselves.';
/** The same when we have tried often enough: it must not promise what nobody does. */
export const givenUp = (says: string, tries: number): string =>
  `${says.replace(AGAIN, '')} It was tried ${tries === 1 ? 'once' : `${tries} times`}.`;
