/** `npm run tasks`: plays the task set through the builtin engine, with scripted models or with a real one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createFakeModel } from '../support/fake-model.ts';
import { createProduct } from '../support/product.ts';
import { roomy } from '../support/shared-box.ts';
import { checkTask, createTaskBox } from './check-task.ts';
import { playOrders } from './play-orders.ts';
import { playTask } from './play-task.ts';
import { prepareTask } from './prepare-task.ts';
import { findProblems, summariseTasks, type TaskOutcome } from './report-tasks.ts';
import { readTasks, type Task } from './task-list.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const USAGE = `Usage: npm run tasks -- --repos <folder of clones> [options]

  --repos <folder>    clones of the repositories in tests/tasks/tasks.json, as owner/name, owner+name or name
  --only <id>         one task (repeatable)
  --seen, --unseen    one half of the set: unseen tasks are not looked at while a ranking is tuned
  --no-check          takes on trust that the tests are red before and green after
  --check-only        says only whether they are
  --form <form>       blocks or diff: how the scripted model writes its edits (default: in turns)
  --model <name>      asks a real model in place of the script, with OPENAI_API_KEY or ANTHROPIC_API_KEY
  --base-url <url>    the address of that model's provider
  --json <file>       writes the outcomes there as well
  --orders            plays tests/tasks/orders.json instead: a script makes the real change, and each
                      repository goes from the order to the opened pull request; --only owner/name
  --record            with --orders: keeps title, branch, card and description in tests/tasks/pulls
  --out <folder>      with --orders: card, description, plan and results of each, one file for each`;

const options = () => {
  const { values } = parseArgs({
    options: {
      repos: { type: 'string' },
      tasks: { type: 'string', default: path.join(import.meta.dirname, 'tasks.json') },
      only: { type: 'string', multiple: true, default: [] },
      seen: { type: 'boolean', default: false },
      unseen: { type: 'boolean', default: false },
      'no-check': { type: 'boolean', default: false },
      'check-only': { type: 'boolean', default: false },
      form: { type: 'string' },
      model: { type: 'string' },
      'base-url': { type: 'string' },
      json: { type: 'string' },
      orders: { type: 'boolean', default: false },
      out: { type: 'string' },
      record: { type: 'boolean', default: false },
    },
  });
  if (values.repos === undefined) throw new Error('--repos is missing');
  if (values.form !== undefined && !['blocks', 'diff'].includes(values.form))
    throw new Error('--form is blocks or diff');
  return { ...values, repos: values.repos };
};
type Options = ReturnType<typeof options>;

const chosen = ({ tasks, only, seen, unseen }: Options): Task[] =>
  readTasks(tasks).filter(
    (task) =>
      (only.length === 0 || only.includes(task.id)) &&
      (seen === unseen || (unseen ? task.unseen : !task.unseen)),
  );

const PROVIDER_VARIABLES = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'];

const providerEnvironment = (baseUrl: string | undefined): Record<string, string> => {
  const told = Object.fromEntries(
    PROVIDER_VARIABLES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  if (baseUrl === undefined) return told;
  const isAnthropic = told.OPENAI_API_KEY === undefined && told.ANTHROPIC_API_KEY !== undefined;
  return { ...told, [isAnthropic ? 'ANTHROPIC_BASE_URL' : 'OPENAI_BASE_URL']: baseUrl };
};

const createStage = async (asked: Options) => {
  const scripted = asked.model === undefined ? await createFakeModel() : null;
  const env =
    scripted === null
      ? providerEnvironment(asked['base-url'])
      : { OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: `${scripted.url}/v1` };
  const product = await createProduct({
    config: { engines: { builtin: { args: ['-m', asked.model ?? 'scripted-model'] } } },
    env: { AGENTPR_ENGINE: 'builtin', ...env },
  });
  product.start();
  return {
    product,
    model: scripted,
    close: async (): Promise<void> => {
      await product.close();
      await scripted?.close();
    },
  };
};

const formOf = (asked: string | undefined, i: number): TaskOutcome['form'] =>
  asked === 'blocks' || asked === 'diff' ? asked : i % 2 === 0 ? 'blocks' : 'diff';

const run = async (asked: Options): Promise<TaskOutcome[]> => {
  const scratch = mkdtempSync(path.join(roomy(), 'agentpr-tasks-'));
  const box = asked['no-check'] ? null : await createTaskBox(path.join(scratch, 'box'));
  const stage = asked['check-only'] ? null : await createStage(asked);
  const outcomes: TaskOutcome[] = [];
  let isStopped = false;
  const stop = (): void => void (isStopped = true);
  for (const signal of STOP_SIGNALS) process.once(signal, stop);
  try {
    for (const [i, task] of chosen(asked).entries()) {
      if (isStopped) break;
      const prepared = prepareTask(task, asked.repos, scratch);
      const checked =
        box === null ? null : await checkTask(box, prepared, path.join(scratch, 'box', task.id));
      const form = formOf(asked.form, i);
      const played = stage === null ? null : await playTask(stage.product, stage.model, prepared, form);
      const outcome: TaskOutcome = { task, form, checked, played };
      outcomes.push(outcome);
      const problems = findProblems(outcome, asked.model !== undefined);
      const took = played === null ? '' : ` ${(played.ms / 1000).toFixed(1)} s`;
      console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${task.id}${took} ${problems.join('; ')}`);
    }
  } finally {
    await stage?.close();
    rmSync(scratch, { recursive: true, force: true });
  }
  return outcomes;
};

const main = async (): Promise<void> => {
  let asked: Options;
  try {
    asked = options();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (asked.orders) {
    const stopping = new AbortController();
    for (const signal of STOP_SIGNALS) process.once(signal, () => stopping.abort());
    const given = { ...asked, out: asked.out ?? null, byHand: !asked['no-check'] };
    const isFine = await playOrders({ ...given, signal: stopping.signal });
    if (!isFine || stopping.signal.aborted) process.exitCode = 1;
    return;
  }
  const load = os.loadavg()[0] ?? 0;
  const outcomes = await run(asked);
  const real = asked.model !== undefined;
  console.log(`\nload ${load.toFixed(1)} at the start, ${os.cpus().length} processors`);
  for (const line of summariseTasks(outcomes, real)) console.log(line);
  if (asked.json !== undefined) writeFileSync(asked.json, JSON.stringify(outcomes, null, 2));
  if (outcomes.some((one) => findProblems(one, real).length > 0)) process.exitCode = 1;
};

await main();
