/** P4: a no with its reason: a chip on the card, or words in answer to our question for them. */
import { DENIALS } from '../../orchestrator/core/feedback.ts';
import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import { neededFor } from '../../orchestrator/commands/read.ts';
import { LONGEST } from '../../orchestrator/commands/problems.ts';
import type { ApprovalRow } from '../../orchestrator/ports.ts';
import { say } from '../text/catalogue.ts';
import { DENY_WAYS } from '../views/denying.ts';
import { person } from './acting.ts';
import { closedBecause } from './cards.ts';
import { offer, plain, refuse, settle, type Answers, type Context } from './context.ts';
import { askFor, type Form } from './forms.ts';
import { notTaken, submitted, tell, type Said } from './popup.ts';

const input = (c: Context, approvalId: string, reason: string): Extract<Input, { type: 'command.deny' }> => ({
  type: 'command.deny',
  by: person(c),
  reason,
  final: false,
  approvalId,
});

/** One of the chips was tapped; `card` draws the card again. */
export const denyAs = async (
  c: Context,
  run: Run,
  approval: ApprovalRow,
  index: number | null,
  card: Answers,
): Said => {
  const { tap, denials } = c.words;
  const way = DENY_WAYS[index ?? -1];
  if (way === undefined) return tell(c, tap.gone, true, card);
  if (way === 'other') {
    const form = askFor(c, { kind: 'denial', run, about: approval.id });
    return tell(c, denials.askBelow, false, card, form);
  }
  const because = DENIALS.find((one) => one === way);
  const no = { ...input(c, approval.id, ''), ...(because ? { because } : {}) };
  return submitted(c, run, no, { done: () => tap.denied, refused: [card] });
};

export const denyInWords = async (c: Context, { run, about }: Form, words: string): Promise<void> => {
  const needed = neededFor('deny');
  if (!atLeast(c.role, needed)) return refuse(c, 'role', plain(c.words.roles.needs(needed), run.id));
  if (words.length > LONGEST.reason) {
    const problem = { kind: 'long', what: 'reason', most: LONGEST.reason } as const;
    return settle(c, 'too long', plain(say(c.words.problems, problem), run.id));
  }
  const approval = await c.ledger.query.approval(about);
  const closed = approval ? closedBecause(run, approval, c.clock.now(), c.words) : c.words.tap.gone;
  if (closed !== null) return settle(c, 'closed', plain(closed, run.id));
  await offer(c, run.id, input(c, about, words), (step) =>
    step.kind === 'moved' ? [plain(c.words.tap.denied, run.id)] : [plain(notTaken(c, step), run.id)],
  );
};
