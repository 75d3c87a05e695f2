/** What an action would publish, gathered from git and the forge as they are now, and sealed (G2). */
import { wordsOf, type Action, type OpenPr } from '../core/govern/action.ts';
import { assess, type PolicyContext } from '../core/govern/index.ts';
import { inForce } from '../core/govern/repository.ts';
import type { Assessment, CheckResult, Judges, Grade } from '../core/facts.ts';
import { decidedBy } from '../core/govern/grade.ts';
import { branchFor, pullBody, pullTitle } from '../core/publish/publish.ts';
import type { Run } from '../core/machine/run.ts';
import type { Evidence, Proposal } from '../core/seal.ts';
import { seal } from '../engine/digest.ts';
import type { RepoFacts } from '../ports.ts';
import { need, repoOf, repoRef, type EffectParts } from './parts.ts';

type Needs = Pick<EffectParts, 'forge' | 'workspaces' | 'settings' | 'lent' | 'wording'>;

/** E16: which words would give away what was lent. */
const searched = ({ lent }: Needs, action: Action, context: PolicyContext): PolicyContext => {
  if (!lent) return context;
  const lentIn = wordsOf(action).flatMap(([where, text]) => (lent.namesIn(text).length > 0 ? [where] : []));
  return { ...context, lentIn };
};

type Seen = { checks: readonly CheckResult[]; grade: Grade | null; judges?: Judges | null };

const ran = <K extends string>(kind: K, { name, command, outcome }: CheckResult) =>
  ({ kind, name, command, outcome }) as const;

const judgedBy = ({ files, base, missed }: Judges): Evidence[] => [
  ...files.map((path): Evidence => ({ kind: 'judge', path })),
  ...(base ?? []).map((c) => ran('check_of_base', c)),
  ...(missed ? [{ kind: 'not_compared', why: missed } as const] : []),
];

const evidence = ({ checks, grade, judges }: Seen): Evidence[] => [
  ...checks.map((c) => ran('check', c)),
  ...(judges ? judgedBy(judges) : []),
  ...(grade ? [{ kind: 'grade', level: grade.level, reasons: decidedBy(grade) } as const] : []),
];

export const targetBranch = (run: Run): string =>
  run.pushed?.branch ?? branchFor(run.order, need(run.contract, 'contract'), run.id);

type Judged = {
  run: Run;
  repo: RepoFacts;
  checks: CheckResult[];
  passed: boolean;
  judges?: Judges | null;
  openPrs: number | null;
};

const facts = (parts: Needs, { run, repo, checks, passed, judges = null, openPrs }: Judged) =>
  ({
    commit: need(run.commit, 'commit'),
    branch: targetBranch(run),
    baseRef: need(run.base, 'base').ref,
    checks,
    passed,
    judges,
    context: {
      repo: run.order.repo,
      requester: run.order.requester,
      contract: run.contract,
      defaultBranch: repo.defaultBranch,
      containment: run.containment,
      openPrs,
      settings: parts.settings.policies,
    },
  }) as const;

/** What the governor says of pushing the run's commit, judged on our own checks. */
export const assessPush = (parts: Needs, judged: Omit<Judged, 'openPrs'>): Assessment => {
  const { context, ...action } = facts(parts, { ...judged, openPrs: null });
  const push = { kind: 'push', ...action, iteration: judged.run.pr !== null } as const;
  return assess(push, searched(parts, push, context));
};

/** Only reaching the limit matters: below it the count may change without breaking a seal. */
const openPulls = async (parts: Needs, run: Run): Promise<number> => {
  const { settings } = inForce(parts.settings.policies, run.order.repo, run.contract?.policies);
  const { maxOpenPrs } = settings;
  return (await parts.forge.openPulls(run.order.repo)) >= maxOpenPrs ? maxOpenPrs : 0;
};

const sealed = async (
  parts: Needs,
  run: Run,
  repo: RepoFacts,
  public_: { action: 'push' | 'open_pr'; title: string; body: string },
  seen: Seen,
  assessment: Assessment,
): Promise<Proposal> => {
  const base = need(run.base, 'base');
  const commit = need(run.commit, 'commit');
  const compared = await parts.workspaces.compare({
    runId: run.id,
    repo: repoRef(run, repo),
    base: base.ref,
    head: commit.sha,
  });
  return seal({
    ...public_,
    baseRepoId: repo.id,
    headRepoId: repo.id,
    baseRef: base.ref,
    mergeBase: compared.mergeBase,
    headSha: commit.sha,
    tree: compared.tree,
    diff: compared.diff,
    branch: targetBranch(run),
    author: compared.author,
    draft: false,
    maintainerCanModify: false,
    conflicts: compared.conflicts,
    policyVersion: assessment.policyVersion,
    assessment,
    evidence: evidence(seen),
  });
};

/** What a push of the run's commit would publish. */
export const pushProposal = async (
  parts: Needs,
  { run, repo, checks, grade, judges = null }: Pick<Judged, 'run' | 'repo'> & Seen,
  assessment: Assessment,
): Promise<Proposal> => {
  const message = need(run.commit, 'commit').message;
  const [title = '', ...rest] = message.split('\n');
  return sealed(
    parts,
    run,
    repo,
    { action: 'push', title, body: rest.join('\n').trim() },
    { checks, grade, judges },
    assessment,
  );
};

/** Opening a pull request for the run's pushed commit, as the governor judges it; the body is without the receipt. */
export const pullAction = async (
  parts: Needs,
  run: Run,
): Promise<{ action: OpenPr; context: PolicyContext; repo: RepoFacts }> => {
  const repo = await repoOf(parts, run);
  const contract = need(run.contract, 'contract');
  const commit = need(run.commit, 'commit');
  const { checks, passed, grade = null, judges = null } = need(run.evaluation, 'passed evaluation');
  const { order, summary, containment } = run;
  const title = run.words?.title ?? pullTitle(order, contract);
  const description = run.words?.description ?? null;
  const body = pullBody({
    ...{ order, contract, commit, checks, grade, summary, containment, description },
    judgement: (j) => parts.wording.judgement(j),
  });
  const openPrs = await openPulls(parts, run);
  const { context, ...action } = facts(parts, { run, repo, checks, passed, judges, openPrs });
  const pull = { kind: 'open_pr', ...action, title, body, draft: false } as const;
  return { action: pull, context: searched(parts, pull, context), repo };
};

/** What it would publish. */
export const pullProposal = async (parts: Needs, run: Run): Promise<Proposal> => {
  const { action, context, repo } = await pullAction(parts, run);
  const { title, body } = action;
  const { checks, grade = null, judges = null } = need(run.evaluation, 'passed evaluation');
  return sealed(
    parts,
    run,
    repo,
    { action: 'open_pr', title, body },
    { checks, grade, judges },
    assess(action, context),
  );
};
