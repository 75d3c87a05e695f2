/** Reads lists and campaign files in a worker thread. */
import { readCampaignFile } from '../orchestrator/commands/campaign-file.ts';
import { readSentFile } from '../orchestrator/commands/sent-file.ts';
import type { TargetVariables } from '../orchestrator/model/campaign-order.ts';

export const tasks = {
  sentFile: ({ content, words }: { content: string; words: string }) => readSentFile(content, words),
  campaignFile: ({ source, vars }: { source: string; vars: TargetVariables }) =>
    readCampaignFile(source, vars),
};
