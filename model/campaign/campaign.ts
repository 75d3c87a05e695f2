/** A campaign's decisions, each an event, and their fold. Pure. */
import { z } from 'zod';
import { ADOPTED_MARKS, AdoptedPull, MAX_ADOPTED_PULLS, CampaignId, Person } from '#model/order';
import { LinkResult } from '#model/targets';
import { BUDGET_KINDS, BudgetKind } from '#model/limits';
import { CampaignTrigger } from '#model/schedule';

const { array, enum: zenum, literal, number, object, string } = z;

export const StopReason = object({
  kind: z.enum(['failures', 'denials', 'approvers', 'access']),
  /** Total of the step; for approvers: who is left, and how many are needed. */
  count: number(),
  of: number(),
  bound: number(),
});
export type StopReason = z.infer<typeof StopReason>;

const Granted = object({ budget: BudgetKind, amount: number().positive() });

export const CampaignDecision = z.discriminatedUnion('kind', [
  object({ kind: literal('started') }),
  object({ kind: literal('paused') }),
  object({ kind: literal('resumed') }),
  /** Number of targets that may start from now on; `step` counts successful steps. */
  object({ kind: literal('widened'), to: z.int().min(1), step: z.int().min(0) }),
  /** Overrides the order's limit of open runs. */
  object({ kind: literal('raised'), to: z.int().min(1) }),
  /** Each run may use this much in place of what the order says. */
  object({ kind: literal('granted'), budgets: array(Granted).min(1).max(BUDGET_KINDS.length) }),
  object({ kind: literal('adopted'), pulls: array(AdoptedPull).min(1).max(MAX_ADOPTED_PULLS) }),
  object({ kind: literal('followed'), url: string(), mark: zenum(ADOPTED_MARKS), since: number() }),
  object({ kind: literal('linked'), link: LinkResult }),
  object({ kind: literal('stopped'), reason: StopReason }),
  object({ kind: literal('finished') }),
  object({ kind: literal('closed') }),
  /** Nobody started it in time, or a newer one of its schedule replaced it. */
  object({ kind: literal('lapsed'), replaced: z.boolean() }),
]);
export type CampaignDecision = z.infer<typeof CampaignDecision>;

