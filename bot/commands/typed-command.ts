/** C1: handles typed commands; a run name that may change its meaning needs a confirming tap. */
import { isWrong } from '#model/chat';
import { atLeast, type UserRole } from '#model/settings';
import { neededFor, onlyShows, readTyped, commandRow, type CommandName, type CommandOf } from '#commands';
import type { Run } from '#run';
import { redactSecrets } from '../../text-safety/index.ts';
import { formOf } from '../language/command-forms.ts';
import { phrasesFor } from '../language/languages.ts';
import { readPhrase } from '../phrases/read-phrase.ts';
import { joinParts, sayRecord } from '../text/catalogue.ts';
import { escapedSentence } from '../text/telegram-html.ts';
import { renderMeant } from '../views/welcome-screen.ts';
import type { ProposedCommand } from '../views/command-proposal.ts';
import {
  htmlReply,
  isBusy,
  plainReply,
  putOff,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
} from './command-context.ts';
import { handleFreeText } from './free-text.ts';
import { performCommand } from './command-handlers.ts';
import { findAnsweredMessage, fleetOf, toNameable, findRunsNamed } from './resolve-run.ts';
import { commandChoice, MAX_CHOICES, proposeCommands, takesCommand } from './command-buttons.ts';
import { isCommand, onlyAsks, splitCommand, type ParsedCommand } from './parse-command.ts';
import { askForLack, findLack } from './unfinished-order.ts';
import { showHelp, showPending, showRun, unknownRun } from './show-commands.ts';

type Said = { replyTo: string | null; messageId: string };
type Typed = { command: CommandName; rest: string };

const NEVER_OFFERED = [
  'approve',
  'users',
  'set_aside',
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
  c: CommandContext,
  { command: name, rest }: Typed,
  said: Said,
): Promise<void> => {
  const lack = findLack(c, name, rest);
  if (lack) return askForLack(c, lack);
  const given = (line: string, run: string | null): Promise<void> => give(c, read(name, line, run), said);
  if (commandRow(name).on !== 'run') return given(rest, null);
  const [first = ''] = rest.split(/\s+/);
  const isName = first !== '' && !first.startsWith('-');
  const found = isName ? await findRunsNamed(c, first) : { runs: [], sure: false };
  const [run, ...others] = found.runs;
  const after = rest.slice(first.length).trim();
  if (run && found.sure) return given(after, run.id);
  const { live } = await fleetOf(c);
  const replied = said.replyTo === null ? null : await findAnsweredMessage(c, live, said.replyTo);
  if (replied) return given(rest, replied.id);
  if (!isName) return unnamed(c, name, rest, live, said);
  if (!run) {
    const form = read(name, after, first);
    if (!mayGive(c, form)) return give(c, form, said);
    return (await inWords(c, name, rest))
      ? handleFreeText(c, spoken(name, rest, said))
      : unknownRun(c, first);
  }
  const one = read(name, after, run.id);
  if (!isCommand(one)) return give(c, one, said);
  if (onlyShows(name, one) && others.length === 0) return give(c, one, said);
  return whichOf(c, name, one, found.runs);
};

/** Handles commands with free text: "/pause all", "/retry the failed one". */
const inWords = async (c: CommandContext, name: CommandName, rest: string): Promise<boolean> => {
  const { all } = await fleetOf(c);
  const { text } = spoken(name, rest, { messageId: '' });
  const reading = readPhrase(text, phrasesFor(text, c.words.code), {
    runs: all.map(toNameable),
    replied: null,
  });
  if (reading.kind !== 'command' || reading.intent !== name) return false;
  const { about } = reading;
  return about.kind === 'all' || (about.kind === 'named' && about.by === 'state');
};
const spoken = (name: CommandName, rest: string, { messageId }: Pick<Said, 'messageId'>) => ({
  text: `${name} ${rest}`,
  replyTo: null,
  private: true,
  messageId,
  command: true as const,
});

