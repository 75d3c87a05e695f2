/**
 * What the world outside holds: a repository with its people's words and checks, workspaces, a
 * chat. Plain values, so that moments can be saved.
 */
import { createHash } from 'node:crypto';
import type { CHECK_CONCLUSIONS } from '../../../forge/github-facts.ts';
import type { CommentFacts, PullFacts, ReviewFacts } from '../../../orchestrator/ports.ts';

export const REPO = 'acme/api';

/** A message as it stands in a chat; `first` is what it said when it came, `at` (epoch ms). */
export type Shown = {
  chat: string;
  id: string;
  at: number;
  html: string;
  /** What *More* said of the card when this was shown; empty where it is no live card. */
  more: string;
  first: string;
  buttons: { text: string; token: string }[];
};
/**
 * A check run as the code host keeps it; `startedAt` in epoch ms, to the second as GitHub tells it.
 */
export type HostCheck = {
  id: number;
  sha: string;
  name: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: (typeof CHECK_CONCLUSIONS)[number] | null;
  startedAt: number;
};
/** Where each branch is: a map, or real refs on disk. */
export type Branches = Pick<Map<string, string>, 'get' | 'set' | 'delete' | 'clear' | 'keys' | 'size'> &
  Iterable<[string, string]>;
export type Of<T> = T & { pull: string };
export type Repo = {
  id: number;
  base: string;
  /** F12: what it is called, what it was called before, and whether others have such a name now. */
  name: string;
  former: string[];
  taken: boolean;
  archived: boolean;
  /** The head of each pull request is nowhere any more. */
  headGone: boolean;
  /** Branches that pull requests may go into, by name, and what the former names lead to. */
  bases: Record<string, string>;
  renamed: Record<string, string>;
  defaultBranch: string;
  /** When each pull request changed last (epoch ms). */
  changed: Record<string, number>;
  branches: Branches;
  pulls: PullFacts[];
  rules: Record<string, string>;
  checks: HostCheck[];
  required: string[];
  reviews: Of<ReviewFacts>[];
  comments: Of<CommentFacts>[];
  /** What we said in threads. */
  replies: Of<{ thread: string; body: string; url: string }>[];
  /** One sequence of ids for everything on the code host. */
  lastId: number;
};
export type Tree = { files: string; parent: string; base: string };
/** What the world received: the oracle judges by it. */
export type Received = {
  pushes: { branch: string; sha: string; pull: string | null }[];
  created: PullFacts[];
  agentRuns: number;
  checkRuns: number;
  /** One sequence of message ids for everybody, as in a real chat. */
  lastMessage: number;
  /**
   * What the product last saw as the head of a branch, newest first. Two: while a door is between its
   * look and its call, a step that watches the branch may look as well.
   */
  looked: Record<string, (string | null)[]>;
  /** Branches of ours that somebody else deleted. */
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

/** Chances of what may go wrong; and of what the code host and its people do by themselves. */
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
  /** People move and rename what runs work against. */
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
/** Another branch, with commits of its own on top of the base. */
export const DEVELOP = hash('develop');
/** What a base has become since; every update merges this. */
export const movedOn = (base: string): string => hash(`${base} moved on`);
/** In what an agent wrote: it touched what runs on the code host. */
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

/** Deeper than a spread, cheaper than a structured clone: every row is flat. */
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
    // The host's rows of what we created stay the rows that it shows.
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
