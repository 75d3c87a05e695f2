/** Transfers a run to another machine (L7). */
import type { RepoRef } from '#ports/workspaces';

export type RunTransfer = {
  /** `heads` are commits that the pack must contain. Equal keys mean equal content. */
  pack(input: {
    runId: string;
    heads: readonly string[];
  }): Promise<{ key: string; content: () => Promise<string> }>;
  /** Replaces the run's directories; the workspace is reset to `sha`, or to the start commit. */
  unpack(input: {
    runId: string;
    repo: RepoRef;
    content: string;
    sha: string | null;
    /** The commit that the change is compared with, if known. */
    base: string | null;
  }): Promise<void>;
  /** Key of the last pack made or unpacked here. */
  mark(runId: string): Promise<string | null>;
  setMark(runId: string, mark: string): Promise<void>;
};

/** Store for large parts; untrusted, so contents are verified by digest. Failures have a retry time. */
export type ObjectBucket = {
  put(name: string, content: string): Promise<void>;
  get(name: string): Promise<string | null>;
  remove(name: string): Promise<void>;
};
