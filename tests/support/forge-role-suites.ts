/** What each role of a code host promises, on whichever host has it; and how a host says that it has none. */
import { expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { conversationThreadId } from '../../model/review/review-threads.ts';
import type { PullSetup } from '#model/opening';
import { findHostRefusal, OutsideFailure, type PullFacts } from '#ports/forge';
import { capabilitiesOf, type ForgePort, type GivenForgeRoles } from '#ports/roles';

export type ForgeStage = {
  roles: GivenForgeRoles;
  /** As handlers have it. */
  port: ForgePort;
  repo: string;
  /** A repository of the same host that we may not push to; null where forks are not known. */
  theirs: string | null;
  us: string;
  /** Who merges there. */
  maintainer: string;
  /** Makes a branch with a commit of its own. */
  branch(): Promise<{ name: string; sha: string }>;
  finishes(sha: string, check: string, outcome: 'passed' | 'failed'): Promise<void>;
  merges(pull: string, by: string): Promise<void>;
  approves(pull: string, by: string): Promise<void>;
  comments(pull: string, by: string, body: string): Promise<void>;
  /** Returns the id of a new issue. */
  opensIssue(title: string, label: string, by: string): Promise<string>;
};
type Open = () => ForgeStage;

const NO_SETUP: PullSetup = {
  readyWhenGreen: false,
  labels: [],
  reviewers: [],
  teams: [],
  assignees: [],
  milestone: null,
};

const openPull = async (
  { port, repo }: ForgeStage,
  head: string,
  title = 'Fix it',
): Promise<PullFacts | null> =>
  port.createPull(repo, { title, body: 'Why.', head, base: 'main', draft: false, maintainerCanModify: true });

const openedPull = async (stage: ForgeStage): Promise<PullFacts> => {
  const pull = await openPull(stage, (await stage.branch()).name);
  if (!pull) throw new Error('the branch has a pull request already');
  return pull;
};

const failureOf = async (asked: Promise<unknown>): Promise<OutsideFailure> => {
  const failure = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof OutsideFailure) return failure;
  throw new Error(`no failure of the outside: ${String(failure)}`);
};

