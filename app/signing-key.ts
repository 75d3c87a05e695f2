/** Checks the configured key for signing commits at start. */
import { keyProblem } from '#git';
import { shownTo, type WorkConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

export const signingOf = (config: WorkConfig): { signingKey?: string } => {
  const key = config.file.signing?.sshKey;
  if (key === undefined) return {};
  const problem = keyProblem(key, shownTo(config));
  if (problem !== null) throw new ConfigError(`signing.sshKey: ${problem}`);
  return { signingKey: key };
};
