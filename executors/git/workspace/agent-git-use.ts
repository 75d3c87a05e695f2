/** What an agent did with the Git of its workspace: a stash hides work from the change, and commits and pushes are not ours. */
import { constants, lstatSync, opendirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, FindingNoteOf } from '#model/change';
import { MB } from '#model/values';

const MAX_LOG_BYTES = MB;
/** Of all logs together: an agent may have written them, and everything waits while they are read. */
const MAX_LOGS_BYTES = 4 * MB;
const MAX_REMOTE_LOGS = 50;
/** A remote, and the parts of a branch's name. */
const MAX_LOG_DEPTH = 4;

type ReadBudget = { bytes: number; entries: number };

type AgentGitNote = FindingNoteOf<'agent_stashed' | 'agent_committed' | 'agent_pushed'>;

/** Null where anything on the way is no plain folder: what an agent put there leads nowhere. */
const findFolder = (workspace: string, ...names: readonly string[]): string | null => {
  let place = workspace;
  for (const name of names) {
    place = join(place, name);
    if (!lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) return null;
  }
  return place;
};

const readLog = (folder: string | null, name: string, budget: ReadBudget): string[] => {
  if (folder === null) return [];
  const file = join(folder, name);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > Math.min(MAX_LOG_BYTES, budget.bytes)) return [];
  budget.bytes -= stats.size;
  const flag = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return readFileSync(file, { encoding: 'latin1', flag }).split('\n');
};

/** Reads no more names than it may: a folder of an agent can hold a million. */
const firstNames = (folder: string, budget: ReadBudget): string[] => {
  const names: string[] = [];
  const open = opendirSync(folder);
  try {
    for (; budget.entries > 0; budget.entries -= 1) {
      const entry = open.readSync();
      if (entry === null) break;
      names.push(entry.name);
    }
  } finally {
    open.closeSync();
  }
  return names;
};

const countActs = (lines: readonly string[], act: string): number =>
  lines.filter((line) => line.slice(line.indexOf('\t') + 1).startsWith(act)).length;

const countPushes = (folder: string | null, budget: ReadBudget, depth = MAX_LOG_DEPTH): number => {
  if (folder === null) return 0;
  return firstNames(folder, budget)
    .map((name) => {
      const inner = depth > 0 ? findFolder(folder, name) : null;
      return inner === null
        ? countActs(readLog(folder, name, budget), 'update by push')
        : countPushes(inner, budget, depth - 1);
    })
    .reduce((sum, pushes) => sum + pushes, 0);
};

/** Read from the logs that Git keeps beside its references. All processes of the run must be dead. */
export const findAgentGitUse = (workspace: string): Finding[] => {
  const logs = findFolder(workspace, '.git', 'logs');
  const remotes = findFolder(workspace, '.git', 'logs', 'refs', 'remotes');
  const budget: ReadBudget = { bytes: MAX_LOGS_BYTES, entries: MAX_REMOTE_LOGS };
  const stashes = readLog(findFolder(workspace, '.git', 'logs', 'refs'), 'stash', budget).filter(
    Boolean,
  ).length;
  const counts: AgentGitNote[] = [
    { kind: 'agent_stashed', count: stashes },
    { kind: 'agent_committed', count: countActs(readLog(logs, 'HEAD', budget), 'commit') },
    { kind: 'agent_pushed', count: countPushes(remotes, budget) },
  ];
  return counts
    .filter(({ count }) => count > 0)
    .map((note) => ({ kind: 'agent_git', path: '', line: 0, note, count: note.count }));
};