const SUITES: { [Role in keyof GivenForgeRoles]-?: (open: Open) => void } = {
  repository: (open) => {
    it('F1: says who we are, and finds a repository by its name and by its id', async () => {
      const { port, repo, us } = open();
      expect(await port.login()).toBe(us);
      const facts = await port.repo(repo);
      expect(facts).toMatchObject({ name: repo, defaultBranch: 'main', archived: false, mayPush: true });
      expect(await port.nameOf(facts.id)).toBe(repo);
      expect(await port.branchName(repo, 'main')).toBe('main');
    });

    it('F8: a repository that is not there is missing, and nothing else', async () => {
      const { port, repo } = open();
      expect((await failureOf(port.repo(`${repo}-gone`))).class).toBe('repository_missing');
    });
  },
  pulls: (open) => {
    it('F1: opens a pull request once, reads it back, and finds it by its branch', async () => {
      const stage = open();
      const { port, repo, us } = stage;
      const { name, sha } = await stage.branch();
      const before = await port.openPulls(repo);
      expect(await port.pullsByHead(repo, name)).toEqual([]);
      const made = await openPull(stage, name);
      expect(made).toMatchObject({ state: 'open', merged: false, author: us, headRef: name, headSha: sha });
      expect(await openPull(stage, name)).toBeNull();
      expect(await port.pull(repo, made?.id ?? '')).toMatchObject({ id: made?.id, title: 'Fix it' });
      expect((await port.pullsByHead(repo, name)).map(({ id }) => id)).toEqual([made?.id]);
      expect(await port.openPulls(repo)).toBe(before + 1);
    });

    it('F9: describes and closes it, both as often as asked', async () => {
      const stage = open();
      const { port, repo } = stage;
      const { id } = await openedPull(stage);
      expect(await port.describe(repo, id, 'Better.')).toMatchObject({ body: 'Better.', state: 'open' });
      const closed = { body: 'Enough.', state: 'closed', merged: false };
      expect(await port.close(repo, id, 'Enough.')).toMatchObject(closed);
      expect(await port.close(repo, id, 'Enough.')).toMatchObject(closed);
    });

    it('F12: tells who merged it, and refuses a branch that is not there', async () => {
      const stage = open();
      const { port, repo } = stage;
      const { id } = await openedPull(stage);
      await stage.merges(id, stage.maintainer);
      expect(await port.pull(repo, id)).toMatchObject({
        state: 'closed',
        merged: true,
        mergedBy: stage.maintainer,
      });
      expect((await failureOf(openPull(stage, 'no-such'))).class).toBe('forge_refused');
    });
  },
  forks: (open) => {
    it('F1: makes one fork of a network, however often it is asked for', async () => {
      const { port, theirs, us } = open();
      if (theirs === null) throw new Error('the stage has no repository of others');
      expect(await port.forkOwner()).toBe(us);
      const fork = await port.fork(theirs, null);
      expect((await port.fork(theirs, null)).id).toBe(fork.id);
      expect(fork).toMatchObject({ mayPush: true, network: (await port.repo(theirs)).id });
    });
  },
  checks: (open) => {
    it('F3: tells the newest outcome of each check, and what failed', async () => {
      const stage = open();
      const { port, repo } = stage;
      const { sha } = await stage.branch();
      await stage.finishes(sha, 'unit', 'failed');
      await stage.finishes(sha, 'lint', 'passed');
      const outcomes = async () =>
        (await port.checks(repo, sha, 'main')).checks.map(({ name, outcome }) => `${name} ${outcome}`).sort();
      expect(await outcomes()).toEqual(['lint passed', 'unit failed']);
      expect((await port.failedChecks(repo, sha)).map(({ name }) => name)).toEqual(['unit']);
      await stage.finishes(sha, 'unit', 'passed');
      expect(await outcomes()).toEqual(['lint passed', 'unit passed']);
    });
  },
  reviews: (open) => {
    it('F7: tells reviews and comments of others, and finds our own reply', async () => {
      const stage = open();
      const { port, repo } = stage;
      const { id, headSha: commitSha } = await openedPull(stage);
      await stage.approves(id, 'kim');
      await stage.comments(id, 'kim', 'Why?');
      expect(await port.reviews(repo, id)).toMatchObject([{ reviewer: 'kim', state: 'approved', commitSha }]);
      const [comment] = await port.comments(repo, id);
      expect(comment).toMatchObject({ author: 'kim', body: 'Why?' });
      const { url } = await port.reply(repo, id, conversationThreadId(comment?.url ?? ''), 'Because.');
      expect(await port.ourReplies(repo, id)).toMatchObject([{ body: 'Because.', url }]);
      expect(await port.comments(repo, id)).toHaveLength(1);
    });
  },
  issues: (open) => {
    it('F5: tells an issue, and who gave it the label', async () => {
      const stage = open();
      const { port, repo } = stage;
      const id = await stage.opensIssue('The greeting is wrong', 'agentpr', 'kim');
      expect(await port.issue(repo, id)).toMatchObject({ state: 'open', labels: ['agentpr'] });
      expect(await port.issue(repo, '#9999')).toBeNull();
      expect((await port.labelled(repo, 'agentpr')).map((one) => one.id)).toEqual([id]);
      expect(await port.askedBy(repo, id, 'agentpr')).toMatchObject({ by: 'kim', bot: false });
    });
  },
  setup: (open) => {
    it('F13: sets labels once, tells what is not there, and ends a draft', async () => {
      const stage = open();
      const { port, repo, us } = stage;
      const { name } = await stage.branch();
      const wish = { title: 'Fix it', body: '', head: name, base: 'main', draft: true };
      const made = await port.createPull(repo, { ...wish, maintainerCanModify: true });
      const id = made?.id ?? '';
      const setup = { ...NO_SETUP, labels: ['bug', 'no-such-label'], reviewers: ['kim', us, 'nobody-there'] };
      const asked = { ...setup, assignees: ['kim', 'nobody-there'], milestone: 'no such milestone' };
      const refused = await port.setUpPull(repo, id, asked);
      expect(refused.map(({ field, value, why }) => `${field} ${value} ${why}`).sort()).toEqual([
        'assignee nobody-there refused',
        'label no-such-label missing',
        'milestone no such milestone missing',
        `reviewer ${us} is_author`,
        'reviewer nobody-there refused',
      ]);
      expect((await port.pull(repo, id)).shown).toMatchObject({ labels: ['bug'], reviewers: ['kim'] });
      expect(await port.setUpPull(repo, id, { ...NO_SETUP, labels: ['bug'], reviewers: ['kim'] })).toEqual(
        [],
      );
      expect(await port.markReady(repo, id)).toBeNull();
      expect((await port.pull(repo, id)).draft).toBe(false);
      expect(await port.markReady(repo, id)).toBeNull();
    });
  },
  search: (open) => {
    it('F5: finds the repositories of an owner', async () => {
      const { port, repo } = open();
      const { repos } = await port.findRepositories({ by: 'org', text: repo.split('/')[0] ?? '' });
      expect(repos.map(({ name }) => name)).toContain(repo);
    });
  },
};

