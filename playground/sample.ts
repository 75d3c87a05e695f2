/** The sample repository: a small real package whose documentation is right, whose tests pass, and which has one bug. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A goal that a person would give for it. */
export const sampleGoal =
  'Waits start at twice the documented time (200 ms instead of 100 ms). Fix the first wait, with a test.';

/** The directory with its files, from source and from a build (which copies no files). */
export function sampleDirectory(): string {
  const places = ['./sample/', '../../playground/sample/'].map((place) => new URL(place, import.meta.url));
  const found = places.find((place) => existsSync(new URL('package.json', place)));
  if (!found) throw new Error('The sample repository (playground/sample) is missing: install AgentPR again.');
  return fileURLToPath(found);
}
