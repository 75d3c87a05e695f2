/** English texts for the diff pages. Plain text, not escaped. */
import type { HunkPage } from '../../text/hunk-pages.ts';

export const enViewer = {
  title: 'DIFF',
  at: (file: number, files: number, { hunk, hunks, part, parts }: HunkPage) =>
    [`file ${file}/${files}`, `hunk ${hunk}/${hunks}`, ...(parts > 1 ? [`part ${part}/${parts}`] : [])].join(
      ' · ',
    ),
  back: '◀ Hunk',
  on: 'Hunk ▶',
  fileBack: '◀ File',
  fileOn: 'File ▶',
  risky: 'Next ⚠ file',
  picture: 'Picture',
  sides: { before: 'Before', after: 'After' },
  noPicture: 'Neither side of this file is a picture that I can show: PNG, JPEG, GIF or WebP, at most 5 MB.',
  toCard: 'Back to the card',
  end: 'There is no more in this direction.',
  over: 'The change has moved on since these pages. Tap Diff on the newest card, or write /diff.',
};
