/** A repository's page: pull requests, issues, branches, commits and README. */
import { branchHeads } from '../../github/git.ts';
import type { Repo } from '../../github/state.ts';
import type { Answer } from '../../server.ts';
import { html, type Html, type Part } from '../html.ts';
import { icon } from './icons.ts';
import { issuesCard } from './issues.ts';
import { markdown } from './markdown.ts';
import { commitsOf, readGit, type Commit } from './read-git.ts';
import { marks, pullRow } from './repositories.ts';
import {
  branch,
  empty,
  face,
  form,
  frame,
  pathOf,
  plural,
  repoCrumbs,
  shaLink,
  when,
  who,
  type View,
} from './view.ts';

const README_CHARS = 200_000;
const MOST_BRANCHES = 50;

export async function repositoryPage(view: View, repo: Repo): Promise<Answer> {
  const heads = [...(await branchHeads(repo.dir))];
  const asked = view.url.searchParams.get('branch');
  const [shown = repo.defaultBranch, tip = null] =
    heads.find(([name]) => name === asked) ?? heads.find(([name]) => name === repo.defaultBranch) ?? [];
  const commits = tip === null ? [] : await commitsOf(repo.dir, tip, 12);
  const newest = repo.pulls.toReversed();
  const body = html`<h1 class="page-title">
      ${face(repo.owner.login)} <bdi>${repo.name}</bdi> ${marks(repo)}
    </h1>
    ${
      repo.parent &&
      html`<p class="quiet">Fork of <a href="${pathOf(repo.parent)}">${repo.parent.fullName}</a></p>`
    }
    <div class="columns">
      <div class="main">
        ${pulls(
          view,
          newest.filter((pull) => pull.state === 'open'),
          'open',
        )}
        ${pulls(
          view,
          newest.filter((pull) => pull.state === 'closed'),
          'closed',
        )}
        ${issuesCard(view, repo)} ${tip !== null && (await readme(repo, tip))}
      </div>
      <aside>
        ${branches(repo, heads, shown)} ${history(view, repo, commits, shown)}
        ${heads.length > 0 && intruder(view, repo, heads, shown)}
      </aside>
    </div>`;
  return frame(view, { title: repo.fullName, crumbs: repoCrumbs(repo), here: 'repositories', body });
}

const pulls = (view: View, list: Repo['pulls'], state: 'open' | 'closed'): Part =>
  (state === 'open' || list.length > 0) &&
  html`<section class="card" id="${state}-pulls">
    <header>
      <h2>${state === 'open' ? 'Open' : 'Closed'} pull requests</h2>
      <span class="count">${list.length}</span>
    </header>
    ${
      list.length === 0
        ? empty('pull', 'None is open. One that is opened shows up here at once.')
        : html`<ul class="rows">
            ${list.slice(0, 50).map((pull) => pullRow(view, pull))}
          </ul>`
    }
  </section>`;

const branches = (repo: Repo, heads: [string, string][], shown: string): Html =>
  html`<section class="card" id="branches">
    <header>
      <h2>Branches</h2>
      <span class="count">${heads.length}</span>
    </header>
    ${heads.length === 0 && empty('branch', 'Nothing has been pushed yet.')}
    <ul class="rows">
      ${heads.slice(0, MOST_BRANCHES).map(
        ([name, sha]) =>
          html`<li class="row">
            <span class="grow"
              ><a
                class="branch"
                href="${pathOf(repo)}?branch=${encodeURIComponent(name)}"
                ${name === shown && html`aria-current="true"`}
                ><bdi>${name}</bdi></a
              ></span
            >
            ${name === repo.defaultBranch && html`<span class="tag">default</span>`} ${shaLink(repo, sha)}
          </li>`,
      )}
    </ul>
    ${heads.length > MOST_BRANCHES && html`<p class="quiet more">and ${heads.length - MOST_BRANCHES} more</p>`}
  </section>`;

const history = (view: View, repo: Repo, commits: Commit[], shown: string): Html =>
  html`<section class="card" id="commits">
    <header>
      <h2>Newest commits</h2>
      ${branch(shown)}
    </header>
    <ul class="rows">
      ${commits.map(
        (commit) =>
          html`<li class="row">
            <span class="grow">
              <a class="row-title small" href="${pathOf(repo)}/commit/${commit.sha}"
                ><bdi>${commit.title}</bdi></a
              >
              <span class="quiet">${who(commit.author)} · ${when(view, commit.at)}</span>
            </span>
            ${shaLink(repo, commit.sha)}
          </li>`,
      )}
    </ul>
  </section>`;

async function readme(repo: Repo, tip: string): Promise<Part> {
  const names = await readGit(repo.dir, ['ls-tree', '--name-only', '-z', tip]);
  const name = names?.text.split('\0').find((one) => /^readme(?:\.\w+)?$/i.test(one));
  const file =
    name === undefined ? null : await readGit(repo.dir, ['cat-file', '-p', `${tip}:${name}`], README_CHARS);
  if (!file || name === undefined) return null;
  const rest = file.whole ? null : html`<p class="quiet more">The rest is not shown.</p>`;
  return html`<section class="card" id="readme">
    <header>
      ${icon('file')}
      <h2><bdi>${name}</bdi></h2>
    </header>
    <div class="pad">
      ${/\.md$/i.test(name) ? markdown(file.text) : html`<pre class="plain" tabindex="0">${file.text}</pre>`}
      ${rest}
    </div>
  </section>`;
}

const intruder = (view: View, repo: Repo, heads: [string, string][], shown: string): Html =>
  html`<section class="card tryout" id="races">
    <header>
      ${icon('bolt')}
      <h2>Try a race</h2>
    </header>
    ${form(
      view,
      `${pathOf(repo)}/foreign`,
      html`<label
          >Branch
          <select name="branch">
            ${heads
              .slice(0, MOST_BRANCHES)
              .map(
                ([name]) =>
                  html`<option value="${name}" ${name === shown && html`selected`}>${name}</option>`,
              )}
          </select></label
        ><button>Push a commit by somebody else</button>`,
    )}
    <p class="quiet">${plural(repo.pushes.length, 'push')} so far.</p>
  </section>`;
