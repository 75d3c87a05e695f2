/** Keeps sentences of an agent that the diff and our evidence confirm (F9). */
import type { CheckResult } from '#model/evidence';
import type { FileChange } from '#model/change';
import { baseName, isCi, isLockfile, isManifest, isTest, pathsOf } from '#model/paths';
import { wordPatterns } from '#tools/words';
import { SIGNS } from './template-word-patterns.ts';

/** Evidence for claims. `asked` is the users' text. */
export type ClaimGrounds = {
  files: readonly FileChange[];
  patch: string;
  checks: readonly CheckResult[];
  asked: string;
};

export const isDoc = (path: string): boolean =>
  /(?:^|\/)docs?\/|(?:^|\/)(?:readme|contributing|changelog|changes|history|news)[^/]*$|\.(?:md|mdx|rst|adoc|txt)$/i.test(
    path,
  ) && !/(?:^|\/)(?:requirements[^/]*|cmakelists)\.txt$/i.test(path);

export const isChangelog = (path: string): boolean =>
  /(?:^|\/)(?:changelog|changes|history|news|releases?|release[-_]notes)(?:\.[a-z]+)?$|(?:^|\/)(?:\.changeset|changelog\.d|changes\.d|newsfragments|news|changelogs?(?:\/unreleased)?|releasenotes\/notes|\.changes|\.chronus\/changes|upcoming_changes)\/[^/]+$/i.test(
    path,
  );

const hasFile = ({ files }: ClaimGrounds, is: (path: string) => boolean): boolean =>
  files.some((f) => f.status !== 'deleted' && is(f.path));

const TOPICS = [
  'tests',
  'docs',
  'guides',
  'changelog',
  'dependencies',
  'ci',
  'migrations',
  'examples',
] as const;
export const TOPIC_WORDS = wordPatterns('pull-text/words', 'topics', TOPICS);
const SHOWN_BY: Readonly<Record<(typeof TOPICS)[number], (path: string) => boolean>> = {
  tests: isTest,
  docs: isDoc,
  guides: isDoc,
  changelog: isChangelog,
  dependencies: (path) => isManifest(path) || isLockfile(path),
  ci: isCi,
  migrations: (path) => /migrat/i.test(path),
  examples: (path) => /example|sample|demo|docs?\//i.test(path) || isDoc(path),
};

