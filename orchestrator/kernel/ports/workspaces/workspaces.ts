/** The port for workspaces and trusted git (E1). */
import type { FailureDetail } from '#model/failure';
import type { Commit, FileChange, Finding, ForeignHead, TreePictures, SuggestedEdit } from '#model/change';
import type { MergedPull } from '#model/order';

export type RepoRef = { name: string; cloneUrl: string };

export type CollectedChange =
  | { kind: 'commit'; commit: Commit; skipped: Finding[] }
  /** `ignored`: some existing files that the repository's ignore rules exclude. */
  | { kind: 'no_changes'; skipped: Finding[]; ignored: string[] }
  /** Unsafe to read: special files, nested repositories that cannot be staged … */
  | { kind: 'unsafe'; findings: Finding[] };

/** Bytes that are not UTF-8 become lone surrogates U+DC80 to U+DCFF. */
export type ChangePatch = {
  /** Unified diff of whole lines, including binary files. */
  text: string;
  /** Bytes beyond the limit. */
  omitted: number;
  /** Messages of all added commits, oldest first. */
  messages: readonly string[];
};

/** `laid`: commit in the workspace, either the merge or a commit with conflict markers. */
export type MergeResult =
  | { kind: 'level'; sha: string }
  | { kind: 'merged'; sha: string; commits: number; commit: Commit }
  /** `says`: git's own words about `paths`. */
  | { kind: 'conflicts'; sha: string; commits: number; laid: string; paths: string[]; says: string };

export type RevertResult =
  | { kind: 'unreachable' | 'unclear' | 'empty' }
  | { kind: 'reverted'; commit: Commit }
  | { kind: 'conflicts'; laid: string; ours: string; theirs: string; paths: string[]; says: string };

/** `patch`: the first part of the diff. */
type ObservedChange = { files: readonly FileChange[]; patch: string };

/** E9: `files` are the paths that `text` names, best first; `tokens` is an estimate of ours. */
export type RepositoryMap = { text: string; tokens: number; files: readonly string[] };

type Authored = { message: string; author: { name: string; email: string }; at: number };

export type PushOutcome =
  | { kind: 'pushed'; branch: string; sha: string }
  /** `closed`: the branch does not accept our pushes. `auth`: our credential is refused. */
  | {
      kind: 'rejected';
      reason: string;
      because: 'stale' | 'name' | 'auth' | 'closed' | 'archived' | 'other';
      detail?: FailureDetail;
    };

/** Changes since a commit (`+ path`, `~ path`, `- path`), and files that no commit can contain. */
export type WorkspaceLeftovers = { files: string[]; unfit: Finding[] };

/** Paths restored from the base commit; `texts` replace files restored in part. */
export type OverlaidPaths = { base: string; paths: string[]; texts: Record<string, string> };

/** E15: `key` covers dependencies of the installation other than the files it reads. */
export type CachedInstall = { key: string; commands: readonly string[] };

export type ExportHistory = { repo: RepoRef; ref: string; base: string };

export type CommitExport = {
  dir: string;
  home: string;
  /** E15: `installed`: all is reused. `fetched`: only downloads in HOME, perhaps incomplete. */
  reused: 'installed' | 'fetched' | null;
  /** Caches the result of `commands`. Only for a base commit, which no agent has touched. */
  keep(input: CachedInstall): Promise<void>;
  /** Puts other texts there, null removes. Only while no process runs there; follows no link. */
  write(files: readonly { path: string; text: string | null }[]): Promise<void>;
  /** True while the commit's files have the commit's bytes. */
  intact(): Promise<boolean>;
  /** Restores tree and HOME before a check. `last`: no further call follows. */
  renew(input: { last: boolean }): Promise<void>;
  /** Interrupted: a later export may reuse the downloads. */
  leave(): void;
  remove(): Promise<void>;
};

/**
 * E1: one mirror per repository, one workspace and trusted git directory per run. Throws
 * OutsideFailure (repository_missing, repository_empty, forge_unavailable, disk_full …).
 */
