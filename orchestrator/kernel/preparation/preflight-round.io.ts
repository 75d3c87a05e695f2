/** The round in which an agent reads the repository before any change (E7). */
import { parseNamedFiles } from '#discovery';
import { findEscalationBeforeWork } from '#governor';
import { workOfTitle } from '#model/pull';
import type { DiscardedEdits } from '#model/change';
import type { Run } from '../run/run.ts';
import type { HandlerOutcome } from '../runtime/effect-handler.ts';
import type { ExecutorDone } from '#ports/processes';
import type { MeterReading } from '#ports/ledger';
import { requireValue, type EffectContext, type TextReader } from '../handlers/effect-context.ts';

const MAX_PREFLIGHT_FILES = 40;

export const readContractAfterRound = async (
  parts: Pick<EffectContext, 'workspaces' | 'agents'> & TextReader,
  run: Run,
  { summary, containment }: ExecutorDone,
  spent: MeterReading,
  undone: DiscardedEdits | null,
): Promise<HandlerOutcome> => {
  const [base, before] = [
    requireValue(run.target.base, 'base'),
    requireValue(run.target.contract, 'contract'),
  ];
  const note = await parts.agents.notes.read(run.id, 'CONTRACT.jsonl');
  const tree = await parts.workspaces.tree(run.id, base.sha);
  const files = await tree.read(parseNamedFiles(note ?? '').slice(0, MAX_PREFLIGHT_FILES));
  const found = await parts.texts.reader.refine({ before, note: note ?? '', files });
  const refused = note === null ? ['~/CONTRACT.jsonl is gone, or is no plain text file'] : found.refused;
  const outline = summary.slice(0, 1_000);
  const contract = outline === '' ? found.contract : { ...found.contract, outline };
  const { added } = found;
  const rules = contract.rules.filter(({ by }) => by === 'agent');
  // guard: E7-agents-rules-weighed
  const escalate = found.escalate ?? findEscalationBeforeWork({ rules }, factsBeforeWork(run, base.ref));
  const told = { contract, added, refused, escalate, containment, discardedEdits: undone };
  return { kind: 'result', input: { type: 'worker.contract.refined', ...told, ...spent } };
};

const factsBeforeWork = (
  { target, order }: Run,
  base: string,
): Parameters<typeof findEscalationBeforeWork>[1] => ({
  issue: target.issue,
  base,
  answers: target.requirementAnswers,
  trailers: target.commitTrailers,
  work: workOfTitle(order.goal),
});
