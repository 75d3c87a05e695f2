/** JSON of commits, branches, trees and files, as GitHub's REST API shows it. */
import { nodeId } from './format.ts';
import type { PushedCommit } from './git-log.ts';
import type { Repo } from './state.ts';

export function createShowGit({ api, page }: { api: (repo: Repo) => string; page: (repo: Repo) => string }) {
  return {
    tree: (repo: Repo, sha: string, lines: readonly string[]) => ({
      sha,
      url: `${api(repo)}/git/trees/${sha}`,
      truncated: false,
      tree: lines.map((line) => {
        const [, mode = '', type = '', id = '', size = '', path = ''] =
          /^(\d+) (\w+) (\w+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
        const url = `${api(repo)}/git/${type}s/${id}`;
        return { path, mode, type, sha: id, url, ...(size !== '-' && { size: Number(size) }) };
      }),
    }),
    blob: (repo: Repo, sha: string, text: string) => ({
      sha,
      node_id: nodeId('Blob', 0),
      url: `${api(repo)}/git/blobs/${sha}`,
      encoding: 'base64',
      size: Buffer.byteLength(text),
      content: Buffer.from(text).toString('base64'),
    }),
    compare: (repo: Repo, before: string, after: string): string =>
      `${page(repo)}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    pushedCommit: (repo: Repo, one: PushedCommit) => ({
      id: one.sha,
      tree_id: one.tree,
      distinct: true,
      message: one.message,
      timestamp: one.at,
      url: `${page(repo)}/commit/${one.sha}`,
      author: one.author,
      committer: one.committer,
      added: one.added,
      removed: one.removed,
      modified: one.modified,
    }),
    branch: (repo: Repo, name: string, { sha, message, author, at, tree }: PushedCommit) => {
      const url = `${api(repo)}/commits/${sha}`;
      const by = { ...author, date: at };
      return {
        name,
        protection_url: `${api(repo)}/branches/${name}/protection`,
        _links: { self: `${api(repo)}/branches/${name}`, html: `${page(repo)}/tree/${name}` },
        commit: {
          sha,
          node_id: nodeId('Commit', 0),
          url,
          html_url: `${page(repo)}/commit/${sha}`,
          comments_url: `${url}/comments`,
          author: null,
          committer: null,
          commit: {
            url: `${api(repo)}/git/commits/${sha}`,
            message,
            author: by,
            committer: by,
            comment_count: 0,
            tree: { sha: tree, url: `${api(repo)}/git/trees/${tree}` },
          },
          parents: [],
        },
      };
    },
    commit: (repo: Repo, sha: string) => ({
      sha,
      node_id: Buffer.from(sha).toString('base64'),
      url: `${api(repo)}/commits/${sha}`,
    }),
  };
}
