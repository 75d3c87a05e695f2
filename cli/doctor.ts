/** `agentpr doctor`: checks each prerequisite and says how to fix it (O2). */
import { accessSync, constants, existsSync, mkdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Api, GrammyError } from 'grammy/web';
import { clientTo } from '../bot/telegram-client.ts';
import { telegramFailureOf } from '../bot/telegram-chat.ts';
import { shownTo, type ControlConfig, type WorkConfig } from '../app/config.ts';
import { inspectPostgres, whatIsWrong } from '#db';
import { probeContainment } from '#sandbox';
import { findProgram } from '#engines';
import { GIT_FIX, gitVersion, keyProblem, listMirrors } from '#git';
import { createLayout } from '../executors/process/data-layout.ts';
import { createBucket } from '../app/s3-bucket.ts';
import { failedLine, passedLine, type DoctorCheck } from '../app/doctor-lines.ts';
import { systemClock } from '../app/clock.ts';
import { costChecks, engineChecks } from '../app/engine-checks.ts';
import { githubChecks } from './doctor-github.ts';
import { labelChecks } from './doctor-labels.ts';
import { checkNetworkSetup, networkChecks, wayTo } from './doctor-network.ts';
import { addOpening, drillRestore } from './backup-commands.ts';
import { doctorRepository } from './doctor-repository.ts';
import { isWorker, loadConfig, loadWorkerConfig, printRedacted, printJson } from './environment.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { countWords } from '../orchestrator/core/text-format.ts';
import { GB, MB } from '../orchestrator/core/units.ts';

/** Further lines stand under the first one's words. */
const UNDER = `\n${' '.repeat(12)}`;

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** AgentPR may run on the Node of its own packages while another one is on PATH. */
const node = (): DoctorCheck => {
  const onPath = findProgram('node', process.env.PATH ?? '');
  const isOwn = onPath?.file !== realpathSync(process.execPath);
  const whose = isOwn
    ? `, AgentPR’s own${onPath ? ` (the one on PATH, ${onPath.file}, is not used)` : ''}`
    : '';
  return passedLine('node', `${process.versions.node}${whose}, libuv ${process.versions.uv}`);
};

const EVERYBODY_ELSE = 0o077;
/** It holds keys. */
const envFile = (): DoctorCheck[] => {
  const found = statSync('.env', { throwIfNoEntry: false });
  if (!found) return [];
  const mode = (found.mode & 0o777).toString(8);
  // guard: O2-env-read
  return (found.mode & EVERYBODY_ELSE) === 0
    ? [passedLine('.env', `read by its owner alone (mode ${mode})`)]
    : [
        failedLine(
          '.env',
          `other accounts of this machine can read its keys (mode ${mode})`,
          'Run: chmod 600 .env',
        ),
      ];
};

const git = async (): Promise<DoctorCheck> => {
  const { says, problem } = await gitVersion();
  return problem === null ? passedLine('git', says) : failedLine('git', problem, GIT_FIX);
};

const sandbox = async (config: WorkConfig | null): Promise<DoctorCheck> => {
  const probe = await probeContainment().catch((error: unknown) => words(error));
  if (typeof probe === 'string')
    return failedLine('sandbox', probe, 'No sandbox could be tried before that is fixed.');
  const { level, weaknesses } = probe;
  const wanted = config?.sandbox ?? 'bwrap';
  const says = `${level} works here${weaknesses.length > 0 ? ` (${weaknesses.join(' ')})` : ''}`;
  const fits =
    wanted === 'auto' || level === 'bwrap' || level === wanted || (wanted === 'group' && level === 'unshare');
  return fits
    ? passedLine('sandbox', says)
    : failedLine(
        'sandbox',
        says,
        'Install bubblewrap (`apt-get install bubblewrap`), or set AGENTPR_SANDBOX=auto to accept less.',
      );
};

const dataFolder = (dir: string): DoctorCheck => {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    accessSync(dir, constants.W_OK);
  } catch (error) {
    return failedLine('data', words(error), `Make ${dir} writable, or set AGENTPR_DATA_DIR.`);
  }
  const { bavail, bsize } = statfsSync(dir);
  const free = (bavail * bsize) / GB;
  return free > 1
    ? passedLine('data', `${dir}, ${free.toFixed(1)} GiB free`)
    : failedLine('data', `${free.toFixed(1)} GiB free`, 'Free some disk space.');
};

const mirrors = async ({ dataDir, file }: WorkConfig): Promise<DoctorCheck> => {
  const found = await listMirrors(createLayout(dataDir));
  const taken = found.reduce((sum, { bytes }) => sum + bytes, 0) / MB;
  const says = `${found.length} repositories, ${Math.ceil(taken)} of ${file.mirrors.diskMb} MB`;
  return taken <= file.mirrors.diskMb
    ? passedLine('mirrors', says)
    : failedLine('mirrors', says, 'End runs that hold large repositories, or raise mirrors.diskMb.');
};

const ledger = (dir: string): DoctorCheck => {
  const wrong = whatIsWrong(dir);
  return wrong === null
    ? passedLine('ledger', existsSync(join(dir, 'ledger.db')) ? 'whole' : 'not made yet')
    : failedLine(
        'ledger',
        wrong,
        'Restore the data directory from a backup, or set AGENTPR_DATA_DIR to another one.',
      );
};

