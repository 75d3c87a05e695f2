/** F5: a batch whose list, or all of it, came as a file. Pure. */
import { readBatch, type NewBatch } from './batch.ts';
import { readList } from './batch-list.ts';
import { isCampaignFile, readCampaignFile } from './campaign-file.ts';
import { isWrong, wrong, type Wrong } from './problems.ts';

/** `words` stood beside the file. */
export const readSentFile = (content: string, words: string): { value: NewBatch } | Wrong => {
  if (!isCampaignFile(content)) {
    const listed = readList(content);
    return isWrong(listed) ? listed : readBatch(words, listed);
  }
  return words === '' ? readCampaignFile(content) : wrong({ kind: 'file_words' });
};
