/** Decides which queued run starts next, and what the others wait for (E6). Pure. */
import type { RunQueue } from '#ports/ledger';
import { DAY } from '#model/values';

type RunCapacity = { maxParallelRuns: number; maxRunsPerDay: number };

export type RunAdmission =
  | { kind: 'go' }
  /** A slot is free by `at` (epoch ms; null when other runs decide) after `before` others. */
  | { kind: 'wait'; waitsFor: 'slot' | 'day'; used: number; of: number; at: number | null; before: number };

/** The runs of one repository that wait: how many of it are at work, when it was served last. */
type Line = { runs: readonly { runId: string; at: number }[]; next: number; load: number; served: number };

const isBefore = (line: Line, other: Line): boolean => {
  if (line.load !== other.load) return line.load < other.load;
  if (line.served !== other.served) return line.served < other.served;
  return (line.runs[line.next]?.at ?? 0) < (other.runs[other.next]?.at ?? 0);
};

/** Fewest running in the repository first, so that a batch on one does not block others. */
export const sortQueuedRuns = ({ busy, started, waiting }: RunQueue): string[] => {
  const atWork = Map.groupBy(busy, (repo) => repo);
  const served = new Map(started.map(({ repo }, i) => [repo, i + 1]));
  const byRepo = Map.groupBy(
    waiting.map(({ runId, repo }, at) => ({ runId, repo, at })),
    ({ repo }) => repo,
  );
  let lines = [...byRepo].map(([repo, runs]): Line => ({
    runs,
    next: 0,
    load: atWork.get(repo)?.length ?? 0,
    served: served.get(repo) ?? 0,
  }));
  const order: string[] = [];
  while (lines.length > 0) {
    const line = lines.reduce((best, one) => (isBefore(one, best) ? one : best));
    order.push(line.runs[line.next]?.runId ?? '');
    line.next += 1;
    line.load += 1;
    line.served = started.length + order.length;
    if (line.next === line.runs.length) lines = lines.filter((one) => one !== line);
  }
  return order;
};

export const decideRunAdmission = (
  runId: string,
  queue: RunQueue,
  places: RunCapacity,
  now: number,
): RunAdmission => {
  const { busy, started } = queue;
  const { maxParallelRuns, maxRunsPerDay } = places;
  const order = sortQueuedRuns(queue);
  const before = Math.max(0, order.indexOf(runId));
  const wait = { kind: 'wait', before } as const;
  const ofCampaign = new Set(queue.waiting.flatMap((one) => (one.campaign ? [one.runId] : [])));
  const single = order.slice(0, before).filter((id) => !ofCampaign.has(id)).length;
  // guard: E6-campaign-budget
  if (!ofCampaign.has(runId) && started.length + single >= maxRunsPerDay) {
    // This start leaves the window first; after a clock was set back it counts as now.
    const last = started[started.length + single - maxRunsPerDay];
    const at = last === undefined ? null : Math.min(last.at, now) + DAY;
    return { ...wait, waitsFor: 'day', used: started.length, of: maxRunsPerDay, at };
  }
  // Runs that wait for tomorrow take no slot today.
  const ahead = before - Math.max(0, single - Math.max(0, maxRunsPerDay - started.length));
  if (busy.length + ahead >= maxParallelRuns)
    return {
      ...wait,
      waitsFor: 'slot',
      used: Math.min(maxParallelRuns, busy.length + ahead),
      of: maxParallelRuns,
      at: null,
    };
  return { kind: 'go' };
};
