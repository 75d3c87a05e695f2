/** Parse errors of commands as records; each language has a sentence for them (C1). */
import type { ValidationIssue } from '#model/settings';
import type { SignOffProblem } from '#model/trailers';

export const MAX_ARGUMENT_LENGTHS = {
  reason: 2_000,
  advice: 2_000,
  title: 200,
  description: 5_000,
  goal: 8_000,
  instruction: 20_000,
  question: 2_000,
} as const;

export type CommandProblem =
  | { kind: 'flag'; flag: string }
  | {
      kind:
        | 'state'
        | 'repo'
        | 'pull'
        | 'branch'
        | 'language'
        | 'user'
        | 'amount'
        | 'label'
        | 'milestone'
        | 'account';
      text: string;
    }
  | { kind: 'no_list' }
  | { kind: 'list_long' | 'queries' | 'pulls'; most: number }
  | { kind: 'query' | 'query_quote'; text: string }
  | { kind: 'line' | 'line_more'; line: number; text: string }
  | { kind: 'file_long' | 'picture_large' | 'picture_gone'; most: number }
  | { kind: 'picture_form' | 'picture_points' }
  | { kind: 'file_yaml'; line: number; says: string }
  | { kind: 'file_alias' | 'file_deep' | 'file_documents' | 'file_twice'; line: number }
  | { kind: 'file_quote'; line: number; key: string; value: string; quoted: string }
  | { kind: 'file_key'; line: number; at: string; key: string; near: string | null; known: string[] }
  /** Several faults of one file. */
  | { kind: 'file_faults'; faults: CommandProblem[]; more: number }
  | { kind: 'file_value'; line: number; misfit: ValidationIssue }
  | { kind: 'file_after_self' | 'file_after_unknown' | 'file_after_twice'; line: number; repo: string }
  | { kind: 'file_circle'; line: number; way: string }
  | { kind: 'file_repo'; line: number; at: number; text: string }
  | {
      kind:
        | 'file_goal'
        | 'file_fixes'
        | 'file_scripts'
        | 'file_repos'
        | 'file_engine'
        | 'file_script'
        | 'file_text'
        | 'file_gone'
        | 'file_hard'
        | 'file_words';
    }
  | { kind: 'variable'; name: string; repo: string }
  | { kind: 'variable_taken'; name: string; repo: string }
  | { kind: 'misplaced'; name: string; repo: string }
  /** Published text contains something that looks like a variable but is none. */
  | { kind: 'no_variable'; text: string }
  | { kind: 'variable_long'; name: string; repo: string; most: number }
  | { kind: 'column'; name: string }
  | { kind: 'no_goal' | 'no_instruction' | 'no_words_to_ask' | 'engines' | 'no_engine' }
  | { kind: 'sign_off'; wrong: SignOffProblem }
  | { kind: 'value' | 'twice' | 'quote'; option: string }
  | { kind: 'setting'; text: string; near: string | null; all: string }
  | { kind: 'zone'; zone: string; near: string | null }
  | { kind: 'choice'; setting: string; text: string; all: string }
  | { kind: 'bounds'; setting: string; text: string; least: number; most: number; off: boolean }
  | { kind: 'option'; option: string; near: string | null; all: string }
  | {
      kind:
        | 'flow'
        | 'discovery'
        | 'install'
        | 'draft'
        | 'engine'
        | 'prompt_version'
        | 'role'
        | 'budget'
        | 'reported';
      text: string;
      all: string;
    }
  | { kind: 'proposers'; text: string; all: string }
  | { kind: 'long'; what: keyof typeof MAX_ARGUMENT_LENGTHS; most: number };

/** A null problem shows the command's usage. */
export type WrongArgument = { problem: CommandProblem | null };

export const toWrongArgument = (problem: CommandProblem | null = null): WrongArgument => ({ problem });
export const isWrongArgument = (read: object): read is WrongArgument => 'problem' in read;
export const tooLongArgument = (what: keyof typeof MAX_ARGUMENT_LENGTHS): WrongArgument =>
  toWrongArgument({ kind: 'long', what, most: MAX_ARGUMENT_LENGTHS[what] });

const clipArgument = (text: string): string => text.slice(0, 60);
export const unusableArgument = (
  kind:
    | 'state'
    | 'repo'
    | 'pull'
    | 'branch'
    | 'language'
    | 'user'
    | 'amount'
    | 'label'
    | 'milestone'
    | 'account',
  text: string,
): WrongArgument => toWrongArgument({ kind, text: clipArgument(text) });
export const unknownChoice = (
  kind:
    | 'flow'
    | 'discovery'
    | 'install'
    | 'draft'
    | 'engine'
    | 'prompt_version'
    | 'role'
    | 'budget'
    | 'reported',
  text: string,
  all: readonly string[],
): WrongArgument => toWrongArgument({ kind, text: clipArgument(text), all: all.join(', ') });
