/** Handles the command line's orders about campaigns: plan, decide, adopt, withdraw, retry. */
import { z } from 'zod';
import { enTexts } from '../bot/language/languages.ts';
import { CAMPAIGN_CLOSING_NOTE } from '../bot/language/english-wording.ts';
import { sayRecord } from '../bot/text/catalogue.ts';
import { CampaignRequest, NamedPull } from '#orders';
import { isOver } from '../orchestrator/model/campaign.ts';
import { MAX_CAMPAIGN_TARGETS } from '../orchestrator/model/campaign-order.ts';
import { FailureClass } from '../orchestrator/model/failure-classes.ts';
import { CampaignId, type Person } from '../orchestrator/model/order.ts';
import { canonicalJson } from '../orchestrator/model/seal.ts';
import {
  cancelUnopened,
  retryFailed,
  withdrawRuns,
  type PullAdopter,
  type CampaignPlanner,
} from '#campaigns';
import type { SubmitInput } from '../orchestrator/kernel/runtime/submit-input.ts';
import type { SystemClock, InboxRow, Ledger } from '../orchestrator/kernel/ports/index.ts';

type PlannedCampaign = Awaited<ReturnType<CampaignPlanner['keep']>>;

const Act = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('plan'),
    id: CampaignId,
    batch: CampaignRequest.refine(({ requester }) => requester.id === null, {
      error: 'The command line cannot speak for a person of the chat.',
    }),
  }),
  z.object({
    do: z.literal('decide'),
    id: CampaignId,
    decision: z.enum(['started', 'paused', 'resumed', 'closed']),
    /** Also ends runs without a pull request. */
    cancel: z.boolean(),
  }),
  z.object({ do: z.literal('adopt'), id: CampaignId, pulls: z.array(NamedPull).min(1) }),
  /** Allowed only after the campaign has ended. */
  z.object({
    do: z.literal('withdraw'),
    id: CampaignId,
    runs: z.array(z.string().max(40)).max(MAX_CAMPAIGN_TARGETS),
  }),
  z.object({ do: z.literal('retry'), id: CampaignId, class: FailureClass.nullable() }),
]);
export const CampaignControl = z.object({ key: z.string().min(1).max(200), campaign: Act });
export type CampaignControl = z.infer<typeof CampaignControl>;

const CampaignAnswer = z.object({
  kind: z.enum(['written', 'refused']),
  reason: z.string(),
  state: z.string().exactOptional(),
});
export type CampaignAnswer = z.infer<typeof CampaignAnswer>;
export type CampaignSource = (row: InboxRow, order: CampaignControl) => Promise<CampaignAnswer>;

/** Ignores the list of runs, because it shrinks while pull requests are being closed. */
const meaning = ({ campaign: act }: CampaignControl): string =>
  canonicalJson(act.do === 'withdraw' ? { ...act, runs: [] } : act);

/** S4: returns the outcome of an earlier call with the same key. */
export const answeredBefore = async (
  query: Pick<Ledger['query'], 'body' | 'incoming'>,
  id: number,
  order: CampaignControl,
): Promise<CampaignAnswer | 'other' | 'waits'> => {
  const before = CampaignControl.safeParse(await query.body(id)).data;
  if (!before || meaning(before) !== meaning(CampaignControl.parse(order))) return 'other';
  const row = await query.incoming(id);
  if (row?.state === 'new') return 'waits';
  const note = row?.note ?? '';
  if (row?.state === 'dead')
    return { kind: 'refused', reason: `It could not be done: ${note}. Use a new key to try again.` };
  return Kept.safeParse(note).data ?? { kind: 'written', reason: note };
};
const Kept = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('no JSON');
      return z.NEVER;
    }
  })
  .pipe(CampaignAnswer);

const operator: Person = { id: null, name: 'the operator' };

const answerTo = (planned: PlannedCampaign): CampaignAnswer =>
  planned.kind === 'planned'
    ? { kind: 'written', reason: enTexts.campaign.nothingYet, state: 'planned' }
    : { kind: 'refused', reason: sayRecord(enTexts.notes, planned.note) };

export const createCampaignSource = (parts: {
  ledger: Ledger;
  clock: SystemClock;
  submit: SubmitInput;
  planner: () => CampaignPlanner;
  adopter: () => Pick<PullAdopter, 'take'>;
  moved?: () => void;
}): CampaignSource => {
  const { ledger, clock, submit } = parts;
  const t = enTexts.campaign;

  const perform = async ({ campaign: act, key }: CampaignControl): Promise<CampaignAnswer> => {
    const { id } = act;
    const asked = { id, by: operator, key: `cli:${key}` };
    if (act.do === 'retry') {
      const tried = await retryFailed({ ledger, submit, clock }, { ...asked, only: act.class });
      return { kind: 'written', reason: t.tried(tried) };
    }
    if (act.do === 'withdraw') {
      const known = await ledger.query.campaign(id);
      if (!known) return { kind: 'refused', reason: t.unknown(id) };
      const { state } = known.campaign;
      if (!isOver(known.campaign)) return { kind: 'refused', reason: t.not(t.states[state]), state };
      const of = { runs: act.runs, words: CAMPAIGN_CLOSING_NOTE, reason: t.gaveUp };
      const closing = await withdrawRuns({ ledger, submit, clock }, asked, of);
      parts.moved?.();
      return { kind: 'written', reason: t.withdrawn(closing), state };
    }
    if (act.do === 'adopt') {
      const note = await parts.adopter().take({ id, pulls: act.pulls, by: operator });
      parts.moved?.();
      return { kind: note.adopted ? 'written' : 'refused', reason: sayRecord(enTexts.notes, note) };
    }
    if (act.do === 'plan') throw new Error('a plan is kept with its row');
    const decision = { kind: act.decision };
    const outcome = await ledger.campaigns.decide(id, { decision, by: null, at: clock.now() });
    if (outcome.kind === 'unknown') return { kind: 'refused', reason: t.unknown(id) };
    const { state } = outcome.campaign;
    if (outcome.kind === 'refused') return { kind: 'refused', reason: t.not(t.states[state]), state };
    if (act.decision === 'closed' && act.cancel)
      await cancelUnopened({ ledger, submit, clock }, asked, t.did.closed);
    parts.moved?.();
    return { kind: 'written', reason: t.did[act.decision], state };
  };

  return async (row, order) => {
    const { campaign: act } = order;
    if (act.do === 'plan') {
      const batch = { ...act.batch, id: act.id };
      return answerTo(await parts.planner().keep(row, batch, (planned) => JSON.stringify(answerTo(planned))));
    }
    const answer = await perform(order);
    const note = JSON.stringify(answer);
    await ledger.settleInbox(row.id, { kind: 'done', note, replies: [] }, clock.now());
    return answer;
  };
};
