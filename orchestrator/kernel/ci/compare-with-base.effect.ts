/** F6: asks whether red checks are red on the base as well, or known to be flaky, before an agent is called. */
import type { AgentRound } from '../run/rounds.ts';
import { repositoryOf, type Run } from '../run/run.ts';
import type { HandlerOutcome } from '../runtime/effect-handler.ts';
import { redChecks } from './ci-verdict.ts';
import type { EffectContext } from '../handlers/effect-context.ts';

/** F6: compares red checks with the base and known flakes, once per head; null when a fix is due. */
export const compareWithBase = async (
  { forge }: Pick<EffectContext, 'forge'>,
  run: Run,
  round: AgentRound,
): Promise<HandlerOutcome | null> => {
  const { pushedHead: pushed } = run.change;
  const { base } = run.target;
  const { ciComparison: compared, observed: seen } = run.upstream;
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
