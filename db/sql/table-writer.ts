/** Inserts whole rows and updates single columns. */
import { sql as raw } from 'kysely';
import { callStatement, selectOne, type DefineStatement, type SqlScript } from './statements.ts';

export type TableShape<T> = {
  table: string;
  key: keyof T & string;
  columns: readonly (keyof T & string)[];
};

export const createTableWriter = <T extends object>(
  define: DefineStatement,
  { table, key, columns }: TableShape<T>,
) => {
  const valueAt = (row: object, column: string): unknown => (row as Record<string, unknown>)[column];
  const own = raw.table(table);
  const sql = {
    insert: define<T, never>((db, a) => ({
      compile: () => {
        const [names, values] = [columns.map((c) => raw.ref(c)), columns.map((c) => valueAt(a, c))];
        return raw<never>`insert into ${own} (${raw.join(names)}) values (${raw.join(values)})`.compile(db);
      },
    })),
    last: define<object, { n: number | null }>((db) => ({
      compile: () => raw<{ n: number | null }>`select max(${raw.ref(key)}) as n from ${own}`.compile(db),
    })),
  };
  const defineChange = (names: readonly string[]) =>
    define<T, never>((db, a) => ({
      compile: () => {
        const set = names.map((c) => raw`${raw.ref(c)} = ${valueAt(a, c)}`);
        return raw<never>`update ${own} set ${raw.join(set)} where ${raw.ref(key)} = ${valueAt(a, key)}`.compile(
          db,
        );
      },
    }));
  const changes = new Map<string, ReturnType<typeof defineChange>>();
  const changeOf = (patch: object): ReturnType<typeof defineChange> => {
    const names = Object.keys(patch);
    const known = changes.get(names.join()) ?? defineChange(names);
    changes.set(names.join(), known);
    return known;
  };
  let last: number | null = null;

  return {
    /** Forgets the last number, which a rollback may have undone. */
    begin: (): void => {
      last = null;
    },
    *next(): SqlScript<number> {
      last = (last ?? (yield* selectOne(sql.last, {}))?.n ?? 0) + 1;
      return last;
    },
    *insert(row: T): SqlScript<void> {
      yield callStatement(sql.insert, row);
    },
    *change(row: T, patch: Partial<T>): SqlScript<T> {
      const after = { ...row, ...patch };
      yield callStatement(changeOf(patch), after);
      return after;
    },
  };
};
