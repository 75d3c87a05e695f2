/** English explanations of the code host's refusals. Plain text, not escaped. */
import {
  certificateHelps,
  type HostRefusal,
  type HostRefusalKind,
} from '../../../orchestrator/model/host-refusal.ts';

const owner = ({ organisation }: HostRefusal): string =>
  organisation === undefined ? 'The organisation' : `The organisation ${organisation}`;

const proxy = (r: HostRefusal): string =>
  `The proxy${r.proxy === undefined ? '' : ` ${r.proxy}`} (HTTPS_PROXY)`;
const answered = ({ status }: HostRefusal): string => (status === undefined ? '' : ` (${status})`);

const certificateProblem = (code: string): string => {
  if (code === 'CERT_HAS_EXPIRED') return 'it has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'it is not valid yet; look at the clock of this machine';
  if (code === 'CERT_REVOKED') return 'it was revoked';
  if (/ALTNAME|HOSTNAME/.test(code)) return 'it is for another name';
  return 'this machine does not know the authority that signed it';
};
const certificateStep = (code: string): string =>
  certificateHelps(code)
    ? 'If your company has an authority of its own, or a proxy that opens TLS, let NODE_EXTRA_CA_CERTS name a file with its certificate (PEM), and start AgentPR again.'
    : 'Ask the people who run that host, or the proxy in front of it, to fix it.';

const sentences: Record<HostRefusalKind, (refusal: HostRefusal, party: string) => string> = {
  sign_on_required: (r) =>
    `${owner(r)} wants single sign-on for our token. ${r.url === undefined ? 'Authorise the token for it: in the settings of its account, “Configure SSO” beside the token.' : `Open ${r.url} and authorise it.`}`,
  address_not_allowed: (r) =>
    `${owner(r)} lets in only addresses of its IP allow list, and that of this machine is not on it. Ask its owners to add it, or run AgentPR from an address that is.`,
  app_not_approved: (r) =>
    `${owner(r)} has not approved the OAuth app that our token belongs to. Ask its owners to approve it, or use a personal access token or the GitHub App.`,
  classic_token_forbidden: (r) =>
    `${owner(r)} forbids classic personal access tokens. Set a fine-grained one as GITHUB_TOKEN, or have the GitHub App installed there.`,
  fine_grained_token_forbidden: (r) =>
    `${owner(r)} forbids fine-grained personal access tokens. Set a classic one as GITHUB_TOKEN, or have the GitHub App installed there.`,
  token_lives_too_long: (r) =>
    `${owner(r)} takes no token that is valid for more than ${r.days ?? 'so many'} days. Make one that expires earlier, and set it as GITHUB_TOKEN.`,
  right_missing: () =>
    'Our credential lacks a permission for this. `agentpr doctor` says which ones it has; docs/github.md lists what is needed.',
  workflow_right_missing: () =>
    'Our credential may not change workflow files. Give a classic token the scope `workflow`; give a fine-grained one, or the GitHub App, write access to Workflows.',
  account_suspended: () => 'The code host has suspended our account. Its support can lift that.',
  app_suspended: () =>
    'Our GitHub App is suspended there. Whoever installed it can lift that, under Settings → Applications.',
  access_blocked: () =>
    'The code host has blocked the repository for everybody. Its owner can ask the support of the code host.',
  archived: () =>
    'The repository was archived and is read-only. Its owner can unarchive it, under Settings → General.',
  user_blocked: () => 'The owner of the repository has blocked our account. Only they can lift that.',
  newcomers_limited: () =>
    'The repository limits for a while who may take part, and our account may not. Ask its owner, or wait until the limit ends.',
  collaborators_only: () =>
    'The repository takes pull requests of its collaborators alone. Ask its owner to add our account.',
  pulls_off: () => 'Pull requests are switched off in the repository. Only its owner can switch them on.',
  nothing_to_merge: () =>
    'The base branch has everything of this change already, so there is nothing to open a pull request for. Cancel the run, or say what is still missing.',
  is_mirror: () =>
    'The repository is a mirror: changes are taken elsewhere, and pull requests are not read there.',
  hourly_limit: () =>
    'All requests that the code host allows in an hour are used up. There is nothing to do: it says when to come back.',
  secondary_limit: () =>
    'The code host asks us to be slower: that was too much at once. There is nothing to do but wait.',
  plan_lacks_it: () =>
    'The plan of the repository’s owner does not have this for private repositories. They can change the plan, or make the repository public.',
  server_lacks_it: () =>
    'This version of the code host does not have this. Whoever runs it can install a newer one.',
  name_not_found: (_, party) =>
    `The name of ${party} could not be looked up. Look at the DNS and the network of the machine that AgentPR runs on.`,
  connection_refused: (_, party) =>
    `${capitalise(party)} took no connection: nothing listens at its address, or a firewall refuses. Look at that address and at the network of the machine that AgentPR runs on.`,
  connection_lost: (_, party) =>
    `The connection to ${party} was lost before it had answered. If that lasts, look at the network of the machine that AgentPR runs on.`,
  no_answer: (_, party) =>
    `${capitalise(party)} did not answer in time. If that lasts, look at its status page and at the network of the machine that AgentPR runs on.`,
  certificate_untrusted: ({ code = '', host }, party) =>
    `The certificate of ${host ?? party} is not accepted: ${certificateProblem(code)}${code && ` (${code})`}. ${certificateStep(code)}`,
  proxy_unreached: (r, party) =>
    `${proxy(r)} cannot be reached, and so neither can ${party}. Look at its address and port; hosts that need no proxy belong into NO_PROXY.`,
  proxy_wants_sign_in: (r) =>
    `${proxy(r)} wants a user and a password that it accepts (407). Write them into its address: http://user:password@host:port, with %40 for an @.`,
  proxy_gets_no_answer: (r, party) =>
    `${proxy(r)} could not connect to ${party}${answered(r)}. If that needs no proxy, add it to NO_PROXY.`,
  proxy_forbids: (r, party) =>
    `${proxy(r)} does not let us through to ${party}${answered(r)}. Ask for it to be allowed there, or add it to NO_PROXY.`,
};

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const enWayRefusal = (refusal: HostRefusal, party: string): string =>
  sentences[refusal.kind](refusal, party);
export const enHostRefusal = (refusal: HostRefusal): string => enWayRefusal(refusal, 'the code host');
