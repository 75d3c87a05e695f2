/** The rows that hold now, and tables that are derived from them when they are first asked for. */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { loadRows } from './load-data.ts';
import { readAddedRows } from './read-rows.ts';
import type { ToolRow } from './tool-schema.ts';

/** Threads that are started later read the same rows. */
const KEY = 'agentpr.toolRows';
let current: readonly ToolRow[] | null = null;

const withAdded = (added: readonly ToolRow[], ours: readonly ToolRow[]): readonly ToolRow[] => {
  const ids = new Set(added.map(({ id }) => id));
  return [...added, ...ours.filter(({ id }) => !ids.has(id))];
};
const readInheritedRows = (): readonly ToolRow[] => {
  const added = getEnvironmentData(KEY);
  return Array.isArray(added) ? (added as ToolRow[]) : [];
};

export const toolRows = (): readonly ToolRow[] => (current ??= withAdded(readInheritedRows(), loadRows()));

/** Puts rows before ours, so that one of the same id takes its place. Returns what takes them away again. */
export const addToolRows = (added: readonly ToolRow[]): (() => void) => {
  const before = { rows: toolRows(), inherited: readInheritedRows() };
  current = withAdded(added, before.rows);
  setEnvironmentData(KEY, [...withAdded(added, before.inherited)]);
  return () => {
    current = before.rows;
    setEnvironmentData(KEY, [...before.inherited]);
  };
};

/** An operator's rows. Throws RowError, and what the file system says. */
export const addRowsFrom = (folder: string): (() => void) => addToolRows(readAddedRows(folder, toolRows()));

export const createRowTable = <Table>(derive: (rows: readonly ToolRow[]) => Table): (() => Table) => {
  let from: readonly ToolRow[] | null = null;
  let table: Table | undefined;
  return () => {
    const rows = toolRows();
    if (table === undefined || rows !== from) table = derive(rows);
    from = rows;
    return table;
  };
};
