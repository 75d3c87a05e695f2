/** Asks git which new paths are ignored, by the rules of the base commit. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TrustedGit } from '../trusted-git.ts';
import { rawBytes, type RawPath } from '../path-names.ts';
import { readBlobs, type GitTree, type TreeEntry } from '../read-objects.ts';
import type { ReadIgnoredPaths } from './walk-workspace.ts';
import { MB, MINUTE } from '../../../orchestrator/model/units.ts';

/** Repositories often forget to ignore these. */
const MADE_BY_TOOLS =
  /(^|\/)(node_modules|\.venv|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox)$/;
const MAX_RULES_BYTES = MB;
/** Hostile patterns can take forever (ms). */
const LIMIT_MS = MINUTE;

const isRules = (e: TreeEntry): boolean =>
  /(^|\/)\.gitignore$/.test(e.path) && e.mode.startsWith('100') && (e.size ?? 0) <= MAX_RULES_BYTES;

export const createIgnores = async (
  git: TrustedGit,
  gitDir: string,
  base: GitTree,
  scratch: string,
  limitMs = LIMIT_MS,
): Promise<ReadIgnoredPaths> => {
  const rules = [...base.values()].filter(isRules);
  const contents = await readBlobs(
    git,
    gitDir,
    rules.map(({ oid }) => oid),
  );
  const place = (path: RawPath): Buffer => Buffer.concat([Buffer.from(`${scratch}/`), rawBytes(path)]);
  for (const { path, oid } of rules) {
    if (path.includes('/')) await mkdir(place(dirname(path)), { recursive: true });
    await writeFile(place(path), contents.get(oid) ?? '');
  }
  return async (paths) => {
    const ignored = new Set(paths.filter((p) => p.folder && MADE_BY_TOOLS.test(p.path)).map((p) => p.path));
    const open = paths.filter((p) => !ignored.has(p.path));
    if (rules.length === 0 || open.length === 0) return ignored;
    // Rules such as `build/` match only existing folders.
    for (const { path, folder } of open) if (folder) await mkdir(place(path), { recursive: true });
    const end = await git(['check-ignore', '-z', '--stdin', '--no-index'], {
      gitDir,
      workTree: scratch,
      env: { GIT_LITERAL_PATHSPECS: '0' },
      stdin: Buffer.concat(open.map(({ path }) => rawBytes(`./${path}\0`))),
      answers: [1],
      timeoutMs: limitMs,
      slow: 'Simplify the rules in the .gitignore files of the repository: patterns with many asterisks take that long.',
    });
    for (const path of end.stdoutBytes.toString('latin1').split('\0'))
      if (path !== '') ignored.add(path.slice(2));
    return ignored;
  };
};
