/** The data model of the local GitHub. */
import type { Origin } from './git.ts';

export type Access = 'admin' | 'write' | 'read' | 'none';
export type User = { id: number; login: string };
/** An App's token expires at `expiresAt` (epoch ms); other tokens never do. */
export type Identity = {
  user: User;
  token: string;
  scopes: string[] | null;
  expiresAt?: number;
  /** Permissions of a fine-grained token; absent for all. */
  permissions?: Readonly<Record<string, string>>;
};
export type Review = {
  id: number;
  user: User;
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  body: string;
  commitSha: string;
  at: number;
};
export type Comment = { id: number; issue: number; user: User; body: string; at: number };
export type IssueEvent = { id: number; by: User; at: number } & (
  | { event: 'labeled' | 'unlabeled'; label: string }
  | { event: 'assigned' | 'unassigned'; assignee: User }
  | { event: 'closed' | 'reopened' | 'locked' | 'unlocked' | 'connected' | 'disconnected' }
);
export type Issue = {
  id: number;
  number: number;
  title: string;
  body: string | null;
  user: User;
  state: 'open' | 'closed';
  labels: string[];
  assignees: User[];
  locked: boolean;
  closedAt: number | null;
  events: IssueEvent[];
  createdAt: number;
  updatedAt: number;
};
export type LineComment = {
  id: number;
  pull: number;
  review: number;
  user: User;
  path: string;
  /** 1-based in the new file; null if the line is gone. */
  line: number | null;
  originalLine: number;
  body: string;
  commitSha: string;
  originalCommitSha: string;
  inReplyTo: number | null;
  startLine: number | null;
  hunk: string | null;
  at: number;
};
/** Checks of a `held` suite wait for a maintainer's approval. */
export type Suite = {
  id: number;
  sha: string;
  app: string;
  reruns: number;
  createdAt: number;
  held?: boolean;
};
export type Annotation = {
  path: string;
  line: number;
  level: 'notice' | 'warning' | 'failure';
  message: string;
};
export type CheckRun = {
  id: number;
  suite: Suite;
  name: string;
  status: 'queued' | 'in_progress' | 'completed' | 'waiting' | 'requested' | 'pending';
  conclusion: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  log: string | null;
  annotations: Annotation[];
  startedAt: number;
  completedAt: number | null;
};
export type CiJob = {
  name: string;
  command: string;
  install?: string;
  timeoutMs?: number;
};
/** One run of all jobs on one head; a rerun adds an attempt. */
export type WorkflowRun = {
  id: number;
  suite: Suite;
  name: string;
  number: number;
  attempt: number;
  pull: Pull;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: 'success' | 'failure' | 'cancelled' | 'timed_out' | null;
  actor: User;
  jobs: { job: CiJob; run: CheckRun }[];
  createdAt: number;
  startedAt: number;
  updatedAt: number;
};
export type Status = {
  id: number;
  sha: string;
  context: string;
  state: 'error' | 'failure' | 'pending' | 'success';
  description: string | null;
  by: User;
  at: number;
};
export type Rule = { type: string; branch: string; parameters: Record<string, unknown> };
/** The words that the client read are in `refused`. */
export type Push = { ref: string; old: string; new: string; by: string; at: number; refused: string | null };
export type Writing = { by: string; title: string; body: string; headSha: string };
export type Pull = {
  id: number;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  draft: boolean;
  user: User;
  base: { repo: Repo; ref: string; sha: string };
  /** True for `left` if the fork left the network or its owner is gone. */
  head: { repo: Repo; ref: string; sha: string; left?: true };
  maintainerCanModify: boolean;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  merged: { at: number; by: User; sha: string } | null;
  reviews: Review[];
  writings: Writing[];
  pushesBefore: number;
  requested: string[];
  requestedTeams: string[];
  labels: string[];
  assignees: string[];
  milestone: string | null;
  locked: boolean;
  /** Its ways into the merge queue and out of it, oldest first. */
  queued: { event: 'added_to_merge_queue' | 'removed_from_merge_queue'; at: number; by: User }[];
};
export type Release = { id: number; tag: string; sha: string; at: number };
export type InteractionLimit = 'existing_users' | 'contributors_only' | 'collaborators_only';
export type Repo = {
  releases: Release[];
  id: number;
  owner: User;
  name: string;
  fullName: string;
  dir: string;
  defaultBranch: string;
  private: boolean;
  archived: boolean;
  parent: Repo | null;
  /** Forks are forbidden (`off`) or empty at first (`takes`, ms). */
  forking: { off: boolean; takes: number };
  holdsForks: boolean;
  gone: boolean;
  /** A new fork gets its commits then (epoch ms); null afterwards. */
  fillsAt: number | null;
  access: Map<string, Access>;
  refusesPulls: {
    off: boolean;
    policy: 'all' | 'collaborators_only';
    mirrorUrl: string | null;
    homepage: string | null;
    description: string | null;
  };
  interactions: { limit: InteractionLimit; until: number } | null;
  /** Maximum open pull requests of an account without write access; null for any number. */
  pullLimit: number | null;
  /** Labels, milestones and teams besides the usual ones. */
  labels: string[];
  milestones: string[];
  teams: string[];
  pulls: Pull[];
  issues: Issue[];
  comments: Comment[];
  lineComments: LineComment[];
  ci: CiJob[];
  workflows: WorkflowRun[];
  suites: Suite[];
  runs: CheckRun[];
  statuses: Status[];
  rules: Rule[];
  pushes: Push[];
  refs: Map<string, string>;
  refusals: { pattern: RegExp; words: string }[];
  renamed: Map<string, string>;
  createdAt: number;
  pushedAt: number;
};
export type Happening = {
  action: string | null;
  repo: Repo;
  number: number | null;
  sha: string | null;
  by: User;
} & (
  | { event: 'push'; ref: string; before: string; after: string }
  | { event: 'pull_request'; pull: Pull; moved?: { before: string; after: string }; changes?: PullChanges }
  | { event: 'pull_request_review'; pull: Pull; review: Review }
  | { event: 'pull_request_review_comment'; pull: Pull; comment: LineComment }
  | { event: 'issue_comment'; pull: Pull; comment: Comment }
  | { event: 'issues'; issue: Issue; label: string | null }
  | { event: 'check_run'; run: CheckRun }
  | { event: 'check_suite'; suite: Suite }
  | { event: 'status'; status: Status }
  | { event: 'workflow_run'; workflow: WorkflowRun }
  | { event: 'repository' }
  | { event: 'release'; release: Release }
);
export type World = {
  now: () => number;
  nextId: () => number;
  user: (login: string) => User;
  /** Reports changes that no webhook announces. */
  changed: () => void;
  tell: (happening: Happening) => void;
  onHappening: (listener: (happening: Happening) => void) => () => void;
};
export type PullChanges = {
  title?: { from: string };
  body?: { from: string };
  base?: { ref: { from: string }; sha: { from: string } };
};

export type NewRepo = {
  owner: string;
  name: string;
  from?: Origin;
  defaultBranch?: string;
  private?: boolean;
  ci?: readonly CiJob[];
  /** Rights of the tested account; default: admin of its own repositories, writer of others. */
  access?: Access;
  forking?: { off?: boolean; takes?: number };
  holdsForks?: boolean;
};
