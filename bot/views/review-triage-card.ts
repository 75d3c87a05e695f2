/** Renders one card for reviewers' line comments, each with a proposed action (F7). */
import type { MessageView } from '#effects';
import type { Run } from '#run';
import { REMARKS_PER_PAGE } from '#kernel';
import { isTerminal } from '#model/run';
import type { TriageItem } from '#model/review';
import type { LanguageTexts } from '../language/languages.ts';
import { fitLines, codeLine, escapeLine, showCut, showPath } from '../text/telegram-html.ts';
import { runHeadline } from './run-lines.ts';
import type { RenderedMessage, ViewButton } from './scene.ts';

type TriageView = Extract<MessageView, { view: 'triage' }>;

const MAX_QUOTED_REMARK_LENGTH = 220;

/** Returns true when the card shows less than the agent would get. */
export const isRemarkCut = ({ body }: Pick<TriageItem, 'body'>): boolean =>
  showCut(body, MAX_QUOTED_REMARK_LENGTH).omitted > 0;

export const remarkLocation = (
  { path, line }: Pick<TriageItem, 'path' | 'line'>,
  words: LanguageTexts,
): string => (path === null ? words.triage.whole : line === null ? path : `${path}:${line}`);

const ICONS = { apply: '✅', fix: '🔧', reply: '💬', ignore: '➖' } as const;

export const renderTriage = (view: TriageView, run: Run, words: LanguageTexts): RenderedMessage => {
  const { triage: t } = words;
  const { begun, card } = view;
  const detail: ViewButton = { verb: 'detail', text: words.buttons.detail };
  if (begun)
    return {
      html: fitLines([
        runHeadline(t.begun, run),
        t.did(escapeLine(begun.by, 60), begun.fix, begun.reply, begun.ignore),
      ]),
      buttons: [[detail]],
    };
  if (run.review.triage?.card !== card || isTerminal(run.lifecycle.state))
    return { html: fitLines([runHeadline(t.title, run), t.over]), buttons: [[detail]] };
  const { items } = run.review.triage;
  const pages = Math.max(1, Math.ceil(items.length / REMARKS_PER_PAGE));
  const page = Math.min(view.page, pages - 1);
  const shown = items.slice(page * REMARKS_PER_PAGE, (page + 1) * REMARKS_PER_PAGE);
  const names = [...new Set(items.map(({ reviewer }) => reviewer))];
  const countChoice = (choice: TriageItem['choice']): number =>
    items.filter((item) => item.choice === choice).length;
  return {
    html: fitLines([
      runHeadline(t.title, run),
      t.from(names.map((name) => codeLine(name, 40)).join(', '), items.length),
      ...shown.flatMap((item, i) => remarkLines(item, page * REMARKS_PER_PAGE + i + 1, words)),
      ...(pages > 1 ? [t.page(page + 1, pages)] : []),
      t.how,
    ]),
    buttons: [
      ...inRows(
        shown.map((item, i) => ({
          verb: 'review.choose',
          text: `${page * REMARKS_PER_PAGE + i + 1} ${ICONS[item.choice]} ${t.choices[item.choice]}`,
        })),
        2,
      ),
      ...(pages > 1
        ? [[{ verb: 'review.page', text: `▸ ${t.page(((page + 1) % pages) + 1, pages)}` } as const]]
        : []),
      [
        {
          verb: 'review.begin',
          text: words.buttons.begin(countChoice('apply') + countChoice('fix'), countChoice('reply')),
          style: 'primary',
        },
        { verb: 'review.whole', text: words.buttons.remarks },
      ],
    ],
  };
};

const inRows = (all: readonly ViewButton[], wide: number): ViewButton[][] =>
  Array.from({ length: Math.ceil(all.length / wide) }, (_, i) => all.slice(i * wide, (i + 1) * wide));

const remarkLines = (item: TriageItem, no: number, words: LanguageTexts): string[] => {
  const { triage: t } = words;
  const since = item.changedSince === null ? '' : ` · ${t.since[item.changedSince]}`;
  return [
    `${no} <code>${showPath(remarkLocation(item, words), 48)}</code> ${ICONS[item.choice]} <b>${t.choices[item.choice]}</b>${since}`,
    `<blockquote><code>${showCut(item.body, MAX_QUOTED_REMARK_LENGTH).html}</code></blockquote>`,
    ...(item.choice !== 'reply'
      ? []
      : item.answer === null
        ? [t.noAnswer(no)]
        : [`${t.answer} ${codeLine(item.answer, 200)}`]),
  ];
};
