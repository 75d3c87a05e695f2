/** O10: files with lists and campaigns are read where a long one holds nobody up. */
import { readerThreads, type ReaderThreads } from '../executors/process/reader-threads.ts';
import type { NewBatch } from '../orchestrator/commands/batch.ts';
import { wrong, type Wrong } from '../orchestrator/commands/problems.ts';
import type { Variables } from '../orchestrator/core/campaign/order.ts';
import { KB } from '../orchestrator/core/units.ts';
import { UnreadableFailure } from '../orchestrator/ports.ts';
import type { tasks } from './list-tasks.ts';

const MODULE = '#programs/list-tasks';
/** Up to this many characters one is read before anybody has waited for it. */
const SMALL = 8 * KB;
type Read = { value: NewBatch } | Wrong;

export type Lists = {
  sentFile: (content: string, words: string) => Promise<Read>;
  campaignFile: (source: string, vars?: Variables) => Promise<Read>;
};

/** With libraries that a process needs only once a list comes. */
const readHere: { [K in keyof Lists]: Lists[K] } = {
  sentFile: async (content, words) =>
    (await import('../orchestrator/commands/sent-file.ts')).readSentFile(content, words),
  campaignFile: async (source, vars = {}) =>
    (await import('../orchestrator/commands/campaign-file.ts')).readCampaignFile(source, vars),
};

const orHard = async (reading: Promise<Read>): Promise<Read> => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnreadableFailure) return wrong({ kind: 'file_hard' });
    throw error;
  }
};

export const createLists = ({ ask }: Pick<ReaderThreads, 'ask'> = readerThreads): Lists => ({
  sentFile: async (content, words) =>
    content.length <= SMALL
      ? readHere.sentFile(content, words)
      : orHard(ask<typeof tasks, 'sentFile'>(MODULE, 'sentFile', { content, words }, content.length)),
  campaignFile: async (source, vars = {}) =>
    source.length <= SMALL
      ? readHere.campaignFile(source, vars)
      : orHard(ask<typeof tasks, 'campaignFile'>(MODULE, 'campaignFile', { source, vars }, source.length)),
});
