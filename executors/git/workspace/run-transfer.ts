/** Packs a run for another machine: its objects, and small files of HOME with sessions (L7). */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { failureDetail } from '#model/failure';
import { KB, MB } from '#model/values';
import { failureWithDetail } from '#ports/forge';
import type { RunTransfer } from '#ports/records';
import type { RepoRef } from '#ports/workspaces';
import { makeGitDir, copyShallowFile } from '../git-directory.ts';
import type { TrustedGit } from '../trusted-git.ts';
import { OBJECT_ID } from '../object-ids.ts';
import type { DataLayout } from '../../process/data-layout.ts';
import { removeTree } from '../../process/folder-trees.ts';
import type { ExposedSecrets } from '#sandbox';

/** Downloads can be repeated, so HOME is limited (bytes, files). */
const FILE_LIMIT = 512 * KB;
const HOME_LIMIT = 4 * MB;
const FILES_LIMIT = 500;
const FETCHED: ReadonlySet<string> = new Set(['.cache', '.npm', '.tmp', 'node_modules', '.cargo', 'go']);
const MAX_HOME_DEPTH = 32;
/** Protects the disk from foreign packs (bytes). */
const WHOLE_LIMIT = 256 * MB;

/** Accepts plain files below HOME, except downloads. */
const mayMove = (name: string): boolean => {
  const parts = name.split('/');
  // guard: L7-moved-paths
  const plain = parts.every((part) => !/^\.{0,2}$|\p{Cc}/u.test(part) && part.length <= 255);
  return plain && parts.length <= MAX_HOME_DEPTH && !parts.slice(0, -1).some((part) => FETCHED.has(part));
};

const Packed = z.strictObject({
  ref: z.string().max(1_000),
  sha: z.string().regex(OBJECT_ID),
  objects: z.string(),
  home: z
    .record(z.string().refine(mayMove), z.base64().max((FILE_LIMIT * 4) / 3 + 4))
    .refine((files) => Object.keys(files).length <= FILES_LIMIT)
    .refine((files) => Object.values(files).join('').length <= (HOME_LIMIT * 4) / 3 + 4 * FILES_LIMIT),
});

export const createMachineTransfer = (deps: {
  git: TrustedGit;
  layout: DataLayout;
  fetch: (repo: RepoRef, branch: string) => Promise<string>;
  reset: (runId: string, to: { sha: string; base: string }) => Promise<void>;
  alone: <T>(runId: string, work: () => Promise<T>) => Promise<T>;
  lent: ExposedSecrets | null;
}): RunTransfer => {
  const { git, layout, alone } = deps;
  const markOf = (runId: string): string => join(layout.run(runId).root, 'moved');

  const packRun: RunTransfer['pack'] = async ({ runId, heads }) => {
    const at = layout.run(runId);
    const { ref, sha } = JSON.parse(await readFile(at.ready, 'utf8')) as { ref: string; sha: string };
    const ids = [
      ...new Set([...(await ownObjects(git, at.git)), ...(await listCommitsSince(git, at.git, sha, heads))]),
    ];
    const home = await smallFiles(at.home, deps.lent);
    const key = createHash('sha256')
      .update(JSON.stringify([sha, ids.sort(), home]))
      .digest('hex');
    return {
      key,
      content: async () => {
        const stdin = ids.map((id) => `${id}\n`).join('');
        const made = await git(['pack-objects', '--stdout', '--quiet'], { gitDir: at.git, stdin });
        const whole = { ref, sha, objects: made.stdoutBytes.toString('base64'), home };
        return (await promisify(gzip)(JSON.stringify(whole))).toString('base64');
      },
    };
  };

  const unpackRun: RunTransfer['unpack'] = async ({ runId, repo, content, sha, base }) => {
    const at = layout.run(runId);
    const text = await promisify(gunzip)(Buffer.from(content, 'base64'), { maxOutputLength: WHOLE_LIMIT });
    const read = Packed.safeParse(JSON.parse(text.toString()));
    if (!read.success) throw new Error('what was kept of HOME or of the repository is not as it is packed');
    const packed = read.data;
    await removeTree(at.root);
    for (const dir of [at.workspace, at.home, at.scratch]) await mkdir(dir, { recursive: true });
    const mirror = layout.mirror(repo).git;
    await deps.fetch(repo, packed.ref);
    await makeGitDir(at.git, mirror);
    await copyShallowFile(mirror, at.git);
    const there = await git(['cat-file', '-e', `${packed.sha}^{commit}`], {
      gitDir: at.git,
      answers: [1, 128],
    });
    if (there.exitCode !== 0)
      throw failureWithDetail(
        'repository_missing',
        `The branch "${packed.ref}" has lost the commit that this run started from, so it cannot go on elsewhere`,
        failureDetail({ kind: 'stored_start_lost', branch: packed.ref }),
      );
    await git(['unpack-objects', '-q'], { gitDir: at.git, stdin: Buffer.from(packed.objects, 'base64') });
    for (const [name, bytes] of Object.entries(packed.home)) {
      const file = join(at.home, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(bytes, 'base64'), { mode: 0o600, flag: 'wx' });
    }
    await writeFile(at.ready, JSON.stringify({ ref: packed.ref, sha: packed.sha }));
    await deps.reset(runId, { sha: sha ?? packed.sha, base: base ?? packed.sha });
  };

  return {
    pack: (input) => alone(input.runId, () => packRun(input)),
    unpack: (input) => alone(input.runId, () => unpackRun(input)),
    mark: async (runId) => readFile(markOf(runId), 'utf8').catch(() => null),
    setMark: async (runId, mark) => {
      await writeFile(`${markOf(runId)}.new`, mark);
      await rename(`${markOf(runId)}.new`, markOf(runId));
    },
  };
};

