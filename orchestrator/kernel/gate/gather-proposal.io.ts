/** Gathers and seals what an action would publish, from the current git and code host (G2). */
import {
  listPublicTexts,
  assessAction,
  combineAssessments,
  mergeRepositoryPolicies,
  type GovernedAction,
  type PolicyContext,
} from '#governor';
import { joinPullEdits, joinPullOptions, pullOpeningOf } from '#model/opening';
import { canMaintainersEdit, type CompetingPull } from '#model/pull';
import { matchesGlob } from '#text-safety';
import type { Assessment } from '#model/assessment';
import type { CheckResult, CheckConfigFiles } from '#model/evidence';
import type { PolicySettings } from '#model/settings';
import { countLinesToRead } from '#model/paths';
import { closingWords, requirementAnswers } from '#model/requirements';
import { canonicalJson, type Proposal, type SealFields } from '#model/seal';
import { composeBranchName } from '#pull-text';
import { repositoryOf, type Run } from '../run/run.ts';
import { sealFields, sha256Hex } from '../runtime/content-hash.ts';
import type { RepoFacts } from '#ports/forge';
import type { ForgeForks, ForgeIssues, ForgeRepository } from '#ports/roles';
import { contractToday, issueToday } from '../preparation/read-contribution-rules.io.ts';
import { readHeadRepository } from './ensure-fork.io.ts';
import { requireValue, readRunRepository, repoRef, type EffectContext } from '../handlers/effect-context.ts';
import { toEvidence, type ObservedEvidence } from './proposal-evidence.ts';
import { writePullText } from './write-pull-text.io.ts';

type Needs = Pick<EffectContext, 'workspaces' | 'ledger' | 'settings' | 'texts'> & {
  forge: ForgeRepository & ForgeForks & ForgeIssues;
};

/** E16: finds lent secrets in the texts to publish. */
export const withSecretsFound = (
  { texts: { lent } }: Pick<Needs, 'texts'>,
  action: GovernedAction,
  context: PolicyContext,
): PolicyContext => {
  if (!lent) return context;
  const lentIn = listPublicTexts(action).flatMap(([where, text]) =>
    lent.namesIn(text).length > 0 ? [where] : [],
  );
  return { ...context, lentIn };
};

export const branchToPush = (run: Run): string =>
  run.change.pushedHead?.branch ??
  composeBranchName(run.order, requireValue(run.target.contract, 'contract'), run.id, {
    paths: run.change.commit?.diff.files.map(({ path }) => path) ?? [],
    said: run.agent.agentReports.type,
    title: run.change.commit?.message.split('\n', 1)[0] ?? null,
  });

type Compared = Awaited<ReturnType<Needs['workspaces']['compare']>>;

const compareWithBase = (parts: Needs, run: Run, repo: RepoFacts): Promise<Compared> =>
  parts.workspaces.compare({
    runId: run.id,
    repo: repoRef(run, repo),
    base: requireValue(run.target.base, 'base').ref,
    head: requireValue(run.change.commit, 'commit').sha,
  });

type AssessedCommit = {
  run: Run;
  repo: RepoFacts;
  checks: CheckResult[];
  passed: boolean;
  checkConfig: CheckConfigFiles | null;
  openPrs: number | null;
  firstPull?: boolean;
  competingPulls?: readonly CompetingPull[];
  body?: string;
};

type OpenPr = Extract<GovernedAction, { kind: 'open_pr' }>;
type CommitFacts = Required<
  Pick<OpenPr, 'commit' | 'branch' | 'baseRef' | 'trailers' | 'checks' | 'passed' | 'checkConfig'>
> & { context: Required<Omit<PolicyContext, 'lentIn'>> };

