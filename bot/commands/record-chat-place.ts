/** Remembers in which chats we are, and says hello or tells an admin that we were put out. */
import type { InboxRow, ChatReply } from '../../orchestrator/kernel/ports/index.ts';
import { showInvisible } from '../text/telegram-html.ts';
import type { InboundUpdate } from './inbound-update.ts';
import { plainReply, type BotParts } from './command-context.ts';
import { isHere, nowHere } from '../chat-places.ts';
import type { HandledUpdate } from './answer-tap.ts';

export const recordChatPlace = async (
  parts: BotParts,
  row: InboxRow,
  { chat, here, title, by }: Extract<InboundUpdate, { kind: 'place' }>,
): Promise<HandledUpdate> => {
  const member = await parts.roles.of(chat);
  const before = await isHere(parts.ledger.query, chat);
  const ours =
    member !== null || before !== null || (here && by !== null && (await parts.roles.of(by)) !== null);
  const news = ours && (await nowHere(parts.ledger, chat, here));
  const [admin] = parts.deciders.filter((id) => id !== chat);
  const name = member?.name ?? (showInvisible(title).slice(0, 60) || chat);
  const replies: ChatReply[] = [];
  if (news && here && member === null)
    replies.push({ ...plainReply((await parts.wordsFor(chat)).places.hello), chat });
  if (news && !here && admin !== undefined)
    replies.push({
      ...plainReply((await parts.wordsFor(admin)).places[member ? 'blocked' : 'removed'](name)),
      chat: admin,
      sound: true,
    });
  await parts.ledger.settleInbox(
    row.id,
    { kind: 'done', note: here ? 'let in' : 'put out', replies },
    parts.clock.now(),
  );
  return {};
};
