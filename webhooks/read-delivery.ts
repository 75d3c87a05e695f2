/** Converts deliveries into facts and reasons to poll. Pure. */
import { emitterEventNames, type EmitterWebhookEvent } from '@octokit/webhooks';
import { z } from 'zod';
import type { Input } from '#inputs';
import type { AccessLost } from '#model/failure';
import type { RepositoryIdentity } from '#ports/ledger';
import { toCheckRunFact, toStatusFact, toPullShown } from '#forge';
import { INSTALLATION_SCHEMAS, PAYLOAD_SCHEMAS } from './payload-schemas.ts';

export const FactAddressee = z.object({
  sha: z.string().exactOptional(),
  pull: z.string().exactOptional(),
  branch: z.string().exactOptional(),
  all: z.literal(true).exactOptional(),
});
export type FactAddressee = z.infer<typeof FactAddressee>;
export type DeliveryFacts = {
  repo: RepositoryIdentity;
  facts: { find: FactAddressee; input: Input }[];
  /** Runs that are polled soon; only `facts` are believed as they are. */
  look: FactAddressee[];
  /** GitHub is asked for the label and its author. */
  labelled?: true;
  released?: true;
  /** S11: a pull request is open again, so runs that its closing ended are looked at as well. */
  reopened?: true;
};
/** The App's rights changed; GitHub is asked for details. */
export type AccountFacts = { account: string; how: AccessLost | null };
export type DeliveryObservation = DeliveryFacts | AccountFacts | { ignored: string } | { unreadable: string };

type Payloads = { [E in keyof typeof PAYLOAD_SCHEMAS]: z.infer<(typeof PAYLOAD_SCHEMAS)[E]> };
type ReadPayload =
  | Partial<Pick<DeliveryFacts, 'facts' | 'look' | 'labelled' | 'released' | 'reopened'>>
  | { ignored: string };
type Readers = { [E in keyof Payloads]: (payload: Payloads[E]) => ReadPayload };

export const readDelivery = (event: string, payload: unknown): DeliveryObservation => {
  if (ofInstallation(event)) return readAccount(event, payload);
  return isHandledEvent(event) ? readEvent(event, payload) : { ignored: explainIgnoredEvent(event) };
};

export const isHandledEvent = (event: string): event is keyof Readers => Object.hasOwn(readers, event);

const ofInstallation = (event: string): event is keyof typeof INSTALLATION_SCHEMAS =>
  Object.hasOwn(INSTALLATION_SCHEMAS, event);

const LOST: Readonly<Record<string, AccessLost>> = {
  'installation.deleted': 'removed',
  'installation.suspend': 'suspended',
  'installation_repositories.removed': 'unlisted',
};

const readAccount = (event: keyof typeof INSTALLATION_SCHEMAS, payload: unknown): DeliveryObservation => {
  const { data, error } = INSTALLATION_SCHEMAS[event].safeParse(payload);
  if (!data) return toUnreadable(event, error);
  const { login, slug } = data.installation.account ?? {};
  const what = `${event}.${data.action}`;
  const account = login ?? slug;
  if (!account) return { ignored: `${what} of no account` };
  return { account, how: Object.hasOwn(LOST, what) ? (LOST[what] ?? null) : null };
};

const toUnreadable = (event: string, { issues }: z.ZodError): DeliveryObservation => {
  const where = issues.map((issue) => issue.path.join('.') || 'the payload');
  return { unreadable: `${event} without what GitHub documents: ${[...new Set(where)].join(', ')}` };
};

const readEvent = <E extends keyof Readers>(event: E, payload: unknown): DeliveryObservation => {
  const parsed = PAYLOAD_SCHEMAS[event].safeParse(payload);
  if (!parsed.success) return toUnreadable(event, parsed.error);
  // TypeScript cannot relate schema and reader of one event.
  const told = readers[event](parsed.data as Payloads[E]);
  if ('ignored' in told) return told;
  const { action = '', repository } = parsed.data;
  if (!repository) return { ignored: `${event}.${action} of no repository` };
  const { id, full_name: fullName } = repository;
  return { repo: { id, fullName }, facts: [], look: [], ...told };
};

const pollFor = (find: FactAddressee): ReadPayload => ({ look: [find] });
const toFact = (find: FactAddressee, input: Input): ReadPayload => ({ facts: [{ find, input }] });

