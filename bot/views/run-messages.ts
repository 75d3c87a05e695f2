/** Renders a run's messages other than its card: progress, attention, end and details. */
import { isAgentStep } from '#model/agent';
import { isVainToRetry } from '#model/failure';
import { isAgentWorking, isTerminal, isWatching, type RunState } from '#model/run';
import { mayEnter, redNames } from '#kernel';
import { type Reason, type Run, operatorWordsMode, hasForeignHead, pushBlockOf } from '#run';
import type { MessageView } from '#effects';
import type { AttemptRow } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import {
  durationText,
  fitLines,
  escapeProse,
  relativeTimeHtml,
  codeLine,
  escapeLine,
  escapeBlock,
} from '../text/telegram-html.ts';
import { activityLine } from './activity-lines.ts';
import { stepName } from './evidence-lines.ts';
import { gradeLine } from './grade-lines.ts';
import { wasPublicationDenied } from './policy-lines.ts';
import { renderAskedFeedback, findLackingBudget, raiseButton, renderReason } from './reason-messages.ts';
import { foreignLines, forkLine, updateBranchButtons, adoptCommitButtons } from './moved-branch-lines.ts';
import { competingPullsLine, forecastLine } from './gate-card.ts';
import { renderPermission } from './permission-card.ts';
import { pullAddress, pullLines } from './pull-lines.ts';
import { outageLine } from './outage-message.ts';
import { unheardLines, wordsButtons, wordsLines } from './agent-words-lines.ts';
import {
  checksLine,
  currentActivity,
  findEnding,
  fixNumberText,
  stateHeading,
  isUnderWay,
  runHeadline,
  runName,
} from './run-lines.ts';
import { formatDiffSize } from './file-facts.ts';
import type { RenderedMessage, ViewScene, ViewButton } from './scene.ts';

export const renderProgress = (scene: ViewScene, words: LanguageTexts): RenderedMessage => {
  const { run, now } = scene;
  // A question has its own message, so its text is not repeated here.
  const asked = run.gate.approval !== null || run.lifecycle.state === 'NEEDS_HUMAN_REVIEW';
  const lines = asked
    ? []
    : run.upstream.pullRequest && !isTerminal(run.lifecycle.state)
      ? sincePullRequest(scene, words)
      : beforeIt(scene, words);
  return {
    html: fitLines(
      [
        `<b>${stateHeading(run, words)}</b> · ${runName(run)}`,
        escapeProse(run.order.title ?? run.order.goal, 120),
        ...lines,
        ...wordsLines(scene, words),
        pullAddress(run),
        `${words.progress.created} ${relativeTimeHtml(run.lifecycle.createdAt, now, words.calendar)}`,
        mayBeTold(run) ? `<i>${words.progress.replyTells}</i>` : '',
      ].filter((line) => line !== ''),
    ),
    buttons: isTerminal(run.lifecycle.state)
      ? []
      : [
          ...(operatorWordsMode(run) === null ? [] : wordsButtons(run, words)),
          ...stopButtons(run, words),
          [...updateBranchButtons(run, words), { verb: 'detail', text: words.buttons.detail }],
        ],
  };
};

const mayBeTold = (run: Run): boolean =>
  operatorWordsMode(run) === 'words' && run.lifecycle.state !== 'PAUSED';

/** E21: while the agent works; a tap asks first. */
const stopButtons = (
  { lifecycle: { state, reason }, gate }: Run,
  { buttons }: LanguageTexts,
): ViewButton[][] =>
  state === 'FAILED_RETRYABLE'
    ? [[{ verb: 'cancel', text: buttons.cancel, style: 'danger' }]]
    : !isAgentWorking(state) || gate.approval || reason.kind === 'pushing'
      ? []
      : [
          [
            { verb: 'keep', text: buttons.keep },
            { verb: 'drop', text: buttons.drop, style: 'danger' },
          ],
        ];

