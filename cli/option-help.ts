/** Defines the help texts of command-line options. */
import { USUAL_PROMPTS } from '../app/runtime-settings.ts';
import type { OptionName } from '#commands';
import type { OrderOption } from '#orders';
import { BUDGET_KINDS } from '#model/limits';

export const OPTION_ABOUT: Record<OptionName, string> = {
  confirm: 'really do it',
  final: 'also end the run',
  reason: 'why; after a denial the agent is told',
  target: 'where to go on (default: where it stopped)',
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
  discovery: 'agent: the agent reads the repository first and adds to what is known of it',
  budget: `for this run alone: ${BUDGET_KINDS.join(', ')}; repeatable`,
  draft: 'open as a draft: yes, no, or until_green, which turns ready by itself once checks are green',
  label: 'a label of the pull request; repeatable',
  reviewer: 'who is asked to review, or organisation/team; repeatable',
  assignee: 'who is assigned; repeatable',
  milestone: 'the milestone of the pull request',
  check: 'your own check instead of those that were found; repeatable',
  install: 'none: dependencies are not installed, for checks that need none',
  prompt_version: `the set of prompts (default: what an admin has set, or else ${USUAL_PROMPTS})`,
};
