/** C1: what commands are told besides their run, each argument once. Pure. */
import { z } from 'zod';
import { Id } from '../core/order.ts';
import { ACTIVE, STATES } from '../core/states.ts';
import { Budget, BUDGETS } from '../core/bounds.ts';
import { mayBeUnlimited, readAmount } from '../core/machine/budget.ts';
import { PullText } from '../core/machine/words.ts';
import { GivenAnswer, ASKED } from '../core/missing.ts';
import { SignOff, signOffProblem } from '../core/trailers.ts';
import { LOOKS_BACK, readDays, readWish, ReportWish, SAYABLE, SPANS, USUALLY } from '../core/reported.ts';
import { ROLES } from '../core/roles.ts';
import { arg, flag, option, whole, wordsOf } from './arg.ts';
import { NewOrder, orderTyped } from './order.ts';
import { SETTING_NAMES, settingNamed } from './settings.ts';
import { PullList, readPulls } from './pulls.ts';
import { isWrong, LONGEST, none, noneOf, tooLong, wrong, type Wrong } from './problems.ts';

export const confirm = flag('confirm');
export const final = flag('final');

export const reason = arg(z.string().max(LONGEST.reason), {
  otherwise: '',
  typed: whole,
  host: { ...option('reason', '<text>'), read: ({ options }) => ({ value: options.reason ?? '' }) },
  refused: () => tooLong('reason'),
});

/**
 * A state, written in any way when it stands alone; before other words it stands as we write it.
 */
export const target = arg(z.enum(STATES).nullable(), {
  otherwise: null,
  typed: (rest) => {
    const alone = STATES.find((s) => s === wordsOf(rest).join('_').toUpperCase());
    if (alone) return whole(alone);
    const first = STATES.find((s) => s === wordsOf(rest)[0]);
    return first ? { value: first, rest: rest.slice(first.length).trim() } : { value: null, rest };
  },
  host: { ...option('target', ACTIVE), read: ({ options }) => ({ value: options.target ?? null }) },
});

/** What the agent is told. One word alone tells nobody anything: it is meant for a state. */
export const advice = arg(z.string().min(1).max(LONGEST.advice).nullable(), {
  otherwise: null,
  typed: (rest, all) => (/^[\w-]+$/.test(rest) ? none('state', all) : whole(rest === '' ? null : rest)),
  host: {
    words: [],
    options: { tell: '<text>' },
    read: ({ options }) => ({ value: options.tell === '' ? null : (options.tell ?? null) }),
  },
  refused: () => tooLong('advice'),
});

export const instruction = arg(z.string().min(1).max(LONGEST.instruction), {
  typed: (rest) => (rest === '' ? wrong({ kind: 'no_instruction' }) : whole(rest)),
  refused: () => tooLong('instruction'),
});

export const topic = arg(z.string().nullable(), {
  otherwise: null,
  typed: (rest) => whole(rest.replace(/^\//, '').toLowerCase().slice(0, 40) || null),
});

export const about = arg(ReportWish, {
  otherwise: USUALLY,
  typed: (rest) => {
    const read = readWish(wordsOf(rest.toLowerCase()));
    return 'strange' in read ? noneOf('reported', read.strange, SAYABLE) : whole(read);
  },
});

export const period = arg(z.number().nullable(), {
  otherwise: LOOKS_BACK,
  typed: (rest) => {
    const read = rest === '' ? { days: LOOKS_BACK } : readDays(rest);
    return read ? whole(read.days) : noneOf('reported', rest, SPANS);
  },
});

/** What a link to the chat brought along. */
export const payload = arg(z.string().max(64).nullable(), {
  otherwise: null,
  typed: (rest) => whole(rest.slice(0, 64) || null),
});

export const step = arg(z.string().nullable(), {
  otherwise: null,
  typed: (rest) => whole(rest.slice(0, 100) || null),
});

/** A repository, a goal and options. */
export const order = arg(NewOrder, {
  typed: (rest) => {
    const read = orderTyped(rest);
    return isWrong(read) ? read : { ...read, rest: '' };
  },
});

/** Repositories and a goal, in the lines in which they were written. */
export const list = arg(z.string(), { otherwise: '', typed: whole });

/** Pull requests that were opened elsewhere, and the campaign that is to follow them. */
export const pulls = arg(PullList, {
  typed: (rest) => {
    const read = readPulls(rest);
    return isWrong(read) ? read : whole(read.value);
  },
});

/** A campaign by its id; without one, whichever there is. */
export const campaign = arg(z.string().max(40).nullable(), {
  otherwise: null,
  typed: (rest) => whole(rest || null),
});

/** A commit as a message shows it. */
export const sha = arg(
  z
    .string()
    .regex(/^[0-9a-f]{6,64}$/)
    .nullable(),
  { otherwise: null, typed: (rest) => whole(rest.toLowerCase() || null) },
);

/** `amount` null: no limit. */
const Raise = z.object({ budget: Budget, amount: z.number().nullable(), more: z.boolean() });
export type Raise = z.infer<typeof Raise>;
const readRaise = (kind: string, amount: string): { value: Raise } | Wrong => {
  const budget = BUDGETS.find((one) => one === kind);
  if (!budget) return noneOf('budget', kind, BUDGETS);
  if (amount === 'none' && mayBeUnlimited(budget)) return { value: { budget, amount: null, more: false } };
  const read = readAmount(budget, amount);
  return read ? { value: { budget, ...read } } : none('amount', amount);
};
/** More of a budget, as a new limit or as so much on top; null only looks at it. */
export const raise = arg(Raise.nullable(), {
  otherwise: null,
  typed: (rest) => {
    const [kind, amount, ...more] = wordsOf(rest.toLowerCase());
    if (kind === undefined) return whole(null);
    if (!BUDGETS.some((one) => one === kind)) return noneOf('budget', kind, BUDGETS);
    if (amount === undefined || more.length > 0) return wrong();
    const read = readRaise(kind, amount);
    return isWrong(read) ? read : whole(read.value);
  },
  host: {
    words: ['<budget>', '<limit>'],
    options: {},
    // A repeated call is the same call: nothing on top of what may have changed since.
    read: ({ words: [kind = '', amount = ''] }) =>
      BUDGETS.some((one) => one === kind) && amount.startsWith('+')
        ? none('amount', amount)
        : readRaise(kind, amount),
  },
});

const GIVEN = /(?:^|\s)(title|description)=(?:"([^"]*)"|([^\s"]*))(?=\s|$)/gi;
const OPEN = /(?:^|\s)(title|description)="[^"]*$/i;
/** Other words for a pull request, wherever they stand; what is left is why. */
export const words = arg(PullText, {
  typed: (rest) => {
    const [, open] = OPEN.exec(rest) ?? [];
    if (open !== undefined) return wrong({ kind: 'quote', option: open.toLowerCase() });
    const given = [...rest.matchAll(GIVEN)].map(([, name = '', quoted, plain]) => ({
      name: name.toLowerCase(),
      text: (quoted ?? plain ?? '').trim(),
    }));
    const of = (name: string): string | null => given.find((one) => one.name === name)?.text ?? null;
    for (const name of ['title', 'description']) {
      const all = given.filter((one) => one.name === name);
      if (all.length > 1) return wrong({ kind: 'twice', option: name });
      if (all.some(({ text }) => text === '')) return wrong({ kind: 'value', option: name });
    }
    const value = { title: of('title'), description: of('description') };
    if (value.title === null && value.description === null) return wrong();
    return { value, rest: rest.replace(GIVEN, ' ').replace(/\s+/g, ' ').trim() };
  },
  host: {
    words: [],
    options: { title: '<text>', description: '<text>' },
    read: ({ options: { title, description } }) => ({
      value: { title: title ?? null, description: description ?? null },
    }),
  },
  refused: (member) => tooLong(member === 'title' ? 'title' : 'description'),
});

