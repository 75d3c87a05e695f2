/** Acts of people on a campaign, a row each, for the chat and the command line (F5). */
import { z } from 'zod';
import { NamedPull } from '#orders';
import { CAMPAIGN_STATES, isCampaignOver, MAX_CAMPAIGN_TARGETS } from '#model/campaign';
import type { ChatNote } from '#model/chat';
import { FailureClass } from '#model/failure';
import { CampaignId } from '#model/order';
import type { Ledger } from '#ports/ledger';
import type { PullAdopter } from '../adopt-pulls.io.ts';
import {
  cancelUnopened,
  retryFailed,
  withdrawRuns,
  type ActParts,
  type Asked,
} from './campaign-run-commands.io.ts';

type CampaignActParts = ActParts & {
  ledger: ActParts['ledger'] & {
    campaigns: Pick<Ledger['campaigns'], 'decide'>;
  };
  /** Maintainers read `closingNote`; the others are recorded as reasons. */
  words: Record<'closingNote' | 'gaveUp' | 'closed', string>;
  /** The chat adopts by a note, and has none. */
  adopter?: () => Pick<PullAdopter, 'take'>;
  moved?: (() => void) | undefined;
};

const DECISIONS = ['started', 'paused', 'resumed', 'closed'] as const;
type Decision = (typeof DECISIONS)[number];

const plainSchema = <Kind extends string>(kind: Kind) => z.object({ kind: z.literal(kind) });
const countSchema = <Kind extends string>(kind: Kind) => z.object({ kind: z.literal(kind), n: z.number() });
/** What came of an act, told by a sentence of each language. */
export const CampaignSaying = z.discriminatedUnion('kind', [
  plainSchema('nothing_yet'),
  countSchema('tried'),
  countSchema('withdrawn'),
  z.object({ kind: z.literal('unknown'), id: z.string() }),
  z.object({ kind: z.literal('not'), state: z.enum(CAMPAIGN_STATES) }),
  z.object({ kind: z.literal('did'), decision: z.enum(DECISIONS) }),
  z.object({ kind: z.literal('failed'), note: z.string() }),
  z.object({
    kind: z.literal('note'),
    note: z.custom<ChatNote>((note) => z.object({ kind: z.string() }).safeParse(note).success),
  }),
]);
export type CampaignSaying = z.infer<typeof CampaignSaying>;

type CampaignActAnswer = {
  kind: 'written' | 'refused';
  said: CampaignSaying;
  state?: (typeof CAMPAIGN_STATES)[number];
};

/** `fields` are what the act is given besides the campaign, and are read wherever it comes from. */
const defineAct = <const Act extends string, const Fields extends z.ZodRawShape>({
  act,
  fields,
  perform,
}: {
  act: Act;
  fields: Fields;
  perform: (
    parts: CampaignActParts,
    asked: Asked & { given: z.infer<z.ZodObject<Fields>> },
  ) => Promise<CampaignActAnswer>;
}) => ({
  act,
  schema: z.object({ do: z.literal(act), id: CampaignId, ...fields }),
  perform: (parts: CampaignActParts, asked: Asked, given: unknown): Promise<CampaignActAnswer> =>
    perform(parts, { ...asked, given: z.object(fields).parse(given) }),
});

const decideCampaign = async (
  { ledger, clock }: CampaignActParts,
  { id, by }: Asked,
  decision: Decision,
): Promise<CampaignActAnswer> => {
  const outcome = await ledger.campaigns.decide(id, {
    decision: { kind: decision },
    by: by.id === null ? null : by,
    at: clock.now(),
  });
  if (outcome.kind === 'unknown') return { kind: 'refused', said: { kind: 'unknown', id } };
  const { state } = outcome.campaign;
  return outcome.kind === 'refused'
    ? { kind: 'refused', said: { kind: 'not', state }, state }
    : { kind: 'written', said: { kind: 'did', decision }, state };
};

export const CAMPAIGN_ACTS = [
  defineAct({
    act: 'start',
    fields: {},
    perform: (parts, asked) => decideCampaign(parts, asked, 'started'),
  }),
  defineAct({
    act: 'pause',
    fields: {},
    perform: (parts, asked) => decideCampaign(parts, asked, 'paused'),
  }),
  defineAct({
    act: 'resume',
    fields: {},
    perform: (parts, asked) => decideCampaign(parts, asked, 'resumed'),
  }),
  defineAct({
    act: 'close',
    /** `cancel` also ends runs without a pull request. */
    fields: { cancel: z.boolean() },
    async perform(parts, asked) {
      const answer = await decideCampaign(parts, asked, 'closed');
      if (answer.kind === 'written' && asked.given.cancel)
        await cancelUnopened(parts, asked, parts.words.closed);
      return answer;
    },
  }),
  defineAct({
    act: 'retry',
    fields: { class: FailureClass.nullable() },
    async perform(parts, asked) {
      const n = await retryFailed(parts, { ...asked, only: asked.given.class });
      return { kind: 'written', said: { kind: 'tried', n } };
    },
  }),
  defineAct({
    act: 'withdraw',
    fields: { runs: z.array(z.string().max(40)).max(MAX_CAMPAIGN_TARGETS) },
    async perform(parts, asked) {
      const known = await parts.ledger.query.campaign(asked.id);
      if (!known) return { kind: 'refused', said: { kind: 'unknown', id: asked.id } };
      const { state } = known.campaign;
      // A person saw on the card which pull requests close while it goes on; the host closes all at its end.
      if (asked.by.id === null && !isCampaignOver(known.campaign))
        return { kind: 'refused', said: { kind: 'not', state }, state };
      const { closingNote: words, gaveUp: reason } = parts.words;
      const n = await withdrawRuns(parts, asked, { runs: asked.given.runs, words, reason });
      return { kind: 'written', said: { kind: 'withdrawn', n }, state };
    },
  }),
  defineAct({
    act: 'adopt',
    fields: { pulls: z.array(NamedPull).min(1) },
    async perform({ adopter }, { id, by, given }) {
      if (!adopter) throw new Error('the chat adopts by a note');
      const note = await adopter().take({ id, pulls: given.pulls, by });
      return { kind: note.adopted ? 'written' : 'refused', said: { kind: 'note', note } };
    },
  }),
];

export type CampaignAct = z.infer<(typeof CAMPAIGN_ACTS)[number]['schema']>;

/** `key` makes a repeated act change nothing. */
export const performCampaignAct = async (
  parts: CampaignActParts,
  { by, key }: Pick<Asked, 'by' | 'key'>,
  act: CampaignAct,
): Promise<CampaignActAnswer> => {
  const row = CAMPAIGN_ACTS.find((one) => one.act === act.do);
  if (!row) throw new Error(`no act ${act.do}`);
  const answer = await row.perform(parts, { id: act.id, by, key }, act);
  if (answer.kind === 'written') parts.moved?.();
  return answer;
};
