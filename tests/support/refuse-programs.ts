/** Fails a test file of a layer that starts no programs, where it starts one after all. */
import childProcess from 'node:child_process';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { afterAll } from 'vitest';

type Starter = (...args: unknown[]) => unknown;
type Patched = { prototype: { spawn: Starter } };

const seen = globalThis as { agentprStartedPrograms?: Set<string> };

/** Notes the name of what each way to start a program starts, once for a worker. */
const watchStarts = (): Set<string> => {
  const started = new Set<string>();
  const nameOf = (program: unknown): string => String(program).split('/').at(-1) ?? '';
  const { ChildProcess } = childProcess as unknown as { ChildProcess: Patched };
  const spawn = ChildProcess.prototype.spawn;
  ChildProcess.prototype.spawn = function (this: unknown, options: unknown) {
    started.add(nameOf((options as { file: string }).file));
    return spawn.call(this, options);
  };
  const modules = createRequire(import.meta.url)('node:child_process') as Record<string, Starter>;
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const start = modules[name];
    if (start === undefined) throw new Error(`node:child_process has no ${name}`);
    modules[name] = (program, ...rest) => {
      started.add(nameOf(program));
      return start(program, ...rest);
    };
  }
  syncBuiltinESMExports();
  return started;
};

const started = (seen.agentprStartedPrograms ??= watchStarts());

afterAll(() => {
  const programs = [...started].sort();
  started.clear();
  if (programs.length > 0)
    throw new Error(
      `This layer starts no programs, and this file starts ${programs.join(', ')}: it belongs into tests/processes.`,
    );
});
