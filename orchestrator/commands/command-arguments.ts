/** The arguments of all commands, each defined once (C1). Pure. */
import { z } from 'zod';
import { OpaqueId } from '#model/order';
import { ACTIVE_STATES, RUN_STATES } from '#model/run';
import { BudgetKind, BUDGET_KINDS, mayBeUnlimited, readAmount } from '#model/limits';
import { PullText } from '#model/pull';
import { RecordedAnswer, PERSONAL_REQUIREMENTS } from '#model/requirements';
import { SignOff, signOffProblem } from '#model/trailers';
import {
  DEFAULT_INSIGHT_DAYS,
  readDays,
  readReportRequest,
  ReportRequest,
  REPORT_WORDS,
  REPORT_SPANS,
  DEFAULT_REPORT,
} from '#model/reports';
import { USER_ROLES, type UserRole } from '#model/settings';
import {
  isWrongArgument,
  MAX_ARGUMENT_LENGTHS,
  unusableArgument,
  unknownChoice,
  tooLongArgument,
  toWrongArgument,
  type WrongArgument,
} from '#model/chat';
import { defineArgument, flagArgument, commandLineOption, takeWhole, splitWords } from './define-argument.ts';
import { NewOrder, parseTypedOrder, PullList, parsePullList } from '#orders';
import { BUDGET_NAMES, SETTING_NAMES, parseSettingName, settingRow } from '#settings';

export const confirmArgument = flagArgument('confirm');
export const finalArgument = flagArgument('final');

export const reasonArgument = defineArgument(z.string().max(MAX_ARGUMENT_LENGTHS.reason), {
  otherwise: '',
  typed: takeWhole,
  host: {
    ...commandLineOption('reason', '<text>'),
    read: ({ options }) => ({ value: options.reason ?? '' }),
  },
  refused: () => tooLongArgument('reason'),
});

/** A state that stands alone may be spelled freely; followed by words it needs our spelling. */
export const targetStateArgument = defineArgument(z.enum(RUN_STATES).nullable(), {
  otherwise: null,
  typed: (rest) => {
    const alone = RUN_STATES.find((s) => s === splitWords(rest).join('_').toUpperCase());
    if (alone) return takeWhole(alone);
    const first = RUN_STATES.find((s) => s === splitWords(rest)[0]);
    return first ? { value: first, rest: rest.slice(first.length).trim() } : { value: null, rest };
  },
  host: {
    ...commandLineOption('target', ACTIVE_STATES),
    read: ({ options }) => ({ value: options.target ?? null }),
  },
});

/** A single word is read as a state, not as advice to the agent. */
export const adviceArgument = defineArgument(z.string().min(1).max(MAX_ARGUMENT_LENGTHS.advice).nullable(), {
  otherwise: null,
  typed: (rest, all) =>
    /^[\w-]+$/.test(rest) ? unusableArgument('state', all) : takeWhole(rest === '' ? null : rest),
  host: {
    words: [],
    options: { tell: '<text>' },
    read: ({ options }) => ({ value: options.tell === '' ? null : (options.tell ?? null) }),
  },
  refused: () => tooLongArgument('advice'),
});

export const instructionArgument = defineArgument(z.string().min(1).max(MAX_ARGUMENT_LENGTHS.instruction), {
  typed: (rest) => (rest === '' ? toWrongArgument({ kind: 'no_instruction' }) : takeWhole(rest)),
  refused: () => tooLongArgument('instruction'),
});

/** E21: what a working agent is told; one line of a chat. */
export const agentWordsArgument = defineArgument(z.string().min(1).max(MAX_ARGUMENT_LENGTHS.advice), {
  typed: (rest) => (rest === '' ? toWrongArgument({ kind: 'no_instruction' }) : takeWhole(rest)),
  refused: () => tooLongArgument('advice'),
});

export const personQuestionArgument = defineArgument(z.string().min(1).max(MAX_ARGUMENT_LENGTHS.question), {
  typed: (rest) => (rest === '' ? toWrongArgument({ kind: 'no_words_to_ask' }) : takeWhole(rest)),
  refused: () => tooLongArgument('question'),
});

