/**
 * F1, F5: why the code host refused something, where its answer says so, as a small record. Each
 * language makes a sentence and a next step of it.
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
] as const;

export const HostRefusal = z.object({
  kind: z.enum(HOST_REFUSALS),
  /** Whose policy it is, where the code host names it. */
  organisation: z.string().max(100).exactOptional(),
  /** Where a person can change it; a page of the connected code host, never of another one. */
  url: z.string().max(500).exactOptional(),
  days: z.number().exactOptional(),
});
export type HostRefusal = z.infer<typeof HostRefusal>;
export type HostRefusalKind = HostRefusal['kind'];

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
