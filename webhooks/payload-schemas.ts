/** Schemas of the payload fields that we use, type-checked against GitHub's documentation. */
import type { EmitterWebhookEvent, WebhookEventName } from '@octokit/webhooks/types';
import { z } from 'zod';
import { BaseRepository, CheckRun, CommitStatus, idSchema, pullId, PullMetadata } from '#forge';

const Repository = z.object({ id: idSchema, full_name: z.string() });
const User = z.object({ login: z.string() }).nullish();
const number = z.number().transform(pullId);
const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const about = <S extends z.ZodRawShape>(shape: S) =>
  z.object({ action: z.string().optional(), repository: Repository, ...shape });

const documented = <E extends WebhookEventName, S extends z.ZodType>(
  _event: E,
  schema: EmitterWebhookEvent<E>['payload'] extends z.input<S> ? S : never,
): S => schema;

export const PAYLOAD_SCHEMAS = {
  check_run: documented('check_run', about({ check_run: CheckRun.extend({ head_sha: sha }) })),
  status: documented('status', about({ sha, ...CommitStatus.shape })),
  check_suite: documented('check_suite', about({ check_suite: z.object({ head_sha: sha }) })),
  workflow_run: documented('workflow_run', about({ workflow_run: z.object({ head_sha: sha }) })),
  pull_request: documented(
    'pull_request',
    about({
      pull_request: z.object({
        number,
        state: z.enum(['open', 'closed']),
        merged: z.boolean().nullish(),
        merged_by: User,
        head: z.object({ sha, repo: z.unknown().optional() }),
        base: z.object({ ref: z.string(), repo: BaseRepository.nullish() }),
        user: User,
        ...PullMetadata.shape,
      }),
      sender: User,
    }),
  ),
  push: documented('push', about({ ref: z.string(), after: sha, deleted: z.boolean() })),
  pull_request_review: documented('pull_request_review', about({ pull_request: z.object({ number }) })),
  pull_request_review_comment: documented(
    'pull_request_review_comment',
    about({ pull_request: z.object({ number }) }),
  ),
  // Enterprise Server sends some actions without a repository.
  repository: documented('repository', about({}).extend({ repository: Repository.nullish() })),
  branch_protection_rule: documented('branch_protection_rule', about({})),
  branch_protection_configuration: documented('branch_protection_configuration', about({})),
  release: documented('release', about({})),
  issues: documented('issues', about({})),
  issue_comment: documented(
    'issue_comment',
    about({ issue: z.object({ number, pull_request: z.unknown().optional() }) }),
  ),
};

const Account = z.object({ login: z.string().nullish(), slug: z.string().nullish() }).nullish();
const ofAccount = z.object({ action: z.string(), installation: z.object({ account: Account }) });
export const INSTALLATION_SCHEMAS = {
  installation: documented('installation', ofAccount),
  installation_repositories: documented('installation_repositories', ofAccount),
};
