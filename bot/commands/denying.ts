/** P4: a no with its reason: a chip on the card, or words in answer to our question for them. */
import { DENIALS } from '../../orchestrator/core/feedback.ts';
import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import { neededFor } from '../../orchestrator/commands/read.ts';
import { LONGEST } from '../../orchestrator/commands/problems.ts';
import type { ApprovalRow } from '../../orchestrator/ports.ts';
import { say } from '../text/catalogue.ts';
import { sentence } from '../text/text.ts';
import { DENY_WAYS } from '../views/denying.ts';
import { name } from '../views/scene.ts';
import { person } from './acting.ts';
import { closedBecause, deliveredAs } from './cards.ts';
import { offer, plain, refuse, settle, type Answers, type Context } from './context.ts';
import { notTaken, submitted, tell, type Said } from './popup.ts';

const ASKED = 'denial';

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
    const question: Answers = {
      slot: `${ASKED}:${c.row.id}:${approval.id}`,
      show: { view: 'reply', html: `${sentence(denials.ask)}\n${name(run)}`, buttons: [], asks: true },
      urgent: true,
      sound: false,
      runId: run.id,
    };
    return tell(c, denials.askBelow, false, card, question);
  }
  const because = DENIALS.find((one) => one === way);
  const no = { ...input(c, approval.id, ''), ...(because ? { because } : {}) };
  return submitted(c, run, no, { done: () => tap.denied, refused: [card] });
};

type Asked = { run: Run; approvalId: string };

/** The card whose denial a message of ours asked the reason of; null when it asked for none. */
export const denialAsked = async (
  c: Context,
  runs: readonly Run[],
  messageId: string,
): Promise<Asked | null> => {
  for (const run of runs) {
    for (const row of await c.ledger.query.effects({ runId: run.id, kind: 'tell', state: 'done' })) {
      const [asked, , ...id] = row.slot?.split(':') ?? [];
      const sent = asked === ASKED ? deliveredAs(row) : null;
      if (sent?.chat === c.chat && sent.messageId === messageId) return { run, approvalId: id.join(':') };
    }
  }
  return null;
};

export const denyInWords = async (c: Context, { run, approvalId }: Asked, words: string): Promise<void> => {
  const needed = neededFor('deny');
  if (!atLeast(c.role, needed)) return refuse(c, 'role', plain(c.words.roles.needs(needed), run.id));
  if (words.length > LONGEST.reason) {
    const problem = { kind: 'long', what: 'reason', most: LONGEST.reason } as const;
    return settle(c, 'too long', plain(say(c.words.problems, problem), run.id));
  }
  const approval = await c.ledger.query.approval(approvalId);
  const closed = approval ? closedBecause(run, approval, c.clock.now(), c.words) : c.words.tap.gone;
  if (closed !== null) return settle(c, 'closed', plain(closed, run.id));
  await offer(c, run.id, input(c, approvalId, words), (step) =>
    step.kind === 'moved' ? [plain(c.words.tap.denied, run.id)] : [plain(notTaken(c, step), run.id)],
  );
};
