/** Collects the operator's secrets that no output may contain (C5). */
import { isSecret, rememberExposed, secretsInVariable } from '#engines';
import { createExposedSecrets, type ExposedSecrets, secretsOfSignIn } from '#sandbox';
import { fileSettings, readRawEnvironment } from './environment.ts';

/** `name=value,name=value`; the values may be credentials. */
const HEADERS = /_HEADERS$/;

export const collectKnownSecrets = (): ExposedSecrets => {
  const lent = createExposedSecrets();
  const env = readRawEnvironment();
  const { engines, arrivals } = fileSettings();
  const ofHooks = new Set(Object.values(arrivals.hooks).flatMap(({ secret }) => secret));
  for (const [name, value = ''] of Object.entries(env)) {
    if (isSecret(name, '', { named: false }) || ofHooks.has(name) || value.includes('://'))
      lent.add(name, secretsInVariable(value));
    else if (HEADERS.test(name)) lent.add(name, secretsOfSignIn(value.replaceAll(',', '\n')));
  }
  rememberExposed(lent, engines, { env, home: env.HOME ?? '/nonexistent' });
  return lent;
};
