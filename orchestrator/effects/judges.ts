/**
 * E13: what judges a change is not taken from the change unseen: which such files it touches, and
 * the base's version of them.
 */
import { findJudges, type ChangedTexts } from '../core/govern/judges/find.ts';
import { withJudging } from '../core/govern/judges/manifest.ts';
import { pathsOf } from '../core/paths.ts';
import type { Commit } from '../core/facts.ts';
import type { Run } from '../core/machine/run.ts';
import type { Over } from '../ports.ts';
import { need, type EffectParts } from './parts.ts';

/** Scripts that call scripts: how deep, and how many texts at a time. */
const DEPTH = 5;
const MOST_TEXTS = 60;

const changedIn = ({ diff }: Commit): string[] => [...new Set(diff.files.flatMap(pathsOf))];

/** Null when the change touches none. */
export const judgesOf = async (
  { workspaces }: Pick<EffectParts, 'workspaces'>,
  run: Run,
  commands: readonly { command: string; dir: string }[],
): Promise<Over | null> => {
  const commit = need(run.commit, 'commit');
  const changed = changedIn(commit);
  const [before, after] = await Promise.all([
    workspaces.tree(run.id, commit.base),
    workspaces.tree(run.id, commit.sha),
  ]);
  const paths = [...new Set([...before.paths, ...after.paths])];
  const texts = new Map<string, readonly [string | null, string | null]>();
  const links = new Map((await Promise.all([before.links(), after.links()])).flatMap((all) => [...all]));
  const find = () => findJudges({ commands, changed, paths, texts: texts satisfies ChangedTexts, links });
  let found = find();
  for (let depth = 0; depth < DEPTH && found.wants.length > 0; depth += 1) {
    const wanted = found.wants.slice(0, MOST_TEXTS);
    const [old, now] = await Promise.all([before.read(wanted), after.read(wanted)]);
    for (const path of wanted) texts.set(path, [old.get(path) ?? null, now.get(path) ?? null]);
    found = find();
  }
  if (found.files.length === 0) return null;
  const merged = found.files.flatMap((path): [string, string][] => {
    if (!/(?:^|\/)package\.json$/.test(path)) return [];
    const text = withJudging(...(texts.get(path) ?? [null, null]));
    return text === null ? [] : [[path, text]];
  });
  return { base: commit.base, paths: found.files, texts: Object.fromEntries(merged) };
};
