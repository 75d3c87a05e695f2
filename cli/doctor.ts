/** `agentpr doctor` (O2): checks each prerequisite and says how to fix it. */
import { accessSync, constants, existsSync, mkdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Api, GrammyError } from 'grammy/web';
import { clientTo } from '../bot/telegram-client.ts';
import { pathsShownToBox, type ControlConfig, type WorkConfig } from '../app/config.ts';
import { assertUsable, DatabaseFailure, inspectPostgres, whatIsWrong } from '#db';
import { probeContainment } from '#sandbox';
import { findProgram } from '#engines';
import { gitVersion, keyProblem, listMirrors } from '#git';
import { createLayout } from '#process';
import { createBucket } from '../app/s3-bucket.ts';
import {
  failedLine,
  passedLine,
  sayCheck,
  warningLine,
  type DoctorCheck,
  type DoctorLine,
} from '../app/doctor-lines.ts';
import { systemClock } from '../app/clock.ts';
import { costChecks, engineChecks } from '../app/engine-checks.ts';
import { githubChecks } from './doctor-github.ts';
import { labelChecks } from './doctor-labels.ts';
import { checkNetworkSetup, networkChecks, wayTo } from './doctor-network.ts';
import { addOpening, drillRestore } from './backup-commands.ts';
import { doctorRepository } from './doctor-repository.ts';
import { isWorker, loadConfig, loadWorkerConfig, printRedacted, printJson } from './environment.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { failureWords, wayWords } from './failure-words.ts';
import { cliWords } from './language.ts';
import { GB, MB } from '#model/values';

const UNDER = `\n${' '.repeat(12)}`;

/** AgentPR may run on its package's Node while another one is on PATH. */
const node = (): DoctorCheck => {
  const onPath = findProgram('node', process.env.PATH ?? '');
  return passedLine('node', {
    kind: 'node',
    version: process.versions.node,
    isOwn: onPath?.file !== realpathSync(process.execPath),
    onPath: onPath?.file ?? null,
    uv: process.versions.uv,
  });
};

const EVERYBODY_ELSE = 0o077;
const envFile = (): DoctorCheck[] => {
  const found = statSync('.env', { throwIfNoEntry: false });
  if (!found) return [];
  const mode = (found.mode & 0o777).toString(8);
  // guard: O2-env-read
  const isPrivate = (found.mode & EVERYBODY_ELSE) === 0;
  return [(isPrivate ? passedLine : failedLine)('.env', { kind: 'env_file', mode, isPrivate })];
};

const git = async (): Promise<DoctorCheck> => {
  const { says: version, fits, path, oldest } = await gitVersion();
  return fits
    ? passedLine('git', { kind: 'git_version', version })
    : failedLine('git', { kind: 'git_unfit', version, path, oldest });
};

const sandbox = async (config: WorkConfig | null): Promise<DoctorCheck[]> => {
  const wanted = config?.sandbox ?? 'bwrap';
  const only = wanted === 'bwrap' || wanted === 'unshare' ? wanted : undefined;
  const probe = await probeContainment(only, config?.file.sandboxCalls).catch(failureWords);
  if (typeof probe === 'string') return [failedLine('sandbox', { kind: 'sandbox_untried', cause: probe })];
  const { profile, weaknesses, fault } = probe;
  const level = profile.kind;
  if (only !== undefined && level !== only)
    return [failedLine('sandbox', fault ?? { kind: 'sandbox', level, weaknesses })];
  // E22: what a level cannot give is said.
  const isUnfiltered = level !== 'group' && profile.filter === null;
  return [
    isUnfiltered
      ? warningLine('sandbox', { kind: 'sandbox_unfiltered', level, weaknesses })
      : passedLine('sandbox', { kind: 'sandbox', level, weaknesses }),
    ...(fault && wanted === 'auto' ? [warningLine('sandbox', fault)] : []),
  ];
};

