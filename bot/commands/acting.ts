/** Typed commands that change a run: each offers one input and answers with what became of it. */
import { STATE } from '../../orchestrator/core/states.ts';
import type { Raise } from '../../orchestrator/commands/args.ts';
import { enginesIn, type NewOrder } from '../../orchestrator/commands/order.ts';
import type { Problem } from '../../orchestrator/commands/problems.ts';
import { steered } from '../../orchestrator/commands/read.ts';
import type { GivenTo, SteeringName } from '../../orchestrator/commands/rows.ts';
import { accountOf, beyond, boundsWith } from '../../orchestrator/core/machine/budget.ts';
import { costCautionsOf } from '../../orchestrator/core/cost-caution.ts';
import { Order } from '../../orchestrator/core/order.ts';
import { misfitOf } from '../../orchestrator/core/misfit.ts';
import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import type { Step } from '../../orchestrator/core/machine/machine.ts';
import { attentionOf } from '../../orchestrator/core/machine/draft.ts';
import { isForeign } from '../../orchestrator/core/machine/foreign.ts';
import { noCard } from '../../orchestrator/core/machine/refusals.ts';
import { label, type Run } from '../../orchestrator/core/machine/run.ts';
import { cardCopy, offer, plain, settle, showing, type Answers, type Context } from './context.ts';
import { cardsIn, closedBecause, lapsed, mustReadFirst, riskHtml, riskSlot } from './cards.ts';
import { formOf } from '../language/forms.ts';
import { say } from '../text/catalogue.ts';
import { doing } from '../views/scene.ts';
import { amountOf, raisedTo } from '../views/why.ts';
import type { NotTaken } from '../../orchestrator/ports.ts';
import { notTaken } from './popup.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';

export const person = (c: Context): { id: string; name: string } => ({ id: c.user, name: c.name });

const refused = (c: Context, step: NotTaken, runId: string | null = null): Answers =>
  plain(notTaken(c, step), runId);

/** What is said after a step; states that speak for themselves in this chat need no echo. */
const outcome = (c: Context, step: Step): Answers[] => {
  if (step.kind !== 'moved') return [refused(c, step)];
  const { run } = step;
  const loud = STATE[run.lifecycle.state].tells !== null;
  if (loud && run.order.chat === c.chat) return [];
  return [plain(c.words.replies.now(label(run), doing(run, c.words)), run.id)];
};

/** The order that somebody's words come to, or why it cannot be taken. */
export const orderFrom = (c: Context, given: NewOrder): { order: Order } | { refused: string } => {
  const { defaults, words } = c;
  const problem = (what: Problem): { refused: string } => ({ refused: say(words.problems, what) });
  if (!c.isRepository(given.repo, given.host))
    return problem({ kind: 'repo', text: `${given.host ? `${given.host}/` : ''}${given.repo}`.slice(0, 60) });
  const flow = given.flow ?? 'direct';
  const engines = enginesIn(given.engine ?? defaults.engine, flow);
  if (!engines) return problem({ kind: 'engines' });
  // `script` without a command is what is left where nobody has chosen an engine.
  if (engines.engine === 'script' && defaults.script.length === 0) return problem({ kind: 'no_engine' });
  const bounds = boundsWith(defaults.bounds, { flow }, given.budgets);
  const [wider] = beyond(defaults.bounds, bounds);
  if (wider !== undefined && !atLeast(c.role, 'approver'))
    return { refused: words.budgets.wider(words.budgets.names[wider]) };
  const { promptVersion } = given;
  const unknown = [engines.engine, ...(engines.proposers ?? [])].find((name) => !c.engines.includes(name));
  if (unknown !== undefined)
    return problem({ kind: 'engine', text: unknown.slice(0, 60), all: c.engines.join(', ') });
  // guard: E7-prompt-version
  if (promptVersion !== null && !c.promptVersions.includes(promptVersion))
    return problem({
      kind: 'prompt_version',
      text: promptVersion.slice(0, 60),
      all: c.promptVersions.join(', '),
    });
  const input = {
    ...given,
    ...engines,
    engineArgs: engines.engine === 'script' ? [...defaults.script] : [],
    flow,
    discovery: given.discovery ?? 'files',
    promptVersion: promptVersion ?? defaults.promptVersion,
    // Whoever names the prompts gets those.
    ...(promptVersion === null && defaults.trial ? { promptExperiment: defaults.trial } : {}),
    requester: person(c),
    chat: c.chat,
    decider: c.private && !atLeast(c.role, 'approver') ? (c.deciders[0] ?? null) : null,
    mode: 'push_only',
    bounds,
  };
  const order = Order.safeParse(input);
  if (order.success) return { order: order.data };
  const why = order.error.issues.slice(0, 1).map((one) => words.misfit(misfitOf(one, input), '/new'));
  return { refused: [...why, words.replies.wrong(formOf('new', words))].join(' ') };
};

