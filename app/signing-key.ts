/** The key that signs our commits, checked before anything is begun. */
import { keyProblem } from '#git';
import { shownTo, type WorkConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

/** Throws ConfigError where the key that was named cannot be used. */
export const signingOf = (config: WorkConfig): { signingKey?: string } => {
  const key = config.file.signing?.sshKey;
  if (key === undefined) return {};
  const problem = keyProblem(key, shownTo(config));
  if (problem !== null) throw new ConfigError(`signing.sshKey: ${problem}`);
  return { signingKey: key };
};
