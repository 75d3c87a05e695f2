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
import { failureLine, goodLine, warningLine, type DoctorCheck } from '../app/doctor-lines.ts';
import { systemClock } from '../app/clock.ts';
import { costChecks, engineChecks } from '../app/engine-checks.ts';
import { githubChecks } from './doctor-github.ts';
import { labelChecks } from './doctor-labels.ts';
import { checkNetworkSetup, networkChecks, wayTo } from './doctor-network.ts';
import { isWorker, loadConfig, loadWorkerConfig } from './environment.ts';
import { failureWords, wayWords } from './failure-words.ts';
import { GB, MB } from '#model/values';

/** AgentPR may run on its package's Node while another one is on PATH. */
const checkNode = (): DoctorCheck => {
  const onPath = findProgram('node', process.env.PATH ?? '');
  return goodLine('node', {
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
  return [(isPrivate ? goodLine : failureLine)('.env', { kind: 'env_file', mode, isPrivate })];
};

const checkGit = async (): Promise<DoctorCheck> => {
  const { says: version, fits, path, oldest } = await gitVersion();
  return fits
    ? goodLine('git', { kind: 'git_version', version })
    : failureLine('git', { kind: 'git_unfit', version, path, oldest });
};

const checkContainers = async ({ dataDir, file, operator }: WorkConfig): Promise<DoctorCheck[]> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const outcome = await createContainment({
    setting: 'container',
    dataDir,
    allowedCalls: file.sandboxCalls,
    containers: { ...file.containers, env: operator.env },
  });
  if (outcome.kind === 'refused') return [failureLine('sandbox', outcome.fault)];
  const { level, weaknesses } = outcome.sandbox;
  return [goodLine('sandbox', { kind: 'sandbox', level, weaknesses: [...weaknesses] })];
};

const checkSandbox = async (config: WorkConfig | null): Promise<DoctorCheck[]> => {
  if (config?.sandbox === 'container') return checkContainers(config);
  const wanted = config?.sandbox ?? 'bwrap';
  const only = wanted === 'bwrap' || wanted === 'unshare' ? wanted : undefined;
  const probe = await probeContainment(only, config?.file.sandboxCalls).catch(failureWords);
  if (typeof probe === 'string') return [failureLine('sandbox', { kind: 'sandbox_untried', cause: probe })];
  const { profile, weaknesses, fault } = probe;
  const level = profile.kind;
  if (only !== undefined && level !== only)
    return [failureLine('sandbox', fault ?? { kind: 'sandbox', level, weaknesses })];
  // E22: what a level cannot give is said.
  const isUnfiltered = level !== 'group' && profile.filter === null;
  return [
    isUnfiltered
      ? warningLine('sandbox', { kind: 'sandbox_unfiltered', level, weaknesses })
      : goodLine('sandbox', { kind: 'sandbox', level, weaknesses }),
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
      return failureLine('data', { kind: 'data_unusable', cause: failureWords(error) });
    return failureLine('data', { kind: 'data_unwritable', cause: failureWords(error), dir });
  }
  const { bavail, bsize } = statfsSync(dir);
  const free = (bavail * bsize) / GB;
  return (free > 1 ? goodLine : failureLine)('data', { kind: 'data', dir, free: free.toFixed(1) });
};

const checkMirrors = async ({ dataDir, file }: WorkConfig): Promise<DoctorCheck> => {
  const found = await listMirrors(createLayout(dataDir));
  const taken = found.reduce((sum, { bytes }) => sum + bytes, 0) / MB;
  const { diskMb: limit } = file.mirrors;
  const check = taken <= limit ? goodLine : failureLine;
  return check('mirrors', { kind: 'mirrors', count: found.length, mb: Math.ceil(taken), limit });
};

const checkLedger = (dir: string): DoctorCheck => {
  const wrong = whatIsWrong(dir);
  if (wrong !== null) return failureLine('ledger', { kind: 'ledger_broken', cause: failureWords(wrong) });
  return goodLine('ledger', {
    kind: existsSync(join(dir, 'ledger.db')) ? 'ledger_whole' : 'ledger_absent',
  });
};

const inPostgres = async (dir: string, database: string): Promise<DoctorCheck> => {
  const found = await inspectPostgres(dir, database);
  return 'wrong' in found
    ? failureLine('ledger', { kind: 'postgres_broken', cause: failureWords(found.wrong) })
    : goodLine('ledger', { kind: 'postgres', ...found });
};

const checkTelegram = async (config: ControlConfig): Promise<DoctorCheck[]> =>
  config.telegram ? [await askTelegram(config, config.telegram)] : [];

const askTelegram = async (
  config: ControlConfig,
  { token, apiRoot }: NonNullable<ControlConfig['telegram']>,
): Promise<DoctorCheck> => {
  try {
    const { username } = await new Api(token, clientTo(apiRoot, 10)).getMe();
    return goodLine('telegram', { kind: 'telegram', name: username, way: wayTo(config, apiRoot) });
  } catch (error) {
    if (!(error instanceof GrammyError))
      return failureLine('telegram', { kind: 'telegram_away', cause: wayWords('Telegram', error) });
    return failureLine(
      'telegram',
      error.error_code === 401 || error.error_code === 404
        ? { kind: 'telegram_unknown' }
        : { kind: 'telegram_refused', cause: error.description },
    );
  }
};

const checkSlackAccess = async (config: ControlConfig): Promise<DoctorCheck[]> => {
  if (!config.slack) return [];
  const { checkSlack } = await import('#slack');
  const found = await checkSlack(config.slack, systemClock);
  switch (found.kind) {
    case 'slack':
      return [goodLine('slack', { ...found, way: wayTo(config, config.slack.apiRoot) })];
    case 'slack_scopes':
      return [warningLine('slack', found)];
    case 'slack_broken':
      return [failureLine('slack', found)];
  }
};

const checkSigning = (config: WorkConfig): DoctorCheck[] => {
  const key = config.file.signing?.sshKey;
  if (key === undefined) return [];
  const problem = keyProblem(key, pathsShownToBox(config));
  return [
    problem === null
      ? goodLine('signing', { kind: 'signing', key })
      : failureLine('signing', { kind: 'signing_broken', cause: problem }),
  ];
};

const checkWebhooks = ({ webhooks: taken, http }: ControlConfig): DoctorCheck =>
  goodLine('webhooks', {
    kind: 'webhooks',
    to: taken === null ? null : (http.publicUrl ?? `port ${http.port}`),
  });

const checkBucket = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  const { bucket: settings } = config;
  if (!settings) return [];
  try {
    await createBucket(settings, systemClock).check();
    return [goodLine('bucket', { kind: 'bucket', url: settings.url, way: wayTo(config, settings.url) })];
  } catch (error) {
    return [failureLine('bucket', { kind: 'bucket_broken', cause: failureWords(error) })];
  }
};

