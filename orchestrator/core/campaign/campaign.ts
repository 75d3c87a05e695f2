/**
 * What becomes of a campaign: a few decisions, each an event, and their fold. Pure; what its runs do
 * is asked of the runs.
 */
import { z } from 'zod';
import { ADOPTED_MARKS, AdoptedPull, MAX_ADOPTED_PULLS } from './adopted-pulls.ts';
import { CampaignId, Person } from '../order.ts';
import { CampaignTrigger } from '../campaign-trigger.ts';

const { array, enum: zenum, literal, number, object, string } = z;

/** Why a campaign stopped by itself. */
export const StopReason = object({
  kind: z.enum(['failures', 'denials', 'approvers', 'access']),
  /** Of so many in this step; of approvers: who is left, of how many are needed. */
  count: number(),
  of: number(),
  /** The share above which it stops. */
  bound: number(),
});
export type StopReason = z.infer<typeof StopReason>;

export const CampaignDecision = z.discriminatedUnion('kind', [
  object({ kind: literal('started') }),
  object({ kind: literal('paused') }),
  object({ kind: literal('resumed') }),
  /** So many of its targets may be begun from here on; `step` counts the steps that went well. */
  object({ kind: literal('widened'), to: z.int().min(1), step: z.int().min(0) }),
  /** So many may be open at a time, whatever was ordered. */
  object({ kind: literal('raised'), to: z.int().min(1) }),
  /** Pull requests that were opened elsewhere are followed from here on. */
  object({ kind: literal('adopted'), pulls: array(AdoptedPull).min(1).max(MAX_ADOPTED_PULLS) }),
  /** One of them was seen to stand otherwise. */
  object({ kind: literal('followed'), url: string(), mark: zenum(ADOPTED_MARKS), since: number() }),
  object({ kind: literal('stopped'), reason: StopReason }),
  /** All of its runs are over. */
  object({ kind: literal('finished') }),
  object({ kind: literal('closed') }),
  /** Nobody began it in time, or a newer one of its schedule took its place. */
  object({ kind: literal('lapsed'), replaced: z.boolean() }),
]);
export type CampaignDecision = z.infer<typeof CampaignDecision>;

