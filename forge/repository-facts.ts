/** Converts GitHub's repositories to facts, with what stands against pull requests of ours. */
import { z } from 'zod';
import type { PullsRefused, RepoFacts } from '#ports/forge';
import type { RepositoryParams } from './github-client.ts';
import { idSchema } from './github-facts.ts';

export const RepositoryResponse = z.object({
  id: idSchema,
  full_name: z.string(),
  default_branch: z.string(),
  archived: z.boolean().default(false),
  clone_url: z.string(),
  html_url: z.string(),
  permissions: z.object({ push: z.boolean().default(false) }).optional(),
  allow_forking: z.boolean().default(true),
  has_pull_requests: z.boolean().nullish(),
  pull_request_creation_policy: z.string().nullish(),
  mirror_url: z.string().nullish(),
  description: z.string().nullish(),
  homepage: z.string().nullish(),
  source: z.object({ id: idSchema }).nullish(),
});
/** Not "Mirror of Apache X": such repositories take pull requests. */
const SAYS_MIRROR =
  /\bread[- ]only (?:git )?mirror\b|\bpull requests? (?:here )?(?:are|is|will be)(?: not|n['’]t| never) (?:be )?(?:monitored|accepted|read|reviewed|merged)|\b(?:use|submit|send|contribute)\b.{0,60}\b(?:gerrit|phabricator|mailing list)\b/i;

const REVIEW_HOST =
  /^https?:\/\/(?:[\w-]{1,63}\.){0,20}(?:[\w-]{0,63}gerrit[\w-]{0,63}|phabricator)(?:\.[\w-]+)*(?:[:/?#]|$)/i;

/** F10: asked before anything is spent, and again right before the push. */
const refusesPulls = (repo: z.infer<typeof RepositoryResponse>): PullsRefused | null => {
  const { has_pull_requests: has, pull_request_creation_policy: policy, mirror_url: mirror } = repo;
  const toRefusal = (kind: PullsRefused['kind'], field: string, value: string): PullsRefused => ({
    kind,
    says: `${field}: ${value.slice(0, 200)}`,
  });
  if (has === false) return toRefusal('pulls_off', 'has_pull_requests', 'false');
  if (policy === 'collaborators_only' && repo.permissions?.push !== true)
    return toRefusal('collaborators_only', 'pull_request_creation_policy', policy);
  if (mirror) return toRefusal('is_mirror', 'mirror_url', mirror);
  if (REVIEW_HOST.test(repo.homepage ?? '')) return toRefusal('is_mirror', 'homepage', repo.homepage ?? '');
  return SAYS_MIRROR.test(repo.description ?? '')
    ? toRefusal('is_mirror', 'description', repo.description ?? '')
    : null;
};

export const toRepoFacts = (repo: z.infer<typeof RepositoryResponse>): RepoFacts => {
  const pullsRefused = refusesPulls(repo);
  return { ...plainFacts(repo), ...(pullsRefused ? { pullsRefused } : {}) };
};

const plainFacts = (repo: z.infer<typeof RepositoryResponse>): RepoFacts => ({
  id: repo.id,
  name: repo.full_name,
  network: repo.source?.id ?? repo.id,
  defaultBranch: repo.default_branch,
  archived: repo.archived,
  cloneUrl: repo.clone_url,
  mayPush: repo.permissions?.push ?? false,
  mayFork: repo.allow_forking,
  htmlUrl: repo.html_url,
});

export const parseFullName = (fullName: string): RepositoryParams => {
  const [owner = '', repo = '', ...rest] = fullName.split('/');
  if (!owner || !repo || rest.length > 0) throw new Error(`not a repository's full name: ${fullName}`);
  return { owner, repo };
};
