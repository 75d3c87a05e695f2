/** Renders the page behind *More*: history, assessment, and a record of ids and attempts (C9). */
import { lastAssessedPublication, type Run, repositoryOf, engineOf } from '#run';
import { minutesToReview } from '#model/paths';
import type { AttemptRow } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import {
  durationText,
  fitLines,
  momentText,
  escapeProse,
  relativeTimeHtml,
  codeLine,
  shortSha,
  escapeLine,
} from '../text/telegram-html.ts';
import { forkLine, renderIncludedCommits } from './moved-branch-lines.ts';
import { checkLine, stepName } from './evidence-lines.ts';
import { competingPullsLine, forecastLine } from './gate-card.ts';
import { gradeHistory, gradeLines } from './grade-lines.ts';
import { revokeButton, standingGrantLines } from './permission-card.ts';
import { hasObjections, policyLines } from './policy-lines.ts';
import { pullAddress, pullLines } from './pull-lines.ts';
import { hasMoreToShow } from './run-messages.ts';
import { attemptDurationMs, runName, stateLine } from './run-lines.ts';
import { formatDiffSize } from './file-facts.ts';
import type { RenderedMessage, ViewScene, ViewButton } from './scene.ts';
import { outageLine } from './outage-message.ts';
import { proposerResultsLine } from './proposer-lines.ts';
import { renderReason, formatUsage } from './reason-messages.ts';
import { joinParts } from '../text/sentence-catalogue.ts';

/** Bot API, CopyTextButton: 1–256 characters. */
const MOST_COPIED = 256;

/** Encodes each segment separately, because branch names may contain slashes. */
const inPath = (name: string): string => name.split('/').map(encodeURIComponent).join('/');

const quoteWord = (text: string): string =>
  /^[\w./@+][\w./@+-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const pageOf = (run: Run, serverUrl: string): string | null => {
  const {
    upstream: { pullRequest: pr },
    change: { pushedHead: pushed },
    target: { fork },
    gate: { proposal },
  } = run;
  if (pr) return pr.url;
  const base = proposal?.fields.baseRef;
  if (!pushed || base === undefined) return null;
  const whose = fork ? `${fork.repo.replace('/', ':')}:` : '';
  return `${serverUrl}/${repositoryOf(run)}/compare/${inPath(base)}...${inPath(`${whose}${pushed.branch}`)}`;
};

/** Creates no branch, and works with any name of the remote. */
const checkoutOf = (run: Run, serverUrl: string): string | null => {
  const {
    change: { pushedHead: pushed },
    target: { fork },
  } = run;
  const from = `${serverUrl}/${fork?.repo ?? repositoryOf(run)}.git`;
  return pushed && `git fetch ${quoteWord(from)} ${quoteWord(pushed.branch)} && git checkout FETCH_HEAD`;
};

export const externalLinkButtons = (
  run: Run,
  serverUrl: string | undefined,
  { waysOut: words }: LanguageTexts,
): ViewButton[][] => {
  if (serverUrl === undefined) return [];
  const url = pageOf(run, serverUrl);
  const copyButton = (text: string, what: string | null | undefined): ViewButton[] =>
    what && what.length <= MOST_COPIED ? [{ verb: 'link', text, copies: what }] : [];
  const rows: ViewButton[][] = [
    url !== null && isWeb(url)
      ? [{ verb: 'link', text: run.upstream.pullRequest ? words.pull : words.compare, opens: url }]
      : [],
    [
      ...copyButton(words.branch, run.change.pushedHead?.branch),
      ...copyButton(words.commit, run.change.pushedHead?.sha),
      ...copyButton(words.checkout, checkoutOf(run, serverUrl)),
    ],
  ];
  return rows.filter((row) => row.length > 0);
};

/** Telegram rejects the whole message for an invalid button URL. */
const isWeb = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.') && text.length <= 2_000;
};

const MAX_CHECKS = 8;
const MAX_ATTEMPTS = 6;

const storyLines = (run: Run, now: number, words: LanguageTexts): string[] => {
  const { detail: d, calendar } = words;
  const {
    change: { commit, pushedHead: pushed },
    order,
  } = run;
  const asked = d.asked(
    escapeLine(order.requester.name, 40),
    relativeTimeHtml(run.lifecycle.createdAt, now, calendar),
  );
  return [
    joinParts(asked, escapeProse(order.goal, 400)),
    commit
      ? d.changed(
          escapeLine(engineOf(run), 40),
          formatDiffSize(commit.diff),
          commit.diff.files.length,
          durationText(run.lifecycle.workedMs, calendar),
          minutesToReview(commit.diff),
        )
      : '',
    pushed ? d.pushed(codeLine(pushed.branch, 120)) : commit ? d.notPushed : '',
    hasMoreToShow(run) ? escapeProse(renderReason(run, now, words), 500) : '',
  ];
};

