/**
 * F5: what a campaign asks for a tap: what its repositories ask before work begins, to say to others
 * what one repository taught, to close what is open, to go on although idle pull requests take all
 * places.
 */
import { placesOf } from '../../orchestrator/core/campaign/advance.ts';
import { idleInAll, stuckIn } from '../../orchestrator/core/campaign/progress.ts';
import { askedIn, withOpenPull } from '../../orchestrator/core/campaign/standing.ts';
import {
  alikeIn,
  LONGEST_FILE,
  LONGEST_QUOTE,
  mayBan,
  stillAsked,
  type AskedFirst,
} from '../../orchestrator/core/machine/asked-first.ts';
import type { Lesson } from '../../orchestrator/core/lesson.ts';
import { cut } from '../../orchestrator/core/text.ts';
import { GOODBYE } from '../language/en/campaign.ts';
import type { Texts } from '../language/language.ts';
import { duration, fit, MESSAGE_LIMIT, show, showBlock, showPath } from '../text/text.ts';
import { line, namesOf, type CampaignScene } from './campaign-lines.ts';
import type { Rendered, Shown } from './scene.ts';

/** All of a wish is shown: what a tap says is what was read. */
const LONGEST_WISH = 1_100;
/** Names of repositories whose pull requests one tap closes. */
const MOST_CLOSED = 40;
/** Idle pull requests that a card names. */
const MOST_IDLE = 10;

/** What repositories taught, whole, and a button for each to say it to the others. */
export const teaching = (
  { lessons: now }: CampaignScene,
  head: string,
  lessons: readonly Lesson[],
  { campaign: t, buttons }: Texts,
): Rendered => {
  const openFor = ({ text }: Lesson): number => now.find(({ lesson }) => lesson.text === text)?.siblings ?? 0;
  return {
    html: fit([
      head,
      ...lessons.flatMap((one, i) => [
        '',
        `${lessons.length > 1 ? `${i + 1}. ` : ''}${line(t.learned[one.from])} · ${showPath(one.repo, 60)}`,
        showBlock(t.wish(one), LONGEST_WISH),
        ...(openFor(one) === 0 ? [line(t.nobodyLeft)] : []),
      ]),
    ]),
    buttons: [
      ...lessons.flatMap((one, index): Shown[][] => {
        const n = openFor(one);
        const no = lessons.length > 1 ? `${index + 1}. ` : '';
        return n === 0 ? [] : [[{ verb: 'batchteach', text: `${no}${t.buttons.teach(n)}`, index }]];
      }),
      [{ verb: 'batchlook', text: buttons.back }],
    ],
  };
};

/**
 * What repositories ask before work begins: those that ask alike together, each with its own words,
 * and an answer to each kind.
 */
export const askingFirst = (
  { campaign, order, standings }: CampaignScene,
  asked: readonly AskedFirst[],
  { campaign: t, buttons }: Texts,
): Rendered => {
  const open = stillAsked(asked, askedIn(standings));
  // A button keeps its place while others are answered.
  const groups = alikeIn(asked).map((all) => open.filter((one) => all.some(({ run }) => run === one.run)));
  const no = (index: number): string => (groups.length > 1 ? `${index + 1}. ` : '');
  const head = [
    `<b>${t.asksFirst}</b> · ${show(order.name, 60)} · ${show(campaign.id, 12)}`,
    line(open.length === 0 ? t.nothingAsked : t.askFirst(open.length)),
  ];
  const tail = open.length === 0 ? [] : ['', line(t.allTheSame)];
  const blocks = groups.map((some, i) => {
    const [one] = some;
    if (!one) return [];
    const what = one.wishes.map(({ rule }) => t.firsts[rule] ?? rule);
    const words = one.wishes.filter(mayBan).map(({ quote }) => line(`“${quote}”`));
    return ['', `<b>${no(i)}${line(t.allAsk(what, some.length))}</b>`, ...words, ...some.map(askedBy)];
  });
  // A tap says what was read: what has no room has no button, until others are answered.
  const isRead = thatFit(blocks, MESSAGE_LIMIT - sizeOf([...head, ...tail]) - ROOM_FOR_MORE);
  const more = groups.reduce((n, some, i) => n + (isRead[i] ? 0 : some.length), 0);
  return {
    html: fit([
      ...head,
      ...blocks.flatMap((block, i) => (isRead[i] ? block : [])),
      ...(more === 0 ? [] : ['', line(t.more(more))]),
      ...tail,
    ]),
    buttons: [
      ...groups.flatMap((some, index): Shown[][] =>
        // guard: F5-answers-what-is-read
        some.length === 0 || !isRead[index]
          ? []
          : [
              [
                { verb: 'batchbegin', text: `${no(index)}${t.buttons.begin(some.length)}`, index },
                { verb: 'batchskip', text: `${no(index)}${t.buttons.leaveOut(some.length)}`, index },
              ],
            ],
      ),
      ...(open.length > 0 ? [[{ verb: 'batchsingly', text: t.buttons.singly } as const]] : []),
      [{ verb: 'batchlook', text: buttons.back }],
    ],
  };
};

