/** `agentpr run …`: create, list, show and steer runs from the host. Changing ones go through the running process, or the ledger itself. */
import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import { Bounds, Budget, BUDGETS } from '../orchestrator/core/bounds.ts';
import {
  boundsWith,
  fromUnits,
  readAmount,
  readGranted,
  type Granted,
} from '../orchestrator/core/machine/budget.ts';
import type { Input } from '../orchestrator/core/machine/inputs.ts';
import { OFFERED, Order as RunOrder, type Person } from '../orchestrator/core/order.ts';
import { ACTIVE, STATES } from '../orchestrator/core/states.ts';
import { randomIds, runIdOf } from '../orchestrator/engine/ids.ts';
import { createSubmit } from '../orchestrator/engine/submit.ts';
import { openLedger } from '../db/directory/open.ts';
import type { Inbox } from '../orchestrator/engine/inbox.ts';
import { skillVersions } from '../app/skills.ts';
import { addAgentStep } from './agent-step.ts';
import { createCliSource, sendOrder, type Answer, type Order } from '../app/control.ts';
import { dataDir, Exit, EXIT, loadConfig, print, printJson } from './environment.ts';
import { known, list, show, type Common } from './show-runs.ts';

type Changing = Common & { idempotencyKey?: string };

const operator: Person = { id: null, name: 'the operator' };

