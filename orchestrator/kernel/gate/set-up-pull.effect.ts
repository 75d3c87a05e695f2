/** `set_up_pull` sets what was signed of an open pull request, or ends its draft (F13). */
import { OF_REPOSITORY } from '#model/failure';
import type { PullSetup, PullSetupRefusal } from '#model/opening';
import { OutsideFailure } from '#ports/forge';
import type { ForgeSetup } from '#ports/roles';
import { repositoryOf } from '../run/run.ts';
import type { EffectHandler } from '../runtime/effect-handler.ts';
import { requireRunOf, type EffectContext } from '../handlers/effect-context.ts';

const MAX_REASON_LENGTH = 500;

const everythingIn = ({ labels, reviewers, teams, assignees, milestone }: PullSetup) => [
  ...labels.map((value) => ({ field: 'label', value }) as const),
  ...reviewers.map((value) => ({ field: 'reviewer', value }) as const),
  ...teams.map((value) => ({ field: 'team', value }) as const),
  ...assignees.map((value) => ({ field: 'assignee', value }) as const),
  ...(milestone === null ? [] : [{ field: 'milestone', value: milestone } as const]),
];

/** Asking again would not help. */
const isFinal = (error: unknown): error is OutsideFailure =>
  error instanceof OutsideFailure &&
  (error.class === 'forge_refused' ||
    error.class === 'permission_denied' ||
    Object.hasOwn(OF_REPOSITORY, error.class));

export const createSetUpPullHandler =
  (parts: Pick<EffectContext, 'ledger'> & { forge: ForgeSetup }): EffectHandler<'set_up_pull'> =>
  async (claim) => {
    const { pull, what } = claim.do;
    const run = await requireRunOf(parts, claim.runId);
    const { pullRequest: pr } = run.upstream;
    if (pr?.id !== pull || !pr.setup) return { kind: 'done', result: 'another pull request' };
    const repo = repositoryOf(run);
    const { setup } = pr;
    const attempt = async (): Promise<PullSetupRefusal[]> => {
      if (what === 'fields') return parts.forge.setUpPull(repo, pull, setup);
      const refused = await parts.forge.markReady(repo, pull);
      return refused ? [refused] : [];
    };
    const refused = await attempt().catch((error: unknown) => {
      if (!isFinal(error)) throw error;
      const says = error.message.slice(0, MAX_REASON_LENGTH);
      const all = what === 'fields' ? everythingIn(setup) : [{ field: 'ready', value: '' } as const];
      return all.map((one): PullSetupRefusal => ({ ...one, why: 'refused', says }));
    });
    return { kind: 'result', input: { type: 'worker.pull.set_up', pull, what, refused } };
  };
