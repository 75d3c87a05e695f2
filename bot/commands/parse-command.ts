/** Parses a typed command (C1). Tolerates phone keyboards' typography, but not ambiguity. Pure. */
import { isWrongArgument, type CommandProblem } from '#model/chat';
import {
  findCommand,
  findNearestCommand,
  isReadOnlyCommand,
  parseTypedCommand,
  type CommandName,
  type CommandOf,
} from '#commands';

export type ParsedCommand =
  | CommandOf<CommandName>
  /** A known command with invalid parameters; `problem` is null when something is only missing. */
  | { kind: 'wrong'; command: CommandName; problem: CommandProblem | null }
  | { kind: 'unknown'; name: string; near: CommandName | null }
  | { kind: 'text' | 'other_bot' };

/** Phone keyboards turn `--` into a dash and straight quotes into curly ones. */
const straightenTyping = (text: string): string =>
  text
    .replace(/[“”„‟«»]/g, '"')
    .replace(/=‘([^‘’]*)’(?=\s|$)/g, "='$1'")
    .replace(/(^|\s)[\u2012-\u2015\u2212](?=[a-z])/gi, '$1--');

/** Some keyboards surround text with invisible marks and type a full-width slash. */
const INKLESS = '[\\s\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]';
const INVISIBLE_EDGES = new RegExp(`^${INKLESS}+|(?<!${INKLESS})${INKLESS}+$`, 'g');
export const trimInvisible = (text: string): string =>
  text.replace(INVISIBLE_EDGES, '').replace(/^\uff0f/, '/');

/** Telegram commands are ASCII, so a slash before other letters starts free text. */
const SPOKEN = /^\/(?:\s+\S|[^\x00-\x7f])/;
export const freeTextOf = (text: string): string =>
  (SPOKEN.test(trimInvisible(text)) ? trimInvisible(text).slice(1) : text).trim();

export type SplitCommand =
  | { command: CommandName; rest: string }
  | Exclude<ParsedCommand, { kind: CommandName | 'wrong' }>;
export const splitCommand = (typed: string, botName: string | null): SplitCommand => {
  const text = trimInvisible(typed);
  const [, word, at, rest] = /^\/([A-Za-z0-9_]+)(?:@([A-Za-z0-9_]+))?(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (word === undefined) {
    if (!text.startsWith('/') || SPOKEN.test(text)) return { kind: 'text' };
    return { kind: 'unknown', name: text.slice(1, 33), near: null };
  }
  if (at !== undefined && botName !== null && at.toLowerCase() !== botName.toLowerCase())
    return { kind: 'other_bot' };
  const command = findCommand(word);
  if (command === undefined)
    return { kind: 'unknown', name: word.slice(0, 32), near: findNearestCommand(word) };
  const said = straightenTyping(rest ?? '').trim();
  // `/status` of one run is asked for more often than it is named `/detail`.
  return { command: command === 'status' && said !== '' ? 'detail' : command, rest: said };
};

/**
 * True for free text, which may begin with a path ("/src/a.ts …"): only that answers a question.
 * `/word` is meant as a command, known or not, also where an app makes every message a reply.
 */
export const canBeAnswer = (split: SplitCommand): boolean =>
  'kind' in split &&
  (split.kind === 'text' || (split.kind === 'unknown' && /[^A-Za-z0-9_]/.test(split.name)));

const readCommand = (split: SplitCommand, run: string | null = null): ParsedCommand => {
  if ('kind' in split) return split;
  const { command, rest } = split;
  const read = parseTypedCommand(command, rest, run);
  return isWrongArgument(read) ? { kind: 'wrong', command, problem: read.problem } : read;
};

export const parseCommand = (typed: string, botName: string | null): ParsedCommand =>
  readCommand(splitCommand(typed, botName));

export const isCommand = (command: ParsedCommand): command is CommandOf<CommandName> =>
  !['wrong', 'unknown', 'text', 'other_bot'].includes(command.kind);

export const isReadOnlyRequest = (command: ParsedCommand): boolean =>
  !isCommand(command) || isReadOnlyCommand(command.kind, command);
