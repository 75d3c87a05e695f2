/** F5: handles campaigns in the chat: planned and shown first, started by a tap. */
import {
  campaignFrom,
  readCampaignOrder,
  type NewCampaign,
  MAX_CAMPAIGN_FILE_BYTES,
  type PullList,
} from '#orders';
import { openPullLimit, idleInAll, askedIn, retryableRuns, withOpenPull } from '#campaign-standing';
import {
  MAX_LESSONS,
  answerFirst,
  cancelUnopened,
  retryFailed,
  teachLesson,
  withdrawRuns,
  campaignNow,
  shortInPreview,
  type CampaignNow,
  adoptNote,
  planSlot,
  campaignPlanNote,
  planUndo,
  readUndoOrder,
  undoRequest,
} from '#campaigns';
import {
  isWrong,
  wrongArgument,
  type CommandProblem,
  type WrongArgument,
} from '../../orchestrator/model/command-problems.ts';
import { queryText } from '../../orchestrator/model/repository-query.ts';
import { takesDecision, type CampaignDecision } from '../../orchestrator/model/campaign.ts';
import type { FailureClass } from '../../orchestrator/model/failure-classes.ts';
import { alikeIn, onOneCard, stillAsked } from '../../orchestrator/model/questions-before-work.ts';
import { attentionOf } from '../../orchestrator/kernel/lifecycle/step-draft.ts';
import type { OfferedLesson } from '../../orchestrator/model/campaign-lesson.ts';
import type { MessageView } from '../../orchestrator/kernel/run/effect-types.ts';
import { campaignIdOf } from '../../orchestrator/kernel/runtime/random-ids.ts';
import type { EffectRow } from '../../orchestrator/kernel/ports/index.ts';
import { CAMPAIGN_CLOSING_NOTE } from '../language/english-wording.ts';
import { formOf } from '../language/command-forms.ts';
import { decodeSentText } from '../received-files.ts';
import { sayRecord } from '../text/catalogue.ts';
import { budgetsText } from '../views/reason-messages.ts';
import { renderCampaigns } from '../views/campaign-list.ts';
import { costWarnings, orderFrom, personOf } from './steer-run.ts';
import {
  htmlReply,
  isBusy,
  plainReply,
  refuseUpdate,
  settleUpdate,
  viewReply,
  type CommandReply,
  type CommandContext,
} from './command-context.ts';
import { answerTap, type PendingTapAnswer } from './answer-tap.ts';

export const undoCampaign = async (c: CommandContext, id: string): Promise<void> => {
  const t = c.words.campaign;
  const undo = await planUndo(c.ledger.query, id);
  switch (undo.kind) {
    case 'unknown':
      return refuseUpdate(c, 'no such campaign', plainReply(t.unknown(id)));
    case 'scheduled':
    case 'nothing':
      return refuseUpdate(c, 'nothing to undo', plainReply(t.undo[undo.kind](id)));
    case 'open':
      return showCampaigns(c, undo.campaign);
    case 'plan': {
      const read = readUndoOrder(undo);
      if (isWrong(read)) throw new Error('the order of an undo cannot be read');
      const asked = orderFrom(c, read.value);
      if ('refused' in asked) return settleUpdate(c, 'refused', plainReply(asked.refused));
      const key = `undo:${id}:${c.row.key}`;
      const plan = undoRequest(id, undo, asked.order);
      await c.receive([campaignPlanNote(key, { id: campaignIdOf(key), ...plan })]);
      const looking = {
        ...plainReply(t.undo.looking(undo.targets.length)),
        slot: planSlot(campaignIdOf(key)),
      };
      return settleUpdate(c, 'an undo', looking);
    }
  }
};

export const CAMPAIGN_VERBS = [
  ...(['batchgo', 'batchhold', 'batchon', 'batchend', 'batchsure', 'batchcancel', 'batchlook'] as const),
  ...(['batchretry', 'batchagain', 'batchlearn', 'batchteach'] as const),
  ...(['batchundo', 'batchmore', 'batchraise', 'batchpulls', 'batchgiveup'] as const),
  ...(['batchfirst', 'batchbegin', 'batchskip', 'batchsingly'] as const),
] as const;
type Batching = (typeof CAMPAIGN_VERBS)[number];
export const isCampaignVerb = (verb: string): verb is Batching => CAMPAIGN_VERBS.some((one) => one === verb);

const wrongForm = (c: CommandContext, problem: CommandProblem): Promise<void> =>
  refuseUpdate(
    c,
    'wrong form',
    plainReply(`${sayRecord(c.words.problems, problem)} ${c.words.replies.wrong(formOf('batch', c.words))}`),
  );

