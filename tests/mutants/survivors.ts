/**
 * Mutants that no test can notice, and why. `code` stands on the line that is changed; `puts`, where it is given, is what was
 * put there. A row that explains nothing any more is refused by main.ts.
 */
import type { Mutant } from './report.ts';

export type Explained = { file: string; code: string; puts?: readonly string[]; why: string };

export const SURVIVORS: readonly Explained[] = [];

export const explained = ({ file, text, put }: Mutant): Explained | null =>
  SURVIVORS.find((s) => s.file === file && text.includes(s.code) && (s.puts?.includes(put) ?? true)) ?? null;
