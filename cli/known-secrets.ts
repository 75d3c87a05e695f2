/**
 * C5: what of the operator's own must stand in nothing that is given away, however it is written:
 * the secrets of the environment, and what agents may be lent.
 */
import { isSecret, rememberExposed, secretsInVariable } from '#engines';
import { createExposedSecrets, type ExposedSecrets, secretsOfSignIn } from '#sandbox';
import { fileSettings, readRawEnvironment } from './environment.ts';

/** `name=value,name=value`, where the values let somebody in. */
const HEADERS = /_HEADERS$/;

export const knownSecrets = (): ExposedSecrets => {
  const lent = createExposedSecrets();
  const env = readRawEnvironment();
  const { engines, arrivals } = fileSettings();
  const ofHooks = new Set(Object.values(arrivals.hooks).flatMap(({ secret }) => secret));
  for (const [name, value = ''] of Object.entries(env)) {
    if (isSecret(name, '', false) || ofHooks.has(name) || value.includes('://'))
      lent.add(name, secretsInVariable(value));
    else if (HEADERS.test(name)) lent.add(name, secretsOfSignIn(value.replaceAll(',', '\n')));
  }
  rememberExposed(lent, engines, { env, home: env.HOME ?? '/nonexistent' });
  return lent;
};
