/**
 * What is particular to the round in which an agent reads the repository before anything is changed
 * (E7).
 */
import { namedFiles } from '../core/discovery/evidence.ts';
import type { Undone } from '../core/facts.ts';
import type { Run } from '../core/machine/run.ts';
import type { Outcome } from '../engine/handler.ts';
import type { ExecutorDone } from '../ports.ts';
import type { MeterReading } from './meter.ts';
import { need, type EffectParts } from './parts.ts';

const MOST_FILES = 40;

/** The contract with what it adds, as far as the base commit says so. */
export const contractRead = async (
  parts: Pick<EffectParts, 'notes' | 'reader' | 'workspaces'>,
  run: Run,
  { summary, containment }: ExecutorDone,
  spent: MeterReading,
  undone: Undone | null,
): Promise<Outcome> => {
  const [base, before] = [need(run.target.base, 'base'), need(run.target.contract, 'contract')];
  const note = await parts.notes.read(run.id, 'CONTRACT.jsonl');
  const tree = await parts.workspaces.tree(run.id, base.sha);
  const files = await tree.read(namedFiles(note ?? '').slice(0, MOST_FILES));
  const found = await parts.reader.refine({ before, note: note ?? '', files });
  const refused = note === null ? ['~/CONTRACT.jsonl is gone, or is no plain text file'] : found.refused;
  const outline = summary.slice(0, 1_000);
  const contract = outline === '' ? found.contract : { ...found.contract, outline };
  const { added, escalate } = found;
  const told = { contract, added, refused, escalate, containment, discardedEdits: undone };
  return { kind: 'result', input: { type: 'worker.contract.refined', ...told, ...spent } };
};
