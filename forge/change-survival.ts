/** Reads how much of a merged change is still on its base branch, and whether it was taken back (O7). */
import { z } from 'zod';
import type { MergedHead } from '#ports/forge';
import type { ChangeSurvival } from '#model/change';
import type { GitHubClient, RepositoryParams } from './github-client.ts';
import { pullNumber } from './github-facts.ts';
import { readMergedPull } from './read-merged-pull.ts';

const Compared = z.object({
  commits: z.array(z.object({ sha: z.string(), commit: z.object({ message: z.string() }) })).default([]),
  files: z
    .array(z.object({ filename: z.string(), status: z.string().nullish(), patch: z.string().nullish() }))
    .nullish(),
});
const Tree = z.object({
  truncated: z.boolean().nullish(),
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string() })),
});
const Blob = z.object({ content: z.string() });

const COMPARE = '/repos/{owner}/{repo}/compare/{basehead}';
const COMMITS_PER_PAGE = 100;
const MAX_COMMIT_PAGES = 5;
const MAX_COMPARED_FILES = 20;
const MAX_REVERTS_READ = 200;

const isTelling = (line: string): boolean => (line.match(/\w/g) ?? []).length >= 4;

const readAddedLines = (patch: string): string[] =>
  patch
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++'))
    .map((line) => line.slice(1).trim())
    .filter(isTelling);

const countKept = (added: readonly string[], text: string): number => {
  const there = new Map<string, number>();
  for (const line of text.split('\n')) there.set(line.trim(), (there.get(line.trim()) ?? 0) + 1);
  return added.filter((line) => {
    const left = there.get(line) ?? 0;
    there.set(line, left - 1);
    return left > 0;
  }).length;
};

type LaterCommit = { sha: string; message: string };
const REVERTED_COMMIT = /\bThis reverts commit ([0-9a-f]{7,64})\b/gi;

const PUTS_BACK = /^(?:reapply|reland|revert "revert)\b/i;

/** Oldest first; a revert that was itself reverted takes nothing back. */
export const isReverted = (
  later: readonly LaterCommit[],
  { commits, pull, repo }: { commits: readonly string[]; pull: number; repo: string },
): boolean => {
  const own = String.raw`(?<![\w./-])(?:${repo.replaceAll('.', String.raw`\.`)})?#${pull}\b`;
  const byNumber = new RegExp(String.raw`^(?:revert|reapply|reland)\b[^\n]*${own}|\breverts? ${own}`, 'i');
  const targets = new Set(commits);
  const takers = new Set<string>();
  const namesAny = (said: string, all: ReadonlySet<string>): boolean =>
    [...all].some((sha) => sha.startsWith(said));
  for (const { sha, message } of later) {
    const said = [...message.slice(0, 20_000).matchAll(REVERTED_COMMIT)]
      .slice(0, MAX_REVERTS_READ)
      .map(([, of = '']) => of.toLowerCase());
    const isByNumber = byNumber.test(message);
    if (said.some((of) => namesAny(of, takers)) || (isByNumber && PUTS_BACK.test(message))) takers.clear();
    else if (said.some((of) => namesAny(of, targets)) || isByNumber) takers.add(sha);
  }
  return takers.size > 0;
};

const laterCommits = async (
  client: GitHubClient,
  at: RepositoryParams,
  basehead: string,
): Promise<LaterCommit[]> => {
  const all: LaterCommit[] = [];
  for (let page = 1; page <= MAX_COMMIT_PAGES; page += 1) {
    const asked = { ...at, basehead, per_page: COMMITS_PER_PAGE, page };
    const { commits } = await client.get(COMPARE, asked, Compared);
    all.push(...commits.map(({ sha, commit }) => ({ sha, message: commit.message })));
    if (commits.length < COMMITS_PER_PAGE) break;
  }
  return all;
};

/** Null while it is not merged, and where GitHub does not list all files. A file that was removed or renamed keeps none of its lines. */
export const readSurvival = async (
  client: GitHubClient,
  at: RepositoryParams,
  { pull, base, head }: MergedHead,
): Promise<ChangeSurvival | null> => {
  const merged = await readMergedPull(client, at, pull);
  if (!merged) return null;
  const change = await client.get(COMPARE, { ...at, basehead: `${base}...${head}`, per_page: 1 }, Compared);
  const later = await laterCommits(client, at, `${merged.commit}...${merged.baseRef}`);
  const tree = await client.get(
    '/repos/{owner}/{repo}/git/trees/{tree_sha}',
    { ...at, tree_sha: merged.baseRef, recursive: '1' },
    Tree,
  );
  const changed = (change.files ?? []).slice(0, MAX_COMPARED_FILES);
  const blobs = new Map(tree.tree.filter(({ type }) => type === 'blob').map(({ path, sha }) => [path, sha]));
  // guard: O7-whole-tree
  if (tree.truncated === true && changed.some(({ filename }) => !blobs.has(filename))) return null;
  const counts = await Promise.all(
    changed.map(async ({ filename, patch }) => {
      const added = readAddedLines(patch ?? '');
      const sha = blobs.get(filename);
      if (added.length === 0 || sha === undefined) return { added: added.length, kept: 0 };
      const { content } = await client.get(
        '/repos/{owner}/{repo}/git/blobs/{file_sha}',
        { ...at, file_sha: sha },
        Blob,
      );
      return {
        added: added.length,
        kept: countKept(added, Buffer.from(content, 'base64').toString('utf8')),
      };
    }),
  );
  return {
    reverted: isReverted(later, {
      commits: [merged.commit, head],
      pull: pullNumber(pull),
      repo: `${at.owner}/${at.repo}`,
    }),
    added: counts.reduce((sum, { added }) => sum + added, 0),
    remaining: counts.reduce((sum, { kept }) => sum + kept, 0),
  };
};
