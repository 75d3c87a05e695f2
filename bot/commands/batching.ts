/**
 * F5: campaigns in the chat: what is ordered is planned and shown first, and begins with a tap.
 */
import { batchFrom, readBatch, type NewBatch } from '../../orchestrator/commands/batch.ts';
import { LONGEST_FILE } from '../../orchestrator/commands/campaign-file.ts';
import type { PullList } from '../../orchestrator/commands/pulls.ts';
import { isWrong, wrong, type Problem, type Wrong } from '../../orchestrator/commands/problems.ts';
import { written } from '../../orchestrator/core/campaign/query.ts';
import { takesDecision, type CampaignDecision } from '../../orchestrator/core/campaign/campaign.ts';
import { placesOf } from '../../orchestrator/core/campaign/advance.ts';
import { idleInAll } from '../../orchestrator/core/campaign/progress.ts';
import { MOST_LESSONS } from '../../orchestrator/core/campaign/lessons.ts';
import { askedIn, retryable, withOpenPull } from '../../orchestrator/core/campaign/standing.ts';
import type { FailureClass } from '../../orchestrator/core/failures.ts';
import { alikeIn, onOneCard, stillAsked } from '../../orchestrator/core/machine/asked-first.ts';
import { attentionOf } from '../../orchestrator/core/machine/draft.ts';
import type { Lesson } from '../../orchestrator/core/lesson.ts';
import type { View } from '../../orchestrator/core/machine/effects.ts';
import {
  answerFirst,
  cancelUnopened,
  retryFailed,
  teach,
  withdraw,
} from '../../orchestrator/engine/campaign-acts.ts';
import { campaignNow, type CampaignNow } from '../../orchestrator/engine/campaign-now.ts';
import { adoptNote } from '../../orchestrator/engine/adopting.ts';
import { campaignIdOf } from '../../orchestrator/engine/ids.ts';
import { planSlot } from '../../orchestrator/engine/arrivals.ts';
import { batchNote } from '../../orchestrator/engine/planning.ts';
import type { EffectRow } from '../../orchestrator/ports.ts';
import { GOODBYE } from '../language/en/campaign.ts';
import { formOf } from '../language/forms.ts';
import { textOf } from '../files.ts';
import { say } from '../text/catalogue.ts';
import { renderCampaigns } from '../views/campaigns.ts';
import { costWarnings, orderFrom, person } from './acting.ts';
import { answer, isBusy, plain, refuse, settle, showing, type Answers, type Context } from './context.ts';
import { tell, type Said } from './popup.ts';

export const BATCHING = [
  ...(['batchgo', 'batchhold', 'batchon', 'batchend', 'batchsure', 'batchcancel', 'batchlook'] as const),
  ...(['batchretry', 'batchagain', 'batchlearn', 'batchteach'] as const),
  ...(['batchmore', 'batchpulls', 'batchgiveup'] as const),
  ...(['batchfirst', 'batchbegin', 'batchskip', 'batchsingly'] as const),
] as const;
type Batching = (typeof BATCHING)[number];
export const isBatching = (verb: string): verb is Batching => BATCHING.some((one) => one === verb);

const wrongForm = (c: Context, problem: Problem): Promise<void> =>
  refuse(
    c,
    'wrong form',
    plain(`${say(c.words.problems, problem)} ${c.words.replies.wrong(formOf('batch', c.words))}`),
  );

/** What was written, and what came as a file beside it. */
const readAll = async (c: Context, text: string): Promise<{ value: NewBatch } | Wrong> => {
  if (c.file === null) return readBatch(text);
  const { id, size } = c.file;
  // guard: L8-file-size
  if (size !== null && size > LONGEST_FILE) return wrong({ kind: 'file_long', most: LONGEST_FILE });
  const bytes = await c.sentFile?.(id, LONGEST_FILE);
  if (!bytes) return wrong({ kind: 'file_gone' });
  const content = textOf(bytes);
  if (content === null) return wrong({ kind: 'file_text' });
  const read = await c.readSentList(content, text);
  // A script may reach what an agent may not: it is given at the host.
  // guard: G5-script-at-host
  if (!isWrong(read) && read.value.script !== null) return wrong({ kind: 'file_script' });
  return read;
};