const inPostgres = async (dir: string, database: string): Promise<DoctorCheck> => {
  const found = await inspectPostgres(dir, database);
  return 'says' in found
    ? passedLine('ledger', found.says)
    : failedLine('ledger', found.wrong, 'See docs/postgres.md; DATABASE_URL says where the ledger is.');
};

const telegram = async (config: ControlConfig): Promise<DoctorCheck> => {
  const { token, apiRoot } = config.telegram;
  try {
    const { username } = await new Api(token, clientTo(apiRoot, 10)).getMe();
    return passedLine('telegram', `signed in as @${username}${wayTo(config, apiRoot)}`);
  } catch (error) {
    const says = words(telegramFailureOf(error, Date.now()));
    if (!(error instanceof GrammyError))
      return failedLine(
        'telegram',
        says,
        'It is the network of this host, not the token: look at HTTPS_PROXY and DNS.',
      );
    return error.error_code === 401 || error.error_code === 404
      ? failedLine(
          'telegram',
          'Telegram does not know the token in TELEGRAM_BOT_TOKEN',
          'Copy it again from @BotFather (/token), then run `npx agentpr init`.',
        )
      : failedLine('telegram', says, 'Telegram refused; the token is known there. Try again later.');
  }
};

const signing = (config: WorkConfig): DoctorCheck[] => {
  const key = config.file.signing?.sshKey;
  if (key === undefined) return [];
  const problem = keyProblem(key, shownTo(config));
  return [
    problem === null
      ? passedLine('signing', `commits are signed with ${key}`)
      : failedLine('signing', problem, 'See docs/github.md.'),
  ];
};

const webhooks = ({ webhooks: taken, http }: ControlConfig): DoctorCheck =>
  passedLine(
    'webhooks',
    taken === null
      ? 'GITHUB_WEBHOOK_SECRET is not set: GitHub is asked for news instead of sending them'
      : `GITHUB_WEBHOOK_SECRET is set; GitHub sends to ${http.publicUrl ?? `port ${http.port}`}`,
  );

const bucket = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  const { bucket: settings } = config;
  if (!settings) return [];
  try {
    await createBucket(settings, systemClock).check();
    return [
      passedLine(
        'bucket',
        `${settings.url}: one object was written, read and removed${wayTo(config, settings.url)}`,
      ),
    ];
  } catch (error) {
    const fix = 'Its key must be allowed to put, get and delete objects, and nobody else anything.';
    return [failedLine('bucket', words(error), fix)];
  }
};

/** `control` is what a worker has no need of: the chat and the webhooks. */
type Settings = { config: WorkConfig | null; control: ControlConfig | null; check: DoctorCheck };
const configuration = (): Settings => {
  try {
    const check = passedLine('settings', 'complete');
    if (isWorker()) return { config: loadWorkerConfig(), control: null, check };
    const control = loadConfig();
    return { config: control, control, check };
  } catch (error) {
    return {
      config: null,
      control: null,
      check: failedLine('settings', ...splitNextStep(words(error))),
    };
  }
};

/** The last line of such an error says what to do. */
const splitNextStep = (text: string): [string, string] => {
  const lines = text.split('\n');
  return lines.length > 1
    ? [lines.slice(0, -1).join('\n'), lines.at(-1) ?? '']
    : [text, 'Run `npx agentpr init`, or see .env.example.'];
};

const mark = ({ ok, fix }: DoctorCheck): string => (!ok ? '✘' : fix === '' ? '✔' : '!');

const backedUp = async (file: string, options: Parameters<typeof drillRestore>[1]): Promise<DoctorCheck> => {
  try {
    const { file: used, at, replayed } = await drillRestore(file, options);
    const { runs, events, findings } = replayed;
    return findings.length === 0
      ? passedLine(
          'backup',
          `${used} of ${at}: restored and replayed, ${countWords(events, 'event')} of ${countWords(runs, 'run')}`,
        )
      : failedLine('backup', findings[0]?.says ?? '', 'See docs/audit.md, and make another backup.');
  } catch (error) {
    return failedLine(
      'backup',
      words(error),
      'Try another backup, and make a new one with `agentpr backup`.',
    );
  }
};

type Options = { json?: boolean; drill?: string } & Parameters<typeof drillRestore>[1];
const doctor = async (repo: string | undefined, options: Options): Promise<void> => {
  if (options.drill !== undefined) return printChecks([await backedUp(options.drill, options)], options);
  if (repo !== undefined) return doctorRepository(loadConfig(), repo, options);
  const { config, control, check } = configuration();
  const checks = [node(), await git(), await sandbox(config), check, ...envFile(), ...checkNetworkSetup()];
  if (config)
    checks.push(
      ...[
        dataFolder(config.dataDir),
        await mirrors(config),
        config.database === null ? ledger(config.dataDir) : await inPostgres(config.dataDir, config.database),
        ...(control ? [await telegram(control)] : []),
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
  if (options.json) printJson(checks);
  else
    for (const c of checks)
      printRedacted(
        `${mark(c)} ${c.name.padEnd(9)} ${[c.says, ...(c.fix === '' ? [] : [`→ ${c.fix}`])].join('\n').replaceAll('\n', UNDER)}`,
      );
  const failed = checks.filter((c) => !c.ok).length;
  if (failed > 0)
    throw new CommandExit(
      EXIT_CODES.unavailable,
      `${failed} of ${checks.length} prerequisites ${failed === 1 ? 'is' : 'are'} not met.`,
    );
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