export type WorkspacePort = {
  /** Recreates workspace and trusted directory at `base` (null: default branch). */
  prepare(input: {
    runId: string;
    repo: RepoRef;
    base: string | null;
    defaultBranch: string;
    signal: AbortSignal;
  }): Promise<{ ref: string; sha: string }>;
  /** Resets the workspace to a fresh checkout; its git knows `base` as well, for comparisons. */
  reset(input: { runId: string; sha: string; base: string; signal?: AbortSignal }): Promise<void>;
  exists(runId: string): Promise<boolean>;
  /** E17: differences from the last known commit. Only after every process of the run is dead. */
  left(input: {
    runId: string;
    base: string;
    sha: string;
    signal?: AbortSignal;
  }): Promise<WorkspaceLeftovers>;
  /** Texts omit binary files and files over 256 KB; `bytes` returns null above `most`. */
  tree(
    runId: string,
    sha: string,
  ): Promise<{
    paths: string[];
    read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
    bytes(path: string, most: number): Promise<Uint8Array | null>;
    links(): Promise<ReadonlyMap<string, string>>;
  }>;
  /** E9: a map of the commit for what a round is about. Throws UnreadableFailure past a reader's limits. */
  map(input: {
    runId: string;
    repo: string;
    sha: string;
    goal: string;
    failing: string;
    tokens: number;
  }): Promise<RepositoryMap>;
  /** Stores an export's pictures for the run under a tree's id; null when there are none. */
  pictures(input: { runId: string; dir: string; folder: string }): Promise<TreePictures | null>;
  /** Only after every process of the run is dead, or with `isAtWork`. Indexes bytes by a no-follow walk. */
  harvest(
    input: {
      runId: string;
      base: string;
      parent: string;
      parents?: readonly string[];
      evenSame?: boolean;
      /** E21: the agent may change files meanwhile; what it takes away is shown as it was before. */
      isAtWork?: boolean;
      message: string | ((change: ObservedChange) => string);
      signal?: AbortSignal;
    } & Omit<Authored, 'message'>,
  ): Promise<CollectedChange>;
  /** Merges the base with `head` into the workspace. Parents: `pushed` (if any) and the base. */
  merge(
    input: {
      runId: string;
      repo: RepoRef;
      ref: string;
      head: string;
      pushed: string | null;
    } & Authored,
  ): Promise<MergeResult>;
  revert(input: { runId: string; base: string; merged: MergedPull } & Authored): Promise<RevertResult>;
  /** Commits replaced lines on top of `parent` without a workspace; null when they do not fit. */
  suggest(
    input: {
      runId: string;
      base: string;
      parent: string;
      edits: readonly SuggestedEdit[];
      message: (change: ObservedChange) => string;
    } & Omit<Authored, 'message'>,
  ): Promise<Commit | null>;
  against(input: {
    runId: string;
    repo: RepoRef;
    ref: string;
    sha: string;
  }): Promise<{ commit: Commit; tip: string }>;
  /** Returns the conflicting files in which the commit still has a marker. */
  unresolved(input: {
    runId: string;
    sha: string;
    ours: string;
    theirs: string;
    paths: readonly string[];
  }): Promise<string[]>;
  /** Compares the remote branch with `ours`; null when it is gone. */
  head(input: {
    runId: string;
    repo: RepoRef;
    branch: string;
    ours: string;
    ref: string;
    baseRepo: RepoRef;
  }): Promise<ForeignHead | null>;
  /** HOME is empty: no agent has touched it. `reuse` needs the same installation inputs. */
  export(input: {
    runId: string;
    sha: string;
    over?: OverlaidPaths;
    reuse?: CachedInstall;
    /** E19: gives its git the history, the tags before `base`, and `origin/<ref>` at `base`. */
    history?: ExportHistory;
    signal?: AbortSignal;
  }): Promise<CommitExport>;
  patch(input: { runId: string; base: string; head: string; limit: number }): Promise<ChangePatch>;
  /** Fetches the base: merge base, digest of all changes since then, and conflicts. */
  compare(input: { runId: string; repo: RepoRef; base: string; head: string }): Promise<{
    tip: string;
    mergeBase: string;
    tree: string;
    diff: string;
    conflicts: boolean;
    author: string;
    /** Fingerprint of the operator's key, if it signed the head. */
    signer?: string;
  }>;
  /** `expect`: the old head, null for "must not exist". A branch already at `sha` is a success. */
  push(input: {
    runId: string;
    repo: RepoRef;
    sha: string;
    branch: string;
    expect: string | null;
  }): Promise<PushOutcome>;
  /** Deletes a remote branch only if it is at `sha`. Throws OutsideFailure when it stays. */
  removeRemote(input: { runId: string; repo: RepoRef; branch: string; sha: string }): Promise<void>;
  remoteHead(input: { runId: string; repo: RepoRef; branch: string }): Promise<string | null>;
  /** Writable directories of the run's contained processes, and one that they may only read. */
  places(runId: string): { workspace: string; home: string; pictures: string };
  clean(runId: string): Promise<void>;
  list(): Promise<string[]>;
};