const attemptLine = (attempt: AttemptRow, now: number, words: LanguageTexts): string =>
  `${momentText(attempt.startedAt, now, words.calendar)} <code>${escapeLine(stepName(attempt), 30)}</code> #${attempt.no} ${escapeLine(words.log.outcome(attempt.outcome), 30)} ${durationText(attemptDurationMs(attempt, now), words.calendar)}`;

const recordLines = ({ run, attempts, grades = [], now }: ViewScene, words: LanguageTexts): string[] => {
  const { detail: d } = words;
  const fields = run.gate.proposal?.fields;
  const from = fields ? `${escapeLine(fields.baseRef, 40)} ${shortSha(fields.mergeBase)} → ` : '';
  const commit = run.change.commit
    ? `${d.commit} <code>${from}${shortSha(run.change.commit.sha)}</code>`
    : '';
  return [
    `${d.run} <code>${escapeLine(run.id, 24)}</code>`,
    commit,
    run.gate.proposal ? `${d.seal} <code>${run.gate.proposal.digest.slice(0, 12)}</code>` : '',
    ...gradeLines(run, words),
    ...(attempts.length > 0 ? [`<b>${d.attempts}</b>`] : []),
    ...attempts.slice(-MAX_ATTEMPTS).map((a) => attemptLine(a, now, words)),
    ...gradeHistory(grades, now, words),
    d.spent(
      run.lifecycle.counts.iterations,
      run.order.bounds.maxIterations,
      durationText(run.lifecycle.workedMs, words.calendar),
      formatUsage(run, 'tokens', run.lifecycle.usage.inputTokens + run.lifecycle.usage.outputTokens, words),
    ),
  ].filter((line) => line !== '');
};

/** E11: what the repository holds for coding agents, which none of them got. */
const setAsideLine = ({ target: { contract } }: Run, words: LanguageTexts): string => {
  const count = contract?.agentSettings;
  return count ? escapeLine(`⚙ ${words.agentSettings(count)}`) : '';
};

export const renderDetail = (scene: ViewScene, words: LanguageTexts): RenderedMessage => {
  const { run, approval, now, serverUrl } = scene;
  const { detail: d, card } = words;
  const assessed = lastAssessedPublication(run);
  const checks = run.change.evaluation?.checks ?? [];
  const lines = [
    `<b>${runName(run)}</b>`,
    run.gate.proposal ? escapeProse(run.gate.proposal.fields.title, 120) : '',
    stateLine(run, now, words),
    ...storyLines(run, now, words),
    proposerResultsLine(run, words),
    ...checks.slice(0, MAX_CHECKS).map((check) => checkLine(check, run.target.base?.ref ?? '', words)),
    checks.length > MAX_CHECKS ? d.moreChecks(checks.length - MAX_CHECKS) : '',
    ...pullLines(run, now, words),
    outageLine(run, now, words),
    forkLine(run, words),
    renderIncludedCommits(run, words),
    competingPullsLine(run, words),
    forecastLine(run, words),
    ...standingGrantLines(run, words),
    setAsideLine(run, words),
    assessed ? `<b>${d.policies}</b>${hasObjections(run) ? '' : ` ${d.noPolicies}`}` : '',
    ...(assessed ? policyLines(assessed, words) : []),
    approval?.state === 'open'
      ? `${card.decide} ${relativeTimeHtml(approval.expiresAt, now, words.calendar)}`
      : '',
    pullAddress(run),
  ];
  const head = fitLines(
    lines.filter((line) => line !== ''),
    2_700,
  );
  const folded = fitLines(recordLines(scene, words), 1_200);
  const diff: ViewButton[] = run.change.commit
    ? [
        { verb: 'diff', text: words.buttons.diff },
        { verb: 'text', text: words.buttons.text },
      ]
    : [];
  const rows = [diff, revokeButton(run, words)].filter((row) => row.length > 0);
  return {
    html: `${head}\n<blockquote expandable><b>${d.record}</b>\n${folded}</blockquote>`,
    buttons: [...rows, ...externalLinkButtons(run, serverUrl, words)],
  };
};
