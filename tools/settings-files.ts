/** Files in which tools find their settings, their tasks, and modules that they load (E13). */
import { createRowTable } from './tool-rows.ts';
import type { ToolRow } from './tool-schema.ts';

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

type TaskPlaces = Pick<ToolRow, 'runsFolder' | 'tasksAs'> & {
  tasks: readonly string[];
  also: readonly string[];
};
const NO_PLACES: TaskPlaces = { tasks: [], also: [] };
const taskPlaces = createRowTable(
  (rows) =>
    new Map(
      rows.flatMap(({ names = [], tasksIn: tasks = [], alsoTasksIn: also = [], runsFolder, tasksAs }) => {
        const places: TaskPlaces = {
          tasks,
          also,
          ...(runsFolder === undefined ? {} : { runsFolder }),
          ...(tasksAs === undefined ? {} : { tasksAs }),
        };
        return tasks.length > 0 ? names.map((name) => [name, places] as const) : [];
      }),
    ),
);
/** The files in which a runner finds its tasks, the first that is there; `also` where they are seldom. */
export const findTaskPlaces = (runner: string): TaskPlaces => taskPlaces().get(runner) ?? NO_PLACES;

export const toolFiles = createRowTable((rows) => {
  const names = rows.flatMap(({ settingsFiles = {} }) => Object.keys(settingsFiles));
  const folders = rows.flatMap(({ settingsFolders = [] }) => settingsFolders);
  const root = folders.flatMap((one) => (one.startsWith('./') ? [escapePattern(one.slice(2))] : []));
  const anywhere = folders.flatMap((one) => (one.startsWith('./') ? [] : [escapePattern(one)]));
  const reads = rows.flatMap(({ readFiles = {} }) => Object.keys(readFiles));
  return {
    /** Names of files, and paths below folders, that configure checks. */
    settings: new RegExp(`^(?:${names.join('|')})$`, 'i'),
    settingsFolder: new RegExp(`(?:^|\\/)(?:${anywhere.join('|')})\\/|^(?:${root.join('|')})\\/`, 'i'),
    /** Python modules that a file of the repository may take the place of. */
    modules: new Set(rows.flatMap(({ modules = [] }) => modules)),
    /** Names of files of a project that discovery reads, and paths of tasks that lie deeper. */
    reads: new RegExp(`^(?:${reads.join('|')})$`, 'i'),
    taskPaths: new Set(rows.flatMap(({ tasksIn = [] }) => tasksIn.filter((path) => path.includes('/')))),
  };
});
