/** Offers a new run with the order of one that has ended, and a person's new words (S11). */
import { z } from 'zod';
import {
  BUDGET_BOUNDS,
  toShownAmount,
  mayBeUnlimited,
  type GrantedBudget,
  BUDGET_KINDS,
  type RunBounds,
} from '#model/limits';
import { MAX_ARGUMENT_LENGTHS } from '#model/chat';
import type { Order } from '#model/order';
import { isTerminal } from '#model/run';
import type { CommandChoice } from '#effects';
import { runLabel, type Run } from '#run';
import { NewOrder } from '#orders';
import { currentActivity } from '#views';
import { commandChoice, proposeCommands } from './command-buttons.ts';
import { plainReply, type CommandContext, type EngineParts } from './command-context.ts';

/** What an order grants or takes besides today's defaults. */
const budgetsOf = ({ bounds, flow }: Order, defaults: RunBounds): GrantedBudget[] =>
  BUDGET_KINDS.flatMap((budget) => {
    const key = BUDGET_BOUNDS[budget].bound(flow === 'plan');
    const [then, now] = [bounds[key], defaults[key]];
    if (then === now || then === null || then === undefined) return [];
    return mayBeUnlimited(budget) && now === null && then === undefined
      ? []
      : [{ budget, amount: toShownAmount(budget, then) }];
  });

/** Null where an order says more than a new one can: its fixes, its approvers, a revert, an issue's text. */
const findRepeatOrder = (
  { order }: Pick<Run, 'order'>,
  words: string,
  { defaults, promptVersions }: Pick<EngineParts, 'defaults' | 'promptVersions'>,
): NewOrder | null => {
  const { fixes, reverts, follows, approvers, quoted, picture } = order;
  // guard: S11-same-order
  if (fixes ?? reverts ?? follows ?? approvers ?? quoted ?? picture) return null;
  if (order.engine === 'script' && order.engineArgs.join('\0') !== defaults.script.join('\0')) return null;
  const given = {
    repo: order.repo,
    goal: words.trim() === '' ? order.goal : `${order.goal}\n\n${words.trim()}`,
    base: order.base,
    branch: order.branch,
    title: order.title,
    engine: order.proposers?.join(',') ?? order.engine,
    flow: order.flow,
    discovery: order.discovery,
    // Prompts that are gone, or that today's trial chooses, are those of today.
    promptVersion:
      order.promptVersion !== defaults.promptVersion && promptVersions.includes(order.promptVersion)
        ? order.promptVersion
        : null,
    budgets: budgetsOf(order, defaults.bounds),
    checks: order.checks,
    ...(order.install ? { install: order.install } : {}),
    ...(order.pull ? { pull: order.pull } : {}),
  };
  return given.goal.length > MAX_ARGUMENT_LENGTHS.goal ? null : (NewOrder.safeParse(given).data ?? null);
};

/** The run that another is to follow, as it was when that was offered. */
const EndedRun = z.object({ run: z.string(), epoch: z.int() });
type EndedRun = z.infer<typeof EndedRun>;

/** The run that another was to follow, where it lives again: on the code host it was reopened. */
export const findRevivedRun = async (
  { ledger }: Pick<CommandContext, 'ledger'>,
  { parameters: { ended } }: Pick<CommandChoice, 'parameters'>,
): Promise<Run | null> => {
  const before = EndedRun.safeParse(ended).data;
  const run = before ? await ledger.query.run(before.run) : null;
  // guard: S11-not-twice
  return run && run.lifecycle.epoch !== before?.epoch ? run : null;
};

/** Nothing happens without the tap. Returns false where it is not offered. */
export const offerRepeatRun = async (context: CommandContext, run: Run, words: string): Promise<boolean> => {
  const order = isTerminal(run.lifecycle.state) ? findRepeatOrder(run, words, context.engines) : null;
  if (!order) return false;
  const again = words.trim() === '' ? 'same' : 'words';
  const state = currentActivity(run, context.words);
  const targets = [{ run: context.ids.runId(), epoch: null, approval: null }];
  const ended: EndedRun = { run: run.id, epoch: run.lifecycle.epoch };
  const choice = { ...commandChoice('new', { order, again, ended }, []), targets };
  await proposeCommands(context, [choice], undefined, [
    plainReply(context.words.replies.endedRun(runLabel(run), state), run.id),
  ]);
  return true;
};
