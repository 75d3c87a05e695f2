/** E9: asks for a map of the commit that an agent works on, ranked by what its round is about. */
import { UnreadableFailure, type RepositoryMap } from '../kernel/ports/index.ts';
import type { EffectContext } from '../kernel/handlers/effect-context.ts';
import type { AgentRound } from '../kernel/run/round-table.ts';
import { repositoryOf, workspaceAt, type Run } from '../kernel/run/run.ts';
import type { PromptEvidence } from './render-prompt.ts';

const MAX_GOAL_LENGTH = 20_000;

export const mapOf =
  (
    { workspaces, wording, log }: Pick<EffectContext, 'workspaces' | 'wording' | 'log'>,
    run: Run,
    { feedback }: AgentRound,
    gathered: readonly PromptEvidence[],
  ) =>
  async (tokens: number): Promise<RepositoryMap | null> => {
    const sha = workspaceAt(run);
    if (sha === null) return null;
    const { goal, quoted } = run.order;
    const failing = [wording.feedback(feedback), ...gathered.map(({ data = '' }) => data)].join('\n');
    try {
      return await workspaces.map({
        runId: run.id,
        repo: repositoryOf(run),
        sha,
        goal: `${goal}\n${quoted?.text ?? ''}`.slice(0, MAX_GOAL_LENGTH),
        failing,
        tokens,
      });
    } catch (error) {
      if (!(error instanceof UnreadableFailure)) throw error;
      // An agent can go on without a map: it lists and searches.
      log.warn({ run: run.id, unreadable: error.unreadable }, 'no map could be made of the repository');
      return null;
    }
  };
