/** What a model wants to change, as it was read from its words. */

import type { LineFit } from './find-lines.ts';
import type { FileText } from './file-text.ts';

/** Lines that are to be found, and lines that are to stand there instead. */
export type SearchReplace = {
  search: readonly string[];
  replace: readonly string[];
  /** Of a hunk: the same, if the model forgot the blank before the lines that stay. */
  unmarked?: SearchReplace;
};

export type PatchEdit =
  | {
      kind: 'replace';
      path: string | null;
      /** More than one where a block can be read in several ways. */
      readings: readonly SearchReplace[];
      /** FileLine (from 1) at which the model believes it stands. */
      line: number | null;
      /** A line above it, by which it is found among others that are the same. */
      under: string | null;
      /** A hunk of a diff: one that only adds goes below `under`, or to the end. */
      hunk: boolean;
    }
  | { kind: 'create'; path: string | null; lines: readonly string[] }
  /** `lines`: what the model believes the file to be; null where it does not say. */
  | { kind: 'delete'; path: string | null; lines: readonly string[] | null }
  | { kind: 'move'; path: string | null; to: string };

/** `block` counts from 1. */
export type WrongBlock = { block: number; says: string };
export type PatchRead = { edits: readonly PatchEdit[]; wrong: readonly WrongBlock[] };

/** What became of one block in one file. */
export type EditPlacement =
  | { kind: 'placed'; text: FileText; likeness: LineFit | 'elided'; at: number }
  /** It stands there already, or changes nothing. */
  | { kind: 'there' }
  | { kind: 'nowhere' }
  | { kind: 'several'; at: readonly number[] }
  | { kind: 'refused'; why: string };
