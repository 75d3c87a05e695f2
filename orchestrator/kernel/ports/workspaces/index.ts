/** Workspaces: clones, commits, pushes, and what is read of them. */
export type { LoggedCall, LoggedStep, ReadableLog, RepositoryReader } from './reader.ts';
export type { NoteFile, RunNotes } from './run-notes.ts';
export type {
  CachedInstall,
  ChangePatch,
  CollectedChange,
  CommitExport,
  ExportHistory,
  MergeResult,
  OverlaidPaths,
  PushOutcome,
  RepoRef,
  RepositoryMap,
  RevertResult,
  WorkspaceLeftovers,
  WorkspacePort,
} from './workspaces.ts';
