/** Handles the command line's orders about campaigns: plan, decide, adopt, withdraw, retry. */
import { z } from 'zod';
import { enTexts, type LanguageTexts } from '../bot/language/languages.ts';
import { CAMPAIGN_CLOSING_NOTE } from '../bot/language/english-wording.ts';
import { sayRecord } from '../bot/text/catalogue.ts';
import { CampaignRequest, NamedPull } from '#orders';
import { CAMPAIGN_STATES, isOver, type CampaignState } from '../orchestrator/model/campaign.ts';
import type { ChatNote } from '../orchestrator/model/chat-notes.ts';
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

const DECISIONS = ['started', 'paused', 'resumed', 'closed'] as const;

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
    decision: z.enum(DECISIONS),
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

const plain = <K extends string>(kind: K) => z.object({ kind: z.literal(kind) });
const counted = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), n: z.number() });
const KindOf = z.object({ kind: z.string() });
const CampaignSaying = z.discriminatedUnion('kind', [
  plain('nothing_yet'),
  counted('tried'),
  counted('withdrawn'),
  z.object({ kind: z.literal('unknown'), id: z.string() }),
  z.object({ kind: z.literal('not'), state: z.enum(CAMPAIGN_STATES) }),
  z.object({ kind: z.literal('did'), decision: z.enum(DECISIONS) }),
  z.object({ kind: z.literal('failed'), note: z.string() }),
  z.object({
    kind: z.literal('note'),
    note: z.custom<ChatNote>((note) => Object.hasOwn(enTexts.notes, KindOf.safeParse(note).data?.kind ?? '')),
  }),
]);
export type CampaignSaying = z.infer<typeof CampaignSaying>;

export const campaignSayingWords = (words: LanguageTexts, said: CampaignSaying): string => {
  const t = words.campaign;
  switch (said.kind) {
    case 'nothing_yet':
      return t.planned;
    case 'tried':
    case 'withdrawn':
      return t[said.kind](said.n);
    case 'unknown':
      return t.unknown(said.id);
    case 'not':
      return t.not(t.states[said.state]);
    case 'did':
      return t.did[said.decision];
    case 'failed':
      return t.notDone(said.note);
    case 'note':
      return sayRecord(words.notes, said.note);
  }
};

/** `reason` is English; `said` lets other languages tell it. */
const CampaignAnswer = z.object({
  kind: z.enum(['written', 'refused']),
  reason: z.string(),
  said: CampaignSaying.exactOptional(),
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
  reason: campaignSayingWords(enTexts, said),
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
  const { ledger, clock, submit } = parts;
  const t = enTexts.campaign;

  const perform = async ({ campaign: act, key }: CampaignControl): Promise<CampaignAnswer> => {
    const { id } = act;
    const asked = { id, by: operator, key: `cli:${key}` };
    if (act.do === 'retry') {
      const tried = await retryFailed({ ledger, submit, clock }, { ...asked, only: act.class });
      return answerOf('written', { kind: 'tried', n: tried });
    }
    if (act.do === 'withdraw') {
      const known = await ledger.query.campaign(id);
      if (!known) return answerOf('refused', { kind: 'unknown', id });
      const { state } = known.campaign;
      if (!isOver(known.campaign)) return answerOf('refused', { kind: 'not', state }, state);
      const of = { runs: act.runs, words: CAMPAIGN_CLOSING_NOTE, reason: t.gaveUp };
      const closing = await withdrawRuns({ ledger, submit, clock }, asked, of);
      parts.moved?.();
      return answerOf('written', { kind: 'withdrawn', n: closing }, state);
    }
    if (act.do === 'adopt') {
      const note = await parts.adopter().take({ id, pulls: act.pulls, by: operator });
      parts.moved?.();
      return answerOf(note.adopted ? 'written' : 'refused', { kind: 'note', note });
    }
    if (act.do === 'plan') throw new Error('a plan is kept with its row');
    const decision = { kind: act.decision };
    const outcome = await ledger.campaigns.decide(id, { decision, by: null, at: clock.now() });
    if (outcome.kind === 'unknown') return answerOf('refused', { kind: 'unknown', id });
    const { state } = outcome.campaign;
    if (outcome.kind === 'refused') return answerOf('refused', { kind: 'not', state }, state);
    if (act.decision === 'closed' && act.cancel)
      await cancelUnopened({ ledger, submit, clock }, asked, t.did.closed);
    parts.moved?.();
    return answerOf('written', { kind: 'did', decision: act.decision }, state);
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
