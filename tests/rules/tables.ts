/**
 * The tables of the documentation that are printed from rows, and where they stand in their pages:
 * `npm run docs:tables`.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { BUTTONS } from '../../bot/commands/buttons.ts';
import type { ButtonRow } from '../../bot/commands/define-button.ts';
import { commandFormOf } from '../../bot/language/command-forms.ts';
import { TYPED_COMMANDS, enTexts } from '#language';
import type { MessageView } from '#effects';
import { createProgram } from '../../cli/main.ts';
import { AGENT_NAMES } from '../../executors/engines/engine-settings.ts';
import { AGENT_CLIS } from '../../executors/engines/engines.ts';
import type { EnginePage } from '../../executors/engines/shared/agent-cli.ts';
import { loadRows } from '../../tools/load-data.ts';
import { commandRow } from '../../orchestrator/commands/read-command.ts';
import { BUILT_IN_POLICIES, isBuiltIn } from '#governor';
import type { TypedName } from '../../orchestrator/commands/command-names.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');

/** What a choice is made by stands above what is installed. */
const CHOICE: ReadonlySet<string> = new Set<keyof EnginePage>(['takeWhen', 'cannot']);
const ENGINE_ROWS: Record<Exclude<keyof EnginePage, 'key'>, string> = {
  takeWhen: 'take it when',
  cannot: 'it cannot',
  limits: 'a limit of tokens or cost stops it',
  memory: 'memory',
  ownModel: 'model of your own',
  resumedBy: 'resumed by',
  tokens: 'tokens',
  cost: 'cost',
  readsLent: 'can its commands read what it was lent?',
  settings: 'settings of the repository',
};
/** A script is no agent: it is lent nothing and counts nothing. */
const SCRIPT: typeof ENGINE_ROWS = {
  ownModel: 'none',
  resumedBy: 'never',
  tokens: 'none',
  cost: 'none',
  readsLent: 'none',
  takeWhen: 'the change is a program of yours: a codemod, an update, a generator',
  cannot: 'hold a conversation: each round starts it anew, with what is to be done on its standard input',
  limits: 'never: time and output do',
  memory: 'its own',
  settings: 'stay: a script is no agent',
};
const engines = (): string => {
  const all = AGENT_NAMES.map((name) => AGENT_CLIS[name]);
  const rows = (Object.keys(ENGINE_ROWS) as (keyof typeof ENGINE_ROWS)[]).map((row) => ({
    isChoice: CHOICE.has(row),
    cells: [ENGINE_ROWS[row], ...all.map((a) => a.page[row]), SCRIPT[row]],
  }));
  const untried = '; **unverified**: built from its documentation, never run by us';
  return table(
    ['', ...AGENT_NAMES.map((name) => `\`${name}\``), '`script`'],
    [
      ...rows.filter(({ isChoice }) => isChoice).map(({ cells }) => cells),
      [
        'install',
        ...all.map((a) =>
          a.ours
            ? 'nothing'
            : `${a.install === '' ? 'as it wants it' : `\`${a.install}\``}${a.tried === null ? untried : ''}`,
        ),
        'nothing',
      ],
      ['key', ...all.map((a) => a.page.key), 'none'],
      [
        'or sign-in',
        ...all.map((a) => (a.ours ? 'none' : a.signInBy === '' ? 'as it wants it' : `\`${a.signInBy}\``)),
        'none',
      ],
      ...rows.filter(({ isChoice }) => !isChoice).map(({ cells }) => cells),
    ],
  );
};

/** What may be typed in the chat, with who may and where else it can be given. */
const commands = (): string => {
  const needs = (name: TypedName): string => {
    const { needs: of } = commandRow(name);
    if (typeof of === 'string') return of;
    const given = new Proxy({}, { get: () => 'given' });
    return `viewer; ${of(given as never)} to change`;
  };
  const host = (name: TypedName): string => {
    const { host: at } = commandRow(name);
    return at === null ? '' : `\`agentpr run ${at}\``;
  };
  return table(
    ['command', 'what it does', 'who', 'on the command line'],
    TYPED_COMMANDS.map((name) => [
      `\`${commandFormOf(name, enTexts)}\``,
      enTexts.commands.does[name],
      needs(name),
      host(name),
    ]),
  );
};

