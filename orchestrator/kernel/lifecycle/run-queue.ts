/** Decides which queued run starts next, and what the others wait for (E6). Pure. */
import type { RunQueue } from '#ports/ledger';
import { DAY } from '#model/values';

type RunCapacity = { maxParallelRuns: number; maxRunsPerDay: number };

export type RunAdmission =
  | { kind: 'go' }
  /** A slot is free by `at` (epoch ms; null when other runs decide) after `before` others. */
  | { kind: 'wait'; waitsFor: 'slot' | 'day'; used: number; of: number; at: number | null; before: number };

const countIn = (repos: readonly string[], repo: string): number => repos.filter((r) => r === repo).length;

/** Fewest running in the repository first, so that a batch on one does not block others. */
export const inTurn = ({ busy, started, waiting }: RunQueue): string[] => {
  const atWork = [...busy];
  const served = new Map<string, number>();
  started.forEach(({ repo }, i) => served.set(repo, i + 1));
  let left = [...waiting];
  const order: string[] = [];
  while (left.length > 0) {
    const loadOf = ({ repo }: { repo: string }): [number, number] => [
      countIn(atWork, repo),
      served.get(repo) ?? 0,
    ];
    const first = left.reduce((best, one) => {
      const [a, b] = [loadOf(best), loadOf(one)];
      return b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? one : best;
    });
    order.push(first.runId);
    atWork.push(first.repo);
    served.set(first.repo, started.length + order.length);
    left = left.filter((one) => one !== first);
  }
  return order;
};

export const turnOf = (runId: string, queue: RunQueue, places: RunCapacity, now: number): RunAdmission => {
  const { busy, started } = queue;
  const { maxParallelRuns, maxRunsPerDay } = places;
  const order = inTurn(queue);
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