const dataFolder = (dir: string): DoctorCheck => {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    assertUsable(dir);
    accessSync(dir, constants.W_OK);
  } catch (error) {
    if (error instanceof DatabaseFailure)
      return failedLine('data', { kind: 'data_unusable', cause: failureWords(error) });
    return failedLine('data', { kind: 'data_unwritable', cause: failureWords(error), dir });
  }
  const { bavail, bsize } = statfsSync(dir);
  const free = (bavail * bsize) / GB;
  return (free > 1 ? passedLine : failedLine)('data', { kind: 'data', dir, free: free.toFixed(1) });
};

const mirrors = async ({ dataDir, file }: WorkConfig): Promise<DoctorCheck> => {
  const found = await listMirrors(createLayout(dataDir));
  const taken = found.reduce((sum, { bytes }) => sum + bytes, 0) / MB;
  const { diskMb: limit } = file.mirrors;
  const check = taken <= limit ? passedLine : failedLine;
  return check('mirrors', { kind: 'mirrors', count: found.length, mb: Math.ceil(taken), limit });
};

const ledger = (dir: string): DoctorCheck => {
  const wrong = whatIsWrong(dir);
  if (wrong !== null) return failedLine('ledger', { kind: 'ledger_broken', cause: failureWords(wrong) });
  return passedLine('ledger', {
    kind: existsSync(join(dir, 'ledger.db')) ? 'ledger_whole' : 'ledger_absent',
  });
};

const inPostgres = async (dir: string, database: string): Promise<DoctorCheck> => {
  const found = await inspectPostgres(dir, database);
  return 'wrong' in found
    ? failedLine('ledger', { kind: 'postgres_broken', cause: failureWords(found.wrong) })
    : passedLine('ledger', { kind: 'postgres', ...found });
};

const telegram = async (config: ControlConfig): Promise<DoctorCheck[]> =>
  config.telegram ? [await askTelegram(config, config.telegram)] : [];

const askTelegram = async (
  config: ControlConfig,
  { token, apiRoot }: NonNullable<ControlConfig['telegram']>,
): Promise<DoctorCheck> => {
  try {
    const { username } = await new Api(token, clientTo(apiRoot, 10)).getMe();
    return passedLine('telegram', { kind: 'telegram', name: username, way: wayTo(config, apiRoot) });
  } catch (error) {
    if (!(error instanceof GrammyError))
      return failedLine('telegram', { kind: 'telegram_away', cause: wayWords('Telegram', error) });
    return failedLine(
      'telegram',
      error.error_code === 401 || error.error_code === 404
        ? { kind: 'telegram_unknown' }
        : { kind: 'telegram_refused', cause: error.description },
    );
  }
};

const slack = async (config: ControlConfig): Promise<DoctorCheck[]> => {
  if (!config.slack) return [];
  const { checkSlack } = await import('#slack');
  const found = await checkSlack(config.slack, systemClock);
  switch (found.kind) {
    case 'slack':
      return [passedLine('slack', { ...found, way: wayTo(config, config.slack.apiRoot) })];
    case 'slack_scopes':
      return [warningLine('slack', found)];
    case 'slack_broken':
      return [failedLine('slack', found)];
  }
};

const signing = (config: WorkConfig): DoctorCheck[] => {
  const key = config.file.signing?.sshKey;
  if (key === undefined) return [];
  const problem = keyProblem(key, pathsShownToBox(config));
  return [
    problem === null
      ? passedLine('signing', { kind: 'signing', key })
      : failedLine('signing', { kind: 'signing_broken', cause: problem }),
  ];
};

const webhooks = ({ webhooks: taken, http }: ControlConfig): DoctorCheck =>
  passedLine('webhooks', {
    kind: 'webhooks',
    to: taken === null ? null : (http.publicUrl ?? `port ${http.port}`),
  });

const bucket = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  const { bucket: settings } = config;
  if (!settings) return [];
  try {
    await createBucket(settings, systemClock).check();
    return [passedLine('bucket', { kind: 'bucket', url: settings.url, way: wayTo(config, settings.url) })];
  } catch (error) {
    return [failedLine('bucket', { kind: 'bucket_broken', cause: failureWords(error) })];
  }
};

