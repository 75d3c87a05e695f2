/** Renders a campaign's questions: requirements, lessons, closing, more slots (F5). */
import { MAX_LESSONS, selectLessonTargets } from '#campaigns';
import {
  openPullLimit,
  listBlockingIdleRuns,
  listStuckRuns,
  openQuestionsIn,
  runsWithOpenPull,
} from '#campaign-standing';
import {
  groupAlikeQuestions,
  MAX_SHOWN_FILE_NAME_LENGTH,
  MAX_QUOTE_LENGTH,
  mayBan,
  selectStillAsked,
  type AskedFirst,
} from '#model/requirements';
import type { OfferedLesson } from '#model/feedback';
import { cutText } from '#model/values';
import { CAMPAIGN_CLOSING_NOTE } from '../language/english-wording.ts';
import type { LanguageTexts } from '../language/languages.ts';
import {
  durationText,
  fitLines,
  MESSAGE_LIMIT,
  escapeLine,
  escapeBlock,
  showPath,
} from '../text/telegram-html.ts';
import { campaignLine, repositoryNames, type CampaignScene } from './campaign-lines.ts';
import type { RenderedMessage, ViewButton } from './scene.ts';

/** A wish must be shown completely, because the tap sends it (characters of markup). */
const LONGEST_WISH = 1_100;
const MOST_CLOSED = 40;
const MOST_IDLE = 10;

export const renderLessons = (
  { lessons: now }: CampaignScene,
  head: string,
  lessons: readonly OfferedLesson[],
  { campaign: t, buttons }: LanguageTexts,
): RenderedMessage => {
  const openFor = (shown: OfferedLesson): number => selectLessonTargets(now, shown).length;
  const more = lessons.length < MAX_LESSONS ? 0 : now.length - lessons.length;
  return {
    html: fitLines([
      head,
      ...lessons.flatMap((one, i) => [
        '',
        `${lessons.length > 1 ? `${i + 1}. ` : ''}${campaignLine(t.learned[one.from])} · ${showPath(one.repo, 60)}`,
        escapeBlock(t.wish(one), LONGEST_WISH),
        ...(openFor(one) === 0 ? [campaignLine(t.nobodyLeft)] : []),
      ]),
      ...(lessons.length === 0 ? ['', campaignLine(t.nobodyLeft)] : []),
      ...(more > 0 ? ['', campaignLine(t.more(more))] : []),
    ]),
    buttons: [
      ...lessons.flatMap((one, index): ViewButton[][] => {
        const n = openFor(one);
        const no = lessons.length > 1 ? `${index + 1}. ` : '';
        return n === 0 ? [] : [[{ verb: 'campaign.teach', text: `${no}${t.buttons.teach(n)}`, index }]];
      }),
      [{ verb: 'campaign.look', text: buttons.back }],
    ],
  };
};

/** Groups runs with the same question; one answer applies to the group. */
export const renderRequirementQuestions = (
  { campaign, order, standings }: CampaignScene,
  asked: readonly AskedFirst[],
  { campaign: t, buttons }: LanguageTexts,
): RenderedMessage => {
  const open = selectStillAsked(asked, openQuestionsIn(standings));
  // Indexes stay stable while other groups are answered.
  const groups = groupAlikeQuestions(asked).map((all) =>
    open.filter((one) => all.some(({ run }) => run === one.run)),
  );
  const numberOf = (index: number): string => (groups.length > 1 ? `${index + 1}. ` : '');
  const head = [
    `<b>${t.asksFirst}</b> · ${escapeLine(order.name, 60)} · ${escapeLine(campaign.id, 12)}`,
    campaignLine(open.length === 0 ? t.nothingAsked : t.askFirst(open.length)),
  ];
  const tail = open.length === 0 ? [] : ['', campaignLine(t.allTheSame)];
  const blocks = groups.map((some, i) => {
    const [one] = some;
    if (!one) return [];
    const what = one.wishes.map(({ rule }) => t.firsts[rule] ?? rule);
    const words = one.wishes.filter(mayBan).map(({ quote }) => campaignLine(`“${quote}”`));
    return [
      '',
      `<b>${numberOf(i)}${campaignLine(t.allAsk(what, some.length))}</b>`,
      ...words,
      ...some.map(requesterLine),
    ];
  });
  // A group that does not fit gets no buttons, because a tap must confirm what was read.
  const isRead = thatFit(blocks, MESSAGE_LIMIT - sizeOf([...head, ...tail]) - ROOM_FOR_MORE);
  const more = groups.reduce((n, some, i) => n + (isRead[i] ? 0 : some.length), 0);
  return {
    html: fitLines([
      ...head,
      ...blocks.flatMap((block, i) => (isRead[i] ? block : [])),
      ...(more === 0 ? [] : ['', campaignLine(t.more(more))]),
      ...tail,
    ]),
    buttons: [
      ...groups.flatMap((some, index): ViewButton[][] =>
        // guard: F5-answers-what-is-read
        some.length === 0 || !isRead[index]
          ? []
          : [
              [
                { verb: 'campaign.begin', text: `${numberOf(index)}${t.buttons.begin(some.length)}`, index },
                {
                  verb: 'campaign.leave_out',
                  text: `${numberOf(index)}${t.buttons.leaveOut(some.length)}`,
                  index,
                },
              ],
            ],
      ),
      ...(open.length > 0 ? [[{ verb: 'campaign.ask_singly', text: t.buttons.singly } as const]] : []),
      [{ verb: 'campaign.look', text: buttons.back }],
    ],
  };
};

