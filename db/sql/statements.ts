/**
 * SQL that Kysely compiles once, and the scripts that use it: generators which ask for statements
 * and know no database.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import type { LedgerSchema } from './schema.ts';

export type SqlBuilder = Kysely<LedgerSchema>;
export type CompilableQuery<R> = { compile(): CompiledQuery<R> };
/** Reads outside a script. */
export type RunQuery = <R>(query: CompilableQuery<R>) => Promise<R[]>;

/** An argument by its name, or a value that is the same each time. */
type Slot = { arg: string | null; value: unknown };
export type AnyStatement = {
  sql: string;
  compiled: CompiledQuery;
  slots: readonly Slot[];
  /** Whether it gives rows back. */
  returns: boolean;
};
/** A compiled statement that takes `A` and gives rows of `R`. */
export type SqlStatement<A, R> = AnyStatement & { readonly types?: (args: A) => R };

export type StatementCall = { statement: AnyStatement; args: object };
/**
 * One transaction. What it yields is executed, and it goes on with the rows, of several calls with
 * those of each; it either ends or has never happened.
 */
export type SqlScript<T> = Generator<StatementCall | readonly StatementCall[], T, unknown[]>;

/**
 * Scripts that do not build on each other, side by side: what all of them ask next is one trip to a
 * database that is far away.
 */
export function* sideBySide(scripts: readonly SqlScript<unknown>[]): SqlScript<unknown[]> {
  const turns = scripts.map((script) => script.next());
  for (;;) {
    const open: number[] = [];
    const calls: StatementCall[] = [];
    for (const [i, turn] of turns.entries()) {
      if (turn.done) continue;
      const { value } = turn;
      if (!('statement' in value)) throw new Error('what goes side by side asks one thing at a time');
      open.push(i);
      calls.push(value);
    }
    if (open.length === 0) return turns.map(({ value }) => value);
    const rows = yield calls;
    for (const [k, i] of open.entries()) {
      const next = scripts[i]?.next(rows[k] as unknown[]);
      if (next) turns[i] = next;
    }
  }
}

const ARGUMENT_MARK = Symbol('argument');
const isMark = (value: unknown): value is { [ARGUMENT_MARK]: string } =>
  typeof value === 'object' && value !== null && ARGUMENT_MARK in value;

export type DefineStatement = <A extends object, R>(
  build: (db: SqlBuilder, args: A) => CompilableQuery<R>,
) => SqlStatement<A, R>;

/**
 * Arguments are stood in for by marks while the statement is built; each use binds the real ones in
 * their places.
 */
export const createDefine =
  (db: SqlBuilder): DefineStatement =>
  (build) => {
    const marks = new Proxy({}, { get: (_, name) => ({ [ARGUMENT_MARK]: name }) });
    const compiled = build(db, marks as Parameters<typeof build>[1]).compile();
    const { sql, parameters } = compiled;
    const slots = parameters.map((p): Slot =>
      isMark(p) ? { arg: p[ARGUMENT_MARK], value: null } : { arg: null, value: p },
    );
    return { sql, compiled, slots, returns: /^\s*select|\breturning\b/i.test(sql) };
  };

export const bindArguments = ({ slots }: AnyStatement, args: object): unknown[] => {
  const values: unknown[] = [];
  for (const slot of slots) {
    values.push(slot.arg === null ? slot.value : (args as Record<string, unknown>)[slot.arg]);
  }
  return values;
};

/**
 * A statement to read by, outside a script: what is asked often is not built and compiled each
 * time.
 */
export const compiledQuery = <A extends object, R>(
  statement: SqlStatement<A, R>,
  args: A,
): CompilableQuery<R> => ({
  compile: () => ({
    ...(statement.compiled as CompiledQuery<R>),
    parameters: bindArguments(statement, args),
  }),
});

/** For `yield` where the rows do not matter: a `yield*` more is felt in a step. */
export const callStatement = <A extends object, R>(
  statement: SqlStatement<A, R>,
  args: A,
): StatementCall => ({
  statement,
  args,
});

export function* selectAll<A extends object, R>(statement: SqlStatement<A, R>, args: A): SqlScript<R[]> {
  return (yield { statement, args }) as R[];
}

export function* selectOne<A extends object, R>(
  statement: SqlStatement<A, R>,
  args: A,
): SqlScript<R | undefined> {
  return ((yield { statement, args }) as R[])[0];
}

/** One statement for several rows, compiled for some numbers of them; the largest comes first. */
export type ManyRows<A, R> = readonly { rows: number; statement: SqlStatement<object, R> }[] & {
  readonly types?: (row: A) => void;
};

/** How many rows one statement may write: any number of them takes few statements. */
const ROWS_PER_STATEMENT = [32, 16, 8, 4, 2, 1];

/** The arguments of one row among those of several. */
const namesOf = <A extends object>(args: object, row: number): A =>
  new Proxy({}, { get: (_, name) => (args as Record<string, unknown>)[`${String(name)} ${row}`] }) as A;

export const defineMany = <A extends object, R>(
  define: DefineStatement,
  build: (db: SqlBuilder, rows: A[]) => CompilableQuery<R>,
): ManyRows<A, R> =>
  ROWS_PER_STATEMENT.map((rows) => ({
    rows,
    statement: define((db, args) =>
      build(
        db,
        Array.from({ length: rows }, (_, row) => namesOf<A>(args, row)),
      ),
    ),
  }));

/**
 * Statements for all rows, in their order, in one trip: gives the rows of each. `make` hears which
 * rows one statement brings, since none of these sees another.
 */
export function* executeMany<T, A extends object, R>(
  statements: ManyRows<A, R>,
  items: readonly T[],
  make: (together: readonly T[]) => readonly A[],
): SqlScript<R[]> {
  const calls: StatementCall[] = [];
  let from = 0;
  for (const { rows, statement } of statements) {
    for (; items.length - from >= rows; from += rows) {
      const args: Record<string, unknown> = {};
      for (const [i, row] of make(items.slice(from, from + rows)).entries())
        for (const [name, value] of Object.entries(row)) args[`${name} ${i}`] = value;
      calls.push({ statement, args });
    }
  }
  return ((yield calls) as R[][]).flat();
}
