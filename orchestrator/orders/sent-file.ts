/** Parses a batch that was sent as a file, alone or with words beside it (F5). Pure. */
import { readCampaignOrder, type NewCampaign } from './campaign-order.ts';
import { readList } from './repository-list.ts';
import { isCampaignFile, readCampaignFile } from './campaign-file.ts';
import { isWrong, wrongArgument, type WrongArgument } from '#model/chat';

export const readSentFile = (content: string, words: string): { value: NewCampaign } | WrongArgument => {
  if (!isCampaignFile(content)) {
    const listed = readList(content);
    return isWrong(listed) ? listed : readCampaignOrder(words, listed);
  }
  return words === '' ? readCampaignFile(content) : wrongArgument({ kind: 'file_words' });
};
