/** Gives orders to the running process or the ledger, and reads the options of an order. */
import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { sayRecord } from '#chat-text';
import { randomIds, createSubmitInput, type Inbox } from '#runtime';
import { describeCampaignOutcome } from '#views';
import { ORDER_OPTIONS, type ParsedOption, type NewOrder, type OrderOption } from '#orders';
import { promptExperimentOf, currentSettings, type SettingValues, type SettingsHost } from '#settings';
import { isWrongArgument, type WrongArgument } from '#model/chat';
import type { Order as RunOrder, Person } from '#model/order';
import { ORDER_ABOUT } from './option-help.ts';
import { isDatabaseFault, openLedger } from '#db';
import { settingsHostOf } from '../app/runtime-settings.ts';
import { listSkillVersions } from '../app/skills.ts';
import { createCampaignSource } from '../app/campaign-control.ts';
import { createOrderBuilder, describeOrderProblem } from '../app/build-order.ts';
import { openPullAdopter, openCampaignPlanner } from '../app/campaign-planning.ts';
import { createCliSource, sendOrder, type ControlAnswer, type ControlOrder } from '../app/control-socket.ts';
import { ENGINE_NAMES } from '#engines';
import { listAdminChats } from '../app/chats.ts';
import { readDatabaseUrl, resolveDataDir, loadConfig } from './load-config.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { cliWords } from './language.ts';
import { withLedgerReader, type CommonOptions } from './show-runs.ts';

export type ChangingOptions = CommonOptions & { idempotencyKey?: string };

export const HOST_OPERATOR: Person = { id: null, name: 'the operator' };

/** Calls without a key are never duplicates. */
export const idempotencyKeyOf = ({ idempotencyKey }: ChangingOptions): string =>
  idempotencyKey ?? randomUUID();

/** Writes the order to the ledger for the next start when no process runs. */
export const submitControlOrder = async (
  options: ChangingOptions,
  order: ControlOrder,
): Promise<ControlAnswer> => {
  const dir = resolveDataDir(options.data);
  const answer = await sendOrder(dir, order);
  if (answer) return answer;
  const clock = { now: () => Date.now() };
  const ledger = await openLedger({ dataDir: dir, database: readDatabaseUrl(), now: () => clock.now() });
  try {
    const source = createCliSource({ ledger, clock });
    const submit = createSubmitInput({ ledger, clock, ids: randomIds });
    const handle = source.handler(
      submit,
      // Only planning needs the code host and its settings.
      createCampaignSource({
        ledger,
        clock,
        submit,
        planner: () => openCampaignPlanner(loadConfig(), ledger, clock),
        adopter: () => openPullAdopter(loadConfig(), ledger, clock),
      }),
    );
    // Handles this order only; other rows wait for a process that can answer people.
    const inbox: Inbox = {
      receive: (items) => ledger.receive(items, clock.now()),
      drain: async () => {
        const rows = await ledger.inbox(Number.MAX_SAFE_INTEGER);
        const own = rows.find((row) => row.source === 'cli' && row.key === order.key);
        if (own) await handle(own);
      },
    };
    return await source.give(inbox, order);
  } finally {
    await ledger.close();
  }
};

/** Tells an answer in the terminal's language; sentences that others wrote stay as they are. */
export const describeControlAnswer = (answer: ControlAnswer): string | undefined => {
  const words = cliWords();
  const { reasons, refusals, commandLine } = words;
  if (answer.note !== undefined) return commandLine.answers[answer.note]();
  if (answer.said) return describeCampaignOutcome(words, answer.said);
  if (answer.kind === 'written' && answer.why) return sayRecord(reasons, answer.why);
  if (answer.kind === 'refused' && answer.why) return sayRecord(refusals, answer.why);
  return answer.reason;
};
export const toJsonAnswer = ({ note: _, said: __, ...answer }: ControlAnswer): object => answer;

const Texts = z.union([z.array(z.string()), z.string().transform((one) => [one])]).default([]);
export const parseOrderOptions = (options: Record<string, unknown>): ParsedOption[] =>
  (Object.keys(ORDER_OPTIONS) as OrderOption[]).flatMap((name) =>
    Texts.parse(options[toCamelCase(name)]).map((value): ParsedOption => [name, value]),
  );

/** Uses the runtime settings from the chat, too. */
const loadUsualSettings = async (options: CommonOptions, host: SettingsHost): Promise<SettingValues> => {
  try {
    return await withLedgerReader(options, (ledger) => currentSettings(ledger, host));
  } catch (e) {
    if (isDatabaseFault(e, 'no_ledger_in')) return host.base;
    throw e;
  }
};

export const buildHostOrder = async (
  value: NewOrder,
  options: CommonOptions & { agentArg?: string[] },
): Promise<RunOrder> => {
  const config = loadConfig();
  const { file, github } = config;
  const host = settingsHostOf(config);
  const set = await loadUsualSettings(options, host);
  const orderOf = createOrderBuilder(github.serverUrl, {
    engine: set.engine,
    script: file.script ? [file.script] : [],
    bounds: set.bounds,
    promptVersion: set.promptVersion,
    trial: promptExperimentOf(set, host.limits),
  });
  const asking = {
    requester: HOST_OPERATOR,
    chat: listAdminChats(config.chats)[0] ?? null,
    engineArgs: options.agentArg,
  };
  const made = orderOf(value, asking);
  if ('order' in made) return made.order;
  throw new CommandExit(EXIT_CODES.usage, {
    kind: 'told',
    says: describeOrderProblem(cliWords(), made.refused),
  });
};

export const requireParsed = <T extends object>(read: T | WrongArgument): T => {
  if (!isWrongArgument(read)) return read;
  throw new CommandExit(
    EXIT_CODES.usage,
    read.problem
      ? { kind: 'told', says: sayRecord(cliWords().problems, read.problem) }
      : { kind: 'not_written_right' },
  );
};

const toCamelCase = (name: string): string => name.replace(/[-_](\w)/g, (_, c: string) => c.toUpperCase());
export const toKebabCase = (name: string): string => name.replaceAll('_', '-');

export const createOption = (
  name: string,
  form: string | readonly string[] | null,
  about: string,
): Option => {
  const written = `--${toKebabCase(name)}`;
  if (form === null) return new Option(written, about);
  return typeof form === 'string'
    ? new Option(`${written} ${form}`, about)
    : new Option(`${written} <${name}>`, about).choices(form);
};

const MAX_KEY_LENGTH = 200;
const parseIdempotencyKey = (key: string): string => {
  if (key !== '' && key.length <= MAX_KEY_LENGTH) return key;
  throw new CommandExit(EXIT_CODES.usage, { kind: 'bad_key', max: MAX_KEY_LENGTH });
};

const collectOption = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];

export const addCommonOptions = (command: Command): Command =>
  command
    .option('--json', 'print JSON')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)');
export const addChangingOptions = (command: Command): Command =>
  addCommonOptions(command).option(
    '--idempotency-key <key>',
    'the same key is the same call',
    parseIdempotencyKey,
  );

export const addOrderOptions = (command: Command): Command => {
  for (const [name, { form }] of Object.entries(ORDER_OPTIONS)) {
    const one = createOption(
      name,
      name === 'engine' ? ENGINE_NAMES : name === 'prompt_version' ? listSkillVersions() : form,
      ORDER_ABOUT[name as OrderOption],
    );
    command.addOption('many' in ORDER_OPTIONS[name as OrderOption] ? one.argParser(collectOption) : one);
  }
  return command.option('--agent-arg <arg>', 'an argument for the engine; repeatable', collectOption);
};