const ownObjects = async (git: TrustedGit, gitDir: string): Promise<string[]> => {
  const objects = join(gitDir, 'objects');
  const ids: string[] = [];
  for (const name of await readdir(objects))
    if (/^[0-9a-f]{2}$/.test(name))
      for (const rest of await readdir(join(objects, name)))
        if (/^[0-9a-f]{38,62}$/.test(rest)) ids.push(`${name}${rest}`);
  for (const name of await readdir(join(objects, 'pack')))
    if (name.endsWith('.idx')) {
      const stdin = await readFile(join(objects, 'pack', name));
      const { stdout } = await git(['show-index'], { gitDir, stdin });
      ids.push(...stdout.split('\n').flatMap((line) => line.split(' ')[1] ?? []));
    }
  return ids;
};

/** The mirror of the other machine lacks commits that others pushed to our branch. */
const listCommitsSince = async (
  git: TrustedGit,
  gitDir: string,
  base: string,
  heads: readonly string[],
): Promise<string[]> => {
  if (heads.length === 0) return [];
  const { stdout } = await git(['rev-list', '--objects', ...heads, '--not', base], { gitDir });
  return stdout.split('\n').flatMap((line) => line.split(' ')[0] || []);
};

/** An agent may have written anything there. */
const smallFiles = async (home: string, lent: ExposedSecrets | null): Promise<Record<string, string>> => {
  const files: Record<string, string> = {};
  let left = HOME_LIMIT;
  const walkHome = async (dir: string): Promise<void> => {
    const found = await readdir(join(home, dir), { withFileTypes: true }).catch(() => []);
    for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = dir === '' ? entry.name : `${dir}/${entry.name}`;
      if (entry.isDirectory() && !FETCHED.has(entry.name)) await walkHome(name);
      if (!entry.isFile() || !mayMove(name) || Object.keys(files).length >= FILES_LIMIT) continue;
      const bytes = await bytesOf(join(home, name), Math.min(left, FILE_LIMIT));
      if (bytes === null || (lent && holdsLent(lent, bytes))) continue;
      left -= bytes.length;
      files[name] = bytes.toString('base64');
    }
  };
  await walkHome('');
  return files;
};

const holdsLent = (lent: ExposedSecrets, bytes: Buffer): boolean => {
  const search = lent.search();
  search.add(bytes);
  return search.end().length > 0;
};

const bytesOf = async (file: string, most: number): Promise<Buffer | null> => {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  if (!handle) return null;
  try {
    const now = await handle.stat();
    return now.isFile() && now.nlink === 1 && now.size <= most ? await handle.readFile() : null;
  } finally {
    await handle.close();
  }
};
