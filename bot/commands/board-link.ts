/** O5: gives a person a link to the board, for one use. */
import { momentText, escapedSentence, escapeHtml } from '../text/telegram-html.ts';
import { htmlReply, plainReply, refuseUpdate, settleUpdate, type CommandContext } from './command-context.ts';

export const showBoard = async (c: CommandContext): Promise<void> => {
  const { board: words, calendar } = c.words;
  const address = c.board?.address() ?? null;
  if (!c.board || address === null) return settleUpdate(c, 'board', plainReply(words.off));
  if (!c.private) return refuseUpdate(c, 'board', plainReply(words.alone));
  const link = await c.board.access.issueLink({ id: c.user, name: c.name });
  if (link === null) return refuseUpdate(c, 'board', plainReply(c.words.roles.stranger(c.user)));
  if ('retryAt' in link)
    return refuseUpdate(
      c,
      'board',
      plainReply(words.retry(momentText(link.retryAt, c.clock.now(), calendar))),
    );
  const url = `${address}/board/enter/${link.token}`;
  // Bot API, InlineKeyboardButton: an address of this machine is none for a button.
  const reply = address.startsWith('https://')
    ? htmlReply(escapedSentence(words.link), [[{ verb: 'say', text: words.open, runId: '', opens: url }]])
    : htmlReply(`${escapedSentence(words.link)}\n${escapeHtml(url)}`);
  return settleUpdate(c, 'board', reply);
};
