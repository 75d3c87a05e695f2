/** The page of a pull request: conversation, checks and merge box. */
import { compute, type Computed } from '../../github/pulls.ts';
import type { Pull, Repo, Review } from '../../github/state.ts';
import type { Answer } from '../../server.ts';
import { html, type Html, type Part } from '../html.ts';
import { checksCard } from './checks-list.ts';
import { icon, type IconName } from './icons.ts';
import { card, reviewLooks, roleOf, sayForm } from './talk.ts';
import { timeline } from './timeline.ts';
import {
  branch,
  face,
  form,
  frame,
  growth,
  lookOf,
  pathOf,
  plural,
  pullPath,
  repoCrumbs,
  shaLink,
  when,
  who,
  type View,
} from './view.ts';

export const pullCrumbs = (pull: Pull): Part[] => [
  ...repoCrumbs(pull.base.repo),
  html`<a href="${pullPath(pull)}">#${pull.number}</a>`,
];

export async function pullPage(view: View, pull: Pull): Promise<Answer> {
  const computed = await compute(pull);
  const { login } = pull.user;
  const opened = {
    id: 'description',
    login,
    at: pull.createdAt,
    did: 'opened this',
    body: pull.body ?? '',
    role: roleOf(view.state, pull.base.repo, login, login),
  };
  const body = html`${pullHead(view, pull, computed, 'talk')}
    <div class="columns">
      <div class="main">
        ${card(view, opened, pull.body ? null : html`<p class="pad quiet">No description.</p>`)}
        ${await timeline(view, pull)} ${checksCard(view, pull)} ${mergeBox(view, pull, computed)}
        ${sayForm(view, pull)}
      </div>
      <aside>${reviewers(pull)} ${facts(pull, computed)} ${pull.state === 'open' && races(view, pull)}</aside>
    </div>`;
  const title = `${pull.title} · #${pull.number}`;
  return frame(view, { title, crumbs: pullCrumbs(pull), here: 'repositories', body });
}

export function pullHead(view: View, pull: Pull, computed: Computed, tab: 'talk' | 'files'): Html {
  const look = lookOf(pull);
  const from =
    pull.head.repo === pull.base.repo ? pull.head.ref : `${pull.head.repo.owner.login}:${pull.head.ref}`;
  const { changed_files, additions, deletions } = computed.size;
  const here = (key: typeof tab): Part => key === tab && html`aria-current="page"`;
  return html`<header class="pull-head ${look.tone}">
    <h1><bdi>${pull.title}</bdi> <span class="number">#${pull.number}</span></h1>
    <p class="pull-line">
      <span class="pill ${look.tone}">${icon(look.name)}${look.words}</span>
      <span
        >${who((pull.merged?.by ?? pull.user).login)} ${pull.merged ? 'merged' : 'wants to merge'}
        ${plural(computed.commits, 'commit')}</span
      >
      <span class="flow">${branch(from)}<span aria-label="into">→</span>${branch(pull.base.ref)}</span>
      <span class="quiet">${when(view, pull.createdAt)}</span>
    </p>
    <nav class="tabs" aria-label="Pull request">
      <a href="${pullPath(pull)}" ${here('talk')}>${icon('comment')}Conversation</a>
      <a href="${pullPath(pull)}/files" ${here('files')}
        >${icon('file')}Files<span class="count">${changed_files}</span></a
      >
      <span class="size">${growth(additions, deletions)}</span>
    </nav>
  </header>`;
}

function mergeBox(view: View, pull: Pull, { mergeable }: Computed): Html {
  const act = (verb: string, words: Part, kind: string): Html =>
    html`<button name="verb" value="${verb}" class="${kind}">${words}</button>`;
  const state = stateOf(pull, mergeable);
  const open = pull.state === 'open';
  const stuck = mergeable === false || pull.draft;
  const buttons = open
    ? [
        !stuck && act('merge', [icon('merged'), 'Merge'], 'solid'),
        !stuck && act('squash', 'Squash and merge', ''),
        pull.draft && act('ready', 'Ready for review', 'solid'),
        html`<span class="grow"></span>`,
        act('close', 'Close', 'bad'),
      ]
    : [!pull.merged && act('reopen', [icon('again'), 'Reopen'], '')];
  return html`<section class="card merge ${state.tone}" id="merge">
    <div class="merge-line">
      <span class="mark ${state.tone}">${icon(state.name)}</span>
      <div class="grow">
        <h2>${state.title}</h2>
        <p class="quiet">${state.words}</p>
      </div>
    </div>
    ${
      pull.merged === null && form(view, `${pullPath(pull)}/end`, html`<div class="actions">${buttons}</div>`)
    }
  </section>`;
}

