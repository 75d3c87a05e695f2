/** Handles typed commands; a run name that may change its meaning needs a confirming tap (C1). */
import { isWrongArgument } from '#model/chat';
import { hasRoleAtLeast, type UserRole } from '#model/settings';
import {
  roleNeededFor,
  isReadOnlyCommand,
  parseTypedCommand,
  commandRow,
  type CommandName,
  type CommandOf,
} from '#commands';
import type { Run } from '#run';
import { redactSecrets } from '../../text-safety/index.ts';
import { commandFormOf } from '../language/command-forms.ts';
import { phrasesFor } from '../language/languages.ts';
import { readPhrase } from '../phrases/read-phrase.ts';
import { joinParts, sayRecord } from '../text/sentence-catalogue.ts';
import { escapeSentence } from '../text/telegram-html.ts';
import { renderDidYouMean } from '../views/welcome-screen.ts';
import type { ProposedCommand } from '../views/command-proposal.ts';
import {
  htmlReply,
  isBusy,
  plainReply,
  replyBusy,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
} from './command-context.ts';
import { handleFreeText } from './free-text.ts';
import { performCommand } from './command-handlers.ts';
import { findAnsweredMessage, readFleetRuns, toNameable, findRunsByName } from './resolve-run.ts';
import { commandChoice, MAX_CHOICES, proposeCommands, canTakeCommand } from './command-buttons.ts';
import { isCommand, isReadOnlyRequest, splitCommand, type ParsedCommand } from './parse-command.ts';
import { askForMissingPart, askWhichRun, findMissingPart } from './unfinished-order.ts';
import { showHelp, showPending, showRun, answerUnknownRun } from './show-commands.ts';

type Said = {
  replyTo: string | null;
  messageId: string;
  /** The run was named as an answer, and not in the command. */
  isNamedLater?: true | undefined;
};
type Typed = { command: CommandName; rest: string };

const NEVER_OFFERED = [
  'approve',
  'users',
  'set_aside',
  'notes',
  'take',
  'edit',
  'start',
  'rerun',
  'help',
  'greet',
  'without',
  'report',
  'batch',
  'campaign',
  'adopt',
  'insights',
  'cost',
  'board',
  'passkey',
] as const satisfies readonly CommandName[];
const isOffered = (name: CommandName): name is ProposedCommand => !NEVER_OFFERED.some((one) => one === name);

export const runTypedCommand = async (
  context: CommandContext,
  { command: name, rest }: Typed,
  said: Said,
): Promise<void> => {
  const lack = findMissingPart(context, name, rest);
  if (lack) return askForMissingPart(context, lack);
  const performLine = (line: string, run: string | null): Promise<void> =>
    performIfAllowed(context, parseTyped(name, line, run), said);
  if (commandRow(name).on !== 'run') return performLine(rest, null);
  const [first = ''] = rest.split(/\s+/);
  const isName = first !== '' && !first.startsWith('-');
  const found = isName ? await findRunsByName(context, first) : { runs: [], sure: false };
  const [run, ...others] = found.runs;
  const after = rest.slice(first.length).trim();
  // guard: C1-name-gives-no-command
  if (run && found.sure && !said.isNamedLater) return performLine(after, run.id);
  const { live } = await readFleetRuns(context);
  const replied = said.replyTo === null ? null : await findAnsweredMessage(context, live, said.replyTo);
  if (replied) return performLine(rest, replied.id);
  if (!isName) return offerMatchingRuns(context, name, rest, live, said);
  if (!run) {
    const form = parseTyped(name, after, first);
    if (!mayGive(context, form)) return performIfAllowed(context, form, said);
    return (await inWords(context, name, rest))
      ? handleFreeText(context, toFreeText(name, rest, said))
      : answerUnknownRun(context, first);
  }
  const one = parseTyped(name, after, run.id);
  if (!isCommand(one)) return performIfAllowed(context, one, said);
  if (isReadOnlyCommand(name, one) && others.length === 0) return performIfAllowed(context, one, said);
  return whichOf(context, { name, rest: after }, one, found.runs);
};

/** Handles commands with free text: "/pause all", "/retry the failed one". */
const inWords = async (context: CommandContext, name: CommandName, rest: string): Promise<boolean> => {
  const { all } = await readFleetRuns(context);
  const { text } = toFreeText(name, rest, { messageId: '' });
  const reading = readPhrase(text, phrasesFor(text, context.words.code), {
    runs: all.map(toNameable),
    replied: null,
  });
  if (reading.kind !== 'command' || reading.intent !== name) return false;
  const { about } = reading;
  return about.kind === 'all' || (about.kind === 'named' && about.by === 'state');
};
const toFreeText = (name: CommandName, rest: string, { messageId }: Pick<Said, 'messageId'>) => ({
  text: `${name} ${rest}`,
  replyTo: null,
  private: true,
  messageId,
  command: true as const,
});

