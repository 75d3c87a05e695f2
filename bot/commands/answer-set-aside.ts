/** L9, S6: shows admins what was given up or set aside, and has it retried or dropped. */
import type { ArgumentsOf } from '#commands';
import { renderSetAside, MAX_SHOWN_ROWS } from '../views/set-aside-screen.ts';
import { plainReply, screenReply, settleUpdate, type CommandContext } from './command-context.ts';

export const answerSetAside = async (
  c: CommandContext,
  change: ArgumentsOf<'set_aside'>['row'],
): Promise<void> => {
  const { setAside: words } = c.words;
  if (change === null) {
    const rows = await c.ledger.query.deadInbox(MAX_SHOWN_ROWS + 1);
    const { html, buttons } = renderSetAside(rows, { now: c.clock.now(), withWords: c.private }, c.words);
    return settleUpdate(c, 'set aside', screenReply(c, html, buttons));
  }
  const { id } = change;
  const isDone = await (change.do === 'retry' ? c.ledger.reopenInbox(id) : c.ledger.dropInbox(id));
  const did = change.do === 'retry' ? words.retried : words.dropped;
  return settleUpdate(c, 'set aside', plainReply(isDone ? did(id) : words.unknown(id)));
};
