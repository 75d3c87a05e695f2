/** Reads the file with the sentences of a language. The bundle of the GitHub Action has the few that it says in its place. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const readSentenceFile = (name: string): string =>
  readFileSync(join(fileURLToPath(import.meta.resolve('#sentences')), `${name}.ftl`), 'utf8');