const commitFactsOf = (
  parts: Needs,
  { run, repo, checks, passed, checkConfig, openPrs, firstPull = false, competingPulls = [] }: AssessedCommit,
): CommitFacts => ({
  commit: requireValue(run.change.commit, 'commit'),
  branch: branchToPush(run),
  baseRef: requireValue(run.target.base, 'base').ref,
  trailers: run.target.commitTrailers,
  checks,
  passed,
  checkConfig,
  context: {
    repo: repositoryOf(run),
    requester: run.order.requester,
    contract: run.target.contract,
    defaultBranch: repo.defaultBranch,
    containment: run.agent.containment,
    openPrs,
    firstPull,
    competingPulls,
    overruled: run.target.overruledBans,
    issue: run.target.issue,
    ownWords:
      (run.gate.editedPrText?.description ??
        requirementAnswers(run.target.requirementAnswers).words ??
        null) !== null,
    closes: [
      ...closingWords(
        `${requirementAnswers(run.target.requirementAnswers).issue ?? ''}\n${run.order.goal}`,
      ).keys(),
    ],
    settings: parts.settings.policies,
  },
});

export const assessPush = (parts: Needs, assessed: Omit<AssessedCommit, 'openPrs'>): Assessment => {
  const { context, ...action } = commitFactsOf(parts, { ...assessed, openPrs: null });
  const body = assessed.body === undefined ? {} : { body: assessed.body };
  const push = {
    kind: 'push',
    ...action,
    ...body,
    iteration: assessed.run.upstream.pullRequest !== null,
  } as const;
  // guard: E16-lent-in-push
  return assessAction(push, withSecretsFound(parts, push, context));
};

const limitsOf = ({ settings }: Needs, run: Run): PolicySettings =>
  mergeRepositoryPolicies(settings.policies, repositoryOf(run), run.target.contract?.policies).settings;

/** Counts below the limit are sealed as 0, so that they may change before the opening. */
const countAtLimit = (parts: Needs, run: Run, open: number): number => {
  const { maxOpenPrs } = limitsOf(parts, run);
  // guard: P1-open-pulls-bounded
  return open >= maxOpenPrs ? maxOpenPrs : 0;
};

const isFirst = async (parts: Needs, run: Run): Promise<boolean> => {
  const { diff } = requireValue(run.change.commit, 'commit');
  const isLarge = countLinesToRead(diff) > limitsOf(parts, run).maxFirstLines;
  // guard: P1-first-pull-small
  return isLarge && !(await parts.forge.knowsUs(repositoryOf(run)));
};

/** F13: what settings say, then the order, then a person at the card. */
const openingOf = ({ settings }: Needs, run: Run, repo: RepoFacts): ReturnType<typeof pullOpeningOf> => {
  const { repositories = {}, ...everywhere } = settings.pull ?? {};
  const matching = Object.entries(repositories).filter(([of]) => matchesGlob(repositoryOf(run), [of]));
  const said = joinPullOptions(everywhere, ...matching.map(([, options]) => options), run.order.pull);
  const theirs = run.target.contract?.pull;
  return pullOpeningOf(joinPullEdits(said, run.gate.editedPrText?.pull), { mayPush: repo.mayPush, theirs });
};

const sealProposal = async (
  parts: Needs,
  run: Run,
  repo: RepoFacts,
  published: Pick<SealFields, 'action' | 'title' | 'body' | 'pullBody' | 'pushes'>,
  seen: ObservedEvidence,
  assessment: Assessment,
  known: Compared | null = null,
): Promise<Proposal> => {
  const base = requireValue(run.target.base, 'base');
  const commit = requireValue(run.change.commit, 'commit');
  const compared = known ?? (await compareWithBase(parts, run, repo));
  const head = await readHeadRepository(parts, run, repo);
  return sealFields({
    ...published,
    baseRepoId: repo.id,
    headRepoId: head.id,
    baseRef: base.ref,
    mergeBase: compared.mergeBase,
    headSha: commit.sha,
    tree: compared.tree,
    diff: compared.diff,
    diffFacts: sha256Hex(canonicalJson(commit.diff)),
    branch: branchToPush(run),
    author: compared.author,
    ...(compared.signer === undefined ? {} : { signer: compared.signer }),
    ...(published.action === 'open_pr' ? openingOf(parts, run, repo) : { draft: false }),
    maintainerCanModify: run.target.fork !== null && canMaintainersEdit(parts.settings.forks),
    conflicts: compared.conflicts,
    policyVersion: assessment.policyVersion,
    assessment,
    evidence: toEvidence(seen),
    rules: (run.target.contract?.rules ?? []).map(({ kind, value, quote, file }) => ({
      kind,
      quote,
      file,
      ...(value === undefined ? {} : { value }),
    })),
  });
};

