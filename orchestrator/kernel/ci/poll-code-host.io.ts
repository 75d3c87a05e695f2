/** One poll of the code host; one part's failure hides no other part (F8). */
import type { Input, InputOf } from '../run/input-types.ts';
import { repositoryOf, type Run } from '../run/run.ts';
import type { PollPart, PollFailure } from '#model/failure';
import { cutText, HOUR, SECOND } from '#model/values';
import { OutsideFailure, type PollDepth, type PullFacts, findHostRefusal } from '#ports/forge';
import type { ForgeChecks, ForgeForks, ForgePulls, ForgeRepository, ForgeReviews } from '#ports/roles';
import { readUnheardOpening } from '../gate/verify-opened-pull.io.ts';
import { readHeadRepository, headRepoRef } from '../gate/ensure-fork.io.ts';
import {
  readPossiblyRenamedRepository,
  type EffectContext,
  type ReceiptIssuer,
} from '../handlers/effect-context.ts';

export type PollResult = { facts: Input[]; failures: PollFailure[]; retryAt: number | null };
type Needs = Pick<EffectContext, 'settings' | 'workspaces' | 'clock' | 'log'> &
  ReceiptIssuer & {
    forge: ForgeRepository & ForgeForks & ForgePulls & ForgeChecks & ForgeReviews;
  };
type Read = <T>(part: PollPart, go: () => Promise<T>) => Promise<T | null>;

/** Returns facts in the order to offer them. Never throws for answers of the code host. */
export const pollCodeHost = async (
  parts: Needs,
  run: Run,
  depth: PollDepth = 'whole',
): Promise<PollResult> => {
  const result: PollResult = { facts: [], failures: [], retryAt: null };
  const read: Read = async (part, go) => {
    try {
      return await go();
    } catch (error) {
      if (!(error instanceof OutsideFailure)) parts.log.error({ err: error, run: run.id }, 'a poll failed');
      // guard: F8-parts-apart
      result.failures.push(failureOf(part, error));
      if (error instanceof OutsideFailure && error.retryAt !== null)
        result.retryAt = Math.max(result.retryAt ?? 0, error.retryAt);
      return null;
    }
  };
  if (!run.change.pushedHead) return result;
  if (run.upstream.pullRequest)
    await pollPull(parts, run, run.upstream.pullRequest.id, run.change.pushedHead.sha, {
      result,
      read,
      depth,
    });
  else await pollBranch(parts, run, run.change.pushedHead.branch, { result, read, depth });
  return result;
};

type Into = { result: PollResult; read: Read; depth: PollDepth };

const pollBranch = async (parts: Needs, run: Run, branch: string, { result, read }: Into): Promise<void> => {
  const { workspaces } = parts;
  const late = await read('pull', () => readUnheardOpening(parts, run));
  if (late) result.facts.push(late);
  const head = await read('branch', async () => {
    const base = await readPossiblyRenamedRepository(parts, run);
    const { id, name, archived } = base;
    const told = { type: 'forge.repository.observed', repository: id, name, archived } as const;
    const renamed = name.toLowerCase() !== repositoryOf(run).toLowerCase();
    if (renamed || archived !== (run.upstream.observed.repository?.archived ?? false))
      result.facts.push(told);
    const repo = headRepoRef(run, await readHeadRepository(parts, run, base));
    return { sha: await workspaces.remoteHead({ runId: run.id, repo, branch }) };
  });
  if (head) result.facts.push({ type: 'forge.head.observed', branch, sha: head.sha });
};

const pollPull = async (
  parts: Needs,
  run: Run,
  id: string,
  sha: string,
  { result, read, depth }: Into,
): Promise<void> => {
  const { forge, clock } = parts;
  const { facts, failures } = result;
  const found = await read('pull', () => readPullOfRun(parts, run, id, depth));
  if (!found) return;
  const { repo, pull } = found;
  facts.push(toPullObserved(pull));
  if (pull.state === 'closed') return;
  const exposed = await exposureOf(parts, run, repo, id);
  if (exposed) facts.push(exposed);
  const polledAt = clock.now();
  const ci = await read('checks', () => forge.checks(repo, sha, pull.baseRef, depth));
  if (ci) {
    const { unread, seenAt, ...seen } = ci;
    const since = Math.min(polledAt, seenAt ?? polledAt);
    facts.push({ type: 'forge.ci.observed', sha, ...seen, partial: unread !== null, polledAt: since });
    if (unread) failures.push(unread);
  }
  for (const review of (await read('reviews', () => forge.reviews(repo, id, depth))) ?? [])
    facts.push({ type: 'forge.review.submitted', ...review });
  for (const comment of (await read('comments', () => forge.comments(repo, id, depth))) ?? [])
    facts.push({ type: 'forge.comment.created', ...comment });
};

