/** Redraws a campaign's card silently in place when its runs change. */
import { z } from 'zod';
import { isCampaignOver } from '#model/campaign';
import { canonicalJson } from '#model/seal';
import type { SystemClock } from '#ports/processes';
import type { EffectRow, Ledger } from '#ports/ledger';
import type { InboxRow, IncomingItem } from '#ports/steps';
import type { CampaignStatus } from './campaign-status.io.ts';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';
import { campaignSlot } from './plan-replies.io.ts';

const Redraw = z.object({
  type: z.literal('campaign_card'),
  campaign: z.string(),
  /** The redraw is void if the slot has changed since this sequence number. */
  after: z.number(),
  standing: z.string(),
});

const findDrawnCard = (row: EffectRow | null) => {
  const show = row?.do.kind === 'chat_message' && row.do.content.view === 'campaign' ? row.do.content : null;
  return row && show && show.asks === undefined ? { row, show } : null;
};

export const createCampaignCardItems = (query: Pick<Ledger['query'], 'told'>) => {
  const settled = new Set<string>();
  return {
    isSettled: (id: string): boolean => settled.has(id),
    /** The same state gives the same note, which the inbox deduplicates. */
    async due({
      campaign: { id, state, adoptedPulls: adopted = [], links = [] },
      standings,
      held,
    }: CampaignStatus): Promise<IncomingItem[]> {
      const drawn = findDrawnCard(await query.told(campaignSlot(id)));
      const all = [...standings.values()]
        .map(({ repo, run, mark, near }) => [repo, run, mark, ...near.map(({ budget }) => budget)])
        .sort();
      const theirs = adopted.map(({ url, mark }) => [url, mark]);
      const { busy, queued } = { busy: [...held.busy], queued: [...held.queued] };
      const standing = sha256Hex(canonicalJson({ state, all, busy, queued, theirs, links })).slice(0, 16);
      if (drawn && drawn.show.standing !== standing) {
        const after = drawn.row.n;
        const body = { type: 'campaign_card', campaign: id, after, standing };
        return [{ source: 'note', key: `campaign:${id}:card:${after}:${standing}`, body }];
      }
      if (isCampaignOver({ state }) && [...standings.values()].every(({ over }) => over)) settled.add(id);
      return [];
    },
  };
};

export const redrawCampaign = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { campaign, after, standing } = Redraw.parse(row.body);
  const slot = campaignSlot(campaign);
  const drawn = findDrawnCard(await ledger.query.told(slot));
  const chat = drawn?.row.n === after ? drawn.row.chat : null;
  const show = { view: 'campaign', campaign, standing } as const;
  const replies = chat === null ? [] : [{ chat, slot, show, urgent: false, sound: false, runId: null }];
  await ledger.settleInbox(row.id, { kind: 'done', note: 'the card of a campaign', replies }, clock.now());
};
