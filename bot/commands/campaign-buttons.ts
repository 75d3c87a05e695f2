/** The buttons of a campaign's card (F5). */
import { roleNeededFor } from '#commands';
import {
  openPullLimit,
  listBlockingIdleRuns,
  openQuestionsIn,
  retryableRuns,
  runsWithOpenPull,
} from '#campaign-standing';
import { MAX_LESSONS, readCampaignStatus, suggestBudgetRaises, type CampaignStatus } from '#campaigns';
import { answerFirstQuestions, performCampaignAct, teachLesson, type CampaignAct } from '#campaigns/acts';
import type { FailureClass } from '#model/failure';
import { groupAlikeQuestions, selectForOneCard, selectStillAsked } from '#model/requirements';
import type { OfferedLesson } from '#model/feedback';
import { attentionView } from '#kernel';
import { CAMPAIGN_CLOSING_NOTE } from '../language/english-wording.ts';
import { describeCampaignOutcome } from '../views/campaign-outcome.ts';
import { budgetsText } from '../views/reason-messages.ts';
import { personOf, viewReply, type CommandReply } from './command-context.ts';
import { cardOn, cardWithCheck, defineButton, type Opened, type Tap, type ViewOf } from './define-button.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';

type CampaignTap = Tap<ViewOf<'campaign'>> & {
  at: CampaignStatus;
  act: { id: string; by: ReturnType<typeof personOf>; key: string };
  redraw: (more?: Partial<ViewOf<'campaign'>>) => CommandReply;
};

const CAMPAIGN_CARD = cardWithCheck(cardOn('campaign'), async (tap): Promise<Opened<CampaignTap>> => {
  const { c, row, show } = tap;
  const { campaign: id, asked = [] } = show;
  const at = await readCampaignStatus(c.ledger.query, id, c.clock.now());
  if (!at) return settleTap(c, c.words.campaign.unknown(id), true);
  // Keep the list of open questions when the card is redrawn with another section.
  const kept = asked.length > 0 ? { asked } : {};
  const redraw: CampaignTap['redraw'] = (more = {}) =>
    viewReply({ view: 'campaign', campaign: id, ...kept, ...more }, null, row.slot);
  return { tap: { ...tap, at, act: { id, by: personOf(c), key: `chat:${c.row.key}` }, redraw } };
});

const tellGone = ({ c, redraw }: CampaignTap): PendingTapAnswer =>
  settleTap(c, c.words.tap.gone, true, redraw());

type ActFields<Act = CampaignAct> = Act extends CampaignAct ? Omit<Act, 'id'> : never;
const performAct = async (tap: CampaignTap, fields: ActFields): PendingTapAnswer => {
  const { c, at, act, redraw } = tap;
  const t = c.words.campaign;
  const words = { closingNote: CAMPAIGN_CLOSING_NOTE, gaveUp: t.gaveUp, closed: t.did.closed };
  const parts = { ...c, words, moved: c.services.onCampaign };
  const { kind, said } = await performCampaignAct(parts, act, { ...fields, id: act.id });
  const isScheduled = said.kind === 'did' && said.decision === 'started' && at.times;
  const text = isScheduled ? t.did.scheduled : describeCampaignOutcome(c.words, said);
  return settleTap(c, text, kind === 'refused', ...(said.kind === 'unknown' ? [] : [redraw()]));
};

const answerQuestions = async (
  { c, show: { asked = [] }, index, act, redraw }: CampaignTap,
  answered: 'begin' | 'leave_out',
): PendingTapAnswer => {
  const some = groupAlikeQuestions(asked)[index ?? -1] ?? [];
  const n = await answerFirstQuestions(c, act, some, answered);
  const left = asked.filter((one) => !some.includes(one));
  return settleTap(
    c,
    c.words.campaign.answered[answered](n),
    n === 0,
    redraw({ asks: 'first', asked: left }),
  );
};

