/** The chat with the campaign planner, over a code host that is a list. */
import { UNDO_WORDS } from '#language';
import { sha256Hex } from '#runtime';
import type { Input } from '#inputs';
import type { Run } from '#run';
import { createMayApprove, createChatRoles } from '../../bot/commands/user-roles.ts';
import { createCampaignRunner } from '../../orchestrator/campaigns/advance-campaigns.io.ts';
import { createFigures } from '../../orchestrator/reports/fold-figures.io.ts';
import { toStepFailure } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { noticeHandler } from '../../orchestrator/notices/notice-handlers.ts';
import { createPlanner, createLinkWatcher, createAdopter, CampaignSettings } from '#campaigns';
import type { PlannerParts } from '../../orchestrator/campaigns/plan-campaign.io.ts';
import type { CheckFact } from '#model/ci';
import { formatRepoQuery, type RepoQuery } from '#model/targets';
import type { FailureClass } from '#model/failure';
import { isRepositoryAt } from '../../forge/github-facts.ts';
import { OutsideFailure, type FoundRepos, type PullFacts, type RepoFacts } from '#ports/forge';
import { ANA, createChatWorld } from './chat-world.ts';
import { inputsToCard, type Change } from './ready-run.ts';

export const repoFacts = (name: string, change: Partial<RepoFacts> = {}): RepoFacts => ({
  id: name.toLowerCase(),
  name,
  network: name.toLowerCase(),
  defaultBranch: 'main',
  archived: false,
  cloneUrl: `https://github.com/${name}.git`,
  mayPush: true,
  mayFork: true,
  htmlUrl: `https://github.com/${name}`,
  ...change,
});

const anOpenPull = {
  state: 'open',
  merged: false,
  mergedBy: null,
  author: 'zoe',
  baseRepoId: '1',
  baseRef: 'main',
  headRepoId: '2',
  headRef: 'fix',
  headSha: 'b'.repeat(40),
  title: 'Fix it',
  body: '',
  draft: false,
  maintainerCanModify: false,
} as const satisfies Partial<PullFacts>;

type There = RepoFacts | 'away' | null;