const readAll = async (c: CommandContext, text: string): Promise<{ value: NewCampaign } | WrongArgument> => {
  if (c.file === null) return readCampaignOrder(text);
  const { id, size } = c.file;
  // guard: L8-file-size
  if (size !== null && size > MAX_CAMPAIGN_FILE_BYTES)
    return wrongArgument({ kind: 'file_long', most: MAX_CAMPAIGN_FILE_BYTES });
  const bytes = await c.sentFile?.(id, MAX_CAMPAIGN_FILE_BYTES);
  if (!bytes) return wrongArgument({ kind: 'file_gone' });
  const content = decodeSentText(bytes);
  if (content === null) return wrongArgument({ kind: 'file_text' });
  const read = await c.readSentList(content, text);
  // Security: a script can reach what an agent cannot, so it may come only from the host.
  // guard: G5-script-at-host
  if (!isWrong(read) && read.value.script !== null) return wrongArgument({ kind: 'file_script' });
  return read;
};

export const planCampaign = async (c: CommandContext, text: string): Promise<void> => {
  const read = await readAll(c, text);
  if (isWrong(read)) return wrongForm(c, read.problem ?? { kind: 'no_list' });
  const { named, queries, order } = read.value;
  const asked = orderFrom(c, { ...order, host: null });
  if ('refused' in asked) return settleUpdate(c, 'refused', plainReply(asked.refused));
  const key = `batch:${c.row.key}`;
  const id = campaignIdOf(key);
  await c.receive([campaignPlanNote(key, { id, ...campaignFrom(read.value, asked.order) })]);
  const sought = queries.map(queryText).join(', ');
  const looking = { ...plainReply(c.words.campaign.looking(named.length, sought)), slot: planSlot(id) };
  await settleUpdate(c, 'a batch', looking, ...costWarnings(c, asked.order));
};

export const adoptPulls = async (c: CommandContext, { campaign: asked, pulls }: PullList): Promise<void> => {
  const all = await c.ledger.query.campaigns();
  const open = all.filter((one) => takesDecision(one, 'adopted'));
  const id = asked ?? (open.length === 1 ? open[0]?.id : undefined);
  const known = all.find((one) => one.id === id);
  if (id === undefined) return refuseUpdate(c, 'which campaign', plainReply(c.words.campaign.which));
  if (!known) return refuseUpdate(c, 'no such campaign', plainReply(c.words.campaign.unknown(id)));
  const slot = `adopt:${c.row.id}`;
  await c.receive([adoptNote(`adopt:${c.row.key}`, { id, pulls, by: personOf(c), chat: c.chat, slot })]);
  await settleUpdate(c, 'adopts', { ...plainReply(c.words.campaign.adopting(pulls.length)), slot });
};

export const showCampaigns = async (c: CommandContext, asked: string | null): Promise<void> => {
  const { query } = c.ledger;
  const all = await query.campaigns();
  const [only] = all.filter(({ state }) => state === 'running' || state === 'planned');
  const id = asked ?? (all.length === 1 ? only?.id : undefined);
  if (id === undefined) {
    const { html, buttons } = renderCampaigns(all, c.words);
    return settleUpdate(c, 'campaigns', htmlReply(html, buttons));
  }
  const known = all.find((one) => one.id === id.toLowerCase());
  if (!known) return refuseUpdate(c, 'no such campaign', plainReply(c.words.campaign.unknown(id)));
  return settleUpdate(
    c,
    'a campaign',
    viewReply({ view: 'campaign', campaign: known.id }, null, `${planSlot(known.id)}:${c.row.id}`),
  );
};

const DECIDES = {
  batchgo: 'started',
  batchundo: 'started',
  batchhold: 'paused',
  batchon: 'resumed',
  batchend: 'closed',
  batchsure: 'closed',
  batchcancel: 'closed',
} as const satisfies Partial<Record<Batching, CampaignDecision['kind']>>;

type CampaignView = Extract<MessageView, { view: 'campaign' }>;

