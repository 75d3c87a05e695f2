/** The code host's API in memory; it may be silent, slow, or show other data. */
import { toCheckRunFact, pullId } from '../../../forge/github-facts.ts';
import { toCheckRequirement } from '#model/ci';
import { OutsideFailure, type PullFacts } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import { newest, type Host } from './host.ts';
import { shaky, type WorldParts } from './parts.ts';
import type { Repo } from './state.ts';

type ForgeParts = WorldParts & {
  host: Host;
  cloneUrl: string;
  /** The title is the one that was asked for, whatever the host shows since. */
  created: (pull: PullFacts, title: string, mangled: boolean) => void;
  stranger: (what: string) => void;
};

const APP = { slug: 'github-actions', id: 15_368 };

export const createForge = (parts: ForgeParts): ForgePort => {
  const { held, chaos, behaviour, host } = parts;
  const attempt = shaky(parts);
  const repo = (): Repo => held.repo;
  const find = (id: string): PullFacts => {
    const pull = repo().pulls.find((p) => p.id === id);
    if (!pull) throw new OutsideFailure('forge_refused', `no pull request ${id}`);
    return pull;
  };
  /** True for our current name, and for former ones that nobody took. */
  const isOurs = (name: string): boolean => {
    const { name: now, former, taken } = repo();
    if (name === now) return true;
    if (former.includes(name)) return !taken;
    throw new OutsideFailure('repository_missing', `there is no repository ${name}`);
  };
  const ours = (name: string): void => {
    if (!isOurs(name)) throw new OutsideFailure('repository_missing', `nothing of ours is in ${name}`);
  };
  const writes = (name: string, what: string): void => {
    if (!isOurs(name)) parts.stranger(what);
    if (repo().archived) throw new OutsideFailure('repository_archived', 'it is read-only');
  };
  /** Only set where people move things. */
  const shownOf = (pull: PullFacts): Pick<PullFacts, 'shown'> => {
    const { archived, headGone, name, changed } = repo();
    if (behaviour.moves === 0) return {};
    held.record.shown[pull.id] = pull.baseRef;
    return {
      shown: {
        at: changed[pull.id] ?? 0,
        title: pull.title,
        bodyDigest: '',
        base: pull.baseRef,
        draft: pull.draft,
        locked: false,
        autoMerge: null,
        labels: [],
        reviewers: [],
        headDeleted: headGone,
        repo: { name, archived, private: false },
      },
    };
  };
  const without = <T extends { pull: string }>(rows: readonly T[], id: string): Omit<T, 'pull'>[] =>
    rows.filter((row) => row.pull === id).map(({ pull: _, ...row }) => row);

  return {
    login: async () => 'agentpr-bot',
    repo: async (name) =>
      attempt('forge', () => {
        const id = isOurs(name) ? repo().id : repo().id + 1;
        return {
          id: String(id),
          defaultBranch: repo().defaultBranch,
          archived: repo().archived,
          cloneUrl: parts.cloneUrl,
          mayPush: true,
          name: isOurs(name) ? repo().name : name,
          network: String(id),
          mayFork: true,
          htmlUrl: '',
        };
      }),
    nameOf: async () => attempt('forge', () => repo().name),
    branchName: async (name, branch) =>
      attempt('forge', () => {
        ours(name);
        return branch in repo().bases ? branch : (repo().renamed[branch] ?? null);
      }),
    findRepositories: async () => Promise.reject(new Error('nobody looks for repositories here')),
    forkOwner: async () => null,
    fork: async () => Promise.reject(new Error('nobody forks here')),
    followParent: async () => true,
    pullsByHead: async (name, branch) =>
      attempt('forge', () => {
        ours(name);
        return repo()
          .pulls.filter((p) => p.headRef === branch)
          .map((p) => ({ ...p }));
      }),
    pull: async (name, id) =>
      attempt('forge', () => {
        ours(name);
        const { headGone } = repo();
        const pull = find(id);
        return { ...pull, ...(headGone ? { headRepoId: null } : {}), ...shownOf(pull) };
      }),
    files: async () => [],
    issue: async () => null,
    labelled: async () => [],
    askedBy: async () => null,
    knowsUs: async () => true,
    competingPulls: async () => ({ pulls: [] }),
    pastPulls: async () => [],
    mergedPull: async () => null,
    releasesWith: async () => [],
    survival: async () => null,
    openPulls: async () => attempt('forge', () => host.open().length),
    createPull: async (name, { title, body, base, draft, head }) => {
      writes(name, `pull request for ${head}`);
      if (!(base in repo().bases))
        throw new OutsideFailure('forge_refused', 'base is invalid', { status: 422 });
      if (host.open().some((p) => p.headRef === head)) return null;
      const sha = repo().branches.get(head);
      if (sha === undefined) throw new OutsideFailure('forge_refused', 'head is invalid');
      return attempt('forge', () => {
        const mangled = chaos.strikes('forge: shows another author', behaviour.lies);
        const touched = chaos.strikes('forge: an app changes the title at once', behaviour.lies);
        const opened = { ...blank(repo(), head, sha), title, body, baseRef: base, draft };
        const made = {
          ...opened,
          ...(mangled ? { author: 'mallory' } : {}),
          ...(touched ? { title: `ABC-1: ${title}` } : {}),
        };
        host.create(made);
        parts.created(made, title, mangled);
        return { ...made };
      });
    },
    describe: async (name, id, body) =>
      attempt('forge', () => {
        writes(name, `description of ${id}`);
        const pull = find(id);
        pull.body = body;
        return { ...pull };
      }),
    close: async (_, id, body) =>
      attempt('forge', () => {
        const pull = find(id);
        Object.assign(pull, { body, state: 'closed' });
        return { ...pull };
      }),
    checks: async (_, sha) =>
      attempt('forge', () => ({
        checks: newest(repo(), sha).map(({ startedAt, ...c }) =>
          toCheckRunFact({ ...c, started_at: startedAt, completed_at: 0, app: APP }),
        ),
        required: repo().required.map((name) => toCheckRequirement(name)),
        usesMergeQueue: false,
        awaitsMaintainer: false,
        unread: null,
        seenAt: null,
      })),
    reviews: async (name, id) =>
      attempt('forge', () => {
        ours(name);
        return without(repo().reviews, id);
      }),
    failedChecks: async (_, sha) =>
      attempt('forge', () =>
        newest(repo(), sha)
          .filter((c) => c.conclusion === 'failure')
          .map(({ name }) => ({ name, url: null, log: 'not ok 1 - retries' })),
      ),
    findRedOnBaseOrFlaky: async () => ({ onBase: [], flaky: [] }),
    wantsSigned: async () => false,
    comments: async (_, id) => attempt('forge', () => without(repo().comments, id)),
    seenByAll: async () => true,
    ourReplies: async (_, id) => attempt('forge', () => without(repo().replies, id)),
    reply: async (name, id, thread, body) =>
      attempt('forge', () => {
        writes(name, `answer in ${id}`);
        return host.reply(id, thread, body);
      }),
    askAgain: async () => attempt('forge', () => undefined),
    setUpPull: async () => attempt('forge', () => []),
    markReady: async () => attempt('forge', () => null),
    rerun: async (name, sha) =>
      attempt('forge', () => {
        writes(name, `checks of ${sha}`);
        host.rerun(sha);
        return 'asked' as const;
      }),
  };
};

export const blank = ({ id, pulls }: Repo, branch: string, sha: string): PullFacts => ({
  id: pullId(pulls.length + 1),
  url: `http://forge/pull/${pulls.length + 1}`,
  state: 'open',
  merged: false,
  mergedBy: null,
  author: 'agentpr-bot',
  baseRepoId: String(id),
  baseRef: 'main',
  headRepoId: String(id),
  headRef: branch,
  headSha: sha,
  title: '',
  body: '',
  draft: false,
  maintainerCanModify: false,
});