export const CAMPAIGN_STATES = ['planned', 'running', 'paused', 'stopped', 'finished', 'closed'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

export const Campaign = object({
  id: CampaignId,
  /** Names the order. */
  digest: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  /** So many of its targets may be begun. */
  released: z.int(),
  /** Where the step begins that is judged now. */
  stepStart: z.int(),
  step: z.int(),
  reason: StopReason.nullable(),
  /** So many may be open at a time, since somebody raised that. */
  maxOpen: z.int().exactOptional(),
  /** What it follows and never touches; absent where there is nothing. */
  adoptedPulls: array(AdoptedPull).max(MAX_ADOPTED_PULLS).exactOptional(),
  /** Who decided last; null is the campaign itself, or the operator at the host. */
  by: Person.nullable(),
  /** Where it came from; absent where a person ordered it. */
  origin: CampaignTrigger.exactOptional(),
  expiry: z.enum(['late', 'replaced']).exactOptional(),
  /** Of a schedule, which begins nothing itself: when it shows a campaign anew. */
  schedule: z.string().exactOptional(),
  plannedAt: number(),
  /** Since when it stands so (epoch ms). */
  stateEnteredAt: number(),
});
export type Campaign = z.infer<typeof Campaign>;

export const planNewCampaign = (
  {
    origin,
    every,
    ...of
  }: Pick<Campaign, 'id' | 'digest' | 'by'> & {
    origin?: CampaignTrigger | undefined;
    every?: string | undefined;
  },
  at: number,
): Campaign => ({
  ...of,
  ...(origin ? { origin } : {}),
  ...(every === undefined ? {} : { schedule: every }),
  state: 'planned',
  released: 0,
  stepStart: 0,
  step: 0,
  reason: null,
  plannedAt: at,
  stateEnteredAt: at,
});

export const isOver = ({ state }: Pick<Campaign, 'state'>): boolean =>
  state === 'finished' || state === 'closed';

const OPEN_CAMPAIGN_STATES: readonly CampaignState[] = ['planned', 'running', 'paused', 'stopped'];

/** States in which a decision is taken; elsewhere it is refused. */
const TAKES: Record<CampaignDecision['kind'], readonly CampaignState[]> = {
  started: ['planned'],
  paused: ['running'],
  resumed: ['paused', 'stopped'],
  widened: ['running'],
  raised: ['running'],
  stopped: ['running'],
  finished: ['running'],
  lapsed: ['planned'],
  adopted: OPEN_CAMPAIGN_STATES,
  followed: OPEN_CAMPAIGN_STATES,
  closed: OPEN_CAMPAIGN_STATES,
};
/** Where nothing is named the state stays. */
const LEADS_TO: Partial<Record<CampaignDecision['kind'], CampaignState>> = {
  started: 'running',
  paused: 'paused',
  resumed: 'running',
  widened: 'running',
  raised: 'running',
  stopped: 'stopped',
  finished: 'finished',
  closed: 'closed',
  lapsed: 'closed',
};

/** `same`: it stands so already, so that the same word twice changes nothing. */
export const judgeDecision = (
  campaign: Campaign,
  decision: CampaignDecision,
): 'taken' | 'same' | 'refused' => {
  if (decision.kind === 'widened')
    return campaign.state !== 'running' ? 'refused' : decision.to > campaign.released ? 'taken' : 'same';
  if (decision.kind === 'raised' && decision.to <= (campaign.maxOpen ?? 0)) return 'same';
  if (decision.kind === 'adopted' && freshIn(campaign, decision.pulls).length === 0) return 'same';
  if (decision.kind === 'followed' && !moves(campaign, decision)) return 'same';
  if (TAKES[decision.kind].includes(campaign.state)) return 'taken';
  return campaign.state === LEADS_TO[decision.kind] ? 'same' : 'refused';
};

/** As many as it may follow, of those that it does not. */
const freshIn = ({ adoptedPulls: adopted = [] }: Campaign, pulls: readonly AdoptedPull[]): AdoptedPull[] => {
  const known = new Set(adopted.map(({ url }) => url));
  const fresh = new Map(pulls.filter(({ url }) => !known.has(url)).map((one) => [one.url, one]));
  return [...fresh.values()].slice(0, MAX_ADOPTED_PULLS - adopted.length);
};

/** What has ended stays so, whatever was seen late. */
const moves = (
  { adoptedPulls: adopted = [] }: Campaign,
  { url, mark }: { url: string; mark: AdoptedPull['mark'] },
): boolean => {
  const one = adopted.find((each) => each.url === url);
  return one !== undefined && one.mark !== mark && one.mark !== 'merged';
};

export const takesDecision = (campaign: Campaign, kind: CampaignDecision['kind']): boolean =>
  TAKES[kind].includes(campaign.state);

export const evolveCampaign = (
  campaign: Campaign,
  decision: CampaignDecision,
  by: Person | null,
  at: number,
): Campaign => {
  const state = LEADS_TO[decision.kind];
  const next = state === undefined ? campaign : { ...campaign, state, by, stateEnteredAt: at };
  switch (decision.kind) {
    case 'widened':
      return {
        ...next,
        stepStart: campaign.released,
        released: decision.to,
        step: decision.step,
        stateEnteredAt: campaign.stateEnteredAt,
      };
    case 'raised':
      return { ...next, maxOpen: decision.to, stateEnteredAt: campaign.stateEnteredAt };
    case 'adopted':
      return {
        ...next,
        adoptedPulls: [...(campaign.adoptedPulls ?? []), ...freshIn(campaign, decision.pulls)],
      };
    case 'followed': {
      const { url, mark, since } = decision;
      const seen = (one: AdoptedPull): AdoptedPull => (one.url === url ? { ...one, mark, since } : one);
      return { ...next, adoptedPulls: (campaign.adoptedPulls ?? []).map(seen) };
    }
    case 'stopped':
      return { ...next, reason: decision.reason };
    case 'resumed':
      // Whoever lets it go on knows what failed: only what comes now is judged.
      return campaign.state === 'stopped' ? { ...next, reason: null, stepStart: campaign.released } : next;
    case 'lapsed':
      return { ...next, expiry: decision.replaced ? 'replaced' : 'late' };
    default:
      return next;
  }
};
