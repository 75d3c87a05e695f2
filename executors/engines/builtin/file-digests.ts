/** Follows the bytes of changed files by their digests, as the tools in the box tell them. */
import type { DraftedAction } from '#model/turn';
import type { BoxTools, ToolAnswer } from './box-tools.ts';
import type { ToolName } from './parse-thought.ts';

type Change = NonNullable<DraftedAction['outcome']>['files'][number];
type Read = { path: string; digest: string };

const MAX_CHANGES = 1_000;

export const createFileDigests = (
  tools: BoxTools,
  shielded: () => readonly string[],
  writes: boolean,
  before: readonly string[] = [],
) => {
  const seen = new Set(before);
  const known = new Map<string, string | null>();
  let read: Read[] = [];
  const changesIn = ({ digests = [] }: ToolAnswer): Change[] =>
    digests.flatMap(({ path, before, digest }): Change[] => {
      const was = before === undefined ? known.get(path) : before;
      if (was === digest || shielded().includes(path)) return [];
      known.set(path, digest);
      seen.add(path);
      return [{ path, ...(was === undefined ? {} : { before: was }), after: digest }];
    });
  const look = (): Promise<ToolAnswer> => tools.use('changed', { also: [...known.keys()] });
  return {
    look,
    starts: ({ digests = [] }: ToolAnswer): void => {
      for (const { path, digest } of digests) known.set(path, digest);
    },
    changedBy: async (tool: ToolName, done: ToolAnswer): Promise<Change[]> => {
      if (tool === 'read')
        for (const { path, digest } of done.digests ?? []) {
          seen.add(path);
          if (digest !== null) read.push({ path, digest });
        }
      if (tool === 'patch') return changesIn(done);
      if (tool !== 'run' || !writes) return [];
      return changesIn(await look()).slice(0, MAX_CHANGES);
    },
    isKnown: (path: string): boolean => seen.has(path),
    takeRead: (): Read[] => {
      const now = read;
      read = [];
      return now;
    },
  };
};
export type FileDigests = ReturnType<typeof createFileDigests>;