export const topicArgument = defineArgument(z.string().nullable(), {
  otherwise: null,
  typed: (rest) => takeWhole(rest.replace(/^\//, '').toLowerCase().slice(0, 40) || null),
});

export const reportArgument = defineArgument(ReportRequest, {
  otherwise: DEFAULT_REPORT,
  typed: (rest) => {
    const read = readReportRequest(splitWords(rest.toLowerCase()));
    return 'strange' in read ? unknownChoice('reported', read.strange, REPORT_WORDS) : takeWhole(read);
  },
});

/** `low` lists low-risk cards; a digest lists the runs whose agents ask for the same. */
export const waitingArgument = defineArgument(
  z
    .string()
    .regex(/^(?:low|[0-9a-f]{16})$/)
    .nullable(),
  { otherwise: null, typed: (rest) => takeWhole(rest.toLowerCase() || null) },
);

export const periodArgument = defineArgument(z.number().nullable(), {
  otherwise: DEFAULT_INSIGHT_DAYS,
  typed: (rest) => {
    const read = rest === '' ? { days: DEFAULT_INSIGHT_DAYS } : readDays(rest);
    return read ? takeWhole(read.days) : unknownChoice('reported', rest, REPORT_SPANS);
  },
});

/** Payload of a deep link to the chat (Bot API). */
export const payloadArgument = defineArgument(z.string().max(64).nullable(), {
  otherwise: null,
  typed: (rest) => takeWhole(rest.slice(0, 64) || null),
});

export const stepArgument = defineArgument(z.string().nullable(), {
  otherwise: null,
  typed: (rest) => takeWhole(rest.slice(0, 100) || null),
});

export const orderArgument = defineArgument(NewOrder, {
  typed: (rest) => {
    const read = parseTypedOrder(rest);
    return isWrongArgument(read) ? read : { ...read, rest: '' };
  },
});

export const listArgument = defineArgument(z.string(), { otherwise: '', typed: takeWhole });

export const pullsArgument = defineArgument(PullList, {
  typed: (rest) => {
    const read = parsePullList(rest);
    return isWrongArgument(read) ? read : takeWhole(read.value);
  },
});

export const campaignArgument = defineArgument(z.string().max(40).nullable(), {
  otherwise: null,
  typed: (rest) => {
    const [id = '', ...more] = splitWords(rest);
    return { value: id || null, rest: more.join(' ') };
  },
});

export const undoArgument = defineArgument(z.boolean(), {
  otherwise: false,
  typed: (rest) => ({ value: /^undo$/i.test(rest), rest: /^undo$/i.test(rest) ? '' : rest }),
});

export const shaArgument = defineArgument(
  z
    .string()
    .regex(/^[0-9a-f]{6,64}$/)
    .nullable(),
  { otherwise: null, typed: (rest) => takeWhole(rest.toLowerCase() || null) },
);

const BudgetRaise = z.object({ budget: BudgetKind, amount: z.number().nullable(), more: z.boolean() });
export type BudgetRaise = z.infer<typeof BudgetRaise>;
const readRaise = (kind: string, amount: string): { value: BudgetRaise } | WrongArgument => {
  const budget = BUDGET_KINDS.find((one) => one === kind);
  if (!budget) return unknownChoice('budget', kind, BUDGET_KINDS);
  if (amount === 'none' && mayBeUnlimited(budget)) return { value: { budget, amount: null, more: false } };
  const read = readAmount(budget, amount);
  return read ? { value: { budget, ...read } } : unusableArgument('amount', amount);
};
/** A new limit or an increase; null shows the budget. */
export const raiseArgument = defineArgument(BudgetRaise.nullable(), {
  otherwise: null,
  typed: (rest) => {
    const [kind, amount, ...more] = splitWords(rest.toLowerCase());
    if (kind === undefined) return takeWhole(null);
    if (!BUDGET_KINDS.some((one) => one === kind)) return unknownChoice('budget', kind, BUDGET_KINDS);
    if (amount === undefined || more.length > 0) return toWrongArgument();
    const read = readRaise(kind, amount);
    return isWrongArgument(read) ? read : takeWhole(read.value);
  },
  host: {
    words: ['<budget>', '<limit>'],
    options: {},
    // Rejects relative amounts: a repeated call must have the same effect.
    read: ({ words: [kind = '', amount = ''] }) =>
      BUDGET_KINDS.some((one) => one === kind) && amount.startsWith('+')
        ? unusableArgument('amount', amount)
        : readRaise(kind, amount),
  },
});

const GIVEN = /(?:^|\s)(title|description)=(?:"([^"]*)"|([^\s"]*))(?=\s|$)/gi;
const UNCLOSED_TEXT_OPTION = /(?:^|\s)(title|description)="[^"]*$/i;
/** New title or description, anywhere in the line; the rest is the reason. */
export const pullTextArgument = defineArgument(PullText, {
  typed: (rest) => {
    const [, open] = UNCLOSED_TEXT_OPTION.exec(rest) ?? [];
    if (open !== undefined) return toWrongArgument({ kind: 'quote', option: open.toLowerCase() });
    const given = [...rest.matchAll(GIVEN)].map(([, name = '', quoted, plain]) => ({
      name: name.toLowerCase(),
      text: (quoted ?? plain ?? '').trim(),
    }));
    const textOfArgument = (name: string): string | null =>
      given.find((one) => one.name === name)?.text ?? null;
    for (const name of ['title', 'description']) {
      const all = given.filter((one) => one.name === name);
      if (all.length > 1) return toWrongArgument({ kind: 'twice', option: name });
      if (all.some(({ text }) => text === '')) return toWrongArgument({ kind: 'value', option: name });
    }
    const value = { title: textOfArgument('title'), description: textOfArgument('description') };
    if (value.title === null && value.description === null) return toWrongArgument();
    return { value, rest: rest.replace(GIVEN, ' ').replace(/\s+/g, ' ').trim() };
  },
  host: {
    words: [],
    options: { title: '<text>', description: '<text>' },
    read: ({ options: { title, description } }) => ({
      value: { title: title ?? null, description: description ?? null },
    }),
  },
  refused: (member) => tooLongArgument(member === 'title' ? 'title' : 'description'),
});

