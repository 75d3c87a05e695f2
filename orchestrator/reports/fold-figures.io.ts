/** Keeps cached figures in step with the logs; a changed run is recomputed as a whole (O4). */
import { FIGURES_VERSION, figuresOf, RunFigures } from './run-figures.ts';
import { previousPeriodStart, reportOf, type PeriodReport } from './period-report.ts';
import { RecordedEvent } from '../kernel/effects/recorded-step.ts';
import { reportStart, type ReportScope } from '#model/reports';
import type { EventRow, Ledger, LedgerQueries, StoredFigures } from '#ports/ledger';

const MAX_EVENTS_PER_PASS = 500;
/** Concurrent writers may commit events out of order, so this many are read again. */
const EVENT_OVERLAP = 100;
/** Rows per read; other work runs in between. */
const ROWS_PER_SLICE = 200;

type FigureReading = {
  query: Pick<LedgerQueries, 'figures' | 'figuresUpto' | 'moved' | 'events'>;
  /** Absent when the ledger must not be written. */
  books?: Ledger['figures'];
};
export type FigureRecords = {
  /** `rest` is called after each run; in the background it leaves the processor to others. */
  refresh(until?: () => boolean, rest?: () => Promise<void>): Promise<boolean>;
  /** Runs ordered since then (epoch ms), as of the last refresh. */
  since(at: number): Promise<RunFigures[]>;
};

const foldRunEvents = (runId: string, events: readonly EventRow[]): StoredFigures => {
  const steps = events.map(({ body }) => RecordedEvent.safeParse(JSON.parse(body)));
  const [first, last] = [events.at(0), events.at(-1)];
  // Unreadable logs are reported by replay.
  const figures = steps.every((step) => step.success) ? figuresOf(steps.map((step) => step.data)) : null;
  const body = figures ? JSON.stringify(figures) : '';
  return { runId, seq: last?.seq ?? 0, createdAt: first?.at ?? 0, body };
};

const yieldOnce = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const createFigures = ({ query, books }: FigureReading): FigureRecords => {
  let cursor: number | null = null;
  const own = new Map<string, StoredFigures>();
  const seqOf = (runId: string, kept: number | null): number => Math.max(kept ?? 0, own.get(runId)?.seq ?? 0);

  /** Reports that wait for the fold: nothing rests meanwhile. */
  let reportsWaiting = 0;

  const foldPage = async (
    after: number,
    rest: () => Promise<void>,
  ): Promise<{ last: number; more: boolean }> => {
    const moved = await query.moved({ after, limit: MAX_EVENTS_PER_PASS, version: FIGURES_VERSION });
    const last = moved.at(-1)?.event ?? after;
    const behind = new Set(moved.filter((m) => seqOf(m.runId, m.kept) < m.seq).map(({ runId }) => runId));
    const rows: StoredFigures[] = [];
    for (const runId of behind) {
      const row = foldRunEvents(runId, await query.events(runId));
      rows.push(row);
      if (!books) own.set(runId, row);
      await (reportsWaiting > 0 ? yieldOnce() : rest());
    }
    if (books && rows.length > 0) await books.keep(rows, last, FIGURES_VERSION);
    return { last, more: moved.length === MAX_EVENTS_PER_PASS };
  };

  const refreshFigures = async (until: () => boolean, rest: () => Promise<void>): Promise<boolean> => {
    cursor ??= await query.figuresUpto(FIGURES_VERSION);
    let next = { last: Math.max(0, cursor - EVENT_OVERLAP), more: true };
    while (next.more) {
      if (until()) return false;
      next = await foldPage(next.last, rest);
      cursor = Math.max(cursor, next.last);
    }
    return true;
  };
  /** Serialised, to avoid double work. */
  let current: Promise<unknown> = Promise.resolve();

  return {
    async refresh(until = () => false, rest) {
      const next = current.then(() => refreshFigures(until, rest ?? yieldOnce));
      current = next.catch(() => undefined);
      if (rest) return next;
      reportsWaiting += 1;
      return next.finally(() => (reportsWaiting -= 1));
    },
    async since(at) {
      const rows = new Map((await query.figures(at, FIGURES_VERSION)).map((row) => [row.runId, row]));
      for (const [runId, row] of own) if (row.createdAt >= at) rows.set(runId, row);
      const found: RunFigures[] = [];
      for (const [i, { body }] of [...rows.values()].entries()) {
        const figures = body === '' ? null : RunFigures.safeParse(JSON.parse(body)).data;
        if (figures) found.push(figures);
        if (i % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldOnce();
      }
      return found;
    },
  };
};

export type ReportNow = {
  report: PeriodReport;
  late: boolean;
};
/** Stops counting when `until` returns true. */
export const readCurrentReport = async (
  figures: FigureRecords,
  { days, by }: ReportScope,
  now: number,
  until?: () => boolean,
): Promise<ReportNow> => {
  const whole = await figures.refresh(until);
  const since = reportStart(days, now);
  const runs = await figures.since(previousPeriodStart(since, now));
  return { report: reportOf(runs, { since, until: now, by }), late: !whole };
};