/** Offers the runs that a command without a run could be about. */
const offerMatchingRuns = async (
  context: CommandContext,
  name: CommandName,
  rest: string,
  live: readonly Run[],
  said: Said,
): Promise<void> => {
  const runs = live.filter((run) => canTakeCommand(run, name));
  const [run, ...others] = runs;
  const one = run ? parseTyped(name, rest, run.id) : parseTyped(name, '', null);
  if (!run || !isCommand(one) || rest !== '')
    return performIfAllowed(context, parseTyped(name, rest, null), said);
  if (isReadOnlyCommand(name, one) && others.length === 0) return performIfAllowed(context, one, said);
  return whichOf(context, { name, rest }, one, runs);
};

const whichOf = async (
  context: CommandContext,
  { name, rest }: { name: CommandName; rest: string },
  command: CommandOf<CommandName>,
  runs: readonly Run[],
): Promise<void> => {
  const needed = roleNeededFor(name, command);
  if (!hasRoleAtLeast(context.role, needed))
    return refuseUpdate(context, 'role', plainReply(context.words.roles.needs(needed)));
  const [run] = runs;
  if (name === 'approve') return run && runs.length === 1 ? showRun(context, run) : showPending(context);
  if (!isOffered(name) || runs.length > MAX_CHOICES)
    return askWhichRun(
      context,
      { before: `/${commandRow(name).names[0] ?? name} `, after: ` ${rest}` },
      runs,
    );
  const { kind: _, run: __, ...told } = command as { kind: string; run: string };
  return proposeCommands(
    context,
    runs.map((one) => commandChoice(name, told, [one])),
  );
};

const parseTyped = (name: CommandName, line: string, run: string | null): ParsedCommand => {
  const command = parseTypedCommand(name, line, run);
  return isWrongArgument(command) ? { kind: 'wrong', command: name, problem: command.problem } : command;
};

const roleForCommand = (command: ParsedCommand): UserRole =>
  isCommand(command) ? roleNeededFor(command.kind, command) : 'viewer';
const mayGive = (context: CommandContext, command: ParsedCommand): boolean =>
  command.kind !== 'wrong' && hasRoleAtLeast(context.role, roleForCommand(command));

const performIfAllowed = async (
  context: CommandContext,
  command: ParsedCommand,
  { messageId }: Said,
): Promise<void> => {
  const needed = roleForCommand(command);
  // guard: G4-command-role
  if (!hasRoleAtLeast(context.role, needed))
    return refuseUpdate(context, 'role', plainReply(context.words.roles.needs(needed)));
  const dear = isCommand(command) && commandRow(command.kind).dear;
  if (isReadOnlyRequest(command) && (await isBusy(context, { dear }))) return replyBusy(context);
  if (isCommand(command)) return performCommand(context, command, messageId);
  if (command.kind === 'wrong') return refuseWrongForm(context, command);
};

const refuseWrongForm = async (
  context: CommandContext,
  { command, problem }: Extract<ParsedCommand, { kind: 'wrong' }>,
): Promise<void> => {
  const why = problem ? [sayRecord(context.words.problems, problem)] : [];
  const form = context.words.replies.wrong(commandFormOf(command, context.words));
  return refuseUpdate(
    context,
    'wrong form',
    htmlReply(escapeSentence(redactSecrets(joinParts(...why, form)))),
  );
};

/** C1: suggests the most similar command that the user may give. */
export const answerUnknownCommand = async (
  context: CommandContext,
  { name, near }: { name: string; near: CommandName | null },
): Promise<void> => {
  if (await isBusy(context, { dear: false })) return replyBusy(context);
  if (near === null || !hasRoleAtLeast(context.role, roleNeededFor(near)))
    return showHelp(context, null, escapeSentence(context.words.replies.unknown(name)));
  const { html, buttons } = renderDidYouMean(name, near, context.words);
  return settleUpdate(context, 'a slip', htmlReply(html, buttons));
};

/** Handles a button's text as if the user had typed it. */
export const runWrittenCommand = async (
  context: CommandContext,
  text: string,
  messageId: string,
): Promise<void> => {
  const split = splitCommand(text, context.adapter.botName());
  const said = { replyTo: null, messageId };
  if (!('kind' in split)) return runTypedCommand(context, split, said);
  if (split.kind === 'unknown') return answerUnknownCommand(context, split);
  return handleFreeText(context, { ...said, text, private: true, command: true });
};
