/** Reads the environment once: process.env before `.env`, and agentpr.config.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  readConfig,
  parseDatabaseUrl,
  readPath,
  readWorkerConfig,
  type ControlConfig,
  type WorkConfig,
} from '../app/config.ts';
import { refuseMisspelt, type ProcessRole } from '../app/environment-schema.ts';
import { readSettings } from '../app/settings-schema.ts';
import { ConfigError } from '../app/config-error.ts';
import { readDotEnv, decodeUtf8Settings } from './read-dot-env.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';

/** Says which settings to correct, and which page describes them. */
const NEXT_STEPS = { env: 'example', config: 'file', both: 'both' } as const;
const toConfigExit = (error: ConfigError): CommandExit =>
  new CommandExit(EXIT_CODES.config, { kind: 'told', says: error.inWords(cliWords()) });

const settingsIn = <T>(name: string, read: (bytes: Uint8Array, file: string) => T): T | null => {
  const file = join(process.cwd(), name);
  try {
    return read(readFileSync(file), name);
  } catch (error) {
    if (error instanceof ConfigError) throw toConfigExit(error);
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CommandExit(EXIT_CODES.config, { kind: 'unreadable', file, says: message });
  }
};

type Environment = { env: Record<string, string | undefined>; dotEnv: string[] };
const readBoth = (): Environment => {
  const file = settingsIn('.env', readDotEnv) ?? {};
  return { env: { ...file, ...process.env }, dotEnv: Object.keys(file) };
};
export const readRawEnvironment = (): Environment['env'] => readBoth().env;

/** What was given to this command alone: `.env` has nothing or something else. */
export const readGivenSettings = (names: readonly string[]): Record<string, string> => {
  const file = settingsIn('.env', readDotEnv) ?? {};
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value && value !== file[name] ? [[name, value]] : [];
    }),
  );
};

type Reading<T> = (...of: Parameters<typeof readConfig>) => T;
const loadSettings = <T>(reading: Reading<T>, over: Record<string, string>): T => {
  try {
    const { env, dotEnv } = readBoth();
    return reading(
      { ...env, ...over },
      settingsIn('agentpr.config.json', decodeUtf8Settings),
      process.cwd(),
      dotEnv,
    );
  } catch (error) {
    if (error instanceof ConfigError)
      throw new CommandExit(EXIT_CODES.config, {
        kind: 'settings_wrong',
        says: error.inWords(cliWords()),
        step: NEXT_STEPS[error.of],
      });
    throw error;
  }
};
const asRole = (role?: ProcessRole): Record<string, string> => (role ? { AGENTPR_ROLE: role } : {});

export const loadConfig = (role?: ProcessRole): ControlConfig => loadSettings(readConfig, asRole(role));
export const loadWorkerConfig = (): WorkConfig => loadSettings(readWorkerConfig, asRole('worker'));
export const isWorker = (role?: ProcessRole): boolean =>
  (role ?? readRawEnvironment().AGENTPR_ROLE) === 'worker';

export const readSettingsFile = (): string | null => settingsIn('agentpr.config.json', decodeUtf8Settings);

export const readFileSettings = (): ControlConfig['file'] => {
  try {
    return readSettings(settingsIn('agentpr.config.json', decodeUtf8Settings));
  } catch (error) {
    if (error instanceof ConfigError) throw toConfigExit(error);
    throw error;
  }
};

const inWords = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) throw toConfigExit(error);
    throw error;
  }
};

export const resolveDataDir = (given: string | undefined): string => {
  if (given !== undefined) return given;
  const { env, dotEnv } = readBoth();
  refuseMisspelt(Object.keys(env), dotEnv);
  return inWords(() => readPath('AGENTPR_DATA_DIR', env, process.cwd()) ?? join(process.cwd(), '.agentpr'));
};

/** URL of the ledger's Postgres; null keeps it in the data directory. */
export const readDatabaseUrl = (): string | null =>
  inWords(() => parseDatabaseUrl(readRawEnvironment().DATABASE_URL));
