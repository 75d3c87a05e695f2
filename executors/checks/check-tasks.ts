/** Reading of what a command printed, in a thread of readers. */
import { readVerdict } from './read-verdict.ts';

export const tasks = { verdict: readVerdict };
