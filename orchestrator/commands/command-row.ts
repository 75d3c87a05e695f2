/** The type of a row of the command table, and its three kinds. */
import type { CommandType, InputOf } from '../kernel/run/input-types.ts';
import type { Run } from '../kernel/run/run.ts';
import type { Person } from '#model/order';
import type { UserRole } from '#model/settings';
import type { CommandArgument } from './define-argument.ts';

type Value<A> = A extends CommandArgument<infer T> ? T : never;
// oxlint-disable-next-line typescript/no-explicit-any -- What an argument takes and gives is its own affair.
type RowArguments = Readonly<Record<string, CommandArgument<any>>>;
export type ParsedArguments<T extends RowArguments> = { readonly [K in keyof T]: Value<T[K]> };

type Asked = CommandType | 'command.run.create';

export const HELP_TOPICS = ['look', 'ask', 'decide', 'steer', 'installation'] as const;
export type HelpTopic = (typeof HELP_TOPICS)[number];
/** `topic` is null for a command without a chat name; `group`: also in the menus of groups. */
type Help = { topic: HelpTopic | null; group?: true };

type Row<T extends RowArguments, N extends readonly string[], H extends string | null> = {
  /** Chat names, the first for menus; empty for buttons only. */
  names: N;
  /** Name below `agentpr run`; null for chat only. */
  host: H;
  needs: UserRole | ((given: ParsedArguments<T>) => UserRole);
  /** True for commands that only show something. */
  asks: boolean | ((given: ParsedArguments<T>) => boolean);
  takes: T;
  /** Expensive: postponed while its last answer waits to be sent. */
  dear: boolean;
} & Help;

/** A command that gives the machine one input for a run. */
export const steeringRow = <
  T extends RowArguments,
  const N extends readonly string[],
  const H extends string | null,
  const F extends Asked,
>(
  row: Omit<Row<RowArguments, N, H>, 'needs' | 'asks' | 'takes' | 'dear'> & {
    needs: Row<T, N, H>['needs'];
    asks?: Row<T, N, H>['asks'];
    takes: T;
    offers: F;
    gives: (by: Person, given: ParsedArguments<T>, run: Run | null) => InputOf<F>;
  },
) => ({
  asks: false as Row<T, N, H>['asks'],
  dear: false,
  ...row,
  on: 'run' as const,
  offers: [row.offers] as const,
});

export const createCommandRow = <
  T extends RowArguments,
  const O extends 'run' | 'all',
  const N extends readonly string[],
  const H extends string | null,
  const F extends readonly Asked[],
>(
  on: O,
  row: Pick<Row<RowArguments, N, H>, 'names' | 'host' | 'dear' | 'topic' | 'group'> & {
    needs: Row<T, N, H>['needs'];
    asks: Row<T, N, H>['asks'];
    takes: T;
    offers: F;
  },
) => ({ ...row, on, gives: null });

export const showingRow = <
  T extends RowArguments,
  const O extends 'run' | 'all',
  const N extends readonly string[],
>(
  on: O,
  row: { names: N; takes: T; dear?: boolean } & Help,
) => createCommandRow(on, { dear: false, ...row, host: null, needs: 'viewer', asks: true, offers: [] });

type Automatic = 'command.discovery.start' | 'command.validation.accept';
type Offering = Readonly<Record<string, { offers: readonly Asked[] }>>;
type Unoffered<R extends Offering> = Exclude<Asked, R[keyof R]['offers'][number] | Automatic>;
/** Fails to compile when a command of the machine has no row. */
export const commandTable = <R extends Offering>(
  all: R & ([Unoffered<R>] extends [never] ? unknown : Record<Unoffered<R>, 'has no row'>),
): R => all;

export type AnyRow = Row<RowArguments, readonly string[], string | null> & {
  on: 'run' | 'all';
  offers: readonly Asked[];
  gives: ((by: Person, given: Record<string, unknown>, run: Run | null) => InputOf<Asked>) | null;
};