/** What was named is looked at beside the chat: nobody waits for that here. */
export const batch = async (c: Context, text: string): Promise<void> => {
  const read = await readAll(c, text);
  if (isWrong(read)) return wrongForm(c, read.problem ?? { kind: 'no_list' });
  const { named, queries, order } = read.value;
  const asked = orderFrom(c, { ...order, host: null });
  if ('refused' in asked) return settle(c, 'refused', plain(asked.refused));
  const key = `batch:${c.row.key}`;
  const id = campaignIdOf(key);
  await c.receive([batchNote(key, { id, ...batchFrom(read.value, asked.order) })]);
  const sought = queries.map(written).join(', ');
  const looking = { ...plain(c.words.campaign.looking(named.length, sought)), slot: planSlot(id) };
  await settle(c, 'a batch', looking, ...costWarnings(c, asked.order));
};

/** Pull requests that others opened; they are looked at beside the chat. */
export const adopt = async (c: Context, { campaign: asked, pulls }: PullList): Promise<void> => {
  const all = await c.ledger.query.campaigns();
  const open = all.filter((one) => takesDecision(one, 'adopted'));
  const id = asked ?? (open.length === 1 ? open[0]?.id : undefined);
  const known = all.find((one) => one.id === id);
  if (id === undefined) return refuse(c, 'which campaign', plain(c.words.campaign.which));
  if (!known) return refuse(c, 'no such campaign', plain(c.words.campaign.unknown(id)));
  const slot = `adopt:${c.row.id}`;
  await c.receive([adoptNote(`adopt:${c.row.key}`, { id, pulls, by: person(c), chat: c.chat, slot })]);
  await settle(c, 'adopts', { ...plain(c.words.campaign.adopting(pulls.length)), slot });
};

/** One campaign, or all of them. */
export const campaign = async (c: Context, asked: string | null): Promise<void> => {
  const { query } = c.ledger;
  const all = await query.campaigns();
  const [only] = all.filter(({ state }) => state === 'running' || state === 'planned');
  const id = asked ?? (all.length === 1 ? only?.id : undefined);
  if (id === undefined) {
    const { html, buttons } = renderCampaigns(all, c.words);
    return settle(c, 'campaigns', answer(html, buttons));
  }
  const known = all.find((one) => one.id === id.toLowerCase());
  if (!known) return refuse(c, 'no such campaign', plain(c.words.campaign.unknown(id)));
  return settle(
    c,
    'a campaign',
    showing({ view: 'campaign', campaign: known.id }, null, `${planSlot(known.id)}:${c.row.id}`),
  );
};

const DECIDES = {
  batchgo: 'started',
  batchhold: 'paused',
  batchon: 'resumed',
  batchend: 'closed',
  batchsure: 'closed',
  batchcancel: 'closed',
} as const satisfies Partial<Record<Batching, CampaignDecision['kind']>>;

type CampaignView = Extract<View, { view: 'campaign' }>;

