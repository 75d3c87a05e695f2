/** Finds effects of published text (mentions, closing words, bot commands) and disarms it (P2). */
import { withoutUnseen } from './invisible-characters.ts';
import { trimEndCharacters } from '#model/values';
import type { WORD_SIGNALS } from '#model/assessment';

export type TextSignal = { kind: (typeof WORD_SIGNALS)[number]; excerpt: string };

const MENTION = /(?<!\w)@[a-z0-9]|&(?:#64|#x40|commat);?/i;
const CLOSING =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[^\w`]{0,10}(?:(?:[\w.-]{1,100}\/[\w.-]{1,100})?#\d|gh-\d|https?:\/\/\S{1,500}\/(?:issues|pull)\/\d)/i;
const SKIP_CI = /\[[ \t]*(?:skip[ \t_-]+[a-z]+|no[ \t_-]+ci|[a-z]+[ \t_-]+skip)[ \t]*\]|\*{3}NO_CI\*{3}/i;
const BOT_COMMAND =
  /^[ \t]*(?:(?:[>*+-]|\d+[.)])[ \t]*)*(?:[/!][a-z]|bors\b|recheck\b)|\bbors[ \t]+(?:r[+=?]|merge|try|delegate)/im;
const TRAILER =
  /^[ \t>*+-]*(?:[a-z]+(?:-[a-z]+)*-by|change-id|skip-checks|reviewed-on|release-as|on-behalf-of|cc)[ \t]*:/im;

const PATTERNS: readonly [TextSignal['kind'], RegExp][] = [
  ['mention', MENTION],
  ['closing_keyword', CLOSING],
  ['bot_command', BOT_COMMAND],
];
/** Bots and git read raw text, also inside of code spans. */
const RAW_PATTERNS: readonly [TextSignal['kind'], RegExp][] = [
  ['skip_ci', SKIP_CI],
  ['trailer', TRAILER],
];

/** Only code spans closed on their line and far from HTML are certain. */
const hasClosedSpans = (line: string): boolean => {
  if (!line.includes('`')) return true;
  const even = (line.match(/`/g) ?? []).length % 2 === 0;
  return even && !/``|\\`|<[a-z!/?]/i.test(line);
};

const withoutCode = (text: string): string =>
  text.split(/\r?\n/).every(hasClosedSpans) ? text.replace(/`[^`\n]*`/g, '`') : text;

export const findTextSignals = (text: string): TextSignal[] => {
  const bare = withoutCode(text);
  const matchSignal = (
    subject: string,
    [kind, pattern]: readonly [TextSignal['kind'], RegExp],
  ): TextSignal[] => {
    const match = pattern.exec(subject);
    return match ? [{ kind, excerpt: subject.slice(match.index, match.index + 40).trim() }] : [];
  };
  return [
    ...PATTERNS.flatMap((p) => matchSignal(bare, p)),
    ...RAW_PATTERNS.flatMap((p) => matchSignal(text, p)),
  ];
};

const NEEDS_CODE = /@\w|#\d|\bgh-\d|\/(?:issues|pull)\/\d|^[\W\d]*[/!][a-z]|\bbors\b|^[\W\d]*recheck\b/i;

const wrapInCode = (word: string): string => {
  const open = /^[("'[*_~]*/.exec(word)?.[0] ?? '';
  const core = trimEndCharacters(word.slice(open.length), ')]"\'.,:;!?*_~\\');
  return core === '' ? word : `${open}\`${core}\`${word.slice(open.length + core.length)}`;
};

const toPlainText = (text: string): string => withoutUnseen(text.toWellFormed()).replace(/[^\S\n\t ]/g, ' ');

/** A code span does not stop a skip-CI mark, so it is split. */
const disarmSkipMarks = (text: string): string =>
  text
    .replace(/(?<!\*)\*+(NO_CI)\*+/gi, '$1')
    .replace(new RegExp(SKIP_CI, 'gi'), (mark) => `(${mark.slice(1, -1)})`);

/** Removes hidden parts, HTML, images and code. */
const disarmMarkup = (text: string): string =>
  disarmSkipMarks(text.replaceAll('`', "'"))
    .replace(/&(?=#?\w)/g, '& ')
    .replace(/<(https?:\/\/[^<>\s]{1,500})>/gi, '$1')
    .replace(/<(?=[a-z!/?])/gi, '< ')
    .replace(/(?<!!)!+\[/g, '[');

/** Private-use characters stand for code spans meanwhile. */
const PRIVATE_USE_MARKS = /[\ue000-\uf8ff]/g;
const FIRST_MARK = 0xe000;
const MOST_SPANS = 0xf8ff - FIRST_MARK;

type Spanned = { text: string; spans: string[] };

/** Only spans on lines without other backticks. */
const takeSpans = (text: string): Spanned => {
  const spans: string[] = [];
  const replaceSpans = (line: string): string => {
    const ticks = line.match(/`/g)?.length ?? 0;
    if (ticks % 2 === 1 || /``|\\`/.test(line)) return line;
    return line.replace(/`([^`]+)`/g, (whole, inner: string) => {
      if (inner.trim() === '' || spans.length >= MOST_SPANS) return whole;
      return String.fromCharCode(FIRST_MARK + spans.push(inner) - 1);
    });
  };
  // Placeholders of earlier text are removed.
  const clean = toPlainText(text.replace(/\r\n?/g, '\n'));
  return { text: clean.includes('`') ? clean.split('\n').map(replaceSpans).join('\n') : clean, spans };
};

const innerOf = (spans: readonly string[], mark: string): string =>
  disarmSkipMarks(spans[mark.charCodeAt(0) - FIRST_MARK] ?? '')
    .replace(/<(?=[a-z!/?])/gi, '< ')
    .replace(/(?<![\\\s])[\\\s]+$/, '')
    .trimStart() || '-';

/** `](https://…/guide.md#8-tests)`: a place in a linked page refers to no issue. */
const LINKED_PLACE = /(\]\(https?:\/\/[^\s()#]{1,500})#[^\s()#@&]{1,200}(?=\))/g;

/** Keeps code spans; a word that becomes code absorbs adjacent spans. */
const aroundSpans = (text: string, which: RegExp, made: (words: string) => string): string => {
  const taken = takeSpans(text);
  const bareInner = (word: string): string =>
    word.replace(PRIVATE_USE_MARKS, (m) => innerOf(taken.spans, m)).replace(/<(?=[a-z!/?])/gi, "'");
  const coded = made(taken.text).replace(/\S+/g, (word) =>
    which.test(word.replace(PRIVATE_USE_MARKS, '`').replace(LINKED_PLACE, '$1'))
      ? wrapInCode(bareInner(word))
      : word,
  );
  return withoutTrailers(coded).replace(PRIVATE_USE_MARKS, (m) => `\`${innerOf(taken.spans, m)}\``);
};

const withoutTrailers = (text: string): string =>
  text.replace(new RegExp(TRAILER, 'gim'), (m) => `${m.slice(0, -1).trimEnd()} –`);

/** Disarms a text by turning names and references into code, without invisible characters. */
export const neutraliseText = (text: string): string =>
  aroundSpans(text.replace(LINK_TO_ISSUE, '$1 ($2)'), NEEDS_CODE, disarmMarkup);
const LINK_TO_ISSUE = /\[([^\][\n]{1,200})\]\(([^()\s]{1,500}\/(?:issues|pull)\/\d[^()\s]{0,100})\)/g;

const ACTS = /@\w|^[\W\d]*[/!][a-z]|\bbors\b|^[\W\d]*recheck\b/i;
/** F9: a user's own words keep references and closing words, but ping nobody. */
export const neutralisePersonalText = (text: string): string =>
  aroundSpans(text.replace(/\[x\]/gi, '[ ]'), ACTS, disarmMarkup);

const withoutMarkup = (text: string): string =>
  text
    .replace(/\](?=[([:])/g, '] ')
    .replace(/~{3,}|\${2,}/g, (signs) => [...signs].join(' '))
    .replace(/^([ \t>]*)(?==+[ \t]*$|-+[ \t]*$)/gm, '$1· ');

const LEADS = /[a-z][a-z0-9+.-]{0,30}:\/\/|\bwww\.|(?<!\w)(?=[a-f]*\d)[0-9a-f]{7,64}(?!\w)|\$/i;
const LEADS_OR_ACTS = new RegExp(`${NEEDS_CODE.source}|${LEADS.source}`, 'i');

/** G8: an agent's text in a description may not even link or draw. */
export const neutraliseDescription = (text: string): string =>
  aroundSpans(text.replace(/\[x\]/gi, '[ ]'), LEADS_OR_ACTS, (words) => withoutMarkup(disarmMarkup(words)));

const ORDERS = /^[\W\d]*[/!][a-z]|\bbors\b|^[\W\d]*recheck\b/i;

/** Splits URLs too, because commit messages link them inside of code spans. */
export const neutralisePlainText = (text: string): string =>
  withoutTrailers(
    withoutMarkup(disarmMarkup(toPlainText(text.replace(/\r\n?/g, '\n'))))
      .replace(/\S+/g, (word) => (ORDERS.test(word) ? wrapInCode(word) : word))
      .replace(/:\/\//g, ': //')
      .replace(/\bwww\.(?=\w)/gi, (m) => `${m} `)
      .replace(/[@#](?=\w)/g, (m) => `${m} `)
      .replace(/\bgh-(?=\d)/gi, (m) => `${m} `)
      .replace(/(?<!\w)(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}(?!\w)/gi, (m) =>
        m.replace(/.{6}(?=.)/g, '$& '),
      ),
  );

/** A code span that its content cannot close: for paths, names and commands. */
export const codeSpan = (text: string): string => {
  const line = disarmSkipMarks(toPlainText(text.replace(/[\r\n\t]/g, ' ')).replace(/[`\\<]/g, "'"))
    .replace(/&(?=(?:#64|#x40|commat)\b)/gi, '& ')
    .trim();
  return line === '' ? '(empty)' : `\`${line}\``;
};

export const clipText = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : `${text.slice(0, limit).toWellFormed()} … (${text.length - limit} characters left out)`;
