/** discover: makes the workspace and learns the repository's contract, mechanically (E7). */
import type { Contract } from '../core/contract.ts';
import { wantedFiles } from '../core/discovery/discover.ts';
import { REPOSITORY_FILE } from '../core/govern/repository.ts';
import type { Undone } from '../core/facts.ts';
import { beforeWork } from '../core/govern/before.ts';
import type { IssueFacts } from '../core/issue.ts';
import { pathsNamed, type Rival } from '../core/rivals.ts';
import { repositoryOf, type Run } from '../core/machine/run.ts';
import { trailersOf } from './trailers.ts';
import { undoneFiles } from '../core/machine/undone.ts';
import { stepFailed, type Handler } from '../engine/handler.ts';
import { OutsideFailure, type RepoFacts } from '../ports.ts';
import { issueOf, ownerFiles, unless, withVouch } from './contribution.ts';
import { plannedFork } from './fork.ts';
import { leftOf } from './guard.ts';
import { repoOf, repoRef, runOf, type EffectParts } from './parts.ts';
import { atCommit, refuseKnownUnreadable } from './unreadable.ts';

export const createDiscover = (parts: EffectParts): Handler<'discover'> => {
  const { workspaces } = parts;
  return async (claim, signal) => {
    const run = await runOf(parts, claim.runId);
    const facts = await repoOf(parts, run);
    const fork = facts.archived ? null : await plannedFork(parts, run, facts);
    const before = await workBefore(parts, run);
    const { ref, sha } = await workspaces.prepare({
      runId: run.id,
      repo: repoRef(run, facts),
      base: await baseNow(parts, run),
      defaultBranch: facts.defaultBranch,
      signal,
    });
    const undone = await takenUp(parts, run, sha, before);
    await refuseKnownUnreadable(parts, run, { id: facts.id, sha });
    const contract = await learn(parts, { id: run.id, repo: repositoryOf(run) }, sha);
    if ('problem' in contract) return stepFailed('discover', 'bad_repository_file', contract.problem);
    const issue = await issueOf(parts, run);
    const trailers = await trailersOf(parts, run, contract);
    const rivals = await rivalsOf(parts, run, issue, sha);
    const wantsSigned = await unless(parts.forge.wantsSigned(repositoryOf(run), ref), false);
    const sameIssue = rivals.filter((r) => r.matchedBy === 'issue');
    return {
      kind: 'result',
      input: {
        type: 'worker.discovery.completed',
        contract,
        base: { ref, sha, repoId: facts.id },
        archived: facts.archived,
        ...(await underName(parts, run, facts)),
        ...(fork ? { fork } : {}),
        escalate:
          beforeWork(contract, { issue, base: ref, answers: run.target.requirementAnswers, trailers }) ??
          (sameIssue.length > 0 ? { kind: 'competing_pulls', rivals: sameIssue } : null),
        ...(issue ? { issue } : {}),
        ...(rivals.length > 0 ? { competingPulls: rivals } : {}),
        ...(trailers.length > 0 ? { commitTrailers: trailers } : {}),
        ...(wantsSigned ? { requiresSignedCommits: wantsSigned } : {}),
        discardedEdits: undone,
      },
    };
  };
};

/** F12: a base that was ordered by a name that it no longer has; null for the default branch. */
const baseNow = async ({ forge }: EffectParts, run: Run): Promise<string | null> => {
  const ordered = run.target.base?.ref ?? run.order.base;
  if (run.order.base === null || ordered === null) return null;
  return (await forge.branchName(repositoryOf(run), ordered)) ?? ordered;
};

/**
 * F5: who planned the campaign may not have asked what it is called today: of two names of one
 * repository, that of today makes the run.
 */
const underName = async (
  { ledger }: EffectParts,
  { order: { campaign, repo } }: Run,
  { name }: RepoFacts,
): Promise<{ duplicate?: string }> => {
  const today = name.toLowerCase();
  if (campaign === undefined || today === repo.toLowerCase()) return {};
  const targets = (await ledger.query.campaign(campaign))?.order.targets ?? [];
  return targets.some((one) => one.repo.toLowerCase() === today) ? { duplicate: name } : {};
};

/** What the files of a commit say of installations, checks and rules. */
export const learn = async (
  parts: Pick<EffectParts, 'workspaces' | 'forge' | 'reader'>,
  { id, repo }: { id: string; repo: string },
  sha: string,
): Promise<Contract | { problem: string }> => {
  const tree = await parts.workspaces.tree(id, sha);
  const { paths } = tree;
  const files = await tree.read([...wantedFiles(paths), REPOSITORY_FILE]);
  const owner = await ownerFiles(parts, repo);
  const contract = await atCommit(sha, parts.reader.contract({ paths, files, owner }));
  return 'problem' in contract ? contract : withVouch(parts, contract, (path) => files.get(path) ?? null);
};

/** What cannot be looked up is told as nothing: it stops nobody. */
const rivalsOf = async (
  { forge, workspaces }: EffectParts,
  run: Run,
  issue: IssueFacts | null,
  sha: string,
): Promise<Rival[]> => {
  const { id, order } = run;
  const { paths } = await workspaces.tree(id, sha);
  const about = { issue: issue?.id ?? null, paths: pathsNamed(order.goal, paths) };
  if (about.issue === null && about.paths.length === 0) return [];
  return forge.rivals(repositoryOf(run), about).catch((error: unknown) => {
    if (!(error instanceof OutsideFailure)) throw error;
    return [];
  });
};

/** What agents have done so far: their commit, and what is not committed yet. */
const workBefore = async (parts: EffectParts, run: Run): Promise<string[]> => {
  if (run.target.base === null || !(await parts.workspaces.exists(run.id))) return [];
  return (await leftOf(parts, run)).files;
};

/**
 * E17: a repository that is read anew and has not moved on keeps the commit of this run; what is
 * lost is told.
 */
const takenUp = async (
  { workspaces }: EffectParts,
  { id, change: { commit } }: Run,
  base: string,
  left: readonly string[],
): Promise<Undone | null> => {
  const stays = commit?.base === base;
  if (stays) await workspaces.reset({ runId: id, sha: commit.sha, base });
  const committed = stays ? [] : (commit?.diff.files ?? []).map((f) => f.path);
  const gone = [...committed, ...left];
  return gone.length === 0 ? null : undoneFiles('anew', gone);
};
