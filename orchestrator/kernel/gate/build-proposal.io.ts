/** Builds the card after the checks: push and opening in one, unless a policy wants two. */
import type { Assessment } from '#model/assessment';
import type { Proposal } from '#model/seal';
import { mergeRepositoryPolicies } from '#governor';
import { needsSignature } from './signature-rule.ts';
import { repositoryOf, type CommitEvaluation, type Run } from '../run/run.ts';
import { ensureHead } from './ensure-fork.io.ts';
import { requireValue, readRunRepository, type EffectContext } from '../handlers/effect-context.ts';
import { assessPush, gatherPullProposal, gatherPushProposal } from './gather-proposal.io.ts';
import { updatedPullBody } from './write-pull-text.io.ts';

type Seen = Required<Pick<CommitEvaluation, 'checks' | 'passed' | 'grade'>> & {
  checkConfig: CommitEvaluation['checkConfigFiles'] | null;
};

const wantsTwoCards = ({ settings }: Pick<EffectContext, 'settings'>, run: Run): boolean =>
  mergeRepositoryPolicies(settings.policies, repositoryOf(run), run.target.contract?.policies).settings
    .separatePush;

/** `assessment` is the push's; `proposal` is null when no signature is needed or would help. */
export const buildProposal = async (
  parts: EffectContext,
  run: Run,
  { checks, passed, grade, checkConfig }: Seen,
): Promise<{ assessment: Assessment; proposal: Proposal | null; fork: Run['target']['fork'] }> => {
  const commitSha = requireValue(run.change.commit, 'commit').sha;
  const before: Run = { ...run, change: { ...run.change, evaluation: null } };
  const repo = await readRunRepository(parts, run);
  const alone = { run: before, repo, checks, passed, grade, checkConfig: checkConfig ?? null };
  const first = assessPush(parts, alone);
  if (!passed || first.decision === 'deny' || !needsSignature(run, first))
    return { assessment: first, proposal: null, fork: null };
  // The card shows the target's id, so the fork must exist.
  const {
    target: { fork },
  } = (await ensureHead(parts, before, repo)).run;
  const withFork = (one: Run): Run => (fork ? { ...one, target: { ...one.target, fork } } : one);
  if (run.upstream.pullRequest || wantsTwoCards(parts, run)) {
    const described = { ...alone, ...(await updatedPullBody(parts, before, alone)) };
    const assessment = assessPush(parts, described);
    const at = { ...described, run: withFork(before) };
    return { assessment, proposal: await gatherPushProposal(parts, at, assessment), fork };
  }
  const evaluation = {
    commitSha,
    passed,
    checks,
    grade,
    assessment: first,
    ...(checkConfig ? { checkConfigFiles: checkConfig } : {}),
  };
  const proposal = await gatherPullProposal(
    parts,
    withFork({ ...run, change: { ...run.change, evaluation } }),
    {
      pushes: true,
    },
  );
  return { assessment: first, proposal, fork };
};
