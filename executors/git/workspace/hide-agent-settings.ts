/** Hides files of a repository that make coding agents load or run something (E11). */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_SETTINGS } from '#model/settings';

type Kind = 'nothing' | 'folder' | 'other';
const kindOf = (place: string): Kind => {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  return stats === undefined ? 'nothing' : stats.isDirectory() ? 'folder' : 'other';
};

/** Keeps files that an agent made instead; they count as changes. */
const mergeFolder = (from: string, to: string): void => {
  const [kept, there] = [kindOf(from), kindOf(to)];
  if (kept === 'nothing') return;
  if (there === 'nothing') renameSync(from, to);
  else if (kept === 'folder' && there === 'folder')
    for (const name of readdirSync(from)) mergeFolder(path.join(from, name), path.join(to, name));
};

/** Content behind a link must not be moved. */
const isReached = (workspace: string, name: string): boolean => {
  const folder = path.dirname(name);
  if (folder === '.') return true;
  // guard: E11-no-link-to-settings
  if (kindOf(path.join(workspace, folder)) !== 'folder') return false;
  return isReached(workspace, folder);
};

export const selectExistingNames = (workspace: string, names: readonly string[]): string[] =>
  [...new Set(names)].filter(
    (name) => isReached(workspace, name) && kindOf(path.join(workspace, name)) !== 'nothing',
  );

const asideOf = (workspace: string): string => `${workspace}.aside`;
export const restoreAgentSettings = (workspace: string): void => {
  const aside = asideOf(workspace);
  if (kindOf(aside) === 'folder')
    for (const name of readdirSync(aside)) mergeFolder(path.join(aside, name), path.join(workspace, name));
  rmSync(aside, { recursive: true, force: true });
};

/** No process of the run may be alive before or after. Returns the function that restores. */
export const hideAgentSettings = (workspace: string, more: readonly string[] = []): (() => void) => {
  const aside = asideOf(workspace);
  const putBack = (): void => restoreAgentSettings(workspace);
  putBack();
  const present = selectExistingNames(workspace, [...REPOSITORY_SETTINGS, ...more]);
  if (present.length === 0) return () => {};
  mkdirSync(aside, { mode: 0o700 });
  for (const name of present) {
    mkdirSync(path.dirname(path.join(aside, name)), { mode: 0o700, recursive: true });
    renameSync(path.join(workspace, name), path.join(aside, name));
  }
  return putBack;
};