/** Offers the runs that a command without a run could be about. */
const unnamed = async (
  c: CommandContext,
  name: CommandName,
  rest: string,
  live: readonly Run[],
  said: Said,
): Promise<void> => {
  const runs = live.filter((run) => takesCommand(run, name));
  const [run, ...others] = runs;
  const one = run ? read(name, rest, run.id) : read(name, '', null);
  if (!run || !isCommand(one) || rest !== '') return give(c, read(name, rest, null), said);
  if (onlyShows(name, one) && others.length === 0) return give(c, one, said);
  return whichOf(c, name, one, runs);
};

const whichOf = async (
  c: CommandContext,
  name: CommandName,
  command: CommandOf<CommandName>,
  runs: readonly Run[],
): Promise<void> => {
  const needed = neededFor(name, command);
  if (!atLeast(c.role, needed)) return refuseUpdate(c, 'role', plainReply(c.words.roles.needs(needed)));
  const [run] = runs;
  if (name === 'approve') return run && runs.length === 1 ? showRun(c, run) : showPending(c);
  if (!isOffered(name) || runs.length > MAX_CHOICES)
    return refuseUpdate(c, 'which one', plainReply(c.words.replies.whichOne));
  const { kind: _, run: __, ...told } = command as { kind: string; run: string };
  return proposeCommands(
    c,
    runs.map((one) => commandChoice(name, told, [one])),
  );
};

const read = (name: CommandName, line: string, run: string | null): ParsedCommand => {
  const command = readTyped(name, line, run);
  return isWrong(command) ? { kind: 'wrong', command: name, problem: command.problem } : command;
};

const neededOf = (command: ParsedCommand): UserRole =>
  isCommand(command) ? neededFor(command.kind, command) : 'viewer';
const mayGive = (c: CommandContext, command: ParsedCommand): boolean =>
  command.kind !== 'wrong' && atLeast(c.role, neededOf(command));

const give = async (c: CommandContext, command: ParsedCommand, { messageId }: Said): Promise<void> => {
  const needed = neededOf(command);
  // guard: G4-command-role
  if (!atLeast(c.role, needed)) return refuseUpdate(c, 'role', plainReply(c.words.roles.needs(needed)));
  const dear = isCommand(command) && commandRow(command.kind).dear;
  if (onlyAsks(command) && (await isBusy(c, dear))) return putOff(c);
  if (isCommand(command)) return performCommand(c, command, messageId);
  if (command.kind === 'wrong') return wrong(c, command);
};

const wrong = async (
  c: CommandContext,
  { command, problem }: Extract<ParsedCommand, { kind: 'wrong' }>,
): Promise<void> => {
  const why = problem ? [sayRecord(c.words.problems, problem)] : [];
  const form = c.words.replies.wrong(formOf(command, c.words));
  return refuseUpdate(c, 'wrong form', htmlReply(escapedSentence(redactSecrets(joinParts(...why, form)))));
};

/** C1: suggests the most similar command that the user may give. */
export const answerUnknownCommand = async (
  c: CommandContext,
  { name, near }: { name: string; near: CommandName | null },
): Promise<void> => {
  if (await isBusy(c, false)) return putOff(c);
  if (near === null || !atLeast(c.role, neededFor(near)))
    return showHelp(c, null, escapedSentence(c.words.replies.unknown(name)));
  const { html, buttons } = renderMeant(name, near, c.words);
  return settleUpdate(c, 'a slip', htmlReply(html, buttons));
};

/** Handles a button's text as if the user had typed it. */
export const runWrittenCommand = async (
  c: CommandContext,
  text: string,
  messageId: string,
): Promise<void> => {
  const split = splitCommand(text, c.adapter.botName());
  const said = { replyTo: null, messageId };
  if (!('kind' in split)) return runTypedCommand(c, split, said);
  if (split.kind === 'unknown') return answerUnknownCommand(c, split);
  return handleFreeText(c, { ...said, text, private: true, command: true });
};
