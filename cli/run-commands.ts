/**
 * `agentpr run …`: create, list, show and steer runs from the host. Changing ones go through the
 * running process, or the ledger itself.
 */
import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { Bounds } from '../orchestrator/core/bounds.ts';
import { en } from '../bot/language/en/en.ts';
import { TYPED } from '../bot/language/forms.ts';
import { say } from '../bot/text/catalogue.ts';
import {
  enginesIn,
  ORDER_OPTIONS,
  readOrder,
  type GivenOption,
  type OrderOption,
} from '../orchestrator/commands/order.ts';
import { isWrong, none, wrong, type Wrong } from '../orchestrator/commands/problems.ts';
import { isSteering, readOptions, rowOf, steered } from '../orchestrator/commands/read.ts';
import type { OptionName } from '../orchestrator/commands/args.ts';
import { boundsWith } from '../orchestrator/core/machine/budget.ts';
import { OPTION_ABOUT, ORDER_ABOUT } from './words.ts';
import type { Input } from '../orchestrator/core/machine/inputs.ts';
import { Order as RunOrder, type Person } from '../orchestrator/core/order.ts';
import { STATES } from '../orchestrator/core/states.ts';
import { randomIds, runIdOf } from '../orchestrator/engine/ids.ts';
import { createSubmit } from '../orchestrator/engine/submit.ts';
import { openLedger } from '../db/directory/open.ts';
import type { Inbox } from '../orchestrator/engine/inbox.ts';
import { isRepositoryAt } from '../forge/facts.ts';
import { skillVersions } from '../app/skills.ts';
import { addAgentStep } from './agent-step.ts';
import { createCliSource, sendOrder, type ControlAnswer, type ControlRequest } from '../app/control.ts';
import { ENGINE_NAMES } from '../executors/engines/engines.ts';
import { database, dataDir, EXIT, Exit, loadConfig, print, printJson } from './environment.ts';
import { known, list, show, type Common } from './show-runs.ts';

type Changing = Common & { idempotencyKey?: string };

const operator: Person = { id: null, name: 'the operator' };

/**
 * Gives an order to the running process, or, when none runs, writes it to the ledger for the next
 * start.
 */
