/** Outline of a source file: definitions, calls, imports, and places with invalid syntax. */

/** Lines count from 1; `depth` counts the definitions around it; `text` is its first line. */
export type Definition = { name: string; line: number; endLine: number; depth: number; text: string };
export type FileOutline = {
  definitions: readonly Definition[];
  calls: readonly { name: string; line: number }[];
  imports: readonly string[];
};
export type SyntaxFault = { line: number; column: number; kind: 'error' | 'missing'; text: string };

export const definitionAt = (definitions: readonly Definition[], line: number): Definition | null =>
  definitions
    .filter((one) => one.line <= line && line <= one.endLine)
    .sort((a, b) => b.line - a.line || a.endLine - b.endLine)[0] ?? null;

/** Faults of `after` that `before` does not have; lines move, so their texts are compared. */
export const newFaults = (
  before: readonly SyntaxFault[],
  after: readonly SyntaxFault[],
): readonly SyntaxFault[] => {
  const known = new Map<string, number>();
  const keyOf = ({ kind, text }: SyntaxFault): string => `${kind} ${text.trim()}`;
  for (const fault of before) known.set(keyOf(fault), (known.get(keyOf(fault)) ?? 0) + 1);
  return after.filter((fault) => {
    const left = known.get(keyOf(fault)) ?? 0;
    known.set(keyOf(fault), left - 1);
    // guard: E9-new-faults-only
    if (left > 0) return false;
    return true;
  });
};
