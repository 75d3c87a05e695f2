/** Renders a patch for people in a worker thread. */
import { readPages } from '../bot/text/hunk-pages.ts';
import { readPatchBook } from '../bot/text/patch-book.ts';
import { forPeople } from '../bot/text/visible-patch.ts';

const FILES = /(?<=\n)(?=diff --git )/;

export const tasks = {
  show: (patch: string): string => patch.split(FILES).map(forPeople).join(''),
  pages: readPages,
  book: readPatchBook,
};