/** A tap on the card of a campaign; the same tap again changes nothing. */
export const onCampaign = async (
  c: Context,
  verb: Batching,
  { slot }: EffectRow,
  { campaign: id, asks, classes = [], lessons = [], asked: first = [], runs = [] }: CampaignView,
  index: number | null,
): Said => {
  const t = c.words.campaign;
  // What was asked here is not asked anew because somebody looks at something else.
  const kept = first.length > 0 ? { asked: first } : {};
  const drawn = (more: Partial<CampaignView> = {}): Answers =>
    showing({ view: 'campaign', campaign: id, ...kept, ...more }, null, slot);
  const now = c.clock.now();
  const at = await campaignNow(c.ledger.query, id, now);
  if (!at) return tell(c, t.unknown(id), true);
  const asked = { id, by: person(c), key: `chat:${c.row.key}` };
  switch (verb) {
    case 'batchlook':
      return tell(c, '', false, drawn());
    case 'batchretry':
      return tell(c, '', false, drawn({ asks: 'retry', classes: classesIn(at) }));
    case 'batchagain': {
      const only = index === null ? null : classes[index];
      if (only === undefined) return tell(c, c.words.tap.gone, true, drawn());
      return tell(c, t.tried(await retryFailed(c, { ...asked, only })), false, drawn());
    }
    case 'batchlearn':
      return tell(c, '', false, drawn({ asks: 'teach', lessons: newest(at) }));
    case 'batchteach': {
      const lesson = lessons[index ?? -1];
      if (!lesson) return tell(c, c.words.tap.gone, true, drawn());
      const told = await teach(c, asked, lesson, t.wish(lesson));
      return tell(c, t.taught(told), false, drawn({ asks: 'teach', lessons }));
    }
    case 'batchfirst':
      return tell(c, '', false, drawn({ asks: 'first', asked: onOneCard(askedIn(at.standings)) }));
    case 'batchbegin':
    case 'batchskip': {
      const some = alikeIn(first)[index ?? -1] ?? [];
      const answered = verb === 'batchbegin' ? 'begin' : 'leave_out';
      const n = await answerFirst(c, asked, some, answered);
      const left = first.filter((one) => !some.includes(one));
      return tell(c, t.answered[answered](n), n === 0, drawn({ asks: 'first', asked: left }));
    }
    case 'batchsingly': {
      if (await isBusy(c, true)) return tell(c, c.words.tap.busy, true);
      const open = stillAsked(first, askedIn(at.standings));
      const cards = await Promise.all(open.map(({ run }) => c.ledger.query.run(run)));
      const own = cards.flatMap((run) => (run ? [showing(attentionOf(run), run.id)] : []));
      return tell(c, c.words.tap.shown, false, drawn({ asks: 'first', asked: first }), ...own);
    }
    case 'batchmore': {
      const to = placesOf(at.order, at.campaign) + MORE;
      // A second tap on the same card finds the places there already.
      if (idleInAll(at.next.waits, at.standings, now).length === 0)
        return tell(c, c.words.tap.gone, true, drawn());
      const raised = { kind: 'raised', to } as const;
      await c.ledger.campaigns.decide(id, { decision: raised, by: person(c), at: now });
      c.onCampaign?.();
      return tell(c, t.goesOn(to), false, drawn());
    }
    case 'batchpulls': {
      const idle = asks === 'idle' ? idleInAll(at.next.waits, at.standings, now) : null;
      const some = (idle ?? withOpenPull(at.standings)).map(({ run }) => run);
      return tell(c, '', false, drawn({ asks: 'withdraw', runs: some }));
    }
    case 'batchgiveup': {
      // What maintainers read is English, whoever closes it.
      const of = { runs, words: GOODBYE, reason: t.gaveUp };
      return tell(c, t.withdrawn(await withdraw(c, asked, of)), false, drawn());
    }
    case 'batchend':
      // What was only planned has nothing to lose.
      if (at.campaign.state !== 'planned') return tell(c, '', false, drawn({ asks: 'close' }));
      break;
    case 'batchgo':
    case 'batchhold':
    case 'batchon':
    case 'batchsure':
    case 'batchcancel':
      break;
  }
  const kind = DECIDES[verb];
  const outcome = await c.ledger.campaigns.decide(id, { decision: { kind }, by: person(c), at: now });
  if (outcome.kind === 'unknown') return tell(c, t.unknown(id), true);
  if (outcome.kind === 'refused') return tell(c, t.not(t.states[outcome.campaign.state]), true, drawn());
  if (verb === 'batchcancel') await cancelUnopened(c, asked, t.did.closed);
  c.onCampaign?.();
  const did = kind === 'started' && at.times ? t.did.scheduled : t.did[kind];
  return tell(c, did, false, drawn());
};

const newest = ({ lessons }: CampaignNow): Lesson[] =>
  lessons.slice(0, MOST_LESSONS).map(({ lesson }) => lesson);

/** Places that a tap adds where idle pull requests take all of them. */
const MORE = 5;

/** So many fit as buttons. */
const MOST_CLASSES = 6;
const classesIn = ({ standings }: CampaignNow): FailureClass[] =>
  [...new Set(retryable(standings).flatMap((one) => one.class ?? []))].sort().slice(0, MOST_CLASSES);
