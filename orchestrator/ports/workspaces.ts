/** Workspaces and trusted git (E1). */
import type { Commit, FileChange, Finding, ForeignHead } from '../core/change-facts.ts';
import type { HostRefusal } from '../core/host-refusal.ts';
import type { TreePictures } from '../core/change-pictures.ts';
import type { SuggestedEdit } from '../core/suggested-edits.ts';

/** A repository by its name at the code host, and where git finds it. */
export type RepoRef = { name: string; cloneUrl: string };

export type CollectedChange =
  | { kind: 'commit'; commit: Commit; skipped: Finding[] }
  /** `ignored` are files that are there and that the repository's rules leave out, a few of them. */
  | { kind: 'no_changes'; skipped: Finding[]; ignored: string[] }
  /**
   * What the agent left cannot be read safely (special files, nested repositories that cannot be
   * staged …).
   */
  | { kind: 'unsafe'; findings: Finding[] };

/**
 * What a change publishes, for people to read. Bytes that are no UTF-8 are the lone surrogates
 * U+DC80 to U+DCFF.
 */
export type ChangePatch = {
  /** A unified diff of whole lines; binary files are in it like all others. */
  text: string;
  /** Bytes beyond the limit. */
  omitted: number;
  /** Of every commit that it adds, oldest first. */
  messages: readonly string[];
};

/**
 * `laid` is the commit that the workspace was filled from: the merge itself, or one with conflict
 * markers in its files.
 */
export type MergeResult =
  | { kind: 'level'; sha: string }
  | { kind: 'merged'; sha: string; commits: number; commit: Commit }
  /** `says` are git's own words about `paths`. */
  | { kind: 'conflicts'; sha: string; commits: number; laid: string; paths: string[]; says: string };

/** Of the diff, the first part as text. */
export type ObservedChange = { files: readonly FileChange[]; patch: string };

type Authored = { message: string; author: { name: string; email: string }; at: number };

export type PushOutcome =
  | { kind: 'pushed'; branch: string; sha: string }
  /** `closed`: it lets everybody else in, or nobody any more; `auth`: our credential is refused. */
  | {
      kind: 'rejected';
      reason: string;
      because: 'stale' | 'name' | 'auth' | 'closed' | 'archived' | 'other';
      /** What that means, where the code host says more. */
      refusal?: HostRefusal;
    };

/**
 * What an agent left in the workspace since a commit: `+ path`, `~ path`, `- path`; and what no
 * commit can take of it.
 */
export type WorkspaceLeftovers = { files: string[]; unfit: Finding[] };

/**
 * Paths that are as the base commit has them: not there when it has none; `texts` stand for what is
 * only in part as there.
 */
export type OverlaidPaths = { base: string; paths: string[]; texts: Record<string, string> };

/**
 * E15: an installation of these commands; `key` is of whatever else it depends on besides the files
 * that it reads.
 */
export type CachedInstall = { key: string; commands: readonly string[] };

export type CommitExport = {
  dir: string;
  home: string;
  /**
   * E15: what of an earlier installation is in it: all that it made, so that nothing need be
   * installed; or only what it had fetched, in HOME, also where it was cut off.
   */
  reused: 'installed' | 'fetched' | null;
  /**
   * Keeps what `commands` have just made here, under a name. Only for a base: no agent has touched
   * it.
   */
  keep(input: CachedInstall): Promise<void>;
  /** Whether the commit's files still have the commit's bytes. */
  intact(): Promise<boolean>;
  /**
   * Before every check: tree and HOME are again what they were at the first call, with what an
   * installation has added to them and the commit's files as they are in the commit. `last`: nobody
   * will ask again.
   */
  renew(input: { last: boolean }): Promise<void>;
  /** It was cut off: the next export that may reuse something takes over what it had fetched. */
  leave(): void;
  remove(): Promise<void>;
};

/**
 * E1: a mirror per repository, a workspace and a trusted git directory per run. Every path is below
 * the data directory. All methods throw OutsideFailure for the outside world (repository_missing,
 * repository_empty, forge_unavailable, disk_full …).
 */
