/** Renders the gate card: question, evidence, size and risk, and later the outcome (C2, C9). */
import type { MessageView } from '#effects';
import { repositoryOf, type Run } from '#run';
import { findEarlierCard, checkMayUpdate, titlesOfFinishedFixes } from '#kernel';
import { proposerResultsLine } from './proposer-lines.ts';
import type { SealFields } from '#model/seal';
import type { ApprovalRow } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import {
  durationText,
  MESSAGE_LIMIT,
  fitNeeded,
  groupLines,
  escapeProse,
  relativeTimeHtml,
  escapeLine,
  showPath,
  type FittedLine,
} from '../text/telegram-html.ts';
import { forkLine, renderIncludedCommits } from './moved-branch-lines.ts';
import { cautionLine, signatureLine } from './cautions.ts';
import { isReasonWanted } from './command-proposal.ts';
import { changeToShow, fileLines, type ChangeToShow } from './changed-files.ts';
import { renderClosed } from './closed-card.ts';
import { changeRequestButtons, denyButtons } from './deny-buttons.ts';
import {
  againstLines,
  evidenceLines,
  pathsAgainst,
  reasonsAgainst,
  capitaliseFirst,
} from './evidence-lines.ts';
import { isCardArmed, isCardLive } from './live-card.ts';
import { nextOpeningText } from './rule-lines.ts';
import { pullOpeningText } from './pull-lines.ts';
import { quotePatch } from './patch-quote.ts';
import { renderReplies } from './reply-card.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { wordsLines } from './agent-words-lines.ts';
import { renderAskedFeedback } from './reason-messages.ts';
import { describeSize, formatDiffSize } from './file-facts.ts';
import { fixNumberText, isFix } from './run-lines.ts';
import type { RenderedMessage, ViewScene, ViewButton } from './scene.ts';

type GateView = Extract<MessageView, { view: 'gate' }>;

export const renderGate = (view: GateView, scene: ViewScene, words: LanguageTexts): RenderedMessage => {
  const { run, approval, now } = scene;
  if (approval?.kind === 'reply') return renderReplies(view, scene, approval, words);
  if (!approval || !run.gate.proposal || !isCardLive(run, approval, now)) return renderClosed(scene, words);
  const fields = run.gate.proposal.fields;
  const lines = liveLines(view, scene, approval, fields, words);
  const head = fitNeeded(lines, 1_500);
  return {
    html: head + quotePatch(scene, words, MESSAGE_LIMIT - head.length),
    buttons: gateButtons(view, approval, run, fields, now, words),
  };
};

const openFixesLine = (run: Run, { card }: LanguageTexts): string => {
  const none = titlesOfFinishedFixes(run, { changed: false });
  return none.length === 0 ? '' : escapeLine(card.leftFixes(none.join(', ')), 400);
};

const pushesToo = ({ kind }: ApprovalRow, { lifecycle: { state } }: Run): boolean =>
  kind === 'open_pr' && state !== 'PUSHED';

const questionText = (run: Run, approval: ApprovalRow, { card }: LanguageTexts): string => {
  const repo = showPath(repositoryOf(run), 36);
  if (isFix(run)) return card.asks.fix(escapeLine(run.upstream.pullRequest?.id ?? '', 20), repo);
  if (approval.kind === 'push') return card.asks.push(repo);
  return pushesToo(approval, run) ? card.asks.both(repo) : card.asks.open(repo);
};

/** Fixes are titled by their commit, which is all that becomes public. */
const titleOf = (run: Run, { title }: SealFields): string => {
  const [subject = ''] = (run.change.commit?.message ?? '').split('\n');
  return isFix(run) && subject.trim() !== '' ? subject : title;
};

const sizeLine = (change: ChangeToShow, run: Run, fields: SealFields, { card }: LanguageTexts): string => {
  const { risk } = fields.assessment;
  const size = describeSize(change, card);
  // The check lines are the reason for the risk when there is no other caution.
  const byChecks = risk !== 'low' && reasonsAgainst(run, fields).length === 0;
  const isTested = (run.change.evaluation?.checks ?? []).length > 0;
  const told = !byChecks ? card.risk(risk) : isTested ? card.riskByChecks(risk) : card.riskUntested(risk);
  const parts = risk === 'low' ? [size, told] : [told, size];
  return `${risk === 'low' ? '' : '⚠ '}${capitaliseFirst(parts.join(' · '))}`;
};