type MergeState = { tone: string; name: IconName; title: string; words: Part };

function stateOf(pull: Pull, mergeable: boolean | null): MergeState {
  const { tone, name } = lookOf(pull);
  const base = branch(pull.base.ref);
  if (pull.merged) {
    const words = html`${who(pull.merged.by.login)} merged it into ${base}.`;
    return { tone, name, title: 'Merged', words };
  }
  if (pull.state === 'closed') return { tone, name, title: 'Closed', words: 'Nothing was merged.' };
  if (pull.draft) return { tone, name, title: 'Still a draft', words: 'Say when it is ready for review.' };
  if (mergeable === false) {
    const words = html`What it changes has changed in ${base} too.`;
    return { tone: 'shut', name: 'cross', title: 'Conflicts with the base branch', words };
  }
  const words = html`It can be merged into ${base}. Only a person does that.`;
  return { tone, name: 'check', title: 'No conflicts', words };
}

function reviewers(pull: Pull): Html {
  const newest = new Map<string, Review>();
  for (const review of pull.reviews) {
    const before = newest.get(review.user.login);
    if (review.state !== 'COMMENTED' || !before) newest.set(review.user.login, review);
  }
  const rows = [...newest].map(([login, review]) => {
    const look = reviewLooks[review.state];
    return html`<li class="row">
      ${face(login)}<span class="grow">${who(login)}</span>
      <span class="sign ${look.tone}" title="${look.words}" role="img" aria-label="${look.words}"
        >${icon(look.name)}</span
      >
    </li>`;
  });
  return html`<section class="card" id="reviewers">
    <header><h2>Reviews</h2></header>
    ${
      rows.length === 0
        ? html`<p class="pad quiet">Nobody has reviewed it yet.</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
  </section>`;
}

const facts = (pull: Pull, { commits, size }: Computed): Html =>
  html`<section class="card" id="facts">
    <header><h2>At a glance</h2></header>
    <dl class="facts-list">
      <div>
        <dt>Head</dt>
        <dd>${shaLink(pull.base.repo, pull.head.sha)}</dd>
      </div>
      <div>
        <dt>Commits</dt>
        <dd>${commits}</dd>
      </div>
      <div>
        <dt>Files</dt>
        <dd>${size.changed_files}</dd>
      </div>
      <div>
        <dt>Lines</dt>
        <dd>${growth(size.additions, size.deletions)}</dd>
      </div>
      <div>
        <dt>Maintainers may push</dt>
        <dd>${pull.maintainerCanModify ? 'yes' : 'no'}</dd>
      </div>
    </dl>
  </section>`;

const races = (view: View, pull: Pull): Html =>
  html`<section class="card tryout" id="races">
    <header>
      ${icon('bolt')}
      <h2>Try a race</h2>
    </header>
    <p class="quiet">Do what others do while a change is under way.</p>
    ${form(view, `${pullPath(pull)}/foreign`, html`<button>Push a commit by somebody else</button>`)}
    ${form(view, `${pullPath(pull)}/advance`, html`<button>Advance the base branch</button>`)}
    ${form(view, `${pullPath(pull)}/conflict`, html`<button>Make the base conflict</button>`)}
  </section>`;

export const pullIn = (repo: Repo, number: string): Pull | null =>
  repo.pulls.find((pull) => pull.number === Number(number)) ?? null;
export const rawDiffPath = (pull: Pull): string => `${pathOf(pull.base.repo)}/pull/${pull.number}.diff`;
