/** Tracks the engine at work and the outcome of earlier ones (E9). */
import type { Commit } from '#model/change';
import type { ContainmentLevel, ExposedCredential } from '#model/evidence';
import type { AgentSession } from '#model/reports';
import type { AgentClaims, ReportedChange } from '#model/agent';
import { enginesInTurn, type Order } from '#model/order';

export type TurnEnd = 'passed' | 'checks_failed' | 'denied' | 'no_changes' | 'failed';

/** State of one engine, which the next one begins without. */
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
  tokens: number;
  costUsd: number;
  workedMs: number;
};

export type ProposerRotation = {
  /** The engine at work, or the one whose change was chosen. */
  engine: string;
  startedAt: number;
  finishedTurns: readonly ProposerTurn[];
  isChosen: boolean;
};

type Tries = { order: Pick<Order, 'engine' | 'proposers'>; agent: { proposerRotation?: ProposerRotation } };
export const engineOf = ({ order, agent: { proposerRotation: proposers } }: Tries): string =>
  proposers?.engine ?? order.engine;

export const nextEngine = (run: Tries): string | undefined => {
  const had = [
    ...(run.agent.proposerRotation?.finishedTurns ?? []).map(({ engine }) => engine),
    engineOf(run),
  ];
  return enginesInTurn(run.order).find((engine) => !had.includes(engine));
};

/** Lines added and deleted; a turn without a commit sorts last. */
const sizeOf = ({ commit }: ProposerTurn): number =>
  commit ? commit.diff.added + commit.diff.deleted : Infinity;
const rankOf = ({ decision }: ProposerTurn): number => (decision === 'allow' ? 0 : 1);

/** Prefers passed changes that policies allow, then the smaller, then the earlier. May be null. */
export const selectBestTurn = (turns: readonly ProposerTurn[]): ProposerTurn | null =>
  turns
    .filter(({ outcome: end, commit }) => end === 'passed' && commit !== null)
    .sort((a, b) => rankOf(a) - rankOf(b) || sizeOf(a) - sizeOf(b))[0] ?? null;