export const onCampaign = async (
  c: CommandContext,
  verb: Batching,
  { slot }: EffectRow,
  { campaign: id, asks, classes = [], lessons = [], asked: first = [], runs = [] }: CampaignView,
  index: number | null,
): PendingTapAnswer => {
  const t = c.words.campaign;
  // Keep the list of open questions when the card is redrawn with another section.
  const kept = first.length > 0 ? { asked: first } : {};
  const drawn = (more: Partial<CampaignView> = {}): CommandReply =>
    viewReply({ view: 'campaign', campaign: id, ...kept, ...more }, null, slot);
  const now = c.clock.now();
  const at = await campaignNow(c.ledger.query, id, now);
  if (!at) return answerTap(c, t.unknown(id), true);
  const asked = { id, by: personOf(c), key: `chat:${c.row.key}` };
  switch (verb) {
    case 'batchlook':
      return answerTap(c, '', false, drawn());
    case 'batchretry':
      return answerTap(c, '', false, drawn({ asks: 'retry', classes: classesIn(at) }));
    case 'batchagain': {
      const only = index === null ? null : classes[index];
      if (only === undefined) return answerTap(c, c.words.tap.gone, true, drawn());
      return answerTap(c, t.tried(await retryFailed(c, { ...asked, only })), false, drawn());
    }
    case 'batchlearn':
      return answerTap(c, '', false, drawn({ asks: 'teach', lessons: newest(at) }));
    case 'batchteach': {
      const lesson = lessons[index ?? -1];
      if (!lesson) return answerTap(c, c.words.tap.gone, true, drawn());
      const told = await teachLesson(c, asked, lesson, t.wish(lesson));
      return answerTap(c, t.taught(told), false, drawn({ asks: 'teach', lessons: refreshed(lessons, at) }));
    }
    case 'batchfirst':
      return answerTap(c, '', false, drawn({ asks: 'first', asked: onOneCard(askedIn(at.standings)) }));
    case 'batchbegin':
    case 'batchskip': {
      const some = alikeIn(first)[index ?? -1] ?? [];
      const answered = verb === 'batchbegin' ? 'begin' : 'leave_out';
      const n = await answerFirst(c, asked, some, answered);
      const left = first.filter((one) => !some.includes(one));
      return answerTap(c, t.answered[answered](n), n === 0, drawn({ asks: 'first', asked: left }));
    }
    case 'batchsingly': {
      if (await isBusy(c, true)) return answerTap(c, c.words.tap.busy, true);
      const open = stillAsked(first, askedIn(at.standings));
      const cards = await Promise.all(open.map(({ run }) => c.ledger.query.run(run)));
      const own = cards.flatMap((run) => (run ? [viewReply(attentionOf(run), run.id)] : []));
      return answerTap(c, c.words.tap.shown, false, drawn({ asks: 'first', asked: first }), ...own);
    }
    case 'batchmore': {
      const to = openPullLimit(at.order, at.campaign) + ADDED_OPEN_PULLS;
      if (idleInAll(at.next.waits, at.standings, now).length === 0)
        return answerTap(c, c.words.tap.gone, true, drawn());
      const raised = { kind: 'raised', to } as const;
      await c.ledger.campaigns.decide(id, { decision: raised, by: personOf(c), at: now });
      c.onCampaign?.();
      return answerTap(c, t.goesOn(to), false, drawn());
    }
    case 'batchraise': {
      const budgets = shortInPreview(at);
      if (budgets.length === 0) return answerTap(c, c.words.tap.gone, true, drawn());
      await c.ledger.campaigns.decide(id, {
        decision: { kind: 'granted', budgets },
        by: personOf(c),
        at: now,
      });
      return answerTap(c, t.granted(budgetsText(budgets, c.words)), false, drawn());
    }
    case 'batchpulls': {
      const idle = asks === 'idle' ? idleInAll(at.next.waits, at.standings, now) : null;
      const some = (idle ?? withOpenPull(at.standings)).map(({ run }) => run);
      return answerTap(c, '', false, drawn({ asks: 'withdraw', runs: some }));
    }
    case 'batchgiveup': {
      // Maintainers read this text, so it is English in every chat language.
      const of = { runs, words: CAMPAIGN_CLOSING_NOTE, reason: t.gaveUp };
      return answerTap(c, t.withdrawn(await withdrawRuns(c, asked, of)), false, drawn());
    }
    case 'batchend':
      if (at.campaign.state !== 'planned') return answerTap(c, '', false, drawn({ asks: 'close' }));
      break;
    case 'batchundo':
    case 'batchgo':
      if ((at.campaign.undoes !== undefined) !== (verb === 'batchundo'))
        return answerTap(c, c.words.tap.gone, true, drawn());
      break;
    case 'batchhold':
    case 'batchon':
    case 'batchsure':
    case 'batchcancel':
      break;
  }
  const kind = DECIDES[verb];
  const outcome = await c.ledger.campaigns.decide(id, { decision: { kind }, by: personOf(c), at: now });
  if (outcome.kind === 'unknown') return answerTap(c, t.unknown(id), true);
  if (outcome.kind === 'refused') return answerTap(c, t.not(t.states[outcome.campaign.state]), true, drawn());
  if (verb === 'batchcancel') await cancelUnopened(c, asked, t.did.closed);
  c.onCampaign?.();
  const did = kind === 'started' && at.times ? t.did.scheduled : t.did[kind];
  return answerTap(c, did, false, drawn());
};

const newest = ({ lessons }: CampaignNow): OfferedLesson[] => lessons.slice(0, MAX_LESSONS);

/** Siblings that came to their cards meanwhile get a button of their own. */
const refreshed = (shown: readonly OfferedLesson[], { lessons }: CampaignNow): OfferedLesson[] =>
  shown.map((one) => ({ ...one, runs: lessons.find(({ text }) => text === one.text)?.runs ?? [] }));

const ADDED_OPEN_PULLS = 5;

const MOST_CLASSES = 6;
const classesIn = ({ standings }: CampaignNow): FailureClass[] =>
  [...new Set(retryableRuns(standings).flatMap((one) => one.class ?? []))].sort().slice(0, MOST_CLASSES);
