/** Reads lists and campaign files in a worker thread. */
import { readCampaignFile, readSentFile } from '#orders';
import type { TargetVariables } from '../orchestrator/model/campaign-order.ts';

export const tasks = {
  sentFile: ({ content, words }: { content: string; words: string }) => readSentFile(content, words),
  campaignFile: ({ source, vars }: { source: string; vars: TargetVariables }) =>
    readCampaignFile(source, vars),
};
