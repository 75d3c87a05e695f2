/** What probes find: commands of a repository with where they run and where they are written. */
import type { ContractTool } from '../orchestrator/core/contract.ts';

export const CHECK_KINDS = ['lint', 'format', 'types', 'test', 'build'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** A command of the repository. */
export type FoundCommand = {
  kind: CheckKind | 'install';
  ecosystem: string;
  command: string;
  dir: string;
  /** `file:line`, or a file. */
  source: string;
  /** What must run before it in the same shell and folder. */
  before?: string[];
};

/** One folder with a manifest. Paths are relative to it. */
export type ProjectFolder = {
  dir: string;
  has: (path: string) => boolean;
  /** Null when it is missing, too large or no text. */
  read: (path: string) => string | null;
  /** All files below it, bounded. */
  paths: readonly string[];
};

export type ProbeResult = {
  ecosystem: string;
  packageManager: string | null;
  found: Omit<FoundCommand, 'dir' | 'ecosystem'>[];
  /** Their sources are relative to the folder. */
  tools?: ContractTool[];
};
/** Null when the folder is not of its kind. */
export type ProjectProbe = (project: ProjectFolder) => ProbeResult | null;

/** Where in a text something stands: `file:line`, or the file alone. */
export const sourceLocation = (file: string, text: string | null, what: string | RegExp): string => {
  if (text === null) return file;
  const index = typeof what === 'string' ? text.indexOf(what) : text.search(what);
  return index < 0 ? file : `${file}:${text.slice(0, index).split('\n').length}`;
};

/**
 * Of a line, as it stands, which is taken apart nowhere: words that a shell would do something with
 * are no names.
 */
export const plainName = (name: string): boolean => /^[\w@:./+-]+$/.test(name);
