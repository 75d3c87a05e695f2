/** What the help of the command line says of the options of commands. */
import { USUAL_PROMPTS } from '../app/house.ts';
import type { OptionName } from '../orchestrator/commands/args.ts';
import type { OrderOption } from '../orchestrator/commands/order.ts';
import { BUDGETS } from '../orchestrator/core/bounds.ts';

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
  engine: 'who does the work (default: what an admin has set, or else AGENTPR_ENGINE)',
  flow: 'plan: small steps, each checked before the next',
  discovery: 'agent: it reads the repository first, and adds to the contract',
  budget: `of this run alone: ${BUDGETS.join(', ')}; repeatable`,
  check: 'a check of yours instead of the contract’s; repeatable',
  prompt_version: `the set of prompts (default: what an admin has set, or else ${USUAL_PROMPTS})`,
};