const ChatSetting = z.discriminatedUnion('what', [
  z.object({ what: z.literal('language'), to: z.string() }),
  /** `Name <email>`; empty removes it. */
  z.object({ what: z.literal('signoff'), to: z.union([SignOff, z.literal('')]) }),
  z.object({ what: z.literal('quiet'), to: z.string() }),
  z.object({ what: z.enum(['log', 'runs']) }),
  z.object({ what: z.literal('installation'), name: z.enum(SETTING_NAMES), to: z.string().nullable() }),
]);
export type ChatSetting = z.infer<typeof ChatSetting>;
const readSignOff = (text: string): ReturnType<typeof takeWhole> | WrongArgument => {
  const problem = text.toLowerCase() === 'off' ? null : signOffProblem(text);
  if (problem !== null) return toWrongArgument({ kind: 'sign_off', wrong: problem });
  return takeWhole({ what: 'signoff', to: text.toLowerCase() === 'off' ? '' : text });
};
export const settingArgument = defineArgument(ChatSetting.nullable(), {
  otherwise: null,
  typed: (rest) => {
    const [key, ...more] = splitWords(rest);
    const to = more.join(' ');
    switch (key?.toLowerCase()) {
      case undefined:
        return takeWhole(null);
      case 'language':
        return more.length === 1
          ? takeWhole({ what: 'language', to: to.toLowerCase().slice(0, 40) })
          : toWrongArgument();
      case 'signoff':
        return to === '' ? toWrongArgument() : readSignOff(to);
      case 'quiet':
        return to === ''
          ? toWrongArgument()
          : takeWhole({ what: 'quiet', to: to.toLowerCase() === 'off' ? '' : to });
      case 'log':
      case 'runs':
        return more.length === 0 ? takeWhole({ what: key?.toLowerCase() }) : toWrongArgument();
      default: {
        const named = parseSettingName(key ?? '');
        return isWrongArgument(named)
          ? named
          : takeWhole({ what: 'installation', name: named.name, to: to || null });
      }
    }
  },
});

const CostChange = z.union([
  z.string().max(300),
  z.object({ budget: z.enum(BUDGET_NAMES), to: z.string().max(40) }),
]);
/** P7: the limit to raise, or the budget to set, `month $100`; null shows what was spent. */
export const costArgument = defineArgument(CostChange.nullable(), {
  otherwise: null,
  typed: (rest) => {
    const [act, key, ...more] = splitWords(rest);
    if (act === undefined) return takeWhole(null);
    const budget = BUDGET_NAMES.find((name) => name === act.toLowerCase());
    if (budget !== undefined && key !== undefined && more.length === 0)
      return takeWhole({ budget, to: key.slice(0, 40) });
    return act.toLowerCase() === 'raise' && key !== undefined && more.length === 0
      ? takeWhole(key)
      : toWrongArgument();
  },
});

export const questionArgument = defineArgument(z.enum(PERSONAL_REQUIREMENTS), { typed: takeWhole });
export const answerArgument = defineArgument(RecordedAnswer.shape.text, { typed: takeWhole });

