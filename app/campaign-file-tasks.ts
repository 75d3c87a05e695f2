/** Reads lists and campaign files in a worker thread. */
import { allowLongTexts } from '#process';
import { readCampaignFile, parseSentCampaign } from '#orders';
import type { TargetVariables } from '#model/campaign';

/** A script may have so many characters; what fills its variables is measured at that length. */
const MAX_SENT_SCRIPT_LENGTH = 100_000;

export const readerTasks = {
  sentFile: allowLongTexts(MAX_SENT_SCRIPT_LENGTH, ({ content, words }: { content: string; words: string }) =>
    parseSentCampaign(content, words),
  ),
  campaignFile: allowLongTexts(
    MAX_SENT_SCRIPT_LENGTH,
    ({ source, vars }: { source: string; vars: TargetVariables }) => readCampaignFile(source, vars),
  ),
};
