/** Chooses the repository to push to: the original, or a fork found or created when needed (F1). */
import { backoffDelay, MINUTE } from '#model/values';
import { failureDetail, type FailureDetail, shouldWaitForProvider } from '#model/failure';
import { ownerOf, type PushFork } from '#model/pull';
import { repositoryOf, type Run } from '../run/run.ts';
import type { HandlerOutcome } from '../runtime/effect-handler.ts';
import { failureWithDetail, OutsideFailure, type RepoFacts } from '#ports/forge';
import type { ForgeForks, ForgeRepository } from '#ports/roles';
import type { ClaimedEffect } from '#ports/steps';
import type { SystemClock } from '#ports/processes';
import type { RepoRef } from '#ports/workspaces';
import type { EffectContext } from '../handlers/effect-context.ts';

type Needs = Pick<EffectContext, 'settings'> & { forge: ForgeRepository & ForgeForks };

const sameOwner = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const isRelated = (one: RepoFacts, base: RepoFacts): boolean =>
  one.network === base.network && one.id !== base.id;
const toForbidden = (says: string, detail: FailureDetail): OutsideFailure =>
  failureWithDetail('not_allowed', says, failureDetail(detail));

const findRepo = async ({ forge }: Needs, name: string): Promise<RepoFacts | null> => {
  try {
    return await forge.repo(name);
  } catch (error) {
    if (error instanceof OutsideFailure && error.class === 'repository_missing') return null;
    throw error;
  }
};

/** Does not create the fork yet. Throws not_allowed when neither push nor fork is possible. */
export const planFork = async (parts: Needs, run: Run, base: RepoFacts): Promise<PushFork | null> => {
  if (run.change.pushedHead) return run.target.fork;
  const { use, owner } = parts.settings.forks;
  if (base.mayPush && use !== 'always') return null;
  const account = await parts.forge.forkOwner();
  const noPush = `our credential may not push to ${base.name}`;
  if (account === null)
    throw toForbidden(
      `${noPush}, and an App has no forks. Install it there with the right to write, or set a token`,
      { kind: 'app_has_no_forks', repo: base.name },
    );
  const into = owner ?? account;
  const own = sameOwner(into, ownerOf(base.name));
  if (base.mayPush && own) return null;
  if (use === 'never')
    throw toForbidden(`${noPush}, and the settings allow no forks (forks.use)`, {
      kind: 'forks_not_allowed',
      repo: base.name,
    });
  if (own)
    throw toForbidden(`${noPush}, and ${into} cannot have a fork of its own repository`, {
      kind: 'fork_of_own',
      repo: base.name,
      owner: into,
    });
  if (!base.mayFork)
    throw toForbidden(
      `${base.name} does not allow forks, and ${base.mayPush ? 'the settings ask for one' : noPush}`,
      { kind: 'repository_forbids_forks', repo: base.name, mayPush: base.mayPush },
    );
  const name = `${into}/${base.name.slice(base.name.lastIndexOf('/') + 1)}`;
  const there = await findRepo(parts, name);
  return there && isRelated(there, base) ? forkOf(there, base) : { repo: name, id: null, ...homeOf(base) };
};

const homeOf = ({ mayPush }: RepoFacts): Pick<PushFork, 'atHome'> => (mayPush ? { atHome: true } : {});
const forkOf = ({ name, id }: RepoFacts, base: RepoFacts): PushFork => ({ repo: name, id, ...homeOf(base) });

export const findKnownFork = async (parts: Needs, fork: PushFork): Promise<RepoFacts | null> => {
  if (fork.id === null) return null;
  const there = await findRepo(parts, fork.repo);
  if (there?.id === fork.id) return there;
  const name = await parts.forge.nameOf(fork.id);
  return name === null ? null : findRepo(parts, name);
};

