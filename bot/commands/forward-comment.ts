/** Forwards an outsider's words to the agent, once, after an approver could read them all (P5). */
import type { Run } from '#run';
import { sha256Hex } from '#runtime';
import { redactSecrets, showInvisible } from '../../text-safety/index.ts';
import { codeLine } from '../text/telegram-html.ts';
import type { Ledger } from '#ports/ledger';
import { instructionOf, isCommentCut, type CommentView } from '../views/comment-card.ts';
import { runName } from '../views/run-lines.ts';
import { personOf, viewReply, type CommandReply, type CommandContext } from './command-context.ts';
import { renderReason } from '../views/reason-messages.ts';
import { defineButton, runCardOn, type RunTap, type ViewOf } from './define-button.ts';
import { submitTap } from './submit-tap.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';

/** Returns who forwarded the comment, whichever message showed it; null when nobody did. */
export const findCommentForwarder = async (
  query: Pick<Ledger['query'], 'effects'>,
  runId: string,
  slot: string | null,
): Promise<string | null> => {
  for (const row of await query.effects({ runId, kind: 'chat_message' })) {
    if (row.slot !== slot || row.do.kind !== 'chat_message' || row.do.content.view !== 'comment') continue;
    if (row.do.content.forwardedBy !== null) return row.do.content.forwardedBy;
  }
  return null;
};

/** Sends the whole text as a file, in a slot that records who was shown it. */
const allOf = async (
  context: CommandContext,
  run: Run,
  slot: string,
  { body, author }: CommentView,
): Promise<CommandReply> => {
  const content = redactSecrets(showInvisible(body));
  const artifact = await context.ledger.artifact({
    runId: run.id,
    type: 'comment',
    content,
    at: context.clock.now(),
  });
  const caption = `${runName(run)} · ${codeLine(author, 40)}`;
  return viewReply({ view: 'document', name: `run-${run.id}-comment.txt`, caption, artifact }, run.id, slot);
};

export const COMMENT_BUTTONS = [
  defineButton(runCardOn('comment'), {
    verb: 'comment.fix',
    // guard: G3-fix-button
    role: 'approver',
    onTap: (tap): PendingTapAnswer => forwardComment(tap),
  }),
];

/** The state need not match: the machine refuses the words where it cannot use them. */
const forwardComment = async ({
  c,
  run,
  row: { slot },
  show,
}: RunTap<ViewOf<'comment'>>): PendingTapAnswer => {
  const { tap } = c.words;
  if (slot === null) return settleTap(c, tap.gone, true);
  const toForwardedReply = (by: string): CommandReply =>
    viewReply({ ...show, forwardedBy: by }, run.id, slot);
  const before = await findCommentForwarder(c.ledger.query, run.id, slot);
  if (before !== null) return settleTap(c, tap.passedAlready(before), true, toForwardedReply(before));
  // A comment that was edited since must be read again.
  const readSlot = `${slot}:read:${sha256Hex(show.body).slice(0, 32)}:${c.user}`;
  if (isCommentCut(show) && (await c.ledger.query.sent(readSlot)) === null)
    return settleTap(c, tap.longer, true, await allOf(c, run, readSlot, show));
  const instruction = instructionOf(show, c.name);
  return submitTap(
    c,
    run,
    { type: 'command.iterate', by: personOf(c), instruction, comment: show.url },
    // The machine records the words and asks a person when the limit of fixes is reached.
    {
      done: (after) =>
        after.lifecycle.state === 'ITERATING' ? tap.passed : renderReason(after, c.clock.now(), c.words),
      taken: [toForwardedReply(c.name)],
    },
  );
};
