/** Splits a change into files of lines, prepared for people (O5). */
import { parseFilePatches, type FilePatch } from './parse-patch.ts';
import { toReadablePatch } from './visible-patch.ts';

export type BookFile = Pick<FilePatch, 'path' | 'added' | 'deleted' | 'binary'> & {
  /** Git's words about the file, such as its mode. */
  head: string[];
  /** Lines of all hunks, each with its sign; a hunk begins with `@@`. */
  lines: string[];
};
export type PatchBook = BookFile[];

export const readPatchBook = (patch: string): PatchBook =>
  parseFilePatches(patch).map((file) => {
    const shown = toReadablePatch(file.text).split('\n');
    const first = shown.findIndex((line) => line.startsWith('@@'));
    const head = (first < 0 ? shown : shown.slice(0, first)).filter((line) => line !== '');
    const { path, added, deleted, binary } = file;
    return { path, added, deleted, binary, head, lines: first < 0 ? [] : shown.slice(first) };
  });
