/** Classifies refusals of the code host and failures on the way to it, as records (F1, F5, O9). */
import { z } from 'zod';

const PROXY_REFUSALS = [
  'proxy_unreached',
  'proxy_wants_sign_in',
  'proxy_gets_no_answer',
  'proxy_forbids',
] as const;
const WAY_REFUSALS = [
  'name_not_found',
  'connection_refused',
  'connection_lost',
  'no_answer',
  'certificate_untrusted',
  ...PROXY_REFUSALS,
] as const;

export const HOST_REFUSALS = [
  'sign_on_required',
  /** Our IP address is not on its allow list. */
  'address_not_allowed',
  'app_not_approved',
  'classic_token_forbidden',
  'fine_grained_token_forbidden',
  /** A token may be valid for at most `days`. */
  'token_lives_too_long',
  'right_missing',
  'workflow_right_missing',
  'account_suspended',
  'app_suspended',
  'access_blocked',
  'archived',
  'user_blocked',
  'newcomers_limited',
  'collaborators_only',
  'pulls_off',
  'nothing_to_merge',
  /** It does not know the branch that was just pushed. */
  'head_unseen',
  /** F10: another place takes changes; this one only shows them. */
  'is_mirror',
  'hourly_limit',
  /** Too many requests in a short time, whatever is left of the hourly limit. */
  'secondary_limit',
  'limit_in_force',
  'plan_lacks_it',
  'server_lacks_it',
  /** F1: no code host of its kind has it. */
  'has_no_forks',
  'has_no_checks',
  'has_no_reviews',
  'has_no_issues',
  'has_no_search',
  'has_no_setup',
  ...WAY_REFUSALS,
] as const;

export const HostRefusal = z.object({
  kind: z.enum(HOST_REFUSALS),
  /** Whose way it is; left out for the code host's. */
  party: z.enum(['chat', 'bucket']).exactOptional(),
  organisation: z.string().max(100).exactOptional(),
  /** Page where a person can change it; only on the connected code host. */
  url: z.string().max(500).exactOptional(),
  days: z.number().exactOptional(),
  field: z.string().max(200).exactOptional(),
  /** OpenSSL's error code, and the host with the certificate. */
  code: z.string().max(60).exactOptional(),
  host: z.string().max(200).exactOptional(),
  /** The proxy as `host:port`, and its HTTP status. */
  proxy: z.string().max(200).exactOptional(),
  status: z.number().exactOptional(),
});
export type HostRefusal = z.infer<typeof HostRefusal>;
export type HostRefusalKind = HostRefusal['kind'];

export const isRefusal = (detail: { kind: string }): detail is HostRefusal =>
  (HOST_REFUSALS as readonly string[]).includes(detail.kind);

/** The code host's own, or of the way to it. */
export const isHostRefusal = (detail: { kind: string }): detail is HostRefusal =>
  isRefusal(detail) && detail.party === undefined;

/** The message is ours or a program's, not the code host's. */
export const isNetworkRefusal = ({ kind }: HostRefusal): boolean =>
  (WAY_REFUSALS as readonly string[]).includes(kind);

/** `isPage` accepts only pages of the code host. */
export const hostRefusal = (
  kind: HostRefusalKind,
  { organisation, url, days }: Readonly<Record<string, string | undefined>>,
  isPage: (url: string) => boolean,
): HostRefusal => {
  // guard: G5-own-pages
  const page = url !== undefined && url.length <= 500 && isPage(url) ? url : undefined;
  return {
    kind,
    ...(organisation === undefined ? {} : { organisation: organisation.slice(0, 100) }),
    ...(page === undefined ? {} : { url: page }),
    ...(days === undefined ? {} : { days: Number(days) }),
  };
};

/** A CA list does not help against a wrong name or an expired certificate. */
export const canCaListHelp = (code: string): boolean =>
  /^(UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED|CERT_REJECTED|INVALID_CA)/.test(code);
