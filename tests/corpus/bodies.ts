/**
 * Bodies of pull requests over the shapes of real templates, for reading: one file a template and
 * change.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rendered, SAMPLES, type Sample } from '../support/change-samples.ts';
import { unsupportedIn, untrueFor } from './judge.ts';

const TEMPLATES = join(import.meta.dirname, '../fixtures/templates');

export const writeBodies = (folder: string): number => {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(TEMPLATES).sort();
  for (const name of names)
    for (const [change, sample] of Object.entries(SAMPLES)) {
      const { title, body } = rendered(sample, readFileSync(join(TEMPLATES, name), 'utf8'));
      writeFileSync(join(folder, `${name.replace('.md', '')}-${change}.md`), `${title}\n\n${body}\n`);
    }
  return names.length * Object.keys(SAMPLES).length;
};

const JUDGED = 100;

const boasting = (sample: Sample, index: number): Sample => {
  const [first = '', second = '', third = ''] = untrueFor(index);
  const { why = '', tested = '', note = '' } = sample.said;
  const said = {
    ...sample.said,
    why: `${why} ${first}`,
    tested: `${tested} ${second}`,
    note: `${note} ${third}`,
  };
  return { ...sample, said };
};

/** Claims that nothing bears out, in bodies over the shapes of real templates. */
export const judgeBodies = (): { bodies: number; unsupported: string[] } => {
  const pairs = readdirSync(TEMPLATES)
    .sort()
    .flatMap((name) => Object.entries(SAMPLES).map(([change, sample]) => ({ name, change, sample })))
    // Of every seven, five: all templates and all changes are among them.
    .filter((_, i) => i % 7 < 5)
    .slice(0, JUDGED);
  const unsupported = pairs.flatMap(({ name, change, sample }, i) => {
    const template = readFileSync(join(TEMPLATES, name), 'utf8');
    const told = boasting(sample, i);
    return unsupportedIn(rendered(told, template), told, template).map(
      (claim) => `${name} ${change}: ${claim}`,
    );
  });
  return { bodies: pairs.length, unsupported };
};
