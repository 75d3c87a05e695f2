/** Parses a batch that was sent as a file, alone or with words beside it (F5). Pure. */
import { readCampaignOrder, type NewCampaign } from './campaign-argument.ts';
import { readList } from './repository-list.ts';
import { isCampaignFile, readCampaignFile } from './campaign-file.ts';
import { isWrongArgument, toWrongArgument, type WrongArgument } from '#model/chat';

export const parseSentCampaign = (content: string, words: string): { value: NewCampaign } | WrongArgument => {
  if (!isCampaignFile(content)) {
    const listed = readList(content);
    return isWrongArgument(listed) ? listed : readCampaignOrder(words, listed);
  }
  return words === '' ? readCampaignFile(content) : toWrongArgument({ kind: 'file_words' });
};
