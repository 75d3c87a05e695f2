/** What the command line says of its commands and options, in help and in docs/cli.md. */
import type { OptionName } from '../orchestrator/commands/args.ts';
import type { OrderOption } from '../orchestrator/commands/order.ts';
import type { HostName } from '../orchestrator/commands/rows.ts';
import { BUDGETS } from '../orchestrator/core/bounds.ts';

/** Of those that stand below `agentpr run` and steer a run. */
export const ABOUT: Record<HostName, string> = {
  create: 'ask for a change',
  budget: `grant more of a budget: ${BUDGETS.join(', ')}; in minutes, tokens, dollars, MB or times`,
  deny: 'reject what waits',
  modify: 'other words for the pull request that waits; they are approved in chat only',
  retry: 'try again',
  update: 'merge the base branch into the change',
  pause: 'stop the agent and the clocks',
  resume: 'go on after a pause',
  cancel: 'end it; a pull request stays open',
  skip: 'leave it',
  done: 'mark it as done',
};

export const OPTION_ABOUT: Record<OptionName, string> = {
  confirm: 'really do it',
  final: 'end the run, too',
  reason: 'why; after a denial the agent is told it',
  target: 'where it goes on (default: where it was)',
  tell: 'what the agent is told from here on',
  title: 'another title',
  description: 'another description',
};

export const ORDER_ABOUT: Record<OrderOption, string> = {
  base: 'the branch to change (default: the repository’s own)',
  branch: 'the branch that is pushed (default: by the repository’s rule)',
  title: 'the title of the pull request',
  engine: 'who does the work (default: AGENTPR_ENGINE)',
  flow: 'plan: small steps, each checked before the next',
  discovery: 'agent: it reads the repository first, and adds to the contract',
  budget: `of this run alone: ${BUDGETS.join(', ')}; repeatable`,
  check: 'a check of yours instead of the contract’s; repeatable',
  prompt_version: 'the set of skills (default: v1)',
};
