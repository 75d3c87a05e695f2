/** Learns what earlier repositories of a campaign came to; lost webhooks cost only time (F5). */
import { isSafeTag, collectWantedLinks, type LinkResult } from '#model/targets';
import { MINUTE } from '#model/values';
import { OutsideFailure } from '#ports/forge';
import type { ForgePulls, ForgeRepository } from '#ports/roles';
import type { Ledger } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';
import type { CampaignStatus } from './campaign-status.io.ts';

type Parts = {
  ledger: { campaigns: Pick<Ledger['campaigns'], 'decide'> };
  forge: Pick<ForgePulls, 'mergedPull'> & Pick<ForgeRepository, 'releasesWith'>;
  clock: SystemClock;
};

const POLL_MS = 5 * MINUTE;

export type LinkWatcher = ReturnType<typeof createLinkWatcher>;

export const createLinkWatcher = ({ ledger, forge, clock }: Parts) => {
  const due = new Map<string, number>();

  const findMergedPull = (
    { standings, pulls, campaign: { adoptedPulls = [] } }: CampaignStatus,
    repo: string,
  ): { repo: string; pull: string; url: string } | null => {
    const [spelled, run] = [...standings].find(([name]) => name.toLowerCase() === repo) ?? [];
    const own = spelled === undefined ? undefined : pulls.get(spelled);
    if (own && run?.mark === 'merged') return { repo: own.repo, pull: own.id, url: own.url };
    const other = adoptedPulls.find((one) => one.repo.toLowerCase() === repo && one.mark === 'merged');
    return other ? { repo: other.repo, pull: other.pull, url: other.url } : null;
  };

  const resultOf = async (
    at: CampaignStatus,
    name: string,
    until: 'merged' | 'released',
  ): Promise<LinkResult | null> => {
    const known = at.campaign.links?.find(({ repo }) => repo.toLowerCase() === name);
    const pull = findMergedPull(at, name);
    if (!pull) return null;
    const spelled = at.order.targets.find(({ repo }) => repo.toLowerCase() === name)?.repo ?? pull.repo;
    const commit = known?.commit ?? (await forge.mergedPull(pull.repo, pull.pull))?.commit;
    if (commit === undefined) return null;
    const merged: LinkResult = { repo: spelled, url: pull.url, commit };
    const tags = until === 'merged' ? [] : await forge.releasesWith(pull.repo, commit);
    const tag = tags.find(isSafeTag);
    if (tag !== undefined) return { ...merged, tag };
    const [refusedTag] = tags;
    if (refusedTag === undefined) return known ? null : merged;
    return { ...merged, refusedTag: refusedTag.slice(0, 300) };
  };

  const keysOf = (repo: string): string[] =>
    [...due.keys()].filter((key) => key.endsWith(` ${repo.toLowerCase()}`));

  return {
    /** Returns true where a release of the repository is waited for, though no run is live there. */
    awaits: (repo: string): boolean => keysOf(repo).length > 0,
    hint(repo: string): boolean {
      const meant = keysOf(repo);
      for (const key of meant) due.delete(key);
      return meant.length > 0;
    },
    async pollLinks(at: CampaignStatus): Promise<boolean> {
      let learned = false;
      for (const [name, until] of collectWantedLinks(at.order.targets)) {
        const known = at.campaign.links?.find(({ repo }) => repo.toLowerCase() === name);
        // A release whose name cannot be used is waited past: the next one may have another.
        if (known && (until === 'merged' || known.tag !== undefined)) continue;
        if (!findMergedPull(at, name)) continue;
        const key = `${at.campaign.id} ${name}`;
        const now = clock.now();
        if ((due.get(key) ?? 0) > now) continue;
        due.set(key, now + POLL_MS);
        try {
          const link = await resultOf(at, name, until);
          if (!link) continue;
          const decision = { kind: 'linked', link } as const;
          const { kind } = await ledger.campaigns.decide(at.campaign.id, { decision, by: null, at: now });
          learned ||= kind === 'taken';
          if (until === 'merged' || link.tag !== undefined) due.delete(key);
        } catch (error) {
          if (!(error instanceof OutsideFailure)) throw error;
          due.set(key, Math.max(now + MINUTE, Math.min(error.retryAt ?? 0, now + 12 * POLL_MS)));
        }
      }
      return learned;
    },
  };
};
