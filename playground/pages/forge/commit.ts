/** The page of one commit with its diff against the first parent. */
import { findCommit } from '../../github/git.ts';
import type { Repo } from '../../github/state.ts';
import type { Answer } from '../../server.ts';
import { html } from '../html.ts';
import { contents, diffView } from './diff-view.ts';
import { readPatch } from './diff.ts';
import { icon } from './icons.ts';
import { commitsOf, patchOf } from './read-git.ts';
import { face, frame, pullPath, repoCrumbs, shaLink, when, who, type View } from './view.ts';

export async function commitPage(view: View, repo: Repo, name: string): Promise<Answer | null> {
  const sha = await findCommit(repo.dir, name);
  const [commit] = sha === null ? [] : await commitsOf(repo.dir, sha, 1);
  if (!commit) return null;
  const patch = await patchOf(repo.dir, commit.sha);
  const files = patch ? readPatch(patch) : [];
  const pulls = repo.pulls.filter((pull) => pull.head.sha === commit.sha || pull.merged?.sha === commit.sha);
  const body = html`<header class="pull-head plain">
      <h1><bdi>${commit.title}</bdi></h1>
      <p class="pull-line">
        ${face(commit.author)} ${who(commit.author)}
        <span class="quiet">committed ${when(view, commit.at)}</span>
        <span class="sha long">${icon('commit')}${commit.sha}</span>
      </p>
      <p class="pull-line quiet">
        ${
          commit.parents.length === 0
            ? 'The first commit.'
            : html`<span
                >${commit.parents.length === 1 ? 'After' : 'Joins'}
                ${commit.parents.map((parent) => html`${shaLink(repo, parent)} `)}</span
              >`
        }
        ${pulls.map((pull) => html`<a href="${pullPath(pull)}">${icon('pull')} #${pull.number}</a> `)}
      </p>
      ${commit.message !== '' && html`<pre class="plain message" tabindex="0">${commit.message}</pre>`}
    </header>
    ${patch?.whole === false && html`<p class="note bad">This diff is too large to be shown as a whole.</p>`}
    <div class="files-page">
      <div class="contents-box">${contents(files)}</div>
      ${diffView(files)}
    </div>`;
  const crumbs = [...repoCrumbs(repo), html`<span class="sha">${commit.sha.slice(0, 7)}</span>`];
  return frame(view, { title: `${commit.title} · ${repo.fullName}`, crumbs, here: 'repositories', body });
}
