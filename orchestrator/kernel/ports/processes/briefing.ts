/** The port that writes what an agent is told and may ask for in one round (E7, P5). */
import type { DiscardedEdits } from '#model/change';
import type { AgentRound } from '../../run/round-table.ts';
import type { Run } from '../../run/run.ts';
import type { AttemptRow } from '#ports/ledger';
import type { RevertResult, WorkspaceLeftovers } from '#ports/workspaces';
import type { EngineRound, RunPicture } from './processes.ts';

/** What the run itself does not know of its workspace and of earlier attempts. */
export type RoundGround = {
  past: readonly AttemptRow[];
  left: WorkspaceLeftovers;
  undone: DiscardedEdits | null;
  conflicts: Extract<RevertResult, { kind: 'conflicts' }> | null;
};

type RoundTools = Required<Pick<EngineRound, 'turns' | 'map' | 'lint'>>;

type RoundBriefing = {
  prompt: string;
  picture: RunPicture | null;
  /** For an engine that records turns. Call `end` when its process is over. */
  equip(attempt: number, signal: AbortSignal): Promise<{ tools: RoundTools; end(): Promise<void> }>;
};

export type BriefAgent = (run: Run, round: AgentRound, ground: RoundGround) => Promise<RoundBriefing>;
