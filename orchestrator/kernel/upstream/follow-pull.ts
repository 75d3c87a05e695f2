/** Follows a pull request that changes base, is renamed, or takes no pushes any more (F12). */
import { isActive } from '#model/run';
import { enterState } from '../lifecycle/enter-state.ts';
import type { StepDraft } from '../lifecycle/step-draft.ts';
import { moveBase } from './on-retargeted.ts';
import { pushBlockOf } from '../run/push-block.ts';
import { repositoryOf, type Run } from '../run/run.ts';

/** Returns whether its base or repository changed; null while no open pull request is observed. */
export const followPull = (draft: StepDraft): boolean | null => {
  const { pullRequest: pr, observed: seen } = draft.run.upstream;
  const { base } = draft.run.target;
  const { pull } = seen;
  if (!pr || pull?.id !== pr.id || pull.state !== 'open') return null;
  const called = pull.metadata?.repo ? recordRepositoryName(draft.run, pull.metadata.repo.name) : false;
  const to = pull.metadata?.base ?? base?.ref;
  // guard: F12-base-followed
  if (to !== undefined && to !== base?.ref) moveBase(draft, to);
  return called || to !== base?.ref;
};

export const recordRepositoryName = (run: Run, name: string): boolean => {
  if (repositoryOf(run).toLowerCase() === name.toLowerCase()) return false;
  run.target.renamedTo = name;
  return true;
};

export const stopPushes = (draft: StepDraft): void => {
  const { run } = draft;
  const why = pushBlockOf(run);
  if (why === null) return;
  const held =
    run.lifecycle.state === 'PAUSED' && run.lifecycle.reason.kind === 'push_blocked'
      ? run.lifecycle.reason
      : null;
  if (isActive(run.lifecycle.state) || run.lifecycle.state === 'FAILED_RETRYABLE') {
    // guard: F12-held
    enterState(draft, 'PAUSED', { kind: 'push_blocked', why }, { ring: true });
  } else if (held && held.why !== why) run.lifecycle.reason = { kind: 'push_blocked', why };
};
