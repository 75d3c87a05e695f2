/**
 * E11: takes away what a repository would have coding agents load or execute, for as long as an
 * agent runs in it.
 */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * At the top of a repository, where agents look: hooks, plugins, servers, commands and settings.
 * Words (AGENTS.md) execute nothing.
 */
export const REPOSITORY_SETTINGS = [
  ...[
    '.claude',
    '.mcp.json',
    'mcp.json',
    '.opencode',
    'opencode.json',
    'opencode.jsonc',
    '.codex',
    '.gemini',
  ],
  ...['.agents', '.cursor', '.continue', '.roo', '.windsurf'],
  ...['.aider.conf.yml', '.aider.model.settings.yml', '.aider.model.metadata.json'],
] as const;

type Kind = 'nothing' | 'folder' | 'other';
const kindOf = (place: string): Kind => {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  return stats === undefined ? 'nothing' : stats.isDirectory() ? 'folder' : 'other';
};

/**
 * Moves back what is missing; what an agent made in its place stays, and is judged as a change. No
 * link is followed.
 */
const merge = (from: string, to: string): void => {
  const [kept, there] = [kindOf(from), kindOf(to)];
  if (kept === 'nothing') return;
  if (there === 'nothing') renameSync(from, to);
  else if (kept === 'folder' && there === 'folder')
    for (const name of readdirSync(from)) merge(path.join(from, name), path.join(to, name));
};

/** Whether one gets there through folders alone: what lies behind a link is none of ours to move. */
const isReached = (workspace: string, name: string): boolean => {
  const folder = path.dirname(name);
  if (folder === '.') return true;
  // guard: E11-no-link-to-settings
  if (kindOf(path.join(workspace, folder)) !== 'folder') return false;
  return isReached(workspace, folder);
};

/** Those of the names that are there, links that lead nowhere included. */
export const existingNames = (workspace: string, names: readonly string[]): string[] =>
  [...new Set(names)].filter(
    (name) => isReached(workspace, name) && kindOf(path.join(workspace, name)) !== 'nothing',
  );

const asideOf = (workspace: string): string => `${workspace}.aside`;
/** What was set aside stands where it stood. */
export const putBackSettings = (workspace: string): void => {
  const aside = asideOf(workspace);
  if (kindOf(aside) === 'folder')
    for (const name of readdirSync(aside)) merge(path.join(aside, name), path.join(workspace, name));
  rmSync(aside, { recursive: true, force: true });
};

/**
 * Nothing of the run may be alive, before and after. `more` names what one agent obeys besides.
 * Returns how to put everything back. What a crash left aside is put back first, which changes
 * nothing when the workspace was made afresh since.
 */
export const setAside = (workspace: string, more: readonly string[] = []): (() => void) => {
  const aside = asideOf(workspace);
  const putBack = (): void => putBackSettings(workspace);
  putBack();
  const present = existingNames(workspace, [...REPOSITORY_SETTINGS, ...more]);
  if (present.length === 0) return () => {};
  mkdirSync(aside, { mode: 0o700 });
  for (const name of present) {
    mkdirSync(path.dirname(path.join(aside, name)), { mode: 0o700, recursive: true });
    renameSync(path.join(workspace, name), path.join(aside, name));
  }
  return putBack;
};