/** `control` is null for a worker, which needs neither chat nor webhooks. */
type Settings = { config: WorkConfig | null; control: ControlConfig | null; check: DoctorCheck };
const readSettings = (): Settings => {
  try {
    const check = goodLine('settings', { kind: 'settings_complete' });
    if (isWorker()) return { config: loadWorkerConfig(), control: null, check };
    const control = loadConfig();
    return { config: control, control, check };
  } catch (error) {
    const [cause, step] = splitNextStep(failureWords(error));
    return {
      config: null,
      control: null,
      check: failureLine('settings', { kind: 'settings_wrong', cause, step }),
    };
  }
};

/** The last line of a settings error says what to do. */
const splitNextStep = (text: string): [string, string | null] => {
  const lines = text.split('\n');
  return lines.length > 1 ? [lines.slice(0, -1).join('\n'), lines.at(-1) ?? ''] : [text, null];
};

type Found = readonly DoctorCheck[] | Promise<readonly DoctorCheck[]>;
type Probe = { id: string; run: (settings: Settings) => Found };

const ofHost = (id: string, run: (settings: Settings) => Found): Probe => ({ id, run });
const ofWork = (id: string, run: (config: WorkConfig) => Found): Probe => ({
  id,
  run: ({ config }) => (config ? run(config) : []),
});
const ofControl = (id: string, run: (config: ControlConfig) => Found): Probe => ({
  id,
  run: ({ control }) => (control ? run(control) : []),
});

const PROBES: Probe[] = [
  ofHost('node', () => [checkNode()]),
  ofHost('git', async () => [await checkGit()]),
  ofHost('sandbox', ({ config }) => checkSandbox(config)),
  ofHost('settings', ({ check }) => [check]),
  ofHost('env_file', envFile),
  ofHost('network_setup', checkNetworkSetup),
  ofWork('data', ({ dataDir }) => [dataFolder(dataDir)]),
  ofWork('mirrors', async (config) => [await checkMirrors(config)]),
  ofWork('ledger', async ({ dataDir, database }) => [
    database === null ? checkLedger(dataDir) : await inPostgres(dataDir, database),
  ]),
  ofControl('telegram', checkTelegram),
  ofControl('slack', checkSlackAccess),
  ofWork('github', githubChecks),
  ofWork('network', networkChecks),
  ofControl('webhooks', (config) => [checkWebhooks(config)]),
  ofControl('labels', labelChecks),
  ofWork('signing', checkSigning),
  ofWork('bucket', checkBucket),
  ofWork('engines', engineChecks),
  ofWork('costs', costChecks),
];

/** Gives each finding as soon as it is there: the network may take its time. */
export async function* runProbes(): AsyncGenerator<DoctorCheck> {
  const settings = readSettings();
  for (const { run } of PROBES) yield* await run(settings);
}