const VIEW_NAMES: Partial<Record<MessageView['view'], string>> = {
  gate: 'card',
  diff_page: 'diff viewer',
  attention: 'NEEDS YOU',
  cluster: 'card of several changes',
  questions: 'questions of several agents',
  comment: 'comment',
  open_remarks: 'call for answers',
  triage: 'review',
  command_choice: 'proposed commands',
  transcript: 'voice note',
  repeated_call: 'SAME COMMAND AGAIN',
  morning_summary: 'morning summary',
  reply: 'answer to a command',
  budget: 'budget warning',
  spending: 'budget above runs',
  campaign: 'campaign',
};
/** Every button, as its row says it. */
const buttons = (): string =>
  table(
    ['button', 'stands in', 'who', 'while many answers wait', 'when the run has moved on'],
    BUTTONS.map((one: ButtonRow) => [
      `\`${one.verb}\``,
      one.on === 'run' ? 'anything about a run' : one.on.map((view) => VIEW_NAMES[view] ?? view).join(', '),
      one.role,
      one.whileBusy ? 'not now' : '',
      one.goesStale ? 'does nothing' : '',
    ]),
  );

const hostLines = (command: Command, path: string): string[][] =>
  command.commands.flatMap((one) => {
    const name = [path, one.name()].filter(Boolean).join(' ');
    // A group has no table line of its own.
    if (one.commands.length > 0) return hostLines(one, name);
    const usage = one.registeredArguments.map((a) => (a.required ? `<${a.name()}>` : `[${a.name()}]`));
    const options = one.options.map(({ long, short }) => `\`${long ?? short ?? ''}\``).join(' ');
    return [[`\`${[name, ...usage].join(' ')}\``, one.description(), options]];
  });
const agentpr = await createProgram();
/** Every command of the command line, as its help says it. */
const host = (): string => table(['command', 'what it does', 'options'], hostLines(agentpr, ''));

/** Every policy, as the catalogue says it; `explicit-allow` is what remains without one. */
const policies = (): string =>
  table(
    ['policy', 'guards', 'asks a person when', 'denies when', 'setting'],
    Object.keys(BUILT_IN_POLICIES)
      .filter(isBuiltIn)
      .map((id) => {
        const { guards, allows, escalates, denies } = enTexts.describePolicy(id);
        const says = escalates ?? (allows === null ? '' : `(allows: ${allows})`);
        const settings = BUILT_IN_POLICIES[id].settings.map((name) => `\`${name}\``).join(', ');
        return [`\`${id}\``, guards, says, denies ?? '', settings];
      }),
  );

/** What is told of each tool, by the keys of its row. */
const tools = (): string =>
  table(
    ['tool', 'known of it'],
    loadRows().map(({ id, names: [, ...others] = [], ...row }) => [
      [`\`${id}\``, ...others.filter((name) => name !== id).map((name) => `\`${name}\``)].join(', '),
      Object.keys(row).join(', '),
    ]),
  );

const TABLES: Record<string, () => string> = { engines, buttons, commands, host, policies, tools };
export const PAGES = ['docs/tools.md', 'docs/engines.md', 'docs/chat.md', 'docs/cli.md', 'docs/policies.md'];

const PLACE = /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end of table -->)/g;
/** A page as it is, and as it should be. */
export const printed = (page: string): { file: string; is: string; should: string } => {
  const file = resolve(import.meta.dirname, '../..', page);
  const is = readFileSync(file, 'utf8');
  const should = is.replace(PLACE, (_, from: string, name: string, to: string) => {
    const print = TABLES[name];
    if (!print) throw new Error(`${page}: there is no table ${name}`);
    return `${from}\n${print()}\n\n${to}`;
  });
  return { file, is, should };
};
