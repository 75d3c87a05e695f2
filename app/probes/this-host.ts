/** Checks what is on this machine: programs, files, settings, the ledger. */
import { accessSync, constants, existsSync, mkdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { assertDataDirUsable, DatabaseFailure, inspectPostgres, checkStoredLedger } from '#db';
import { createSandbox, findHostEngine, probeContainment } from '#sandbox';
import { findProgram } from '#engines';
import { gitVersion, checkSigningKey, listMirrors } from '#git';
import { createDataLayout } from '#process';
import { GB, MB } from '#model/values';
import type { LanguageTexts } from '#language';
import { systemClock } from '../clock.ts';
import { pathsShownToBox, type ControlConfig, type WorkConfig } from '../config.ts';
import { describeFailure } from '../describe-failure.ts';
import { findProxyRoute } from './network.ts';
import { type DoctorHost, failedResult, goodResult, warningResult, type HostResult } from './host-result.ts';

/** AgentPR may run on its package's Node while another one is on PATH. */
export const checkNode = (searchPath: string): HostResult => {
  const onPath = findProgram('node', searchPath);
  return goodResult('node', {
    kind: 'node',
    version: process.versions.node,
    isOwn: onPath?.file !== realpathSync(process.execPath),
    onPath: onPath?.file ?? null,
    uv: process.versions.uv,
  });
};

const EVERYBODY_ELSE = 0o077;
export const checkEnvFile = (): HostResult[] => {
  const found = statSync('.env', { throwIfNoEntry: false });
  if (!found) return [];
  const mode = (found.mode & 0o777).toString(8);
  // guard: O2-env-read
  const isPrivate = (found.mode & EVERYBODY_ELSE) === 0;
  return [(isPrivate ? goodResult : failedResult)('.env', { kind: 'env_file', mode, isPrivate })];
};

export const checkGit = async (): Promise<HostResult> => {
  const { says: version, fits, path, oldest } = await gitVersion();
  return fits
    ? goodResult('git', { kind: 'git_version', version })
    : failedResult('git', { kind: 'git_unfit', version, path, oldest });
};

const checkContainers = async ({ dataDir, file, operator }: WorkConfig): Promise<HostResult[]> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const outcome = await createSandbox({
    setting: 'container',
    dataDir,
    allowedCalls: file.sandboxCalls,
    containers: { ...file.containers, env: operator.env },
  });
  if (outcome.kind === 'refused') return [failedResult('sandbox', outcome.fault)];
  const { level, weaknesses } = outcome.sandbox;
  const hosts = await Promise.all(
    file.boxes.map(async ({ host }) => {
      const found = await findHostEngine(host, operator.env);
      return 'fault' in found ? [failedResult(host, found.fault)] : [];
    }),
  );
  return [goodResult('sandbox', { kind: 'sandbox', level, weaknesses: [...weaknesses] }), ...hosts.flat()];
};

export const checkSandbox = async ({
  config,
  texts,
}: Pick<DoctorHost, 'config' | 'texts'>): Promise<HostResult[]> => {
  if (config?.sandbox === 'container') return checkContainers(config);
  const wanted = config?.sandbox ?? 'bwrap';
  const only = wanted === 'bwrap' || wanted === 'unshare' ? wanted : undefined;
  const probe = await probeContainment(only, config?.file.sandboxCalls).catch((error: unknown) =>
    describeFailure(texts, error),
  );
  if (typeof probe === 'string') return [failedResult('sandbox', { kind: 'sandbox_untried', cause: probe })];
  const { profile, weaknesses, fault } = probe;
  const level = profile.kind;
  if (only !== undefined && level !== only)
    return [failedResult('sandbox', fault ?? { kind: 'sandbox', level, weaknesses })];
  // E22: what a level cannot give is said.
  const isUnfiltered = level !== 'group' && profile.filter === null;
  return [
    isUnfiltered
      ? warningResult('sandbox', { kind: 'sandbox_unfiltered', level, weaknesses })
      : goodResult('sandbox', { kind: 'sandbox', level, weaknesses }),
    ...(fault && wanted === 'auto' ? [warningResult('sandbox', fault)] : []),
  ];
};

export const checkDataFolder = ({ dataDir: dir }: WorkConfig, texts: LanguageTexts): HostResult => {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    assertDataDirUsable(dir);
    accessSync(dir, constants.W_OK);
  } catch (error) {
    if (error instanceof DatabaseFailure)
      return failedResult('data', { kind: 'data_unusable', cause: describeFailure(texts, error) });
    return failedResult('data', { kind: 'data_unwritable', cause: describeFailure(texts, error), dir });
  }
  const { bavail, bsize } = statfsSync(dir);
  const free = (bavail * bsize) / GB;
  return (free > 1 ? goodResult : failedResult)('data', { kind: 'data', dir, free: free.toFixed(1) });
};

export const checkMirrors = async ({ dataDir, file }: WorkConfig): Promise<HostResult> => {
  const found = await listMirrors(createDataLayout(dataDir));
  const taken = found.reduce((sum, { bytes }) => sum + bytes, 0) / MB;
  const { diskMb: limit } = file.mirrors;
  const check = taken <= limit ? goodResult : failedResult;
  return check('mirrors', { kind: 'mirrors', count: found.length, mb: Math.ceil(taken), limit });
};

const checkLedgerFile = (dir: string, texts: LanguageTexts): HostResult => {
  const wrong = checkStoredLedger(dir);
  if (wrong !== null)
    return failedResult('ledger', { kind: 'ledger_broken', cause: describeFailure(texts, wrong) });
  return goodResult('ledger', {
    kind: existsSync(join(dir, 'ledger.db')) ? 'ledger_whole' : 'ledger_absent',
  });
};

const inPostgres = async (dir: string, database: string, texts: LanguageTexts): Promise<HostResult> => {
  const found = await inspectPostgres(dir, database);
  return 'wrong' in found
    ? failedResult('ledger', { kind: 'postgres_broken', cause: describeFailure(texts, found.wrong) })
    : goodResult('ledger', { kind: 'postgres', ...found });
};

export const checkLedger = async (
  { dataDir, database }: WorkConfig,
  texts: LanguageTexts,
): Promise<HostResult> =>
  database === null ? checkLedgerFile(dataDir, texts) : inPostgres(dataDir, database, texts);

export const checkSigning = (config: WorkConfig): HostResult[] => {
  const key = config.file.signing?.sshKey;
  if (key === undefined) return [];
  const problem = checkSigningKey(key, pathsShownToBox(config));
  return [
    problem === null
      ? goodResult('signing', { kind: 'signing', key })
      : failedResult('signing', { kind: 'signing_broken', cause: problem }),
  ];
};

export const checkWebhooks = ({ webhooks: taken, http }: ControlConfig): HostResult =>
  goodResult('webhooks', {
    kind: 'webhooks',
    to: taken === null ? null : (http.publicUrl ?? `port ${http.port}`),
  });

export const checkBucket = async (config: WorkConfig, texts: LanguageTexts): Promise<HostResult[]> => {
  const { bucket: settings } = config;
  if (!settings) return [];
  try {
    const { createBucket } = await import('../s3-bucket.ts');
    await createBucket(settings, systemClock).check();
    return [
      goodResult('bucket', { kind: 'bucket', url: settings.url, way: findProxyRoute(config, settings.url) }),
    ];
  } catch (error) {
    return [failedResult('bucket', { kind: 'bucket_broken', cause: describeFailure(texts, error) })];
  }
};
