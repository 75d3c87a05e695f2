/** The world outside: a forge, git, agents and a chat, in memory. It survives crashes, can be told to fail or lie, and records everything. */
import { createHash } from 'node:crypto';
import type { DiffFacts } from '../../orchestrator/core/facts.ts';
import {
  OutsideFailure,
  type Chat,
  type Checks,
  type Executor,
  type Forge,
  type PullFacts,
  type SentMessage,
  type Workspaces,
} from '../../orchestrator/ports.ts';
import type { Random } from './random.ts';

const hash = (text: string, length = 40): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

export type Shown = { chat: number; id: number; html: string; buttons: { text: string; token: string }[] };
export type World = ReturnType<typeof createWorld>;
/** Everything outside, as plain values. */
export type Saved = {
  repo: Repo;
  commits: Map<string, Tree>;
  work: Map<string, string>;
  messages: Shown[];
  record: Received;
};
type Received = {
  pushes: { branch: string; sha: string }[];
  created: PullFacts[];
  agentRuns: number;
  checkRuns: number;
  /** One sequence of message ids for everybody, as in a real chat. */
  lastMessage: number;
  /** What the product last saw as the head of a branch. */
  looked: Record<string, string | null>;
};

type Repo = {
  id: number;
  base: string;
  branches: Map<string, string>;
  pulls: PullFacts[];
  rules: Record<string, string>;
};
type Tree = { files: string; parent: string; base: string };

