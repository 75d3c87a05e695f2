/** E9: whose turn it is, where several engines try the same, and what those before came to. */
import type { Commit, ContainmentLevel, ExposedCredential, AgentSession } from '../change-facts.ts';
import type { AgentClaims } from '../govern/grade-attempt.ts';
import type { Order } from '../order.ts';
import type { ReportedChange } from '../agent-report.ts';

/** How an engine's turn ended. */
export type TurnEnd = 'passed' | 'checks_failed' | 'denied' | 'no_changes' | 'failed';

/** What of a run is one engine's own, so that another may begin without it. */
export type ProposerWork = {
  commit: Commit | null;
  session: AgentSession | null;
  summary: string;
  claims: AgentClaims;
  agentReports: ReportedChange;
  commitTrailers: readonly string[];
  containment: ContainmentLevel | null;
  exposedCredentials: ExposedCredential | null;
};

export type ProposerTurn = ProposerWork & {
  engine: string;
  outcome: TurnEnd;
  decision: 'allow' | 'escalate' | 'deny' | null;
  /** What it took of the run's budgets; time in ms. */
  tokens: number;
  costUsd: number;
  workedMs: number;
};

export type ProposerRotation = {
  /** Whose turn it is, or whose change went on. */
  engine: string;
  /** Since when that is so (epoch ms). */
  startedAt: number;
  finishedTurns: readonly ProposerTurn[];
  isChosen: boolean;
};

type Tries = { order: Pick<Order, 'engine' | 'proposers'>; agent: { proposerRotation?: ProposerRotation } };
/** The engine that works for a run now. */
export const engineOf = ({ order, agent: { proposerRotation: proposers } }: Tries): string =>
  proposers?.engine ?? order.engine;

/** Those that have not had their turn. */
export const nextEngine = (run: Tries): string | undefined => {
  const had = [
    ...(run.agent.proposerRotation?.finishedTurns ?? []).map(({ engine }) => engine),
    engineOf(run),
  ];
  return (run.order.proposers ?? []).find((engine) => !had.includes(engine));
};

/** Lines that are added or removed; what has no commit comes last. */
const sizeOf = ({ commit }: ProposerTurn): number =>
  commit ? commit.diff.added + commit.diff.deleted : Infinity;
const rank = ({ decision }: ProposerTurn): number => (decision === 'allow' ? 0 : 1);

/**
 * Of those whose checks are green and which no policy denies, what policies allow, then the smaller
 * change, then the earlier one; null where there is none.
 */
export const bestOf = (turns: readonly ProposerTurn[]): ProposerTurn | null =>
  turns
    .filter(({ outcome: end, commit }) => end === 'passed' && commit !== null)
    .sort((a, b) => rank(a) - rank(b) || sizeOf(a) - sizeOf(b))[0] ?? null;
