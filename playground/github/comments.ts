/** Comments, reviews and line comments of a pull request; line comments move with the head. */
import { git } from './git.ts';
import type { Comment, LineComment, Pull, Review, User, World } from './model.ts';

export type NewLineComment = { path: string; line: number; body: string; startLine?: number };

export function addComment(world: World, pull: Pull, user: User, body: string): Comment {
  const { repo } = pull.base;
  const comment = { id: world.nextId(), issue: pull.number, user, body, at: world.now() };
  repo.comments.push(comment);
  const about = { repo, number: pull.number, sha: null, by: user, pull, comment };
  world.tell({ event: 'issue_comment', action: 'created', ...about });
  return comment;
}

function addLineComment(
  world: World,
  pull: Pull,
  review: Review,
  wish: NewLineComment & { inReplyTo?: number },
): LineComment {
  const comment: LineComment = {
    id: world.nextId(),
    pull: pull.number,
    review: review.id,
    user: review.user,
    at: world.now(),
    path: wish.path,
    line: wish.line,
    originalLine: wish.line,
    body: wish.body,
    commitSha: review.commitSha,
    originalCommitSha: review.commitSha,
    inReplyTo: wish.inReplyTo ?? null,
    startLine: wish.startLine ?? null,
    hunk: null,
  };
  pull.base.repo.lineComments.push(comment);
  return comment;
}

export function addReview(
  world: World,
  pull: Pull,
  wish: { user: User; state: Review['state']; body: string; commitSha: string },
  lines: readonly (NewLineComment & { inReplyTo?: number })[],
): { review: Review; comments: LineComment[] } {
  const review: Review = { id: world.nextId(), ...wish, at: world.now() };
  pull.reviews.push(review);
  pull.updatedAt = world.now();
  const comments = lines.map((line) => addLineComment(world, pull, review, line));
  const { repo } = pull.base;
  const about = { repo, number: pull.number, sha: review.commitSha, by: wish.user, pull };
  const action = wish.state === 'DISMISSED' ? 'dismissed' : 'submitted';
  world.tell({ ...about, event: 'pull_request_review', action, review });
  for (const comment of comments)
    world.tell({ ...about, event: 'pull_request_review_comment', action: 'created', comment });
  return { review, comments };
}

/** GitHub files a reply as a review of its own. */
export function replyTo(world: World, pull: Pull, user: User, root: LineComment, body: string): LineComment {
  const { path, line, originalLine } = root;
  const review = { user, state: 'COMMENTED' as const, body: '', commitSha: pull.head.sha };
  const wish = { path, line: line ?? originalLine, body, inReplyTo: root.id };
  const [made] = addReview(world, pull, review, [wish]).comments;
  if (!made) throw new Error('no comment was made');
  made.line = line;
  made.hunk = root.hunk;
  return made;
}

/** GitHub shows the hunk up to the commented line. */
export async function showHunks({ base, head, number }: Pull): Promise<void> {
  const fresh = base.repo.lineComments.filter((c) => c.pull === number && c.hunk === null);
  for (const path of new Set(fresh.map((one) => one.path))) {
    const diff = await git(base.repo.dir, ['diff', '-U3', `${base.sha}...${head.sha}`, '--', path]);
    for (const one of fresh) if (one.path === path) one.hunk = hunkUpTo(diff, one.originalLine);
  }
}

function hunkUpTo(diff: string, line: number): string {
  let at = 0;
  let hunk: string[] = [];
  for (const text of diff.split('\n')) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (start) {
      hunk = [text];
      at = Number(start[1]) - 1;
    } else if (hunk.length > 0) {
      hunk.push(text);
      if (!text.startsWith('-')) at += 1;
      if (at === line) return hunk.join('\n');
    }
  }
  return '';
}

export async function moveLineComments({ base, head, number }: Pull): Promise<void> {
  const old = base.repo.lineComments.filter((one) => one.pull === number && one.commitSha !== head.sha);
  for (const comment of old) {
    const { path, line, commitSha } = comment;
    if (line === null) continue;
    const range = ['-U0', '--no-renames', commitSha, head.sha, '--', path];
    comment.line = newLine(await git(base.repo.dir, ['diff', ...range]), line);
    if (comment.line !== null) comment.commitSha = head.sha;
  }
}

/** Maps a line through a diff without context; null if it was removed. */
function newLine(diff: string, line: number): number | null {
  let moved = 0;
  for (const [, from, count = '1', , added = '1'] of diff.matchAll(
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm,
  )) {
    const [first, size] = [Number(from), Number(count)];
    if (size === 0 ? first >= line : first > line) break;
    if (size > 0 && line < first + size) return null;
    moved += Number(added) - size;
  }
  return line + moved;
}
