/** REST routes that read git. */
import { git, findCommit } from './git.ts';
import { notFound } from './refusal.ts';
import { ok, type Route, type RouteCall } from './route.ts';
import type { Show } from './show.ts';
import type { Repo } from './state.ts';

export function createGitRoutes(show: Show, repoOf: (call: RouteCall) => Repo): Record<string, Route> {
  return {
    async 'GET /repos/{owner}/{repo}/git/ref/{ref}'(call) {
      const repo = repoOf(call);
      const ref = `refs/${call.at['ref']}`;
      const sha = await findCommit(repo.dir, ref);
      if (!sha) throw notFound();
      return ok({ ref, object: { type: 'commit', ...show.commit(repo, sha) } });
    },
    async 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}'(call) {
      const repo = repoOf(call);
      const wanted = call.at['tree_sha'] ?? '';
      const commit = await findCommit(repo.dir, wanted === 'HEAD' ? repo.defaultBranch : wanted);
      if (!commit) throw notFound();
      const tree = await git(repo.dir, ['rev-parse', `${commit}^{tree}`]);
      const deep = call.query.has('recursive') ? ['-r', '-t'] : [];
      const listed = await git(repo.dir, ['ls-tree', '-l', '-z', ...deep, tree]);
      return ok(show.tree(repo, tree, listed.split('\0').filter(Boolean)));
    },
    async 'GET /repos/{owner}/{repo}/git/blobs/{file_sha}'(call) {
      const repo = repoOf(call);
      const sha = call.at['file_sha'] ?? '';
      const text = await git(repo.dir, ['cat-file', 'blob', sha], { whole: true }).catch(() => null);
      if (text === null) throw notFound();
      return ok(show.blob(repo, sha, text));
    },
  };
}