/** `repos` defines the existing repositories; by default every name exists. */
export const createCampaignWorld = async (
  repos: (name: string) => There = (name) => repoFacts(name),
  more: Partial<Pick<PlannerParts, 'forks' | 'settings' | 'cautionOf' | 'figures' | 'budgetUsd'>> & {
    found?: (query: RepoQuery) => FoundRepos;
  } = {},
) => {
  const sent = new Map<string, Uint8Array>();
  const w = await createChatWorld({ sent });
  const { ledger, clock } = w;
  const figures = createFigures({ query: ledger.query, books: ledger.figures });
  let asked = 0;
  const waited: number[] = [];
  const mayApprove = createMayApprove(createChatRoles({ users: ledger.query, adminIds: [ANA] }));
  const planner = createPlanner({
    ledger,
    figures,
    clock,
    forks: { use: 'when_needed' },
    settings: CampaignSettings.parse({}),
    ...more,
    mayApprove,
    timers: {
      after(ms, f) {
        waited.push(ms);
        w.passes(ms);
        queueMicrotask(f);
        return { cancel() {} };
      },
    },
    isRepository: isRepositoryAt('https://github.com'),
    forge: {
      forkOwner: async () => 'agentpr-bot',
      findRepositories: async (query) => {
        if (more.found) return more.found(query);
        throw new OutsideFailure('repository_missing', `there is no ${formatRepoQuery(query)}`);
      },
      repo: async (name) => {
        asked += 1;
        const found = repos(name);
        if (found === 'away') throw new OutsideFailure('forge_unavailable', 'GitHub is away');
        if (found === null) throw new OutsideFailure('repository_missing', `there is no ${name}`);
        return found;
      },
    },
  });
  const elsewhere = new Map<string, PullFacts>();
  const checks: CheckFact[] = [];
  const adopter = createAdopter({
    ledger,
    clock,
    hints: { quiet() {}, quietUntil: () => 0 },
    isRepository: isRepositoryAt('https://github.com'),
    forge: {
      async pull(repo, id) {
        const found = elsewhere.get(`${repo}${id}`);
        if (!found) throw new OutsideFailure('repository_missing', `there is no ${repo}${id}`);
        return found;
      },
      checks: async () => ({
        checks,
        required: [],
        awaitsMaintainer: false,
        usesMergeQueue: false,
        unread: null,
        seenAt: null,
      }),
    },
  });
  const failed: unknown[] = [];
  const log = { error: (data: unknown) => void failed.push(data) };
  const releases = new Map<string, string[]>();
  const links = createLinkWatcher({
    ledger,
    clock,
    forge: {
      mergedPull: async (repo, pull) => ({
        pull,
        commit: sha256Hex(repo).slice(0, 40),
        baseRef: 'main',
        subjects: [],
      }),
      releasesWith: async (repo) => releases.get(repo) ?? [],
    },
  });
  const campaigns = createCampaignRunner({
    ledger,
    submit: w.submit,
    clock,
    log,
    mayApprove,
    undoWords: UNDO_WORDS,
    links,
  });
  const notes = async (): Promise<void> => {
    for (const row of await ledger.inbox(100)) {
      if (row.source !== 'note') continue;
      if ((await planner.handle(row)) || (await adopter.handle(row))) continue;
      await noticeHandler(row.body)?.(ledger, row, clock);
    }
    await w.deliver();
  };
  const runs = async (): Promise<Run[]> => {
    const [{ id } = { id: '' }] = await ledger.query.campaigns();
    return ledger.query.campaignRuns(id);
  };
  return {
    ...w,
    campaigns,
    adopter,
    links,
    releases,
    checks,
    /** Opens a pull request of somebody else, or changes it. */
    somebodyOpens(repo: string, number: number, change: Partial<PullFacts> = {}): string {
      const url = `https://github.com/${repo}/pull/${number}`;
      const id = `#${number}`;
      elsewhere.set(`${repo}${id}`, { id, url, openedAt: clock.now(), ...anOpenPull, ...change });
      return url;
    },
    figures,
    planner,
    failed,
    notes,
    runs,
    asked: () => asked,
    waited,
    async sends(name: string, content: string | Uint8Array, caption: string, size?: number) {
      const id = `file-${sent.size}`;
      sent.set(id, typeof content === 'string' ? Buffer.from(content) : content);
      const document = { file_id: id, file_name: name, file_size: size ?? sent.get(id)?.length ?? 0 };
      const said = await w.says('', { text: undefined, document, caption });
      await notes();
      return said;
    },
    /** Orders a campaign in chat, up to its preview. */
    async orders(text: string, extra: Parameters<typeof w.says>[1] = {}): Promise<string[]> {
      const said = await w.says(text, extra);
      await notes();
      return said;
    },
    async goesOn(): Promise<void> {
      await campaigns.round();
      await ledger.receive(await campaigns.news(), clock.now());
      await notes();
    },
    campaign: async () => (await ledger.query.campaigns())[0],
    repos: async () => (await runs()).map(({ order }) => order.repo),
    card: () => w.messages.findLast(({ text }) => /c-[a-z0-9]{6}/.test(text))?.text ?? '',
    buttons: () =>
      w.messages
        .findLast(({ text }) => /c-[a-z0-9]{6}/.test(text))
        ?.buttons.flat()
        .map((b) => b.text),
    async comes(repo: string, change: Change = {}): Promise<Run> {
      const run = (await runs()).find(({ order }) => order.repo === repo);
      if (!run) throw new Error(`there is no run of ${repo}`);
      await w.offer(run.id, ...inputsToCard(change));
      return w.run(run.id);
    },
    async opens(repo: string): Promise<void> {
      const {
        id,
        gate: { approval },
      } = await this.comes(repo);
      if (!approval) throw new Error('no card');
      const by = { id: ANA, name: 'Ana' };
      const opened: Input[] = [
        { type: 'command.pr.approve', by, approvalId: approval.id, digest: approval.digest },
        {
          type: 'worker.pr.opened',
          approvalId: approval.id,
          pull: '#12',
          url: `https://github.com/${repo}/pull/12`,
          adopted: false,
        },
      ];
      await w.offer(id, ...opened);
    },
    async fails(repo: string, failure: FailureClass = 'env_missing'): Promise<void> {
      const run = (await runs()).find(({ order }) => order.repo === repo);
      if (!run) throw new Error(`there is no run of ${repo}`);
      const { input } = toStepFailure('discover', failure, 'no compiler');
      await w.offer(run.id, { type: 'command.discovery.start' }, input);
    },
  };
};
