/** E7: the versioned prompt files of `skills/`, one folder for each version. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OutsideFailure } from '../orchestrator/ports.ts';

/** Beside app/ in a checkout; beside dist/ in the installed package. */
const folder = (): string => {
  const above = dirname(import.meta.dirname);
  const beside = join(above, 'skills');
  return existsSync(beside) ? beside : join(above, '..', 'skills');
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
