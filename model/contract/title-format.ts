/** How titles of pull requests look in a repository: from its rule, its CI and what it merged. */
import { z } from 'zod';
import type { ContributionRule } from './contribution-rule.ts';

const TITLE_SHAPES = ['conventional', 'component', 'bracketed', 'ticket', 'numbered'] as const;
type TitleStyle = (typeof TITLE_SHAPES)[number] | 'pattern';

const Place = z.object({ quote: z.string().max(300), file: z.string(), line: z.number() });
export const TitleFormat = z.object({
  shape: z.enum(TITLE_SHAPES).nullable(),
  /** The types that CI lets pass; absent for the usual ones. */
  types: z.array(z.string().max(40)).max(60).exactOptional(),
  /** CI refuses titles without a scope; where it lists them, without one of these. */
  scopes: z.array(z.string().max(60)).max(100).exactOptional(),
  needsScope: z.literal(true).exactOptional(),
  capital: z.enum(['upper', 'lower']).exactOptional(),
  /** Stands before each title of a change that an agent made. */
  marker: z.string().max(30).exactOptional(),
  /** The key of a ticket's project, as `LANG`; absent when any will do. */
  project: z.string().max(20).exactOptional(),
  /** A pattern of CI that is shown to people and never run. */
  pattern: z.string().max(200).exactOptional(),
  place: Place.nullable(),
});
export type TitleFormat = z.infer<typeof TitleFormat>;

