/** Text as chats and pages show it: escaped, cut, paged. */
export { sayRecord } from './catalogue.ts';
export { isReadAlready, keepPages, readPages } from './hunk-pages.ts';
export { type BookFile, type PatchBook, readPatchBook } from './patch-book.ts';
export { MAX_PICTURE_BYTES, pictureIn } from './recognise-picture.ts';
export { durationText, escapeHtml, momentText, stripMarkup } from './telegram-html.ts';
export { forPeople } from './visible-patch.ts';
