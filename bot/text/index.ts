/** Text as chats and pages show it: escaped, cut, paged. */
export { sayRecord } from './sentence-catalogue.ts';
export { isPatchPaginated, cachePatchPages, paginatePatch } from './hunk-pages.ts';
export { type BookFile, type PatchBook, readPatchBook } from './patch-book.ts';
export { MAX_PICTURE_BYTES, recognisePicture } from './recognise-picture.ts';
export { durationText, escapeHtml, momentText, stripMarkup } from './telegram-html.ts';
export { toReadablePatch } from './visible-patch.ts';
