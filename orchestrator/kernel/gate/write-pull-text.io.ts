/** Writes title and description of a pull request from the known facts (F9). */
import type { CheckResult } from '#model/evidence';
import { requirementAnswers } from '#model/requirements';
import { titlesOfFinishedFixes } from '../rounds/ordered-fixes.ts';
import type { Run } from '../run/run.ts';
import { engineOf } from '../run/proposer-rotation.ts';
import { publicSummaryOf, finishedPlanSteps } from './summarise-change.ts';
import { pullBody, composePullTitle } from '#pull-text';
import { requireValue, type EffectContext } from '../handlers/effect-context.ts';

type Needs = Pick<EffectContext, 'workspaces'>;
type Seen = { checks: readonly CheckResult[] };

const MAX_READ_PATCH_BYTES = 256_000;

export const writePullText = async (
  parts: Needs,
  run: Run,
  { checks }: Seen,
): Promise<{ title: string; body: string }> => {
  const { contract } = run.target;
  const { agentReports: said, fixSummaries: fixes, additionSummaries: additions = [] } = run.agent;
  const summary = run.agent.wholeSummary ?? publicSummaryOf(run.agent);
  const order = { ...run.order, engine: engineOf(run) };
  const commit = requireValue(run.change.commit, 'commit');
  const base = requireValue(run.target.base, 'base');
  const { text: patch, messages } = await parts.workspaces.patch({
    runId: run.id,
    base: base.sha,
    head: commit.sha,
    limit: MAX_READ_PATCH_BYTES,
  });
  const { files } = commit.diff;
  const title =
    run.gate.editedPrText?.title ??
    composePullTitle({ order, said, summary, files, patch, checks }, contract, 100);
  const description = run.gate.editedPrText?.description ?? null;
  const body = pullBody({
    order,
    contract,
    commit,
    checks,
    summary,
    said,
    fixes,
    additions,
    made: titlesOfFinishedFixes(run),
    steps: finishedPlanSteps(run),
    description,
    patch,
    title,
    commits: messages.length,
    baseRef: base.ref,
    ...(run.target.mergedPull
      ? {
          reverted: { commit: run.target.mergedPull.commit, clean: run.change.cleanRevert === true },
        }
      : {}),
    answers: requirementAnswers(run.target.requirementAnswers),
  });
  return { title, body };
};

/** F9: the description after this push; empty when unchanged. */
export const updatedPullBody = async (parts: Needs, run: Run, seen: Seen): Promise<{ body?: string }> => {
  const before = run.upstream.pullRequest?.body;
  if (before === undefined) return {};
  const { body } = await writePullText(parts, run, seen);
  return body === before ? {} : { body };
};
