/**
 * C1: every command, once: who may give it, what it is told, where it can be given, and what it asks of the machine. The chat's
 * parser, menus, help and permissions, the command line and the pages are made from these rows.
 */
import { accountOf, fromUnits } from '../core/machine/budget.ts';
import type { CommandType, InputOf } from '../core/machine/inputs.ts';
import type { Person } from '../core/order.ts';
import type { Run } from '../core/machine/run.ts';
import type { Role } from '../core/roles.ts';
import { visible } from '../core/invisible.ts';
import * as args from './args.ts';
import type { Arg } from './args.ts';
import { isWrong, wrong } from './problems.ts';
import { NewOrder, orderTyped } from './order.ts';

/** What one argument comes to. */
type Value<A> = A extends Arg<infer T> ? T : never;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any argument: what each takes and gives is its own.
export type Takes = Readonly<Record<string, Arg<any>>>;
export type Given<T extends Takes> = { readonly [K in keyof T]: Value<T[K]> };

/** What may be asked of the machine. */
type Asked = CommandType | 'command.run.create';

/** A row; `N`, `H` and `F` are its names as they are written. */
type Row<T extends Takes, N extends readonly string[], H extends string | null> = {
  /** As it is typed in the chat; the first one is in the menus. None where there is only a button. */
  names: N;
  /** Below `agentpr run` on the command line; null: in the chat only. */
  host: H;
  /** Who may give it. */
  needs: Role | ((given: Given<T>) => Role);
  /** Whether it only shows something. */
  asks: boolean | ((given: Given<T>) => boolean);
  takes: T;
  /** Costs so much to answer that it is put off while its last answer waits. */
  dear: boolean;
};

/** Asks one thing of the machine about one run. */
const steers = <
  T extends Takes,
  const N extends readonly string[],
  const H extends string | null,
  const F extends Asked,
>(
  row: Omit<Row<Takes, N, H>, 'needs' | 'asks' | 'takes' | 'dear'> & {
    needs: Row<T, N, H>['needs'];
    asks?: Row<T, N, H>['asks'];
    takes: T;
    offers: F;
    /** `run` is null where nobody has looked at it. */
    gives: (by: Person, given: Given<T>, run: Run | null) => InputOf<F>;
  },
) => ({
  asks: false as Row<T, N, H>['asks'],
  dear: false,
  ...row,
  on: 'run' as const,
  offers: [row.offers] as const,
});

/** What its rule cannot say alone; whoever takes it has a handler of their own. */
const own = <
  T extends Takes,
  const O extends 'run' | 'all',
  const N extends readonly string[],
  const H extends string | null,
  const F extends readonly Asked[],
>(
  on: O,
  row: Pick<Row<Takes, N, H>, 'names' | 'host' | 'dear'> & {
    needs: Row<T, N, H>['needs'];
    asks: Row<T, N, H>['asks'];
    takes: T;
    offers: F;
  },
) => ({ ...row, on, gives: null });

/** Only shows something, to whoever may read. */
const shows = <T extends Takes, const O extends 'run' | 'all', const N extends readonly string[]>(
  on: O,
  row: { names: N; takes: T; dear?: boolean },
) => own(on, { dear: false, ...row, host: null, needs: 'viewer', asks: true, offers: [] });

/** What nobody but the machine itself asks for. */
type Automatic = 'command.start.discovery' | 'command.local.validation.passed';
type Offering = Readonly<Record<string, { offers: readonly Asked[] }>>;
type Unoffered<R extends Offering> = Exclude<Asked, R[keyof R]['offers'][number] | Automatic>;
/** A command of the machine that no row offers does not compile. */
const rows = <R extends Offering>(
  all: R & ([Unoffered<R>] extends [never] ? unknown : Record<Unoffered<R>, 'has no row'>),
): R => all;

const order: Arg<NewOrder> = {
  schema: NewOrder,
  otherwise: undefined,
  typed: (rest) => {
    const read = orderTyped(rest);
    return isWrong(read) ? read : { ...read, rest: '' };
  },
  host: null,
  refused: () => wrong(),
};

