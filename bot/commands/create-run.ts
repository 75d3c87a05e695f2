/** Creates a run by what a person ordered in the chat. */
import type { CommandProblem } from '#model/chat';
import { withGrantedBudgets, budgetsBeyond } from '#model/limits';
import { Order } from '#model/order';
import { hasRoleAtLeast, validationIssuesOf } from '#model/settings';
import { costCautionsOf } from '#model/targets';
import { type NewOrder, parseEngines, findEnginesProblem } from '#orders';
import { commandFormOf } from '../language/command-forms.ts';
import { sayRecord, joinParts } from '../text/sentence-catalogue.ts';
import { formatBudgetAmount } from '../views/reason-messages.ts';
import {
  type CommandContext,
  personOf,
  type CommandReply,
  plainReply,
  settleUpdate,
  offerInput,
} from './command-context.ts';
import { findSpendingExpectation, expectationReply } from './expected-spending.ts';
import { downloadOrderPicture, selectSupportedPicture } from './order-picture.ts';
import { refusalReply } from './refused-step-reply.ts';

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