const liveLines = (
  view: GateView,
  scene: ViewScene,
  approval: ApprovalRow,
  fields: SealFields,
  words: LanguageTexts,
): FittedLine[] => {
  const { run, now } = scene;
  const { card } = words;
  const change = changeToShow(scene);
  const essentialLine = (html: string): FittedLine => ({ html, needed: true });
  // Outsiders' and agents' text is optional, so that it cannot displace required lines.
  const optionalLine = (html: string): FittedLine => ({ html, needed: false });
  return groupLines([
    [
      essentialLine(`<b>${questionText(run, approval, words)}</b>`),
      optionalLine(escapeProse(titleOf(run, fields), 120)),
      optionalLine(isFix(run) ? whichFix(run, words) : ''),
      optionalLine(repeatRequestLine(scene, words)),
      optionalLine(newsLine(scene, words)),
      ...wordsLines(scene, words).map(optionalLine),
    ],
    [
      ...evidenceLines(run, words).map(essentialLine),
      essentialLine(sizeLine(change, run, fields, words)),
      essentialLine(fields.conflicts ? `⚠ ${card.conflicts(escapeLine(fields.baseRef, 40))}` : ''),
      ...againstLines(run, fields, words).map(essentialLine),
      essentialLine(cautionLine(run, words)),
      essentialLine(forkLine(run, words)),
      essentialLine(fields.action === 'open_pr' ? pullOpeningText(fields, words) : ''),
      essentialLine(fields.action === 'open_pr' ? nextOpeningLine(scene, words) : ''),
      essentialLine(openFixesLine(run, words)),
      optionalLine(renderIncludedCommits(run, words)),
      optionalLine(competingPullsLine(run, words, MAX_RIVALS)),
      optionalLine(forecastLine(run, words)),
      optionalLine(proposerResultsLine(run, words)),
      optionalLine(fields.pullBody === undefined ? '' : card.describes),
      optionalLine(isReasonWanted(run) ? card.saysNoReason : ''),
    ],
    fileLines(change.files, pathsAgainst(run, fields, words), run, words).map(optionalLine),
    [
      essentialLine(signatureLine(run, words)),
      essentialLine(decideLine(view, approval, run, now, words)),
      essentialLine(view.escalated ? card.next : ''),
    ],
  ]);
};

/** G10: an approval holds until it is opened. */
const nextOpeningLine = ({ windows = [], now }: ViewScene, words: LanguageTexts): string =>
  capitaliseFirst(escapeLine(nextOpeningText(windows, now, words)));

const decideLine = (
  view: GateView,
  approval: ApprovalRow,
  run: Run,
  now: number,
  words: LanguageTexts,
): string => {
  const { card, calendar, denials } = words;
  if (view.asksDenialReason) return `<b>${denials.asksWhy}</b>`;
  if (view.changing) return `<b>${denials.asksChanges}</b>`;
  if (!isCardArmed(view, now)) {
    const into = run.gate.proposal && approval.kind === 'open_pr' ? run.gate.proposal.fields.baseRef : null;
    const until = `${card.decide} ${relativeTimeHtml(approval.expiresAt, now, calendar)}${card.undecided}`;
    return into === null
      ? until
      : `${capitaliseFirst(card.into(`<code>${escapeLine(into, 40)}</code>`))}\n${until}`;
  }
  const does = isFix(run)
    ? 'fix'
    : approval.kind === 'push'
      ? 'push'
      : pushesToo(approval, run)
        ? 'both'
        : 'open';
  return `${card.armed(card.does[does])} ${relativeTimeHtml(view.armedUntil ?? now, now, calendar)}`;
};

