/** The events of a pull request, oldest first. */
import type { LineComment, Pull } from '../../github/state.ts';
import { html, type Html, type Part } from '../html.ts';
import { icon, type IconName } from './icons.ts';
import { commitsOf, type Commit } from './read-git.ts';
import { markdown } from './markdown.ts';
import { card, reviewLooks, roleOf } from './talk.ts';
import { branch, pathOf, plural, pullPath, shaLink, when, who, type View } from './view.ts';

type Moment = { at: number; part: Html };

const mark = (name: IconName, tone: string): Html => html`<span class="mark ${tone}">${icon(name)}</span>`;
const step = (name: IconName, tone: string, content: Part): Html =>
  html`<li class="step">
    ${mark(name, tone)}
    <div class="grow">${content}</div>
  </li>`;

export async function timeline(view: View, pull: Pull): Promise<Html> {
  const commits = await commitsOf(pull.base.repo.dir, `${pull.base.sha}..${pull.head.sha}`);
  const moments = [
    ...pushed(view, pull, arrived(pull, commits)),
    ...reviews(view, pull),
    ...comments(view, pull),
    ...end(view, pull),
  ];
  const inOrder = moments.toSorted((a, b) => a.at - b.at);
  return html`<ol class="timeline" id="timeline">
    ${inOrder.map((moment) => moment.part)}
  </ol>`;
}

/** A commit is dated by its push, or by itself if it was never pushed. */
function arrived({ head }: Pull, newestFirst: Commit[]): Commit[] {
  const times = new Map(head.repo.pushes.flatMap((one) => (one.refused ? [] : [[one.new, one.at]])));
  let at: number | undefined;
  return newestFirst.map((commit) => {
    at = times.get(commit.sha) ?? at;
    return { ...commit, at: at ?? commit.at };
  });
}

function pushed(view: View, pull: Pull, newestFirst: Commit[]): Moment[] {
  const breaks = [...pull.reviews, ...pull.base.repo.comments.filter((one) => one.issue === pull.number)];
  const groups: Commit[][] = [];
  for (const commit of newestFirst.toReversed()) {
    const last = groups.at(-1)?.at(-1);
    const apart =
      !last || last.author !== commit.author || breaks.some(({ at }) => at > last.at && at < commit.at);
    if (apart) groups.push([commit]);
    else groups.at(-1)?.push(commit);
  }
  return groups.map((group) => ({
    at: group.at(-1)?.at ?? 0,
    part: step('commit', 'plain', commitGroup(view, pull, group)),
  }));
}

const commitGroup = (view: View, pull: Pull, group: Commit[]): Html =>
  html`<p>
      ${who(group[0]?.author ?? '')}
      <span class="quiet">added ${plural(group.length, 'commit')} ${when(view, group.at(-1)?.at ?? 0)}</span>
    </p>
    <ul class="commits">
      ${group.map(
        (commit) =>
          html`<li>
            <a href="${pathOf(pull.base.repo)}/commit/${commit.sha}"><bdi>${commit.title}</bdi></a>
            ${shaLink(pull.base.repo, commit.sha)}
          </li>`,
      )}
    </ul>`;

function reviews(view: View, pull: Pull): Moment[] {
  return pull.reviews.map((review) => {
    const look = reviewLooks[review.state];
    const lines = pull.base.repo.lineComments.filter((comment) => comment.review === review.id);
    const { login } = review.user;
    const stale = review.commitSha === pull.head.sha ? '' : ' on an earlier commit';
    const said = {
      id: `pullrequestreview-${review.id}`,
      login,
      at: review.at,
      body: review.body,
      did: `${look.words}${stale}`,
      role: roleOf(view.state, pull.base.repo, login, pull.user.login),
    };
    const below = lines.length > 0 && html`<div class="pad">${lines.map((line) => onLine(pull, line))}</div>`;
    const part = html`<li class="step wide">${mark(look.name, look.tone)}${card(view, said, below)}</li>`;
    return { at: review.at, part };
  });
}

const onLine = (pull: Pull, comment: LineComment): Html =>
  html`<div class="on-line">
    <p class="place">
      ${icon('file')}<a href="${pullPath(pull)}/files#discussion_r${comment.id}"><bdi>${comment.path}</bdi></a
      >:${comment.line ?? comment.originalLine}
    </p>
    ${markdown(comment.body)}
  </div>`;

function comments(view: View, pull: Pull): Moment[] {
  const { repo } = pull.base;
  return repo.comments
    .filter((comment) => comment.issue === pull.number)
    .map((comment) => {
      const { login } = comment.user;
      const role = roleOf(view.state, pull.base.repo, login, pull.user.login);
      const said = { id: `issuecomment-${comment.id}`, login, at: comment.at, body: comment.body, role };
      const part = html`<li class="step wide">
        ${mark('comment', 'plain')}${card(view, { ...said, did: 'commented' })}
      </li>`;
      return { at: comment.at, part };
    });
}

function end(view: View, pull: Pull): Moment[] {
  if (pull.merged) {
    const { at, by, sha } = pull.merged;
    const content = html`<p>
      ${who(by.login)}
      <span class="quiet"
        >merged this into ${branch(pull.base.ref)} as ${shaLink(pull.base.repo, sha)} ${when(view, at)}</span
      >
    </p>`;
    return [{ at: at + 0.5, part: step('merged', 'merged', content) }];
  }
  if (pull.closedAt === null) return [];
  const content = html`<p><span class="quiet">Closed without a merge ${when(view, pull.closedAt)}</span></p>`;
  return [{ at: pull.closedAt + 0.5, part: step('closed', 'shut', content) }];
}
