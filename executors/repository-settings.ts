/** E11: takes away what a repository would have coding agents load or execute, for as long as an agent runs in it. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** At the top of a repository, where agents look: hooks, plugins, servers, commands and settings. Words (AGENTS.md) execute nothing. */
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
  ...['.cursor', '.continue', '.roo', '.windsurf', '.aider.conf.yml', '.aider.model.settings.yml'],
] as const;

type Kind = 'nothing' | 'folder' | 'other';
const kindOf = (place: string): Kind => {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  return stats === undefined ? 'nothing' : stats.isDirectory() ? 'folder' : 'other';
};

/** Moves back what is missing; what an agent made in its place stays, and is judged as a change. No link is followed. */
const merge = (from: string, to: string): void => {
  const [kept, there] = [kindOf(from), kindOf(to)];
  if (kept === 'nothing') return;
  if (there === 'nothing') renameSync(from, to);
  else if (kept === 'folder' && there === 'folder')
    for (const name of readdirSync(from)) merge(path.join(from, name), path.join(to, name));
};

/**
 * Nothing of the run may be alive, before and after. Returns how to put everything back. What a crash left aside is put
 * back first, which changes nothing when the workspace was made afresh since.
 */
export const setAside = (workspace: string): (() => void) => {
  const aside = `${workspace}.aside`;
  const putBack = (): void => {
    for (const name of REPOSITORY_SETTINGS) merge(path.join(aside, name), path.join(workspace, name));
    rmSync(aside, { recursive: true, force: true });
  };
  putBack();
  const present = REPOSITORY_SETTINGS.filter((name) => kindOf(path.join(workspace, name)) !== 'nothing');
  if (present.length === 0) return () => {};
  mkdirSync(aside, { mode: 0o700 });
  for (const name of present) renameSync(path.join(workspace, name), path.join(aside, name));
  return putBack;
};
