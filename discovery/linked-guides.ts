/** Finds the files that guides, READMEs and templates name for whoever contributes. */
import { findAllMatches } from '#model/values';
import { isThirdPartyFile, isText } from './rule-files.ts';

type Guide = { path: string; text: string };

const PROSE = /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|org|pod)$|(?:^|\/)[A-Z][A-Z_-]{3,}$/;
/** Markdown, AsciiDoc, reStructuredText and HTML; a path between backticks or bare names a file as well. */
const LINKS: readonly RegExp[] = [
  /\[([^[\]\n]{0,200})\]\(\s*<?([^)\s>]{1,300})/g,
  /^\s{0,3}\[([^\]\n]{1,100})\]:\s*<?(\S{1,300}?)>?\s*$/gm,
  /(?:link|xref):([^[\s]{1,300})\[([^\]\n]{0,200})\]/g,
  /`([^`<\n]{1,200})<([^>\s]{1,300})>`_/g,
  /:(?:doc|ref|download):`([^`<\n]{0,200}<)?([\w./-]{1,200})>?`/g,
  /<a href="([^"\s]{1,300})">([^<\n]{0,200})/g,
  /`{1,2}(?=(\.?[\w./-]{1,200}\.(?:md|rst|txt|adoc))`)([^`]{1,200})`/g,
  /(?<![\w/`(<".:-])([\w-]{1,60}(?:\/[\w-]{1,60}){1,6}\.(?:md|rst|txt|adoc))(?![\w/-])/g,
];
const FOR_CONTRIBUTORS =
  /contribut|provenance|\b(?:AI|LLMs?)\b|[-_/](?:ai|llms?)[-_./]|polic(?:y|ies)|guideline|pull[-_ ]?request|\bPRs?\b|commit|patch|coding[-_ ]?(?:style|convention)|code[-_ ]?(?:style|convention)|style[-_ ]?guide|workflow|sign[-_ ]?off|\bDCO\b|develop|hacking|review|changelog|conduct|submit/i;
/** Tells users what has changed, in sentences about branches and changes that are over. */
const OF_RELEASES =
  /(?:^|\/)(?:changelog|changes|history|news|releases?)(?:\.\w+)?$|(?:^|[/_-])(?:upgrad|migrat)[\w.-]*$/i;
const OF_HOST =
  /^https?:\/\/(?:github|raw\.githubusercontent)\.com\/[^/]+\/[^/]+\/(?:blob\/|raw\/|tree\/)?[^/]+\/(.+)$/i;

const folderOf = (path: string): string[] => path.split('/').slice(0, -1);
/** The path in the tree that a link from this file leads to, or null. */
const targetOf = (link: string, from: string): string | null => {
  const plain = (OF_HOST.exec(link)?.[1] ?? link).replace(/[#?].*$/, '');
  if (/^[a-z]+:/i.test(plain) || plain === '') return null;
  const inTree = OF_HOST.test(link) || plain.startsWith('/');
  const parts = inTree ? [] : folderOf(from);
  for (const part of plain.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
};

const MOST_LINKS = 400;
const MOST_GUIDES = 15;
/** Characters of a file in which links are looked for. */
const LONGEST_GUIDE = 32_000;

const README_BELOW = /^(.+)\/readme(?:\.\w+)?$/i;
/** The README of a part tells what the part is. */
const isOfPart = (path: string): boolean => {
  const folder = README_BELOW.exec(path)?.[1];
  return folder !== undefined && !FOR_CONTRIBUTORS.test(folder) && !/^(?:\.github|docs?)$/i.test(folder);
};
const isProseOfOurs = (path: string): boolean =>
  PROSE.test(path) && isText(path) && !isThirdPartyFile(path) && !OF_RELEASES.test(path) && !isOfPart(path);

/** In the order in which they are named, at most fifteen; what `known` holds is read already. */
export const findLinkedGuides = (
  guides: readonly Guide[],
  there: ReadonlySet<string>,
  known: readonly string[],
): string[] => {
  const found = new Set<string>();
  for (const { path: from, text } of guides)
    for (const pattern of LINKS)
      for (const [whole, one = '', two = ''] of findAllMatches(text.slice(0, LONGEST_GUIDE), pattern).slice(
        0,
        MOST_LINKS,
      )) {
        if (!FOR_CONTRIBUTORS.test(whole)) continue;
        for (const link of [one, two]) {
          const target = targetOf(link, from);
          const path = target === null ? null : [target, `${target}.rst`].find((p) => there.has(p));
          if (path && isProseOfOurs(path) && !known.includes(path)) found.add(path);
        }
      }
  return [...found].slice(0, MOST_GUIDES);
};
