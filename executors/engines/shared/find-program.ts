/** Finds an agent's program, and the part of its installation that a box must show. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

export type AgentProgram = {
  /** Absolute and without links, whose directory may be hidden in a box. */
  file: string;
  shown: readonly string[];
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/** npm programs need their packages, Python ones their virtual environment. */
const installationOf = (file: string): string => {
  const packages = '/node_modules/';
  const at = file.indexOf(packages);
  if (at >= 0) return file.slice(0, at + packages.length - 1);
  const above = path.dirname(path.dirname(file));
  return existsSync(path.join(above, 'pyvenv.cfg')) ? above : file;
};

export const findProgram = (command: string, search: string): AgentProgram | null => {
  const candidates = command.includes('/')
    ? [path.resolve(command)]
    : search.split(':').flatMap((directory) => (directory === '' ? [] : [path.join(directory, command)]));
  const found = candidates.find(isExecutable);
  if (found === undefined) return null;
  const file = realpathSync(found);
  return { file, shown: [...new Set([installationOf(file), file])] };
};
