/** Renders a patch for people in a worker thread. */
import { allowLongTexts } from '#process';
import { paginatePatch, readPatchBook, toReadablePatch } from '#chat-text';
import { MB } from '#model/values';

const FILES = /(?<=\n)(?=diff --git )/;

/** Patches are kept up to 1 MB, and each invisible character of one is written out. */
const MAX_SHOWN_LENGTH = 16 * MB;

/** Sent as a file, or put on a page as they are: no expression of the main thread reads them. */
export const readerTasks = {
  show: allowLongTexts(MAX_SHOWN_LENGTH, (patch: string): string =>
    patch.split(FILES).map(toReadablePatch).join(''),
  ),
  pages: allowLongTexts(MAX_SHOWN_LENGTH, paginatePatch),
  book: allowLongTexts(MAX_SHOWN_LENGTH, readPatchBook),
};
