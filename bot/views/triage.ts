/** F7: one card for what reviewers say of lines: each remark, and what is proposed about it. */
import type { View } from '../../orchestrator/core/machine/effects.ts';
import { PAGE } from '../../orchestrator/core/machine/on-talk.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { isTerminal } from '../../orchestrator/core/states.ts';
import type { Item } from '../../orchestrator/core/talk.ts';
import type { Texts } from '../language/language.ts';
import { fit, said, show, showCut, showPath } from '../text/text.ts';
import { headline, type Rendered, type Shown } from './scene.ts';

export type TriageView = Extract<View, { view: 'triage' }>;

/** What the card shows of one remark, in characters of its markup. */
const QUOTED = 220;

/** Whether the card shows less of a remark than the agent would get. */
export const isCutShort = ({ body }: Pick<Item, 'body'>): boolean => showCut(body, QUOTED).omitted > 0;

export const placeOf = ({ path, line }: Pick<Item, 'path' | 'line'>, words: Texts): string =>
  path === null ? words.triage.whole : line === null ? path : `${path}:${line}`;

const ICONS = { apply: '✅', fix: '🔧', reply: '💬', ignore: '➖' } as const;

export const renderTriage = (view: TriageView, run: Run, words: Texts): Rendered => {
  const { triage: t } = words;
  const { begun, card } = view;
  const detail: Shown = { verb: 'detail', text: words.buttons.detail };
  if (begun)
    return {
      html: fit([headline(t.begun, run), t.did(show(begun.by, 60), begun.fix, begun.reply, begun.ignore)]),
      buttons: [[detail]],
    };
  if (run.review.triage?.card !== card || isTerminal(run.lifecycle.state))
    return { html: fit([headline(t.title, run), t.over]), buttons: [[detail]] };
  const { items } = run.review.triage;
  const pages = Math.max(1, Math.ceil(items.length / PAGE));
  const page = Math.min(view.page, pages - 1);
  const shown = items.slice(page * PAGE, (page + 1) * PAGE);
  const names = [...new Set(items.map(({ reviewer }) => reviewer))];
  const of = (choice: Item['choice']): number => items.filter((item) => item.choice === choice).length;
  return {
    html: fit([
      headline(t.title, run),
      t.from(names.map((name) => said(name, 40)).join(', '), items.length),
      ...shown.flatMap((item, i) => lines(item, page * PAGE + i + 1, words)),
      ...(pages > 1 ? [t.page(page + 1, pages)] : []),
      t.how,
    ]),
    buttons: [
      ...inRows(
        shown.map((item, i) => ({
          verb: 'choose',
          text: `${page * PAGE + i + 1} ${ICONS[item.choice]} ${t.choices[item.choice]}`,
        })),
        2,
      ),
      ...(pages > 1
        ? [[{ verb: 'page', text: `▸ ${t.page(((page + 1) % pages) + 1, pages)}` } as const]]
        : []),
      [
        { verb: 'begin', text: words.buttons.begin(of('apply') + of('fix'), of('reply')), style: 'primary' },
        { verb: 'remarks', text: words.buttons.remarks },
      ],
    ],
  };
};

const inRows = (all: readonly Shown[], wide: number): Shown[][] =>
  Array.from({ length: Math.ceil(all.length / wide) }, (_, i) => all.slice(i * wide, (i + 1) * wide));

const lines = (item: Item, no: number, words: Texts): string[] => {
  const { triage: t } = words;
  const since = item.changedSince === null ? '' : ` · ${t.since[item.changedSince]}`;
  return [
    `${no} <code>${showPath(placeOf(item, words), 48)}</code> ${ICONS[item.choice]} <b>${t.choices[item.choice]}</b>${since}`,
    `<blockquote><code>${showCut(item.body, QUOTED).html}</code></blockquote>`,
    ...(item.choice !== 'reply'
      ? []
      : item.answer === null
        ? [t.noAnswer(no)]
        : [`${t.answer} ${said(item.answer, 200)}`]),
  ];
};