const Setting = z.discriminatedUnion('what', [
  /** Which languages there are, the chat knows. */
  z.object({ what: z.literal('language'), to: z.string() }),
  /** `Name <email>`; empty takes it back. */
  z.object({ what: z.literal('signoff'), to: z.union([SignOff, z.literal('')]) }),
  /** When nothing rings; how hours are written, the chat knows. Empty takes them back. */
  z.object({ what: z.literal('quiet'), to: z.string() }),
  z.object({ what: z.enum(['log', 'runs']) }),
  /** Of the house; without a value it is looked at. */
  z.object({ what: z.literal('house'), name: z.enum(SETTING_NAMES), to: z.string().nullable() }),
]);
export type Setting = z.infer<typeof Setting>;
const readSignOff = (text: string): ReturnType<typeof whole> | Wrong => {
  const problem = text.toLowerCase() === 'off' ? null : signOffProblem(text);
  if (problem !== null) return wrong({ kind: 'sign_off', wrong: problem });
  return whole({ what: 'signoff', to: text.toLowerCase() === 'off' ? '' : text });
};
/** What somebody sets of a chat or of themselves; null only looks. */
export const setting = arg(Setting.nullable(), {
  otherwise: null,
  typed: (rest) => {
    const [key, ...more] = wordsOf(rest);
    const to = more.join(' ');
    switch (key?.toLowerCase()) {
      case undefined:
        return whole(null);
      case 'language':
        return more.length === 1 ? whole({ what: 'language', to: to.toLowerCase().slice(0, 40) }) : wrong();
      case 'signoff':
        return to === '' ? wrong() : readSignOff(to);
      case 'quiet':
        return to === '' ? wrong() : whole({ what: 'quiet', to: to.toLowerCase() === 'off' ? '' : to });
      case 'log':
      case 'runs':
        return more.length === 0 ? whole({ what: key?.toLowerCase() }) : wrong();
      default: {
        const named = settingNamed(key ?? '');
        return isWrong(named) ? named : whole({ what: 'house', name: named.name, to: to || null });
      }
    }
  },
});

/** Answered by a button, which says which of them it is. */
export const asked = arg(z.enum(ASKED), { typed: whole });
export const text = arg(GivenAnswer.shape.text, { typed: whole });

const UserChange = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), id: Id, role: z.enum(ROLES), name: z.string().nullable() }),
  z.object({ op: z.literal('remove'), id: Id }),
  /** Whoever comes by it gets the role. */
  z.object({ op: z.literal('invite'), role: z.enum(ROLES) }),
]);
export type UserChange = z.infer<typeof UserChange>;
/** Rights that are given or taken; null only looks. */
export const change = arg(UserChange.nullable(), {
  otherwise: null,
  typed: (rest) => {
    const [op, who, what, ...name] = wordsOf(rest);
    if (op === undefined) return whole(null);
    if (op.toLowerCase() === 'invite') {
      const given = ROLES.find((r) => r === (who ?? 'viewer').toLowerCase());
      if (!given) return noneOf('role', who ?? '', ROLES);
      return what === undefined ? whole({ op: 'invite', role: given }) : wrong();
    }
    if (!/^(add|remove)$/i.test(op) || who === undefined) return wrong();
    const id = who.slice(0, 300);
    if (op.toLowerCase() === 'remove') return what === undefined ? whole({ op: 'remove', id }) : wrong();
    if (what === undefined) return wrong();
    const role = ROLES.find((r) => r === what.toLowerCase());
    if (!role) return noneOf('role', what, ROLES);
    return whole({ op: 'add', id, role, name: name.join(' ').slice(0, 60) || null });
  },
});
