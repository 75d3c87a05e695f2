/** Recognises the reason of a refusal by its text, as most are a plain 403 (F1, F5). */
import { z } from 'zod';
import { hostRefusal, type HostRefusal, type HostRefusalKind } from '#model/failure';
import type { ResponseHeaders } from './rate-limits.ts';

/** Named groups become fields; all conditions of a row must match. */
type Row = {
  kind: HostRefusalKind;
  status: readonly number[];
  words?: RegExp;
  header?: readonly [name: string, value: RegExp];
  documents?: RegExp;
  path?: RegExp;
};

const ORGANISATION = '(?:[`\'"](?<organisation>[\\w-]{1,100})[`\'"] (?:organi[sz]ation )?)?';
const refusalPattern = (words: string): RegExp => new RegExp(ORGANISATION + words, 'i');

/** Rulesets need Enterprise Server 3.11. */
const BEFORE_RULES = '(?:2\\.\\d+|3\\.(?:\\d|10))(?!\\d)';
const BRANCH_RULES_PATH = /\/repos\/[^/]+\/[^/]+\/rules\/branches\//;

/** First match wins. Texts of GitHub's API and documentation. */
const REFUSAL_ROWS: readonly Row[] = [
  {
    kind: 'sign_on_required',
    status: [403],
    header: [
      'x-github-sso',
      /^required; *url=(?<url>[^\s/]+\/\/[^\s/]+\/orgs\/(?<organisation>[\w-]+)\/\S+)$/,
    ],
  },
  { kind: 'sign_on_required', status: [403], header: ['x-github-sso', /^required; *url=(?<url>\S+)$/] },
  { kind: 'sign_on_required', status: [403], words: /protected by organi[sz]ation SAML enforcement/i },
  { kind: 'address_not_allowed', status: [403], words: refusalPattern('(?:has )?an IP allow list enabled') },
  {
    kind: 'app_not_approved',
    status: [403],
    words: refusalPattern('has enabled OAuth App access restrictions'),
  },
  {
    kind: 'token_lives_too_long',
    status: [403],
    words: refusalPattern(
      "forbids access via (?:a )?(?:fine-grained )?personal access tokens?(?: \\(classic\\))? if the token's lifetime is greater than (?<days>\\d{1,5}) days",
    ),
  },
  {
    kind: 'fine_grained_token_forbidden',
    status: [403],
    words: refusalPattern('forbids access via (?:a )?fine-grained personal access tokens?'),
  },
  {
    kind: 'classic_token_forbidden',
    status: [403],
    words: refusalPattern('forbids access via (?:a )?personal access tokens? \\(classic\\)'),
  },
  { kind: 'account_suspended', status: [403], words: /\baccount\b[^.]{0,40}\bsuspended\b/i },
  { kind: 'app_suspended', status: [403], words: /\binstallation\b[^.]{0,40}\bsuspended\b/i },
  { kind: 'archived', status: [403], words: /\barchived so (?:it )?is read-only/i },
  // Legal or terms-of-service blocks: 451 or 403.
  { kind: 'access_blocked', status: [451] },
  { kind: 'access_blocked', status: [403], words: /repository access blocked/i },
  { kind: 'user_blocked', status: [403, 422], words: /\b(?:user|you)\b.{0,20}\bblocked\b/i },
  {
    kind: 'collaborators_only',
    status: [403, 422],
    words:
      /must be a collaborator|limited the ability to (?:open|create)\b.{0,80}\bto users that are collaborators/i,
  },
  {
    kind: 'newcomers_limited',
    status: [403, 422],
    words:
      /limited the ability to (?:open|create|comment)\b|interactions? (?:on|in|with) this repository \w+(?: \w+)? (?:limited|restricted)/i,
  },
  {
    kind: 'pulls_off',
    status: [403, 404, 410, 422],
    words: /pull requests (?:are|have been|has been) (?:disabled|turned off)/i,
  },
  { kind: 'nothing_to_merge', status: [422], words: /\bno commits between\b/i },
  // "Create a pull request": 422 with `field: head, code: invalid`.
  {
    kind: 'head_unseen',
    status: [422],
    words: /\bhead (?:invalid\b|sha can't be blank|ref must be a branch)/i,
  },
  {
    kind: 'workflow_right_missing',
    status: [403, 404, 409, 422],
    words: /refusing to allow\b.{0,200}\bwithout [`'"]?workflows?[`'"]? (?:scope|permission)/i,
  },
  {
    kind: 'right_missing',
    status: [403],
    words: /resource not accessible by (?:personal access token|integration)/i,
  },
  {
    kind: 'plan_lacks_it',
    status: [403],
    words: /upgrade to github \w+ or make this repository public/i,
  },
  {
    kind: 'server_lacks_it',
    status: [404],
    path: BRANCH_RULES_PATH,
    header: ['x-github-enterprise-version', new RegExp(`^(?:GitHub AE|v?${BEFORE_RULES})`)],
  },
  {
    kind: 'server_lacks_it',
    status: [404],
    path: BRANCH_RULES_PATH,
    documents: new RegExp(`/enterprise(?:-server@|/)${BEFORE_RULES}`),
  },
];

const Documented = z.object({ documentation_url: z.string() });

type RefusedRequest = {
  status: number;
  headers: ResponseHeaders;
  words: string;
  data: unknown;
  url: string | null;
};

type Groups = Readonly<Record<string, string | undefined>>;
const matchRow = (row: Row, { status, headers, words, data, url }: RefusedRequest): Groups | null => {
  if (!row.status.includes(status)) return null;
  const asked: (readonly [RegExp | undefined, string])[] = [
    [row.words, words],
    [row.header?.[1], String(headers[row.header?.[0] ?? ''] ?? '')],
    [row.documents, Documented.safeParse(data).data?.documentation_url ?? ''],
    [row.path, url ?? ''],
  ];
  const groups: Record<string, string | undefined> = {};
  for (const [pattern, text] of asked) {
    if (pattern === undefined) continue;
    const found = pattern.exec(text);
    if (!found) return null;
    Object.assign(groups, found.groups);
  }
  return groups;
};

/** GitHub's pages are on the API's host, with or without `api.`. */
const isPageOf =
  (api: string | null) =>
  (url: string): boolean => {
    const [page, home] = [URL.parse(url), URL.parse(api ?? '')];
    if (!page || !home || page.username !== '' || page.password !== '') return false;
    return page.protocol === home.protocol && [page.host, `api.${page.host}`].includes(home.host);
  };

export const readRefusal = (refused: RefusedRequest): HostRefusal | null => {
  for (const row of REFUSAL_ROWS) {
    const groups = matchRow(row, refused);
    if (groups) return hostRefusal(row.kind, groups, isPageOf(refused.url));
  }
  return null;
};
