/** `discover` creates the workspace and reads the repository's contract, without an agent (E7). */
import { workOfTitle, forecastPull, type PastPull, findMentionedPaths } from '#model/pull';
import { failureDetail } from '#model/failure';
import type { MergedPull } from '#model/order';
import { type Contract, withTitleHabits } from '#model/contract';
import type { DiscardedEdits } from '#model/change';
import { checkIssueFree } from '#model/requirements';
import { REPOSITORY_FILE, findEscalationBeforeWork } from '#governor';
import { checkApprovers } from '#model/settings';
import { repositoryOf, type Run } from '../run/run.ts';
import { commitTrailers } from '../gate/commit-trailers.io.ts';
import { toDiscardedEdits } from '../rounds/record-discarded-edits.ts';
import { toStepFailure, type EffectHandler } from '../runtime/effect-handler.ts';
import { OutsideFailure, type RepoFacts } from '#ports/forge';
import type { ForgePulls, ForgeRepository } from '#ports/roles';
import {
  readOrderedIssue,
  ownerFiles,
  fallbackUnlessUnavailable,
  readContractFiles,
  readIssueWithCompetingPulls,
  withContributorList,
} from './read-contribution-rules.io.ts';
import { planFork } from '../gate/ensure-fork.io.ts';
import { findLeftovers } from '../rounds/restore-guarded-files.io.ts';
import {
  assertTakesPulls,
  readRunRepository,
  repoRef,
  requireRunOf,
  type EffectContext,
  type TextReader,
} from '../handlers/effect-context.ts';
import { nameUnreadableCommit, refuseKnownUnreadable } from '../handlers/refuse-unreadable.ts';

export const createDiscoverHandler = (parts: EffectContext): EffectHandler<'discover'> => {
  const { workspaces } = parts;
  return async (claim, signal) => {
    const run = await requireRunOf(parts, claim.runId);
    const facts = await readRunRepository(parts, run);
    if (!facts.archived) assertTakesPulls(facts);
    const fork = facts.archived ? null : await planFork(parts, run, facts);
    const before = await workBefore(parts, run);
    const merged = await findPullToRevert(parts, run);
    if (merged === 'unmerged') {
      const detail = failureDetail({ kind: 'revert_unmerged', pull: run.order.reverts?.pull ?? '' });
      return toStepFailure('discover', 'revert_impossible', 'the pull request to revert is not merged', {
        detail,
      });
    }
    const { ref, sha } = await workspaces.prepare({
      runId: run.id,
      repo: repoRef(run, facts),
      base: await baseNow(parts, run, merged),
      defaultBranch: facts.defaultBranch,
      signal,
    });
    const undone = await restoreRunCommit(parts, run, sha, before);
    await refuseKnownUnreadable(parts, run, { id: facts.id, sha });
    const learned = await learnContract(
      parts,
      { id: run.id, repo: repositoryOf(run), work: workOfTitle(run.order.goal) },
      sha,
    );
    if ('problem' in learned) return toStepFailure('discover', 'bad_repository_file', learned.problem);
    const past = await pastPulls(parts, repositoryOf(run));
    const contract = withHabits(learned, past);
    const forecast = forecastPull(past, run.order.goal, facts);
    const { issue, competingPulls: rivals } = await readIssueWithCompetingPulls(
      parts,
      run,
      run.order.reverts ? null : await readOrderedIssue(parts, run),
      findMentionedPaths(run.order.goal, (await workspaces.tree(run.id, sha)).paths),
    );
    const trailers = await commitTrailers(parts, run, contract);
    const wantsSigned = await fallbackUnlessUnavailable(
      parts.forge.wantsSigned(repositoryOf(run), ref),
      false,
    );
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
          findEscalationBeforeWork(contract, {
            issue,
            base: ref,
            answers: run.target.requirementAnswers,
            trailers,
            work: workOfTitle(run.order.goal),
          }) ??
          checkIssueFree(issue) ??
          (sameIssue.length > 0 ? { kind: 'competing_pulls', pulls: sameIssue } : null),
        ...(issue ? { issue } : {}),
        ...(merged ? { mergedPull: merged } : {}),
        ...(rivals.length > 0 ? { competingPulls: rivals } : {}),
        ...(forecast ? { pullForecast: forecast } : {}),
        ...(trailers.length > 0 ? { commitTrailers: trailers } : {}),
        ...(wantsSigned ? { requiresSignedCommits: wantsSigned } : {}),
        discardedEdits: undone,
      },
    };
  };
};

