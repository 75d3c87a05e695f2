/** Typed commands that change a run: each offers one input and answers with what became of it. */
import { accountOf, beyond, boundsWith, fromUnits } from '../../orchestrator/core/machine/budget.ts';
import { Order } from '../../orchestrator/core/order.ts';
import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import type { Step } from '../../orchestrator/core/machine/machine.ts';
import { attentionOf } from '../../orchestrator/core/machine/draft.ts';
import { isForeign } from '../../orchestrator/core/machine/foreign.ts';
import { noCard } from '../../orchestrator/core/machine/refusals.ts';
import { label, type Run } from '../../orchestrator/core/machine/run.ts';
import { cardCopy, offer, plain, settle, showing, type Answers, type Context } from './context.ts';
import { cardsIn, closedBecause, lapsed, mustReadFirst, riskHtml, riskSlot } from './cards.ts';
import { formOf } from '../language/list.ts';
import type { NewRun } from './parse-new.ts';
import type { BudgetWish, Command } from './parse.ts';
import { visible } from '../text/text.ts';
import { doing } from '../views/scene.ts';
import { amountOf } from '../views/why.ts';
import type { NotTaken } from '../../orchestrator/ports.ts';
import { notTaken } from './popup.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';

export const person = (c: Context): { id: number; name: string } => ({ id: c.user, name: c.name });

const refused = (c: Context, step: NotTaken, runId: string | null = null): Answers =>
  plain(notTaken(c, step), runId);

/** What is said after a step; states that speak for themselves in this chat need no echo. */
const outcome = (c: Context, step: Step): Answers[] => {
  if (step.kind !== 'moved') return [refused(c, step)];
  const { run } = step;
  const loud = ['PAUSED', 'NEEDS_HUMAN_REVIEW', 'DONE', 'SKIPPED', 'FAILED_TERMINAL'].includes(run.state);
  if (loud && run.order.chat === c.chat) return [];
  return [plain(c.words.replies.now(label(run), doing(run, c.words)), run.id)];
};

export const create = async (c: Context, given: NewRun): Promise<void> => {
  const { defaults } = c;
  const engine = given.engine ?? defaults.engine;
  const flow = given.flow ?? 'direct';
  const bounds = boundsWith(defaults.bounds, { flow }, given.budgets);
  const [wider] = beyond(defaults.bounds, bounds);
  if (wider !== undefined && !atLeast(c.role, 'approver'))
    return settle(c, 'refused', plain(c.words.budgets.wider(c.words.budgets.names[wider])));
  const { promptVersion } = given;
  // guard: E7-prompt-version
  if (promptVersion !== null && !c.promptVersions.includes(promptVersion)) {
    const why = c.words.problems.promptVersion(promptVersion.slice(0, 40), c.promptVersions.join(', '));
    return settle(c, 'refused', plain(why));
  }
  const order = Order.safeParse({
    ...given,
    engine,
    engineArgs: engine === 'script' ? [...defaults.script] : [],
    flow,
    discovery: given.discovery ?? 'files',
    promptVersion: promptVersion ?? defaults.promptVersion,
    requester: person(c),
    chat: c.chat,
    decider: c.chat > 0 && !atLeast(c.role, 'approver') ? (c.deciders[0] ?? null) : null,
    mode: 'push_only',
    bounds,
  });
  if (!order.success) {
    const why = order.error.issues[0];
    return settle(
      c,
      'refused',
      plain(
        `${why?.path.join('.') ?? ''}: ${why?.message ?? ''}. ${c.words.replies.wrong(formOf('new', c.words.code))}`,
      ),
    );
  }
  const runId = c.ids.runId();
  await offer(c, runId, { type: 'command.run.create', runId, order: order.data }, (step) =>
    step.kind === 'moved' ? [plain(c.words.replies.created(runId), runId)] : [refused(c, step)],
  );
};

/** E6: only approvers grant more, whoever may look. */
export const raiseBudget = async (
  c: Context,
  run: Run,
  { budget, amount, more }: BudgetWish,
): Promise<void> => {
  if (!atLeast(c.role, 'approver')) return settle(c, 'role', plain(c.words.roles.needs('approver'), run.id));
  const now = accountOf(run, budget).limit ?? 0;
  const limit = fromUnits(budget, amount) + (more ? now : 0);
  const { budgets } = c.words;
  await offer(c, run.id, { type: 'command.budget.raise', by: person(c), budget, limit }, (step) => {
    if (step.kind !== 'moved') return [refused(c, step, run.id)];
    return [
      plain(budgets.raised(label(run), budgets.names[budget], amountOf(budget, limit, c.words)), run.id),
    ];
  });
};

