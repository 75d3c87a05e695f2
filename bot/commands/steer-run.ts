/** Handles typed commands that change a run; each submits one input. */
import { STATE_TRAITS } from '#model/run';
import type { CommandProblem } from '#model/chat';
import { budgetsBeyond, boundsWith } from '#model/limits';
import { costCautionsOf } from '#model/targets';
import { Order } from '#model/order';
import { validationIssuesOf, atLeast } from '#model/settings';
import { readSteeringCommand, type BudgetRaise, type ArgumentsOf, type SteeringName } from '#commands';
import { enginesIn, enginesProblem, type NewOrder } from '#orders';
import { accountOf, attentionOf } from '#kernel';
import type { Input } from '#inputs';
import type { Step } from '#effects';
import { isForeign, noCard, runLabel, type Run } from '#run';
import {
  cardCopy,
  offerInput,
  plainReply,
  settleUpdate,
  viewReply,
  type CommandReply,
  type CommandContext,
} from './command-context.ts';
import { cardsIn, closedBecause, lapsedSigners, mustReadFirst, riskHtml, riskSlot } from './verify-card.ts';
import { formOf } from '../language/command-forms.ts';
import { joinParts, sayRecord } from '../text/catalogue.ts';
import { currentActivity } from '../views/scene.ts';
import { amountOf, raisedTo } from '../views/reason-messages.ts';
import type { RefusedStep } from '#ports/steps';
import { expectationReply, expectationOf } from './expected-spending.ts';
import { pictureShown, takePicture } from './take-picture.ts';
import { describeRefusedStep } from './submit-tap.ts';

/** G7: recorded with the signature, so that a later choice changes no published text. */
export const publicNameOf = ({ people: { publicNames }, user }: CommandContext): { publicName?: string } => {
  const name = publicNames?.[user];
  return name === undefined ? {} : { publicName: name };
};
export const personOf = (c: CommandContext): { id: string; name: string } => ({ id: c.user, name: c.name });

const refused = (c: CommandContext, step: RefusedStep, runId: string | null = null): CommandReply =>
  plainReply(describeRefusedStep(c, step), runId);

/** Returns no reply when the new state sends its own message to this chat. */
const outcome = (c: CommandContext, step: Step): CommandReply[] => {
  if (step.kind !== 'moved') return [refused(c, step)];
  const { run } = step;
  const loud = STATE_TRAITS[run.lifecycle.state].tells !== null;
  if (loud && run.order.chat === c.chat) return [];
  return [plainReply(c.words.replies.now(runLabel(run), currentActivity(run, c.words)), run.id)];
};

/** Without its picture, which is taken from the chat only when the run begins. */
export const orderFrom = (
  c: CommandContext,
  { picture: _, ...given }: NewOrder,
): { order: Order } | { refused: string } => {
  const {
    engines: { defaults },
    words,
  } = c;
  const problem = (what: CommandProblem): { refused: string } => ({
    refused: sayRecord(words.problems, what),
  });
  if (!c.host.isRepository(given.repo, given.host))
    return problem({ kind: 'repo', text: `${given.host ? `${given.host}/` : ''}${given.repo}`.slice(0, 60) });
  const flow = given.flow ?? 'direct';
  const engines = enginesIn(given.engine ?? defaults.engine, flow);
  if (!engines) return problem({ kind: 'engines' });
  // The engine is `script` without a command when nobody has configured an engine.
  if (engines.engine === 'script' && defaults.script.length === 0) return problem({ kind: 'no_engine' });
  const bounds = boundsWith(defaults.bounds, { flow }, given.budgets);
  const [wider] = budgetsBeyond(defaults.bounds, bounds);
  if (wider !== undefined && !atLeast(c.role, 'approver'))
    return { refused: words.budgets.wider(words.budgets.names[wider]) };
  const { promptVersion } = given;
  const wrong = enginesProblem(engines, c.engines.names, c.engines.proposing ?? []);
  if (wrong) return problem(wrong);
  // guard: E7-prompt-version
  if (promptVersion !== null && !c.engines.promptVersions.includes(promptVersion))
    return problem({
      kind: 'prompt_version',
      text: promptVersion.slice(0, 60),
      all: c.engines.promptVersions.join(', '),
    });
  const input = {
    ...given,
    ...engines,
    engineArgs: engines.engine === 'script' ? [...defaults.script] : [],
    flow,
    discovery: given.discovery ?? 'files',
    promptVersion: promptVersion ?? defaults.promptVersion,
    // A prompt version named in the order takes precedence over an experiment.
    ...(promptVersion === null && defaults.trial ? { promptExperiment: defaults.trial } : {}),
    requester: personOf(c),
    chat: c.chat,
    decider: c.private && !atLeast(c.role, 'approver') ? (c.adapter.deciders[0] ?? null) : null,
    bounds,
  };
  const order = Order.safeParse(input);
  if (order.success) return { order: order.data };
  const why = validationIssuesOf(Order, order.error, input)
    .slice(0, 1)
    .map((one) => words.misfit(one, '/new'));
  return { refused: joinParts(...why, words.replies.wrong(formOf('new', words))) };
};

