/** Shows admins what was given up or set aside, and has it retried or dropped (L9, S6). */
import type { ArgumentsOf } from '#commands';
import { renderSetAside, MAX_SHOWN_ROWS } from '../views/set-aside-screen.ts';
import { plainReply, screenReply, settleUpdate, type CommandContext } from './command-context.ts';

export const answerSetAside = async (
  context: CommandContext,
  change: ArgumentsOf<'set_aside'>['row'],
): Promise<void> => {
  const { setAside: words } = context.words;
  if (change === null) {
    const rows = await context.ledger.query.deadInbox(MAX_SHOWN_ROWS + 1);
    const { html, buttons } = renderSetAside(
      rows,
      { now: context.clock.now(), withWords: context.private },
      context.words,
    );
    return settleUpdate(context, 'set aside', screenReply(context, html, buttons));
  }
  const { id } = change;
  const isDone = await (change.do === 'retry'
    ? context.ledger.reopenInbox(id)
    : context.ledger.dropInbox(id));
  const did = change.do === 'retry' ? words.retried : words.dropped;
  return settleUpdate(context, 'set aside', plainReply(isDone ? did(id) : words.unknown(id)));
};
