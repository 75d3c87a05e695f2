/** `agentpr run agent-step`: one agent round in a folder, contained as in a run, without a run. For trying engines and prompts. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { createContainment, type ContainmentSetting } from '../executors/contain.ts';
import { createScriptExecutor } from '../executors/engines/script.ts';
import { passable } from '../executors/environment.ts';
import { Exit, EXIT, print, printJson } from './environment.ts';

type Options = {
  engine: string;
  prompt?: string;
  promptFile?: string;
  agentArg?: string[];
  dir: string;
  minutes: string;
  sandbox: ContainmentSetting;
  json?: boolean;
  data?: string;
};

const promptOf = ({ prompt, promptFile }: Options): string => {
  if (prompt !== undefined) return prompt;
  if (promptFile !== undefined) return readFileSync(promptFile === '-' ? 0 : promptFile, 'utf8');
  throw new Exit(
    EXIT.usage,
    'Give the prompt: --prompt "<text>", or --prompt-file <file> (“-” reads standard input).',
  );
};

const agentStep = async (options: Options): Promise<void> => {
  if (options.engine !== 'script')
    throw new Exit(
      EXIT.unavailable,
      `The engine ${options.engine} is not in this version; there is: script.`,
    );
  const prompt = promptOf(options);
  // Not below /tmp: a box has a /tmp of its own.
  const base = mkdtempSync(join(homedir(), '.agentpr-step-'));
  const [hidden, home] = [join(base, 'data'), join(base, 'home')];
  for (const dir of [hidden, home]) mkdirSync(dir);
  try {
    const contained = await createContainment({ setting: options.sandbox, dataDir: hidden });
    if (contained.kind === 'refused') throw new Exit(EXIT.unavailable, contained.reason);
    const executor = createScriptExecutor({ sandbox: contained.sandbox, pass: passable(process.env) });
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    const done = await executor.run({
      runId: 'step',
      engineArgs: options.agentArg ?? [],
      prompt,
      workspace: resolve(options.dir),
      home,
      session: null,
      timeoutMs: Number(options.minutes) * 60_000,
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'progress' && !options.json) print(event.text);
      },
    });
    if (options.json) printJson(done);
    else
      print(
        done.failure
          ? `✘ ${done.failure.class}: ${done.failure.message}`
          : `✔ ${done.summary} (${done.end.ms} ms, ${done.containment})`,
      );
    if (done.failure) process.exitCode = EXIT.failed;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
};

export const addAgentStep = (run: Command): void => {
  run
    .command('agent-step')
    .description('one agent round in a folder, contained, without a run')
    .option('--engine <engine>', 'which agent', 'script')
    .option('--prompt <text>')
    .option('--prompt-file <file>', '“-” reads standard input')
    .option(
      '--agent-arg <arg>',
      'an argument for the engine; repeatable',
      (value: string, all: string[] | undefined) => [...(all ?? []), value],
    )
    .option('--dir <dir>', 'the workspace', '.')
    .option('--minutes <n>', 'time limit', '90')
    .option('--sandbox <level>', 'auto, bwrap, unshare or group', 'bwrap')
    .option('--json', 'print the whole outcome')
    .action(agentStep);
};
