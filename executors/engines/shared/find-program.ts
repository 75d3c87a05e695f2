/**
 * Finds an agent's program on this machine, and what of its installation a box must show for it to
 * run.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

export type AgentProgram = {
  /** Absolute, without links: a link's directory may be hidden in a box. */
  file: string;
  shown: readonly string[];
};

const runs = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // Not there, or not for us.
  }
};

/**
 * npm's programs need the packages around them, Python's their virtual environment; others are one
 * file.
 */
const installation = (file: string): string => {
  const packages = '/node_modules/';
  const at = file.indexOf(packages);
  if (at >= 0) return file.slice(0, at + packages.length - 1);
  const above = path.dirname(path.dirname(file));
  return existsSync(path.join(above, 'pyvenv.cfg')) ? above : file;
};

/**
 * `command` is a path, or a name that is looked for in the directories of `search`, separated by
 * colons.
 */
export const findProgram = (command: string, search: string): AgentProgram | null => {
  const candidates = command.includes('/')
    ? [path.resolve(command)]
    : search.split(':').flatMap((directory) => (directory === '' ? [] : [path.join(directory, command)]));
  const found = candidates.find(runs);
  if (found === undefined) return null;
  const file = realpathSync(found);
  return { file, shown: [...new Set([installation(file), file])] };
};