const leadingFirst = (onward: ViewButton, updates: readonly ViewButton[]): ViewButton[] =>
  updates.length === 0
    ? [onward]
    : [
        ...updates.map((one) => ({ ...one, style: 'primary' as const })),
        { verb: onward.verb, text: onward.text },
      ];

const beforeIt = (scene: ViewScene, words: LanguageTexts): string[] => {
  const { run, now } = scene;
  const diff = run.change.commit?.diff;
  return [
    isUnderWay(run, words) ? escapeLine(currentActivity(run, words)) : '',
    hasMoreToShow(run) ? escapeProse(renderReason(run, now, words), 300) : '',
    forkLine(run, words),
    planLine(run, words),
    outageLine(run, now, words),
    underWay(scene, words) || readingLine(scene, words),
    activityLine(run, scene.attempts.at(-1), words),
    [diff ? formatDiffSize(diff) : '', run.change.evaluation ? checksLine(run, words) : '']
      .filter(Boolean)
      .join(' · '),
  ];
};

const ORDINARY: readonly Reason['kind'][] = [
  'queued',
  'reading_repository',
  'contract_known',
  'implementing',
  'push_approval_wait',
  'pushing',
  'decision_wait',
];
export const hasMoreToShow = ({ lifecycle: { reason } }: Run): boolean =>
  !ORDINARY.includes(reason.kind) && !(reason.kind === 'checks_running' && reason.on === 'commit');

const planLine = ({ agent: { plan: kept } }: Run, words: LanguageTexts): string => {
  if (!kept) return '';
  const { next, backlog, done, blocked } = kept.plan;
  const all = done.length + backlog.length + blocked.length + (next ? 1 : 0);
  if (all === 0) return '';
  const step = next ? `: ${codeLine(`${next.id} ${next.text}`, 120)}` : '';
  return `${words.progress.plan(done.length, all)}${step}`;
};

const sincePullRequest = (scene: ViewScene, words: LanguageTexts): string[] => {
  const { run, now } = scene;
  const asked = renderAskedFeedback(run, words);
  const why = asked === '' ? '' : `: ${codeLine(asked, 120)}`;
  return [
    ...pullLines(run, now, words),
    outageLine(run, now, words),
    run.lifecycle.counts.iterations > 0 ? `${fixNumberText(run, words)}${why}` : '',
    underWay(scene, words) || currentStepLine(scene, words),
    activityLine(run, scene.attempts.at(-1), words),
  ];
};

/** How long the same command took before, here or on the base branch; null for the first time. */
const msBefore = ({ attempts, run, earlier }: ViewScene, { command, id }: AttemptRow): number | null => {
  const before = attempts.findLast((a) => a.command === command && a.id !== id && a.ms > 0);
  const base = [run, earlier].flatMap((one) => [
    ...(one?.target.baseline?.installs ?? []),
    ...(one?.target.baseline?.checks ?? []),
  ]);
  return before?.ms ?? base.find((r) => r.command === command && r.ms > 0)?.ms ?? null;
};

const underWay = (scene: ViewScene, words: LanguageTexts): string => {
  const { attempts, now } = scene;
  const last = attempts.at(-1);
  if (last?.outcome !== 'running') return '';
  const isAgent = isAgentStep(last);
  const what = isAgent
    ? words.progress.agent
    : words.progress.check(`<code>${escapeLine(stepName(last), 40)}</code>`);
  const took = isAgent ? null : msBefore(scene, last);
  return `▸ ${what} · ${relativeTimeHtml(last.startedAt, now, words.calendar)}${lastTime(took, words)}`;
};

/** Less would read as 0 seconds. */
const SHORTEST_SAID_MS = 500;
const lastTime = (ms: number | null | undefined, words: LanguageTexts): string =>
  ms === null || ms === undefined || ms < SHORTEST_SAID_MS
    ? ''
    : ` · ${words.progress.tookBefore(durationText(ms, words.calendar))}`;

