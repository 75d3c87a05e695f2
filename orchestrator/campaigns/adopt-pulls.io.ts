/** Follows pull requests opened elsewhere; it can only read from the code host (F5). */
import { z } from 'zod';
import { isAdoptedPullEnded, foldAdoptedPullCi } from '#campaign-standing';
import { type AdoptedMark, type AdoptedPull, CampaignId, OpaqueId, Person } from '#model/order';
import { canTakeDecision } from '#model/campaign';
import type { NotAdopted } from '#model/targets';
import type { CiFacts } from '#model/ci';
import type { ChatNote } from '#model/chat';
import { HOUR, MINUTE, SECOND } from '#model/values';
import { parseRepoLink, NamedPull } from '#orders';
import { OutsideFailure, type PullFacts } from '#ports/forge';
import type { ForgeChecks, ForgePulls } from '#ports/roles';
import type { SystemClock, LogPort, TimerPort } from '#ports/processes';
import type { InboxRow, IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { PollExpediter } from '../kernel/ci/expedite-poll.io.ts';
import { startRepeatingJob, type RepeatingJob } from '#limits';

type AdopterParts = {
  ledger: Pick<Ledger, 'settleInbox'> & {
    campaigns: Pick<Ledger['campaigns'], 'decide'>;
    query: Pick<Ledger['query'], 'campaign' | 'campaigns' | 'campaignRuns' | 'runs'>;
  };
  forge: Pick<ForgePulls, 'pull'> & Pick<ForgeChecks, 'checks'>;
  isRepository: (name: string, host: string | null) => boolean;
  hints: Pick<PollExpediter, 'quiet' | 'quietUntil'>;
  clock: SystemClock;
};

const Adoption = z.object({
  type: z.literal('adopt'),
  id: CampaignId,
  pulls: z.array(NamedPull),
  by: Person,
  chat: OpaqueId,
  slot: z.string(),
});
type Adoption = z.infer<typeof Adoption>;

/** One lane per chat keeps the order of its requests. */
export const adoptionInboxItem = (key: string, asked: Omit<Adoption, 'type'>): IncomingItem => ({
  source: 'note',
  key,
  body: { type: 'adopt', ...asked },
  lane: `adopt:${asked.chat}`,
});

const MAX_OWN_RUNS_ASKED = 2_000;
/** Maximum number of polls per round, to spare the code host's quota. */
const MOST_LOOKS = 30;

type Asked = Pick<Adoption, 'id' | 'pulls' | 'by'>;
type Adopted = Extract<ChatNote, { kind: 'pulls_adopted' }>;

export type PullAdopter = ReturnType<typeof createAdopter>;

export const createAdopter = ({ ledger, forge, isRepository, hints, clock }: AdopterParts) => {
  /** Kept in memory: a restart polls all of them again. */
  const facts = new Map<string, { sha: string; ci: CiFacts }>();
  const due = new Map<string, number>();
  let open = new Map<string, AdoptedPull>();

  const oursIn = async (id: string): Promise<Set<string>> => {
    const runs = [
      ...(await ledger.query.campaignRuns(id)),
      ...(await ledger.query.runs({ live: false, limit: MAX_OWN_RUNS_ASKED })),
      ...(await ledger.query.runs({ live: true, limit: MAX_OWN_RUNS_ASKED })),
    ];
    return new Set(runs.flatMap(({ upstream: { pullRequest: pr } }) => (pr ? [pr.url] : [])));
  };

  const findPull = async ({ repo, pull, host }: NamedPull): Promise<PullFacts | NotAdopted> => {
    if (!isRepository(repo, host)) return 'elsewhere';
    try {
      return await forge.pull(repo, pull);
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      return error.class === 'repository_missing' ? 'missing' : 'unreachable';
    }
  };

  const take = async ({ id, pulls, by }: Asked): Promise<Adopted> => {
    const none: Adopted = { kind: 'pulls_adopted', campaign: id, adopted: null, notAdopted: [] };
    const known = await ledger.query.campaign(id);
    // A schedule cannot follow pull requests; only its campaigns can.
    if (known?.campaign.schedule !== undefined) return { ...none, scheduled: true };
    if (!known || !canTakeDecision(known.campaign, 'adopted')) return none;
    const followed = new Set(known.campaign.adoptedPulls?.map(({ url }) => url));
    const ours = await oursIn(id);
    const fresh: AdoptedPull[] = [];
    const out: { pull: string; why: NotAdopted }[] = [];
    for (const named of pulls) {
      const found = await findPull(named);
      const why = typeof found === 'string' ? found : followed.has(found.url) ? 'already_followed' : null;
      if (typeof found === 'string' || why || ours.has(found.url)) {
        out.push({ pull: `${named.repo}${named.pull}`, why: why ?? 'ours' });
        continue;
      }
      followed.add(found.url);
      fresh.push(toAdoptedPull(named, found, clock.now()));
    }
    if (fresh.length === 0) return { ...none, adopted: 0, notAdopted: out };
    const decision = { kind: 'adopted', pulls: fresh } as const;
    const who = by.id === null ? null : by;
    const decided = await ledger.campaigns.decide(id, { decision, by: who, at: clock.now() });
    if (decided.kind === 'unknown' || decided.kind === 'refused') return none;
    for (const one of decided.campaign.adoptedPulls ?? [])
      if (!isAdoptedPullEnded(one)) open.set(one.url, one);
    const now = new Set(decided.campaign.adoptedPulls?.map(({ url }) => url));
    const over = fresh.filter(({ url }) => !now.has(url));
    for (const { repo, pull } of over) out.push({ pull: `${repo}${pull}`, why: 'over_limit' });
    return { ...none, adopted: fresh.length - over.length, notAdopted: out };
  };

  const refreshPull = async (id: string, one: AdoptedPull): Promise<void> => {
    const pull = await forge.pull(one.repo, one.pull);
    const seen = pull.state === 'closed' ? endOf(pull, clock.now()) : await checksOf(id, one, pull);
    if (seen.mark === one.mark) return;
    const decision = { kind: 'followed', url: one.url, ...seen } as const;
    await ledger.campaigns.decide(id, { decision, by: null, at: clock.now() });
  };

  const checksOf = async (
    id: string,
    one: AdoptedPull,
    { headSha: sha, baseRef }: PullFacts,
  ): Promise<{ mark: AdoptedMark; since: number }> => {
    const lookedAt = clock.now();
    const { unread, seenAt, ...checks } = await forge.checks(one.repo, sha, baseRef);
    const before = facts.get(one.url);
    const order = (await ledger.query.campaign(id))?.order;
    const ci = before?.sha === sha ? before.ci : undefined;
    const since = Math.min(lookedAt, seenAt ?? lookedAt);
    const said = { ...checks, partial: unread !== null, polledAt: since };
    const now = clock.now();
    if (!order) return { mark: one.mark, since: one.since };
    const next = foldAdoptedPullCi(one.mark, ci, said, now, order.run.bounds);
    facts.set(one.url, { sha, ci: next.ci });
    return { mark: next.mark, since: now };
  };

  return {
    take,
    /** False for an item that asks for no adoption. */
    async handle(row: InboxRow): Promise<boolean> {
      const { data } = Adoption.safeParse(row.body);
      if (data === undefined) return false;
      const { chat, slot, ...asked } = data;
      const note = await take(asked);
      const show = { view: 'note', note } as const;
      const replies = [{ chat, slot, show, urgent: true, sound: false, runId: null }];
      await ledger.settleInbox(row.id, { kind: 'done', note: 'pull requests adopted', replies }, clock.now());
      return true;
    },
    isFollowed: (repo: string): boolean => [...open.values()].some((one) => isIn(one, repo)),
    /** Makes matching pull requests due; returns whether any matched. */
    hint(repo: string, finds: readonly Find[]): boolean {
      const meant = [...open.values()].filter(
        (one) => isIn(one, repo) && finds.some((find) => isAbout(find, one, facts.get(one.url)?.sha)),
      );
      for (const { url } of meant) due.delete(url);
      return meant.length > 0;
    },
    async follow(stopped: () => boolean = () => false): Promise<number> {
      let looks = 0;
      const campaigns = (await ledger.query.campaigns()).filter((one) => canTakeDecision(one, 'followed'));
      const all = campaigns.flatMap(({ adoptedPulls: adopted = [] }) =>
        adopted.filter((one) => !isAdoptedPullEnded(one)),
      );
      open = new Map(all.map((one) => [one.url, one]));
      for (const { id, adoptedPulls: adopted = [] } of campaigns) {
        for (const one of adopted) {
          const now = clock.now();
          if (stopped() || looks >= MOST_LOOKS || hints.quietUntil() > now) return looks;
          if (isAdoptedPullEnded(one) || (due.get(one.url) ?? 0) > now) continue;
          looks += 1;
          due.set(one.url, now + paceOf(one, now));
          try {
            await refreshPull(id, one);
          } catch (error) {
            if (!(error instanceof OutsideFailure)) throw error;
            if (error.retryAt !== null) hints.quiet(Math.min(error.retryAt, now + HOUR));
          }
        }
      }
      return looks;
    },
  };
};

type Find = Partial<Record<'sha' | 'pull' | 'branch', string | undefined>> & { all?: true | undefined };

const isIn = (one: AdoptedPull, repo: string): boolean => one.repo.toLowerCase() === repo.toLowerCase();

const isAbout = ({ sha, pull, all }: Find, one: AdoptedPull, head: string | undefined): boolean =>
  all === true || pull === one.pull || (sha !== undefined && (head === undefined || head === sha));

const paceOf = ({ since }: AdoptedPull, now: number): number =>
  Math.min(HOUR, Math.max(MINUTE, (now - since) / 20));

const toAdoptedPull = (named: NamedPull, found: PullFacts, now: number): AdoptedPull => {
  const ended = found.state === 'closed' ? endOf(found, now) : null;
  const openedAt = found.openedAt ?? now;
  return {
    // The repository may have been renamed.
    repo: parseRepoLink(found.url)?.repo ?? named.repo,
    pull: found.id,
    url: found.url,
    mark: ended?.mark ?? 'open',
    openedAt,
    since: ended?.since ?? openedAt,
  };
};

const endOf = ({ merged, endedAt }: PullFacts, now: number): { mark: AdoptedMark; since: number } => ({
  mark: merged ? 'merged' : 'closed',
  since: endedAt ?? now,
});

export const startAdoptedPullPolls = (parts: {
  adopter: Pick<PullAdopter, 'follow'>;
  timers: TimerPort;
  log: Pick<LogPort, 'error'>;
  moved: () => void;
}): RepeatingJob =>
  startRepeatingJob({
    timers: parts.timers,
    every: MINUTE,
    soon: SECOND,
    round: async (stopped) => {
      try {
        if ((await parts.adopter.follow(stopped)) > 0) parts.moved();
      } catch (error) {
        parts.log.error({ err: error }, 'pull requests that were opened elsewhere could not be looked at');
      }
    },
  });