export const readHeadRepository = async (parts: Needs, run: Run, base: RepoFacts): Promise<RepoFacts> => {
  const { fork } = run.target;
  if (fork === null) return base;
  const there = await findKnownFork(parts, fork);
  if (there) return there;
  throw new OutsideFailure(
    'repository_missing',
    `${fork.repo}, the fork that this run pushes to, is not there any more. Retry makes a new one and pushes again`,
    { status: 404, detail: failureDetail({ kind: 'fork_deleted', fork: fork.repo }) },
  );
};

export const ensureHead = async (
  parts: Needs,
  run: Run,
  base: RepoFacts,
): Promise<{ head: RepoFacts; run: Run }> => {
  const { fork } = run.target;
  if (fork === null) return { head: base, run };
  const head = (await findKnownFork(parts, fork)) ?? (await createFork(parts, base));
  return { head, run: { ...run, target: { ...run.target, fork: forkOf(head, base) } } };
};

const createFork = async ({ forge, settings }: Needs, base: RepoFacts): Promise<RepoFacts> => {
  const fork = await forge.fork(base.name, settings.forks.owner);
  // guard: G2-fork-of-base
  if (isRelated(fork, base)) return fork;
  throw failureWithDetail(
    'forge_refused',
    `${fork.name} was given to us as a fork of ${base.name}, and is none. Rename it or remove it, then retry`,
    failureDetail({ kind: 'fork_unrelated', repo: base.name, fork: fork.name }),
  );
};

/** Syncs an old fork, so that a push adds only the change. Branches with commits of others stay. */
export const syncFork = async (
  { forge, settings, log }: Pick<EffectContext, 'settings' | 'log'> & { forge: ForgeForks },
  before: Run,
  head: RepoFacts,
  base: RepoFacts,
): Promise<void> => {
  const found = before.target.fork !== null && before.target.fork.id !== null;
  if (!found || before.change.pushedHead || !settings.forks.keepInStep) return;
  if (head.defaultBranch !== base.defaultBranch) return;
  try {
    await forge.followParent(head.name, head.defaultBranch);
  } catch (error) {
    // Rate limits and outages are rethrown; others are ignored, as large forks may time out.
    if (!(error instanceof OutsideFailure) || shouldWaitForProvider(error.class)) throw error;
    log.warn({ err: error, run: before.id }, 'a fork could not be brought in step');
  }
};

export const headRepoRef = (run: Run, { name, cloneUrl }: RepoFacts): RepoRef => ({
  name: run.target.fork ? name : repositoryOf(run),
  cloneUrl,
});

const FORK_TIMEOUT_MS = 5 * MINUTE;
const FORK_RETRY_DELAYS = { first: 1_000, most: 15_000 };

/** Delays a push until the fork has its commits. In memory only. */
export const createForkWait = (parts: Pick<EffectContext, 'workspaces'> & { clock: SystemClock }) => {
  const begun = new Map<string, { since: number; tries: number }>();
  const hasForkContent = async (run: Run, head: RepoFacts): Promise<boolean> => {
    try {
      const at = { runId: run.id, repo: headRepoRef(run, head), branch: head.defaultBranch };
      return (await parts.workspaces.remoteHead(at)) !== null;
    } catch (error) {
      if (error instanceof OutsideFailure && error.class === 'repository_missing') return false;
      throw error;
    }
  };
  return async (claim: ClaimedEffect, run: Run, head: RepoFacts): Promise<HandlerOutcome | null> => {
    const now = parts.clock.now();
    const { since, tries } = begun.get(claim.id) ?? { since: now, tries: 0 };
    begun.delete(claim.id);
    if (await hasForkContent(run, head)) return null;
    // A clock that went back must not extend the wait.
    if (Math.abs(now - since) >= FORK_TIMEOUT_MS)
      throw failureWithDetail(
        'forge_refused',
        `${head.name}, a new fork, has been empty for five minutes. Look at it on the code host, then retry`,
        failureDetail({ kind: 'fork_stays_empty', fork: head.name }),
      );
    begun.set(claim.id, { since, tries: tries + 1 });
    return {
      kind: 'later',
      at: now + backoffDelay(tries, FORK_RETRY_DELAYS),
      reason: `${head.name} is being made`,
      counts: false,
    };
  };
};