export const SetAsideChange = z.object({ do: z.enum(['retry', 'drop']), id: z.int().positive() });
export type SetAsideChange = z.infer<typeof SetAsideChange>;
export const setAsideArgument = defineArgument(SetAsideChange.nullable(), {
  otherwise: null,
  typed: (rest) => {
    const [act, id, ...more] = splitWords(rest);
    if (act === undefined) return takeWhole(null);
    const change = SetAsideChange.safeParse({ do: act.toLowerCase(), id: Number(id) }).data;
    return change && more.length === 0 ? takeWhole(change) : toWrongArgument();
  },
});

const NoteChange = z.discriminatedUnion('do', [
  z.object({ do: z.literal('list'), repo: z.string().nullable() }),
  z.object({ do: z.literal('add'), repo: z.string(), text: z.string() }),
  z.object({ do: z.literal('edit'), repo: z.string(), no: z.int().positive(), text: z.string() }),
  z.object({ do: z.literal('forget'), repo: z.string(), no: z.int().positive() }),
]);
export type NoteChange = z.infer<typeof NoteChange>;
const REPOSITORY_NAME = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;
/** `owner/name add words`, `owner/name 2 other words`, `owner/name forget 2`; alone, they are listed. */
export const noteArgument = defineArgument(NoteChange, {
  otherwise: { do: 'list', repo: null },
  typed: (rest) => {
    const [repo, act, ...words] = splitWords(rest);
    if (repo === undefined) return takeWhole({ do: 'list', repo: null });
    if (!REPOSITORY_NAME.test(repo)) return toWrongArgument({ kind: 'repo', text: repo.slice(0, 60) });
    if (act === undefined) return takeWhole({ do: 'list', repo });
    const text = words.join(' ');
    if (act.toLowerCase() === 'add')
      return text === '' ? toWrongArgument() : takeWhole({ do: 'add', repo, text });
    if (act.toLowerCase() === 'forget') {
      const no = /^\d{1,6}$/.test(text) ? Number(text) : 0;
      return no > 0 ? takeWhole({ do: 'forget', repo, no }) : toWrongArgument();
    }
    const isEdit = /^\d{1,6}$/.test(act) && Number(act) > 0 && text !== '';
    return isEdit ? takeWhole({ do: 'edit', repo, no: Number(act), text }) : toWrongArgument();
  },
});

const UserChange = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), id: OpaqueId, role: z.enum(USER_ROLES), name: z.string().nullable() }),
  z.object({ op: z.literal('remove'), id: OpaqueId }),
  z.object({ op: z.literal('invite'), role: z.enum(USER_ROLES) }),
  z.object({ op: z.literal('signout'), id: OpaqueId }),
]);
export type UserChange = z.infer<typeof UserChange>;
/** Fingerprint of a key that is taken away. */
export const passkeyArgument = defineArgument(
  z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  {
    otherwise: null,
    typed: (rest) => {
      const [act, fingerprint = '', ...more] = splitWords(rest);
      if (act === undefined) return takeWhole(null);
      const isRevoked = act.toLowerCase() === 'revoke' && /^[0-9a-f]{32}$/i.test(fingerprint);
      return isRevoked && more.length === 0 ? takeWhole(fingerprint.toLowerCase()) : toWrongArgument();
    },
  },
);

export const userChangeArgument = defineArgument(UserChange.nullable(), {
  otherwise: null,
  typed: (rest) => {
    const [op, who, what, ...name] = splitWords(rest);
    if (op === undefined) return takeWhole(null);
    if (op.toLowerCase() === 'invite') {
      const given = USER_ROLES.find((r) => r === (who ?? 'viewer').toLowerCase());
      if (!given) return unknownChoice('role', who ?? '', USER_ROLES);
      return what === undefined ? takeWhole({ op: 'invite', role: given }) : toWrongArgument();
    }
    if (!/^(add|remove|signout)$/i.test(op) || who === undefined) return toWrongArgument();
    const id = who.slice(0, 300);
    if (op.toLowerCase() !== 'add') {
      const ended = op.toLowerCase() === 'remove' ? 'remove' : 'signout';
      return what === undefined ? takeWhole({ op: ended, id }) : toWrongArgument();
    }
    if (what === undefined) return toWrongArgument();
    const role = USER_ROLES.find((r) => r === what.toLowerCase());
    if (!role) return unknownChoice('role', what, USER_ROLES);
    return takeWhole({ op: 'add', id, role, name: name.join(' ').slice(0, 60) || null });
  },
});

export const roleForSetting = (setting: ChatSetting | null): UserRole => {
  if (setting?.what === 'installation' && setting.to !== null) return settingRow(setting.name).needs;
  if (setting?.what === 'log') return 'admin';
  return setting?.what === 'signoff' ? 'operator' : 'viewer';
};
