/** Renders comments and reviews, the receipt in a body, and the form to reply. */
import type { LineComment, Pull, Repo, Review, State } from '../../github/state.ts';
import { html, type Html, type Part } from '../html.ts';
import { icon, type IconName } from './icons.ts';
import { markdown } from './markdown.ts';
import { face, form, pullPath, when, who, type View } from './view.ts';

export type Said = {
  id: string;
  login: string;
  at: number;
  did: Part;
  body: string;
  role: Role;
};

export const card = (view: View, said: Said, below: Part = null): Html =>
  html`<article class="card said" id="${said.id}">
    <header>
      ${face(said.login)}
      <span class="grow"
        >${who(said.login)} <span class="quiet">${said.did} ${when(view, said.at)}</span></span
      >
      ${roleTag(said.role)}
    </header>
    ${said.body.trim() !== '' && html`<div class="pad">${body(said.body)}</div>`} ${below}
  </article>`;

const RECEIPT =
  /\n<details>\n<summary>AgentPR receipt<\/summary>\n\n<!-- agentpr:receipt [^\n]* -->\n(?<line>AgentPR receipt: run `(?<run>[^`\n]*)`, digest `(?<digest>[^`\n]*)`, policies `(?<policies>[^`\n]*)`, approved by `(?<approver>[^`\n]*)`)\n\n<\/details>\s*$/;

function body(text: string): Part {
  const found = RECEIPT.exec(text.replace(/\r\n?/g, '\n'));
  if (!found?.groups) return markdown(text);
  const { run = '', digest = '', policies = '', approver = '' } = found.groups;
  const row = (name: string, value: string, kind = '') =>
    html`<div>
      <dt>${name}</dt>
      <dd class="${kind}" title="${value}"><bdi>${value}</bdi></dd>
    </div>`;
  return html`${markdown(found.input.slice(0, found.index))}
    <div class="receipt">
      <p>${icon('seal')}<b>Receipt</b><span class="quiet">as written in the description</span></p>
      <dl>
        ${row('Approved by', approver)} ${row('Run', run, 'mono')} ${row('Policies', policies, 'mono')}
        ${row('Digest', digest, 'mono cut')}
      </dl>
    </div>`;
}

export const reviewLooks = {
  APPROVED: { tone: 'good', name: 'check', words: 'approved these changes' },
  CHANGES_REQUESTED: { tone: 'bad', name: 'cross', words: 'requested changes' },
  COMMENTED: { tone: 'idle', name: 'eye', words: 'reviewed' },
  DISMISSED: { tone: 'idle', name: 'dash', words: 'reviewed; this review was dismissed' },
} as const satisfies Record<Review['state'], { tone: string; name: IconName; words: string }>;

export type Role = 'owner' | 'author' | 'collaborator' | 'stranger';
export function roleOf(state: State, repo: Repo, login: string, author: string): Role {
  if (login === repo.owner.login) return 'owner';
  if (login === author) return 'author';
  return ['admin', 'write'].includes(state.accessOf(repo, login)) ? 'collaborator' : 'stranger';
}
const roleTag = (role: Role): Html => html`<span class="tag ${role}">${role}</span>`;

export const lineComment = (view: View, pull: Pull, comment: LineComment): Html =>
  html`<div class="line-comment" id="discussion_r${comment.id}">
    <p>
      ${face(comment.user.login)} ${who(comment.user.login)}
      <span class="quiet"
        >${when(view, comment.at)}${comment.line === null && ' · on a line that is gone'}</span
      >
      ${roleTag(roleOf(view.state, pull.base.repo, comment.user.login, pull.user.login))}
    </p>
    ${markdown(comment.body)}
  </div>`;

export const STRANGER = 'kim-stranger';

export function voices(state: State, repo: Repo, author?: string): { login: string; may: string }[] {
  const owner = repo.owner.login;
  const writers = [...repo.access.keys()].filter((login) =>
    ['admin', 'write'].includes(state.accessOf(repo, login)),
  );
  const others = writers.filter((login) => login !== owner && login !== author);
  return [
    { login: owner, may: 'owner' },
    ...others.map((login) => ({ login, may: 'collaborator' })),
    { login: STRANGER, may: 'a stranger' },
  ];
}

export const voiceSelect = (view: View, repo: Repo, author?: string): Html =>
  html`<label class="voice"
    ><span>As</span>
    <select name="user">
      ${voices(view.state, repo, author).map(
        ({ login, may }) => html`<option value="${login}">${login} (${may})</option>`,
      )}
    </select></label
  >`;

export const sayForm = (view: View, pull: Pull): Html =>
  html`<section class="card say" id="say">
    ${form(
      view,
      `${pullPath(pull)}/say`,
      html`<label class="hidden" for="words">Your words</label>
        <textarea
          id="words"
          name="body"
          rows="3"
          placeholder="Leave a comment, or say what should change"
        ></textarea>
        <div class="actions">
          ${voiceSelect(view, pull.base.repo, pull.user.login)}
          <span class="grow"></span>
          <button name="verb" value="comment">Comment</button>
          ${
            pull.state === 'open' &&
            html`<button name="verb" value="request" class="bad">${icon('cross')}Request changes</button>
              <button name="verb" value="approve" class="good">${icon('check')}Approve</button>`
          }
        </div>`,
    )}
  </section>`;
