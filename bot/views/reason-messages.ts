/** Renders reasons of a run's state, budget warnings, waits and discarded edits. */
import { type PersonQuestion, type Run, feedbackAskedFor, operatorWordsMode, toFailedReason } from '#run';
import type { MessageView } from '#effects';
import { type BudgetKind, toShownAmount, type GrantedBudget } from '#model/limits';
import { isAgentWorking } from '#model/run';
import { accountOf, isUsageBound, isStoppedForPrice, nextBudgetLimit } from '#kernel';
import type { LanguageTexts } from '../language/languages.ts';
import { sayRecord, type RenderContext } from '../text/sentence-catalogue.ts';
import {
  durationText,
  fitLines,
  momentText,
  codeLine,
  escapeLine,
  escapeBlock,
  showPath,
} from '../text/telegram-html.ts';
import { runHeadline } from './run-lines.ts';
import type { RenderedMessage, ViewScene, ViewButton } from './scene.ts';

export const formatBudgetAmount = (budget: BudgetKind, amount: number, words: LanguageTexts): string =>
  words.budgets.amounts[budget](toShownAmount(budget, amount));

export const formatUsage = (run: Run, budget: BudgetKind, used: number, words: LanguageTexts): string => {
  const amount = formatBudgetAmount(budget, used, words);
  return isUsageBound(run, budget) ? words.budgets.atMost(amount) : amount;
};

export const budgetsText = (granted: readonly GrantedBudget[], { budgets }: LanguageTexts): string =>
  granted.map(({ budget, amount }) => budgets.amounts[budget](amount)).join(', ');

export const createRenderContext = (now: number, { calendar }: LanguageTexts): RenderContext => ({
  time: (at) => momentText(at, now, calendar),
  age: (at) => durationText(now - at, calendar),
});
export const renderReason = (
  { lifecycle: { reason } }: { lifecycle: Pick<Run['lifecycle'], 'reason'> },
  now: number,
  words: LanguageTexts,
): string => sayRecord(words.reasons, reason, createRenderContext(now, words));

export const renderAskedFeedback = ({ agent: { round } }: Run, words: LanguageTexts): string =>
  feedbackAskedFor(round)
    .map((f) => sayRecord(words.feedback, f))
    .join('\n\n');

export const findLackingBudget = (run: Run): BudgetKind | null => {
  // guard: E18-no-vain-retry
  if (isStoppedForPrice(run)) return 'cost';
  return run.lifecycle.reason.kind === 'budget_exhausted' && run.lifecycle.state === 'NEEDS_HUMAN_REVIEW'
    ? run.lifecycle.reason.budget
    : null;
};

/** Returns null to remove the limit. */
export const nextLimit = (run: Run, budget: BudgetKind): number | null =>
  budget === 'cost' && isStoppedForPrice(run) ? null : nextBudgetLimit(run, budget);

export const raiseButton = (run: Run, budget: BudgetKind, words: LanguageTexts): ViewButton => {
  const { lift, raise } = words.budgets;
  const limit = nextLimit(run, budget);
  const text = limit === null ? lift : raise(formatBudgetAmount(budget, limit, words));
  return { verb: 'budget.raise', text, style: 'primary' };
};

export const describeNewLimit = (
  run: string,
  budget: BudgetKind,
  limit: number | null,
  words: LanguageTexts,
): string => {
  const { names, raised, lifted } = words.budgets;
  return limit === null
    ? lifted(run, names[budget])
    : raised(run, names[budget], formatBudgetAmount(budget, limit, words));
};

export const renderBudgetWarning = (
  { budget, used, limit }: Extract<MessageView, { view: 'budget' }>,
  { run }: ViewScene,
  words: LanguageTexts,
): RenderedMessage => {
  const { budgets } = words;
  const { names, line } = budgets;
  const left = formatBudgetAmount(budget, Math.max(0, limit - used), words);
  const now = accountOf(run, budget).limit;
  const isRaised = now !== limit;
  return {
    html: fitLines([
      runHeadline('⚠', run),
      escapeLine(budgets.near(names[budget], Math.floor((used / limit) * 100))),
      escapeLine(
        line(
          names[budget],
          formatUsage(run, budget, used, words),
          formatBudgetAmount(budget, limit, words),
          left,
        ),
      ),
      ...(isRaised ? [escapeLine(describeNewLimit(run.id, budget, now, words))] : []),
      codeLine(run.order.title ?? run.order.goal, 120),
    ]),
    buttons: [
      [
        ...(isRaised ? [] : [raiseButton(run, budget, words)]),
        { verb: 'detail', text: words.buttons.detail },
      ],
    ],
  };
};

