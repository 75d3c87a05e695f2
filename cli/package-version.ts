/** Reads the version from the package. */
import { readFileSync } from 'node:fs';

export const packageVersion = (): string => {
  const file = new URL(import.meta.resolve('#package'));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};
