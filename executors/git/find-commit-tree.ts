/** Finds the tree of a commit in a repository of the reader's, whatever its configuration says. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireSha } from './object-ids.ts';
import { createGit, trimOutput } from './trusted-git.ts';

const NOT_THERE = 1;

/** Null where the repository has no such commit; throws where there is no repository. */
export const findCommitTree = async (dir: string, commit: string): Promise<string | null> => {
  const inside = join(dir, '.git');
  const where = existsSync(inside) ? { gitDir: inside, workTree: dir } : { gitDir: dir };
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${requireSha(commit)}^{tree}`];
  const end = await createGit('https')(asked, { ...where, answers: [NOT_THERE] });
  return end.exitCode === NOT_THERE ? null : trimOutput(end);
};
