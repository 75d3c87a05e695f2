/** The pages of docs: every link leads to a page and a heading, and what users read stays short. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './product.ts';

const MAX_USER_WORDS = 44_000;
const FENCE = '```';

const readPage = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Lines outside of code blocks. */
const proseOf = (text: string): string[] => {
  let isCode = false;
  return text.split('\n').filter((line) => {
    const isFence = line.trimStart().startsWith(FENCE);
    if (isFence) isCode = !isCode;
    return !isCode && !isFence;
  });
};

/** Anchors as GitHub makes them of headings. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    proseOf(text)
      .filter((line) => /^#{1,6} /.test(line))
      .map((line) =>
        line
          .slice(line.indexOf(' ') + 1)
          .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
  );

const linksOf = (text: string): string[] =>
  proseOf(text).flatMap((line) =>
    [...line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, to]) =>
      to === undefined || /^[a-z]+:/.test(to) ? [] : [to],
    ),
  );

const findDeadLinks = (file: string): string[] =>
  linksOf(readPage(file)).filter((to) => {
    const [path = '', anchor] = to.split('#');
    const target = path === '' ? file : relative(ROOT, join(ROOT, dirname(file), path));
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(readPage(target)).has(anchor);
  });

/** Pages that the index lists for those who use it and those who run it. */
const userPages = (): string[] => {
  const [, using = '', running = ''] = readPage('docs/README.md').split(/^## /m);
  const listed = [...`${using}${running}`.matchAll(/\]\(([a-z-]+\.md)/g)].map(([, page = '']) => page);
  return [...new Set(listed)].map((page) => `docs/${page}`);
};

/** Everything but pictures and what is generated from rows. */
const formatCount = (text: string): number =>
  text
    .replaceAll(/<!-- table: [^]*?<!-- end of table -->|<picture>[^]*?<\/picture>/g, '')
    .split(/\s+/)
    .filter(Boolean).length;

it('every link of a page leads to a page and a heading', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT });
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.flatMap((file) => findDeadLinks(file).map((to) => `${file}: ${to}`))).toEqual([]);
});

it('what users are to read has at most 44,000 words', () => {
  const pages = userPages();
  expect(pages.length).toBeGreaterThan(20);
  const words = pages.reduce((sum, page) => sum + formatCount(readPage(page)), 0);
  expect(words).toBeLessThanOrEqual(MAX_USER_WORDS);
});
