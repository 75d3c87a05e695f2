/** The pages of issues and their labels. */
import type { Issue, Repo } from '../../github/state.ts';
import type { Answer } from '../../server.ts';
import { html, type Html, type Part } from '../html.ts';
import { icon } from './icons.ts';
import { card, roleOf, voiceSelect } from './talk.ts';
import { empty, face, form, frame, pathOf, repoCrumbs, when, who, type View } from './view.ts';

const MOST = 50;
const USUAL_LABEL = 'agentpr';

export const issueIn = (repo: Repo, number: string): Issue | null =>
  repo.issues.find((one) => one.number === Number(number)) ?? null;
const issuePath = (repo: Repo, { number }: Issue): string => `${pathOf(repo)}/issues/${number}`;
const labels = ({ labels: all }: Issue): Html[] =>
  all.map((name) => html`<span class="tag"><bdi>${name}</bdi></span>`);

export const issuesCard = (view: View, repo: Repo): Html =>
  html`<section class="card say" id="issues">
    <header>
      <h2>Issues</h2>
      <span class="count">${repo.issues.length}</span>
    </header>
    ${
      repo.issues.length > 0 &&
      html`<ul class="rows">
        ${repo.issues
          .toReversed()
          .slice(0, MOST)
          .map((issue) => row(view, repo, issue))}
      </ul>`
    }
    <details>
      <summary>Open an issue</summary>
      ${form(
        view,
        `${pathOf(repo)}/issue`,
        html`<label class="hidden" for="issue-title">Title</label>
          <input
            type="text"
            id="issue-title"
            name="title"
            maxlength="256"
            required
            placeholder="What should change"
          />
          <label class="hidden" for="issue-words">Words</label>
          <textarea id="issue-words" name="body" rows="3" placeholder="Why, and how one can tell"></textarea>
          <div class="actions">
            ${voiceSelect(view, repo)}<span class="grow"></span><button class="solid">Open</button>
          </div>`,
      )}
    </details>
  </section>`;

const row = (view: View, repo: Repo, issue: Issue): Html =>
  html`<li class="row" id="issue-${issue.id}">
    <span class="glyph ${issue.state === 'open' ? 'open' : 'merged'}">${icon('issue')}</span>
    <span class="grow">
      <a class="row-title" href="${issuePath(repo, issue)}"><bdi>${issue.title}</bdi></a>
      <span class="quiet"
        >#${issue.number} by <bdi>${issue.user.login}</bdi> · ${when(view, issue.createdAt)}</span
      >
    </span>
    ${labels(issue)}
  </li>`;

export function issuePage(view: View, repo: Repo, issue: Issue): Answer {
  const { login } = issue.user;
  const opened = {
    id: 'description',
    login,
    at: issue.createdAt,
    did: 'opened this',
    body: issue.body ?? '',
    role: roleOf(view.state, repo, login, login),
  };
  const noWords = html`<p class="pad quiet">No description.</p>`;
  const body = html`<header class="pull-head open">
      <h1><bdi>${issue.title}</bdi> <span class="number">#${issue.number}</span></h1>
      <p class="pull-line">
        <span class="pill ${issue.state === 'open' ? 'open' : 'merged'}"
          >${icon('issue')}${issue.state === 'open' ? 'Open' : 'Closed'}</span
        >
        ${labels(issue)}
      </p>
    </header>
    <div class="columns">
      <div class="main">${card(view, opened, issue.body ? null : noWords)} ${happened(view, issue)}</div>
      <aside>${labelForm(view, repo, issue)}</aside>
    </div>`;
  const crumbs: Part[] = [
    ...repoCrumbs(repo),
    html`<a href="${issuePath(repo, issue)}">#${issue.number}</a>`,
  ];
  const title = `${issue.title} · #${issue.number}`;
  return frame(view, { title, crumbs, here: 'repositories', body });
}

const happened = (view: View, issue: Issue): Html => {
  const events = issue.events.flatMap((one) => ('label' in one ? [one] : []));
  return html`<section class="card" id="events">
    <header><h2>Labels</h2></header>
    ${events.length === 0 && empty('issue', 'Nobody has given it a label.')}
    <ul class="rows">
      ${events.map(
        ({ event, label, by, at }) =>
          html`<li class="row">
            ${face(by.login)}
            <span class="grow"
              >${who(by.login)}
              <span class="quiet"
                >${event === 'labeled' ? 'gave it the label' : 'took off the label'} <bdi>${label}</bdi> ·
                ${when(view, at)}</span
              ></span
            >
          </li>`,
      )}
    </ul>
  </section>`;
};

/** A bot treats the label as an order if the person may write. */
const labelForm = (view: View, repo: Repo, issue: Issue): Html =>
  html`<section class="card tryout" id="label">
    <header>
      ${icon('bolt')}
      <h2>Label it</h2>
    </header>
    ${form(
      view,
      `${issuePath(repo, issue)}/label`,
      html`<label
          >Label <input type="text" name="label" value="${USUAL_LABEL}" maxlength="50" required
        /></label>
        ${voiceSelect(view, repo)}
        <button name="verb" value="add">Add label</button>
        ${issue.labels.length > 0 && html`<button name="verb" value="remove">Remove label</button>`}`,
    )}
    <p class="quiet">
      Where AgentPR watches for this label, one from somebody who may write becomes a preview on the phone.
    </p>
  </section>`;
