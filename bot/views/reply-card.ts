/** Renders the card with the answers to reviewers, each complete and in its thread (G6, G8). */
import { objectionsOf } from '#model/assessment';
import { isConversation, type ReplyFields, type ThreadAnswer } from '#model/review';
import { repositoryOf, type Run } from '#run';
import type { ApprovalRow } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import { toReadableText } from '../text/visible-patch.ts';
import {
  escapeHtml,
  fitLines,
  relativeTimeHtml,
  codeLine,
  escapeLine,
  showCut,
  showPath,
} from '../text/telegram-html.ts';
import { renderClosed } from './closed-card.ts';
import { isCardArmed, isCardLive, type GateView } from './live-card.ts';
import type { RenderedMessage, ViewScene, ViewButton } from './scene.ts';

const MAX_SHOWN_REPLIES_LENGTH = 2_600;

const placeOf = (answer: ThreadAnswer, { conversation }: LanguageTexts['replying']): string =>
  isConversation(answer)
    ? conversation
    : `<code>${showPath(answer.line === null ? answer.path : `${answer.path}:${answer.line}`, 60)}</code>`;

/** Returns true when the card shows less than would be posted. */
export const areAnswersCut = ({ answers }: ReplyFields): boolean =>
  cutAnswers(answers).some(({ omitted }) => omitted > 0);

/** The card says that it is there; *All of it* shows it. Nobody can hide words in so few signs. */
const HIDDEN_MARK = /\n\n<!-- agentpr:[\w-]{1,40}\/[\w-]{1,40} -->$/;

const cutAnswers = (answers: readonly ThreadAnswer[]): { html: string; omitted: number }[] => {
  const room = Math.floor(MAX_SHOWN_REPLIES_LENGTH / Math.max(1, answers.length)) - 120;
  return answers.map(({ body }) =>
    room > 0 ? showCut(body.replace(HIDDEN_MARK, ''), room) : { html: '', omitted: body.length },
  );
};

export const wholeAnswers = ({ answers, again }: ReplyFields, words: LanguageTexts): string =>
  [
    ...answers.map(
      ({ path, line, to, body }) =>
        `=== ${path === '' ? words.replying.conversation : path}${line === null ? '' : `:${line}`} · ${words.replying.to(to)} ===\n${toReadableText(body)}\n`,
    ),
    ...(again.length > 0 ? [words.replying.again(again.join(', '))] : []),
  ].join('\n');

export const renderReplies = (
  view: GateView,
  scene: ViewScene,
  approval: ApprovalRow,
  words: LanguageTexts,
): RenderedMessage => {
  const { run, now } = scene;
  const fields = run.review.pendingReplies?.proposal.fields;
  if (!fields || !isCardLive(run, approval, now)) return renderClosedReplies(scene, approval, words);
  const { replying: t, card } = words;
  const shown = cutAnswers(fields.answers);
  const risk = card.risk(fields.assessment.risk);
  const [against] = objectionsOf(fields.assessment);
  const armed = isCardArmed(view, now);
  const decide = armed
    ? `${card.armed(t.postThem)} ${relativeTimeHtml(view.armedUntil ?? now, now, words.calendar)}`
    : `${card.decide} ${relativeTimeHtml(approval.expiresAt, now, words.calendar)}`;
  return {
    html: fitLines(
      [
        `<b>${t.title}</b> · ${showPath(repositoryOf(run), 36)} ${escapeLine(fields.pull, 20)} · ${card.run(escapeLine(run.id, 12))}`,
        ...fields.answers.flatMap((answer, i) => [
          `${i + 1} ${placeOf(answer, t)} ${t.to(codeLine(answer.to, 40))}${answer.wordsOf ? ` · ${t.wordsOf[answer.wordsOf]}` : ''}`,
          `<blockquote><code>${shown[i]?.html ?? ''}</code></blockquote>`,
        ]),
        t.mark,
        ...(fields.again.length > 0 ? [t.again(codeLine(fields.again.join(', '), 120))] : []),
        against ? `${risk}: ${codeLine(words.judgement(against.reason), 160)}` : risk,
        decide,
        approval.needed > 1
          ? card.signed(
              run.gate.approval?.signatures.length ?? 0,
              approval.needed,
              escapeLine(signerNames(run), 80),
            )
          : '',
        view.escalated ? card.next : '',
      ].filter((line) => line !== ''),
    ),
    buttons: replyButtons(armed, words),
  };
};

const signerNames = (run: Run): string => (run.gate.approval?.signatures ?? []).map((s) => s.name).join(', ');

const replyButtons = (armed: boolean, words: LanguageTexts): ViewButton[][] => {
  const b = words.buttons;
  if (armed)
    return [
      [
        { verb: 'confirm', text: b.ok, style: 'success' },
        { verb: 'back', text: b.back },
      ],
    ];
  return [
    [
      { verb: 'arm', text: words.replying.post, style: 'success' },
      { verb: 'deny', text: b.deny },
    ],
    [
      { verb: 'text', text: b.whole },
      { verb: 'detail', text: b.more },
    ],
  ];
};

const renderClosedReplies = (
  scene: ViewScene,
  approval: ApprovalRow,
  words: LanguageTexts,
): RenderedMessage => {
  const { run } = scene;
  const { replying: t, card } = words;
  if (approval.state !== 'consumed') return renderClosed(scene, words);
  const closingHeadline = (title: string): string =>
    `<b>${title}</b> · ${showPath(repositoryOf(run), 36)} · ${card.run(escapeLine(run.id, 12))}`;
  const seal = `<code>${card.sealMark(approval.digest.slice(0, 12))}</code>`;
  const {
    review: { postedReplies: replied, pendingReplies: replying },
  } = run;
  if (replied?.id !== approval.id) {
    const by = replying?.signature?.id === approval.id ? card.by(escapeLine(replying.signature.by, 80)) : '';
    return {
      html: fitLines([closingHeadline(card.closed.approved), by, t.posting, seal].filter(Boolean)),
      buttons: [],
    };
  }
  return {
    html: fitLines(
      [
        closingHeadline(t.closed),
        ...replied.outcomes.map(
          ({ outcome: how, url, message: says }, i) =>
            `${i + 1} ${t.how[how]}${url === null ? '' : ` · ${linkWithin(url, run)}`}${says === '' ? '' : `: ${codeLine(says, 160)}`}`,
        ),
        replied.reviewRequest === null ? '' : t.asked[replied.reviewRequest],
        replied.by === '' ? '' : card.by(escapeLine(replied.by, 80)),
        seal,
      ].filter((line) => line !== ''),
    ),
    buttons: [],
  };
};

/** Security: only URLs within the run's own pull request become links. */
const linkWithin = (url: string, run: Run): string =>
  run.upstream.pullRequest && url.startsWith(run.upstream.pullRequest.url)
    ? escapeHtml(url.slice(0, 300))
    : codeLine(url, 300);
