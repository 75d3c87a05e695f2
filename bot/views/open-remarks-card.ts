import type { MessageView } from '#effects';
import { hasOpenRemark, type OpenRemark } from '#model/review';
import { isTerminal } from '#model/run';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, escapeLine, fitLines, relativeTimeHtml, showCut } from '../text/telegram-html.ts';
import { runHeadline } from './run-lines.ts';
import type { RenderedMessage, ViewScene } from './scene.ts';

type OpenRemarksView = Extract<MessageView, { view: 'open_remarks' }>;

const MAX_LISTED_REMARKS = 5;

export const renderOpenRemarks = (
  view: OpenRemarksView,
  { run, now }: ViewScene,
  words: LanguageTexts,
): RenderedMessage => {
  const { openRemarks: t, buttons } = words;
  const named = new Set(view.remarks);
  const open = (run.review.remarks?.open ?? []).filter(({ id }) => named.has(id));
  const pull = run.upstream.pullRequest;
  if (view.settled || open.length === 0 || !pull || isTerminal(run.lifecycle.state))
    return { html: fitLines([runHeadline(t.title, run), t.over]), buttons: [] };
  const oldest = Math.min(...open.map(({ receivedAt: heardAt }) => heardAt));
  // Security: only URLs within the run's own pull request become links.
  const remarkPlace = ({ url }: OpenRemark): string =>
    url.startsWith(pull.url) ? escapeLine(url, 300) : codeLine(url, 300);
  const hidden = open.length - MAX_LISTED_REMARKS;
  return {
    html: fitLines([
      runHeadline(t.title, run),
      `${t.waits(open.length)} ${relativeTimeHtml(oldest, now, words.calendar)}`,
      ...open
        .slice(0, MAX_LISTED_REMARKS)
        .flatMap((remark) => [
          `${codeLine(remark.from, 40)} ${remarkPlace(remark)}`,
          `<blockquote><code>${showCut(remark.excerpt, 200).html}</code></blockquote>`,
        ]),
      ...(hidden > 0 ? [t.more(hidden)] : []),
      run.review.triage ? t.howOnCard : t.how,
      ...(view.closes ? [t.mayClose] : []),
    ]),
    buttons: [
      ...(open.some(({ id }) => hasOpenRemark(run, id))
        ? [[{ verb: 'comment.answer', text: words.comment.answer } as const]]
        : []),
      [{ verb: 'remarks.answered', text: t.answered, style: 'primary' }],
      ...(view.closes ? [[{ verb: 'pull.close', text: t.close, style: 'danger' } as const]] : []),
      [{ verb: 'detail', text: buttons.detail }],
    ],
  };
};
