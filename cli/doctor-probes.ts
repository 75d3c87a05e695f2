/** `agentpr doctor` checks this host by one list, a row each. */
import { accessSync, constants, existsSync, mkdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Api, GrammyError } from 'grammy/web';
import { clientTo } from '../bot/telegram-client.ts';
import { pathsShownToBox, type ControlConfig, type WorkConfig } from '../app/config.ts';
import { assertUsable, DatabaseFailure, inspectPostgres, whatIsWrong } from '#db';
import { createContainment, probeContainment } from '#sandbox';
import { findProgram } from '#engines';
import { gitVersion, keyProblem, listMirrors } from '#git';
import { createLayout } from '#process';
import { createBucket } from '../app/s3-bucket.ts';
import { failedLine, passedLine, warningLine, type DoctorCheck } from '../app/doctor-lines.ts';
import { systemClock } from '../app/clock.ts';
import { costChecks, engineChecks } from '../app/engine-checks.ts';
import { githubChecks } from './doctor-github.ts';
import { labelChecks } from './doctor-labels.ts';
import { checkNetworkSetup, networkChecks, wayTo } from './doctor-network.ts';
import { isWorker, loadConfig, loadWorkerConfig } from './environment.ts';
import { failureWords, wayWords } from './failure-words.ts';
import { GB, MB } from '#model/values';

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

const containers = async ({ dataDir, file, operator }: WorkConfig): Promise<DoctorCheck[]> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const outcome = await createContainment({
    setting: 'container',
    dataDir,
    allowedCalls: file.sandboxCalls,
    containers: { ...file.containers, env: operator.env },
  });
  if (outcome.kind === 'refused') return [failedLine('sandbox', outcome.fault)];
  const { level, weaknesses } = outcome.sandbox;
  return [passedLine('sandbox', { kind: 'sandbox', level, weaknesses: [...weaknesses] })];
};

const sandbox = async (config: WorkConfig | null): Promise<DoctorCheck[]> => {
  if (config?.sandbox === 'container') return containers(config);
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
const readSettings = (): Settings => {
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

type Found = readonly DoctorCheck[] | Promise<readonly DoctorCheck[]>;
export type Probe = { id: string; run: (settings: Settings) => Found };

const ofHost = (id: string, run: (settings: Settings) => Found): Probe => ({ id, run });
const ofWork = (id: string, run: (config: WorkConfig) => Found): Probe => ({
  id,
  run: ({ config }) => (config ? run(config) : []),
});
const ofControl = (id: string, run: (config: ControlConfig) => Found): Probe => ({
  id,
  run: ({ control }) => (control ? run(control) : []),
});

export const PROBES: Probe[] = [
  ofHost('node', () => [node()]),
  ofHost('git', async () => [await git()]),
  ofHost('sandbox', ({ config }) => sandbox(config)),
  ofHost('settings', ({ check }) => [check]),
  ofHost('env_file', envFile),
  ofHost('network_setup', checkNetworkSetup),
  ofWork('data', ({ dataDir }) => [dataFolder(dataDir)]),
  ofWork('mirrors', async (config) => [await mirrors(config)]),
  ofWork('ledger', async ({ dataDir, database }) => [
    database === null ? ledger(dataDir) : await inPostgres(dataDir, database),
  ]),
  ofControl('telegram', telegram),
  ofControl('slack', slack),
  ofWork('github', githubChecks),
  ofWork('network', networkChecks),
  ofControl('webhooks', (config) => [webhooks(config)]),
  ofControl('labels', labelChecks),
  ofWork('signing', signing),
  ofWork('bucket', bucket),
  ofWork('engines', engineChecks),
  ofWork('costs', costChecks),
];

export const runProbes = async (): Promise<DoctorCheck[]> => {
  const settings = readSettings();
  const checks: DoctorCheck[] = [];
  for (const { run } of PROBES) checks.push(...(await run(settings)));
  return checks;
};