/** Commands that only show something of a run, or have checks of their own, are not among these. */
type Acting = Extract<
  Command,
  { kind: 'deny' | 'edit' | 'retry' | 'resume' | 'pause' | 'cancel' | 'skip' | 'done' | 'fix' | 'update' }
>;

export const act = async (c: Context, run: Run, command: Acting): Promise<void> => {
  await offer(c, run.id, asInput(c, run, command), (step) =>
    command.kind === 'edit' && step.kind === 'moved'
      ? [plain(c.words.replies.edited, run.id)]
      : outcome(c, step),
  );
};

const advised = (advice: string | null): { advice?: string } => (advice === null ? {} : { advice });

const asInput = (c: Context, run: Run, command: Acting): Input => {
  const by = person(c);
  switch (command.kind) {
    case 'deny':
      return {
        type: 'command.deny',
        by,
        reason: command.reason,
        final: command.final,
        approvalId: run.approval?.id ?? null,
      };
    case 'edit':
      return {
        type: 'command.modify',
        by,
        approvalId: run.approval?.id ?? null,
        words: command.words,
        reason: command.reason || 'edited in the chat',
      };
    case 'retry':
      return { type: 'command.retry', by, target: command.target, ...advised(command.advice) };
    case 'resume':
      return { type: 'command.resume', by, target: command.target, ...advised(command.advice) };
    case 'pause':
      return { type: 'command.pause', by };
    case 'cancel':
      return { type: 'command.cancel', by, reason: command.reason };
    case 'skip':
      return { type: 'command.skip', by, reason: command.reason };
    case 'fix':
      return { type: 'command.iterate', by, instruction: visible(command.instruction) };
    case 'update':
      return { type: 'command.update.base', by };
    case 'done':
      return { type: 'command.mark.done', by };
  }
};

/** S10: exactly the commit that was written out; without one, the message that shows it is shown again. */
export const takeTheirs = async (c: Context, run: Run, sha: string | null): Promise<void> => {
  const { foreign } = run;
  if (sha === null && isForeign(run)) return settle(c, 'their commit', showing(attentionOf(run), run.id));
  const whole = foreign && sha !== null && foreign.sha.startsWith(sha) ? foreign.sha : (sha ?? '');
  const input: Input = { type: 'command.take.head', by: person(c), sha: whole };
  await offer(c, run.id, input, (step) => outcome(c, step));
};

/** The flagged parts of a change; beside a card as a message that remembers who was shown them. */
export const riskView = async (c: Context, run: Run, atCard = true): Promise<Answers> => ({
  slot: atCard ? riskSlot(run, c.user) : null,
  show: { view: 'reply', html: riskHtml(run, await c.patch(run.id), c.words), buttons: [] },
  urgent: true,
  sound: false,
  runId: run.id,
});

/**
 * G4: counts only for what the newest card in this chat showed before the command was written; else the card is shown.
 * Message ids of a chat only grow, so that no clock is needed to tell which came first.
 */
export const approve = async (c: Context, run: Run, confirm: boolean, messageId: number): Promise<void> => {
  const { replies } = c.words;
  const { approval } = run;
  if (!approval) return settle(c, 'no card', refused(c, { kind: 'refused', reason: noCard(run) }, run.id));
  const card = cardCopy(c, run.id, approval.id);
  if (approval.kind !== 'open_pr') return settle(c, 'push card', plain(replies.pushCard, run.id), card);
  if (!confirm) return settle(c, 'card', card);
  const seen = (await cardsIn(c.ledger.query, run.id, approval.id, c.chat)).some(
    (m) => m.messageId < messageId,
  );
  // guard: G4-card-shown
  if (!seen) return settle(c, 'not shown yet', plain(replies.lookFirst, run.id), card);
  const row = await c.ledger.query.approval(approval.id);
  const closed = row ? closedBecause(run, row, c.clock.now(), c.words) : c.words.tap.gone;
  if (closed !== null) return settle(c, 'closed', plain(closed, run.id));
  const without = await lapsed(c.roles, run);
  if (without.length > 0)
    return settle(c, 'lapsed', plain(c.words.tap.lapsed(without.join(', '), run.id), run.id));
  if (await mustReadFirst(c.ledger.query, run, c.user)) {
    return settle(c, 'not read yet', plain(replies.riskFirst, run.id), await riskView(c, run));
  }
  const input: Input = {
    type: 'command.pr.create',
    by: person(c),
    approvalId: approval.id,
    digest: approval.digest,
  };
  await offer(c, run.id, input, (step) => {
    if (step.kind !== 'moved') return [refused(c, step, run.id)];
    return [plain((step.run.approval ? replies.signed : replies.approved)(label(run)), run.id)];
  });
};
