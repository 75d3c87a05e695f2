/** Converts GitHub's REST answers and payloads into our facts, with the same ids and keys (F3). */
import { z } from 'zod';
import { bodyFingerprint, type PullShown } from '#model/pull';
import { CheckFact } from '#model/ci';
import { withoutReceipt } from '#pull-text';
import { isRepositoryName } from './repository-name.ts';

export const idSchema = z.number().transform(String);
/** `serverUrl`: the code host; a URL must lead there. */
export const isRepositoryAt =
  (serverUrl: string) =>
  (name: string, host: string | null = null): boolean =>
    isRepositoryName(name) && (host === null || isHostOf(serverUrl, host));

const isHostOf = (serverUrl: string, host: string): boolean => {
  const { host: ours, hostname, pathname } = new URL(serverUrl);
  const below = pathname.replace(/(?<!\/)\/+$/, '');
  // A local stand-in uses the real host's URLs.
  const standsIn = /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(hostname);
  return host === `${ours}${below}` || host === `${hostname}${below}` || (standsIn && host === 'github.com');
};

export const pullId = (number: number): string => `#${number}`;
export const pullNumber = (pull: string): number => {
  const [, number] = /^#([1-9]\d*)$/.exec(pull) ?? [];
  if (number === undefined) throw new Error(`not a pull request of GitHub's: ${pull}`);
  return Number(number);
};

/** Epoch ms; 0 when missing. */
export const timeSchema = z
  .string()
  .nullish()
  .transform((text) => (text ? Date.parse(text) || 0 : 0));
const Named = z.object({ login: z.string().nullish(), slug: z.string().nullish() }).nullish();
export const PullMetadata = z.object({
  title: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  locked: z.boolean().nullish(),
  updated_at: timeSchema,
  auto_merge: z.object({ enabled_by: Named }).nullish(),
  labels: z.array(z.object({ name: z.string().nullish() })).nullish(),
  requested_reviewers: z.array(Named).nullish(),
  requested_teams: z.array(Named).nullish(),
});

const MOST_NAMES = 100;
const namesOf = (all: readonly z.infer<typeof Named>[] | null | undefined): string[] =>
  (all ?? []).map((one) => one?.login ?? one?.slug ?? '').filter(Boolean);

const wordsOf = (body: string | null | undefined): string =>
  withoutReceipt((body ?? '').replaceAll('\r\n', '\n').trimEnd());

export const BaseRepository = z.object({
  full_name: z.string().nullish(),
  archived: z.boolean().nullish(),
  private: z.boolean().nullish(),
});
type Base = {
  base: { ref: string; repo?: z.infer<typeof BaseRepository> | null | undefined };
  head?: { repo?: unknown };
};

export const toPullShown = (pull: z.infer<typeof PullMetadata> & Base): PullShown => ({
  at: pull.updated_at,
  title: pull.title,
  bodyDigest: bodyFingerprint(wordsOf(pull.body)),
  base: pull.base.ref,
  draft: pull.draft ?? false,
  locked: pull.locked ?? false,
  autoMerge: pull.auto_merge ? (pull.auto_merge.enabled_by?.login ?? 'ghost') : null,
  labels: (pull.labels ?? [])
    .flatMap(({ name }) => name ?? [])
    .sort()
    .slice(0, MOST_NAMES),
  reviewers: [...namesOf(pull.requested_reviewers), ...namesOf(pull.requested_teams)]
    .sort()
    .slice(0, MOST_NAMES),
  ...(pull.head?.repo === undefined ? {} : { headDeleted: pull.head.repo === null }),
  ...homeOf(pull.base.repo),
});

const homeOf = (repo: Base['base']['repo']): Pick<PullShown, 'repo'> =>
  repo?.full_name
    ? { repo: { name: repo.full_name, archived: repo.archived ?? false, private: repo.private ?? false } }
    : {};