const ROOM_FOR_MORE = 60;
const sizeOf = (lines: readonly string[]): number => lines.reduce((n, { length }) => n + length + 1, 0);
/** Which of them are whole on a message with so much room (characters), in their order. */
const thatFit = (blocks: readonly (readonly string[])[], most: number): boolean[] => {
  let room = most;
  return blocks.map((block) => {
    const size = sizeOf(block);
    const fits = size <= room;
    if (fits) room -= size;
    return fits;
  });
};

const askedBy = ({ repo, run, wishes }: AskedFirst): string => {
  const said = wishes.map((wish) => {
    const { rule, value, quote, line: at } = wish;
    const file = cut(wish.file, LONGEST_FILE);
    if (mayBan(wish)) return `${file}:${at}`;
    const branch = rule === 'base_branch' && value !== null ? `${value}: ` : '';
    return `${branch}“${cut(quote, LONGEST_QUOTE)}” (${file}:${at})`;
  });
  return `${showPath(repo, 60)} · ${show(run, 12)} · ${line(said.join(' · '))}`;
};

/** Which pull requests are closed, and all that their maintainers will read. */
export const withdrawing = (
  { standings }: CampaignScene,
  head: string,
  runs: readonly string[],
  words: Texts,
): Rendered => {
  const { campaign: t, buttons } = words;
  const still = withOpenPull(standings).filter(({ run }) => runs.includes(run));
  return {
    html: fit([
      head,
      line(t.withdraws(still.length)),
      showBlock(GOODBYE, LONGEST_WISH),
      namesOf(still.map(({ repo }) => repo).sort(), words, MOST_CLOSED),
    ]),
    buttons: [
      ...(still.length > 0
        ? [[{ verb: 'batchgiveup', text: t.buttons.withdraw(still.length), style: 'danger' } as const]]
        : []),
      [{ verb: 'batchlook', text: buttons.back }],
    ],
  };
};

/** Nothing more begins because pull requests on which nothing moves take all places. */
export const idling = (
  { campaign, order, standings, next, now }: CampaignScene,
  head: string,
  { campaign: t, buttons, calendar }: Texts,
): Rendered => {
  const idle = new Set(idleInAll(next.waits, standings, now).map(({ run }) => run));
  const rows = stuckIn(standings).filter(({ run }) => idle.has(run));
  const few = rows.slice(0, MOST_IDLE);
  return {
    html: fit([
      head,
      line(idle.size === 0 ? t.noIdle : t.idle(idle.size, placesOf(order, campaign))),
      ...few.map(
        ({ repo, run, on, since }) =>
          `${showPath(repo, 60)} · ${show(run, 12)} · ${line(t.keeps(t.keepers[on], duration(now - since, calendar)))}`,
      ),
      ...(rows.length > few.length ? [show(t.more(rows.length - few.length))] : []),
    ]),
    buttons: [
      ...(idle.size === 0
        ? []
        : ([
            [{ verb: 'batchmore', text: t.buttons.goOn, style: 'primary' }],
            [{ verb: 'batchpulls', text: t.buttons.closeIdle(idle.size) }],
          ] as Shown[][])),
      [{ verb: 'batchlook', text: idle.size === 0 ? buttons.back : t.buttons.wait }],
    ],
  };
};
