/** Runs a task's check in a box, before and after the fix: red, then green, by the harness's own eyes. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createSandbox, type CommandSandbox } from '../../executors/sandbox/create-sandbox.ts';
import { findToolchains } from '../../executors/sandbox/toolchains.ts';
import { childEnvironment, passableEnvironment, spawnProcess } from '#process';
import { checkOutTree, type PreparedTask } from './prepare-task.ts';

const CHECK_TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 2_000_000;

export const localIndexes = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    /^PIP_(?:EXTRA_INDEX_URL|INDEX_URL|FIND_LINKS)$/.test(name)
      ? value.split(/\s+/).flatMap((one) => /^(?:file:\/\/)?(\/.+?)(?:\/simple)?$/.exec(one)?.[1] ?? [])
      : [],
  );

export type TaskBox = { sandbox: CommandSandbox; path: string; pass: Readonly<Record<string, string>> };

export const createTaskBox = async (dataDir: string): Promise<TaskBox> => {
  mkdirSync(dataDir, { recursive: true });
  const toolchains = findToolchains({ env: process.env, home: process.env.HOME ?? '/' });
  const pass = { ...toolchains.env, ...passableEnvironment(process.env) };
  const readable = [...toolchains.readable, ...localIndexes(pass)];
  const made = await createSandbox({ setting: 'auto', dataDir, readable });
  if (made.kind === 'refused') throw new Error(made.weaknesses.join(' '));
  const own = process.env.PATH ?? '/usr/bin:/bin';
  return { sandbox: made.sandbox, path: [...toolchains.path, own].join(':'), pass };
};

export type CheckedTask = { red: boolean; named: boolean; green: boolean };

const runCheck = async (
  box: TaskBox,
  prepared: PreparedTask,
  tree: string,
  at: string,
): Promise<{ code: number | null; output: string }> => {
  const [cwd, home] = [path.join(at, 'ws'), path.join(at, 'home')];
  mkdirSync(home, { recursive: true });
  checkOutTree(prepared.dir, tree, cwd);
  const { argv, ...wrapped } = box.sandbox.wrap({
    runId: prepared.task.id,
    argv: ['sh', '-c', prepared.task.check],
    cwd,
    writable: [cwd, home],
    network: 'none',
    env: { ...childEnvironment({ home, pass: box.pass }), PATH: box.path },
  });
  const limits = { timeoutMs: CHECK_TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const done = await spawnProcess({ argv, ...wrapped, ...limits });
  return { code: done.exitCode, output: `${done.stdout}${done.stderr}` };
};

export const checkTask = async (box: TaskBox, prepared: PreparedTask, at: string): Promise<CheckedTask> => {
  const before = await runCheck(box, prepared, prepared.commit, path.join(at, 'before'));
  const after = await runCheck(box, prepared, prepared.fixedTree, path.join(at, 'after'));
  return {
    red: before.code !== 0 && before.code !== null,
    named: before.output.includes(prepared.task.failing),
    green: after.code === 0,
  };
};
