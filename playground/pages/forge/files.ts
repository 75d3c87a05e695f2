/** The diff of a pull request with line comments and a form. */
import { compute } from '../../github/pulls.ts';
import type { Pull } from '../../github/state.ts';
import type { Answer } from '../../server.ts';
import { html, type Html, type Part } from '../html.ts';
import { contents, diffView } from './diff-view.ts';
import { readPatch, type FileDiff } from './diff.ts';
import { pullCrumbs, pullHead, rawDiffPath } from './pull.ts';
import { patchBetween } from './read-git.ts';
import { lineComment, voiceSelect } from './talk.ts';
import { empty, form, frame, pullPath, safety, type View } from './view.ts';

export async function filesPage(view: View, pull: Pull): Promise<Answer> {
  const { files, whole } = await filesOf(pull);
  const spoken = pull.base.repo.lineComments.filter((comment) => comment.pull === pull.number);
  const asked = askedAt(view, files);
  const under = (path: string, line: number): Part => {
    const said = spoken.filter((comment) => comment.path === path && comment.line === line);
    const saying = asked?.file.path === path && asked.line === line;
    if (said.length === 0 && !saying) return null;
    return [said.map((comment) => lineComment(view, pull, comment)), saying && sayAtLine(view, pull, asked)];
  };
  const sayAt = (file: number, line: number): string => `${pullPath(pull)}/files?at=${file}:${line}#say-line`;
  const raw = rawDiffPath(pull);
  const body = html`${pullHead(view, pull, await compute(pull), 'files')}
  ${!whole && html`<p class="note bad">This diff is too large to be shown as a whole.</p>`}
  ${
    files.length === 0
      ? empty('file', 'No file differs from the base branch.')
      : html`<div class="files-page">
          <div class="contents-box">
            ${contents(files)}
            <p class="quiet hint">Tap a line number to comment on that line. <a href="${raw}">As text</a></p>
          </div>
          ${diffView(files, { under, raw, ...(pull.state === 'open' && { sayAt }) })}
        </div>`
  }`;
  const title = `Files of ${pull.title} · #${pull.number}`;
  return frame(view, { title, crumbs: pullCrumbs(pull), here: 'repositories', body });
}

export async function filesOf(pull: Pull): Promise<{ files: FileDiff[]; whole: boolean }> {
  const patch = await patchBetween(pull.base.repo.dir, pull.base.sha, pull.head.sha);
  return { files: patch ? readPatch(patch) : [], whole: patch?.whole ?? false };
}

export async function rawDiff(pull: Pull): Promise<Answer> {
  const patch = await patchBetween(pull.base.repo.dir, pull.base.sha, pull.head.sha);
  const headers = { ...safety, 'content-type': 'text/plain; charset=utf-8' };
  return { status: 200, headers, body: patch?.text ?? '' };
}

type Place = { file: FileDiff; index: number; line: number };

function askedAt(view: View, files: FileDiff[]): Place | null {
  const [index = -1, line = -1] = (view.url.searchParams.get('at') ?? '').split(':').map(Number);
  const file = files[index];
  const there = file?.hunks.some((hunk) => hunk.some((one) => one.new === line));
  return file && there ? { file, index, line } : null;
}

const sayAtLine = (view: View, pull: Pull, { index, line }: Place): Html =>
  html`<div id="say-line" class="say">
    ${form(
      view,
      `${pullPath(pull)}/line`,
      html`<input type="hidden" name="file" value="${index}" />
        <input type="hidden" name="line" value="${line}" />
        <input type="hidden" name="head" value="${pull.head.sha}" />
        <label class="hidden" for="line-words">What you say of line ${line}</label>
        <textarea id="line-words" name="body" rows="3" placeholder="About line ${line}"></textarea>
        <div class="actions">
          ${voiceSelect(view, pull.base.repo, pull.user.login)}
          <span class="grow"></span>
          <a class="button" href="${pullPath(pull)}/files" data-soft>Cancel</a>
          <button class="solid">Comment</button>
        </div>`,
    )}
  </div>`;
