/** Handles what polling shows beside the pull request: rights, outages, visibility, survival. */
import { z } from 'zod';
import { SurvivalObserved } from '#model/change';
import { ACCESS_LOST, isSamePollFailure, PollOutage, PullVisibility } from '#model/failure';
import { OpaqueId } from '#model/order';
import { ACTIVE_STATES, isActive } from '#model/run';
import { defineFact, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { continueRun } from '../lifecycle/resume-run.ts';
import { addMessage, addOutageMessage } from '../lifecycle/step-draft.ts';
import { LIVE, OPENED } from '../run/state-groups.ts';

export const POLL_FACTS = [
  defineFact({
    type: 'forge.access.observed',
    fields: { account: OpaqueId, lost: z.enum(ACCESS_LOST).nullable() },
    moves: [
      moveFrom(ACTIVE_STATES, ['PAUSED'], 'our App may not work there any more'),
      moveFrom(
        ['PAUSED'],
        [...ACTIVE_STATES, 'NEEDS_HUMAN_REVIEW', 'FAILED_RETRYABLE', 'SKIPPED', 'FAILED_TERMINAL', 'PAUSED'],
        'it may again: to where it was; then a kept result and the facts',
      ),
    ],
    handle: (d, { account, lost }): HandlerRuling => {
      const { state, reason } = d.run.lifecycle;
      if (lost !== null) {
        // guard: F1-rights-lost
        if (!isActive(state)) return { ignore: 'nothing to do in this state' };
        return void enterState(d, 'PAUSED', { kind: 'access_lost', how: lost, account }, { ring: true });
      }
      // A pause by a user ends only by a user.
      // guard: F1-rights-back
      if (state !== 'PAUSED' || reason.kind !== 'access_lost') return { ignore: 'nothing new' };
      const went = continueRun(d, {
        target: null,
        retried: false,
        reason: { kind: 'access_restored', account },
      });
      return went && 'refuse' in went ? { ignore: 'nothing to do in this state' } : went;
    },
  }),
  /** F8: polling fails; `outageId` is shared by runs of a chat with the same cause. */
  defineFact({
    type: 'forge.poll.failed',
    fields: PollOutage.shape,
    moves: stayIn(LIVE, 'told once a spell'),
    handle: (d, { type: _type, ...outage }): HandlerRuling => {
      const { run } = d;
      if (run.lifecycle.state === 'PAUSED' && run.lifecycle.reason.kind === 'access_lost')
        return { ignore: 'told already' };
      const before = run.upstream.observed.outage;
      if (before && isSamePollFailure(before.failure, outage.failure)) return { ignore: 'known already' };
      // An outage keeps its start while its error changes.
      run.upstream.observed = {
        ...run.upstream.observed,
        outage: before ? { ...before, failure: outage.failure } : outage,
      };
      addOutageMessage(d, run.upstream.observed.outage);
      return undefined;
    },
  }),
  defineFact({
    type: 'forge.poll.recovered',
    fields: {},
    moves: stayIn(LIVE, 'told too'),
    handle: (d): HandlerRuling => {
      const { run } = d;
      const { outage } = run.upstream.observed;
      if (!outage) return { ignore: 'nothing new' };
      run.upstream.observed = { ...run.upstream.observed, outage: null };
      addOutageMessage(d, outage);
      return undefined;
    },
  }),
  defineFact({
    type: 'forge.survival.observed',
    fields: SurvivalObserved.shape,
    moves: stayIn(['DONE'], 'counted'),
    handle: (d, { type: _type, ...seen }): HandlerRuling => {
      const { upstream } = d.run;
      const known = upstream.survival ?? [];
      if (known.some(({ days }) => days === seen.days)) return { ignore: 'known already' };
      upstream.survival = [...known, seen];
      return undefined;
    },
  }),
  defineFact({
    type: 'forge.visibility.observed',
    fields: { pull: OpaqueId, ...PullVisibility.shape },
    moves: stayIn(OPENED, 'told when nobody else sees it'),
    handle: (d, { pull, hidden, at }): HandlerRuling => {
      const { run } = d;
      if (run.upstream.pullRequest?.id !== pull) return { ignore: 'no pull request' };
      const before = run.upstream.observed.visibility?.hidden;
      run.upstream.observed = { ...run.upstream.observed, visibility: { hidden, at } };
      const news = hidden === true ? before !== true : before === true && hidden === false;
      // guard: F5-hidden-told
      if (hidden !== null && news)
        addMessage(
          d,
          { view: 'note', note: { kind: 'pull_hidden', pull, url: run.upstream.pullRequest.url, hidden } },
          { urgent: true, sound: hidden },
        );
      return undefined;
    },
  }),
];
