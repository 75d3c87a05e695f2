/** Schemas of the payload fields that we use, type-checked against GitHub's documentation. */
import type { EmitterWebhookEvent, WebhookEventName } from '@octokit/webhooks/types';
import { z } from 'zod';
import { BaseRepository, CheckRun, CommitStatus, idSchema, pullId, PullMetadata } from '#forge';

const Repository = z.object({ id: idSchema, full_name: z.string() });
const User = z.object({ login: z.string() }).nullish();
const number = z.number().transform(pullId);
const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const payloadSchema = <S extends z.ZodRawShape>(shape: S) =>
  z.object({ action: z.string().optional(), repository: Repository, ...shape });

const defineDocumentedSchema = <E extends WebhookEventName, S extends z.ZodType>(
  _event: E,
  schema: EmitterWebhookEvent<E>['payload'] extends z.input<S> ? S : never,
): S => schema;

export const PAYLOAD_SCHEMAS = {
  check_run: defineDocumentedSchema(
    'check_run',
    payloadSchema({ check_run: CheckRun.extend({ head_sha: sha }) }),
  ),
  status: defineDocumentedSchema('status', payloadSchema({ sha, ...CommitStatus.shape })),
  check_suite: defineDocumentedSchema(
    'check_suite',
    payloadSchema({ check_suite: z.object({ head_sha: sha }) }),
  ),
  workflow_run: defineDocumentedSchema(
    'workflow_run',
    payloadSchema({ workflow_run: z.object({ head_sha: sha }) }),
  ),
  pull_request: defineDocumentedSchema(
    'pull_request',
    payloadSchema({
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
  push: defineDocumentedSchema('push', payloadSchema({ ref: z.string(), after: sha, deleted: z.boolean() })),
  pull_request_review: defineDocumentedSchema(
    'pull_request_review',
    payloadSchema({ pull_request: z.object({ number }) }),
  ),
  pull_request_review_comment: defineDocumentedSchema(
    'pull_request_review_comment',
    payloadSchema({ pull_request: z.object({ number }) }),
  ),
  // Enterprise Server sends some actions without a repository.
  repository: defineDocumentedSchema(
    'repository',
    payloadSchema({}).extend({ repository: Repository.nullish() }),
  ),
  branch_protection_rule: defineDocumentedSchema('branch_protection_rule', payloadSchema({})),
  branch_protection_configuration: defineDocumentedSchema(
    'branch_protection_configuration',
    payloadSchema({}),
  ),
  release: defineDocumentedSchema('release', payloadSchema({})),
  issues: defineDocumentedSchema('issues', payloadSchema({})),
  issue_comment: defineDocumentedSchema(
    'issue_comment',
    payloadSchema({ issue: z.object({ number, pull_request: z.unknown().optional() }) }),
  ),
};

const Account = z.object({ login: z.string().nullish(), slug: z.string().nullish() }).nullish();
const ofAccount = z.object({ action: z.string(), installation: z.object({ account: Account }) });
export const INSTALLATION_SCHEMAS = {
  installation: defineDocumentedSchema('installation', ofAccount),
  installation_repositories: defineDocumentedSchema('installation_repositories', ofAccount),
};
