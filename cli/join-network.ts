/** O9: proxies and certificates of the environment hold for this process from its first request on. */
import { installNetwork, namedCertificates, readProxies } from '#network';
import { fileSettings, readRawEnvironment } from './environment.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';

/** Addresses of the settings, which clients are told of one by one where they cannot read NO_PROXY. */
const ADDRESSES = [
  'TELEGRAM_API_ROOT',
  'GITHUB_API_URL',
  'AGENTPR_BUCKET_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
];

const chatModelAddress = (): string[] => {
  try {
    return [fileSettings().chat.model?.url ?? ''];
  } catch (error) {
    // The command that needs the settings says what is wrong with them.
    if (error instanceof CommandExit) return [];
    throw error;
  }
};

/** Throws a sentence. */
export const joinNetwork = (): void => {
  const env = readRawEnvironment();
  const known = [...ADDRESSES.map((name) => env[name] ?? ''), ...chatModelAddress()];
  try {
    installNetwork({
      proxies: readProxies(env),
      certificates: namedCertificates(env),
      known: known.flatMap((address) => URL.parse(address) ?? []),
    });
  } catch (error) {
    throw new CommandExit(EXIT_CODES.config, error instanceof Error ? error.message : String(error));
  }
};