const OUTCOME_BY_CONCLUSION = {
  success: 'passed',
  neutral: 'idle',
  skipped: 'skipped',
  failure: 'failed',
  timed_out: 'failed',
  startup_failure: 'failed',
  cancelled: 'failed',
  action_required: 'awaits_maintainer',
  stale: 'stale',
} as const satisfies Record<string, CheckFact['outcome']>;
export const CHECK_CONCLUSIONS = [
  'success',
  'neutral',
  'skipped',
  'failure',
  'timed_out',
  'startup_failure',
  'cancelled',
  'action_required',
  'stale',
] as const satisfies readonly (keyof typeof OUTCOME_BY_CONCLUSION)[];
/** Unknown conclusions never count as success. */
const conclusion = z.preprocess(
  (value) => value ?? null,
  z.enum(CHECK_CONCLUSIONS).nullable().catch('action_required'),
);

const App = z.object({ slug: z.string().nullish(), id: z.number().nullish() }).nullish();
type App = z.infer<typeof App>;

export const CheckRun = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion,
  started_at: timeSchema,
  completed_at: timeSchema,
  app: App,
  check_suite: z.object({ id: z.number().nullish() }).nullish(),
});
export type CheckRun = z.infer<typeof CheckRun>;

export const CommitStatus = z.object({
  context: z.string(),
  state: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export type CommitStatus = z.infer<typeof CommitStatus>;

/** A first-time contributor's suite has no runs until a maintainer approves them. */
export const CheckSuite = z.object({
  id: z.number(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  app: App,
  created_at: timeSchema,
});
export type CheckSuite = z.infer<typeof CheckSuite>;
type Standing = { status?: string | null | undefined; conclusion?: string | null | undefined };
export const isAwaitingApproval = ({ status, conclusion }: Standing): boolean =>
  status === 'waiting' || conclusion === 'action_required';

/** A job and its check run share id and name. */
export const ACTIONS_APP = { slug: 'github-actions', id: 15_368 };
export const isActionsApp = (app: App): boolean => app?.slug === ACTIONS_APP.slug;
export const appId = (app: App): string | null =>
  app?.id === null || app?.id === undefined ? null : String(app.id);
const appName = (app: App): string => String(app?.slug ?? app?.id ?? 'unknown');
/** Includes the suite, as two workflows may have a job of the same name. */
export const checkKey = ({
  app,
  name,
  check_suite,
}: Pick<CheckRun, 'app' | 'name' | 'check_suite'>): string =>
  isActionsApp(app) && check_suite?.id
    ? `${appName(app)}/${check_suite.id}/${name}`
    : `${appName(app)}/${name}`;
export const suiteKey = ({ app, id }: CheckSuite): string => `suite/${appName(app)}/${id}`;
export const suiteName = ({ app }: CheckSuite): string => appName(app);
const statusKey = (context: string): string => `status/${context}`;

const STATUSES: Readonly<Record<string, CheckFact['status']>> = {
  completed: 'ended',
  in_progress: 'running',
  waiting: 'awaits_maintainer',
};

const statusOf = (status: string): CheckFact['status'] =>
  (Object.hasOwn(STATUSES, status) && STATUSES[status]) || 'queued';
/** Null when the suite says nothing, or nothing known. */
export const toCheckOutcome = ({
  status,
  conclusion: said,
}: Standing): Pick<CheckFact, 'status' | 'outcome'> => {
  const stands = statusOf(status ?? 'queued');
  const how = conclusion.parse(said);
  return {
    status: stands,
    outcome: stands === 'ended' ? OUTCOME_BY_CONCLUSION[how ?? 'action_required'] : null,
  };
};

/** `waiting` needs a person's approval; it has not ended and is not red (GitHub, "Check runs"). */
export const toCheckRunFact = (run: CheckRun): CheckFact => ({
  key: checkKey(run),
  name: run.name,
  kind: 'check',
  app: appId(run.app),
  ...toCheckOutcome(run),
  startedAt: run.started_at,
});

/** `app` is unknown for most statuses. */
export const toStatusFact = (status: CommitStatus, app: string | null = null): CheckFact => ({
  key: statusKey(status.context),
  name: status.context,
  kind: 'status',
  app,
  status: status.state === 'pending' ? 'running' : 'ended',
  outcome: status.state === 'pending' ? null : status.state === 'success' ? 'passed' : 'failed',
  startedAt: status.created_at || status.updated_at,
});