export type WorkspacePort = {
  /**
   * Fetches the mirror and makes workspace and trusted directory afresh at the head of `base`
   * (null: default branch).
   */
  prepare(input: {
    runId: string;
    repo: RepoRef;
    base: string | null;
    defaultBranch: string;
    signal: AbortSignal;
  }): Promise<{ ref: string; sha: string }>;
  /**
   * Puts the workspace back to a commit, as a fresh checkout. Its own git knows `base` as well, so
   * that whoever works there can compare with it.
   */
  reset(input: { runId: string; sha: string; base: string; signal?: AbortSignal }): Promise<void>;
  exists(runId: string): Promise<boolean>;
  /**
   * E17: what differs from the commit that the workspace was last known to be. Every process of the
   * run is dead. What a crash left set aside is put back first.
   */
  left(input: {
    runId: string;
    base: string;
    sha: string;
    signal?: AbortSignal;
  }): Promise<WorkspaceLeftovers>;
  /**
   * Files of a commit: paths, and the content of some as text (not of what is missing, binary or
   * over 256 KB). `bytes` are those of one file, null where there is none of at most `most`.
   */
  tree(
    runId: string,
    sha: string,
  ): Promise<{
    paths: string[];
    read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
    bytes(path: string, most: number): Promise<Uint8Array | null>;
    /** Symbolic links by their paths, and where in the repository each leads. */
    links(): Promise<ReadonlyMap<string, string>>;
  }>;
  /**
   * Pictures in a folder of an export, kept for the run under the id of a tree; null when there are
   * none.
   */
  pictures(input: { runId: string; dir: string; folder: string }): Promise<TreePictures | null>;
  /**
   * After every process of the run is dead: index from bytes by a no-follow walk, commit in the
   * trusted directory on `parent`.
   */
  harvest(
    input: {
      runId: string;
      base: string;
      /** What is tracked, and, unless `parents` says otherwise, what the commit goes on top of. */
      parent: string;
      parents?: readonly string[];
      /** Whether a tree that is the same as the parent's is a commit all the same. */
      evenSame?: boolean;
      /** Words that depend on what the commit changes against `parent`. */
      message: string | ((change: ObservedChange) => string);
      signal?: AbortSignal;
    } & Omit<Authored, 'message'>,
  ): Promise<CollectedChange>;
  /**
   * Fetches the base branch afresh, merges it with `head`, and fills the workspace with what came
   * of it. A commit goes on top of `pushed` and the base; before anything was pushed, on top of the
   * base alone.
   */
  merge(
    input: {
      runId: string;
      repo: RepoRef;
      ref: string;
      head: string;
      pushed: string | null;
    } & Authored,
  ): Promise<MergeResult>;
  /**
   * A commit on top of `parent` with these lines in place of others; no workspace is touched. Null
   * where they do not fit.
   */
  suggest(
    input: {
      runId: string;
      base: string;
      parent: string;
      edits: readonly SuggestedEdit[];
      message: (change: ObservedChange) => string;
    } & Omit<Authored, 'message'>,
  ): Promise<Commit | null>;
  /** Fetches a base branch afresh (`tip`), and what a commit of ours changes against it. */
  against(input: {
    runId: string;
    repo: RepoRef;
    ref: string;
    sha: string;
  }): Promise<{ commit: Commit; tip: string }>;
  /** Of files that conflicted: those in which the commit still has a marker. */
  unresolved(input: {
    runId: string;
    sha: string;
    ours: string;
    theirs: string;
    paths: readonly string[];
  }): Promise<string[]>;
  /** What a branch of the code host holds now, compared with `ours`; null when it is gone. */
  head(input: {
    runId: string;
    repo: RepoRef;
    branch: string;
    ours: string;
    /** The branch that it goes into, and whose that is. */
    ref: string;
    baseRepo: RepoRef;
  }): Promise<ForeignHead | null>;
  /**
   * A fresh export of exactly the commit's tree, with an empty HOME beside it that no agent has
   * written to. With `over`, some paths are as another commit has them. `reuse` names what was
   * kept, which counts only where all that an installation reads is the same.
   */
  export(input: {
    runId: string;
    sha: string;
    over?: OverlaidPaths;
    reuse?: CachedInstall;
    signal?: AbortSignal;
  }): Promise<CommitExport>;
  /** At most `limit` bytes of the diff. */
  patch(input: { runId: string; base: string; head: string; limit: number }): Promise<ChangePatch>;
  /**
   * Fetches the base branch afresh and compares: where the change starts from, the digest of all it
   * changes since then, and whether it conflicts with today's base.
   */
  compare(input: { runId: string; repo: RepoRef; base: string; head: string }): Promise<{
    /** Today's head of the base branch. */
    tip: string;
    mergeBase: string;
    tree: string;
    diff: string;
    conflicts: boolean;
    author: string;
    /** The fingerprint of the operator's key, where it signed the head. */
    signer?: string;
  }>;
  /**
   * `expect` is the remote branch's old head, null for "must not exist". A branch that is already
   * at `sha` is a success.
   */
  push(input: {
    runId: string;
    repo: RepoRef;
    sha: string;
    branch: string;
    expect: string | null;
  }): Promise<PushOutcome>;
  /**
   * Removes a remote branch that is at `sha`; one that is elsewhere, or gone, is left alone. Throws
   * an OutsideFailure when it stays.
   */
  removeRemote(input: { runId: string; repo: RepoRef; branch: string; sha: string }): Promise<void>;
  /** Head of a remote branch, null when absent. */
  remoteHead(input: { runId: string; repo: RepoRef; branch: string }): Promise<string | null>;
  /** Directories a contained process of this run may write to. */
  places(runId: string): { workspace: string; home: string };
  clean(runId: string): Promise<void>;
  /** Run ids that have a workspace on disk. */
  list(): Promise<string[]>;
};
