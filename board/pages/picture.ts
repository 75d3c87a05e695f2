import { recognisePicture, type BookFile } from '#chat-text';
import type { Run } from '#run';
import type { BoardAnswer, PageContext } from '../board-context.ts';
import { html, type Markup } from '../markup.ts';
import { runPath } from '../run-parts.ts';
import { loadPatchBook, parseDiffView, viewQuery, type DiffView } from './diff-parts.ts';

const TYPES = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const;
const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;
const SIDES = ['before', 'after'] as const;

type Shown = { run: Run; view: DiffView; c: PageContext };

export const pictureParts = ({ run, view, c }: Shown, file: BookFile, at: number): Markup | false => {
  const known = run.change.commit?.diff.files.find(({ path }) => path === file.path);
  if (!known || !PICTURE_NAME.test(file.path)) return false;
  const absent = { added: 'before', deleted: 'after' }[String(known.status)];
  const { diff: t } = c.words.board;
  return html`<div class="pictures">
    ${SIDES.filter((side) => side !== absent).map(
      (side) =>
        html`<figure>
          <figcaption>${t[side]}</figcaption>
          <img
            src="${runPath(c, run.id)}/picture${viewQuery(run, view, { file: at, side })}"
            alt="${`${t[side]}: ${file.path}`}"
            loading="lazy"
          />
        </figure>`,
    )}
  </div>`;
};

export const pictureAnswer = async (context: PageContext): Promise<BoardAnswer | null> => {
  const { parts, params, url } = context;
  const run = await parts.query.run(params.run ?? '');
  const commit = run?.change.commit;
  const view = run && parseDiffView(run, url);
  const read = run && view && (await loadPatchBook(run, view, context));
  const file = read?.book[Number(url.searchParams.get('file'))];
  if (!commit || !view || !file) return null;
  const isBefore = url.searchParams.get('side') === 'before';
  const known = commit.diff.files.find(({ path }) => path === file.path);
  const from = view.since === 'pushed' ? (run.change.pushedHead?.sha ?? commit.base) : commit.base;
  const bytes = await parts.fileOf(
    run.id,
    isBefore ? from : commit.sha,
    isBefore ? (known?.oldPath ?? file.path) : file.path,
  );
  const picture = bytes && recognisePicture(bytes);
  // guard: O5-picture-bytes
  if (!bytes || !picture) return null;
  return {
    type: TYPES[picture.kind],
    body: bytes,
    headers: { 'content-security-policy': "default-src 'none'; sandbox" },
  };
};
