/**
 * P4: a no on a card ends its run, for a reason that is kept; a wish goes to the agent at once, by a
 * button or in words.
 */
import { DENIALS, type Denial } from '../../orchestrator/core/feedback.ts';
import type { InputOf } from '../../orchestrator/core/machine/inputs.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import { neededFor } from '../../orchestrator/commands/read.ts';
import { LONGEST } from '../../orchestrator/commands/problems.ts';
import type { ApprovalRow } from '../../orchestrator/ports.ts';
import { say } from '../text/catalogue.ts';
import { visible } from '../text/text.ts';
import { CHANGE_WAYS, DENY_WAYS } from '../views/denying.ts';
import { person } from './acting.ts';
import { closedBecause } from './cards.ts';
import { offer, plain, refuse, settle, type Answers, type Context } from './context.ts';
import type { Form } from './forms.ts';
import { notTaken, submitted, tell, type Said } from './popup.ts';

type Denying = InputOf<'command.deny'>;

const refusing = (c: Context, approvalId: string, more: Partial<Denying>): Denying => ({
  type: 'command.deny',
  by: person(c),
  reason: '',
  final: false,
  approvalId,
  ...more,
});

const because = (way: string): { denialReason?: Denial } => {
  const known = DENIALS.find((one) => one === way);
  return known ? { denialReason: known } : {};
};

/** One of the reasons was tapped; `card` draws the card again. */
export const denyAs = async (
  c: Context,
  run: Run,
  approval: ApprovalRow,
  index: number | null,
  card: Answers,
): Said => {
  const { tap } = c.words;
  const way = DENY_WAYS[index ?? -1];
  if (way === undefined) return tell(c, tap.gone, true, card);
  // Nobody would follow an open pull request whose run has ended.
  const no = refusing(c, approval.id, { ...because(way), final: run.upstream.pullRequest === null });
  return submitted(c, run, no, { done: () => tap.denied, refused: [card] });
};

/** One of the usual wishes was tapped. */
export const changeAs = async (
  c: Context,
  run: Run,
  approval: ApprovalRow,
  index: number | null,
  card: Answers,
): Said => {
  const way = CHANGE_WAYS[index ?? -1];
  if (way === undefined) return tell(c, c.words.tap.gone, true, card);
  const wish = refusing(c, approval.id, { ...because(way), retryNow: true });
  return submitted(c, run, wish, { done: () => c.words.denials.asked, refused: [card] });
};

/** Gives the agent the words that somebody wrote after *Deny* or *Ask for changes*. */
export const changeInWords = async (c: Context, { run, about }: Form, words: string): Promise<void> => {
  const needed = neededFor('changes');
  if (!atLeast(c.role, needed)) return refuse(c, 'role', plain(c.words.roles.needs(needed), run.id));
  if (words.length > LONGEST.instruction) {
    const problem = { kind: 'long', what: 'instruction', most: LONGEST.instruction } as const;
    return settle(c, 'too long', plain(say(c.words.problems, problem), run.id));
  }
  const approval = await c.ledger.query.approval(about);
  const closed = approval ? closedBecause(run, approval, c.clock.now(), c.words) : c.words.tap.gone;
  if (closed !== null) return settle(c, 'closed', plain(closed, run.id));
  const wish = refusing(c, about, { reason: visible(words), retryNow: true });
  const { asked, captionOnly } = c.words.denials;
  await offer(c, run.id, wish, (step) =>
    step.kind === 'moved'
      ? [{ ...plain(c.captioned ? captionOnly : asked, run.id), sound: false }]
      : [plain(notTaken(c, step), run.id)],
  );
};
