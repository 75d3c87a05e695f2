/** Finds the repositories of a campaign whose run is unlike the others, and says why. Pure. */
import type { StandingMark } from '#campaign-standing';
import type { Run } from '#run';
import { HOUR } from '#model/values';

export type OutlierReason =
  | { kind: 'stands'; mark: StandingMark }
  | { kind: 'checks'; commands: string[] }
  | { kind: 'more_files'; paths: string[] }
  | { kind: 'fewer_files'; paths: string[] }
  | { kind: 'size'; lines: number; usual: number }
  | { kind: 'waits'; ms: number; usual: number };

const STRANGE_MARKS: readonly StandingMark[] = ['failed', 'denied'];
const MAX_SHARE = 0.2;
const MIN_COMPARED_RUNS = 4;
const MIN_STRANGE_LINES = 30;
const STRANGE_FACTOR = 3;
const MIN_STRANGE_WAIT_MS = 12 * HOUR;
const OPEN_MARKS: readonly StandingMark[] = ['waits', 'open', 'green'];

export const countChangedLines = (run: Run): number | null => {
  const diff = run.change.commit?.diff;
  return diff ? diff.added + diff.deleted : null;
};
const pathsOf = (run: Run): string[] => (run.change.commit?.diff.files ?? []).map(({ path }) => path);

const medianOf = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

type MarkedRun = { run: Run; mark: StandingMark; since: number };
type OutlierRule = (one: MarkedRun) => OutlierReason[];

const byFiles = (all: readonly MarkedRun[]): OutlierRule => {
  const changed = all.filter(({ run }) => run.change.commit !== null);
  const counts = new Map<string, number>();
  for (const { run } of changed)
    for (const path of new Set(pathsOf(run))) counts.set(path, (counts.get(path) ?? 0) + 1);
  const shareOf = (path: string): number => (counts.get(path) ?? 0) / Math.max(1, changed.length);
  const usual = [...counts.keys()].filter((path) => shareOf(path) >= 1 - MAX_SHARE);
  return ({ run }) => {
    if (!run.change.commit || changed.length < MIN_COMPARED_RUNS || usual.length === 0) return [];
    const own = pathsOf(run);
    const more = own.filter((path) => shareOf(path) <= MAX_SHARE);
    const fewer = usual.filter((path) => !own.includes(path));
    return [
      ...(more.length > 0 ? [{ kind: 'more_files' as const, paths: more }] : []),
      ...(fewer.length > 0 ? [{ kind: 'fewer_files' as const, paths: fewer }] : []),
    ];
  };
};

const bySize = (all: readonly MarkedRun[]): OutlierRule => {
  const sizes = all.flatMap(({ run }) => countChangedLines(run) ?? []);
  const usual = medianOf(sizes);
  return ({ run }) => {
    const lines = countChangedLines(run);
    const isStrange = lines !== null && lines > usual * STRANGE_FACTOR && lines - usual >= MIN_STRANGE_LINES;
    return isStrange && sizes.length >= MIN_COMPARED_RUNS ? [{ kind: 'size', lines, usual }] : [];
  };
};

const byWait = (all: readonly MarkedRun[], now: number): OutlierRule => {
  const open = all.filter(({ mark }) => OPEN_MARKS.includes(mark));
  const usual = medianOf(open.map(({ since }) => now - since));
  return ({ mark, since }) => {
    const ms = now - since;
    const isStrange = OPEN_MARKS.includes(mark) && ms > usual * STRANGE_FACTOR && ms > MIN_STRANGE_WAIT_MS;
    return isStrange && open.length >= MIN_COMPARED_RUNS ? [{ kind: 'waits', ms, usual }] : [];
  };
};

const byChecks: OutlierRule = ({ run }) => {
  const failed = (run.change.evaluation?.checks ?? []).filter(
    ({ outcome }) => outcome === 'failed' || outcome === 'timed_out',
  );
  return failed.length > 0
    ? [{ kind: 'checks', commands: failed.map(({ command, name }) => command || name) }]
    : [];
};
const byMark: OutlierRule = ({ mark }) => (STRANGE_MARKS.includes(mark) ? [{ kind: 'stands', mark }] : []);

export const findOutliers = (all: readonly MarkedRun[], now: number): Map<string, OutlierReason[]> => {
  const found = new Map<string, OutlierReason[]>();
  for (const rule of [byMark, byChecks, byFiles(all), bySize(all), byWait(all, now)]) {
    const said = all.map((one) => ({ id: one.run.id, reasons: rule(one) }));
    const some = said.filter(({ reasons }) => reasons.length > 0);
    const isRule = rule !== byMark && rule !== byChecks && some.length > Math.max(1, all.length * MAX_SHARE);
    if (isRule) continue;
    for (const { id, reasons } of some) found.set(id, [...(found.get(id) ?? []), ...reasons]);
  }
  return new Map([...found].sort(([, a], [, b]) => b.length - a.length));
};
