/** Prepares the workspace of a round, and says what was lost of earlier ones (E17). */
import type { DiscardedEdits } from '#model/change';
import type { AttemptRow } from '#ports/ledger';
import type { ExecutorDone } from '#ports/processes';
import type { WorkspaceLeftovers } from '#ports/workspaces';
import { requireValue, type EffectContext, type RoundGround } from '../handlers/effect-context.ts';
import { ROUND_ROWS, type AgentRound } from '../run/round-table.ts';
import { workspaceShaOf, type Run } from '../run/run.ts';
import { parentCommitsOf } from '../upstream/update-from-base.effect.ts';
import { toDiscardedEdits } from './record-discarded-edits.ts';
import { findLeftovers, restoreGuardedFiles } from './restore-guarded-files.io.ts';

type Conflicts = RoundGround['conflicts'];
/** The agent is told `undone`; people have not been told `lost` yet. */
export type PreparedGround = RoundGround & { lost: DiscardedEdits | null };

const NOTHING_LEFT: WorkspaceLeftovers = { files: [], unfit: [] };

/** E17: true when the workspace was reset to that commit before: later edits must survive. */
const isLaid = (
  { change, agent: { proposerRotation: proposers } }: Run,
  past: readonly AttemptRow[],
): boolean => {
  const { resetTo: lay, resetAskedAt = proposers?.startedAt, adoptedHead: taken } = change;
  if (change.resetAskedAt === undefined && taken?.sha === lay) return past.some((a) => a.baseSha === lay);
  // guard: E17-reset-once
  return resetAskedAt !== undefined && past.some((a) => a.step === 'agent' && a.startedAt >= resetAskedAt);
};

/** E17: lays the commit that was asked for, unless an agent has worked on it since. */
export const resetToRequestedCommit = async (
  { ledger, workspaces }: EffectContext,
  run: Run,
): Promise<readonly AttemptRow[]> => {
  const past = await ledger.query.attempts(run.id);
  const { resetTo } = run.change;
  if (resetTo && !isLaid(run, past))
    await workspaces.reset({ runId: run.id, sha: resetTo, base: parentCommitsOf(run).base });
  return past;
};

/** E17: the workspace stays as the last round left it; a missing one is reported. */
export const prepareRoundWorkspace = async (
  parts: EffectContext,
  run: Run,
  conflicts: Conflicts,
  signal: AbortSignal,
): Promise<PreparedGround> => {
  const { workspaces } = parts;
  const past = await resetToRequestedCommit(parts, run);
  const { base } = parentCommitsOf(run);
  const worked = past.some(({ step }) => step === 'agent');
  if (conflicts && (!worked || !(await workspaces.exists(run.id))))
    await workspaces.reset({ runId: run.id, sha: conflicts.laid, base, signal });
  // guard: E17-edits-stay
  if (await workspaces.exists(run.id)) {
    const left = worked ? await findLeftovers(parts, run, signal) : NOTHING_LEFT;
    return { past, left, undone: run.agent.discardedEdits, lost: null, conflicts };
  }
  await workspaces.reset({ runId: run.id, sha: requireValue(workspaceShaOf(run), 'base'), base, signal });
  const lost = worked && !run.agent.discardedEdits ? toDiscardedEdits('missing', []) : null;
  return { past, left: NOTHING_LEFT, undone: run.agent.discardedEdits ?? lost, lost, conflicts };
};

/** A note-only round without a box is checked for edits, however it ended. */
export const restoreAfterRound = async (
  parts: EffectContext,
  { run, round, ground: { left, lost } }: { run: Run; round: AgentRound; ground: PreparedGround },
  done: ExecutorDone,
): Promise<DiscardedEdits | null> => {
  const { workspaces } = parts;
  const looks = ROUND_ROWS[round.kind].writes === 'note' && done.containment === 'group';
  if (done.failure?.class === 'disk_full' && !(await workspaces.exists(run.id)))
    return toDiscardedEdits('disk', left.files);
  return (looks ? await restoreGuardedFiles(parts, run, left) : null) ?? lost;
};