/** F12: resolves a renamed base branch; null for the default branch. */
const baseNow = async (
  { forge }: { forge: ForgeRepository },
  run: Run,
  merged: MergedPull | null,
): Promise<string | null> => {
  const asked = merged?.baseRef ?? run.order.base;
  const ordered = run.target.base?.ref ?? asked;
  if (asked === null || ordered === null) return null;
  return (await forge.branchName(repositoryOf(run), ordered)) ?? ordered;
};

const findPullToRevert = async (
  { forge }: { forge: ForgePulls },
  run: Run,
): Promise<MergedPull | 'unmerged' | null> => {
  const { reverts } = run.order;
  if (!reverts) return null;
  return (await forge.mergedPull(repositoryOf(run), reverts.pull)) ?? 'unmerged';
};

/** F5: a campaign may list old and new names of a repository; only the new one makes a run. */
const underName = async (
  { ledger }: EffectContext,
  { order: { campaign, repo } }: Run,
  { name }: RepoFacts,
): Promise<{ duplicate?: string }> => {
  const today = name.toLowerCase();
  if (campaign === undefined || today === repo.toLowerCase()) return {};
  const targets = (await ledger.query.campaign(campaign))?.order.targets ?? [];
  return targets.some((one) => one.repo.toLowerCase() === today) ? { duplicate: name } : {};
};

export const learnContract = async (
  parts: Pick<EffectContext, 'workspaces'> &
    TextReader & {
      forge: ForgeRepository;
      settings: Pick<EffectContext['settings'], 'policies'>;
    },
  { id, repo, work }: { id: string; repo: string; work?: ReturnType<typeof workOfTitle> },
  sha: string,
): Promise<Contract | { problem: string }> => {
  const tree = await parts.workspaces.tree(id, sha);
  const { paths } = tree;
  const files = await readContractFiles(tree, [REPOSITORY_FILE]);
  const owner = await ownerFiles(parts, repo);
  const contract = await nameUnreadableCommit(
    sha,
    parts.texts.reader.contract({ paths, files, owner, work, repo }),
  );
  if ('problem' in contract) return contract;
  const { policies } = contract;
  const text = files.get(REPOSITORY_FILE) ?? '';
  const unknown =
    policies && checkApprovers(policies, parts.settings.policies, { file: REPOSITORY_FILE, text });
  return unknown ? unknown : withContributorList(parts, contract, (path) => files.get(path) ?? null);
};

/** A hint only, so failures are ignored. */
const pastPulls = async ({ forge }: { forge: ForgeRepository }, repo: string): Promise<PastPull[]> =>
  forge.pastPulls(repo).catch((error: unknown) => {
    if (!(error instanceof OutsideFailure)) throw error;
    return [];
  });

const withHabits = (contract: Contract, past: readonly PastPull[]): Contract => {
  const { titleFormat, titleRule, rules } = contract;
  const known = titleFormat ?? (titleRule === null ? undefined : { shape: titleRule, place: null });
  const merged = past.filter((p) => p.merged).map((p) => p.title);
  const format = withTitleHabits(known, merged);
  const refused = rules.some((r) => r.kind === 'commit_style' && r.value === 'not_conventional');
  if (!format || (format === known && !titleFormat) || (refused && format.shape === 'conventional'))
    return contract;
  return { ...contract, titleFormat: format };
};

const workBefore = async (parts: EffectContext, run: Run): Promise<string[]> => {
  if (run.target.base === null || !(await parts.workspaces.exists(run.id))) return [];
  return (await findLeftovers(parts, run)).files;
};

/** E17: keeps the run's commit when the base is unchanged; otherwise reports the loss. */
const restoreRunCommit = async (
  { workspaces }: EffectContext,
  { id, change: { commit } }: Run,
  base: string,
  left: readonly string[],
): Promise<DiscardedEdits | null> => {
  const stays = commit?.base === base;
  if (stays) await workspaces.reset({ runId: id, sha: commit.sha, base });
  const committed = stays ? [] : (commit?.diff.files ?? []).map((f) => f.path);
  const gone = [...committed, ...left];
  return gone.length === 0 ? null : toDiscardedEdits('fresh_workspace', gone);
};
