/** Queries for repositories of an organisation, a team or a search (F5). Pure. */
import { z } from 'zod';

/** `repos` and `code` use the code host's search syntax. */
export const QUERY_KINDS = ['org', 'team', 'repos', 'code'] as const;

/** Maximum per order, because each is fetched page by page. */
export const MAX_CAMPAIGN_QUERIES = 10;
const MAX_QUERY_LENGTH = 400;

const QUERY_NAME_PATTERNS = { org: /^[\w.-]{1,100}$/, team: /^[\w.-]{1,100}\/[\w.-]{1,100}$/ } as const;

export const RepoQuery = z
  .object({ by: z.enum(QUERY_KINDS), text: z.string().trim().min(1).max(MAX_QUERY_LENGTH) })
  .refine(({ by, text }) => (by === 'org' || by === 'team' ? QUERY_NAME_PATTERNS[by].test(text) : true));
export type RepoQuery = z.infer<typeof RepoQuery>;

export const formatRepoQuery = ({ by, text }: RepoQuery): string =>
  !/\s/.test(text) ? `${by}:${text}` : text.includes('"') ? `${by}:'${text}'` : `${by}:"${text}"`;

const QUERY_PATTERN = new RegExp(`^(${QUERY_KINDS.join('|')})[:：]\\s*(.+)$`, 'is');

export const isQueryLike = (text: string): boolean => QUERY_PATTERN.test(text);

/** Typographic quotation marks, as phones write them. */
const straightenQuotes = (text: string): string => text.replace(/[“”„‟«»]/g, '"').replace(/[‘’‚‛]/g, "'");

export const hasUnclosedQuote = (text: string): boolean => {
  const [, , rest = ''] = QUERY_PATTERN.exec(straightenQuotes(text.trim())) ?? [];
  if (/^'[^']*'$/.test(rest)) return false;
  return /^'[^']*$/.test(rest) || rest.split('"').length % 2 === 0;
};

export const parseRepoQuery = (text: string): RepoQuery | null => {
  if (hasUnclosedQuote(text)) return null;
  const [, by = '', rest = ''] = QUERY_PATTERN.exec(straightenQuotes(text.trim())) ?? [];
  const [, quote, inner] = /^(["'])(.+)\1$/s.exec(rest) ?? [];
  const bare = quote !== undefined && inner !== undefined && !inner.includes(quote) ? inner : rest;
  return RepoQuery.safeParse({ by: by.toLowerCase(), text: bare }).data ?? null;
};

/** A query among other words. An apostrophe before a letter closes nothing. */
export const QUERY_WORD = new RegExp(
  `(?:${QUERY_KINDS.join('|')})[:：](?:["“”„][^"“”„]*["“”„]|['‘’‚][^'‘’‚]*['‘’‚])(?!\\w)`,
  'i',
);

/** Results given, all matches, and repositories they are in. */
export const QueryFound = z.object({
  query: RepoQuery,
  repos: z.int().min(0),
  given: z.int().min(0),
  of: z.int().min(0),
  whole: z.boolean(),
});
export type QueryFound = z.infer<typeof QueryFound>;
