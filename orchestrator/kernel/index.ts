/** What other rooms use of the kernel's acts. */
export { currentVerdict, explainCiVerdict, redChecks } from './ci/ci-verdict.ts';
export { type PollExpediter, createPollHints } from './ci/expedite-poll.io.ts';
export { isOnlyRedOnBase, redNames } from './ci/compared-checks.ts';
export { findEarlierCard } from './gate/on-take-back.ts';
export { maySign } from './gate/sign-approval.ts';
export { createHandlers } from './handlers/create-handlers.ts';
export type { EffectContext, PollHints, TextReader } from './handlers/effect-context.ts';
export { type CommandRunner, plainRunner } from './handlers/recorded-commands.ts';
export { accountOf, isUsageBound, isStoppedForPrice, nextBudgetLimit } from './lifecycle/run-budget.ts';
export { mayEnter } from './lifecycle/state-preconditions.ts';
export { attentionView, gateSlot } from './lifecycle/step-draft.ts';
export { REMARKS_PER_PAGE, triageSlot } from './reviews/on-review-threads.ts';
export { createReplacementAssessor } from './rounds/decide-permission.io.ts';
export { titlesOfFinishedFixes } from './rounds/ordered-fixes.ts';
export { mayCommentOnItem } from './upstream/on-item-comment.ts';
export { checkMayUpdate } from './upstream/on-branch-moved.ts';
export { mayReopen, needsWorkspace } from './upstream/reopening.ts';
