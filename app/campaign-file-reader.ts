/** Reads lists and campaign files, long ones in a thread (O10). */
import { readerThreads, type ReaderThreads } from '#process';
import { readCampaignFile, parseSentCampaign, type NewCampaign } from '#orders';
import { toWrongArgument, type WrongArgument } from '#model/chat';
import type { TargetVariables } from '#model/campaign';
import { KB } from '#model/values';
import { UnreadableFailure } from '#ports/forge';
import type { readerTasks } from './campaign-file-tasks.ts';

const LIST_TASKS_MODULE = '#programs/list-tasks';
const MAX_INLINE_LENGTH = 8 * KB;
type Read = { value: NewCampaign } | WrongArgument;

type ListReader = {
  sentFile: (content: string, words: string) => Promise<Read>;
  campaignFile: (source: string, vars?: TargetVariables) => Promise<Read>;
};

const readHere: { [K in keyof ListReader]: ListReader[K] } = {
  sentFile: async (content, words) => parseSentCampaign(content, words),
  campaignFile: async (source, vars = {}) => readCampaignFile(source, vars),
};

const orHard = async (reading: Promise<Read>): Promise<Read> => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnreadableFailure) return toWrongArgument({ kind: 'file_hard' });
    throw error;
  }
};

export const createCampaignFileReader = ({
  ask,
}: Pick<ReaderThreads, 'ask'> = readerThreads): ListReader => ({
  sentFile: async (content, words) =>
    content.length <= MAX_INLINE_LENGTH
      ? readHere.sentFile(content, words)
      : orHard(
          ask<typeof readerTasks, 'sentFile'>(
            LIST_TASKS_MODULE,
            'sentFile',
            { content, words },
            content.length,
          ),
        ),
  campaignFile: async (source, vars = {}) =>
    source.length <= MAX_INLINE_LENGTH
      ? readHere.campaignFile(source, vars)
      : orHard(
          ask<typeof readerTasks, 'campaignFile'>(
            LIST_TASKS_MODULE,
            'campaignFile',
            { source, vars },
            source.length,
          ),
        ),
});
