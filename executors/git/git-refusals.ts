/** Parses a code host's refusal in the `remote:` lines that git prints (F1, F5). */
import { hostRefusal, type HostRefusal, type HostRefusalKind } from '#model/failure';

/** The first match wins; named groups become fields of the record. */
const GIT_REFUSAL_ROWS: readonly (readonly [RegExp, HostRefusalKind])[] = [
  [
    /refusing to allow\b.{0,300}\bwithout [`'"]?workflows?[`'"]? (?:scope|permission)/i,
    'workflow_right_missing',
  ],
  [
    /(?:[`'"](?<organisation>[\w-]{1,100})[`'"] organi[sz]ation )?has enabled or enforced SAML SSO(?:.{0,120}?\bvisit (?<url>https?:\/\/\S{1,400}))?/i,
    'sign_on_required',
  ],
  [
    /(?:[`'"](?<organisation>[\w-]{1,100})[`'"] organi[sz]ation )?has an IP allow list enabled/i,
    'address_not_allowed',
  ],
  [
    /(?:[`'"](?<organisation>[\w-]{1,100})[`'"] organi[sz]ation )?has enabled OAuth App access restrictions/i,
    'app_not_approved',
  ],
  [
    /(?:[`'"](?<organisation>[\w-]{1,100})[`'"] (?:organi[sz]ation )?)?forbids access via .{0,60}\blifetime is greater than (?<days>\d{1,5}) days/i,
    'token_lives_too_long',
  ],
  [
    /fine-grained personal access tokens are forbidden|forbids access via (?:a )?fine-grained personal access/i,
    'fine_grained_token_forbidden',
  ],
  [
    /personal access tokens \(classic\) are forbidden|forbids access via (?:a )?personal access tokens? \(classic\)/i,
    'classic_token_forbidden',
  ],
  [/\barchived so (?:it )?is read-only/i, 'archived'],
  [/\baccount\b[^.]{0,40}\bsuspended\b/i, 'account_suspended'],
  [/repository access blocked|access to this repository has been (?:disabled|restricted)/i, 'access_blocked'],
  [/write access to (?:the )?repository not granted|resource not accessible by/i, 'right_missing'],
];

const OF_CREDENTIAL: readonly HostRefusalKind[] = [
  'sign_on_required',
  'address_not_allowed',
  'app_not_approved',
  'token_lives_too_long',
  'fine_grained_token_forbidden',
  'classic_token_forbidden',
];
export const isCredentialRefusal = (refusal: HostRefusal | null): boolean =>
  refusal !== null && OF_CREDENTIAL.includes(refusal.kind);

/** Drops git's own lines, which contain arbitrary paths and addresses. */
export const remoteLines = (stderr: string): string[] =>
  stderr.split('\n').filter((line) => line.startsWith('remote:'));

/** `reason` belongs to one branch, from git's porcelain output. */
export const readGitRefusal = (
  { stderr, reason = '' }: { stderr: string; reason?: string },
  serverUrl: string | null,
): HostRefusal | null => {
  const lines = remoteLines(stderr).map((line) => line.slice('remote:'.length).trim());
  const text = [...lines, reason].join(' ').replace(/\s+/g, ' ').slice(0, MAX_REMOTE_MESSAGE_LENGTH);
  const isPage = (url: string): boolean =>
    serverUrl !== null && URL.parse(url)?.origin === URL.parse(serverUrl)?.origin;
  for (const [pattern, kind] of GIT_REFUSAL_ROWS) {
    const found = pattern.exec(text);
    if (found) return hostRefusal(kind, found.groups ?? {}, isPage);
  }
  return null;
};
const MAX_REMOTE_MESSAGE_LENGTH = 8_000;
