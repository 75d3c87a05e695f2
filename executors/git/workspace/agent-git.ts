/** What an agent did with the Git of its workspace: a stash hides work from the change, and commits and pushes are not ours. */
import { constants, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, FindingNoteOf } from '#model/change';
import { MB } from '#model/values';

const MAX_LOG_BYTES = MB;
const MAX_REMOTE_LOGS = 50;

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

const readLog = (folder: string | null, name: string): string[] => {
  if (folder === null) return [];
  const file = join(folder, name);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_LOG_BYTES) return [];
  const flag = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return readFileSync(file, { encoding: 'latin1', flag }).split('\n');
};

const countActs = (lines: readonly string[], act: string): number =>
  lines.filter((line) => line.slice(line.indexOf('\t') + 1).startsWith(act)).length;

const countPushes = (workspace: string): number => {
  const remotes = findFolder(workspace, '.git', 'logs', 'refs', 'remotes');
  const folders = remotes === null ? [] : readdirSync(remotes).slice(0, MAX_REMOTE_LOGS);
  return folders
    .map((name) => findFolder(workspace, '.git', 'logs', 'refs', 'remotes', name))
    .flatMap((folder) =>
      folder === null
        ? []
        : readdirSync(folder)
            .slice(0, MAX_REMOTE_LOGS)
            .map((name) => countActs(readLog(folder, name), 'update by push')),
    )
    .reduce((sum, pushes) => sum + pushes, 0);
};

/** Read from the logs that Git keeps beside its references. All processes of the run must be dead. */
export const findAgentGit = (workspace: string): Finding[] => {
  const logs = findFolder(workspace, '.git', 'logs');
  const stashes = readLog(findFolder(workspace, '.git', 'logs', 'refs'), 'stash').filter(Boolean).length;
  const counts: AgentGitNote[] = [
    { kind: 'agent_stashed', count: stashes },
    { kind: 'agent_committed', count: countActs(readLog(logs, 'HEAD'), 'commit') },
    { kind: 'agent_pushed', count: countPushes(workspace) },
  ];
  return counts
    .filter(({ count }) => count > 0)
    .map((note) => ({ kind: 'agent_git', path: '', line: 0, note, count: note.count }));
};
