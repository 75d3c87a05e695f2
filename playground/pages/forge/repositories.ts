/** The front page: all repositories, or one owner's. */
import { branchHeads } from '../../github/git.ts';
import type { Repo } from '../../github/state.ts';
import type { Answer } from '../../server.ts';
import { html, type Html } from '../html.ts';
import { icon } from './icons.ts';
import { newestChecks } from './checks-list.ts';
import { empty, face, frame, lookOf, pathOf, plural, pullPath, when, type View } from './view.ts';

export async function repositoriesPage(view: View, owner: string | null): Promise<Answer | null> {
  const repos = [...view.state.repos.values()]
    .filter((repo) => owner === null || repo.owner.login.toLowerCase() === owner.toLowerCase())
    .sort((a, b) => b.pushedAt - a.pushedAt);
  if (owner !== null && repos.length === 0) return null;
  const cards = await Promise.all(repos.map((repo) => card(view, repo)));
  const body = html`<h1 class="page-title">
      ${owner === null ? 'Repositories' : html`${face(owner)} <bdi>${owner}</bdi>`}
    </h1>
    ${cards.length === 0 ? empty('repo', 'There is no repository yet.') : html`<div class="tiles">${cards}</div>`}`;
  return frame(view, { title: owner ?? 'Repositories', here: 'repositories', body });
}

async function card(view: View, repo: Repo): Promise<Html> {
  const open = repo.pulls.filter((pull) => pull.state === 'open');
  const branches = (await branchHeads(repo.dir)).size;
  return html`<section class="card tile" id="repo-${repo.id}">
    <h2>
      ${face(repo.owner.login)}
      <a href="${pathOf(repo)}"
        ><bdi>${repo.owner.login}</bdi><i>/</i><b><bdi>${repo.name}</bdi></b></a
      >
      ${marks(repo)}
    </h2>
    ${
      repo.parent &&
      html`<p class="quiet">Fork of <a href="${pathOf(repo.parent)}">${repo.parent.fullName}</a></p>`
    }
    <p class="facts">
      <span>${icon('branch')}${branches === 1 ? '1 branch' : `${branches} branches`}</span>
      <span>${icon('pull')}${open.length} open</span>
      <span>${when(view, repo.pushedAt)}</span>
    </p>
    ${
      open.length > 0 &&
      html`<ul class="rows">
        ${open
          .toReversed()
          .slice(0, 3)
          .map((pull) => pullRow(view, pull))}
      </ul>`
    }
    ${open.length > 3 && html`<p class="quiet more">and ${plural(open.length - 3, 'more')}</p>`}
  </section>`;
}

export const marks = (repo: Repo): Html =>
  html`${repo.private && html`<span class="tag">${icon('lock')}private</span>`}${
    repo.archived && html`<span class="tag">archived</span>`
  }`;

export function pullRow(view: View, pull: Repo['pulls'][number]): Html {
  const look = lookOf(pull);
  const talk = pull.base.repo.comments.filter((comment) => comment.issue === pull.number).length;
  return html`<li class="row" id="pull-${pull.id}">
    <span class="glyph ${look.tone}" title="${look.words}">${icon(look.name)}</span>
    <span class="grow">
      <a class="row-title" href="${pullPath(pull)}"><bdi>${pull.title}</bdi></a>
      <span class="quiet"
        >#${pull.number} by <bdi>${pull.user.login}</bdi> · ${when(view, pull.createdAt)}</span
      >
    </span>
    ${pull.state === 'open' && newestChecks(pull)}
    ${
      talk + pull.reviews.length > 0 &&
      html`<span class="quiet talk-count">${icon('comment')}${talk + pull.reviews.length}</span>`
    }
  </li>`;
}
