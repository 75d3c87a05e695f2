/**
 * The glossary: one word for each thing, and words that no exported name and no file name uses.
 * `npm run docs:glossary` prints docs/glossary.md from docs/glossary.json.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './product.ts';

type Term = { term: string; meaning: string; banned?: string[] };
const { sections } = JSON.parse(readFileSync(join(ROOT, 'docs/glossary.json'), 'utf8')) as {
  sections: { title: string; terms: Term[] }[];
};

/** The glossary's own term by each word that is not to be used for it. */
export const BANNED_WORDS: ReadonlyMap<string, string> = new Map(
  sections.flatMap(({ terms }) =>
    terms.flatMap(({ term, banned = [] }) => banned.map((word) => [word, term] as const)),
  ),
);

const rowOf = ({ term, meaning, banned = [] }: Term): string =>
  `| ${term} | ${meaning} | ${banned.join(', ')} |`;

/** The page `docs/glossary.md`. */
export const glossaryPage = (): string =>
  [
    '# Glossary',
    '',
    'The words that code, docs and messages use, each with one meaning. Where the field has a term, it is used. No exported name',
    'and no file name uses a word of the last column; a test looks. Written by `npm run docs:glossary` from `glossary.json`.',
    ...sections.flatMap(({ title, terms }) => [
      '',
      `## ${title}`,
      '',
      '| term | meaning | not |',
      '|---|---|---|',
      ...terms.map(rowOf),
    ]),
    '',
  ].join('\n');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(glossaryPage());
