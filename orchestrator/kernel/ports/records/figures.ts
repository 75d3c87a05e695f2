/** Cached figures of runs; they can be rebuilt from the log at any time (O4). */

/** `seq`: newest event included. `body`: JSON, empty when the run has no log. */
export type StoredFigures = { runId: string; seq: number; createdAt: number; body: string };

/** Sorted by event number; `kept` is the `seq` of the run's stored figures. */
type MovedRun = { event: number; runId: string; seq: number; kept: number | null };

export type FigureScripts = {
  /** `upto`: last event processed. `version`: version of the folding code. */
  keep(rows: readonly StoredFigures[], upto: number, version: number): Promise<void>;
};

export type FigureQueries = {
  /** Figures of runs ordered since then (epoch ms). */
  figures(since: number, version: number): Promise<StoredFigures[]>;
  figuresUpto(version: number): Promise<number>;
  moved(filter: { after: number; limit: number; version: number }): Promise<MovedRun[]>;
};
