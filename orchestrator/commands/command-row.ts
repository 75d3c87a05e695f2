/** What a row of the table of commands says, and the three kinds of them. */
import type { CommandType, InputOf } from '../core/machine/inputs.ts';
import type { Run } from '../core/machine/run.ts';
import type { Person } from '../core/order.ts';
import type { UserRole } from '../core/roles.ts';
import type { CommandArgument } from './command-argument.ts';

/** What one argument comes to. */
type Value<A> = A extends CommandArgument<infer T> ? T : never;
// oxlint-disable-next-line typescript/no-explicit-any -- What an argument takes and gives is its own affair.
export type RowArguments = Readonly<Record<string, CommandArgument<any>>>;
export type ParsedArguments<T extends RowArguments> = { readonly [K in keyof T]: Value<T[K]> };

/** What may be asked of the machine. */
type Asked = CommandType | 'command.run.create';

/** A row; `N`, `H` and `F` are its names as they are written. */
type Row<T extends RowArguments, N extends readonly string[], H extends string | null> = {
  /**
   * As it is typed in the chat; the first one is in the menus. None where there is only a button.
   */
  names: N;
  /** Below `agentpr run` on the command line; null: in the chat only. */
  host: H;
  /** Who may give it. */
  needs: UserRole | ((given: ParsedArguments<T>) => UserRole);
  /** Whether it only shows something. */
  asks: boolean | ((given: ParsedArguments<T>) => boolean);
  takes: T;
  /** Costs so much to answer that it is put off while its last answer waits. */
  dear: boolean;
};

/** Asks one thing of the machine about one run. */
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
    /** `run` is null where nobody has looked at it. */
    gives: (by: Person, given: ParsedArguments<T>, run: Run | null) => InputOf<F>;
  },
) => ({
  asks: false as Row<T, N, H>['asks'],
  dear: false,
  ...row,
  on: 'run' as const,
  offers: [row.offers] as const,
});

/** What its rule cannot say alone; whoever takes it has a handler of their own. */
export const handledRow = <
  T extends RowArguments,
  const O extends 'run' | 'all',
  const N extends readonly string[],
  const H extends string | null,
  const F extends readonly Asked[],
>(
  on: O,
  row: Pick<Row<RowArguments, N, H>, 'names' | 'host' | 'dear'> & {
    needs: Row<T, N, H>['needs'];
    asks: Row<T, N, H>['asks'];
    takes: T;
    offers: F;
  },
) => ({ ...row, on, gives: null });

/** Only shows something, to whoever may read. */
export const showingRow = <
  T extends RowArguments,
  const O extends 'run' | 'all',
  const N extends readonly string[],
>(
  on: O,
  row: { names: N; takes: T; dear?: boolean },
) => handledRow(on, { dear: false, ...row, host: null, needs: 'viewer', asks: true, offers: [] });

/** What nobody but the machine itself asks for. */
type Automatic = 'command.discovery.start' | 'command.validation.accept';
type Offering = Readonly<Record<string, { offers: readonly Asked[] }>>;
type Unoffered<R extends Offering> = Exclude<Asked, R[keyof R]['offers'][number] | Automatic>;
/** A command of the machine that no row offers does not compile. */
export const commandTable = <R extends Offering>(
  all: R & ([Unoffered<R>] extends [never] ? unknown : Record<Unoffered<R>, 'has no row'>),
): R => all;

/** One row, whichever it is. */
export type AnyRow = Row<RowArguments, readonly string[], string | null> & {
  on: 'run' | 'all';
  offers: readonly Asked[];
  gives: ((by: Person, given: Record<string, unknown>, run: Run | null) => InputOf<Asked>) | null;
};
