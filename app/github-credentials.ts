/** Creates the configured GitHub credentials. */
import { accountOnly, createCredentials, type ForgeCredentials } from '#forge';
import type { SystemClock } from '#ports/processes';
import type { WorkConfig } from './config.ts';

export const credentialsOf = (
  { github: { apiUrl, token, app } }: Pick<WorkConfig, 'github'>,
  clock: SystemClock,
): ForgeCredentials =>
  app === null ? accountOnly(token ?? '') : createCredentials({ apiUrl, token, app, clock });
