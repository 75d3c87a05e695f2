/** Reads the versioned prompt files in `skills/` (E7). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OutsideFailure } from '#ports/forge';

const FOLDER = fileURLToPath(import.meta.resolve('#skills'));

const numberOf = (version: string): number => Number(version.replace(/^v/, ''));

export const listSkillVersions = (): string[] =>
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => numberOf(a) - numberOf(b));

/** Throws OutsideFailure (env_missing) for an unknown version. */
export const readSkill = (name: string, version: string): string => {
  const file = join(FOLDER, version, `${name}.md`);
  if (!listSkillVersions().includes(version) || !existsSync(file))
    throw new OutsideFailure('env_missing', `there is no prompt version ${version}`);
  return readFileSync(file, 'utf8');
};
