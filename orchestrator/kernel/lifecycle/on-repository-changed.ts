/** Follows a renamed, transferred or archived repository; waits while pushes fail (F12). */
import { z } from 'zod';
import { OpaqueId } from '#model/order';
import { ACTIVE_STATES } from '#model/run';
import { LIVE } from '../run/state-groups.ts';
import type { StepDraft } from './step-draft.ts';
import { recordRepositoryName, followPull, stopPushes } from '../upstream/follow-pull.ts';
import { continueRun } from './resume-run.ts';
import { defineFact, moveFrom, stayIn, type HandlerRuling } from './define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import { pushBlockOf } from '../run/push-block.ts';

export const followRepository = (draft: StepDraft): boolean => {
  const followed = followPull(draft);
  if (followed !== null) holdPushes(draft);
  return followed === true;
};

const onRepositoryObserved = (
  draft: StepDraft,
  input: InputOf<'forge.repository.observed'>,
): HandlerRuling => {
  const { run } = draft;
  // guard: F12-same-repository
  if (run.target.base?.repoId !== input.repository) return { ignore: 'nothing new' };
  const { state } = run.lifecycle;
  const archived = run.upstream.observed.repository?.archived ?? false;
  const called = recordRepositoryName(run, input.name);
  if (archived !== input.archived)
    run.upstream.observed = { ...run.upstream.observed, repository: { archived: input.archived } };
  holdPushes(draft);
  const news = called || archived !== input.archived || run.lifecycle.state !== state;
  return news ? undefined : { ignore: 'nothing new' };
};

/** Work that cannot be pushed is not begun; the run resumes by itself. */
const holdPushes = (draft: StepDraft): void => {
  const { run } = draft;
  const held =
    run.lifecycle.state === 'PAUSED' && run.lifecycle.reason.kind === 'push_blocked'
      ? run.lifecycle.reason
      : null;
  if (pushBlockOf(run) !== null) return stopPushes(draft);
  if (!held) return;
  const reason = { kind: 'push_unblocked', was: held.why } as const;
  const went = continueRun(draft, { target: null, retried: false, reason });
  if (went) run.lifecycle.reason = reason;
};

export const REPOSITORY_FACTS = [
  defineFact({
    type: 'forge.repository.observed',
    fields: { repository: OpaqueId, name: z.string(), archived: z.boolean() },
    moves: [
      ...stayIn(LIVE, 'how it is called, and whether it is read-only'),
      moveFrom([...ACTIVE_STATES, 'FAILED_RETRYABLE'], ['PAUSED'], 'nothing can be pushed'),
      moveFrom(
        ['PAUSED'],
        [...ACTIVE_STATES, 'NEEDS_HUMAN_REVIEW', 'FAILED_RETRYABLE', 'SKIPPED', 'FAILED_TERMINAL'],
        'pushes work again: to where it was; then a kept result and the facts',
      ),
    ],
    handle: (d, input): HandlerRuling => onRepositoryObserved(d, input),
  }),
];