export const CAMPAIGN_STATES = ['planned', 'running', 'paused', 'stopped', 'finished', 'closed'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

export const Campaign = object({
  id: CampaignId,
  digest: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  released: z.int(),
  stepStart: z.int(),
  step: z.int(),
  reason: StopReason.nullable(),
  maxOpen: z.int().exactOptional(),
  granted: array(Granted).exactOptional(),
  adoptedPulls: array(AdoptedPull).max(MAX_ADOPTED_PULLS).exactOptional(),
  links: array(LinkResult).exactOptional(),
  /** Null is the campaign itself, or the operator at the host. */
  by: Person.nullable(),
  origin: CampaignTrigger.exactOptional(),
  expiry: z.enum(['late', 'replaced']).exactOptional(),
  undoes: CampaignId.exactOptional(),
  startedBy: Person.nullable().exactOptional(),
  /** A schedule's days and time; it starts nothing itself. */
  schedule: z.string().exactOptional(),
  plannedAt: number(),
  /** Epoch ms. */
  stateEnteredAt: number(),
});
export type Campaign = z.infer<typeof Campaign>;

export const planNewCampaign = (
  {
    origin,
    every,
    undoes,
    ...of
  }: Pick<Campaign, 'id' | 'digest' | 'by'> & {
    undoes?: string | undefined;
    origin?: CampaignTrigger | undefined;
    every?: string | undefined;
  },
  at: number,
): Campaign => ({
  ...of,
  ...(origin ? { origin } : {}),
  ...(undoes === undefined ? {} : { undoes }),
  ...(every === undefined ? {} : { schedule: every }),
  state: 'planned',
  released: 0,
  stepStart: 0,
  step: 0,
  reason: null,
  plannedAt: at,
  stateEnteredAt: at,
});

export const isCampaignOver = ({ state }: Pick<Campaign, 'state'>): boolean =>
  state === 'finished' || state === 'closed';

const OPEN_CAMPAIGN_STATES: readonly CampaignState[] = ['planned', 'running', 'paused', 'stopped'];

const TAKES: Record<CampaignDecision['kind'], readonly CampaignState[]> = {
  started: ['planned'],
  paused: ['running'],
  resumed: ['paused', 'stopped'],
  widened: ['running'],
  raised: ['running'],
  granted: ['planned'],
  stopped: ['running'],
  finished: ['running'],
  lapsed: ['planned'],
  adopted: OPEN_CAMPAIGN_STATES,
  followed: OPEN_CAMPAIGN_STATES,
  linked: OPEN_CAMPAIGN_STATES,
  closed: OPEN_CAMPAIGN_STATES,
};
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

export const validateDecision = (
  campaign: Campaign,
  decision: CampaignDecision,
): 'taken' | 'same' | 'refused' => {
  if (decision.kind === 'widened')
    return campaign.state !== 'running' ? 'refused' : decision.to > campaign.released ? 'taken' : 'same';
  if (decision.kind === 'raised' && decision.to <= (campaign.maxOpen ?? 0)) return 'same';
  if (decision.kind === 'granted' && decision.budgets.every((one) => isGranted(campaign, one))) return 'same';
  if (decision.kind === 'adopted' && freshIn(campaign, decision.pulls).length === 0) return 'same';
  if (decision.kind === 'followed' && !isPullChange(campaign, decision)) return 'same';
  if (decision.kind === 'linked' && !isNews(campaign, decision.link)) return 'same';
  if (TAKES[decision.kind].includes(campaign.state)) return 'taken';
  return campaign.state === LEADS_TO[decision.kind] ? 'same' : 'refused';
};

const isGranted = ({ granted = [] }: Campaign, { budget, amount }: z.infer<typeof Granted>): boolean =>
  granted.some((one) => one.budget === budget && one.amount >= amount);

const freshIn = ({ adoptedPulls: adopted = [] }: Campaign, pulls: readonly AdoptedPull[]): AdoptedPull[] => {
  const known = new Set(adopted.map(({ url }) => url));
  const fresh = new Map(pulls.filter(({ url }) => !known.has(url)).map((one) => [one.url, one]));
  return [...fresh.values()].slice(0, MAX_ADOPTED_PULLS - adopted.length);
};

/** A closed or merged pull request stays so, whatever a late poll says. */
const isPullChange = (
  { adoptedPulls: adopted = [] }: Campaign,
  { url, mark }: { url: string; mark: AdoptedPull['mark'] },
): boolean => {
  const one = adopted.find((each) => each.url === url);
  return one !== undefined && one.mark !== mark && one.mark !== 'merged';
};

const isLink = (one: LinkResult, { repo }: LinkResult): boolean =>
  one.repo.toLowerCase() === repo.toLowerCase();

const isNews = ({ links = [] }: Campaign, link: LinkResult): boolean => {
  const known = links.find((one) => isLink(one, link));
  return (
    !known ||
    (known.tag === undefined && known.commit === link.commit && link.tag !== undefined) ||
    (known.tag === undefined && known.refusedTag === undefined && link.refusedTag !== undefined)
  );
};

export const canTakeDecision = (campaign: Campaign, kind: CampaignDecision['kind']): boolean =>
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
    case 'started':
      return campaign.undoes === undefined ? next : { ...next, startedBy: by };
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
    case 'granted': {
      const others = (campaign.granted ?? []).filter(
        ({ budget }) => !decision.budgets.some((one) => one.budget === budget),
      );
      return { ...next, granted: [...others, ...decision.budgets] };
    }
    case 'adopted':
      return {
        ...next,
        adoptedPulls: [...(campaign.adoptedPulls ?? []), ...freshIn(campaign, decision.pulls)],
      };
    case 'followed': {
      const { url, mark, since } = decision;
      const markPull = (one: AdoptedPull): AdoptedPull => (one.url === url ? { ...one, mark, since } : one);
      return { ...next, adoptedPulls: (campaign.adoptedPulls ?? []).map(markPull) };
    }
    case 'linked': {
      const others = (campaign.links ?? []).filter((one) => !isLink(one, decision.link));
      return { ...next, links: [...others, decision.link] };
    }
    case 'stopped':
      return { ...next, reason: decision.reason };
    case 'resumed':
      // Continuing accepts the failures so far: only new ones are judged.
      return campaign.state === 'stopped' ? { ...next, reason: null, stepStart: campaign.released } : next;
    case 'lapsed':
      return { ...next, expiry: decision.replaced ? 'replaced' : 'late' };
    default:
      return next;
  }
};
