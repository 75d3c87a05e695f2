/** O4: figures of runs as they were folded last. They can be made again from the log at any time. */

/** `seq` is the newest event that they are made of; `body` is JSON, empty where a log has none. */
export type StoredFigures = { runId: string; seq: number; createdAt: number; body: string };

/** Events in the order in which they were numbered; `kept` is the `seq` of its run's figures. */
export type MovedRun = { event: number; runId: string; seq: number; kept: number | null };

export type FigureScripts = {
  /** `upto` is the event that was looked at last; `version` is that of the folding. */
  keep(rows: readonly StoredFigures[], upto: number, version: number): Promise<void>;
};

export type FigureQueries = {
  /** Of runs that were ordered since then (epoch ms). */
  figures(since: number, version: number): Promise<StoredFigures[]>;
  /** The event that was looked at last; 0 before any was. */
  figuresUpto(version: number): Promise<number>;
  moved(filter: { after: number; limit: number; version: number }): Promise<MovedRun[]>;
};
