/** F12: follows a renamed, transferred or archived repository; waits while pushes fail. */
import type { StepDraft } from './step-draft.ts';
import { callRepository, followPull, stopPushes } from '../upstream/follow-pull.ts';
import { goOn } from './resume-run.ts';
import type { HandlerRuling } from './input-handler.ts';
import type { InputOf } from '../inputs/inputs.ts';
import { pushBlockOf } from '../run/push-block.ts';

/** Runs before the state is settled. Returns whether anything changed. */
export const followRepository = (d: StepDraft): boolean => {
  const followed = followPull(d);
  if (followed !== null) holdPushes(d);
  return followed === true;
};

export const repositoryObserved = (
  d: StepDraft,
  input: InputOf<'forge.repository.observed'>,
): HandlerRuling => {
  const { run } = d;
  // guard: F12-same-repository
  if (run.target.base?.repoId !== input.repository) return { ignore: 'nothing new' };
  const { state } = run.lifecycle;
  const archived = run.upstream.observed.repository?.archived ?? false;
  const called = callRepository(run, input.name);
  if (archived !== input.archived)
    run.upstream.observed = { ...run.upstream.observed, repository: { archived: input.archived } };
  holdPushes(d);
  const news = called || archived !== input.archived || run.lifecycle.state !== state;
  return news ? undefined : { ignore: 'nothing new' };
};

/** Work that cannot be pushed is not begun; the run resumes by itself. */
const holdPushes = (d: StepDraft): void => {
  const { run } = d;
  const held =
    run.lifecycle.state === 'PAUSED' && run.lifecycle.reason.kind === 'push_blocked'
      ? run.lifecycle.reason
      : null;
  if (pushBlockOf(run) !== null) return stopPushes(d);
  if (!held) return;
  const reason = { kind: 'push_unblocked', was: held.why } as const;
  const went = goOn(d, { target: null, retried: false, reason });
  // Other obstacles show up when a user resumes the run.
  if (went) run.lifecycle.reason = reason;
};