/** What is asked for in vain, and what is read of a role that is not there. */
const LACKING: Record<
  Exclude<keyof GivenForgeRoles, 'repository' | 'pulls'>,
  { asks: (stage: ForgeStage) => Promise<unknown>[]; reads: (stage: ForgeStage) => Promise<unknown[]> }
> = {
  forks: {
    asks: ({ port, repo }) => [port.forkOwner(), port.fork(repo, null), port.followParent(repo, 'main')],
    reads: async () => [],
  },
  checks: {
    asks: ({ port, repo }) => [port.rerun(repo, 'a'.repeat(40))],
    reads: async ({ port, repo }) => [
      ...(await port.checks(repo, 'a'.repeat(40), 'main')).checks,
      ...(await port.failedChecks(repo, 'a'.repeat(40))),
    ],
  },
  reviews: {
    asks: ({ port, repo }) => [port.reply(repo, '#1', 't', 'b'), port.askAgain(repo, '#1', ['kim'])],
    reads: async ({ port, repo }) => [
      ...(await port.reviews(repo, '#1')),
      ...(await port.comments(repo, '#1')),
      ...(await port.ourReplies(repo, '#1')),
    ],
  },
  issues: {
    asks: ({ port, repo }) => [
      port.issue(repo, '#1'),
      port.labelled(repo, 'agentpr'),
      port.askedBy(repo, '#1', 'agentpr'),
      port.competingPulls(repo, { issue: '#1', paths: [] }),
    ],
    reads: async () => [],
  },
  search: {
    asks: ({ port }) => [port.findRepositories({ by: 'org', text: 'acme' })],
    reads: async () => [],
  },
  setup: {
    asks: ({ port, repo }) => [
      port.setUpPull(repo, '#1', { ...NO_SETUP, labels: ['bug'] }),
      port.markReady(repo, '#1'),
    ],
    reads: async () => [],
  },
};

const isLackable = (role: string): role is keyof typeof LACKING => role in LACKING;

/** One suite for each role. `lacks` are the roles that the host is known not to have. */
export const testForgeRoles = (open: Open, lacks: readonly (keyof typeof LACKING)[]): void => {
  it('F1: says which roles it has', () => {
    const capabilities = Object.entries(capabilitiesOf(open().roles));
    expect(capabilities.filter(([, has]) => !has).map(([role]) => role)).toEqual(lacks);
  });
  for (const [role, suite] of Object.entries(SUITES))
    if (!isLackable(role) || !lacks.includes(role)) suite(open);
  for (const role of lacks)
    it(`F1: has no ${role}: nothing is read there, and what is asked for is refused with the reason`, async () => {
      const stage = open();
      const { asks, reads } = LACKING[role];
      expect(await reads(stage)).toEqual([]);
      for (const asked of asks(stage)) {
        const refusal = findHostRefusal(await failureOf(asked));
        expect(refusal).toEqual({ kind: `has_no_${role}` });
        const told = [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh].map(({ hostRefused }) =>
          refusal ? hostRefused(refusal) : '',
        );
        expect(told[0]).toMatch(/^This code host (?:has no|cannot) /);
        expect(told[1]).toMatch(/代码托管平台/);
      }
    });
};
