/**
 * E6: which queued run goes next, and what the others wait for. Pure: the same queue at the same
 * time gives the same answer.
 */
import { DAY } from '../units.ts';

export type RunQueue = {
  /** Repositories of the runs that hold a place now, once for each run. */
  busy: readonly string[];
  /**
   * Runs that left the queue within the window, oldest first; times in epoch ms. Those of campaigns
   * count there and not here.
   */
  started: readonly { repo: string; at: number }[];
  /** In the order in which they came. */
  waiting: readonly { runId: string; repo: string; campaign: boolean }[];
};
export type RunCapacity = { maxParallelRuns: number; maxRunsPerDay: number };

export type RunAdmission =
  | { kind: 'go' }
  /**
   * `at` is when a place is free at the latest (epoch ms), null when that depends on other runs;
   * `before` it go this many.
   */
  | { kind: 'wait'; waitsFor: 'slot' | 'day'; taken: number; of: number; at: number | null; before: number };

const countIn = (repos: readonly string[], repo: string): number => repos.filter((r) => r === repo).length;

/**
 * Whose turn it is: of the repository with the fewest runs at work, then of the one that was served
 * longest ago, then who came first. So a batch on one repository does not keep the others waiting.
 */
export const inTurn = ({ busy, started, waiting }: RunQueue): string[] => {
  const atWork = [...busy];
  const served = new Map<string, number>();
  started.forEach(({ repo }, i) => served.set(repo, i + 1));
  let left = [...waiting];
  const order: string[] = [];
  while (left.length > 0) {
    const weigh = ({ repo }: { repo: string }): [number, number] => [
      countIn(atWork, repo),
      served.get(repo) ?? 0,
    ];
    const first = left.reduce((best, one) => {
      const [a, b] = [weigh(best), weigh(one)];
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
    // The start that has to leave the window first; one of a clock that was put back since leaves
    // it like one of now.
    const last = started[started.length + single - maxRunsPerDay];
    const at = last === undefined ? null : Math.min(last.at, now) + DAY;
    return { ...wait, waitsFor: 'day', taken: started.length, of: maxRunsPerDay, at };
  }
  // Whoever waits for tomorrow takes no place today.
  const ahead = before - Math.max(0, single - Math.max(0, maxRunsPerDay - started.length));
  if (busy.length + ahead >= maxParallelRuns)
    return {
      ...wait,
      waitsFor: 'slot',
      taken: Math.min(maxParallelRuns, busy.length + ahead),
      of: maxParallelRuns,
      at: null,
    };
  return { kind: 'go' };
};
