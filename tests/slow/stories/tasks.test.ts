/** E9: the harness of the task set, on a repository made here: what it accepts and what it refuses. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFakeModel } from '../../support/fake-model.ts';
import { createProduct } from '../../support/product.ts';
import { roomy } from '../../support/shared-box.ts';
import { checkOrder } from '../../tasks/check-order.ts';
import { checkTask, createTaskBox } from '../../tasks/check-task.ts';
import { readOrders } from '../../tasks/order-list.ts';
import { playOn, playOrder } from '../../tasks/play-order.ts';
import { playTask } from '../../tasks/play-task.ts';
import { prepareOrder } from '../../tasks/prepare-order.ts';
import { prepareTask } from '../../tasks/prepare-task.ts';
import { judgeOrder } from '../../tasks/report-orders.ts';
import { findProblems } from '../../tasks/report-tasks.ts';
import { searchWords } from '../../tasks/script-fix.ts';
import { readTasks, type Task } from '../../tasks/task-list.ts';

const WRONG = 'module.exports = (words) => words.join();\n';
const RIGHT = "module.exports = (words) => words.join(' ');\n";
const TEST =
  "require('node:test').test('joins by a blank', () => require('node:assert').equal(require('./join.js')(['a', 'b']), 'a b'));\n";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(roomy(), 'agentpr-test-tasks-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Two commits in a clone: the wrong code; then `after`, with the test. */
const madeTask = (after: string): Task => {
  const dir = path.join(folder, 'words/join');
  mkdirSync(dir, { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
      cwd: dir,
      encoding: 'utf8',
    });
  const commit = (files: Readonly<Record<string, string>>): string => {
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(dir, name), content);
    git('add', '-A');
    git('commit', '-qm', 'x');
    return git('rev-parse', 'HEAD').trim();
  };
  git('init', '-q', '-b', 'main');
  const base = commit({ 'join.js': WRONG, 'package.json': '{"name":"join"}\n', 'notes.txt': 'before\n' });
  const fix = commit({ 'join.js': after, 'join.test.js': TEST, 'notes.txt': 'after\n' });
  return {
    id: 'join-words',
    repo: 'words/join',
    licence: 'MIT',
    base,
    fix,
    files: ['join.js'],
    tests: ['join.test.js'],
    goal: 'Words are put together with commas; a blank should stand between them.',
    check: 'node --test',
    failing: 'joins by a blank',
    unseen: false,
  };
};

it('E9: a task passes when it was red, is green, and the sealed tree is the fix’s; another change is named', async () => {
  const task = madeTask(RIGHT);
  const prepared = prepareTask(task, folder, folder);
  const box = await createTaskBox(path.join(folder, 'box'));
  const checked = await checkTask(box, prepared, path.join(folder, 'box/it'));
  expect(checked).toMatchObject({ red: true, named: true, green: true });
  const model = await createFakeModel();
  const product = await createProduct({
    config: { engines: { builtin: { args: ['-m', 'scripted-model'] } } },
    env: { AGENTPR_ENGINE: 'builtin', OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: `${model.url}/v1` },
  });
  product.start();
  let played: Awaited<ReturnType<typeof playTask>>;
  try {
    played = await playTask(product, model, prepared, 'blocks');
  } finally {
    await product.close();
    await model.close();
  }
  expect(played).toMatchObject({
    ended: 'card',
    sameTree: true,
    replay: null,
    turns: 4,
    searchHasFile: true,
    firstTurn: { hasFile: true, mapHasFile: true },
  });
  expect(findProblems({ task, form: 'blocks', checked, played }, false)).toEqual([]);
  const refused = { task, form: 'blocks' as const, checked, played: { ...played, sameTree: false } };
  expect(findProblems(refused, false)).toEqual(["the sealed tree is not the fix's"]);
});