const give = async (options: Changing, runId: string, input: Input): Promise<ControlAnswer> => {
  const dir = dataDir(options.data);
  const order: ControlRequest = { runId, key: options.idempotencyKey ?? randomUUID(), input };
  const answer = await sendOrder(dir, order);
  if (answer) return answer;
  const clock = { now: () => Date.now() };
  const ledger = await openLedger({ dataDir: dir, database: database(), now: () => clock.now() });
  try {
    const source = createCliSource({ ledger, clock });
    const submit = createSubmit({ ledger, clock, ids: randomIds });
    const handle = source.handler(submit);
    // Only this order: what waits besides it is for a process that can answer people.
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

const report = (options: Common, runId: string, answer: ControlAnswer): void => {
  if (options.json) printJson({ run: runId, ...answer });
  else if (answer.kind === 'written') print(`${runId} ${answer.state ?? ''}: ${answer.reason ?? ''}`);
  if (answer.kind === 'refused') throw new Exit(EXIT.refused, answer.reason ?? 'It was refused.');
  if (answer.kind === 'duplicate' && !options.json) print(`${runId}: ${answer.reason ?? 'a duplicate'}`);
};

type CreateOptions = Changing & Record<string, unknown> & { agentArg?: string[] };

const Texts = z.union([z.array(z.string()), z.string().transform((one) => [one])]).default([]);
/** Of options as they were given: each value with its option. */
const optionsIn = (options: Record<string, unknown>): GivenOption[] =>
  (Object.keys(ORDER_OPTIONS) as OrderOption[]).flatMap((name) =>
    Texts.parse(options[camel(name)]).map((value): GivenOption => [name, value]),
  );

const create = async (repo: string, goal: string, options: CreateOptions): Promise<void> => {
  const config = loadConfig();
  const { value } = right(readOrder(repo, goal.trim(), optionsIn(options)));
  if (!isRepositoryAt(config.github.origin)(value.repo, value.host)) right(none('repo', repo));
  const flow = value.flow ?? 'direct';
  const engines = right(enginesIn(value.engine ?? config.engine, flow) ?? wrong({ kind: 'engines' }));
  const { budgets, ...given } = value;
  const order = RunOrder.safeParse({
    ...given,
    ...engines,
    engineArgs:
      options.agentArg ?? (engines.engine === 'script' && config.file.script ? [config.file.script] : []),
    promptVersion: given.promptVersion ?? 'v1',
    requester: operator,
    chat: config.telegram.admins[0] ?? null,
    flow,
    discovery: given.discovery ?? 'files',
    mode: 'push_only',
    bounds: boundsWith(Bounds.parse(config.file.bounds), { flow }, budgets),
  });
  if (!order.success)
    throw new Exit(EXIT.usage, order.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('\n'));
  const { idempotencyKey: key } = options;
  const runId = key === undefined ? randomIds.runId() : runIdOf(key);
  report(
    options,
    runId,
    await give(options, runId, { type: 'command.run.create', runId, order: order.data }),
  );
};

/** What was read, or a sentence about what is wrong with it. */
const right = <T extends object>(read: T | Wrong): T => {
  if (!isWrong(read)) return read;
  throw new Exit(
    EXIT.usage,
    read.problem ? say(en.problems, read.problem) : 'That is not how it is written.',
  );
};

const camel = (name: string): string => name.replace(/[-_](\w)/g, (_, c: string) => c.toUpperCase());
const kebab = (name: string): string => name.replaceAll('_', '-');

/** An option as a row has it: a flag, a value, or one of some. */
const optionOf = (name: string, form: string | readonly string[] | null, about: string): Option => {
  const written = `--${kebab(name)}`;
  if (form === null) return new Option(written, about);
  return typeof form === 'string'
    ? new Option(`${written} ${form}`, about)
    : new Option(`${written} <${name}>`, about).choices(form);
};

const aKey = (key: string): string => {
  if (key !== '' && key.length <= 200) return key;
  throw new Exit(EXIT.usage, 'An idempotency key has 1 to 200 characters.');
};

const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];

export const addRunCommands = (program: Command): void => {
  const run = program.command('run').description('create, list, show and steer runs');
  const common = (c: Command): Command =>
    c
      .option('--json', 'print JSON')
      .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)');
  const changing = (c: Command): Command =>
    common(c).option('--idempotency-key <key>', 'the same key is the same call', aKey);

  common(run.command('list').description('live runs, newest first').option('--all', 'ended ones too')).action(
    list,
  );
  common(run.command('show <run>').description('a run with its events and attempts')).action(show);
  const order = changing(run.command('create <repo> <goal>').description(en.commands.does.new));
  for (const [name, { form }] of Object.entries(ORDER_OPTIONS)) {
    const one = optionOf(
      name,
      name === 'engine' ? ENGINE_NAMES : name === 'prompt_version' ? skillVersions() : form,
      ORDER_ABOUT[name as OrderOption],
    );
    order.addOption('many' in ORDER_OPTIONS[name as OrderOption] ? one.argParser(collect) : one);
  }
  order.option('--agent-arg <arg>', 'an argument for the engine; repeatable', collect).action(create);

  for (const name of TYPED.filter(isSteering)) {
    const { host, takes } = rowOf(name);
    if (host === null) continue;
    const args = Object.values(takes).flatMap((arg) => (arg.host ? [arg.host] : []));
    const words = args.flatMap((arg) => arg.words);
    const command = changing(
      run.command([host, '<run>', ...words].join(' ')).description(en.commands.does[name]),
    );
    for (const [option, form] of args.flatMap((arg) => Object.entries(arg.options)))
      command.addOption(optionOf(option, form, OPTION_ABOUT[option as OptionName]));
    command.action(async (runId: string, ...given: unknown[]) => {
      const [options, ...before] = given.slice(0, -1).reverse() as [
        Changing & Record<string, unknown>,
        ...string[],
      ];
      const told = right(readOptions(name, { words: before.reverse(), options }));
      await known(runId, options);
      report(options, runId, await give(options, runId, steered(name, operator, told, null)));
    });
  }
  addAgentStep(run);
  run.addHelpText(
    'after',
    `\nStates: ${STATES.join(' ')}\nApproving is done in chat only: an approval names a Telegram id.`,
  );
};