const readers: Readers = {
  check_run: ({ check_run: { head_sha: sha, ...run } }) =>
    toFact({ sha }, { type: 'forge.check.observed', sha, check: toCheckRunFact(run) }),
  status: ({ sha, ...status }) =>
    toFact({ sha }, { type: 'forge.check.observed', sha, check: toStatusFact(status) }),
  // Suites only summarise check runs, which have their own events.
  check_suite: ({ check_suite }) => pollFor({ sha: check_suite.head_sha }),
  workflow_run: ({ workflow_run }) => pollFor({ sha: workflow_run.head_sha }),
  pull_request: (payload) =>
    PULL_ACTIONS.has(payload.action ?? '')
      ? readPull(payload)
      : { ignored: `pull_request.${payload.action ?? '(no action)'} changes nothing that a run waits for` },
  push: ({ ref, after, deleted }) => {
    const branch = /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
    if (branch === undefined) return { ignored: 'a push of something that is no branch' };
    return toFact({ branch }, { type: 'forge.head.observed', branch, sha: deleted ? null : after });
  },
  // P5: authors' access is read from GitHub, never from a payload.
  pull_request_review: ({ pull_request }) => pollFor({ pull: pull_request.number }),
  pull_request_review_comment: ({ pull_request }) => pollFor({ pull: pull_request.number }),
  repository: ({ action = '' }) =>
    REPOSITORY_ACTIONS.has(action)
      ? pollFor({ all: true })
      : { ignored: `repository.${action || '(no action)'} changes nothing that a run waits for` },
  branch_protection_rule: () => pollFor({ all: true }),
  branch_protection_configuration: () => pollFor({ all: true }),
  release: ({ action = '' }) =>
    action === 'published' || action === 'released'
      ? { released: true }
      : { ignored: `release.${action || '(no action)'} is nothing that a run waits for` },
  issues: ({ action = '' }) =>
    action === 'labeled'
      ? { labelled: true }
      : { ignored: `issues.${action || '(no action)'} asks for nothing; a label may` },
  issue_comment: ({ issue }) =>
    issue.pull_request
      ? pollFor({ pull: issue.number })
      : { ignored: 'a comment on an issue, not on a pull request' },
};

const REPOSITORY_ACTIONS: ReadonlySet<string> = new Set<
  EmitterWebhookEvent<'repository'>['payload']['action']
>(['archived', 'unarchived', 'deleted', 'privatized', 'publicized', 'renamed', 'transferred']);

type PullAction = Extract<EmitterWebhookEvent<'pull_request'>['payload'], { action: string }>['action'];
const PULL_ACTIONS: ReadonlySet<string> = new Set<PullAction>([
  'opened',
  'edited',
  'closed',
  'reopened',
  'synchronize',
  'ready_for_review',
  'converted_to_draft',
  'labeled',
  'unlabeled',
  'locked',
  'unlocked',
  'review_requested',
  'review_request_removed',
  'auto_merge_enabled',
  'auto_merge_disabled',
  'enqueued',
  'dequeued',
]);

/** Only payloads mention the merge queue. */
const QUEUED: Readonly<Record<string, boolean>> = { enqueued: true, dequeued: false };

const readPull = ({ action = '', pull_request, sender }: Payloads['pull_request']): ReadPayload => {
  const { number: pull, state, head } = pull_request;
  const merged = pull_request.merged === true;
  // A poll likewise names nobody for an open pull request: nobody has ended it.
  const by = state === 'open' ? null : ((merged ? pull_request.merged_by : sender)?.login ?? null);
  const queued = Object.hasOwn(QUEUED, action) ? QUEUED[action] : undefined;
  const own = sender?.login !== undefined && sender.login === pull_request.user?.login;
  // Changes of the repository do not touch `updated_at`, so late deliveries look current.
  const { repo, headDeleted: headGone, ...told } = toPullShown(pull_request);
  // A delivery about our own edit may come before our request returns; a poll reads the text instead.
  // guard: F12-repository-asked
  const shown = {
    ...told,
    ...(own ? { bodyDigest: '' } : {}),
    ...(queued === undefined ? {} : { inMergeQueue: queued }),
  };
  // Found by commit as well: a run learns its pull request's number only when our request returns.
  return {
    ...toFact(
      { pull, sha: head.sha },
      { type: 'forge.pull.observed', pull, state, merged, headSha: head.sha, by, metadata: shown },
    ),
    ...(repo?.archived || headGone ? pollFor({ pull }) : {}),
    ...(action === 'reopened' ? { reopened: true } : {}),
  };
};

const DOCUMENTED: ReadonlySet<string> = new Set(emitterEventNames);
const NOT_NEEDED: Readonly<Record<string, string>> = {
  ping: 'ping: GitHub tried out the webhook, and it works',
  installation_target: 'a renamed account; runs keep the name that they were ordered with',
  repository_ruleset: 'the rules of a base branch are read again every few minutes',
  merge_group: 'a merge queue; the pull request itself is told when it was merged',
  pull_request_review_thread: 'a resolved thread changes nothing that a run waits for',
  workflow_job: 'a job of a workflow; its check run is told by itself',
};

const explainIgnoredEvent = (event: string): string => {
  if (Object.hasOwn(NOT_NEEDED, event)) return NOT_NEEDED[event] ?? event;
  return DOCUMENTED.has(event)
    ? `${event} is not needed here; untick it in the webhook's settings`
    : `AgentPR does not know the event ${event}`;
};
