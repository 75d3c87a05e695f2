/**
 * F12: what the code host does to the repository of a run: another name or owner, an end to all
 * pushes. The run follows, and waits where nothing can be pushed.
 */
import type { StepDraft } from './step-draft.ts';
import { callRepository, followPull, stopPushes } from './follow-pull.ts';
import { goOn } from './going-on.ts';
import type { HandlerRuling } from './input-handler.ts';
import type { InputOf } from './inputs.ts';
import { pushBlockOf } from './push-block.ts';

/**
 * Follows what a fact told of our own open pull request, before the state is settled from it.
 * Returns whether anything was to be followed.
 */
export const followRepository = (d: StepDraft): boolean => {
  const followed = followPull(d);
  if (followed !== null) holdPushes(d);
  return followed === true;
};

/** How the repository is called, and whether it takes anything, while no pull request shows it. */
export const repositoryObserved = (
  d: StepDraft,
  input: InputOf<'forge.repository.observed'>,
): HandlerRuling => {
  const { run } = d;
  // guard: F12-same-repository
  if (run.target.base?.repoId !== input.repository) return { ignore: 'nothing new' };
  const {
    lifecycle: { state },
  } = run;
  const archived = run.upstream.observed.repository?.archived ?? false;
  const called = callRepository(run, input.name);
  if (archived !== input.archived)
    run.upstream.observed = { ...run.upstream.observed, repository: { archived: input.archived } };
  holdPushes(d);
  const news = called || archived !== input.archived || run.lifecycle.state !== state;
  return news ? undefined : { ignore: 'nothing new' };
};

/** What cannot be pushed is not begun; the run goes on by itself when it can be again. */
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
  // What stands against it besides is for a person to hear when they resume it.
  if (went) run.lifecycle.reason = reason;
};
