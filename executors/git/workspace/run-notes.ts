/** The Notes port: files in a run's HOME, without following links of an agent. */
import { constants } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { NoteFile, RunNotes, WorkspacePort } from '#ports/workspaces';
import { KB } from '#model/values';

const MAX_NOTE_BYTES = 64 * KB;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

export const createNotes = ({ places }: Pick<WorkspacePort, 'places'>): RunNotes => {
  const fileOf = (runId: string, note: NoteFile): string => path.join(places(runId).home, note);
  return {
    async write(runId, note, text) {
      const file = fileOf(runId, note);
      await rm(file, { recursive: true, force: true });
      const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        await handle.writeFile(text);
      } finally {
        await handle.close();
      }
    },
    async read(runId, note) {
      const file = fileOf(runId, note);
      const there = await lstat(file).catch(() => null);
      if (!there?.isFile() || there.nlink > 1 || there.size > MAX_NOTE_BYTES) return null;
      // An agent may have put a pipe there.
      const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const now = await handle.stat();
        if (!now.isFile() || now.size > MAX_NOTE_BYTES) return null;
        const text = (await handle.readFile()).toString();
        return text.includes('\uFFFD') ? null : text;
      } finally {
        await handle.close();
      }
    },
  };
};
