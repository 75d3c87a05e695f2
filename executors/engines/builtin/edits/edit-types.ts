/** Types of the edits parsed from a model's answer, and of where they are placed. */
import type { FileText } from './file-text.ts';

export type SearchReplace = {
  search: readonly string[];
  replace: readonly string[];
  /** Read as if the model forgot the blank before context lines. */
  unmarked?: SearchReplace;
};

export type PatchEdit =
  | {
      kind: 'replace';
      path: string | null;
      readings: readonly SearchReplace[];
      line: number | null;
      under: string | null;
      /** A hunk that only adds goes below `under`, or to the end. */
      hunk: boolean;
    }
  | { kind: 'create'; path: string | null; lines: readonly string[] }
  | { kind: 'delete'; path: string | null; lines: readonly string[] | null }
  | { kind: 'move'; path: string | null; to: string };
export type ReplaceEdit = Extract<PatchEdit, { kind: 'replace' }>;

export type WrongBlock = { block: number; says: string };
export type PatchRead = { edits: readonly PatchEdit[]; wrong: readonly WrongBlock[] };

export type EditPlacement =
  | { kind: 'placed'; text: FileText; plain: boolean; at: number }
  | { kind: 'there' }
  | { kind: 'nowhere' }
  | { kind: 'several'; at: readonly number[] }
  | { kind: 'refused'; why: string };
