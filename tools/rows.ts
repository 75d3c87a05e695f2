/** The rows that hold now, and tables that are derived from them when they are first asked for. */
import { loadRows } from './load-rows.ts';
import type { ToolRow } from './tool-schema.ts';

let current: readonly ToolRow[] | null = null;

export const toolRows = (): readonly ToolRow[] => (current ??= loadRows());

/** Puts rows before ours, so that one of the same id takes its place. Returns what takes them away again. */
export const addToolRows = (added: readonly ToolRow[]): (() => void) => {
  const before = toolRows();
  const ids = new Set(added.map(({ id }) => id));
  current = [...added, ...before.filter(({ id }) => !ids.has(id))];
  return () => {
    current = before;
  };
};

export const fromRows = <Table>(derive: (rows: readonly ToolRow[]) => Table): (() => Table) => {
  let from: readonly ToolRow[] | null = null;
  let table: Table | undefined;
  return () => {
    const rows = toolRows();
    if (table === undefined || rows !== from) table = derive(rows);
    from = rows;
    return table;
  };
};