const TICKET = /\b([A-Z][A-Z0-9]{1,9})-\d+\b/;
const CONVENTIONAL = /^\w+(?:\([^()\r\n]+\))?!?: (\S.*)$/;
const USUAL_TYPES = [
  ...['feat', 'fix', 'docs', 'style', 'refactor', 'perf', 'test', 'build', 'ci', 'chore', 'revert'],
];
const TITLE_PREFIX =
  /^(?:[\w.*@/+-]+(?:\([^()\r\n]+\))?!?: |\[[^\][\r\n]{1,60}\][: ]+|\[?#\d+\]?[: ]+|\[?[A-Z][A-Z0-9]+-\d+\]?[: ]+)/;

const wordsOf = (title: string): string => title.replace(TITLE_PREFIX, '');
const hasCapital = (title: string, capital: TitleFormat['capital']): boolean => {
  const first = wordsOf(title).charAt(0);
  return capital === 'upper' ? !/\p{Ll}/u.test(first) : !/\p{Lu}/u.test(first);
};

const FITS: Readonly<Record<(typeof TITLE_SHAPES)[number], RegExp>> = {
  conventional: /^[a-z]\w*(?:\([^()\r\n]+\))?!?: \S/i,
  component: /^(?:[\w.*@/+-]+(?:(?:,|, | & )[\w.*@/+-]+)*(?:\([^()\r\n]+\))?!?: \S|\[[^\][\r\n]{1,60}\] \S)/,
  bracketed: /^\[[^\][\r\n]{1,60}\] \S/,
  ticket: /^\[?[A-Z][A-Z0-9]{1,9}-\d+\]?[: ]+\S/,
  numbered: /^\[?#\d+\]?[: ]+\S/,
};

const keepsScope = (title: string, { scopes, needsScope }: TitleFormat): boolean => {
  const scope = /^\w+\(([^()\r\n]+)\)/.exec(title)?.[1];
  if (scope === undefined) return needsScope === undefined;
  return scopes === undefined || scope.split(/, ?/).every((one) => scopes.includes(one));
};

/** The scope of these that names the component, whole or by a part of its path. */
const scopeFor = (component: string, { scopes, needsScope }: TitleFormat): string | null => {
  if (needsScope === undefined) return '';
  const parts = [component, ...component.split('/').toReversed()];
  const known = scopes === undefined ? component : parts.find((part) => scopes.includes(part));
  const usable = known !== undefined && known !== 'all' && /^[\w./-]+$/.test(known);
  return usable ? `(${known})` : null;
};

/** Whether a title keeps what is asked for; a habit asks for nothing. */
export const matchesTitleFormat = (whole: string, { marker, ...format }: TitleFormat): boolean => {
  if (format.place === null) return true;
  if (marker !== undefined && !whole.startsWith(`${marker} `)) return false;
  const title = marker === undefined ? whole : whole.slice(marker.length + 1);
  if (format.pattern !== undefined) return false;
  if (format.capital !== undefined && !hasCapital(title, format.capital)) return false;
  const { shape, types = USUAL_TYPES, project } = format;
  if (shape === null) return true;
  if (!FITS[shape].test(title)) return false;
  if (shape === 'conventional')
    return types.includes(/^\w+/.exec(title)?.[0] ?? '') && keepsScope(title, format);
  return shape !== 'ticket' || project === undefined || new RegExp(`^\\[?${project}-\\d`).test(title);
};

const MIN_TITLES = 8;
const MOST = 0.8;
const shareWhere = (titles: readonly string[], is: (title: string) => boolean): number =>
  titles.filter(is).length / titles.length;

/** Adds what recent merged titles show; a rule's own words always count more. */
export const withTitleHabits = (
  format: TitleFormat | undefined,
  titles: readonly string[],
): TitleFormat | undefined => {
  const own = titles.filter((t) => !/^(?:bump|merge|revert|release|v?\d)/i.test(t)).slice(0, 20);
  if (own.length < MIN_TITLES) return format;
  const shape =
    format?.shape ??
    (['conventional', 'bracketed', 'ticket', 'numbered', 'component'] as const).find(
      (s) =>
        shareWhere(own, (t) => FITS[s].test(t) && (s !== 'conventional' || CONVENTIONAL.test(t))) >= MOST,
    ) ??
    null;
  const prefixed = own.filter((t) => TITLE_PREFIX.test(t));
  const seen = prefixed.length >= MIN_TITLES ? prefixed : own;
  const capital =
    format?.capital ??
    (['upper', 'lower'] as const).find(
      (c) =>
        shareWhere(seen, (t) => hasCapital(t, c)) >= MOST &&
        shareWhere(seen, (t) => hasCapital(t, c === 'upper' ? 'lower' : 'upper')) < MOST,
    );
  const keys = own.flatMap((t) => TICKET.exec(t)?.[1] ?? []);
  const [project] = keys;
  const sure = project !== undefined && keys.every((k) => k === project);
  if (shape === null && capital === undefined) return format;
  return {
    ...(format ?? { place: null }),
    shape,
    ...(capital === undefined ? {} : { capital }),
    ...(shape === 'ticket' && sure && format?.project === undefined ? { project } : {}),
  };
};

const ISSUE_IN_TITLE = /(?:^|[\s`"'“(])\[?#\d{2,}\]?[ :]|\bissue number\b/i;
const BRACKETED =
  /\[(?:[\w-]*(?:chart|component|package|module|area|scope|plugin|name)[\w -]*|[a-z][\w-]+)\](?!\()|\bsquare brackets\b/;
const MARKED =
  /\btitles?\b[^`]{0,80}\b(?:prefix\w*|start\w*|begin\w*|mark\w*|include|contain)\b[^`]{0,30}((?:`[^`]{1,30}`(?:,? (?:or|and) |, )?){1,4})|\b(?:prefix|start|begin|mark)\b[^`]{0,30}\btitles?\b[^`]{0,20}((?:`[^`]{1,30}`(?:,? (?:or|and) |, )?){1,4})/i;
const MARKER = /^\[?(?:AI|LLM|bot|agent)(?:[- ][\w -]{1,20})?\]?:?$/i;
/** `titles MUST be prefixed with 🤖 or [AI]`: what a change of an agent is marked with. */
const markerIn = ({ quote }: ContributionRule): string | undefined => {
  const [, first, second] = MARKED.exec(quote) ?? [];
  return [...(first ?? second ?? '').matchAll(/`([^`]+)`/g)]
    .map(([, literal = '']) => literal.trim())
    .find((literal) => MARKER.test(literal));
};

/** The shape that a rule's own words and examples show. */
export const titleFormatOf = (rules: readonly ContributionRule[]): TitleFormat | undefined => {
  const marked = rules
    .filter((r) => r.kind === 'commit_style')
    .map((rule) => ({ rule, marker: markerIn(rule) }))
    .find(({ marker }) => marker !== undefined);
  const shaped = shapeOf(rules);
  if (marked?.marker === undefined) return shaped;
  const { quote, file, line } = marked.rule;
  const place = { quote: quote.slice(0, 300), file, line };
  return { shape: null, ...shaped, place: shaped?.place ?? place, marker: marked.marker };
};

const shapeOf = (rules: readonly ContributionRule[]): TitleFormat | undefined => {
  const styles = rules.filter((r) => r.kind === 'commit_style');
  const placeOfRule = ({ quote, file, line }: ContributionRule) => ({
    quote: quote.slice(0, 300),
    file,
    line,
  });
  if (styles.some((r) => r.value === 'conventional' || r.value === 'not_conventional')) return undefined;
  for (const rule of styles) {
    const project =
      TICKET.exec(rule.quote)?.[1] ?? /\b([A-Z]{2,9})-(?:x+|X+|n+|N+|#+)\b/.exec(rule.quote)?.[1];
    const about =
      /\b(?:title|subject|commit message|first line|commit|name (?:your|the|each|every|all) (?:pull|PR))/i.test(
        rule.quote,
      );
    if (!about) continue;
    if (
      project !== undefined ||
      /\b(?:jira|ticket) (?:key|id|number|issue)\b|\bkey of the (?:jira|ticket)/i.test(rule.quote)
    )
      return { shape: 'ticket', ...(project === undefined ? {} : { project }), place: placeOfRule(rule) };
    if (BRACKETED.test(rule.quote.replace(/^\W*\[[ x]?\]/, '')))
      return { shape: 'bracketed', place: placeOfRule(rule) };
    if (
      rule.value === 'other' &&
      ISSUE_IN_TITLE.test(rule.quote) &&
      /\b(?:start|begin|prefix)\w*\b/i.test(rule.quote)
    )
      return { shape: 'numbered', place: placeOfRule(rule) };
  }
  return undefined;
};

const KINDS: Readonly<Record<string, readonly string[]>> = {
  fix: ['fix', 'bugfix', 'bug', 'hotfix', 'patch'],
  feat: ['feat', 'feature', 'enhancement', 'new'],
  docs: ['docs', 'doc', 'documentation'],
  test: ['test', 'tests'],
  refactor: ['refactor', 'refactoring', 'cleanup', 'chore'],
  perf: ['perf', 'performance', 'refactor'],
  style: ['style', 'refactor', 'chore'],
  build: ['build', 'deps', 'chore'],
  ci: ['ci', 'build', 'chore'],
  chore: ['chore', 'misc', 'task', 'maintenance', 'internal', 'refactor'],
};

const withCase = (words: string, capital: TitleFormat['capital']): string => {
  if (capital === 'upper') return words.charAt(0).toUpperCase() + words.slice(1);
  return capital === 'lower' && /^\p{Lu}\p{Ll}/u.test(words)
    ? words.charAt(0).toLowerCase() + words.slice(1)
    : words;
};

/** The title in the repository's form, or null where something for it is not known. */
export const applyTitleFormat = (
  words: string,
  format: TitleFormat,
  of: { goal: string; prefix: string; component: string },
): string | null => {
  const { marker, ...shape } = format;
  if (marker === undefined) return inShape(words, shape, of);
  const bare = words.startsWith(`${marker} `) ? words.slice(marker.length + 1) : words;
  const made = matchesTitleFormat(bare, shape) ? bare : inShape(bare, shape, of);
  return made === null ? null : `${marker} ${made}`;
};

const inShape = (
  words: string,
  format: TitleFormat,
  { goal, prefix, component }: { goal: string; prefix: string; component: string },
): string | null => {
  const plain = withCase(words, format.capital);
  if (format.pattern !== undefined) return null;
  switch (format.shape) {
    case null:
      return plain;
    case 'conventional': {
      const { types = USUAL_TYPES } = format;
      const named = [prefix, ...(KINDS[prefix] ?? [])];
      const type = named.map((n) => types.find((t) => t.toLowerCase() === n)).find((t) => t !== undefined);
      const scope = scopeFor(component, format);
      if (type === undefined || scope === null) return null;
      return `${type}${scope}: ${withCase(words, format.capital ?? 'lower')}`;
    }
    case 'component':
      return `${component}: ${withCase(words, format.capital ?? 'lower')}`;
    case 'bracketed':
      return `[${component.split('/').at(-1) ?? component}] ${plain}`;
    case 'ticket': {
      const key = new RegExp(`\\b${format.project ?? '[A-Z][A-Z0-9]{1,9}'}-\\d+\\b`).exec(goal)?.[0];
      return key === undefined ? null : `${key} ${plain.replace(key, '').trim()}`;
    }
    case 'numbered': {
      const number = /(?<![\w/])#(\d+)\b|\/issues\/(\d+)\b/.exec(goal);
      const no = number?.[1] ?? number?.[2];
      return no === undefined ? null : `#${no} ${plain.replace(`#${no}`, '').replace(/\s+/g, ' ').trim()}`;
    }
  }
};

export const styleOf = ({ shape, pattern }: TitleFormat): TitleStyle =>
  pattern !== undefined ? 'pattern' : (shape ?? 'conventional');
