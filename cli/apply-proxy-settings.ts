/** Applies the environment's proxies and certificates before the first request (O9). */
import { installNetwork, readCertificateVariables, readProxies } from '#network';
import { readFileSettings, readRawEnvironment } from './load-config.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';

/** Hosts of these URLs are matched with NO_PROXY here, for clients that cannot. */
const ADDRESSES = [
  'TELEGRAM_API_ROOT',
  'SLACK_API_ROOT',
  'GITHUB_API_URL',
  'AGENTPR_BUCKET_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
];

const chatAddresses = (): string[] => {
  try {
    const { model, voice } = readFileSettings().chat;
    return [model?.url ?? '', voice?.url ?? ''];
  } catch (error) {
    // Ignored here; the command that needs the settings reports it.
    if (error instanceof CommandExit) return [];
    throw error;
  }
};

export const applyProxySettings = (): void => {
  const env = readRawEnvironment();
  const known = [...ADDRESSES.map((name) => env[name] ?? ''), ...chatAddresses()];
  try {
    installNetwork({
      proxies: readProxies(env),
      certificates: readCertificateVariables(env),
      known: known.flatMap((address) => URL.parse(address) ?? []),
    });
  } catch (error) {
    throw new CommandExit(EXIT_CODES.config, {
      kind: 'told',
      says: error instanceof Error ? error.message : String(error),
    });
  }
};
