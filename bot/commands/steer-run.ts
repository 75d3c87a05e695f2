/** Handles typed commands that change a run; each submits one input. */
import { isAgentWorking, STATE_TRAITS } from '#model/run';
import type { CommandProblem } from '#model/chat';
import { budgetsBeyond, withGrantedBudgets } from '#model/limits';
import { costCautionsOf } from '#model/targets';
import { Order } from '#model/order';
import { validationIssuesOf, hasRoleAtLeast } from '#model/settings';
import { toSteeringInput, type BudgetRaise, type ArgumentsOf, type SteeringName } from '#commands';
import { parseEngines, findEnginesProblem, type NewOrder } from '#orders';
import { accountOf, attentionView } from '#kernel';
import type { Input } from '#inputs';
import type { Step } from '#effects';
import { hasForeignHead, toNoCardRefusal, runLabel, type Run } from '#run';
import {
  cardCopy,
  htmlReply,
  offerInput,
  plainReply,
  settleUpdate,
  viewReply,
  type CommandReply,
  type CommandContext,
} from './command-context.ts';
import {
  findSentCards,
  findClosingReason,
  findLapsedSigners,
  mustReadRiskFirst,
  riskHtml,
  riskSlot,
} from './verify-card.ts';
import { commandFormOf } from '../language/command-forms.ts';
import { escapeSentence } from '../text/telegram-html.ts';
import { joinParts, sayRecord } from '../text/sentence-catalogue.ts';
import { wordsTimeRow } from '../views/agent-words-lines.ts';
import { currentActivity } from '../views/scene.ts';
import { formatBudgetAmount, describeNewLimit } from '../views/reason-messages.ts';
import type { RefusedStep } from '#ports/steps';
import { expectationReply, findSpendingExpectation } from './expected-spending.ts';
import { selectSupportedPicture, downloadOrderPicture } from './order-picture.ts';
import { describeRefusedStep } from './submit-tap.ts';

/** G7: recorded with the signature, so that a later choice changes no published text. */
export const publicNameOf = ({ people: { publicNames }, user }: CommandContext): { publicName?: string } => {
  const name = publicNames?.[user];
  return name === undefined ? {} : { publicName: name };
};
export const personOf = (context: CommandContext): { id: string; name: string } => ({
  id: context.user,
  name: context.name,
});

const refusalReply = (
  context: CommandContext,
  step: RefusedStep,
  runId: string | null = null,
): CommandReply => plainReply(describeRefusedStep(context, step), runId);

/** Returns no reply when the new state sends its own message to this chat. */
const outcomeReplies = (context: CommandContext, step: Step): CommandReply[] => {
  if (step.kind !== 'moved') return [refusalReply(context, step)];
  const { run } = step;
  const loud = STATE_TRAITS[run.lifecycle.state].tells !== null;
  if (loud && run.order.chat === context.chat) return [];
  return [plainReply(context.words.replies.now(runLabel(run), currentActivity(run, context.words)), run.id)];
};

