/** Reads files of the owner's `.github` repository. */
import { z } from 'zod';
import { fallBackWhenHidden, type GitHubClient, type RepositoryParams } from './github-client.ts';

/** GitHub, "Get a tree": `HEAD` is the default branch; `sha` is the blob's. */
const Tree = z.object({
  tree: z.array(
    z.object({ path: z.string(), type: z.string(), sha: z.string(), size: z.number().optional() }),
  ),
});
const Blob = z.object({ content: z.string(), encoding: z.string() });
const LARGEST_FILE = 256 * 1024;
const MAX_OWNER_FILES = 4;

export const readFiles = async (
  client: GitHubClient,
  at: RepositoryParams,
  paths: readonly string[],
): Promise<{ path: string; text: string }[]> => {
  const tree = client.get(
    '/repos/{owner}/{repo}/git/trees/{tree_sha}',
    { ...at, tree_sha: 'HEAD', recursive: '1' },
    Tree,
  );
  const listed = (await fallBackWhenHidden(tree, { tree: [] })).tree;
  const found = paths.flatMap(
    (path) => listed.find((f) => f.path === path && f.type === 'blob' && (f.size ?? 0) <= LARGEST_FILE) ?? [],
  );
  return Promise.all(
    found.slice(0, MAX_OWNER_FILES).map(async ({ path, sha }) => {
      const { content } = await client.get(
        '/repos/{owner}/{repo}/git/blobs/{file_sha}',
        { ...at, file_sha: sha },
        Blob,
      );
      return { path, text: Buffer.from(content, 'base64').toString('utf8') };
    }),
  );
};