/** `control` is null for a worker, which needs neither chat nor webhooks. */
type Settings = { config: WorkConfig | null; control: ControlConfig | null; check: DoctorCheck };
const configuration = (): Settings => {
  try {
    const check = passedLine('settings', { kind: 'settings_complete' });
    if (isWorker()) return { config: loadWorkerConfig(), control: null, check };
    const control = loadConfig();
    return { config: control, control, check };
  } catch (error) {
    const [cause, step] = splitNextStep(failureWords(error));
    return {
      config: null,
      control: null,
      check: failedLine('settings', { kind: 'settings_wrong', cause, step }),
    };
  }
};

/** The last line of a settings error says what to do. */
const splitNextStep = (text: string): [string, string | null] => {
  const lines = text.split('\n');
  return lines.length > 1 ? [lines.slice(0, -1).join('\n'), lines.at(-1) ?? ''] : [text, null];
};

const mark = ({ ok, fix }: DoctorLine): string => (!ok ? '✘' : fix === '' ? '✔' : '!');

const backedUp = async (file: string, options: Parameters<typeof drillRestore>[1]): Promise<DoctorCheck> => {
  try {
    const { file: used, at, replayed } = await drillRestore(file, options);
    const { runs, events, findings } = replayed;
    return findings.length === 0
      ? passedLine('backup', { kind: 'backup', file: used, at, events, runs })
      : failedLine('backup', { kind: 'backup_wrong', cause: findings[0]?.says ?? '' });
  } catch (error) {
    return failedLine('backup', { kind: 'backup_unreadable', cause: failureWords(error) });
  }
};

type Options = { json?: boolean; drill?: string } & Parameters<typeof drillRestore>[1];
const doctor = async (repo: string | undefined, options: Options): Promise<void> => {
  if (options.drill !== undefined) return printChecks([await backedUp(options.drill, options)], options);
  if (repo !== undefined) return doctorRepository(loadConfig(), repo, options);
  const { config, control, check } = configuration();
  const checks = [
    node(),
    await git(),
    ...(await sandbox(config)),
    check,
    ...envFile(),
    ...checkNetworkSetup(),
  ];
  if (config)
    checks.push(
      ...[
        dataFolder(config.dataDir),
        await mirrors(config),
        config.database === null ? ledger(config.dataDir) : await inPostgres(config.dataDir, config.database),
        ...(control ? [...(await telegram(control)), ...(await slack(control))] : []),
        ...(await githubChecks(config)),
        ...(await networkChecks(config)),
        ...(control ? [webhooks(control), ...(await labelChecks(control))] : []),
        ...signing(config),
        ...(await bucket(config)),
      ],
      ...(await engineChecks(config)),
      ...costChecks(config),
    );
  printChecks(checks, options);
};

export const printChecks = (checks: readonly DoctorCheck[], options: { json?: boolean }): void => {
  const texts = cliWords();
  const lines = checks.map((check) => sayCheck(texts, check));
  if (options.json) printJson(lines);
  else
    for (const c of lines)
      printRedacted(
        `${mark(c)} ${c.name.padEnd(9)} ${[c.says, ...(c.fix === '' ? [] : [`→ ${c.fix}`])].join('\n').replaceAll('\n', UNDER)}`,
      );
  const failed = lines.filter((c) => !c.ok).length;
  if (failed > 0)
    throw new CommandExit(EXIT_CODES.unavailable, { kind: 'checks_failed', failed, all: lines.length });
};

export const addDoctorCommand = (program: Command): void => {
  addOpening(
    program
      .command('doctor')
      .argument('[repository]', 'owner/name: what a run of it would find, and what this machine lacks for it')
      .option('--json', 'print JSON')
      .option(
        '--drill <backup>',
        'restore this backup, or the newest one of a folder, into a folder that is thrown away, and replay it',
      ),
  ).action(doctor);
};
