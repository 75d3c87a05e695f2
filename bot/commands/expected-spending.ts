/** Says before a run starts what runs like it took, and offers a higher limit where it is short (O4). */
import { hasRoleAtLeast } from '#model/settings';
import type { Order } from '#model/order';
import type { GrantedBudget } from '#model/limits';
import { findTooLowBudgets, type OrderExpectation } from '#model/reports';
import { escapeSentence } from '../text/telegram-html.ts';
import { htmlReply, type CommandContext, type CommandReply } from './command-context.ts';

export const findSpendingExpectation = async (
  context: CommandContext,
  order: Order,
): Promise<OrderExpectation | null> => {
  // Several proposers or fixes cost more than any single run did.
  if (order.proposers || order.fixes) return null;
  const { repo, engine, flow, bounds } = order;
  const found = (await context.services.reports?.estimateSpending({ repos: [repo], engine, flow })) ?? null;
  return found && { ...found, limitMs: bounds.runMs, limitUsd: bounds.maxCostUsd };
};

export const suggestHigherLimits = (
  context: CommandContext,
  expected: OrderExpectation | null,
): GrantedBudget[] =>
  expected && hasRoleAtLeast(context.role, 'approver') ? findTooLowBudgets(expected) : [];

export const expectationReply = (
  context: CommandContext,
  runId: string,
  expected: OrderExpectation | null,
): CommandReply[] => {
  if (!expected) return [];
  const { budgets } = context.words;
  const buttons = suggestHigherLimits(context, expected).map(({ budget, amount }) => [
    {
      verb: 'say' as const,
      text: budgets.raise(budgets.amounts[budget](amount)),
      runId,
      says: `/budget ${runId} ${budget} ${amount}`,
    },
  ]);
  return [htmlReply(escapeSentence(budgets.expected(expected)), buttons, runId)];
};
