/** The credentials for GitHub as they are configured. */
import { accountOnly, createCredentials, type Credentials } from '../forge/credentials.ts';
import type { Clock } from '../orchestrator/ports.ts';
import type { WorkConfig } from './config.ts';

export const credentialsOf = (
  { github: { apiUrl, token, app } }: Pick<WorkConfig, 'github'>,
  clock: Clock,
): Credentials =>
  app === null ? accountOnly(token ?? '') : createCredentials({ apiUrl, token, app, clock });
