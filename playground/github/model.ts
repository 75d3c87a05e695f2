/** What there is on the local GitHub, as data. */
import type { Origin } from './git.ts';

export type Access = 'admin' | 'write' | 'read' | 'none';
export type User = { id: number; login: string };
/** `scopes` is null for a fine-grained token. An App's ends by itself at `expiresAt` (epoch ms). */
export type Identity = {
  user: User;
  token: string;
  scopes: string[] | null;
  expiresAt?: number;
  /** Of a fine-grained token: what it may do, by GitHub's names; absent for everything. */
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
export type LabelEvent = {
  id: number;
  event: 'labeled' | 'unlabeled';
  label: string;
  by: User;
  at: number;
};
export type Issue = {
  id: number;
  number: number;
  title: string;
  body: string | null;
  user: User;
  state: 'open' | 'closed';
  labels: string[];
  events: LabelEvent[];
  createdAt: number;
  updatedAt: number;
};
/** On a line of a pull request's diff. */
export type LineComment = {
  id: number;
  pull: number;
  /** Of the review that it belongs to. */
  review: number;
  user: User;
  path: string;
  /** 1-based in the new file; null when the line is gone. */
  line: number | null;
  originalLine: number;
  body: string;
  commitSha: string;
  originalCommitSha: string;
  inReplyTo: number | null;
  /** The first of several lines; null for one. */
  startLine: number | null;
  /** Null until somebody asks for it. */
  hunk: string | null;
  at: number;
};
/** `held`: its checks begin when a maintainer allows it. */
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
  /** What the job has printed so far, each line with its time; null when there is none. */
  log: string | null;
  annotations: Annotation[];
  startedAt: number;
  completedAt: number | null;
};
/** A job of a repository's CI; it really runs, for each new head of an open pull request. */
export type CiJob = {
  name: string;
  /** For `sh -c`, in a clean clone of the commit. */
  command: string;
  /** Before the command. */
  install?: string;
  /** Ten minutes by default. */
  timeoutMs?: number;
};
/** One run of all jobs on one head. Run again, it is the same with one more attempt. */
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
  /** The newest check run of each job; its id is the job's. */
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
/** `refused` holds the words that the client read. */
/** `at` is in epoch ms. */
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
  /** `left`: its repository is in no network with the base any more, or its owner is gone. */
  head: { repo: Repo; ref: string; sha: string; left?: true };
  maintainerCanModify: boolean;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  merged: { at: number; by: User; sha: string } | null;
  reviews: Review[];
  /** As it was opened, and each time that somebody wrote its title or description anew. */
  writings: Writing[];
  /** How many pushes its head repository had seen when it was opened. */
  pushesBefore: number;
  /** Logins that are asked for a review. */
  requested: string[];
  locked: boolean;
};
export type Repo = {
  id: number;
  owner: User;
  name: string;
  fullName: string;
  dir: string;
  defaultBranch: string;
  private: boolean;
  archived: boolean;
  parent: Repo | null;
  /** Nobody can be given one; and how long a new one is empty (ms). */
  forking: { off: boolean; takes: number };
  /** CI of whoever comes from a fork for the first time begins when a maintainer allows it. */
  holdsForks: boolean;
  /** It was deleted; pull requests from it stay. */
  gone: boolean;
  /** A new fork gets its commits then (epoch ms); null when it has them. */
  fillsAt: number | null;
  access: Map<string, Access>;
  /** Open pull requests that an account without write access may have; null for any number. */
  pullLimit: number | null;
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
  /** Where each branch and tag stood when they were last looked at. */
  refs: Map<string, string>;
  refusals: { pattern: RegExp; words: string }[];
  /** What branches are called that had another name before. */
  renamed: Map<string, string>;
  createdAt: number;
  pushedAt: number;
};
/** What a webhook tells of. `by` did it. */
export type Happening = {
  /** Null for the events that have none. */
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
);
/** What the parts of the local GitHub share: time, ids, users, and how to tell what happened. */
export type World = {
  now: () => number;
  nextId: () => number;
  user: (login: string) => User;
  /** For those who look, when nothing happened that a webhook tells of. */
  changed: () => void;
  tell: (happening: Happening) => void;
  /**
   * Happenings come one after another, also those that a listener causes. Returns how to stop
   * hearing.
   */
  onHappening: (listener: (happening: Happening) => void) => () => void;
};
/** What was there before an edit. */
export type PullChanges = {
  title?: { from: string };
  body?: { from: string };
  base?: { ref: { from: string }; sha: { from: string } };
};

export type NewRepo = {
  owner: string;
  name: string;
  /** A git repository, a directory of files, or files by path. Absent: an empty repository. */
  from?: Origin;
  defaultBranch?: string;
  private?: boolean;
  /** What runs on each new head of a pull request. */
  ci?: readonly CiJob[];
  /**
   * What the account under test may do; admin of its own repositories and writer of others by
   * default.
   */
  access?: Access;
  /** `off`: nobody may fork it. `takes`: a fork of it is empty for so long (ms). */
  forking?: { off?: boolean; takes?: number };
  /** CI of whoever comes from a fork for the first time begins when a maintainer allows it. */
  holdsForks?: boolean;
};