/** E17, F8: a long wait is reported once. */
export const renderProviderWait = (
  view: Extract<MessageView, { view: 'provider_wait' }>,
  { run, now }: ViewScene,
  { why, calendar, buttons }: LanguageTexts,
): RenderedMessage => ({
  html: fitLines([
    runHeadline('⏳', run),
    ...(view.for === 'host' ? [] : [escapeLine(why.failures[view.class])]),
    escapeLine(
      `${why.waiting[view.for ?? 'since'](momentText(view.since, now, calendar))} ${why.until(momentText(view.until, now, calendar))}`,
    ),
    ...(view.others === undefined ? [] : [escapeLine(why.waiting.others(view.others.length))]),
    ...(view.for === 'host' ? [] : [escapeLine(why.waiting.check)]),
    codeLine(run.order.title ?? run.order.goal, 120),
  ]),
  buttons: [[{ verb: 'detail', text: buttons.detail }]],
});

/** C4: asks about an agent that repeats a command; nothing happens without a tap. */
export const renderRepeatedCall = (
  { call, times, of, answered }: Extract<MessageView, { view: 'repeated_call' }>,
  { run }: ViewScene,
  { why: { repeated }, buttons, progress }: LanguageTexts,
): RenderedMessage => {
  const isWorking = isAgentWorking(run.lifecycle.state) || run.lifecycle.state === 'DISCOVERY';
  const standing = answered ?? (isWorking ? 'open' : 'over');
  return {
    html: fitLines([
      runHeadline(`🔁 ${repeated.title}`, run),
      escapeLine(repeated.line(times, of)),
      codeLine(call, 300),
      escapeLine(repeated[standing]),
      ...(standing === 'open' && operatorWordsMode(run) === 'words' ? [escapeLine(progress.replyTells)] : []),
    ]),
    buttons:
      standing === 'open'
        ? [
            [
              { verb: 'agent.stop', text: repeated.stop, style: 'danger' },
              { verb: 'agent.go_on', text: repeated.goOn },
            ],
            [{ verb: 'detail', text: buttons.detail }],
          ]
        : [],
  };
};

export const renderDiscardedEdits = (
  { discardedEdits: { why: kind, files, more } }: Extract<MessageView, { view: 'discarded_edits' }>,
  { run }: ViewScene,
  { why: { undone } }: LanguageTexts,
): RenderedMessage => ({
  html: fitLines(
    [
      runHeadline(`↩ ${undone.title}`, run),
      `${escapeLine(undone[kind])} ${escapeLine(undone.told)}`,
      ...files.map((path) => `<code>${showPath(path, 60)}</code>`),
      more > 0 ? escapeLine(undone.more(more)) : '',
    ].filter((line) => line !== ''),
  ),
  buttons: [],
});

const MAX_SHOWN_ANSWER_LENGTH = 3_000;
/** E21: what an agent says is its words: quoted, and checked by nobody. */
export const renderAgentAnswer = (
  { question: { text, by, outcome } }: Extract<MessageView, { view: 'answer' }>,
  { run, now }: ViewScene,
  words: LanguageTexts,
): RenderedMessage => {
  const { answer } = words;
  const quoteBlock = (said: string, most: number): string =>
    `<blockquote expandable><code>${escapeBlock(said, most)}</code></blockquote>`;
  const lines = [
    runHeadline(`❓ ${answer.asked(by)}`, run),
    quoteBlock(text, 300),
    ...(outcome?.kind === 'answered'
      ? [`<b>${escapeLine(answer.says)}</b>`, quoteBlock(outcome.text, MAX_SHOWN_ANSWER_LENGTH)]
      : [escapeLine(composeUnanswered(outcome, now, words), 600)]),
    run.gate.approval === null ? '' : escapeLine(answer.cardStays),
  ];
  return { html: fitLines(lines.filter((line) => line !== '')), buttons: [] };
};

export const composeUnanswered = (
  outcome: PersonQuestion['outcome'],
  now: number,
  words: LanguageTexts,
): string => {
  const { answer } = words;
  if (outcome?.kind === 'failed')
    return answer.failed(sayRecord(words.reasons, toFailedReason(outcome), createRenderContext(now, words)));
  return outcome?.kind === 'moved_on' ? answer.movedOn : answer.silent;
};
