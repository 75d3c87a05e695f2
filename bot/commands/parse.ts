/** C1: reads a typed command. Forgiving about what phone keyboards do to text, strict about what it means. Pure. */
import { BUDGETS, type Budget } from '../../orchestrator/core/bounds.ts';
import { readAmount, type Amount } from '../../orchestrator/core/machine/budget.ts';
import { STATES, type State } from '../../orchestrator/core/states.ts';
import type { Words as PublicWords } from '../../orchestrator/core/machine/words.ts';
import { LANGUAGE_CODES, type Language, type Words } from '../language/language.ts';
import { ROLES, type Role } from '../../orchestrator/core/roles.ts';
import { commandNamed, type CommandName } from '../language/list.ts';
import { readNew, type NewRun } from './parse-new.ts';

export type BudgetWish = Amount & { budget: Budget };

export type UserChange =
  { op: 'add'; id: number; role: Role; name: string | null } | { op: 'remove'; id: number };

export type Command =
  | { kind: 'new'; order: NewRun }
  | { kind: 'runs' | 'status' | 'pending' | 'help' }
  | { kind: 'settings'; language: Language | 'auto' | null }
  | { kind: 'users'; change: UserChange | null }
  | { kind: 'detail' | 'diff' | 'plan'; run: string }
  | { kind: 'budget'; run: string; raise: BudgetWish | null }
  | { kind: 'log'; run: string; step: string | null }
  | { kind: 'fix'; run: string; instruction: string }
  | { kind: 'edit'; run: string; words: PublicWords; reason: string }
  | { kind: 'pause' | 'done' | 'update'; run: string }
  /** The commit as the message shows it; null asks for the message. */
  | { kind: 'take'; run: string; sha: string | null }
  | { kind: 'approve'; run: string; confirm: boolean }
  | { kind: 'deny'; run: string; final: boolean; reason: string }
  /** `advice` is what the agent is told; null when nothing. */
  | { kind: 'retry' | 'resume'; run: string; target: State | null; advice: string | null }
  | { kind: 'cancel' | 'skip'; run: string; reason: string }
  /** Known, but not written as it should be; `why` says what is wrong when it is more than an omission. */
  | { kind: 'wrong'; command: CommandName; why: string | null }
  | { kind: 'unknown'; name: string }
  /** Free text, or a command for another bot. */
  | { kind: 'text' | 'other_bot' };

/** Phone keyboards turn `--` into a dash and straight quotes into curly ones. */
const straighten = (text: string): string =>
  text.replace(/[“”„‟«»]/g, '"').replace(/(^|\s)[\u2012-\u2015\u2212](?=[a-z])/gi, '$1--');

/** Keyboards of some scripts put marks without ink around a line, and write the slash wide. */
const INKLESS = '[\\s\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+';
const AROUND = new RegExp(`^${INKLESS}|${INKLESS}$`, 'g');
const bare = (text: string): string => text.replace(AROUND, '').replace(/^\uff0f/, '/');

