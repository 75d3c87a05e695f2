/**
 * F1, F5, O9: why the code host refused something, where its answer says so, or what stood in the
 * way to it, as a small record. Each language makes a sentence and a next step of it.
 */
import { z } from 'zod';

export const HOST_REFUSALS = [
  /** The organisation wants our token to be authorised by single sign-on. */
  'sign_on_required',
  /** The address of this machine is not on the list of addresses that may come in. */
  'address_not_allowed',
  /** Its policy takes no token of an app that nobody approved. */
  'app_not_approved',
  'classic_token_forbidden',
  'fine_grained_token_forbidden',
  /** It takes no token that is valid for longer than `days`. */
  'token_lives_too_long',
  /** Our credential lacks a permission. */
  'right_missing',
  /** Our credential may not write files that run something on the code host. */
  'workflow_right_missing',
  'account_suspended',
  'app_suspended',
  /** The code host shows the repository to nobody. */
  'access_blocked',
  'archived',
  /** Its owner has blocked our account. */
  'user_blocked',
  /** For a while, only some people may take part. */
  'newcomers_limited',
  'collaborators_only',
  'pulls_off',
  'hourly_limit',
  /** Too much at once, whatever is left of this hour. */
  'secondary_limit',
  /** The plan of the owner has no such thing. */
  'plan_lacks_it',
  /** The version of the server has no such thing. */
  'server_lacks_it',
  /** The way to it: no name server knows its name, or none answers. */
  'name_not_found',
  'connection_refused',
  'connection_lost',
  'no_answer',
  /** The server that answers under this name shows a certificate that this machine does not trust. */
  'certificate_untrusted',
  'proxy_unreached',
  'proxy_wants_sign_in',
  /** The proxy answers, and does not get through to it. */
  'proxy_gets_no_answer',
  'proxy_forbids',
] as const;

export const HostRefusal = z.object({
  kind: z.enum(HOST_REFUSALS),
  /** Whose policy it is, where the code host names it. */
  organisation: z.string().max(100).exactOptional(),
  /** Where a person can change it; a page of the connected code host, never of another one. */
  url: z.string().max(500).exactOptional(),
  days: z.number().exactOptional(),
  /** The problem of a certificate as OpenSSL calls it, and the host that showed the certificate. */
  code: z.string().max(60).exactOptional(),
  host: z.string().max(200).exactOptional(),
  /** The proxy, as `host:port`, and the status of its answer. */
  proxy: z.string().max(200).exactOptional(),
  status: z.number().exactOptional(),
});
export type HostRefusal = z.infer<typeof HostRefusal>;
export type HostRefusalKind = HostRefusal['kind'];

/** Nobody at the code host said it: the words beside it are ours, or those of a program. */
export const isOfTheWay = ({ kind }: HostRefusal): boolean =>
  HOST_REFUSALS.indexOf(kind) >= HOST_REFUSALS.indexOf('name_not_found');

/** What was found by the names of a pattern's groups; `isPage` knows the pages of the code host. */
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

/** A list of authorities helps; a certificate for another name, or an old one, stays what it is. */
export const certificateHelps = (code: string): boolean =>
  /^(UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED|CERT_REJECTED|INVALID_CA)/.test(code);
