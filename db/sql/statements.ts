/**
 * SQL that Kysely compiles once, and the scripts that use it: generators which ask for statements
 * and know no database.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './schema.ts';

export type Builder = Kysely<Tables>;
export type Compilable<R> = { compile(): CompiledQuery<R> };
/** Reads outside a script. */
export type RunQuery = <R>(query: Compilable<R>) => Promise<R[]>;

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
export type Statement<A, R> = AnyStatement & { readonly types?: (args: A) => R };

export type Call = { statement: AnyStatement; args: object };
/**
 * One transaction. What it yields is executed, and it goes on with the rows, of several calls with
 * those of each; it either ends or has never happened.
 */
export type Script<T> = Generator<Call | readonly Call[], T, unknown[]>;

/**
 * Scripts that do not build on each other, side by side: what all of them ask next is one trip to a
 * database that is far away.
 */
export function* sideBySide(scripts: readonly Script<unknown>[]): Script<unknown[]> {
  const turns = scripts.map((script) => script.next());
  for (;;) {
    const open: number[] = [];
    const calls: Call[] = [];
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

const MARK = Symbol('argument');
const isMark = (value: unknown): value is { [MARK]: string } =>
  typeof value === 'object' && value !== null && MARK in value;

export type Define = <A extends object, R>(build: (db: Builder, args: A) => Compilable<R>) => Statement<A, R>;

/**
 * Arguments are stood in for by marks while the statement is built; each use binds the real ones in
 * their places.
 */
export const createDefine =
  (db: Builder): Define =>
  (build) => {
    const marks = new Proxy({}, { get: (_, name) => ({ [MARK]: name }) });
    const compiled = build(db, marks as Parameters<typeof build>[1]).compile();
    const { sql, parameters } = compiled;
    const slots = parameters.map((p): Slot =>
      isMark(p) ? { arg: p[MARK], value: null } : { arg: null, value: p },
    );
    return { sql, compiled, slots, returns: /^\s*select|\breturning\b/i.test(sql) };
  };

export const bind = ({ slots }: AnyStatement, args: object): unknown[] => {
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
export const asked = <A extends object, R>(statement: Statement<A, R>, args: A): Compilable<R> => ({
  compile: () => ({ ...(statement.compiled as CompiledQuery<R>), parameters: bind(statement, args) }),
});

/** For `yield` where the rows do not matter: a `yield*` more is felt in a step. */
export const call = <A extends object, R>(statement: Statement<A, R>, args: A): Call => ({
  statement,
  args,
});

export function* all<A extends object, R>(statement: Statement<A, R>, args: A): Script<R[]> {
  return (yield { statement, args }) as R[];
}

export function* one<A extends object, R>(statement: Statement<A, R>, args: A): Script<R | undefined> {
  return ((yield { statement, args }) as R[])[0];
}

/** One statement for several rows, compiled for some numbers of them; the largest comes first. */
export type ManyRows<A, R> = readonly { rows: number; statement: Statement<object, R> }[] & {
  readonly types?: (row: A) => void;
};

/** How many rows one statement may write: any number of them takes few statements. */
const ROWS = [32, 16, 8, 4, 2, 1];

/** The arguments of one row among those of several. */
const namesOf = <A extends object>(args: object, row: number): A =>
  new Proxy({}, { get: (_, name) => (args as Record<string, unknown>)[`${String(name)} ${row}`] }) as A;

export const defineMany = <A extends object, R>(
  define: Define,
  build: (db: Builder, rows: A[]) => Compilable<R>,
): ManyRows<A, R> =>
  ROWS.map((rows) => ({
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
export function* many<T, A extends object, R>(
  statements: ManyRows<A, R>,
  items: readonly T[],
  make: (together: readonly T[]) => readonly A[],
): Script<R[]> {
  const calls: Call[] = [];
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
