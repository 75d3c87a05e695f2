/**
 * `agentpr run …`: create, list, show and steer runs from the host. Changing ones go through the
 * running process, or the ledger itself.
 */
import type { Command } from 'commander';
import { en } from '../bot/language/en/en.ts';
import { TYPED } from '../bot/language/forms.ts';
import { readOrder } from '../orchestrator/commands/order.ts';
import { isSteering, readOptions, rowOf, steered } from '../orchestrator/commands/read.ts';
import type { OptionName } from '../orchestrator/commands/arg.ts';
import { OPTION_ABOUT } from './words.ts';
import { STATES } from '../orchestrator/core/states.ts';
import { randomIds, runIdOf } from '../orchestrator/engine/ids.ts';
import { addAgentStep } from './agent-step.ts';
import type { ControlAnswer } from '../app/control.ts';
import { costsOf } from '../app/costs.ts';
import { costCautionsOf } from '../orchestrator/core/cost-caution.ts';
import { loadConfig, print, printJson } from './environment.ts';
import { EXIT, Exit } from './exit.ts';
import {
  addOrderOptions,
  changing,
  common,
  give,
  keyOf,
  operator,
  optionOf,
  optionsIn,
  orderHere,
  right,
  type Changing,
} from './host-orders.ts';
import { known, list, show, type Common } from './show-runs.ts';

const report = (options: Common, runId: string, answer: ControlAnswer): void => {
  if (options.json) printJson({ run: runId, ...answer });
  else if (answer.kind === 'written') print(`${runId} ${answer.state ?? ''}: ${answer.reason ?? ''}`);
  if (answer.kind === 'refused') throw new Exit(EXIT.refused, answer.reason ?? 'It was refused.');
  if (answer.kind === 'duplicate' && !options.json) print(`${runId}: ${answer.reason ?? 'a duplicate'}`);
};

type CreateOptions = Changing & Record<string, unknown> & { agentArg?: string[] };

const create = async (repo: string, goal: string, options: CreateOptions): Promise<void> => {
  const { value } = right(readOrder(repo, goal.trim(), optionsIn(options)));
  const order = await orderHere(value, options);
  const { idempotencyKey: key } = options;
  const runId = key === undefined ? randomIds.runId() : runIdOf(key);
  const input = { type: 'command.run.create', runId, order } as const;
  report(options, runId, await give(options, { runId, key: keyOf(options), input }));
  if (options.json) return;
  // E18: before anything is spent.
  for (const found of costCautionsOf(order, costsOf(loadConfig()).cautionOf))
    print(en.budgets.caution(found, en.budgets.amounts.cost(order.bounds.maxCostUsd ?? 0)));
};

export const addRunCommands = (program: Command): void => {
  const run = program.command('run');

  common(run.command('list').description('live runs, newest first').option('--all', 'ended ones too')).action(
    list,
  );
  common(run.command('show <run>').description('a run with its events and attempts')).action(show);
  addOrderOptions(changing(run.command('create <repo> <goal>').description(en.commands.does.new))).action(
    create,
  );

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
      const input = steered(name, operator, told, null);
      report(options, runId, await give(options, { runId, key: keyOf(options), input }));
    });
  }
  addAgentStep(run);
  run.addHelpText(
    'after',
    `\nStates: ${STATES.join(' ')}\nApproving is done in chat only: an approval names a Telegram id.`,
  );
};
