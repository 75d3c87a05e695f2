/** English descriptions of commands and their parameters. Plain text, not escaped. */
import type { ArgName, TypedName } from '../../../orchestrator/commands/command-table.ts';
import type { HelpTopic } from '../help-topics.ts';
import type { CommandType } from '../../../orchestrator/core/machine/inputs.ts';

const does: Record<TypedName, string> = {
  status: 'the fleet, and what needs you most',
  pending: 'everything that is waiting for someone',
  new: 'start a change',
  batch: 'one change for many repositories: a preview first',
  adopt: 'follow pull requests in a campaign that were opened elsewhere',
  campaign: 'how a campaign stands; pause, resume or close it',
  runs: 'the newest runs',
  report: 'what runs took: time, fixes, taps and attention, by group',
  insights: 'what costs people’s attention, and what could be changed',
  board: 'a link to the pages with every run, change and figure',
  detail: 'everything about one run',
  diff: 'the change, as a file and page by page',
  log: 'what the agent or a check printed last',
  plan: 'what was learned about the repository',
  revoke: 'have the agent ask again for what was allowed in this run',
  budget: 'what is used and left; approvers grant more',
  approve: 'open the pull request that the newest card shows',
  deny: 'refuse what the card shows, and say why',
  changes: 'ask for changes to what the card shows; the agent goes on',
  edit: 'change the title or description on the card',
  fix: 'tell the agent what to fix in an open pull request',
  retry: 'go on after a failure, with what the agent is told',
  without: 'go on without checks that cannot be run here',
  update: 'merge the base branch into the change',
  take: 'go on from what somebody else pushed',
  overrule: 'say that a ban is about something else, and why',
  pause: 'stop the agent, keep everything',
  resume: 'go on after a pause',
  cancel: 'end a run for good',
  skip: 'end a run that is not wanted',
  done: 'mark a run as done',
  settings: 'your language, quiet hours and sign-off, and what holds for new runs',
  users: 'who may do what',
  help: 'what I can do, by topic',
  greet: 'who I am, and what you may do',
};

const args: Record<ArgName, string> = {
  order:
    'owner/name what to change  [base=main engine=codex flow=plan discovery=agent budget=cost:2 prompt_version=v1 check="npm test" install=none branch=… title="…"]',
  about: '[7d|12w|all] [engine|ecosystem|repository|prompt|campaign] [file]',
  list: 'owner/name owner/name … what to change  [options of /new]',
  id: '[campaign]',
  pulls: '[campaign] links of pull requests',
  period: '[7d|12w|all]',
  topic: '[topic]',
  payload: '[code]',
  step: '[step]',
  raise: '[time|tokens|cost|… +amount]',
  confirm: '--confirm',
  final: '[--final]',
  reason: '[reason]',
  words: 'title="…" description="…"',
  instruction: 'what to do',
  target: '[state]',
  advice: '[what the agent is told]',
  sha: '[commit]',
  setting:
    '[language en|zh|auto | signoff Name <email> | quiet 22:00-07:30 Europe/Berlin | log | name value]',
  what: 'what was asked for',
  text: 'the answer',
  change: '[add <id> <role> [name] | remove <id> | invite [role] | signout <id>]',
};

/** Completes “a run that cannot be … now”. */
export const enCommandTypes: Record<CommandType, string> = {
  'command.discovery.start': 'started',
  'command.implementation.start': 'started on its implementation',
  'command.validation.accept': 'passed on to validation',
  'command.push.approve': 'approved for a push',
  'command.pr.create': 'approved for a pull request',
  'command.deny': 'denied',
  'command.proposal.modify': 'reworded',
  'command.iterate': 'sent back for a fix',
  'command.review.choose': 'told what to do about a remark',
  'command.review.begin': 'started on its review',
  'command.reply.approve': 'approved for answers',
  'command.ci.rerun': 'checked again',
  'command.checks.waive': 'sent on without its checks',
  'command.base.update': 'updated from its base',
  'command.head.adopt': 'continued from their commit',
  'command.retry': 'retried',
  'command.resume': 'resumed',
  'command.pause': 'paused',
  'command.skip': 'skipped',
  'command.cancel': 'cancelled',
  'command.run.finish': 'marked as done',
  'command.ban.overrule': 'freed from a ban',
  'command.requirement.answer': 'given an answer',
  'command.permission.answer': 'answered about a permission',
  'command.permission.revoke': 'took a permission back',
  'command.budget.raise': 'given more',
};

const topics: Record<HelpTopic, string> = {
  look: 'What is going on',
  ask: 'Ask for a change',
  decide: 'Decide',
  steer: 'Steer a run',
  installation: 'People and settings',
};

export const enCommands = { does, args, topics, run: '<run>' };
