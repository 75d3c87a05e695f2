/** A tree that is a commit but for some paths, which are as another commit has them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Over } from '../../orchestrator/ports.ts';
import type { Git } from '../git/git.ts';
import { storeCopies, writeTree } from './harvest.ts';
import { display } from '../git/names.ts';
import { objectId } from '../git/object-ids.ts';
import { listTree } from '../git/objects.ts';

/** The id of the tree. `scratch` is an empty directory that the caller removes. */
export const treeOver = async (
  git: Git,
  { gitDir, scratch, sha, over }: { gitDir: string; scratch: string; sha: string; over: Over },
): Promise<string> => {
  const tree = new Map(await listTree(git, gitDir, sha));
  const base = await listTree(git, gitDir, over.base);
  const idLength = [...tree.values()][0]?.oid.length ?? 40;
  const wanted = new Set(over.paths);
  for (const path of [...tree.keys()]) if (wanted.has(display(path))) tree.delete(path);
  const copies = join(scratch, 'over');
  await mkdir(copies);
  const texts: { oid: string }[] = [];
  for (const [path, entry] of base) {
    const name = display(path);
    if (!wanted.has(name)) continue;
    const text = over.texts[name];
    if (text === undefined) {
      tree.set(path, entry);
      continue;
    }
    await writeFile(join(copies, String(texts.length)), text);
    const oid = objectId('blob', Buffer.from(text), idLength);
    texts.push({ oid });
    tree.set(path, { ...entry, oid, size: Buffer.byteLength(text) });
  }
  await storeCopies(git, gitDir, copies, texts);
  return writeTree(git, gitDir, join(scratch, 'over-index'), [...tree.values()]);
};
