/** `agentpr service install|uninstall|status`: manages a confined systemd service. */
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Option, type Command } from 'commander';
import { failedResult, goodResult, warningResult, type HostResult } from '../../app/probes/host-result.ts';
import type { HostFinding } from '#language';
import { printChecks } from '../doctor.ts';
import type { ProcessRole } from '../../app/environment-schema.ts';
import { isWorker, loadConfig, loadWorkerConfig } from '../load-config.ts';
import { printRedacted } from '../output.ts';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';
import { cliWords } from '../language.ts';
import { packageVersion } from '../package-version.ts';
import {
  requireSystemctl,
  findUnitProblems,
  runSystemctl,
  isSystemdRunning,
  systemdVersion,
  unitFile,
  userIdOf,
  type UnitScope,
} from './systemd.ts';
import { parseSystemdUnit, renderSystemdUnit, type SystemdUnitOptions } from './systemd-unit.ts';

type Options = { system?: boolean; user?: boolean; name: string };
type Installing = Options & { as?: string; role?: ProcessRole; print?: boolean };

const scopeOf = ({ system, user }: Options): UnitScope => {
  if (system && user) throw new CommandExit(EXIT_CODES.usage, { kind: 'one_scope' });
  return system || (!user && process.getuid?.() === 0) ? 'system' : 'user';
};

const cliFile = (): string => realpathSync(process.argv[1] ?? '');

const accountOf = (scope: UnitScope, { as }: Installing): SystemdUnitOptions['account'] => {
  if (scope === 'user') {
    if (as === undefined) return null;
    throw new CommandExit(EXIT_CODES.usage, { kind: 'account_of_user' });
  }
  if (as === undefined) throw new CommandExit(EXIT_CODES.usage, { kind: 'which_account' });
  if (!/^[a-z_][a-z0-9_-]*$/i.test(as) || userIdOf(as) === null)
    throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_account', account: as });
  return as;
};

const wishOf = (scope: UnitScope, options: Installing): SystemdUnitOptions => {
  const cli = cliFile();
  if (/\/_npx\//.test(cli)) throw new CommandExit(EXIT_CODES.refused, { kind: 'in_npx_cache' });
  const account = accountOf(scope, options);
  const directory = process.cwd();
  const { dataDir } = isWorker(options.role) ? loadWorkerConfig() : loadConfig();
  const odd = [cli, directory, dataDir].find((path) => /[\p{Cc}]/u.test(path));
  if (odd !== undefined)
    throw new CommandExit(EXIT_CODES.refused, { kind: 'odd_path', path: JSON.stringify(odd) });
  return {
    scope,
    account,
    directory,
    dataDir,
    node: process.execPath,
    cli,
    args: options.role === undefined ? [] : ['--role', options.role],
    path: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    systemd: systemdVersion() ?? 0,
    version: packageVersion(),
  };
};

const handOver = ({ account, directory, dataDir }: SystemdUnitOptions): void => {
  const fresh = !existsSync(dataDir);
  if (fresh) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const uid = account === null ? process.getuid?.() : userIdOf(account);
  if (uid === undefined || uid === null) return;
  if (fresh && account !== null) chownSync(dataDir, uid, -1);
  for (const file of [dataDir, join(directory, '.env')]) {
    const owner: number = statSync(file, { throwIfNoEntry: false })?.uid ?? uid;
    if (owner !== uid)
      throw new CommandExit(EXIT_CODES.refused, { kind: 'other_owner', file, owner, account, id: uid });
  }
};

const assertHears = (scope: UnitScope): void => {
  const { ok, says } = runSystemctl(scope, 'show', '--property=Version');
  if (ok) return;
  throw new CommandExit(EXIT_CODES.unavailable, { kind: 'systemd_silent', says, scope });
};

export const installService = (options: Installing): void => {
  const scope = scopeOf(options);
  const wish = wishOf(scope, options);
  const text = renderSystemdUnit(wish);
  if (options.print) return printRedacted(text.trimEnd());
  if (!isSystemdRunning()) throw new CommandExit(EXIT_CODES.unavailable, { kind: 'no_systemd' });
  const file = unitFile(scope, options.name);
  if (existsSync(file) && parseSystemdUnit(readFileSync(file, 'utf8')) === null)
    throw new CommandExit(EXIT_CODES.refused, { kind: 'foreign_unit', file });
  assertHears(scope);
  handOver(wish);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o644 });
  const problems = findUnitProblems(scope, file);
  const words = cliWords().commandLine.service;
  if (problems !== '') printRedacted(words.problems({ file, problems }));
  requireSystemctl(scope, 'daemon-reload');
  requireSystemctl(scope, 'enable', options.name);
  requireSystemctl(scope, 'restart', options.name);
  printRedacted(words.installed({ file }));
  if (scope === 'user') printRedacted(words.lingers());
};

