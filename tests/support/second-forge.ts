/**
 * A second code host in memory: merge requests such as `group/project!12`, and pipelines. It has no
 * forks, reviews, issues and search.
 */
import { z } from 'zod';
import type { CheckFact } from '#model/ci';
import type { PollExpediter } from '#kernel';
import type { InboxHandler } from '#runtime';
import { OutsideFailure, type FailedCheck, type PullFacts } from '#ports/forge';
import { type GivenForgeRoles, fillMissingRoles } from '#ports/roles';
import type { SystemClock } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

const ROBOT = 'project_42_bot';
const Event = z.object({ object_kind: z.string(), project_gid: z.string() });

/** `head` reads a branch from git; `tell` receives the code host's events. */
type Parts = {
  project: string;
  clock: SystemClock;
  head: (branch: string) => string | undefined;
  tell: (event: IncomingItem) => void;
};

export const createSecondForge = ({ project, clock, head, tell }: Parts) => {
  const gid = `gid://forge.example/Project/9f2c-${project.length}`;
  const web = `https://forge.example:8443/${project}`;
  const requests: PullFacts[] = [];
  const jobs = new Map<string, CheckFact[]>();
  let events = 0;

  const missing = (what: string) => new OutsideFailure('repository_missing', `There is no ${what} here.`);
  const only = (name: string): void => {
    if (name !== project) throw missing(`project ${name}`);
  };
  /** An open merge request's head follows its branch. */
  const shown = (one: PullFacts): PullFacts => ({
    ...one,
    headSha: (one.state === 'open' ? head(one.headRef) : undefined) ?? one.headSha,
  });
  const request = (id: string): PullFacts => {
    const found = requests.find((one) => one.id === id);
    if (!found) throw missing(`merge request ${id}`);
    return found;
  };
  const happened = (object_kind: string): void =>
    tell({ source: 'forge', key: `evt-${(events += 1)}`, body: { object_kind, project_gid: gid } });

  const roles: GivenForgeRoles = {
    repository: {
      login: async () => ROBOT,
      repo: async (name) => {
        only(name);
        const place = { cloneUrl: `${web}.git`, htmlUrl: web };
        const own = { id: gid, name: project, network: gid };
        return { ...own, defaultBranch: 'main', archived: false, mayPush: true, mayFork: true, ...place };
      },
      nameOf: async (id) => (id === gid ? project : null),
      branchName: async (_, branch) => branch,
      files: async () => [],
      wantsSigned: async () => false,
      openPulls: async () => requests.filter(({ state }) => state === 'open').length,
      pastPulls: async () => [],
      knowsUs: async () => true,
      releasesWith: async () => [],
    },
    pulls: {
      pullsByHead: async (_, branch) => requests.filter((one) => one.headRef === branch).map(shown),
      pull: async (name, id) => {
        only(name);
        return shown(request(id));
      },
      describe: async (name, id, body) => {
        only(name);
        const one = request(id);
        one.body = body;
        return shown(one);
      },
      close: async (name, id, body) => {
        only(name);
        return shown(Object.assign(request(id), { body, state: 'closed' }));
      },
      createPull: async (name, { head: branch, base, ...words }) => {
        only(name);
        const headSha = head(branch);
        if (headSha === undefined) throw new OutsideFailure('forge_refused', `There is no branch ${branch}.`);
        if (requests.some((one) => one.headRef === branch && one.state === 'open')) return null;
        const id = `${project}!${requests.length + 12}`;
        const made: PullFacts = {
          ...words,
          id,
          url: `${web}/-/merge_requests/${requests.length + 12}`,
          author: ROBOT,
          state: 'open',
          merged: false,
          mergedBy: null,
          baseRepoId: gid,
          baseRef: base,
          headRepoId: gid,
          headRef: branch,
          headSha,
        };
        requests.push(made);
        return { ...made };
      },
      seenByAll: async () => true,
      mergedPull: async () => null,
      survival: async () => null,
    },
    checks: {
      checks: async (_, sha) => ({
        checks: jobs.get(sha) ?? [],
        required: [],
        awaitsMaintainer: false,
        usesMergeQueue: false,
        unread: null,
        seenAt: null,
      }),
      failedChecks: async (_, sha) =>
        (jobs.get(sha) ?? [])
          .filter(({ outcome }) => outcome === 'failed')
          .map(({ name }): FailedCheck => ({ name, url: null, log: 'not ok 1 - retries' })),
      findRedOnBaseOrFlaky: async () => ({ onBase: [], flaky: [] }),
      rerun: async () => 'asked',
    },
  };
  const port = fillMissingRoles(roles);

  return {
    roles,
    port,
    requests,
    isRepository: (name: string): boolean => /^[\w-]+(?:\/[\w.-]+)+$/.test(name),
    job(sha: string, name: string, outcome: 'passed' | 'failed'): void {
      const by = { kind: 'check', app: null } as const;
      const fact: CheckFact = {
        key: `job:${name}`,
        name,
        ...by,
        startedAt: clock.now(),
        status: 'ended',
        outcome,
      };
      jobs.set(sha, [...(jobs.get(sha) ?? []).filter((one) => one.name !== name), fact]);
      happened('pipeline');
    },
    merges(id: string, mergedBy: string): void {
      Object.assign(request(id), shown(request(id)), { state: 'closed', merged: true, mergedBy });
      happened('merge_request');
    },
    /** Events only expedite the polls of the project's runs. */
    hear:
      (ledger: Ledger, { expedite }: Pick<PollExpediter, 'expedite'>): InboxHandler =>
      async (row) => {
        const { project_gid: id } = Event.parse(row.body);
        const about = await ledger.query.runs({ live: true, limit: 9, repo: { id, fullName: project } });
        for (const run of about) await expedite(run.id);
        await ledger.settleInbox(row.id, { kind: 'done', note: 'heard', replies: [] }, clock.now());
      },
  };
};
export type SecondForge = ReturnType<typeof createSecondForge>;
