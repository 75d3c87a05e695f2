/** L7: a run goes on on another machine. */
import type { RepoRef } from './workspaces.ts';

export type RunTransfer = {
  /**
   * What another machine needs besides the repository; `heads` are commits that it must have. The
   * same key is the same content.
   */
  pack(input: {
    runId: string;
    heads: readonly string[];
  }): Promise<{ key: string; content: () => Promise<string> }>;
  /**
   * Makes the run's directories of it, in place of what is here; the workspace is put to `sha`, or to
   * where the run started.
   */
  unpack(input: {
    runId: string;
    repo: RepoRef;
    content: string;
    sha: string | null;
    /** What its change is compared with, as far as it is known. */
    base: string | null;
  }): Promise<void>;
  /** What was kept or brought here last; null where nothing was. */
  mark(runId: string): Promise<string | null>;
  setMark(runId: string, mark: string): Promise<void>;
};

/**
 * A store beside the ledger for large parts; failures are outside failures that say when to come back.
 * It may be anybody's: what it gives is believed by its digest alone.
 */
export type ObjectBucket = {
  put(name: string, content: string): Promise<void>;
  /** Null where there is none. */
  get(name: string): Promise<string | null>;
  remove(name: string): Promise<void>;
};
