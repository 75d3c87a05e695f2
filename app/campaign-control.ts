/** Handles the command line's orders about campaigns: plan, decide, adopt, withdraw, retry. */
import { z } from 'zod';
import { enTexts, CAMPAIGN_CLOSING_NOTE } from '#language';
import { describeCampaignOutcome } from '#views';
import type { SubmitInput } from '#runtime';
import { CampaignRequest } from '#orders';
import type { CampaignState } from '#model/campaign';
import { CampaignId, type Person } from '#model/order';
import { canonicalJson } from '#model/seal';
import { CAMPAIGN_ACTS, CampaignSaying, performCampaignAct } from '#campaigns/acts';
import type { PullAdopter, CampaignPlanner } from '#campaigns';
import type { SystemClock } from '#ports/processes';
import type { InboxRow } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

type PlannedCampaign = Awaited<ReturnType<CampaignPlanner['keep']>>;

const Plan = z.object({
  do: z.literal('plan'),
  id: CampaignId,
  batch: CampaignRequest.refine(({ requester }) => requester.id === null, {
    error: 'The command line cannot speak for a person of the chat.',
  }),
});
const Act = z.discriminatedUnion('do', [Plan, ...CAMPAIGN_ACTS.map(({ schema }) => schema)]);
export const CampaignControl = z.object({ key: z.string().min(1).max(200), campaign: Act });
export type CampaignControl = z.infer<typeof CampaignControl>;

/** `reason` is English; `said` lets other languages tell it. */
const CampaignAnswer = z.object({
  kind: z.enum(['written', 'refused']),
  reason: z.string(),
  said: CampaignSaying.refine(
    (said) => said.kind !== 'note' || Object.hasOwn(enTexts.notes, said.note.kind),
  ).exactOptional(),
  state: z.string().exactOptional(),
});
type CampaignAnswer = z.infer<typeof CampaignAnswer>;
export type CampaignSource = (row: InboxRow, order: CampaignControl) => Promise<CampaignAnswer>;

/** Ignores the list of runs, because it shrinks while pull requests are being closed. */
const canonicalRequest = ({ campaign: act }: CampaignControl): string =>
  canonicalJson(act.do === 'withdraw' ? { ...act, runs: [] } : act);

/** S4: returns the outcome of an earlier call with the same key. */
export const readEarlierOutcome = async (
  query: Pick<Ledger['query'], 'body' | 'incoming'>,
  id: number,
  order: CampaignControl,
): Promise<CampaignAnswer | 'other' | 'waits'> => {
  const before = CampaignControl.safeParse(await query.body(id)).data;
  if (!before || canonicalRequest(before) !== canonicalRequest(CampaignControl.parse(order))) return 'other';
  const row = await query.incoming(id);
  if (row?.state === 'new') return 'waits';
  const note = row?.note ?? '';
  if (row?.state === 'dead') return answerOf('refused', { kind: 'failed', note });
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

const answerOf = (
  kind: CampaignAnswer['kind'],
  said: CampaignSaying,
  state?: CampaignState,
): CampaignAnswer => ({
  kind,
  reason: describeCampaignOutcome(enTexts, said),
  said,
  ...(state === undefined ? {} : { state }),
});

const answerTo = (planned: PlannedCampaign): CampaignAnswer =>
  planned.kind === 'planned'
    ? answerOf('written', { kind: 'nothing_yet' }, 'planned')
    : answerOf('refused', { kind: 'note', note: planned.note });

export const createCampaignSource = (parts: {
  ledger: Ledger;
  clock: SystemClock;
  submit: SubmitInput;
  planner: () => CampaignPlanner;
  adopter: () => Pick<PullAdopter, 'take'>;
  moved?: () => void;
}): CampaignSource => {
  const { ledger, clock } = parts;
  const { gaveUp, did } = enTexts.campaign;
  const words = { closingNote: CAMPAIGN_CLOSING_NOTE, gaveUp, closed: did.closed };

  return async (row, order) => {
    const { campaign: act } = order;
    if (act.do === 'plan') {
      const batch = { ...act.batch, id: act.id };
      return answerTo(await parts.planner().keep(row, batch, (planned) => JSON.stringify(answerTo(planned))));
    }
    const asked = { by: operator, key: `cli:${order.key}` };
    const { kind, said, state } = await performCampaignAct({ ...parts, words }, asked, act);
    const answer = answerOf(kind, said, state);
    const note = JSON.stringify(answer);
    await ledger.settleInbox(row.id, { kind: 'done', note, replies: [] }, clock.now());
    return answer;
  };
};
