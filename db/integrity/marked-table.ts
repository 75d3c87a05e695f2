/** Tables that the log alone cannot account for: every row bears a mark, and every change of it goes into the books. */
import { sql as raw } from 'kysely';
import { sameMark, type Seal } from './seal.ts';
import { call, one, type Define, type Script } from '../sql/statements.ts';

export type Marked<T> = T & { mark: string | null };
export type Shape<T> = {
  table: string;
  /** What names a row; never changed. */
  key: keyof T & string;
  columns: readonly (keyof T & string)[];
};

export const markedTable = <T extends object>(
  define: Define,
  seal: Seal,
  { table, key, columns }: Shape<T>,
) => {
  const all = [...columns, 'mark'] as const;
  const at = (a: object, column: string): unknown => (a as Record<string, unknown>)[column];
  const own = raw.table(table);
  const sql = {
    insert: define<Marked<T>, never>((db, a) => ({
      compile: () => {
        const [names, values] = [all.map((c) => raw.ref(c)), all.map((c) => at(a, c))];
        return raw<never>`insert into ${own} (${raw.join(names)}) values (${raw.join(values)})`.compile(db);
      },
    })),
    last: define<object, { n: number | null }>((db) => ({
      compile: () => raw<{ n: number | null }>`select max(${raw.ref(key)}) as n from ${own}`.compile(db),
    })),
  };
  const changing = (names: readonly string[]) =>
    define<Marked<T>, never>((db, a) => ({
      compile: () => {
        const set = names.map((c) => raw`${raw.ref(c)} = ${at(a, c)}`);
        return raw<never>`update ${own} set ${raw.join(set)} where ${raw.ref(key)} = ${at(a, key)}`.compile(
          db,
        );
      },
    }));
  const changes = new Map<string, ReturnType<typeof changing>>();
  /** Names no column that stays: its indexes would be written again. */
  const changeOf = (patch: object): ReturnType<typeof changing> => {
    const names = [...Object.keys(patch), 'mark'];
    const known = changes.get(names.join()) ?? changing(names);
    changes.set(names.join(), known);
    return known;
  };
  const markOf = (row: T) => seal(table, columns, row);
  const ours = (row: Marked<T>): boolean => sameMark(markOf(row).mark, row.mark);
  let last: number | null = null;

  return {
    ours,
    /** A transaction begins: what the last one knew may have been undone. */
    begin: (): void => {
      last = null;
    },
    /** The next number: the mark covers it, so it must be known before the row is there. */
    *next(): Script<number> {
      last = (last ?? (yield* one(sql.last, {}))?.n ?? 0) + 1;
      return last;
    },
    *insert(row: T): Script<void> {
      const { mark, share } = markOf(row);
      yield call(sql.insert, { ...row, mark }, { scope: table, count: 1, by: share });
    },
    /** The row as it is now. One that somebody else has touched stays without a mark of ours, so that it is found. */
    *change(row: Marked<T>, patch: Partial<T>): Script<Marked<T>> {
      const after = { ...row, ...patch };
      const before = markOf(row);
      // guard: L5-own-row
      if (!sameMark(before.mark, row.mark)) {
        yield call(changeOf(patch), after);
        return after;
      }
      const { mark, share } = markOf(after);
      after.mark = mark;
      yield call(changeOf(patch), after, { scope: table, count: 0, by: share - before.share });
      return after;
    },
  };
};
