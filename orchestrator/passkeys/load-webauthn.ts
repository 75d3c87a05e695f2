/** Loads the library that reads what keys sign, when the first key is asked for. */

export const loadWebauthn = async (): Promise<typeof import('@simplewebauthn/server')> => {
  // A package below it throws where this comes later, as it does in our bundle.
  await import('reflect-metadata');
  return import('@simplewebauthn/server');
};

export const loadWebauthnHelpers = async (): Promise<typeof import('@simplewebauthn/server/helpers')> => {
  await import('reflect-metadata');
  return import('@simplewebauthn/server/helpers');
};
