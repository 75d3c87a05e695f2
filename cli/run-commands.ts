/** `agentpr run …`: creates, lists, shows and steers runs from the host. */
import type { Command } from 'commander';
import { enTexts, TYPED_COMMANDS } from '#language';
import { randomIds, runIdOf } from '#runtime';
import { readOrder } from '#orders';
import { isSteering, readOptions, commandRow, toSteeringInput, type OptionName } from '#commands';
import { OPTION_ABOUT } from './option-help.ts';
import { RUN_STATES } from '#model/run';
import { costCautionsOf } from '#model/targets';
import { addAgentStep } from './agent-step.ts';
import type { ControlAnswer } from '../app/control-socket.ts';
import { createEngineCosts } from '../app/engine-costs.ts';
import { loadConfig } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import {
  addOrderOptions,
  addChangingOptions,
  addCommonOptions,
  submitControlOrder,
  idempotencyKeyOf,
  HOST_OPERATOR,
  createOption,
  parseOrderOptions,
  buildHostOrder,
  requireParsed,
  describeControlAnswer,
  toJsonAnswer,
  type ChangingOptions,
} from './host-orders.ts';
import { cliWords } from './language.ts';
import { requireRunExists, printRuns, printRun, type CommonOptions } from './show-runs.ts';

const printRunAnswer = (options: CommonOptions, runId: string, answer: ControlAnswer): void => {
  const told = describeControlAnswer(answer);
  if (options.json) printJson({ run: runId, ...toJsonAnswer(answer) });
  else if (answer.kind === 'written') printRedacted(`${runId} ${answer.state ?? ''}: ${told ?? ''}`);
  if (answer.kind === 'refused')
    throw new CommandExit(EXIT_CODES.refused, { kind: 'was_refused', says: told });
  if (answer.kind === 'duplicate' && !options.json)
    printRedacted(`${runId}: ${told ?? cliWords().commandLine.run.duplicate()}`);
};

type CreateOptions = ChangingOptions & Record<string, unknown> & { agentArg?: string[] };

const orderRun = async (repo: string, goal: string, options: CreateOptions): Promise<void> => {
  const { value } = requireParsed(readOrder(repo, goal.trim(), parseOrderOptions(options)));
  const order = await buildHostOrder(value, options);
  const { idempotencyKey: key } = options;
  const runId = key === undefined ? randomIds.runId() : runIdOf(key);
  const input = { type: 'command.run.create', runId, order } as const;
  printRunAnswer(
    options,
    runId,
    await submitControlOrder(options, { runId, key: idempotencyKeyOf(options), input }),
  );
  if (options.json) return;
  const { budgets } = cliWords();
  for (const found of costCautionsOf(order, createEngineCosts(loadConfig()).cautionOf))
    printRedacted(budgets.caution(found, budgets.amounts.cost(order.bounds.maxCostUsd ?? 0)));
};

export const addRunCommands = (program: Command): void => {
  const run = program.command('run');

  addCommonOptions(
    run.command('list').description('live runs, newest first').option('--all', 'ended ones too'),
  ).action(printRuns);
  addCommonOptions(run.command('show <run>').description('a run with its events and attempts')).action(
    printRun,
  );
  addOrderOptions(
    addChangingOptions(
      run.command('create <repo> <goal>').alias('new').description(enTexts.commands.does.new),
    ),
  ).action(orderRun);

  for (const name of TYPED_COMMANDS.filter(isSteering)) {
    const { host, takes } = commandRow(name);
    if (host === null) continue;
    const args = Object.values(takes).flatMap((arg) => (arg.host ? [arg.host] : []));
    const words = args.flatMap((arg) => arg.words);
    const command = addChangingOptions(
      run.command([host, '<run>', ...words].join(' ')).description(enTexts.commands.does[name]),
    );
    for (const [option, form] of args.flatMap((arg) => Object.entries(arg.options)))
      command.addOption(createOption(option, form, OPTION_ABOUT[option as OptionName]));
    command.action(async (runId: string, ...given: unknown[]) => {
      const [options, ...before] = given.slice(0, -1).reverse() as [
        ChangingOptions & Record<string, unknown>,
        ...string[],
      ];
      const told = requireParsed(readOptions(name, { words: before.reverse(), options }));
      await requireRunExists(runId, options);
      if (name === 'drop' && 'confirm' in told && told.confirm !== true)
        throw new CommandExit(EXIT_CODES.usage, {
          kind: 'told',
          says: [cliWords().replies.hostDrops(runId), cliWords().commandLine.close.confirm()].join('\n'),
        });
      const input = toSteeringInput(name, HOST_OPERATOR, told, null);
      printRunAnswer(
        options,
        runId,
        await submitControlOrder(options, { runId, key: idempotencyKeyOf(options), input }),
      );
    });
  }
  addAgentStep(run);
  run.addHelpText(
    'after',
    `\nStates: ${RUN_STATES.join(' ')}\nApproving is done in chat only: an approval names a Telegram id.`,
  );
};
