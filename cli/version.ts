/** The version of this agentpr, as its package says. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const version = (): string => {
  const file = new URL(import.meta.resolve('#package'));
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
};
