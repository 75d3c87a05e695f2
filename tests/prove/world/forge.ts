/** The code host's programming interface, in memory. It can be silent, slow to answer, and show other things than it was told. */
import { ofCheckRun } from '../../../orchestrator/ports/check-facts.ts';
import { OutsideFailure, type Forge, type PullFacts } from '../../../orchestrator/ports.ts';
import { newest, type Host } from './host.ts';
import { shaky, type WorldParts } from './parts.ts';
import type { Repo } from './state.ts';

type ForgeParts = WorldParts & {
  host: Host;
  cloneUrl: string;
  created: (pull: PullFacts, mangled: boolean) => void;
};

const APP = { slug: 'github-actions', id: 15_368 };

export const createForge = (parts: ForgeParts): Forge => {
  const { held, chaos, behaviour, host } = parts;
  const attempt = shaky(parts);
  const repo = (): Repo => held.repo;
  const find = (number: number): PullFacts => {
    const pull = repo().pulls.find((p) => p.number === number);
    if (!pull) throw new OutsideFailure('forge_refused', `no pull request #${number}`);
    return pull;
  };
  const without = <T extends { pull: number }>(rows: readonly T[], number: number): Omit<T, 'pull'>[] =>
    rows.filter((row) => row.pull === number).map(({ pull: _, ...row }) => row);

  return {
    login: async () => 'agentpr-bot',
    repo: async () =>
      attempt('forge', () => ({
        id: repo().id,
        defaultBranch: 'main',
        archived: false,
        cloneUrl: parts.cloneUrl,
        mayPush: true,
        htmlUrl: '',
      })),
    nameOf: async () => attempt('forge', () => 'acme/api'),
    pullsByHead: async (_, branch) =>
      attempt('forge', () =>
        repo()
          .pulls.filter((p) => p.headRef === branch)
          .map((p) => ({ ...p })),
      ),
    pull: async (_, number) => attempt('forge', () => ({ ...find(number) })),
    openPulls: async () => attempt('forge', () => host.open().length),
    createPull: async (_, { title, body, base, draft, head }) => {
      if (host.open().some((p) => p.headRef === head)) return null;
      const sha = repo().branches.get(head);
      if (sha === undefined) throw new OutsideFailure('forge_refused', 'head is invalid');
      return attempt('forge', () => {
        const mangled = chaos.strikes('forge: shows another title', behaviour.lies);
        const made = {
          ...blank(repo(), head, sha),
          title: mangled ? `${title} ` : title,
          body,
          baseRef: base,
          draft,
        };
        host.create(made);
        parts.created(made, mangled);
        return { ...made };
      });
    },
    checks: async (_, sha) =>
      attempt('forge', () => ({
        checks: newest(repo(), sha).map(({ startedAt, ...c }) =>
          ofCheckRun({ ...c, started_at: startedAt, app: APP }),
        ),
        required: [...repo().required],
        held: false,
        unread: null,
      })),
    reviews: async (_, number) => attempt('forge', () => without(repo().reviews, number)),
    failedChecks: async (_, sha) =>
      attempt('forge', () =>
        newest(repo(), sha)
          .filter((c) => c.conclusion === 'failure')
          .map(({ name }) => ({ name, url: null, log: 'not ok 1 - retries' })),
      ),
    threads: async (_, number) => attempt('forge', () => without(repo().threads, number)),
    comments: async (_, number) => attempt('forge', () => without(repo().comments, number)),
    rerun: async (_, sha) => attempt('forge', () => host.rerun(sha)),
  };
};

export const blank = ({ id, pulls }: Repo, branch: string, sha: string): PullFacts => ({
  number: pulls.length + 1,
  url: `http://forge/pull/${pulls.length + 1}`,
  state: 'open',
  merged: false,
  mergedBy: null,
  author: 'agentpr-bot',
  baseRepoId: id,
  baseRef: 'main',
  headRepoId: id,
  headRef: branch,
  headSha: sha,
  title: '',
  body: '',
  draft: false,
  maintainerCanModify: false,
});
