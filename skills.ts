/** E7: the versioned prompt files of `skills/`, one folder for each version. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OutsideFailure } from './orchestrator/ports.ts';

/** Beside this file in a checkout; beside dist/ in the installed package. */
const folder = (): string => {
  const here = dirname(fileURLToPath(import.meta.url));
  const beside = join(here, 'skills');
  return existsSync(beside) ? beside : join(here, '..', 'skills');
};

/** What `prompt_version` may name. */
export const skillVersions = (): string[] =>
  readdirSync(folder(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** Throws OutsideFailure (env_missing) when there is no such version. */
export const readSkill = (name: string, version: string): string => {
  const file = join(folder(), version, `${name}.md`);
  if (!skillVersions().includes(version) || !existsSync(file))
    throw new OutsideFailure('env_missing', `there is no prompt version ${version}`);
  return readFileSync(file, 'utf8');
};
