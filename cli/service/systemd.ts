/** Calls systemd's programs. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';

export type UnitScope = 'system' | 'user';
type Said = { ok: boolean; says: string };

const runProgram = (command: string, args: readonly string[]): Said => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 60_000 });
  if (error) return { ok: false, says: error.message };
  return { ok: status === 0, says: `${stdout}${stderr}`.trim() };
};

export const runSystemctl = (scope: UnitScope, ...args: string[]): Said =>
  runProgram('systemctl', [`--${scope}`, '--no-pager', ...args]);

export const requireSystemctl = (scope: UnitScope, ...args: string[]): void => {
  const { ok, says } = runSystemctl(scope, ...args);
  if (!ok)
    throw new CommandExit(EXIT_CODES.failed, {
      kind: 'systemctl_failed',
      command: `systemctl --${scope} ${args.join(' ')}`,
      says,
    });
};

export const systemdVersion = (): number | null => {
  const { ok, says } = runProgram('systemctl', ['--version']);
  const [, version] = /^systemd (\d+)/.exec(says) ?? [];
  return ok && version !== undefined ? Number(version) : null;
};

/** A container may have systemd's programs, but no manager. */
export const isSystemdRunning = (): boolean => existsSync('/run/systemd/system');

export const unitFile = (scope: UnitScope, name: string): string => {
  const own = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return join(scope === 'system' ? '/etc/systemd/system' : join(own, 'systemd/user'), `${name}.service`);
};

/** Returns an empty string for a valid file, or when it cannot be checked. */
export const findUnitProblems = (scope: UnitScope, file: string): string => {
  const { says } = runProgram('systemd-analyze', [`--${scope}`, 'verify', '--man=no', file]);
  const isAboutUnit = (line: string): boolean => line.includes(file) || line.startsWith(`${basename(file)}:`);
  return says.split('\n').filter(isAboutUnit).join('\n');
};

export const userIdOf = (account: string): number | null => {
  const { ok, says } = runProgram('id', ['-u', account]);
  return ok && /^\d+$/.test(says) ? Number(says) : null;
};
