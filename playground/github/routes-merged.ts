/** REST routes about what became of a pull request: its commits, releases, and what contains what. */
import { commitsAhead, findCommit, git } from './git.ts';
import { commitsBetween } from './git-log.ts';
import { nodeId, time } from './format.ts';
import { notFound } from './refusal.ts';
import { ok, type Route, type RouteCall } from './route.ts';
import type { Show } from './show.ts';
import type { Pull, Repo, Release } from './state.ts';

const MAX_COMMITS = 250;

export const showRelease = (show: Show, repo: Repo, { id, tag, sha, at }: Release) => {
  const { api, page } = show.places(repo);
  const url = `${api}/releases/${id}`;
  return {
    id,
    node_id: nodeId('Release', id),
    url,
    html_url: `${page}/releases/tag/${encodeURIComponent(tag)}`,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    tarball_url: null,
    zipball_url: null,
    tag_name: tag,
    target_commitish: sha,
    name: tag,
    draft: false,
    prerelease: false,
    created_at: time(at),
    published_at: time(at),
    author: show.user(repo.owner),
    assets: [],
  };
};

const FILE_STATUS: Readonly<Record<string, string>> = { A: 'added', D: 'removed', M: 'modified' };
const changedFiles = async (dir: string, base: string, head: string, api: string) => {
  const range = `${base}...${head}`;
  const names = await git(dir, ['diff', '--no-renames', '--name-status', range]);
  const files = names.split('\n').filter((line) => line.includes('\t'));
  return Promise.all(
    files.map(async (line) => {
      const [kind = '', filename = ''] = line.split('\t');
      const whole = await git(dir, ['diff', '--no-renames', range, '--', filename]);
      const patch = whole.slice(whole.indexOf('\n@@') + 1);
      const count = (sign: string): number => patch.split('\n').filter((one) => one.startsWith(sign)).length;
      const [additions, deletions] = [count('+'), count('-')];
      return {
        sha: /^index [0-9a-f]+\.\.([0-9a-f]+)/m.exec(whole)?.[1] ?? null,
        filename,
        status: FILE_STATUS[kind] ?? 'changed',
        additions,
        deletions,
        changes: additions + deletions,
        blob_url: `${api}/blob/${head}/${filename}`,
        raw_url: `${api}/raw/${head}/${filename}`,
        contents_url: `${api}/contents/${filename}?ref=${head}`,
        ...(whole.includes('\n@@') ? { patch } : {}),
      };
    }),
  );
};

export const createMergedRoutes = (
  show: Show,
  repoOf: (call: RouteCall) => Repo,
  pullAt: (call: RouteCall) => Pull,
): Record<string, Route> => {
  const listed = async (repo: Repo, from: string, to: string) =>
    (await commitsBetween(repo.dir, from, to, MAX_COMMITS)).map((one) => ({
      ...show.branch(repo, '', one).commit,
      parents: one.parents.map((sha) => show.commit(repo, sha)),
    }));
  return {
    async 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits'(call) {
      const { base, head } = pullAt(call);
      return ok(await listed(base.repo, base.sha, head.sha));
    },
    async 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files'(call) {
      const { base, head } = pullAt(call);
      return ok(await changedFiles(base.repo.dir, base.sha, head.sha, show.places(base.repo).api));
    },
    'GET /repos/{owner}/{repo}/releases'(call) {
      const repo = repoOf(call);
      return ok(repo.releases.toReversed().map((one) => showRelease(show, repo, one)));
    },
    async 'GET /repos/{owner}/{repo}/compare/{basehead}'(call) {
      const repo = repoOf(call);
      const [from = '', to = ''] = (call.at['basehead'] ?? '').split('...');
      const find = async (ref: string) =>
        (await findCommit(repo.dir, `refs/tags/${ref}`)) ?? (await findCommit(repo.dir, ref));
      const [base, head] = [await find(from), await find(to)];
      if (!base || !head) throw notFound();
      const [ahead, behind] = [
        await commitsAhead(repo.dir, base, head),
        await commitsAhead(repo.dir, head, base),
      ];
      const status =
        ahead === 0 ? (behind === 0 ? 'identical' : 'behind') : behind === 0 ? 'ahead' : 'diverged';
      const commits = await listed(repo, base, head);
      const [size, no] = [
        Number(call.query.get('per_page') ?? MAX_COMMITS),
        Number(call.query.get('page') ?? 1),
      ];
      const [own] = await commitsBetween(repo.dir, null, base, 1);
      if (!own) throw notFound();
      const shown = { ...show.branch(repo, '', own).commit, parents: [] };
      const { api, page } = show.places(repo);
      const name = `compare/${from}...${to}`;
      return ok({
        url: `${api}/${name}`,
        html_url: `${page}/${name}`,
        permalink_url: `${page}/${name}`,
        diff_url: `${page}/${name}.diff`,
        patch_url: `${page}/${name}.patch`,
        base_commit: shown,
        merge_base_commit: shown,
        status,
        ahead_by: ahead,
        behind_by: behind,
        total_commits: ahead,
        commits: commits.slice((no - 1) * size, no * size),
        files: no === 1 ? await changedFiles(repo.dir, base, head, api) : [],
      });
    },
  };
};
