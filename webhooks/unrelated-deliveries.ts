/**
 * Counts verified deliveries that concern no run of ours, by hour, event and repository (L10).
 * Nothing of them is stored: one that comes again has nothing to repeat, and a run that begins
 * later reads on the code host what they said.
 */
import type { LogPort, SystemClock } from '#ports/processes';
import { HOUR } from '#model/values';

/** Counts of one hour; further repositories are counted together (rows). */
const MOST_ROWS = 2_000;
const OTHERS = 'others';

type HourlyCount = { event: string; repo: string; count: number };
export type UnrelatedDeliveries = {
  add: (event: string, repos: readonly { fullName: string }[]) => void;
  /** Since the start, by event. */
  totals: () => ReadonlyMap<string, number>;
};

export const createUnrelatedDeliveryCounter = ({
  clock,
  log,
}: {
  clock: SystemClock;
  log: Pick<LogPort, 'info'>;
}): UnrelatedDeliveries => {
  const totals = new Map<string, number>();
  let hour = 0;
  let counts = new Map<string, HourlyCount>();

  const tellHour = (): void => {
    if (counts.size > 0)
      log.info(
        { hour: new Date(hour * HOUR).toISOString(), deliveries: [...counts.values()] },
        'deliveries that concerned no run',
      );
    counts = new Map();
  };

  const add: UnrelatedDeliveries['add'] = (event, repos) => {
    const now = Math.floor(clock.now() / HOUR);
    if (now !== hour) tellHour();
    hour = now;
    totals.set(event, (totals.get(event) ?? 0) + 1);
    for (const { fullName } of repos) {
      const own = `${event} ${fullName}`;
      const isFull = counts.size >= MOST_ROWS && !counts.has(own);
      const key = isFull ? `${event} ${OTHERS}` : own;
      const row = counts.get(key) ?? { event, repo: isFull ? OTHERS : fullName, count: 0 };
      row.count += 1;
      counts.set(key, row);
    }
  };

  return { add, totals: () => totals };
};