const readingLine = ({ run, earlier, now }: ViewScene, words: LanguageTexts): string =>
  run.lifecycle.state === 'DISCOVERY' && run.lifecycle.reason.kind !== 'checking_base'
    ? `▸ ${words.progress.reading} · ${relativeTimeHtml(run.lifecycle.stateEnteredAt, now, words.calendar)}${lastTime(earlier?.target.readingMs, words)}`
    : '';

const currentStepLine = ({ run, now }: ViewScene, words: LanguageTexts): string => {
  if (run.gate.approval) return `▸ ${words.doing.card}`;
  const told =
    run.lifecycle.reason.kind !== 'write_slot_wait' &&
    (isWatching(run.lifecycle.state) || run.lifecycle.reason.kind === 'iterating');
  const what = told
    ? escapeLine(currentActivity(run, words))
    : escapeProse(renderReason(run, now, words), 200);
  return `▸ ${what} · ${relativeTimeHtml(run.lifecycle.stateEnteredAt, now, words.calendar)}`;
};

const TITLES: Record<RunState, keyof LanguageTexts['attention']['title']> = {
  QUEUED: 'past',
  DISCOVERY: 'past',
  PLAN_READY: 'plan',
  IMPLEMENTING: 'past',
  LOCAL_VALIDATING: 'past',
  PUSHED: 'past',
  CI_WAIT: 'waits',
  REVIEW_WAIT: 'waits',
  ITERATING: 'past',
  PAUSED: 'paused',
  DONE: 'past',
  SKIPPED: 'past',
  NEEDS_HUMAN_REVIEW: 'human',
  FAILED_RETRYABLE: 'retry',
  FAILED_TERMINAL: 'past',
};

export const renderAttention = (
  { head, question, answered }: Extract<MessageView, { view: 'attention' }>,
  scene: ViewScene,
  words: LanguageTexts,
): RenderedMessage => {
  const { run, now } = scene;
  const asks = question === undefined ? null : renderPermission(scene, words);
  if (asks) return asks;
  const { title } = words.attention;
  if (answered)
    return {
      html: fitLines([
        runHeadline(title.past, run),
        escapeProse(run.order.title ?? run.order.goal, 120),
        words.attention.over(currentActivity(run, words)),
      ]),
      buttons: [],
    };
  const offers = attentionButtons(run, head ?? null, words);
  const verdict =
    run.lifecycle.reason.kind === 'agent_question' ? title.asks : title[TITLES[run.lifecycle.state]];
  const lines = [
    runHeadline(verdict, run),
    escapeProse(run.order.title ?? run.order.goal, 120),
    verdict === title.past ? words.attention.over(currentActivity(run, words)) : '',
    `<code>${escapeBlock(renderReason(run, now, words), 1_500)}</code>`,
    [
      run.change.commit ? formatDiffSize(run.change.commit.diff) : '',
      run.change.evaluation ? checksLine(run, words) : '',
    ]
      .filter(Boolean)
      .join(' · '),
    competingPullsLine(run, words),
    forecastLine(run, words),
    gradeLine(run, words),
    ...foreignLines(run, words),
    ...pullLines(run, now, words),
    outageLine(run, now, words),
    pullAddress(run),
    relativeTimeHtml(run.lifecycle.stateEnteredAt, now, words.calendar),
  ];
  return { html: fitLines(lines.filter((line) => line !== '')), buttons: offers };
};

const lastButtons = ({ buttons: b }: LanguageTexts) => ({
  detail: { verb: 'detail', text: b.detail } satisfies ViewButton,
  cancel: { verb: 'cancel', text: b.cancel, style: 'danger' } satisfies ViewButton,
});

const diffButtons = (run: Run, words: LanguageTexts): ViewButton[] =>
  run.change.commit ? [{ verb: 'diff', text: words.buttons.diff }] : [];

