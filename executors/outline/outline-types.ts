/** Outline of a source file: definitions, calls, imports, and places with invalid syntax. */
import { findNewEntries } from '#model/values';

export type Definition = { name: string; line: number; endLine: number; depth: number; text: string };
export type FileOutline = {
  definitions: readonly Definition[];
  calls: readonly { name: string; line: number }[];
  imports: readonly string[];
};
export type SyntaxFault = { line: number; column: number; kind: 'error' | 'missing'; text: string };

export const findDefinitionAt = (definitions: readonly Definition[], line: number): Definition | null =>
  definitions
    .filter((one) => one.line <= line && line <= one.endLine)
    .sort((a, b) => b.line - a.line || a.endLine - b.endLine)[0] ?? null;

export const findNewFaults = (
  before: readonly SyntaxFault[],
  after: readonly SyntaxFault[],
): readonly SyntaxFault[] => findNewEntries(before, after, ({ kind, text }) => `${kind} ${text.trim()}`);