export const toPullObserved = ({
  id,
  state,
  merged,
  headSha,
  mergedBy,
  standing,
  shown,
}: PullFacts): InputOf<'forge.pull.observed'> => ({
  type: 'forge.pull.observed',
  pull: id,
  state,
  merged,
  headSha,
  by: mergedBy,
  ...(standing ? { baseStatus: standing } : {}),
  ...(shown ? { metadata: shown } : {}),
});

/** Replicas may lag for this long (ms). */
const COPY_LAG_MS = 30 * SECOND;
const ASK_AGAIN = HOUR;

/** F5: checks once without credentials, as a flagged account cannot see that it is flagged. */
const exposureOf = async (
  { forge, clock }: Needs,
  {
    target: { fork },
    lifecycle: { stateEnteredAt: since },
    upstream: {
      observed: { visibility: exposure },
    },
  }: Run,
  repo: string,
  pull: string,
): Promise<Input | null> => {
  const at = clock.now();
  if (fork === null || exposure?.hidden === false) return null;
  if (at - since < COPY_LAG_MS || (exposure && at - exposure.at < ASK_AGAIN)) return null;
  const seen = await forge.seenByAll(repo, pull);
  return { type: 'forge.visibility.observed', pull, hidden: seen === null ? null : !seen, at };
};

/** Names are reused: when the name leads elsewhere, the id gives our repository's new name. */
export const readPullOfRun = async (
  { forge }: { forge: ForgeRepository & ForgePulls },
  run: Run,
  id: string,
  depth: PollDepth,
): Promise<{ repo: string; pull: PullFacts }> => {
  const { base } = run.target;
  const repo = repositoryOf(run);
  const isOurs = (pull: PullFacts): boolean => base === null || pull.baseRepoId === base.repoId;
  const gone = new OutsideFailure('repository_missing', `${repo} is another repository now`, { status: 404 });
  try {
    const pull = await forge.pull(repo, id, depth);
    if (isOurs(pull)) return { repo, pull };
    throw gone;
  } catch (error) {
    const hidden = error instanceof OutsideFailure && error.class === 'repository_missing';
    if (!hidden || !base) throw error;
    const now = await forge.nameOf(base.repoId);
    if (now === null || now.toLowerCase() === repo.toLowerCase()) throw error;
    const pull = await forge.pull(now, id, depth);
    if (!isOurs(pull)) throw error;
    return { repo: now, pull };
  }
};

const FAILURE_KIND_BY_CLASS: Partial<Record<OutsideFailure['class'], PollFailure['kind']>> = {
  auth_missing: 'credential',
  permission_denied: 'forbidden',
  not_allowed: 'forbidden',
  repository_archived: 'refused',
  repository_missing: 'missing',
  rate_limited: 'limit',
  forge_unavailable: 'host',
  certificate_untrusted: 'network',
  proxy_refused: 'network',
  account_suspended: 'credential',
};

const failureOf = (part: PollPart, error: unknown): PollFailure => {
  if (!(error instanceof OutsideFailure))
    return {
      kind: 'ours',
      status: null,
      parts: [part],
      message: cutText(String(error), MAX_FAILURE_TEXT_LENGTH),
    };
  const { status, message } = error;
  const kind =
    status === 403 && error.class === 'forge_refused' ? 'forbidden' : FAILURE_KIND_BY_CLASS[error.class];
  // Short rate limits get a constant text, so that they are reported once.
  const refusal = kind === 'limit' ? null : findHostRefusal(error);
  return {
    kind: kind ?? 'refused',
    status,
    parts: [part],
    message: cutText(message, MAX_FAILURE_TEXT_LENGTH),
    ...(refusal && { refusal }),
  };
};
const MAX_FAILURE_TEXT_LENGTH = 300;