/** `trouble` is the chance that a call to the outside fails, half of the time after it took effect. */
export const createWorld = (random: Random, clock: { now(): number }, trouble: number) => {
  const repo: Repo = { id: 7, base: hash('base'), branches: new Map(), pulls: [], rules: {} };
  const commits = new Map<string, Tree>([[repo.base, { files: 'base', parent: '', base: '' }]]);
  const work = new Map<string, string>();
  const messages: Shown[] = [];
  const record: Received = {
    pushes: [],
    created: [],
    agentRuns: 0,
    checkRuns: 0,
    lastMessage: 0,
    looked: {},
  };
  const behaviour = { trouble, checksFail: 0, agentFails: 0, agentIdle: 0 };

  /** Fails before or after the deed; an answer that is lost looks like a failure although the deed is done. */
  const shaky = async <T>(deed: () => T): Promise<T> => {
    if (!random.chance(behaviour.trouble)) return deed();
    if (random.chance(0.5)) deed();
    const limited = random.chance(0.2);
    throw limited
      ? new OutsideFailure('rate_limited', 'slow down', clock.now() + 1_000)
      : new OutsideFailure('forge_unavailable', 'no answer');
  };

  const commitOf = (sha: string): Tree => {
    const commit = commits.get(sha);
    if (!commit) throw new Error(`no commit ${sha}`);
    return commit;
  };

  const factsOf = (base: string, head: string): DiffFacts => ({
    files: [
      {
        path: 'src/retry.ts',
        oldPath: null,
        status: 'modified',
        oldMode: '100644',
        newMode: '100644',
        added: 3,
        deleted: 1,
        binary: false,
      },
      {
        path: 'test/retry.test.ts',
        oldPath: null,
        status: 'modified',
        oldMode: '100644',
        newMode: '100644',
        added: 9,
        deleted: 0,
        binary: false,
      },
    ],
    added: 12,
    deleted: 1,
    digest: hash(`${commitOf(base).files}→${commitOf(head).files}`, 64),
    bytes: 400,
    findings: [],
  });

  const workspaces: Workspaces = {
    prepare: async ({ runId }) => {
      work.set(runId, commitOf(repo.base).files);
      return shaky(() => ({ ref: 'main', sha: repo.base }));
    },
    reset: async ({ runId, sha }) => void work.set(runId, commitOf(sha).files),
    exists: async (runId) => work.has(runId),
    tree: async () => ({ paths: Object.keys(repo.rules), read: async (path) => repo.rules[path] ?? null }),
    harvest: async ({ runId, base, parent, message }) => {
      const files = work.get(runId) ?? '';
      if (files === commitOf(parent).files) return { kind: 'no_changes', skipped: [] };
      const sha = hash(`${parent} ${files} ${message}`);
      commits.set(sha, { files, parent, base });
      return {
        kind: 'commit',
        skipped: [],
        commit: { sha, tree: hash(files), base, message, diff: factsOf(base, sha) },
      };
    },
    export: async () => ({
      dir: '/export',
      home: '/home',
      intact: async () => true,
      remove: async () => undefined,
    }),
    facts: async ({ base, head }) => factsOf(base, head),
    patch: async () => ({ text: 'diff', omitted: 0 }),
    compare: async ({ head }) =>
      shaky(() => ({
        mergeBase: repo.base,
        tree: hash(commitOf(head).files),
        conflicts: world.conflicts,
        author: 'AgentPR <a@b.c>',
      })),
    push: async ({ sha, branch, expect }) => {
      const at = repo.branches.get(branch) ?? null;
      if (at === sha) return { kind: 'pushed', branch, sha };
      if (at !== expect) return { kind: 'rejected', reason: 'stale info', because: 'stale' };
      return shaky(() => {
        repo.branches.set(branch, sha);
        for (const pull of repo.pulls)
          if (pull.headRef === branch && pull.state === 'open') pull.headSha = sha;
        record.pushes.push({ branch, sha });
        return { kind: 'pushed', branch, sha } as const;
      });
    },
    remoteHead: async ({ branch }) =>
      shaky(() => {
        const head = repo.branches.get(branch) ?? null;
        record.looked[branch] = head;
        return head;
      }),
    places: () => ({ workspace: '/ws', home: '/home' }),
    clean: async (runId) => void work.delete(runId),
    list: async () => [...work.keys()],
  };

  const end = (exitCode: number, ms: number) =>
    ({ exitCode, ended: 'exited', signal: null, ms, stdout: '', stderr: '' }) as const;

  const script: Executor = {
    run: async ({ runId }) => {
      record.agentRuns += 1;
      const base = {
        session: null,
        usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
        containment: 'bwrap',
        model: null,
      } as const;
      if (random.chance(behaviour.agentFails)) {
        const failure = {
          class: random.pick(['crashed', 'timed_out', 'auth_missing'] as const),
          message: 'it broke',
          retryAt: null,
        };
        return { ...base, outcome: 'failed', failure, summary: '', end: end(1, 50) };
      }
      // The agent edits inside the workspace only; chance decides what it writes.
      if (!random.chance(behaviour.agentIdle)) work.set(runId, `${work.get(runId) ?? ''}+${random.text(4)}`);
      return { ...base, outcome: 'completed', failure: null, summary: 'Fix the retry', end: end(0, 50) };
    },
  };

  const checks: Checks = {
    run: async ({ name, command }) => {
      record.checkRuns += 1;
      const failed = random.chance(behaviour.checksFail);
      const outcome = failed ? 'failed' : 'passed';
      return {
        result: {
          name,
          command,
          exitCode: failed ? 1 : 0,
          outcome,
          ms: 20,
          tail: failed ? 'not ok 1' : 'ok',
        },
        end: end(failed ? 1 : 0, 20),
        containment: 'bwrap',
      };
    },
  };

  const blank = (branch: string, sha: string): PullFacts => ({
    number: repo.pulls.length + 1,
    url: `http://forge/pull/${repo.pulls.length + 1}`,
    state: 'open',
    merged: false,
    mergedBy: null,
    author: 'agentpr-bot',
    baseRepoId: repo.id,
    baseRef: 'main',
    headRepoId: repo.id,
    headRef: branch,
    headSha: sha,
    title: '',
    body: '',
    draft: false,
    maintainerCanModify: false,
  });

  const find = (number: number): PullFacts => {
    const pull = repo.pulls.find((p) => p.number === number);
    if (!pull) throw new OutsideFailure('forge_refused', `no pull request #${number}`);
    return pull;
  };

  const forge: Forge = {
    login: async () => 'agentpr-bot',
    repo: async () =>
      shaky(() => ({
        id: repo.id,
        defaultBranch: 'main',
        archived: false,
        cloneUrl: 'http://forge/acme/api.git',
        mayPush: true,
        htmlUrl: '',
      })),
    pullsByHead: async (_, branch) =>
      shaky(() => repo.pulls.filter((p) => p.headRef === branch).map((p) => ({ ...p }))),
    pull: async (_, number) => shaky(() => ({ ...find(number) })),
    openPulls: async () => shaky(() => repo.pulls.filter((p) => p.state === 'open').length),
    createPull: async (_, input) => {
      const open = repo.pulls.some((p) => p.headRef === input.head && p.state === 'open');
      if (open) throw new OutsideFailure('forge_refused', 'A pull request already exists');
      if (!repo.branches.has(input.head)) throw new OutsideFailure('forge_refused', 'head is invalid');
      const { title, body, base, draft, head } = input;
      const pull: PullFacts = {
        ...blank(head, repo.branches.get(head) ?? ''),
        title,
        body,
        baseRef: base,
        draft,
      };
      return shaky(() => {
        repo.pulls.push(pull);
        world.onCreate(pull);
        record.created.push(pull);
        if (world.fair) merge(pull);
        return { ...pull };
      });
    },
    checks: async () => shaky(() => ({ checks: [], required: [] })),
    reviews: async () => shaky(() => []),
    failedChecks: async () => shaky(() => []),
    threads: async () => shaky(() => []),
    comments: async () => shaky(() => []),
    rerun: async () => shaky(() => undefined),
  };

  const chat: Chat = {
    send: async ({ chat: to, html, buttons }) =>
      shaky(() => {
        const shown: Shown = { chat: to, id: (record.lastMessage += 1), html, buttons: buttons.flat() };
        messages.push(shown);
        return { chat: to, messageId: shown.id } satisfies SentMessage;
      }),
    edit: async ({ chat: to, messageId, html, buttons }) =>
      shaky(() => {
        const shown = messages.find((m) => m.chat === to && m.id === messageId);
        if (!shown) return null;
        shown.html = html;
        shown.buttons = buttons.flat();
        return { chat: to, messageId };
      }),
    document: async ({ chat: to, caption }) =>
      shaky(() => {
        messages.push({ chat: to, id: (record.lastMessage += 1), html: caption, buttons: [] });
        return { chat: to, messageId: record.lastMessage };
      }),
  };

  const merge = (pull: PullFacts): void => {
    Object.assign(pull, {
      state: 'closed',
      merged: true,
      mergedBy: 'maintainer',
    } satisfies Partial<PullFacts>);
  };

  const world = {
    repo,
    messages,
    record,
    behaviour,
    conflicts: false,
    /** Called at the very moment a pull request comes to exist. */
    onCreate: (_pull: PullFacts): void => undefined,
    /** A copy of everything outside, and back to it: one prepared moment serves many histories. */
    save: (): Saved => structuredClone({ repo, commits, work, messages, record }),
    load(saved: Saved): void {
      const copy = structuredClone(saved);
      Object.assign(repo, copy.repo);
      Object.assign(record, copy.record);
      messages.splice(0, Infinity, ...copy.messages);
      for (const [into, from] of [
        [commits, copy.commits],
        [work, copy.work],
      ] as [Map<string, unknown>, Map<string, unknown>][]) {
        into.clear();
        for (const [k, v] of from) into.set(k, v);
      }
      world.conflicts = world.fair = false;
      behaviour.trouble = 0;
    },
    /** Run ids that the world has seen, from branches, workspaces and messages. */
    runIds(): string[] {
      return [...work.keys()];
    },
    /** The forge's people do something: merge, close, or push to a branch of ours. */
    meddle(): void {
      const open = repo.pulls.filter((p) => p.state === 'open');
      const dice = random.next();
      if (open.length > 0 && dice < 0.5) merge(random.pick(open));
      else if (open.length > 0 && dice < 0.6) random.pick(open).state = 'closed';
      else if (repo.branches.size > 0 && dice < 0.75)
        world.pushForeign(random.pick([...repo.branches.keys()]));
      else if (dice < 0.8) world.conflicts = !world.conflicts;
    },
    /** Somebody else opens a pull request for a branch of ours, before us. */
    openForeign(): void {
      for (const [branch, sha] of repo.branches) {
        if (repo.pulls.some((p) => p.headRef === branch && p.state === 'open')) continue;
        repo.pulls.push({ ...blank(branch, sha), author: 'mallory', body: 'mine' });
      }
    },
    /** In fair weather maintainers merge what is open, and nothing conflicts. */
    calm(): void {
      world.conflicts = false;
      world.fair = true;
      for (const pull of repo.pulls) if (pull.state === 'open') merge(pull);
    },
    fair: false,
    ports: { workspaces, forge, checks, script, chat },
    /** Somebody else pushes to a branch of ours. */
    pushForeign(branch: string): void {
      repo.branches.set(branch, hash(`foreign ${branch} ${random.text(6)}`));
    },
  };
  return world;
};