const FIGURE = /(?<![\w.#-])\d+(?:[.,]\d+)?\s?(?:%|x\b|×|times\b|ms\b|[kmg]i?b\b|seconds?\b|fold\b)/gi;
const CLOSES =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[^\w]{0,10}(?:[\w.-]{1,100}\/[\w.-]{1,100})?(?:#|gh-|https?:\/\/\S{1,500}\/)\d*/gi;
const NUMBER = /(?:#|\bgh-)\d+\b|https?:\/\/\S{1,500}\/(?:issues|pull)\/\d+/gi;

const PATHLIKE =
  /(?<![\w@:/.-])(?:[\w.@-]+\/)*[\w@-][\w.@-]*\.[a-z][a-z0-9]{0,5}(?![\w(])|(?<![\w@:/.-])(?:[\w.@-]+\/){1,}[\w.@-]+/gi;
const CODE_NAME =
  /\b[A-Za-z_$][\w$]*(?=\(\))|\b[A-Za-z0-9]+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b/g;
const WELL_KNOWN =
  /^(?:JavaScript|TypeScript|PostgreSQL|MySQL|SQLite|OpenSSL|macOS|iOS|JSON|YAML|NumPy|PyPI|JUnit|WebSocket|DevTools|OpenAPI|GraphQL|IPv[46]|UTF8?)$/i;

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const hasName = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])`).test(text);

const isChangedPath = ({ files }: ClaimGrounds, name: string): boolean => {
  const plain = name.replace(/^\.\//, '').replace(/:\d+(?::\d+)?$/, '');
  return files
    .flatMap(pathsOf)
    .some((p) => p === plain || p.endsWith(`/${plain}`) || p.startsWith(`${plain.replace(/\/$/, '')}/`));
};

const isPath = (text: string): boolean =>
  /^[\w.@-]+(?:\/[\w.@-]+)*\.[a-z][a-z0-9]{0,5}(?::\d+)*$/i.test(text) || /^[\w.@-]+\/[\w.@/-]+$/.test(text);

const inDiff = (known: ClaimGrounds, text: string): boolean =>
  known.patch.includes(text) || known.files.flatMap(pathsOf).some((p) => p.includes(text));

/** A code span must occur in the diff or in the users' text. */
const spanHolds = (known: ClaimGrounds, span: string): boolean => {
  const plain = span.trim().replace(/\(\)$/, '');
  if (plain === '' || known.asked.includes(plain)) return true;
  if (isPath(plain)) return isChangedPath(known, plain) || known.patch.includes(plain);
  return inDiff(known, plain);
};

const namesHold = (known: ClaimGrounds, sentence: string): boolean => {
  const spans = [...sentence.matchAll(/`([^`\n]+)`/g)].map(([, inner = '']) => inner);
  if (!spans.every((span) => spanHolds(known, span))) return false;
  const bare = sentence.replace(/`[^`\n]*`/g, ' ').replace(/https?:\/\/\S+/g, ' ');
  const paths = [...bare.matchAll(PATHLIKE)].map(([path]) => path.replace(/\.$/, ''));
  const real = paths.filter(
    (p) => /\.[a-z]/i.test(baseName(p)) && !/^(?:e\.g|i\.e|etc|vs|node\.js|next\.js|vue\.js)$/i.test(p),
  );
  if (!real.every((p) => isChangedPath(known, p) || known.patch.includes(p) || known.asked.includes(p)))
    return false;
  const names = [...bare.matchAll(CODE_NAME)].map(([name]) => name).filter((name) => !WELL_KNOWN.test(name));
  return names.every(
    (name) => hasName(known.patch, name) || hasName(known.asked, name) || inDiff(known, name),
  );
};

const figuresHold = ({ patch, asked }: ClaimGrounds, sentence: string): boolean =>
  [...sentence.matchAll(FIGURE)].every(([figure]) => patch.includes(figure) || asked.includes(figure));

const referencesHold = ({ asked }: ClaimGrounds, sentence: string): boolean =>
  !new RegExp(CLOSES.source, 'i').test(sentence) ||
  [...sentence.matchAll(NUMBER)].every(([ref]) => asked.includes(ref));

const COMMON = new Set(
  'about after again also because been before being between both change changed changes code could does each from have here into just like made make makes more most much must never only other over same should some such than that their them then there these they this those through under uses using very well were what when where which while will with without would your'.split(
    ' ',
  ),
);
const listStems = (text: string): string[] => {
  const latin = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 4 && !COMMON.has(word) && !/[\u3040-\u9fff\uac00-\ud7af]/.test(word))
    .map((word) => word.slice(0, 5).replace(/(?:es|s|e)$/, ''));
  const signs = [...text.matchAll(/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,}/g)].flatMap(([run]) =>
    [...run].slice(1).map((sign, i) => `${run[i] ?? ''}${sign}`),
  );
  return [...latin, ...signs];
};

export const sharesWord = (text: string, other: string): boolean => {
  const told = new Set(listStems(other));
  return listStems(text).some((word) => told.has(word));
};

/** Shares a word with the diff, or, as a reason, with the request; or quotes code of the diff. */
const isAbout = (told: ReadonlySet<string>, { patch }: ClaimGrounds, sentence: string): boolean =>
  listStems(sentence).some((word) => told.has(word)) ||
  [...sentence.matchAll(/`([^`\n]+)`/g)].some(
    ([, code = '']) => (code.length > 3 || /[^\0-\x7f]/.test(code)) && patch.includes(code),
  );

const hasDoneEvidence = (facts: ClaimGrounds, sentence: string): boolean =>
  TOPICS.every((topic) => !TOPIC_WORDS[topic].test(sentence) || hasFile(facts, SHOWN_BY[topic]));

const readSentences = (text: string): string[] =>
  text
    .split(/(?<=[.!?;])\s+|(?<=[。！？；])|\n+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

type ClaimAbout = 'change' | 'reason';

export const selectSupportedSentences = (
  text: string | null,
  facts: ClaimGrounds,
  of: ClaimAbout,
): string => {
  if (text === null || text.trim() === '') return '';
  const { patch, asked, files } = facts;
  const told = new Set(
    listStems([patch, ...files.flatMap(pathsOf), ...(of === 'reason' ? [asked] : [])].join('\n')),
  );
  return readSentences(text)
    .filter(
      (one) =>
        !SIGNS.experience.test(one) &&
        !SIGNS.beyond.test(one) &&
        hasDoneEvidence(facts, one) &&
        namesHold(facts, one) &&
        figuresHold(facts, one) &&
        referencesHold(facts, one) &&
        isAbout(told, facts, one),
    )
    .reduce((text, one) => `${text}${/^[。！？；]?$/.test(text.at(-1) ?? '') ? '' : ' '}${one}`, '')
    .replace(/;$/, '.');
};

/** A report may tell in the words of the request what was done; without it the request is published. */
export const selectSubject = (what: string | null, summary: string, facts: ClaimGrounds): string =>
  what === null
    ? selectSupportedSentences(summary, facts, 'change')
    : selectSupportedSentences(what, facts, 'reason');