it('E9: a task whose check is green before or red after the fix is no task', async () => {
  const task = madeTask(`${WRONG}// Nothing is mended.\n`);
  const box = await createTaskBox(path.join(folder, 'box'));
  const red = await checkTask(box, prepareTask(task, folder, folder), path.join(folder, 'box/red'));
  expect(findProblems({ task, form: 'diff', checked: red, played: null }, false)).toEqual([
    'the check is not green after the fix',
  ]);
  const idle = { ...task, id: 'join-idle', check: 'true' };
  const green = await checkTask(box, prepareTask(idle, folder, folder), path.join(folder, 'box/green'));
  expect(findProblems({ task: idle, form: 'diff', checked: green, played: null }, false)).toEqual([
    'the check is not red before the fix',
    'the failing test is not named before the fix',
  ]);
});

it('E9: the task set has forty tasks and more, half of them unseen, and no goal names a file of its fix', () => {
  const tasks = readTasks(path.join(import.meta.dirname, '../../tasks/tasks.json'));
  expect(tasks.length).toBeGreaterThanOrEqual(40);
  expect(Math.abs(tasks.filter(({ unseen }) => unseen).length * 2 - tasks.length)).toBeLessThanOrEqual(1);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
  for (const { goal, files } of tasks)
    for (const file of files) expect(goal).not.toContain(path.basename(file));
  expect(searchWords('Names in `read_name` and what is said there', 'a.py::test_it')).toEqual([
    'read_name',
    'test_it',
    'Names',
    'said',
    'there',
  ]);
});

it('E9: an order goes to the opened pull request with the real change, and its card is held against what is measured by hand', async () => {
  const { repo, fix } = madeTask(RIGHT);
  const order = { repo, fix, about: 'one file', hand: { installs: [], checks: ['node --test', 'false'] } };
  const prepared = prepareOrder(order, folder, folder);
  const played = await playOrder(prepared);
  expect(played).toMatchObject({ ended: 'opened', stopped: null, pull: { title: 'x' } });
  const box = await createTaskBox(path.join(folder, 'box'));
  const checked = await checkOrder(box, prepared, path.join(folder, 'box/order'));
  expect(checked.change.map(({ code }) => code)).toEqual([0, 1]);
  expect(judgeOrder({ order, played, checked }).problems).toEqual([]);
  const result = { name: 'test', exitCode: 0, outcome: 'passed' as const, ms: 1, tail: '' };
  const run = played.run;
  const evaluation = run?.change.evaluation;
  if (run === null || !evaluation) throw new Error('there is no evaluation');
  const claiming = {
    ...played,
    run: {
      ...run,
      change: { ...run.change, evaluation: { ...evaluation, checks: [{ ...result, command: 'false' }] } },
    },
  };
  expect(judgeOrder({ order, played: claiming, checked }).problems).toEqual([
    'change: test passed, by hand exit 1',
  ]);
});

it('E9: a driver that is told to stop stops its product, and what that runs', async () => {
  const { repo, fix } = madeTask(RIGHT);
  const order = { repo, fix, about: 'one file', hand: { installs: [], checks: [] } };
  const prepared = prepareOrder(order, folder, folder);
  const waiting = await createProduct({ script: 'exec tail -f /dev/null', webhooks: true });
  const stopping = new AbortController();
  try {
    const played = playOn(waiting, prepared, stopping.signal).catch((error: unknown) => String(error));
    await waiting.waitFor(
      () => waiting.alive() && waiting.processes().some((says) => / tail -f /.test(says)),
      {
        what: 'its agent to work',
      },
    );
    stopping.abort();
    expect(await played).toContain('AbortError');
    expect(waiting.alive()).toBe(false);
    expect(waiting.startedProcesses()).toEqual([]);
  } finally {
    await waiting.close();
  }
});

it('E9: the orders are of at least twenty repositories, each once', () => {
  const orders = readOrders(path.join(import.meta.dirname, '../../tasks/orders.json'));
  expect(new Set(orders.map(({ repo }) => repo)).size).toBe(orders.length);
  expect(orders.length).toBeGreaterThanOrEqual(20);
});
