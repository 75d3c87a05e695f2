/** Makes several fixes in one run, one after the other, for one pull request (F5). */
import type { RunAgent, RunLifecycle, Run } from '../run/run.ts';
import type { OrderedFix } from '#model/order';
import { EMPTY_REPORT, mergePartReports } from '#model/agent';
import { addWork, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../run/round-table.ts';

type Fixing = Pick<Run, 'order'> & {
  agent: Pick<RunAgent, 'orderedFixesDone'>;
  lifecycle: Pick<RunLifecycle, 'state'>;
};

export const currentOrderedFix = ({
  order,
  agent: { orderedFixesDone: made = [] },
  lifecycle: { state },
}: Fixing): (OrderedFix & { no: number; of: number }) | null => {
  const fix = state === 'IMPLEMENTING' ? order.fixes?.[made.length] : undefined;
  return fix && order.fixes ? { ...fix, no: made.length + 1, of: order.fixes.length } : null;
};

export const titlesOfFinishedFixes = (
  { agent: { orderedFixesDone: made = [] } }: { agent: Pick<RunAgent, 'orderedFixesDone'> },
  { changed = true }: { changed?: boolean } = {},
): string[] => made.filter((one) => one.changed === changed).map(({ title }) => title);

export const continueOrderedFixes = (
  draft: StepDraft,
  {
    commit,
    claims: { reported: said = EMPTY_REPORT },
  }: Pick<InputOf<'worker.implementation.completed'>, 'commit' | 'claims'>,
): boolean => {
  const { run } = draft;
  const fix = currentOrderedFix(run);
  if (!fix) return false;
  // The workspace holds the change so far, whoever made it.
  const changed = (commit?.tree ?? null) !== (run.change.commit?.tree ?? null);
  run.agent.orderedFixesDone = [
    ...(run.agent.orderedFixesDone ?? []),
    { title: fix.title, changed, report: said },
  ];
  run.agent.agentReports = mergePartReports(
    run.agent.orderedFixesDone.flatMap((one) => (one.changed && one.report ? [one.report] : [])),
  );
  const next = currentOrderedFix(run);
  if (!next) return false;
  run.change.commit = commit;
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  run.lifecycle.reason = { kind: 'fix_started', no: next.no, of: next.of, title: next.title };
  addWork(draft, { kind: 'implement', round: run.agent.round });
  return true;
};
