/** Facts about a change and its evidence, measured by us and never taken from an agent. */
import { z } from 'zod';
import { DependencyChange } from './dependency-changes.ts';
import { Finding } from './finding-records.ts';

export { Finding };

/** `path` is exact when it is valid UTF-8; invalid bytes appear as `\xNN`. */
export const FileChange = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  linkedNames: z.array(z.string()).exactOptional(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'type_changed']),
  oldMode: z.string(),
  newMode: z.string(),
  added: z.number(),
  deleted: z.number(),
  binary: z.boolean(),
});
export type FileChange = z.infer<typeof FileChange>;

export const DiffFacts = z.object({
  files: z.array(FileChange),
  added: z.number(),
  deleted: z.number(),
  /** SHA-256 of `git diff-tree -r -z --no-renames <base> <head>`. */
  digest: z.string(),
  bytes: z.number(),
  /** Size of the patch file shown to people, with invisible characters written out (bytes; G8). */
  documentBytes: z.number(),
  findings: z.array(Finding),
  /** Absent when the manifests declare the same. */
  dependencies: z.array(DependencyChange).exactOptional(),
  /** Manifests and lockfiles in which only the version of the package itself differs. */
  ownVersions: z.array(z.string()).exactOptional(),
});
export type DiffFacts = z.infer<typeof DiffFacts>;

/** A commit made by us in the trusted directory. */
export const Commit = z.object({
  sha: z.string(),
  tree: z.string(),
  base: z.string(),
  message: z.string(),
  diff: DiffFacts,
});
export type Commit = z.infer<typeof Commit>;
/** `sha` is a commit of the base branch `ref`, `commits` how many came with it. */
export const MergedBase = z.object({ ref: z.string(), sha: z.string(), commits: z.number() });
export type MergedBase = z.infer<typeof MergedBase>;

/** `commit` is all that a pull request with this foreign head would show. */
export const ForeignHead = z.object({
  sha: z.string(),
  author: z.string(),
  subject: z.string(),
  commits: z.number(),
  /** False when it was force-pushed over our commit. */
  containsOurs: z.boolean(),
  diffFromOurs: z.object({ files: z.number(), added: z.number(), deleted: z.number() }),
  /** Present when the head is proven to be our commit with the base merged, and nothing else. */
  mergedBase: MergedBase.exactOptional(),
  commit: Commit,
});
export type ForeignHead = z.infer<typeof ForeignHead>;

/** The base merged with our change (`ownSha`), not pushed yet. */
export type BaseMerge = {
  ref: string;
  sha: string;
  ownSha: string;
  commits: number;
  workspaceSha: string;
  conflicts: string[];
};

/** E17: lost edits. `guard` and `plan`: forbidden edits; `disk`: no room left; `anew`: re-read; `taken_back`: by a person. */
export const DiscardedEdits = z.object({
  why: z.enum(['guard', 'plan', 'disk', 'missing', 'fresh_workspace', 'other_commit', 'taken_back']),
  files: z.array(z.string()),
  more: z.number(),
});
export type DiscardedEdits = z.infer<typeof DiscardedEdits>;

export const SkippedFile = Finding.pick({ path: true, note: true, more: true });
export type SkippedFile = z.infer<typeof SkippedFile>;