const uninstallService = (options: Options): void => {
  const scope = scopeOf(options);
  const file = unitFile(scope, options.name);
  if (!existsSync(file)) throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_unit', file });
  if (parseSystemdUnit(readFileSync(file, 'utf8')) === null)
    throw new CommandExit(EXIT_CODES.refused, { kind: 'foreign_unit_stays', file });
  if (isSystemdRunning()) {
    assertHears(scope);
    requireSystemctl(scope, 'disable', '--now', options.name);
  }
  rmSync(file);
  if (isSystemdRunning()) requireSystemctl(scope, 'daemon-reload');
  printRedacted(cliWords().commandLine.service.removed({ file }));
};

const checkUnitFile = (file: string, scope: UnitScope): HostResult => {
  if (!existsSync(file)) return failedResult('unit', { kind: 'unit_absent', file });
  const found = parseSystemdUnit(readFileSync(file, 'utf8'));
  if (found === null) return failedResult('unit', { kind: 'unit_foreign', file });
  const gone = found.programs.find((program) => !existsSync(program));
  if (gone !== undefined) return failedResult('unit', { kind: 'unit_program_gone', program: gone });
  const problems = findUnitProblems(scope, file);
  if (problems !== '')
    return warningResult('unit', { kind: 'unit_problems', problems: problems.replace(/\s+/g, ' ') });
  if (found.edited) return warningResult('unit', { kind: 'unit_edited', file });
  return found.version === packageVersion()
    ? goodResult('unit', { kind: 'unit', file })
    : warningResult('unit', { kind: 'unit_older', file, by: found.version, now: packageVersion() });
};

/** Asks the running service, which knows its connections best. */
const checkHealth = async (file: string): Promise<HostResult[]> => {
  const unit = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const directory = parseSystemdUnit(unit)?.directory;
  if (directory !== undefined && directory !== process.cwd())
    return [warningResult('health', { kind: 'health_elsewhere', directory })];
  const role = /--role worker\b/.test(unit) ? 'worker' : undefined;
  const { host, port } = (isWorker(role) ? loadWorkerConfig() : loadConfig()).http;
  if (port === 0) return [warningResult('health', { kind: 'health_any_port' })];
  const address = `http://${/^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host}:${port}/readyz`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(5_000) });
    if (response.ok) return [goodResult('health', { kind: 'health', address })];
    const said = (await response.text()).slice(0, 300);
    return [failedResult('health', { kind: 'health_bad', address, status: response.status, said })];
  } catch (error) {
    return [failedResult('health', { kind: 'health_silent', address, cause: String(error) })];
  }
};

const showServiceStatus = async (options: Options & { json?: boolean }): Promise<void> => {
  const scope = scopeOf(options);
  const file = unitFile(scope, options.name);
  const checks = [checkUnitFile(file, scope)];
  if (isSystemdRunning()) {
    const checkUnitState = (word: string, finding: (said: string) => HostFinding): HostResult => {
      const { ok, says } = runSystemctl(scope, `is-${word}`, options.name);
      return (ok ? goodResult : failedResult)(word, finding(says));
    };
    const log = `journalctl --${scope} -u ${options.name}`;
    checks.push(
      checkUnitState('enabled', (said) => ({ kind: 'unit_enabled', said })),
      checkUnitState('active', (said) => ({ kind: 'unit_active', said, log })),
    );
  } else checks.push(failedResult('systemd', { kind: 'systemd_absent' }));
  await printChecks([...checks, ...(await checkHealth(file))], options);
};

export const addServiceCommands = (program: Command): void => {
  const service = program.command('service');
  const addServiceOptions = (command: Command): Command =>
    command
      .option('--system', 'a service of the machine (default for root)')
      .option('--user', 'a service of yours (default for everybody else)')
      .option('--name <name>', 'the name of the unit', 'agentpr');
  addServiceOptions(
    service.command('install').description('write a confined unit for this folder, and start it'),
  )
    .option('--as <account>', 'the account of a system service')
    .addOption(new Option('--role <role>', 'what this process does').choices(['all', 'control', 'worker']))
    .option('--print', 'print the unit, and change nothing')
    .action(installService);
  addServiceOptions(
    service.command('uninstall').description('stop it and remove the unit; the data stays'),
  ).action(uninstallService);
  addServiceOptions(
    service.command('status').description('check the unit, whether it runs, and what it answers'),
  )
    .option('--json', 'print JSON')
    .action(showServiceStatus);
};
