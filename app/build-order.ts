/** Builds orders that do not come from a chat, with this host's defaults. */
import { enTexts, type LanguageTexts } from '#language';
import { sayRecord } from '#chat-text';
import type { EngineParts } from '../bot/commands/command-context.ts';
import { ENGINE_NAMES, PROPOSING_ENGINES } from '#engines';
import { isRepositoryAt } from '#forge';
import { parseEngines, findEnginesProblem, type NewOrder } from '#orders';
import type { CommandProblem } from '#model/chat';
import { withGrantedBudgets } from '#model/limits';
import { validationIssuesOf, type ValidationIssue } from '#model/settings';
import { Order, type Person } from '#model/order';

type HostOrderRequest = { requester: Person; chat: string | null; engineArgs?: string[] | undefined };

type OrderProblem = { problem: CommandProblem } | { issues: readonly ValidationIssue[] };

export const describeOrderProblem = (words: LanguageTexts, refused: OrderProblem): string =>
  'problem' in refused
    ? sayRecord(words.problems, refused.problem)
    : refused.issues.map((issue) => words.misfit(issue, words.commandLine.theOrder())).join('\n');

export const toEnglishRefusal = (
  made: { order: Order } | { refused: OrderProblem },
): { order: Order } | { refused: string } =>
  'order' in made ? made : { refused: describeOrderProblem(enTexts, made.refused) };

export const createOrderBuilder =
  (serverUrl: string, defaults: EngineParts['defaults']) =>
  (
    value: NewOrder,
    { requester, chat, engineArgs }: HostOrderRequest,
  ): { order: Order } | { refused: OrderProblem } => {
    const refuseOrder = (what: CommandProblem): { refused: OrderProblem } => ({ refused: { problem: what } });
    if (!isRepositoryAt(serverUrl)(value.repo, value.host))
      return refuseOrder({ kind: 'repo', text: value.repo.slice(0, 60) });
    const flow = value.flow ?? 'direct';
    const engines = parseEngines(value.engine ?? defaults.engine, flow);
    if (!engines) return refuseOrder({ kind: 'engines' });
    const all: readonly string[] = ENGINE_NAMES;
    const wrong = findEnginesProblem(engines, all, PROPOSING_ENGINES);
    if (wrong) return refuseOrder(wrong);
    const { budgets, ...given } = value;
    const input = {
      ...given,
      ...engines,
      engineArgs: engineArgs ?? (engines.engine === 'script' ? [...defaults.script] : []),
      promptVersion: given.promptVersion ?? defaults.promptVersion,
      ...(given.promptVersion === null && defaults.trial ? { promptExperiment: defaults.trial } : {}),
      requester,
      chat,
      flow,
      discovery: given.discovery ?? 'files',
      bounds: withGrantedBudgets(defaults.bounds, { flow }, budgets),
    };
    const order = Order.safeParse(input);
    if (order.success) return { order: order.data };
    return { refused: { issues: validationIssuesOf(Order, order.error, input) } };
  };
