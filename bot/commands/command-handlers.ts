/** Maps commands to handlers; those that map to one input need none (C1). */
import { COMMAND_ROWS, type CommandName, type CommandOf, type SteeringName, type TypedName } from '#commands';
import type { Run } from '#run';
import { offerRepeatRun } from './offer-repeat-run.ts';
import {
  stopAndDropWork,
  editPullText,
  raiseBudget,
  steerRun,
  adoptTheirCommit,
  sayToAgent,
} from './steer-run.ts';
import { approveCard } from './typed-approval.ts';
import { createRun } from './create-run.ts';
import { adoptPulls, planCampaign, showCampaigns, undoCampaign } from './campaign-commands.ts';
import { askAgentQuestion } from './ask-agent.ts';
import { findRun, type CommandContext } from './command-context.ts';
import { proposeSetting } from './answer-direct-request.ts';
import { changeNotes } from './repository-notes.ts';
import { answerSetAside } from './answer-set-aside.ts';
import { changeUsers } from './manage-users.ts';
import { changeSettings } from './chat-settings.ts';
import { managePasskeys } from './manage-passkeys.ts';
import { showAlikeQuestions, showLowRisk } from './decide-from-list.ts';
import {
  showBudget,
  showDetail,
  showDiff,
  showGreeting,
  showHelp,
  showLog,
  showPending,
  showPlan,
  showRuns,
  showRun,
  showStatus,
  answerUnknownRun,
  showInsights,
  showReport,
  showBoard,
  showCosts,
} from './show-commands.ts';

type OnRun = { [K in CommandName]: (typeof COMMAND_ROWS)[K]['on'] extends 'run' ? K : never }[CommandName];
type OfRun<K extends CommandName> = (
  c: CommandContext,
  run: Run,
  command: CommandOf<K>,
  messageId: string,
) => Promise<void>;
type OfAll<K extends CommandName> = (c: CommandContext, command: CommandOf<K>) => Promise<void>;

const OF_ALL: { readonly [K in Exclude<TypedName, OnRun>]: OfAll<K> } = {
  status: showStatus,
  pending: (c, { part }) =>
    part === null ? showPending(c) : part === 'low' ? showLowRisk(c) : showAlikeQuestions(c, part),
  runs: showRuns,
  report: (c, { about }) => showReport(c, about),
  insights: (c, { period }) => showInsights(c, period),
  cost: (c, { limit }) =>
    limit !== null && typeof limit === 'object'
      ? proposeSetting(c, `${limit.budget}budget ${limit.to}`)
      : showCosts(c, limit),
  board: showBoard,
  passkey: (c, { key }) => managePasskeys(c, key),
  help: (c, { topic }) => showHelp(c, topic),
  greet: (c, { payload }) => showGreeting(c, payload),
  new: (c, { order }) => createRun(c, order),
  batch: (c, { list }) => planCampaign(c, list),
  adopt: (c, { pulls }) => adoptPulls(c, pulls),
  campaign: (c, { id, undo }) =>
    undo && id !== null ? undoCampaign(c, id.toLowerCase()) : showCampaigns(c, id),
  settings: async (c, { setting }) => void (await changeSettings(c, setting)),
  users: (c, { change }) => changeUsers(c, change),
  notes: (c, { note }) => changeNotes(c, note),
  set_aside: (c, { row }) => answerSetAside(c, row),
};

const OF_RUN: { readonly [K in Exclude<OnRun, SteeringName>]: OfRun<K> } & {
  readonly [K in SteeringName]?: OfRun<K>;
} = {
  detail: showDetail,
  diff: showDiff,
  plan: showPlan,
  log: (c, run, { step }) => showLog(c, run, step),
  approve: (c, run, { confirm }, messageId) => approveCard(c, run, confirm, messageId),
  budget: (c, run, { raise }) => (raise ? raiseBudget(c, run, raise) : showBudget(c, run)),
  ask: (c, run, { text }) => askAgentQuestion(c, run, text),
  edit: editPullText,
  take: adoptTheirCommit,
  tell: sayToAgent,
  drop: stopAndDropWork,
  // The buttons of queued words say when; the command only shows the run.
  words: (c, run) => showRun(c, run),
  // The card's buttons answer; the command only shows it.
  permit: (c, run) => showRun(c, run),
};

/** The new words of a command that goes on with a run; null for any other. */
const wordsAgain = (command: CommandOf<CommandName>): string | null => {
  if (command.kind === 'retry') return command.advice ?? '';
  return command.kind === 'fix' ? command.instruction : null;
};

const isOfRun = (command: CommandOf<CommandName>): command is CommandOf<OnRun> => 'run' in command;

export const performCommand = async (
  context: CommandContext,
  command: CommandOf<CommandName>,
  messageId: string,
): Promise<void> => {
  if (!isOfRun(command)) return (OF_ALL[command.kind] as OfAll<CommandName>)(context, command);
  const run = await findRun(context.ledger.query, command.run);
  if (!run) return answerUnknownRun(context, command.run);
  const own = OF_RUN[command.kind] as OfRun<OnRun> | undefined;
  if (own) return own(context, run, command, messageId);
  const again = wordsAgain(command);
  if (again !== null && (await offerRepeatRun(context, run, again))) return;
  return steerRun(context, run, command.kind as SteeringName, command as CommandOf<SteeringName>);
};
