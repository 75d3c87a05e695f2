/** The version of this agentpr, as its package says. */
import { readFileSync } from 'node:fs';

export const packageVersion = (): string => {
  const file = new URL(import.meta.resolve('#package'));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};