export const CAMPAIGN_BUTTONS = [
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.start',
    role: roleNeededFor('batch'),
    onTap: (tap): PendingTapAnswer =>
      tap.at.campaign.undoes === undefined ? performAct(tap, { do: 'start' }) : tellGone(tap),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.start_undo',
    role: roleNeededFor('approve'),
    onTap: (tap): PendingTapAnswer =>
      tap.at.campaign.undoes === undefined ? tellGone(tap) : performAct(tap, { do: 'start' }),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.pause',
    role: roleNeededFor('batch'),
    onTap: (tap): PendingTapAnswer => performAct(tap, { do: 'pause' }),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.resume',
    role: roleNeededFor('batch'),
    onTap: (tap): PendingTapAnswer => performAct(tap, { do: 'resume' }),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.close',
    role: roleNeededFor('batch'),
    onTap: (tap): PendingTapAnswer =>
      tap.at.campaign.state === 'planned'
        ? performAct(tap, { do: 'close', cancel: false })
        : settleTap(tap.c, '', false, tap.redraw({ asks: 'close' })),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.confirm_close',
    role: roleNeededFor('batch'),
    onTap: (tap): PendingTapAnswer => performAct(tap, { do: 'close', cancel: false }),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.close_and_cancel',
    role: roleNeededFor('batch'),
    onTap: (tap): PendingTapAnswer => performAct(tap, { do: 'close', cancel: true }),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.look',
    role: roleNeededFor('campaign'),
    onTap: ({ c, redraw }): PendingTapAnswer => settleTap(c, '', false, redraw()),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.retry',
    role: roleNeededFor('batch'),
    onTap: ({ c, at, redraw }): PendingTapAnswer =>
      settleTap(c, '', false, redraw({ asks: 'retry', classes: classesIn(at) })),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.retry_class',
    role: roleNeededFor('batch'),
    picks: true,
    async onTap(tap): PendingTapAnswer {
      const { show, index } = tap;
      const only = index === null ? null : (show.classes ?? [])[index];
      return only === undefined ? tellGone(tap) : performAct(tap, { do: 'retry', class: only });
    },
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.lessons',
    role: roleNeededFor('campaign'),
    onTap: ({ c, at, redraw }): PendingTapAnswer =>
      settleTap(c, '', false, redraw({ asks: 'teach', lessons: newestLessons(at) })),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.teach',
    role: roleNeededFor('changes'),
    picks: true,
    async onTap(tap): PendingTapAnswer {
      const { c, show, index, at, act, redraw } = tap;
      const t = c.words.campaign;
      const lessons = show.lessons ?? [];
      const lesson = lessons[index ?? -1];
      if (!lesson) return tellGone(tap);
      const told = await teachLesson(c, act, lesson, t.wish(lesson));
      return settleTap(
        c,
        t.taught(told),
        false,
        redraw({ asks: 'teach', lessons: withRunsNow(lessons, at) }),
      );
    },
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.questions',
    role: roleNeededFor('campaign'),
    onTap: ({ c, at, redraw }): PendingTapAnswer =>
      settleTap(
        c,
        '',
        false,
        redraw({ asks: 'first', asked: selectForOneCard(openQuestionsIn(at.standings)) }),
      ),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.begin',
    role: roleNeededFor('start'),
    picks: true,
    onTap: (tap): PendingTapAnswer => answerQuestions(tap, 'begin'),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.leave_out',
    role: roleNeededFor('skip'),
    picks: true,
    onTap: (tap): PendingTapAnswer => answerQuestions(tap, 'leave_out'),
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.ask_singly',
    role: roleNeededFor('campaign'),
    whileBusy: 'refuse_again',
    async onTap({ c, at, show: { asked = [] }, redraw }): PendingTapAnswer {
      const open = selectStillAsked(asked, openQuestionsIn(at.standings));
      const cards = await Promise.all(open.map(({ run }) => c.ledger.query.run(run)));
      const own = cards.flatMap((run) => (run ? [viewReply(attentionView(run), run.id)] : []));
      return settleTap(c, c.words.tap.shown, false, redraw({ asks: 'first', asked }), ...own);
    },
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.open_more',
    role: roleNeededFor('batch'),
    async onTap(tap): PendingTapAnswer {
      const { c, at, act, show, redraw } = tap;
      const now = c.clock.now();
      const limit = openPullLimit(at.order, at.campaign);
      // The limit is compared with the message's, so that a second tap raises nothing.
      if (limit !== show.limit) return settleTap(c, c.words.tap.duplicate, true, redraw());
      const to = limit + ADDED_OPEN_PULLS;
      if (listBlockingIdleRuns(at.next.waits, at.standings, now).length === 0) return tellGone(tap);
      const raised = { kind: 'raised', to } as const;
      await c.ledger.campaigns.decide(act.id, { decision: raised, by: act.by, at: now });
      c.services.onCampaign?.();
      return settleTap(c, c.words.campaign.goesOn(to), false, redraw());
    },
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.raise_budget',
    role: roleNeededFor('approve'),
    async onTap(tap): PendingTapAnswer {
      const { c, at, act, redraw } = tap;
      const budgets = suggestBudgetRaises(at);
      if (budgets.length === 0) return tellGone(tap);
      const decision = { kind: 'granted', budgets } as const;
      await c.ledger.campaigns.decide(act.id, { decision, by: act.by, at: c.clock.now() });
      return settleTap(c, c.words.campaign.granted(budgetsText(budgets, c.words)), false, redraw());
    },
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.withdraw',
    role: roleNeededFor('campaign'),
    async onTap({ c, at, show: { asks }, redraw }): PendingTapAnswer {
      const idle = asks === 'idle' ? listBlockingIdleRuns(at.next.waits, at.standings, c.clock.now()) : null;
      const some = (idle ?? runsWithOpenPull(at.standings)).map(({ run }) => run);
      return settleTap(c, '', false, redraw({ asks: 'withdraw', runs: some }));
    },
  }),
  defineButton(CAMPAIGN_CARD, {
    verb: 'campaign.give_up',
    role: roleNeededFor('approve'),
    onTap: (tap): PendingTapAnswer => performAct(tap, { do: 'withdraw', runs: tap.show.runs ?? [] }),
  }),
];

const newestLessons = ({ lessons }: CampaignStatus): OfferedLesson[] => lessons.slice(0, MAX_LESSONS);

/** Siblings that came to their cards meanwhile get a button of their own. */
const withRunsNow = (shown: readonly OfferedLesson[], { lessons }: CampaignStatus): OfferedLesson[] =>
  shown.map((one) => ({ ...one, runs: lessons.find(({ text }) => text === one.text)?.runs ?? [] }));

const ADDED_OPEN_PULLS = 5;

const MOST_CLASSES = 6;
const classesIn = ({ standings }: CampaignStatus): FailureClass[] =>
  [...new Set(retryableRuns(standings).flatMap((one) => one.class ?? []))].sort().slice(0, MOST_CLASSES);
