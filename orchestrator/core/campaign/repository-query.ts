/**
 * F5: repositories by what they have in common: those of an organisation or a team, or what a search
 * of the code host finds. Pure.
 */
import { z } from 'zod';

/** `repos` and `code` are searches in the code host's own words. */
export const QUERY_KINDS = ['org', 'team', 'repos', 'code'] as const;

/** So many one order may have: each is asked for page by page. */
export const MAX_CAMPAIGN_QUERIES = 10;
const MAX_QUERY_LENGTH = 400;

const QUERY_NAME_PATTERNS = { org: /^[\w.-]{1,100}$/, team: /^[\w.-]{1,100}\/[\w.-]{1,100}$/ } as const;

export const RepoQuery = z
  .object({ by: z.enum(QUERY_KINDS), text: z.string().trim().min(1).max(MAX_QUERY_LENGTH) })
  .refine(({ by, text }) => (by === 'org' || by === 'team' ? QUERY_NAME_PATTERNS[by].test(text) : true));
export type RepoQuery = z.infer<typeof RepoQuery>;

/** As people write it; quotation marks only where something is between blanks. */
export const queryText = ({ by, text }: RepoQuery): string =>
  !/\s/.test(text) ? `${by}:${text}` : text.includes('"') ? `${by}:'${text}'` : `${by}:"${text}"`;

const QUERY_PATTERN = new RegExp(`^(${QUERY_KINDS.join('|')})[:：]\\s*(.+)$`, 'is');

/** Whether somebody began to write one. */
export const isQueryLike = (text: string): boolean => QUERY_PATTERN.test(text);

/** What phones make of quotation marks. */
const straight = (text: string): string => text.replace(/[“”„‟«»]/g, '"').replace(/[‘’‚‛]/g, "'");

/** Whether it is one with a quotation mark that is never closed. */
export const isOpenQuery = (text: string): boolean => {
  const [, , rest = ''] = QUERY_PATTERN.exec(straight(text.trim())) ?? [];
  if (/^'[^']*'$/.test(rest)) return false;
  return /^'[^']*$/.test(rest) || rest.split('"').length % 2 === 0;
};

/** One query by itself; null for anything else. */
export const queryIn = (text: string): RepoQuery | null => {
  if (isOpenQuery(text)) return null;
  const [, by = '', rest = ''] = QUERY_PATTERN.exec(straight(text.trim())) ?? [];
  const [, quote, inner] = /^(["'])(.+)\1$/s.exec(rest) ?? [];
  const bare = quote !== undefined && inner !== undefined && !inner.includes(quote) ? inner : rest;
  return RepoQuery.safeParse({ by: by.toLowerCase(), text: bare }).data ?? null;
};

/**
 * A query that stands among other words: one word, or what is between quotation marks. A mark in
 * front of a letter closes nothing.
 */
export const QUERY_WORD = new RegExp(
  `(?:${QUERY_KINDS.join('|')})[:：](?:["“”„][^"“”„]*["“”„]|['‘’‚][^'‘’‚]*['‘’‚])(?!\\w)`,
  'i',
);

/** What became of one: so many of all that match were given, and lie in so many repositories. */
export const QueryFound = z.object({
  query: RepoQuery,
  repos: z.int().min(0),
  given: z.int().min(0),
  /** As many as the code host says that there are. */
  of: z.int().min(0),
  /** It looked everywhere before it answered. */
  whole: z.boolean(),
});
export type QueryFound = z.infer<typeof QueryFound>;