/** E18: warns before anything is spent when the cost limit cannot work with these engines. */
export const costWarnings = ({ engines: { costs }, words }: CommandContext, order: Order): CommandReply[] => {
  const limit = amountOf('cost', order.bounds.maxCostUsd ?? 0, words);
  const found = costs ? costCautionsOf(order, costs.cautionOf) : [];
  return found.map((one) => plainReply(words.budgets.caution(one, limit)));
};

export const createRun = async (c: CommandContext, given: NewOrder): Promise<void> => {
  const read = orderFrom(c, given);
  if ('refused' in read) return settleUpdate(c, 'refused', plainReply(read.refused));
  const runId = c.ids.runId();
  const taken = await takePicture(c, read.order, c.picture);
  if ('refused' in taken) return settleUpdate(c, 'refused', plainReply(taken.refused));
  const { order, artifacts } = taken;
  const expected = await expectationOf(c, order);
  await offerInput(
    c,
    runId,
    { type: 'command.run.create', runId, order },
    (step) =>
      step.kind === 'moved'
        ? [
            ...expectationReply(c, runId, expected),
            ...costWarnings(c, order),
            ...pictureShown(c, order, c.picture).told,
          ]
        : [refused(c, step)],
    artifacts,
  );
};

export const steerRun = async <K extends SteeringName>(
  c: CommandContext,
  run: Run,
  name: K,
  told: ArgumentsOf<K>,
  done: (step: Extract<Step, { kind: 'moved' }>) => CommandReply[] = (step) => outcome(c, step),
): Promise<void> => {
  await offerInput(c, run.id, readSteeringCommand(name, personOf(c), told, run), (step) =>
    step.kind === 'moved' ? done(step) : [refused(c, step, run.id)],
  );
};

export const raiseBudget = (c: CommandContext, run: Run, raise: BudgetRaise): Promise<void> =>
  steerRun(c, run, 'budget', { raise }, ({ run: after }) => {
    return [
      plainReply(
        raisedTo(runLabel(run), raise.budget, accountOf(after, raise.budget).limit, c.words),
        run.id,
      ),
    ];
  });

/** P4: policies judge the new text before a card shows it. */
export const editPullText = (c: CommandContext, run: Run, told: ArgumentsOf<'edit'>): Promise<void> =>
  steerRun(c, run, 'edit', told, () => [plainReply(c.words.replies.edited, run.id)]);

/** S10: adopts exactly the named commit; without one, shows the message that names it. */
export const takeTheirs = async (c: CommandContext, run: Run, told: ArgumentsOf<'take'>): Promise<void> =>
  told.sha === null && isForeign(run)
    ? settleUpdate(c, 'their commit', viewReply(attentionOf(run), run.id))
    : steerRun(c, run, 'take', told);

export const riskView = async (c: CommandContext, run: Run, atCard = true): Promise<CommandReply> => ({
  slot: atCard ? riskSlot(run, c.user) : null,
  show: { view: 'reply', html: riskHtml(run, await c.readers.patch(run.id), c.words), buttons: [] },
  urgent: true,
  sound: false,
  runId: run.id,
});

/** G4: signs only when this chat's card is older than the command; otherwise shows the card. */
export const approveCard = async (
  c: CommandContext,
  run: Run,
  confirm: boolean,
  messageId: string,
): Promise<void> => {
  const { replies } = c.words;
  const {
    gate: { approval },
  } = run;
  if (!approval)
    return settleUpdate(c, 'no card', refused(c, { kind: 'refused', reason: noCard(run) }, run.id));
  const card = cardCopy(c, run.id, approval.id);
  if (approval.kind !== 'open_pr')
    return settleUpdate(c, 'another card', plainReply(replies.notForOpening[approval.kind], run.id), card);
  if (!confirm) return settleUpdate(c, 'card', card);
  const seen = (await cardsIn(c.ledger.query, run.id, approval.id, c.chat)).some((m) =>
    c.adapter.isEarlier(m.messageId, messageId),
  );
  // guard: G4-card-shown
  if (!seen) return settleUpdate(c, 'not shown yet', plainReply(replies.lookFirst, run.id), card);
  const row = await c.ledger.query.approval(approval.id);
  const closed = row ? closedBecause(run, row, c.clock.now(), c.words) : c.words.tap.gone;
  if (closed !== null) return settleUpdate(c, 'closed', plainReply(closed, run.id));
  const without = await lapsedSigners(c.people.roles, run);
  if (without.length > 0)
    return settleUpdate(c, 'lapsed', plainReply(c.words.tap.lapsed(without.join(', '), run.id), run.id));
  if (await mustReadFirst(c.ledger.query, run, c.user)) {
    return settleUpdate(c, 'not read yet', plainReply(replies.riskFirst, run.id), await riskView(c, run));
  }
  const input: Input = {
    type: 'command.pr.approve',
    by: personOf(c),
    approvalId: approval.id,
    digest: approval.digest,
    role: c.role,
    ...publicNameOf(c),
  };
  await offerInput(c, run.id, input, (step) => {
    if (step.kind !== 'moved') return [refused(c, step, run.id)];
    return [plainReply((step.run.gate.approval ? replies.signed : replies.approved)(runLabel(run)), run.id)];
  });
};