const MAX_RIVALS = 2;
/** Shown only until our own pull request is open. */
export const forecastLine = (
  { target: { pullForecast: said }, upstream: { pullRequest: pr } }: Run,
  { card, calendar }: LanguageTexts,
): string => {
  if (pr || !said) return '';
  const { outsiders, alike, medianHours, firstAnswer } = said;
  const formatHours = (hours: number): string => durationText(Math.max(1, hours) * 3_600_000, calendar);
  const same = alike === null ? '' : card.forecastAlike(alike.merged, alike.closed);
  return card.forecast(
    outsiders.merged,
    outsiders.closed,
    same,
    formatHours(medianHours),
    firstAnswer ? card.forecastAnswer(firstAnswer.of, formatHours(firstAnswer.hours)) : '',
  );
};

/** Shown only until our own pull request is open. */
export const competingPullsLine = (
  { target: { competingPulls: rivals }, upstream: { pullRequest: pr } }: Run,
  { card }: LanguageTexts,
  most = Infinity,
): string => {
  if (pr || rivals.length === 0) return '';
  const named = rivals
    .slice(0, most)
    .map((r) => card.rival(escapeLine(r.author, 40), escapeLine(r.id, 40), r.matchedBy));
  const rest = rivals.length - named.length;
  return `⚠ ${card.rivals(named.join(', '))}${rest > 0 ? card.more(rest) : ''}`;
};

const repeatRequestLine = ({ asked, run }: ViewScene, words: LanguageTexts): string => {
  const { kind, feedback } = run.agent.round;
  const all = asked?.feedback ?? (kind === 'rejection_fix' && !isFix(run) ? feedback : []);
  const told = all.map((one) => sayRecord(words.feedback, one));
  return told.length === 0 ? '' : words.card.askedAgain(escapeProse(told.join(' '), 140));
};

const MAX_NEWS = 3;
/** What is new since the card before; an agent that changed nothing has its say. */
const newsLine = ({ asked, run }: ViewScene, { card }: LanguageTexts): string => {
  const news = asked?.news;
  if (!news) return '';
  if (news.length === 0) return card.nothingNew(escapeProse(run.agent.summary, 300));
  const files = news
    .slice(0, MAX_NEWS)
    .map((file) => `<code>${showPath(file.path, 30)}</code> ${formatDiffSize(file)}`);
  return card.newSince(files.join(', ') + (news.length > MAX_NEWS ? card.more(news.length - MAX_NEWS) : ''));
};

const whichFix = (run: Run, words: LanguageTexts): string => {
  const asked = renderAskedFeedback(run, words);
  if (run.lifecycle.counts.iterations === 0) return escapeProse(asked, 140);
  const no = capitaliseFirst(fixNumberText(run, words));
  return asked === '' ? no : `${no}: ${escapeProse(asked, 140)}`;
};

const gateButtons = (
  view: GateView,
  approval: ApprovalRow,
  run: Run,
  fields: SealFields,
  now: number,
  words: LanguageTexts,
): ViewButton[][] => {
  const b = words.buttons;
  if (isCardArmed(view, now))
    return [
      [
        { verb: 'confirm', text: b.ok, style: 'success' },
        { verb: 'back', text: b.back },
      ],
    ];
  if (view.asksDenialReason) return denyButtons(words);
  if (view.changing) return changeRequestButtons(words);
  const text = approval.kind !== 'push' ? b.open : isFix(run) ? b.pushFix : b.push;
  const high = fields.assessment.risk === 'high';
  const risky: ViewButton[] = high ? [{ verb: 'risk', text: b.risk, style: 'primary' }] : [];
  const first: ViewButton = { verb: 'arm', text, style: 'success' };
  const instead = fields.conflicts && checkMayUpdate(run) === null;
  const rows: ViewButton[][] = [
    risky,
    [
      instead ? { verb: 'update', text: b.update, style: 'primary' } : first,
      { verb: 'changes', text: b.changes },
      { verb: 'deny', text: b.deny },
    ],
    instead ? [{ verb: 'arm', text }] : [],
    [
      { verb: 'diff', text: b.diff },
      { verb: 'text', text: b.text },
      { verb: 'detail', text: b.more },
    ],
    [
      ...(run.agent.session === null ? [] : [{ verb: 'ask', text: b.ask } as const]),
      ...(findEarlierCard(run) ? [{ verb: 'changes.restore', text: b.takeBack } as const] : []),
    ],
  ];
  return rows.filter((row) => row.length > 0);
};