/** E18: what a limit of cost comes to with these engines, told before anything is spent. */
export const costWarnings = ({ costs, words }: Context, order: Order): Answers[] => {
  const limit = amountOf('cost', order.bounds.maxCostUsd ?? 0, words);
  const found = costs ? costCautionsOf(order, costs.cautionOf) : [];
  return found.map((one) => plain(words.budgets.caution(one, limit)));
};

export const create = async (c: Context, given: NewOrder): Promise<void> => {
  const read = orderFrom(c, given);
  if ('refused' in read) return settle(c, 'refused', plain(read.refused));
  const runId = c.ids.runId();
  await offer(c, runId, { type: 'command.run.create', runId, order: read.order }, (step) =>
    // The run's own message says that it was recorded.
    step.kind === 'moved' ? costWarnings(c, read.order) : [refused(c, step)],
  );
};

/** Commands that one input says whole: what is said besides is their row's. */
export const steer = async <K extends SteeringName>(
  c: Context,
  run: Run,
  name: K,
  told: GivenTo<K>,
  done: (step: Extract<Step, { kind: 'moved' }>) => Answers[] = (step) => outcome(c, step),
): Promise<void> => {
  await offer(c, run.id, steered(name, person(c), told, run), (step) =>
    step.kind === 'moved' ? done(step) : [refused(c, step, run.id)],
  );
};

/** E6: more of a budget; without an amount it is only looked at. */
export const raiseBudget = (c: Context, run: Run, raise: Raise): Promise<void> =>
  steer(c, run, 'budget', { raise }, ({ run: after }) => {
    return [plain(raisedTo(label(run), raise.budget, accountOf(after, raise.budget).limit, c.words), run.id)];
  });

/** P4: the new words are judged before a card shows them. */
export const edit = (c: Context, run: Run, told: GivenTo<'edit'>): Promise<void> =>
  steer(c, run, 'edit', told, () => [plain(c.words.replies.edited, run.id)]);

/**
 * S10: exactly the commit that was written out; without one, the message that shows it is shown
 * again.
 */
export const takeTheirs = async (c: Context, run: Run, told: GivenTo<'take'>): Promise<void> =>
  told.sha === null && isForeign(run)
    ? settle(c, 'their commit', showing(attentionOf(run), run.id))
    : steer(c, run, 'take', told);

/** The flagged parts of a change; beside a card as a message that remembers who was shown them. */
export const riskView = async (c: Context, run: Run, atCard = true): Promise<Answers> => ({
  slot: atCard ? riskSlot(run, c.user) : null,
  show: { view: 'reply', html: riskHtml(run, await c.patch(run.id), c.words), buttons: [] },
  urgent: true,
  sound: false,
  runId: run.id,
});

/**
 * G4: counts only for what the newest card in this chat showed before the command was written; else
 * the card is shown.
 */
export const approve = async (c: Context, run: Run, confirm: boolean, messageId: string): Promise<void> => {
  const { replies } = c.words;
  const {
    gate: { approval },
  } = run;
  if (!approval) return settle(c, 'no card', refused(c, { kind: 'refused', reason: noCard(run) }, run.id));
  const card = cardCopy(c, run.id, approval.id);
  if (approval.kind !== 'open_pr')
    return settle(c, 'another card', plain(replies.notForOpening[approval.kind], run.id), card);
  if (!confirm) return settle(c, 'card', card);
  const seen = (await cardsIn(c.ledger.query, run.id, approval.id, c.chat)).some((m) =>
    c.isEarlier(m.messageId, messageId),
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
    return [plain((step.run.gate.approval ? replies.signed : replies.approved)(label(run)), run.id)];
  });
};
