/** Parses the output of checks in reader threads. */
import { readVerdict } from './read-verdict.ts';

export const readerTasks = { verdict: readVerdict };