export const COMMANDS = rows({
  status: shows('all', { names: ['status'], takes: {} }),
  pending: shows('all', { names: ['pending'], takes: {} }),
  new: own('all', {
    names: ['new'],
    host: 'create',
    dear: false,
    needs: 'operator',
    asks: false,
    takes: { order },
    offers: ['command.run.create'],
  }),
  runs: shows('all', { names: ['runs'], takes: {} }),
  detail: shows('run', { names: ['detail'], takes: {} }),
  diff: shows('run', { names: ['diff'], takes: {}, dear: true }),
  log: shows('run', { names: ['log'], takes: { step: args.step }, dear: true }),
  plan: shows('run', { names: ['plan', 'contract'], takes: {} }),
  budget: steers({
    names: ['budget'],
    host: 'budget',
    needs: ({ raise }) => (raise === null ? 'viewer' : 'approver'),
    asks: ({ raise }) => raise === null,
    takes: { raise: args.raise },
    offers: 'command.budget.raise',
    gives: (by, { raise }, run) => {
      const { budget = 'time', amount = 0, more = false } = raise ?? {};
      const now = more && run ? (accountOf(run, budget).limit ?? 0) : 0;
      return { type: 'command.budget.raise', by, budget, limit: fromUnits(budget, amount) + now };
    },
  }),
  approve: own('run', {
    names: ['approve_open_pr', 'approve'],
    host: null,
    dear: false,
    needs: 'approver',
    asks: false,
    takes: { confirm: args.confirm },
    offers: ['command.pr.create', 'command.push.approve'],
  }),
  deny: steers({
    names: ['deny'],
    host: 'deny',
    needs: 'approver',
    takes: { final: args.final, reason: args.reason },
    offers: 'command.deny',
    gives: (by, { final, reason }, run) => ({
      type: 'command.deny',
      by,
      reason,
      final,
      approvalId: run?.approval?.id ?? null,
    }),
  }),
  edit: steers({
    names: ['edit'],
    host: 'modify',
    needs: 'approver',
    takes: { words: args.words, reason: args.reason },
    offers: 'command.modify',
    gives: (by, { words, reason }, run) => ({
      type: 'command.modify',
      by,
      words,
      approvalId: run?.approval?.id ?? null,
      reason: reason || (by.id === null ? 'edited at the command line' : 'edited in the chat'),
    }),
  }),
  fix: steers({
    names: ['fix'],
    host: null,
    needs: 'operator',
    takes: { instruction: args.instruction },
    offers: 'command.iterate',
    gives: (by, { instruction }) => ({
      type: 'command.iterate',
      by,
      instruction: visible(instruction),
    }),
  }),
  retry: steers({
    names: ['retry'],
    host: 'retry',
    needs: 'operator',
    takes: { target: args.target, advice: args.advice },
    offers: 'command.retry',
    gives: (by, { target, advice }) => ({ type: 'command.retry', by, target, ...told(advice) }),
  }),
  update: steers({
    names: ['update'],
    host: 'update',
    needs: 'operator',
    takes: {},
    offers: 'command.update.base',
    gives: (by) => ({ type: 'command.update.base', by }),
  }),
  take: steers({
    names: ['take'],
    host: null,
    needs: 'approver',
    takes: { sha: args.sha },
    offers: 'command.take.head',
    gives: (by, { sha }, run) => {
      const { foreign } = run ?? {};
      const whole = foreign && sha !== null && foreign.sha.startsWith(sha) ? foreign.sha : (sha ?? '');
      return { type: 'command.take.head', by, sha: whole };
    },
  }),
  pause: steers({
    names: ['pause'],
    host: 'pause',
    needs: 'operator',
    takes: {},
    offers: 'command.pause',
    gives: (by) => ({ type: 'command.pause', by }),
  }),
  resume: steers({
    names: ['resume'],
    host: 'resume',
    needs: 'operator',
    takes: { target: args.target, advice: args.advice },
    offers: 'command.resume',
    gives: (by, { target, advice }) => ({ type: 'command.resume', by, target, ...told(advice) }),
  }),
  cancel: steers({
    names: ['cancel'],
    host: 'cancel',
    needs: 'operator',
    takes: { reason: args.reason },
    offers: 'command.cancel',
    gives: (by, { reason }) => ({ type: 'command.cancel', by, reason }),
  }),
  skip: steers({
    names: ['skip'],
    host: 'skip',
    needs: 'operator',
    takes: { reason: args.reason },
    offers: 'command.skip',
    gives: (by, { reason }) => ({ type: 'command.skip', by, reason }),
  }),
  done: steers({
    names: ['done'],
    host: 'done',
    needs: 'operator',
    takes: {},
    offers: 'command.mark.done',
    gives: (by) => ({ type: 'command.mark.done', by }),
  }),
  start: steers({
    names: [],
    host: null,
    needs: 'operator',
    takes: {},
    offers: 'command.start.implementation',
    gives: (by) => ({ type: 'command.start.implementation', by }),
  }),
  rerun: steers({
    names: [],
    host: null,
    needs: 'operator',
    takes: {},
    offers: 'command.ci.rerun',
    gives: (by) => ({ type: 'command.ci.rerun', by }),
  }),
  settings: own('all', {
    names: ['settings'],
    host: null,
    dear: false,
    offers: [],
    needs: 'viewer',
    asks: ({ language }) => language === null,
    takes: { language: args.language },
  }),
  users: own('all', {
    names: ['users'],
    host: null,
    dear: false,
    offers: [],
    needs: 'admin',
    asks: ({ change }) => change === null,
    takes: { change: args.change },
  }),
  help: shows('all', { names: ['help', 'start'], takes: {} }),
});

const told = (advice: string | null): { advice?: string } => (advice === null ? {} : { advice });

type Rows = typeof COMMANDS;
export type CommandName = keyof Rows;
/** What is typed; the others are buttons. */
export type TypedName = { [K in CommandName]: Rows[K]['names'] extends readonly [] ? never : K }[CommandName];
export type SteeringName = { [K in CommandName]: Rows[K]['gives'] extends null ? never : K }[CommandName];
/** What the arguments of all commands are called. */
export type ArgName = { [K in CommandName]: keyof Rows[K]['takes'] }[CommandName];

export type GivenTo<K extends CommandName> = Given<Rows[K]['takes']>;
/** A command as it was read. */
export type CommandOf<K extends CommandName> = K extends CommandName
  ? { kind: K } & GivenTo<K> & (Rows[K]['on'] extends 'run' ? { run: string } : unknown)
  : never;

/** One row, whichever it is. */
export type AnyRow = Row<Takes, readonly string[], string | null> & {
  on: 'run' | 'all';
  offers: readonly Asked[];
  gives: ((by: Person, given: Record<string, unknown>, run: Run | null) => InputOf<Asked>) | null;
};
