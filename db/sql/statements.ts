/** Statements compiled once by Kysely, and scripts: generators that yield them. */
import type { CompiledQuery, Kysely } from 'kysely';
import type { LedgerSchema } from './schema.ts';

export type SqlBuilder = Kysely<LedgerSchema>;
export type CompilableQuery<R> = { compile(): CompiledQuery<R> };
export type RunQuery = <R>(query: CompilableQuery<R>) => Promise<R[]>;

type Slot = { arg: string | null; value: unknown };
export type AnyStatement = {
  sql: string;
  compiled: CompiledQuery;
  slots: readonly Slot[];
  returns: boolean;
};
export type SqlStatement<A, R> = AnyStatement & { readonly types?: (args: A) => R };

export type StatementCall = { statement: AnyStatement; args: object };
/** One atomic transaction. Yields statements and receives their rows. */
export type SqlScript<T> = Generator<StatementCall | readonly StatementCall[], T, unknown[]>;

/** Runs independent scripts in parallel, to save round trips to a remote database. */
export function* runScriptsInParallel(scripts: readonly SqlScript<unknown>[]): SqlScript<unknown[]> {
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

/** Placeholders stand for arguments while the statement is built. */
export const createStatementDefiner =
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

export const toCompiledQuery = <A extends object, R>(
  statement: SqlStatement<A, R>,
  args: A,
): CompilableQuery<R> => ({
  compile: () => ({
    ...(statement.compiled as CompiledQuery<R>),
    parameters: bindArguments(statement, args),
  }),
});

/** Cheaper than `yield*` when the rows are not needed. */
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

/** Compiled for several row counts, largest first. */
type ManyRows<A, R> = readonly { rows: number; statement: SqlStatement<object, R> }[] & {
  readonly types?: (row: A) => void;
};

const ROWS_PER_STATEMENT = [32, 16, 8, 4, 2, 1];

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

/** One round trip; rows of one statement do not see each other, so `make` gets their grouping. */
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