export const gatherPushProposal = async (
  parts: Needs,
  {
    run,
    repo,
    checks,
    grade,
    checkConfig,
    body,
  }: Pick<AssessedCommit, 'run' | 'repo' | 'body'> & ObservedEvidence,
  assessment: Assessment,
): Promise<Proposal> => {
  const message = requireValue(run.change.commit, 'commit').message;
  const [title = '', ...rest] = message.split('\n');
  return sealProposal(
    parts,
    run,
    repo,
    {
      action: 'push',
      title,
      body: rest.join('\n').trim(),
      ...(body === undefined ? {} : { pullBody: body }),
    },
    { checks, grade, checkConfig, ...(body === undefined ? {} : { answers: run.target.requirementAnswers }) },
    assessment,
  );
};

export const gatherPullAction = async (
  parts: Needs,
  before: Run,
): Promise<{
  action: OpenPr;
  context: PolicyContext;
  repo: RepoFacts;
  today: Run;
  compared: Compared;
}> => {
  const repo = await readRunRepository(parts, before);
  const [compared, open] = await Promise.all([
    compareWithBase(parts, before, repo),
    parts.forge.openPulls(repositoryOf(before)),
  ]);
  // guard: G8-rules-today
  const contract = await contractToday(parts, before, compared.tip);
  // guard: F10-rivals-again
  const { issue, competingPulls } = await issueToday(parts, before);
  const run = { ...before, target: { ...before.target, contract, issue } };
  const {
    checks,
    passed,
    checkConfigFiles: checkConfig = null,
  } = requireValue(run.change.evaluation, 'passed evaluation');
  const { title, body } = await writePullText(parts, run, { checks });
  const openPrs = countAtLimit(parts, run, open);
  const firstPull = await isFirst(parts, run);
  const { context, ...action } = commitFactsOf(parts, {
    run,
    repo,
    checks,
    passed,
    checkConfig,
    openPrs,
    firstPull,
    competingPulls,
  });
  const { draft } = openingOf(parts, run, repo);
  const pull = { kind: 'open_pr', ...action, title, body, draft } as const;
  // guard: E16-lent-in-pull
  return { action: pull, context: withSecretsFound(parts, pull, context), repo, today: run, compared };
};

/** Where one signature pushes and opens, the judgements of the push are sealed as well. */
export const gatherPullProposal = async (
  parts: Needs,
  run: Run,
  { pushes }: Pick<SealFields, 'pushes'> = {},
): Promise<Proposal> => {
  const { action, context, repo, today, compared } = await gatherPullAction(parts, run);
  const { title, body } = action;
  const {
    checks,
    passed,
    grade = null,
    checkConfigFiles: checkConfig = null,
  } = requireValue(run.change.evaluation, 'passed evaluation');
  const opening = assessAction(action, context);
  // guard: G6-both-judged
  const assessment = pushes
    ? combineAssessments(opening, assessPush(parts, { run: today, repo, checks, passed, checkConfig }))
    : opening;
  return sealProposal(
    parts,
    today,
    repo,
    { action: 'open_pr', title, body, ...(pushes ? { pushes } : {}) },
    { checks, grade, checkConfig, answers: today.target.requirementAnswers },
    assessment,
    compared,
  );
};