/** Gives an order to the running process, or, when none runs, writes it to the ledger for the next start. */
const give = async (options: Changing, runId: string, input: Input): Promise<Answer> => {
  const dir = dataDir(options.data);
  const order: Order = { runId, key: options.idempotencyKey ?? randomUUID(), input };
  const answer = await sendOrder(dir, order);
  if (answer) return answer;
  const clock = { now: () => Date.now() };
  const ledger = await openLedger({ dataDir: dir, now: () => clock.now() });
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

const report = (options: Common, runId: string, answer: Answer): void => {
  if (options.json) printJson({ run: runId, ...answer });
  else if (answer.kind === 'written') print(`${runId} ${answer.state ?? ''}: ${answer.reason ?? ''}`);
  if (answer.kind === 'refused') throw new Exit(EXIT.refused, answer.reason ?? 'It was refused.');
  if (answer.kind === 'duplicate' && !options.json) print(`${runId}: ${answer.reason ?? 'a duplicate'}`);
};

type CreateOptions = Changing & {
  base?: string;
  branch?: string;
  title?: string;
  engine?: string;
  flow?: string;
  discovery?: string;
  budget?: string[];
  agentArg?: string[];
  check?: string[];
  promptVersion: string;
};

const create = async (repo: string, goal: string, options: CreateOptions): Promise<void> => {
  if (goal.trim() === '') throw new Exit(EXIT.usage, 'Say what to change.');
  const config = loadConfig();
  const engine = options.engine ?? config.engine;
  const flow = options.flow === 'plan' ? 'plan' : 'direct';
  const order = RunOrder.safeParse({
    repo,
    goal,
    base: options.base ?? null,
    branch: options.branch ?? null,
    title: options.title ?? null,
    engine,
    engineArgs: options.agentArg ?? (engine === 'script' && config.file.script ? [config.file.script] : []),
    promptVersion: options.promptVersion,
    checks: options.check ?? [],
    requester: operator,
    chat: config.telegram.admins[0] ?? null,
    flow: options.flow ?? 'direct',
    discovery: options.discovery ?? 'files',
    mode: 'push_only',
    bounds: boundsWith(Bounds.parse(config.file.bounds), { flow }, (options.budget ?? []).map(granted)),
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

const granted = (text: string): Granted => {
  const read = readGranted(text);
  if ('budget' in read) return read;
  const what = read.problem === 'budget' ? `a budget; there are: ${BUDGETS.join(', ')}` : 'an amount';
  throw new Exit(EXIT.usage, `--budget ${text}: “${read.text}” is not ${what}. Write it like cost:2.`);
};

const aKey = (key: string): string => {
  if (key !== '' && key.length <= 200) return key;
  throw new Exit(EXIT.usage, 'An idempotency key has 1 to 200 characters.');
};

const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];

type Steering = {
  target?: string;
  reason?: string;
  tell?: string;
  final?: boolean;
  title?: string;
  description?: string;
};

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
  changing(
    run
      .command('create <repo> <goal>')
      .description('ask for a change')
      .option('--base <branch>', 'the branch to change (default: the repository’s own)')
      .option('--branch <name>', 'the branch that is pushed (default: by the repository’s rule)')
      .option('--title <title>', 'the title of the pull request')
      .addOption(
        new Option('--engine <engine>', 'who does the work (default: AGENTPR_ENGINE)').choices(OFFERED),
      )
      .addOption(
        new Option('--flow <flow>', 'plan: small steps, each checked before the next').choices([
          'direct',
          'plan',
        ]),
      )
      .addOption(
        new Option(
          '--discovery <how>',
          'agent: it reads the repository first, and adds to the contract',
        ).choices(['files', 'agent']),
      )
      .option('--budget <budget:amount>', `of this run alone: ${BUDGETS.join(', ')}; repeatable`, collect)
      .option('--agent-arg <arg>', 'an argument for the engine; repeatable', collect)
      .option('--check <command>', 'a check of ours instead of the contract’s; repeatable', collect)
      .addOption(
        new Option('--prompt-version <version>', 'the set of skills').choices(skillVersions()).default('v1'),
      ),
  ).action(create);

  const steer = (
    name: string,
    text: string,
    input: (o: Steering) => unknown,
    options: Option[] = [],
  ): void => {
    const command = changing(run.command(`${name} <run>`).description(text));
    for (const option of options) command.addOption(option);
    command.action(async (runId: string, given: Changing & Steering) => {
      await known(runId, given);
      report(given, runId, await give(given, runId, input(given) as Input));
    });
  };
  const by = operator;
  const target = new Option('--target <state>', 'where it goes on (default: where it was)').choices(ACTIVE);
  const reason = (text: string): Option => new Option('--reason <text>', text);
  const why = reason('why, for whoever asked');
  steer('pause', 'stop the agent and the clocks', () => ({ type: 'command.pause', by }));
  const tell = new Option('--tell <text>', 'what the agent is told from here on');
  const onward = ({ target, tell: advice }: Steering) => ({
    by,
    target: target ?? null,
    ...(advice ? { advice } : {}),
  });
  steer('resume', 'go on after a pause', (given) => ({ type: 'command.resume', ...onward(given) }), [
    target,
    tell,
  ]);
  steer('retry', 'try again', (given) => ({ type: 'command.retry', ...onward(given) }), [target, tell]);
  steer('update', 'merge the base branch into the change', () => ({ type: 'command.update.base', by }));
  steer(
    'deny',
    'reject what waits',
    ({ reason, final }) => ({
      type: 'command.deny',
      by,
      reason: reason ?? '',
      final: final ?? false,
      approvalId: null,
    }),
    [reason('what the agent is told'), new Option('--final', 'end the run, too')],
  );
  steer(
    'modify',
    'other words for the pull request that waits; they are approved in chat only',
    ({ title, description, reason }) => ({
      type: 'command.modify',
      by,
      approvalId: null,
      words: { title: title ?? null, description: description ?? null },
      reason: reason || 'edited at the command line',
    }),
    [
      new Option('--title <text>', 'another title'),
      new Option('--description <text>', 'another description'),
      reason('why, for the record'),
    ],
  );
  steer('skip', 'leave it', ({ reason }) => ({ type: 'command.skip', by, reason: reason ?? '' }), [why]);
  steer(
    'cancel',
    'end it; a pull request stays open',
    ({ reason }) => ({ type: 'command.cancel', by, reason: reason ?? '' }),
    [why],
  );
  steer('done', 'mark it as done', () => ({ type: 'command.mark.done', by }));
  changing(run.command('budget <run> <budget> <limit>'))
    .description(`grant more of a budget: ${BUDGETS.join(', ')}; in minutes, tokens, dollars, MB or times`)
    .action(async (runId: string, given: string, amount: string, options: Changing) => {
      const budget = Budget.safeParse(given).data;
      if (!budget) throw new Exit(EXIT.usage, `${given} is not a budget; there are: ${BUDGETS.join(', ')}.`);
      const read = readAmount(budget, amount);
      if (!read || read.more)
        throw new Exit(EXIT.usage, `${amount} is not an amount; write the new limit as a number.`);
      await known(runId, options);
      const limit = fromUnits(budget, read.amount);
      const input: Input = { type: 'command.budget.raise', by, budget, limit };
      report(options, runId, await give(options, runId, input));
    });
  addAgentStep(run);
  run.addHelpText(
    'after',
    `\nStates: ${STATES.join(' ')}\nApproving is done in chat only: an approval names a Telegram id.`,
  );
};
