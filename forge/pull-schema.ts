/** Parses GitHub's pull requests, and its refusals to create one. */
import { z } from 'zod';
import type { HostRefusalKind } from '#model/failure';
import { findHostRefusal, OutsideFailure, type PullFacts } from '#ports/forge';
import { BaseRepository, idSchema, pullId, PullMetadata, toPullShown } from './github-facts.ts';

const Login = z.object({ login: z.string() });
export const PullResponse = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean().optional(),
  created_at: z.string().nullish(),
  closed_at: z.string().nullish(),
  merged_at: z.string().nullish(),
  merged_by: Login.nullish(),
  user: Login.nullish(),
  base: z.object({ ref: z.string(), repo: z.object({ id: idSchema, ...BaseRepository.shape }) }),
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: idSchema }).nullish() }),
  title: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().default(false),
  maintainer_can_modify: z.boolean().default(false),
  mergeable: z.boolean().nullish(),
  mergeable_state: z.string().nullish(),
  updated_at: z.string().default(''),
  ...PullMetadata.pick({ locked: true, auto_merge: true, labels: true }).shape,
  ...PullMetadata.pick({ requested_reviewers: true, requested_teams: true }).shape,
});
const timeOf = <K extends string>(name: K, text: string | null | undefined): { [key in K]?: number } => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? {} : ({ [name]: at } as { [key in K]: number });
};
export const PullListResponse = z.array(PullResponse);

export const toPullFacts = (pull: z.infer<typeof PullResponse>): PullFacts => ({
  id: pullId(pull.number),
  url: pull.html_url,
  state: pull.state,
  merged: pull.merged ?? Boolean(pull.merged_at),
  mergedBy: pull.merged_by?.login ?? null,
  author: pull.user?.login ?? 'ghost',
  baseRepoId: pull.base.repo.id,
  baseRef: pull.base.ref,
  headRepoId: pull.head.repo?.id ?? null,
  headRef: pull.head.ref,
  headSha: pull.head.sha,
  title: pull.title,
  body: pull.body ?? '',
  draft: pull.draft,
  maintainerCanModify: pull.maintainer_can_modify,
  ...standingOf(pull),
  ...timeOf('openedAt', pull.created_at),
  ...timeOf('endedAt', pull.merged_at ?? pull.closed_at),
  shown: toPullShown({ ...pull, updated_at: Date.parse(pull.updated_at) || 0 }),
});

/** GitHub, "Get a pull request": `mergeable` is null while it is computed. */
const standingOf = ({
  mergeable,
  mergeable_state: state,
}: z.infer<typeof PullResponse>): Pick<PullFacts, 'standing'> => {
  if (mergeable === false) return { standing: 'conflicts' };
  if (state === 'behind') return { standing: 'behind' };
  return mergeable === true ? { standing: 'level' } : {};
};

/** GitHub, "Create a pull request": 422 `custom`, recognised by its message. */
export const isPullAlreadyOpen = (error: unknown): boolean =>
  error instanceof OutsideFailure && error.status === 422 && /already exists/i.test(error.message);

/** GitHub answers 404, or 403 "does not have the correct permissions to execute CreatePullRequest". */
export const isClosedToUs = (error: unknown): boolean =>
  error instanceof OutsideFailure &&
  ['repository_missing', 'forge_refused'].includes(error.class) &&
  (error.status === 404 ||
    ([403, 422].includes(error.status ?? 0) &&
      /execute .?CreatePullRequest|pull request limit/i.test(error.message)));

/** Closing other pull requests would not help. */
const SHUT_OUT: readonly (HostRefusalKind | undefined)[] = [
  'user_blocked',
  'newcomers_limited',
  'collaborators_only',
  'pulls_off',
];
export const isShutOut = (error: unknown): error is OutsideFailure =>
  SHUT_OUT.includes(findHostRefusal(error)?.kind);
export const shutOutFailure = (repo: string, { message, status, detail }: OutsideFailure): OutsideFailure =>
  new OutsideFailure('not_allowed', `${repo} takes no pull requests of our account: ${message}`, {
    status,
    detail,
  });

/** The limit was reached if some of ours are open; else we are banned. */
export const pullRefusedFailure = (repo: string, open: number): OutsideFailure =>
  open > 0
    ? new OutsideFailure('pull_limit', `${repo} takes no more than the ${open} of ours that are open there`)
    : new OutsideFailure(
        'not_allowed',
        `${repo} takes no pull requests of our account: its owner may have blocked us or closed it to newcomers for a while, or our credential lacks the right`,
      );