const ROOM_FOR_MORE = 60;
const sizeOf = (lines: readonly string[]): number => lines.reduce((n, { length }) => n + length + 1, 0);
const thatFit = (blocks: readonly (readonly string[])[], most: number): boolean[] => {
  let room = most;
  return blocks.map((block) => {
    const size = sizeOf(block);
    const fits = size <= room;
    if (fits) room -= size;
    return fits;
  });
};

const requesterLine = ({ repo, run, wishes }: AskedFirst): string => {
  const said = wishes.map((wish) => {
    const { rule, value, quote, line: at } = wish;
    const file = cutText(wish.file, MAX_SHOWN_FILE_NAME_LENGTH);
    if (mayBan(wish)) return `${file}:${at}`;
    const branch = rule === 'base_branch' && value !== null ? `${value}: ` : '';
    return `${branch}“${cutText(quote, MAX_QUOTE_LENGTH)}” (${file}:${at})`;
  });
  return `${showPath(repo, 60)} · ${escapeLine(run, 12)} · ${campaignLine(said.join(' · '))}`;
};

export const renderWithdrawal = (
  { standings }: CampaignScene,
  head: string,
  runs: readonly string[],
  words: LanguageTexts,
): RenderedMessage => {
  const { campaign: t, buttons } = words;
  const still = runsWithOpenPull(standings).filter(({ run }) => runs.includes(run));
  return {
    html: fitLines([
      head,
      campaignLine(t.withdraws(still.length)),
      escapeBlock(CAMPAIGN_CLOSING_NOTE, LONGEST_WISH),
      repositoryNames(still.map(({ repo }) => repo).sort(), words, MOST_CLOSED),
    ]),
    buttons: [
      ...(still.length > 0
        ? [[{ verb: 'campaign.give_up', text: t.buttons.withdraw(still.length), style: 'danger' } as const]]
        : []),
      [{ verb: 'campaign.look', text: buttons.back }],
    ],
  };
};

export const renderIdlePulls = (
  { campaign, order, standings, next, now }: CampaignScene,
  head: string,
  { campaign: t, buttons, calendar }: LanguageTexts,
): RenderedMessage => {
  const idle = new Set(listBlockingIdleRuns(next.waits, standings, now).map(({ run }) => run));
  const rows = listStuckRuns(standings).filter(({ run }) => idle.has(run));
  const few = rows.slice(0, MOST_IDLE);
  return {
    html: fitLines([
      head,
      campaignLine(idle.size === 0 ? t.noIdle : t.idle(idle.size, openPullLimit(order, campaign))),
      ...few.map(
        ({ repo, run, on, since }) =>
          `${showPath(repo, 60)} · ${escapeLine(run, 12)} · ${campaignLine(t.keeps(t.keepers[on], durationText(now - since, calendar)))}`,
      ),
      ...(rows.length > few.length ? [escapeLine(t.more(rows.length - few.length))] : []),
    ]),
    buttons: [
      ...(idle.size === 0
        ? []
        : ([
            [{ verb: 'campaign.open_more', text: t.buttons.goOn, style: 'primary' }],
            [{ verb: 'campaign.withdraw', text: t.buttons.closeIdle(idle.size) }],
          ] as ViewButton[][])),
      [{ verb: 'campaign.look', text: idle.size === 0 ? buttons.back : t.buttons.wait }],
    ],
  };
};
