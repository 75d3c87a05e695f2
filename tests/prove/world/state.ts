/** The world's state as plain values, so that it can be saved. */
import { createHash } from 'node:crypto';
import type { CHECK_CONCLUSIONS } from '../../../forge/github-facts.ts';
import type { CommentFacts, PullFacts, ReviewFacts } from '#ports/forge';

export const REPO = 'acme/api';

/** `first` is its first text, `at` its time (epoch ms). */
export type Shown = {
  chat: string;
  id: string;
  at: number;
  html: string;
  /** Text of *More* at that time; empty without a live card. */
  more: string;
  /** Text of *Show each* of a card of many at that time, all pages; empty for others. */
  each: string;
  first: string;
  buttons: { text: string; token: string }[];
};
/** `startedAt` in epoch ms, rounded to seconds like GitHub's. */
export type HostCheck = {
  id: number;
  sha: string;
  name: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: (typeof CHECK_CONCLUSIONS)[number] | null;
  startedAt: number;
};
/** A map, or real refs on disk. */
export type Branches = Pick<Map<string, string>, 'get' | 'set' | 'delete' | 'clear' | 'keys' | 'size'> &
  Iterable<[string, string]>;
export type Of<T> = T & { pull: string };
export type Repo = {
  id: number;
  base: string;
  /** F12: current and former names, and whether others took a former one. */
  name: string;
  former: string[];
  taken: boolean;
  archived: boolean;
  /** The head repositories are gone. */
  headGone: boolean;
  /** Base branches by name, and redirects of former names. */
  bases: Record<string, string>;
  renamed: Record<string, string>;
  defaultBranch: string;
  /** Last change of each pull request (epoch ms). */
  changed: Record<string, number>;
  branches: Branches;
  pulls: PullFacts[];
  rules: Record<string, string>;
  checks: HostCheck[];
  required: string[];
  reviews: Of<ReviewFacts>[];
  comments: Of<CommentFacts>[];
  replies: Of<{ thread: string; body: string; url: string }>[];
  /** One id sequence for the whole code host. */
  lastId: number;
};
export type Tree = { files: string; parent: string; base: string };
/** Used by the oracle. */
export type Received = {
  pushes: { branch: string; sha: string; pull: string | null }[];
  created: PullFacts[];
  agentRuns: number;
  checkRuns: number;
  /** One id sequence for all messages. */
  lastMessage: number;
  /** The last two heads that the product saw per branch, because polls may interleave. */
  looked: Record<string, (string | null)[]>;
  /** Branches that others deleted. */
  gone: string[];
  /** The base of each pull request as the product last saw it. */
  shown: Record<string, string>;
};
export type Saved = {
  repo: Repo;
  commits: Map<string, Tree>;
  work: Map<string, string>;
  messages: Shown[];
  record: Received;
};

/** Chances of failures, and of actions of people. */
export type Behaviour = Record<
  | 'trouble'
  | 'lostAnswers'
  | 'lies'
  | 'disk'
  | 'checksFail'
  | 'checksBreak'
  | 'agentFails'
  | 'agentCrashes'
  | 'agentIdle'
  | 'agentGarbles'
  | 'agentUses'
  | 'sessionLost'
  | 'unsafe'
  | 'risky'
  | 'ci'
  | 'ciRed'
  | 'moves',
  number
>;
export const WELL: Behaviour = {
  trouble: 0,
  lostAnswers: 0,
  lies: 0,
  disk: 0,
  checksFail: 0,
  checksBreak: 0,
  agentFails: 0,
  agentCrashes: 0,
  agentIdle: 0,
  agentGarbles: 0,
  agentUses: 0,
  sessionLost: 0,
  unsafe: 0,
  risky: 0,
  ci: 0,
  ciRed: 0,
  moves: 0,
};

export const hash = (text: string, length = 40): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

export const BASE = hash('base');
/** Another branch with its own commits. */
export const DEVELOP = hash('develop');
/** The moved base, which every update merges. */
export const movedOn = (base: string): string => hash(`${base} moved on`);
/** Marks an agent's change to CI files. */
export const RISKY = '!';

export const createRepo = (): Repo => ({
  id: 7,
  base: BASE,
  name: REPO,
  former: [],
  taken: false,
  archived: false,
  headGone: false,
  bases: { main: BASE, develop: DEVELOP },
  renamed: {},
  defaultBranch: 'main',
  changed: {},
  branches: new Map(),
  pulls: [],
  rules: {},
  checks: [],
  required: [],
  reviews: [],
  comments: [],
  replies: [],
  lastId: 100,
});

/** Faster than structuredClone; every row is flat. */
const copyRows = <T extends object>(rows: readonly T[]): T[] => rows.map((row) => ({ ...row }));

export const copyOf = ({ repo, commits, work, messages, record }: Saved): Saved => {
  const pulls = copyRows(repo.pulls);
  return {
    repo: {
      ...repo,
      branches: new Map(repo.branches),
      former: [...repo.former],
      bases: { ...repo.bases },
      renamed: { ...repo.renamed },
      changed: { ...repo.changed },
      pulls,
      rules: { ...repo.rules },
      checks: copyRows(repo.checks),
      required: [...repo.required],
      reviews: copyRows(repo.reviews),
      comments: copyRows(repo.comments),
      replies: copyRows(repo.replies),
    },
    commits: new Map(commits),
    work: new Map(work),
    messages: copyRows(messages),
    // The record must share its rows with the host.
    record: {
      ...record,
      pushes: [...record.pushes],
      created: record.created.map((p) => pulls[repo.pulls.indexOf(p)] ?? { ...p }),
      looked: { ...record.looked },
      gone: [...record.gone],
      shown: { ...record.shown },
    },
  };
};
