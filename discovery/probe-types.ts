/** Types of what probes find: commands with their folder and source. */
import type { CheckNeed, CiVersions } from '#model/environment';
import type { ContractTool, PathFilter } from '#model/contract';

export const CHECK_KINDS = ['lint', 'format', 'types', 'test', 'build'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

export type FoundCommand = {
  kind: CheckKind | 'install';
  ecosystem: string;
  command: string;
  dir: string;
  source: string;
  before?: string[];
  needs?: CheckNeed[];
  ciVersions?: readonly CiVersions[];
  filters?: readonly PathFilter[];
  variables?: Readonly<Record<string, string>>;
};

/** One folder with a manifest. Paths are relative to it. */
export type ProjectFolder = {
  dir: string;
  has: (path: string) => boolean;
  read: (path: string) => string | null;
  paths: readonly string[];
};

export type ProbeResult = {
  ecosystem: string;
  packageManager: string | null;
  found: Omit<FoundCommand, 'dir' | 'ecosystem'>[];
  tools?: ContractTool[];
};
export type ProjectProbe = (project: ProjectFolder) => ProbeResult | null;

/** Returns `file:line`, or the file alone when it is not found. */
export const sourceLocation = (file: string, text: string | null, what: string | RegExp): string => {
  if (text === null) return file;
  const index = typeof what === 'string' ? text.indexOf(what) : text.search(what);
  return index < 0 ? file : `${file}:${text.slice(0, index).split('\n').length}`;
};

/** Shell metacharacters are no part of a plain name. */
export const isPlainName = (name: string): boolean => /^[\w@:./+-]+$/.test(name);
