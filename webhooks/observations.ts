/** Pure: what a delivery of GitHub's says, as facts for the machine and as reasons to look again. */
import { emitterEventNames, type EmitterWebhookEvent } from '@octokit/webhooks';
import { z } from 'zod';
import type { Input } from '../orchestrator/core/machine/inputs.ts';
import type { RepoName } from '../orchestrator/ports.ts';
import { ofCheckRun, ofStatus } from '../orchestrator/ports/check-facts.ts';
import { payloads } from './payloads.ts';

/** Whom a fact is about: the runs that made this commit, or have this pull request, or pushed this branch. */
export type Find = { sha?: string; number?: number; branch?: string };
export type DeliveryFacts = {
  repo: RepoName;
  facts: { find: Find; input: Input }[];
  /** Payloads are hints: what they only hint at is asked from GitHub. */
  look: Find[];
};
export type Observation =
  | DeliveryFacts
  | { ignored: string }
  /** An event that we need, in a shape that GitHub does not document. */
  | { unreadable: string };

type Payloads = { [E in keyof typeof payloads]: z.infer<(typeof payloads)[E]> };
type Told = Partial<Pick<DeliveryFacts, 'facts' | 'look'>> | { ignored: string };
type Readers = { [E in keyof Payloads]: (payload: Payloads[E]) => Told };

export const observe = (event: string, payload: unknown): Observation =>
  isRead(event) ? read(event, payload) : { ignored: whyNot(event) };

/** Whether anything of the event is of use, whatever it says. */
export const isRead = (event: string): event is keyof Readers => Object.hasOwn(readers, event);

const read = <E extends keyof Readers>(event: E, payload: unknown): Observation => {
  const parsed = payloads[event].safeParse(payload);
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => issue.path.join('.') || 'the payload');
    return { unreadable: `${event} without what GitHub documents: ${[...new Set(where)].join(', ')}` };
  }
  // TypeScript loses the pairing of a key with its own value: the schema and the reader are those of one event.
  const told = readers[event](parsed.data as Payloads[E]);
  if ('ignored' in told) return told;
  const { id, full_name: fullName } = parsed.data.repository;
  return { repo: { id, fullName }, facts: [], look: [], ...told };
};

const lookAt = (find: Find): Told => ({ look: [find] });
const fact = (find: Find, input: Input): Told => ({ facts: [{ find, input }] });

const readers: Readers = {
  check_run: ({ check_run: { head_sha: sha, ...run } }) =>
    fact({ sha }, { type: 'forge.check.completed', sha, check: ofCheckRun(run) }),
  status: ({ sha, ...status }) =>
    fact({ sha }, { type: 'forge.check.completed', sha, check: ofStatus(status) }),
  // They sum up check runs, which have events and truths of their own.
  check_suite: ({ check_suite }) => lookAt({ sha: check_suite.head_sha }),
  workflow_run: ({ workflow_run }) => lookAt({ sha: workflow_run.head_sha }),
  pull_request: (payload) =>
    PULL_ACTIONS.has(payload.action ?? '')
      ? pull(payload)
      : { ignored: `pull_request.${payload.action ?? '(no action)'} changes nothing that a run waits for` },
  push: ({ ref, after, deleted }) => {
    const branch = /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
    if (branch === undefined) return { ignored: 'a push of something that is no branch' };
    return fact({ branch }, { type: 'forge.head.observed', branch, sha: deleted ? null : after });
  },
  // P5: whose words may steer an agent is asked from GitHub, never taken from a payload.
  pull_request_review: ({ pull_request }) => lookAt({ number: pull_request.number }),
  pull_request_review_comment: ({ pull_request }) => lookAt({ number: pull_request.number }),
  issue_comment: ({ issue }) =>
    issue.pull_request
      ? lookAt({ number: issue.number })
      : { ignored: 'a comment on an issue, not on a pull request' },
};

type PullAction = Extract<EmitterWebhookEvent<'pull_request'>['payload'], { action: string }>['action'];
const PULL_ACTIONS: ReadonlySet<string> = new Set<PullAction>([
  'opened',
  'edited',
  'closed',
  'reopened',
  'synchronize',
  'ready_for_review',
  'converted_to_draft',
]);

const pull = ({ pull_request, sender }: Payloads['pull_request']): Told => {
  const { number, state, head } = pull_request;
  const merged = pull_request.merged === true;
  // As polling sees it: of an open pull request nobody is the one who ended it.
  const by = state === 'open' ? null : ((merged ? pull_request.merged_by : sender)?.login ?? null);
  // Before our own call has answered, the run knows its commit only.
  return fact(
    { number, sha: head.sha },
    { type: 'forge.pull.observed', number, state, merged, headSha: head.sha, by },
  );
};

const DOCUMENTED: ReadonlySet<string> = new Set(emitterEventNames);
const NOT_NEEDED: Readonly<Record<string, string>> = {
  ping: 'ping: GitHub tried out the webhook, and it works',
  installation: 'which repositories the app may see is asked from GitHub when it matters',
  installation_repositories: 'which repositories the app may see is asked from GitHub when it matters',
  installation_target: 'a renamed account; runs keep the name that they were ordered with',
  repository: 'an archived, renamed or deleted repository shows when it is next asked about',
  merge_group: 'a merge queue; the pull request itself is told when it was merged',
  pull_request_review_thread: 'a resolved thread changes nothing that a run waits for',
  workflow_job: 'a job of a workflow; its check run is told by itself',
};

const whyNot = (event: string): string => {
  if (Object.hasOwn(NOT_NEEDED, event)) return NOT_NEEDED[event] ?? event;
  return DOCUMENTED.has(event)
    ? `${event} is not needed here; untick it in the webhook's settings`
    : `GitHub documents no event ${event}`;
};
