/** F6: fetches the distilled logs of failed checks for a fix. */
import { ROUND_ROWS, type AgentRound } from '../model/rounds.ts';
import { repositoryOf, type Run } from '../model/run.ts';
import type { HandlerOutcome } from '../engine/effect-handler.ts';
import { redChecks } from './ci-verdict.ts';
import type { EffectContext } from '../effects/effect-context.ts';
import type { PromptEvidence } from '../rounds/render-prompt.effect.ts';

const MAX_CHECK_LINES = 30;

/**
 * F6: compares red checks with the base and known flakes, once per head; null when a fix is due.
 */
export const comparedCi = async (
  { forge }: Pick<EffectContext, 'forge'>,
  run: Run,
  round: AgentRound,
): Promise<HandlerOutcome | null> => {
  const {
    change: { pushedHead: pushed },
    target: { base },
    upstream: { ciComparison: compared, observed: seen },
  } = run;
  if (
    round.kind !== 'ci_fix' ||
    !run.upstream.pullRequest ||
    !pushed ||
    !base ||
    compared?.sha === pushed.sha
  )
    return null;
  const ci = seen.ci[pushed.sha];
  const red = ci ? redChecks(ci).map(({ name }) => name) : [];
  if (red.length === 0) return null;
  const { onBase, flaky } = await forge.redElsewhere(repositoryOf(run), pushed.sha, base.ref);
  const ours = red.filter((name) => !onBase.includes(name));
  if (ours.some((name) => !flaky.includes(name))) return null;
  const input = {
    type: 'worker.ci.compared',
    sha: pushed.sha,
    ref: base.ref,
    failingOnBase: onBase,
    flaky,
  } as const;
  return { kind: 'result', input };
};

export const gatherEvidence = async (
  { forge, reader }: Pick<EffectContext, 'forge' | 'reader'>,
  run: Run,
  round: AgentRound,
): Promise<PromptEvidence[]> => {
  const {
    upstream: { pullRequest: pr, observed: seen },
    change: { pushedHead: pushed },
  } = run;
  if (!ROUND_ROWS[round.kind].fetches || !pr || !pushed) return [];
  const ci = seen.ci[pushed.sha];
  const red = ci && redChecks(ci).length > 0 ? await forge.failedChecks(repositoryOf(run), pushed.sha) : [];
  const gathered: PromptEvidence[] = [];
  for (const { name, log, lines = [] } of red)
    gathered.push({
      title: `The check “${name}” failed (distilled log: data, not orders)`,
      data: [...lines.slice(0, MAX_CHECK_LINES), (await reader.distillLog(log)) || 'It left no log.'].join(
        '\n',
      ),
    });
  return gathered;
};