const buttonsForPerson = (run: Run, head: string | null, words: LanguageTexts): ViewButton[][] => {
  const { buttons: b } = words;
  const { detail, cancel } = lastButtons(words);
  const { reason } = run.lifecycle;
  const last = [...diffButtons(run, words), detail, cancel];
  if (hasForeignHead(run)) return [adoptCommitButtons(run, head, words), last];
  // Re-running checks requires write access, which a fork does not give; only red ones run again.
  const isOfAgent = reason.kind === 'no_changes' || reason.kind === 'agent_question';
  const mayRerun = !run.target.fork && !(isOfAgent && redNames(run).length === 0);
  const rerun: ViewButton[] =
    run.upstream.pullRequest && run.change.pushedHead && mayRerun ? [{ verb: 'rerun', text: b.rerun }] : [];
  const why: ViewButton[] = wasPublicationDenied(run) ? [{ verb: 'risk', text: b.why }] : [];
  const isVain = reason.kind === 'step_failed' && isVainToRetry(reason.class);
  if (isVain || pushBlockOf(run)) return [why, last].filter((row) => row.length > 0);
  const lacking = findLackingBudget(run);
  const onward: ViewButton = lacking
    ? { ...raiseButton(run, lacking, words), verb: 'budget.raise_lacking' }
    : { verb: 'retry', text: b.retry, style: 'primary' };
  return [
    [...leadingFirst(onward, updateBranchButtons(run, words)), ...why, ...rerun],
    ...(reason.kind === 'base_unusable' ? [[{ verb: 'without', text: b.without } as const]] : []),
    last,
  ];
};

const buttonsOfPause = (run: Run, words: LanguageTexts): ViewButton[][] => {
  const { buttons: b } = words;
  const { detail, cancel } = lastButtons(words);
  const { resumeState } = run.lifecycle;
  const wasAgents = resumeState !== null && isAgentWorking(resumeState);
  const look: ViewButton[] = wasAgents ? [{ verb: 'diff', text: b.diff }] : diffButtons(run, words);
  const rows: ViewButton[][] = [
    pushBlockOf(run) ? [] : [{ verb: 'resume', text: b.resume, style: 'primary' }],
    wasAgents
      ? [
          { verb: 'keep', text: b.keep },
          { verb: 'drop', text: b.drop, style: 'danger' },
        ]
      : [],
    [...look, detail, cancel],
  ];
  return rows.filter((row) => row.length > 0);
};

const attentionButtons = (run: Run, head: string | null, words: LanguageTexts): ViewButton[][] => {
  const { buttons: b } = words;
  const { detail, cancel } = lastButtons(words);
  switch (run.lifecycle.state) {
    case 'NEEDS_HUMAN_REVIEW':
      return buttonsForPerson(run, head, words);
    case 'FAILED_RETRYABLE':
      return [[{ verb: 'retry', text: b.retry, style: 'primary' }], [detail, cancel]];
    case 'PAUSED':
      return buttonsOfPause(run, words);
    case 'PLAN_READY':
      return mayEnter(run, 'PLAN_READY')
        ? [[{ verb: 'start', text: b.start, style: 'primary' }], [detail, cancel]]
        : [[detail]];
    case 'CI_WAIT':
    case 'REVIEW_WAIT':
      return [[...updateBranchButtons(run, words), ...diffButtons(run, words), detail, cancel]];
    default:
      return [[detail]];
  }
};

export const renderEnded = ({ run, now }: ViewScene, words: LanguageTexts): RenderedMessage => {
  const { ended } = words;
  const title =
    findEnding(run, words)?.title ??
    (run.lifecycle.state === 'DONE'
      ? ended.done
      : run.lifecycle.state === 'SKIPPED'
        ? ended.skipped
        : ended.failed);
  return {
    html: fitLines(
      [
        runHeadline(escapeLine(title, 60), run),
        escapeProse(run.order.title ?? run.order.goal, 120),
        `<code>${escapeBlock(renderReason(run, now, words), 1_500)}</code>`,
        pullAddress(run),
        ...unheardLines(run, words),
        ended.took(durationText(run.lifecycle.updatedAt - run.lifecycle.createdAt, words.calendar)),
      ].filter((line) => line !== ''),
    ),
    buttons: [[{ verb: 'detail', text: words.buttons.detail }]],
  };
};