export const parseCommand = (typed: string, botName: string | null, words: Words): Command => {
  const text = bare(typed);
  const [, word, at, rest] = /^\/([A-Za-z0-9_]+)(?:@([A-Za-z0-9_]+))?(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (word === undefined) return text.startsWith('/') ? { kind: 'unknown', name: '' } : { kind: 'text' };
  if (at !== undefined && botName !== null && at.toLowerCase() !== botName.toLowerCase())
    return { kind: 'other_bot' };
  const command = commandNamed(word);
  if (command === undefined) return { kind: 'unknown', name: word.slice(0, 32) };
  return read(command, straighten(rest ?? '').trim(), words.problems);
};

type Problems = Words['problems'];

const read = (command: CommandName, args: string, problems: Problems): Command => {
  const wrong = (why?: string): Command => ({ kind: 'wrong', command, why: why ?? null });
  switch (command) {
    case 'runs':
    case 'status':
    case 'pending':
    case 'help':
      return { kind: command };
    case 'new':
      return readNew(args, problems);
    case 'settings':
      return readSettings(args, wrong, problems);
    case 'users':
      return readUsers(args, wrong, problems);
    default: {
      const [first = '', ...more] = args.split(/\s+/);
      const run = first.replace(/^#/, '');
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(run) || run.startsWith('-')) return wrong();
      const tail = args.slice(first.length).trim();
      return readRun(command, run, more.filter(Boolean), tail, wrong, problems);
    }
  }
};

type Wrong = (why?: string) => Command;

const readSettings = (args: string, wrong: Wrong, problems: Problems): Command => {
  const [key = '', value = '', ...more] = args.toLowerCase().split(/\s+/);
  if (key === '') return { kind: 'settings', language: null };
  if (key !== 'language' || more.length > 0 || value === '') return wrong();
  const language = value === 'auto' ? value : LANGUAGE_CODES.find((l) => l === value);
  return language ? { kind: 'settings', language } : wrong(problems.language(value.slice(0, 40)));
};

const readUsers = (args: string, wrong: Wrong, problems: Problems): Command => {
  if (args === '') return { kind: 'users', change: null };
  const [op = '', who = '', what = '', ...name] = args.split(/\s+/);
  const id = /^\d{1,15}$/.test(who) ? Number(who) : null;
  if (!/^(add|remove)$/i.test(op) || who === '') return wrong();
  if (id === null) return wrong(problems.user(who.slice(0, 40)));
  if (op.toLowerCase() === 'remove')
    return what === '' ? { kind: 'users', change: { op: 'remove', id } } : wrong();
  const role = ROLES.find((r) => r === what.toLowerCase());
  if (!role) return what === '' ? wrong() : wrong(problems.role(what.slice(0, 40), ROLES.join(', ')));
  return { kind: 'users', change: { op: 'add', id, role, name: name.join(' ').slice(0, 60) || null } };
};

type Targeted = Exclude<CommandName, 'runs' | 'status' | 'pending' | 'help' | 'new' | 'settings' | 'users'>;

const readRun = (
  command: Targeted,
  run: string,
  words: string[],
  tail: string,
  wrong: Wrong,
  problems: Problems,
): Command => {
  switch (command) {
    case 'log':
      return { kind: 'log', run, step: tail.slice(0, 100) || null };
    case 'edit':
      return readEdit(run, tail, wrong, problems);
    case 'fix':
      if (tail === '') return wrong(problems.fix);
      return tail.length > 20_000 ? wrong(problems.longFix) : { kind: 'fix', run, instruction: tail };
    case 'detail':
    case 'diff':
    case 'plan':
    case 'pause':
    case 'done':
    case 'update':
      return words.length === 0 ? { kind: command, run } : wrong();
    case 'budget':
      return readBudget(run, words, wrong, problems);
    case 'take': {
      const [sha = null, ...more] = words.map((word) => word.toLowerCase());
      return more.length > 0 || (sha !== null && !/^[0-9a-f]{6,64}$/.test(sha))
        ? wrong()
        : { kind: 'take', run, sha };
    }
    case 'approve': {
      const flags = words.map((w) => w.toLowerCase());
      if (flags.some((f) => f !== '--confirm')) return wrong();
      return { kind: 'approve', run, confirm: flags.length > 0 };
    }
    case 'deny': {
      const final = words.some((w) => w.toLowerCase() === '--final');
      const flag = words.find((w) => w.startsWith('--') && w.toLowerCase() !== '--final');
      if (flag) return wrong(problems.flag(flag));
      const reason = tail.replace(/(^|\s)--final(?=\s|$)/i, ' ').trim();
      return reason.length > 2_000 ? wrong(problems.longReason) : { kind: 'deny', run, final, reason };
    }
    case 'cancel':
    case 'skip':
      return tail.length > 2_000 ? wrong(problems.longReason) : { kind: command, run, reason: tail };
    case 'retry':
    case 'resume':
      return readOnward(command, run, tail, wrong, problems);
  }
};

/** A state, what the agent is told, or both. Before words a state stands as we write it; one word alone tells nobody anything. */
const readOnward = (
  kind: 'retry' | 'resume',
  run: string,
  tail: string,
  wrong: Wrong,
  problems: Problems,
): Command => {
  const words = tail.split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const whole = STATES.find((s) => s === words.join('_').toUpperCase());
  if (words.length === 0 || whole) return { kind, run, target: whole ?? null, advice: null };
  const target = STATES.find((s) => s === first) ?? null;
  const advice = target ? tail.slice(first.length).trim() : tail;
  if (/^[\w-]+$/.test(advice)) return wrong(problems.state(tail.slice(0, 60)));
  return advice.length > 2_000 ? wrong(problems.longAdvice) : { kind, run, target, advice };
};

const readBudget = (run: string, words: string[], wrong: Wrong, problems: Problems): Command => {
  const [kind, text, ...more] = words.map((word) => word.toLowerCase());
  if (kind === undefined) return { kind: 'budget', run, raise: null };
  const budget = BUDGETS.find((one) => one === kind);
  if (!budget) return wrong(problems.budget(kind.slice(0, 40), BUDGETS.join(', ')));
  if (text === undefined || more.length > 0) return wrong();
  const read = readAmount(budget, text);
  if (!read) return wrong(problems.amount(text.slice(0, 40)));
  return { kind: 'budget', run, raise: { budget, ...read } };
};

const EDITED = /(?:^|\s)(title|description)=(?:"([^"]*)"|([^\s"]+))(?=\s|$)/gi;

/** Options wherever they stand; what is left is why. */
const readEdit = (run: string, tail: string, wrong: Wrong, problems: Problems): Command => {
  const given = [...tail.matchAll(EDITED)].map((m): [string, string] => [
    (m[1] ?? '').toLowerCase(),
    (m[2] ?? m[3] ?? '').trim(),
  ]);
  for (const name of ['title', 'description']) {
    const all = given.filter(([option]) => option === name);
    if (all.length > 1) return wrong(problems.twice(name));
    if (all.some(([, value]) => value === '')) return wrong(problems.value(name));
  }
  const words = {
    title: given.find(([option]) => option === 'title')?.[1] ?? null,
    description: given.find(([option]) => option === 'description')?.[1] ?? null,
  };
  if (words.title === null && words.description === null) return wrong();
  if ((words.title?.length ?? 0) > 200) return wrong(problems.longTitle);
  if ((words.description?.length ?? 0) > 5_000) return wrong(problems.longDescription);
  const reason = tail.replace(EDITED, ' ').replace(/\s+/g, ' ').trim();
  return reason.length > 2_000 ? wrong(problems.longReason) : { kind: 'edit', run, words, reason };
};