/** Without its picture, which is taken from the chat only when the run begins. */
export const buildChatOrder = (
  context: CommandContext,
  { picture: _, ...given }: NewOrder,
): { order: Order } | { refused: string } => {
  const {
    engines: { defaults },
    words,
  } = context;
  const refuseOrder = (what: CommandProblem): { refused: string } => ({
    refused: sayRecord(words.problems, what),
  });
  if (!context.host.isRepository(given.repo, given.host))
    return refuseOrder({
      kind: 'repo',
      text: `${given.host ? `${given.host}/` : ''}${given.repo}`.slice(0, 60),
    });
  const flow = given.flow ?? 'direct';
  const engines = parseEngines(given.engine ?? defaults.engine, flow);
  if (!engines) return refuseOrder({ kind: 'engines' });
  // The engine is `script` without a command when nobody has configured an engine.
  if (engines.engine === 'script' && defaults.script.length === 0) return refuseOrder({ kind: 'no_engine' });
  const bounds = withGrantedBudgets(defaults.bounds, { flow }, given.budgets);
  const [wider] = budgetsBeyond(defaults.bounds, bounds);
  if (wider !== undefined && !hasRoleAtLeast(context.role, 'approver'))
    return { refused: words.budgets.wider(words.budgets.names[wider]) };
  const { promptVersion } = given;
  const wrong = findEnginesProblem(engines, context.engines.names, context.engines.proposing ?? []);
  if (wrong) return refuseOrder(wrong);
  // guard: E7-prompt-version
  if (promptVersion !== null && !context.engines.promptVersions.includes(promptVersion))
    return refuseOrder({
      kind: 'prompt_version',
      text: promptVersion.slice(0, 60),
      all: context.engines.promptVersions.join(', '),
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
    requester: personOf(context),
    chat: context.chat,
    decider:
      context.private && !hasRoleAtLeast(context.role, 'approver')
        ? (context.adapter.deciders[0] ?? null)
        : null,
    bounds,
  };
  const order = Order.safeParse(input);
  if (order.success) return { order: order.data };
  const why = validationIssuesOf(Order, order.error, input)
    .slice(0, 1)
    .map((one) => words.misfit(one, '/new'));
  return { refused: joinParts(...why, words.replies.wrong(commandFormOf('new', words))) };
};

/** E18: warns before anything is spent when the cost limit cannot work with these engines. */
export const costWarnings = ({ engines: { costs }, words }: CommandContext, order: Order): CommandReply[] => {
  const limit = formatBudgetAmount('cost', order.bounds.maxCostUsd ?? 0, words);
  const found = costs ? costCautionsOf(order, costs.cautionOf) : [];
  return found.map((one) => plainReply(words.budgets.caution(one, limit)));
};

export const createRun = async (context: CommandContext, given: NewOrder): Promise<void> => {
  const read = buildChatOrder(context, given);
  if ('refused' in read) return settleUpdate(context, 'refused', plainReply(read.refused));
  const runId = context.ids.runId();
  const taken = await downloadOrderPicture(context, read.order, context.picture);
  if ('refused' in taken) return settleUpdate(context, 'refused', plainReply(taken.refused));
  const { order, artifacts } = taken;
  const expected = await findSpendingExpectation(context, order);
  await offerInput(
    context,
    runId,
    { type: 'command.run.create', runId, order },
    (step) =>
      step.kind === 'moved'
        ? [
            ...expectationReply(context, runId, expected),
            ...costWarnings(context, order),
            ...selectSupportedPicture(context, order, context.picture).told,
          ]
        : [refusalReply(context, step)],
    artifacts,
  );
};

export const steerRun = async <K extends SteeringName>(
  context: CommandContext,
  run: Run,
  name: K,
  told: ArgumentsOf<K>,
  done: (step: Extract<Step, { kind: 'moved' }>) => CommandReply[] = (step) => outcomeReplies(context, step),
): Promise<void> => {
  await offerInput(context, run.id, toSteeringInput(name, personOf(context), told, run), (step) =>
    step.kind === 'moved' ? done(step) : [refusalReply(context, step, run.id)],
  );
};

const canStop = ({ lifecycle: { state, resumeState } }: Run): boolean => {
  const at = state === 'PAUSED' ? resumeState : state;
  return at !== null && isAgentWorking(at);
};

/** E21: a tap on a message that is only read stops nobody by itself. */
export const keepConfirmationReply = ({ words }: CommandContext, run: Run): CommandReply | null => {
  if (!canStop(run)) return null;
  const yes = { verb: 'keep.confirm' as const, text: words.buttons.keeps, runId: run.id };
  return htmlReply(escapeSentence(words.replies.keeps(runLabel(run))), [[yes]], run.id);
};

/** E21: asks whoever would end a run by dropping its work; where a pull request stays only if `always`. */
export const dropConfirmationReply = (
  { words }: CommandContext,
  run: Run,
  { always = false }: { always?: boolean } = {},
): CommandReply | null => {
  const ends = run.upstream.pullRequest === null;
  // guard: E21-asked-before-an-end
  if (!canStop(run) || !(ends || always)) return null;
  const { buttons, replies } = words;
  const yes = { verb: 'drop.confirm' as const, text: ends ? buttons.dropEnds : buttons.drops, runId: run.id };
  const says = (ends ? replies.dropEnds : replies.drops)(runLabel(run));
  return htmlReply(escapeSentence(says), [[yes]], run.id);
};

export const stopAndDropWork = async (
  context: CommandContext,
  run: Run,
  told: ArgumentsOf<'drop'>,
): Promise<void> => {
  const asks = told.confirm ? null : dropConfirmationReply(context, run);
  return asks ? settleUpdate(context, 'asked first', asks) : steerRun(context, run, 'drop', told);
};

export const replyToQueuedWords = ({ words }: CommandContext, run: Run): CommandReply =>
  htmlReply(
    escapeSentence(words.replies.told(runLabel(run))),
    [wordsTimeRow(words).map((button) => ({ ...button, runId: run.id }))],
    run.id,
  );

export const sayToAgent = (context: CommandContext, run: Run, told: ArgumentsOf<'tell'>): Promise<void> =>
  steerRun(context, run, 'tell', told, () => [replyToQueuedWords(context, run)]);

export const raiseBudget = (context: CommandContext, run: Run, raise: BudgetRaise): Promise<void> =>
  steerRun(context, run, 'budget', { raise }, ({ run: after }) => {
    return [
      plainReply(
        describeNewLimit(runLabel(run), raise.budget, accountOf(after, raise.budget).limit, context.words),
        run.id,
      ),
    ];
  });

/** P4: policies judge the new text before a card shows it. */
export const editPullText = (context: CommandContext, run: Run, told: ArgumentsOf<'edit'>): Promise<void> =>
  steerRun(context, run, 'edit', told, () => [plainReply(context.words.replies.edited, run.id)]);

/** S10: adopts exactly the named commit; without one, shows the message that names it. */
export const adoptTheirCommit = async (
  context: CommandContext,
  run: Run,
  told: ArgumentsOf<'take'>,
): Promise<void> =>
  told.sha === null && hasForeignHead(run)
    ? settleUpdate(context, 'their commit', viewReply(attentionView(run), run.id))
    : steerRun(context, run, 'take', told);

export const riskReply = async (
  context: CommandContext,
  run: Run,
  { atCard = true }: { atCard?: boolean } = {},
): Promise<CommandReply> => ({
  slot: atCard ? riskSlot(run, context.user) : null,
  show: {
    view: 'reply',
    html: riskHtml(run, await context.readers.patch(run.id), context.words),
    buttons: [],
  },
  urgent: true,
  sound: false,
  runId: run.id,
});

/** G4: signs only when this chat's card is older than the command; otherwise shows the card. */
export const approveCard = async (
  context: CommandContext,
  run: Run,
  confirm: boolean,
  messageId: string,
): Promise<void> => {
  const { replies } = context.words;
  const {
    gate: { approval },
  } = run;
  if (!approval)
    return settleUpdate(
      context,
      'no card',
      refusalReply(context, { kind: 'refused', reason: toNoCardRefusal(run) }, run.id),
    );
  const card = cardCopy(context, run.id, approval.id);
  if (approval.kind !== 'open_pr')
    return settleUpdate(
      context,
      'another card',
      plainReply(replies.notForOpening[approval.kind], run.id),
      card,
    );
  if (!confirm) return settleUpdate(context, 'card', card);
  const seen = (await findSentCards(context.ledger.query, run.id, approval.id, context.chat)).some((m) =>
    context.adapter.isEarlier(m.messageId, messageId),
  );
  // guard: G4-card-shown
  if (!seen) return settleUpdate(context, 'not shown yet', plainReply(replies.lookFirst, run.id), card);
  const row = await context.ledger.query.approval(approval.id);
  const closed = row
    ? findClosingReason(run, row, context.clock.now(), context.words)
    : context.words.tap.gone;
  if (closed !== null) return settleUpdate(context, 'closed', plainReply(closed, run.id));
  const without = await findLapsedSigners(context.people.roles, run);
  if (without.length > 0)
    return settleUpdate(
      context,
      'lapsed',
      plainReply(context.words.tap.lapsed(without.join(', '), run.id), run.id),
    );
  if (await mustReadRiskFirst(context.ledger.query, run, context.user)) {
    return settleUpdate(
      context,
      'not read yet',
      plainReply(replies.riskFirst, run.id),
      await riskReply(context, run),
    );
  }
  const input: Input = {
    type: 'command.pr.approve',
    by: personOf(context),
    approvalId: approval.id,
    digest: approval.digest,
    role: context.role,
    ...publicNameOf(context),
  };
  await offerInput(context, run.id, input, (step) => {
    if (step.kind !== 'moved') return [refusalReply(context, step, run.id)];
    return [plainReply((step.run.gate.approval ? replies.signed : replies.approved)(runLabel(run)), run.id)];
  });
};
