/** Shows chats what was spent, and lets them raise its limits (P7). */
import type { SpendingBudgets } from '#model/spending';
import { raiseSpendingByKey, readSpending } from '#limits';
import type { SystemClock } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import type { IncomingItem } from '#ports/steps';
import type { ServiceParts } from '../bot/commands/command-context.ts';

export const createSpendingService = (parts: {
  ledger: Pick<Ledger, 'changeSetting' | 'query'>;
  receive: (items: readonly IncomingItem[]) => Promise<unknown>;
  clock: SystemClock;
  budgets: () => Promise<SpendingBudgets>;
}): NonNullable<ServiceParts['costs']> => ({
  read: () => readSpending(parts),
  raise: (request) => raiseSpendingByKey(parts, request),
});
