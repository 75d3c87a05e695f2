/** Renders what a campaign will do, before somebody starts it (F5). */
import { findFilledOrderExample } from '#model/campaign';
import { stricterBudget } from '#model/spending';
import { hasLinks, formatRepoQuery } from '#model/targets';
import { cutText } from '#model/values';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, durationText, escapeLine, momentText, escapeBlock } from '../text/telegram-html.ts';
import { waveLines } from './wave-lines.ts';
import { campaignLine, repositoryNames, type CampaignScene } from './campaign-lines.ts';
import { wholePercent } from './campaign-standing.ts';
import { formatBudgetAmount } from './reason-messages.ts';
import { usdAmount } from './reports/report-screen.ts';
import { pullText, windowText } from './rule-lines.ts';

export const scheduleTimeLines = (
  { campaign, times, now }: CampaignScene,
  words: LanguageTexts,
): string[] => {
  const { campaign: t, calendar } = words;
  if (!times) return [];
  const { next, last } = times;
  return [
    campaignLine(t.every(campaign.schedule ?? '')),
    ...(campaign.state === 'planned' ? [campaignLine(t.firstTime)] : []),
    `<b>${campaignLine(next === null ? t.noNextTime : t.nextTime(momentText(next, now, calendar)))}</b>`,
    ...(last ? [campaignLine(t.cameLast(last.id, momentText(last.due, now, calendar)))] : []),
  ];
};

const MAX_FIELDS = 6;
const MAX_SHOWN_SCRIPT_LENGTH = 800;

const exampleLines = (order: CampaignScene['order'], { campaign: t }: LanguageTexts): string[] => {
  const example = findFilledOrderExample(order);
  if (!example) return [];
  const { repo, filled } = example;
  return [
    campaignLine(t.example(repo)),
    ...filled.slice(0, MAX_FIELDS).map(({ field, text }) => {
      const isScript = field === 'command' && text.trim().includes('\n');
      const shown = isScript
        ? `\n<pre>${escapeBlock(text, MAX_SHOWN_SCRIPT_LENGTH)}</pre>`
        : ` ${codeLine(text, 300)}`;
      return `${campaignLine(t.filled[field])}:${shown}`;
    }),
    ...(filled.length > MAX_FIELDS ? [escapeLine(t.more(filled.length - MAX_FIELDS))] : []),
  ];
};

const hasVariable = (text: string): boolean => text.includes('{{');

/** Reverts carry the checks of their campaign, each repository its own. */
const commonChecks = ({ run, targets }: CampaignScene['order']): readonly string[] => {
  const [first] = targets;
  const own = first?.checks;
  return own && targets.every(({ checks }) => checks?.join('\n') === own.join('\n')) ? own : run.checks;
};

/** Settings that all repositories share; the example shows those that are filled in. */
const settingLines = (order: CampaignScene['order'], { campaign: t }: LanguageTexts): string[] => {
  const { base, branch, install } = order.run;
  const words = [
    ...(base === null || hasVariable(base) ? [] : [`${campaignLine(t.filled.base)}: ${codeLine(base, 100)}`]),
    ...(branch === null || hasVariable(branch)
      ? []
      : [`${campaignLine(t.filled.branch)}: ${codeLine(branch, 100)}`]),
    ...(install === 'none' ? [campaignLine(t.notInstalled)] : []),
  ];
  const plain = commonChecks(order).filter((check) => !hasVariable(check));
  const shown = plain.slice(0, MAX_FIELDS).map((check) => codeLine(check, 200));
  const more = plain.length > MAX_FIELDS ? [escapeLine(t.more(plain.length - MAX_FIELDS))] : [];
  return [
    ...words,
    ...(shown.length > 0 ? [`${campaignLine(t.checks)}: ${[...shown, ...more].join(' · ')}`] : []),
  ];
};

export const renderPreview = (
  scene: CampaignScene,
  words: LanguageTexts,
  { onHost }: { onHost: boolean },
) => {
  const { order } = scene;
  const {
    targets,
    excludedTargets: leftOut,
    unnamed = {},
    found = [],
    unseen,
    pace,
    run,
    estimate,
    expected,
    openings,
  } = order;
  const t = words.campaign;
  const groups = Map.groupBy(leftOut, ({ why }) => why);
  const more = Object.values(unnamed).reduce((n, one) => n + one, 0);
  return [
    ...found.map(({ query, repos, given, of, whole }) =>
      campaignLine(t.found(cutText(formatRepoQuery(query), 120), repos, given, of, whole)),
    ),
    `${escapeLine(run.engine, 40)} · ${campaignLine(t.takePart(targets.length, targets.length + leftOut.length + more))}`,
    repositoryNames(
      targets.map(({ repo }) => repo),
      words,
    ),
    ...[...groups].map(
      ([why, some]) =>
        `${campaignLine(t.out(some.length + (unnamed[why] ?? 0), t.leftOut[why]))}: ${repositoryNames(
          some.map(({ repo, by }) => (by === null || by === repo ? repo : `${repo} (${by})`)),
          words,
        )}`,
    ),
    ...(run.fixes
      ? [campaignLine(t.fixes(run.fixes.map(({ title }) => cutText(title, 60)).join(' · ')))]
      : []),
    ...settingLines(order, words),
    ...waveLines(scene, words),
    ...exampleLines(order, words),
    ...(unseen > 0 ? [campaignLine(t.unseen(unseen))] : []),
    '',
    ...(targets.length > 1 ? paceLines(scene, words) : []),
    ...(pace.hours === undefined ? [] : [campaignLine(t.hours(pace.hours))]),
    ...(openings === undefined ? [] : [campaignLine(windowText(openings, words))]),
    ...(run.pull === undefined
      ? []
      : [campaignLine(pullText(run.pull, words))].filter((line) => line !== '')),
    ...(run.approvers ? [campaignLine(t.approvers(run.approvers.join(', ')))] : []),
    ...(estimate
      ? [
          campaignLine(
            t.estimate(
              durationText(estimate.workMs, words.calendar),
              estimate.costUsd > 0 || run.engine === 'script' ? usdAmount(estimate.costUsd) : t.costUnknown,
              durationText(estimate.attentionMs, words.calendar),
              estimate.of,
            ),
          ),
        ]
      : costsNothing(order)
        ? [campaignLine(t.noEstimate)]
        : []),
    ...(costsNothing(order) ? [] : [campaignLine(forecastText(order, words))]),
    ...(expected ? [campaignLine(t.each(words.budgets.expected({ ...expected, ...limitsOf(run) })))] : []),
    ...cautionLines(order, words),
    '',
    ...(scene.times ? scheduleTimeLines(scene, words) : [campaignLine(startLine(scene, words, { onHost }))]),
    campaignLine(t.patience),
  ];
};

const costsNothing = ({ run, budgetUsd }: CampaignScene['order']): boolean =>
  run.engine === 'script' && (budgetUsd ?? run.campaignBudget) === undefined;

/** So many runs like it make the forecast more than a guess. */
const MANY_RUNS = 20;

/** P7: what all of it may cost, how sure that is, and its limit. */
const forecastText = (
  { targets, expected, budgetUsd, run }: CampaignScene['order'],
  words: LanguageTexts,
): string => {
  const { campaign: t } = words;
  const each = budgetUsd === undefined ? undefined : { costUsd: budgetUsd };
  const amount = stricterBudget(each, run.campaignBudget);
  const mostUsd = amount?.costUsd;
  const tokens = amount !== undefined && 'tokens' in amount ? amount.tokens : undefined;
  const limits = [
    mostUsd === undefined ? '' : usdAmount(mostUsd),
    tokens === undefined ? '' : words.costs.tokens(tokens),
  ].filter((text) => text !== '');
  const limit = limits.length > 0 ? limits.join(' · ') : null;
  if (!expected) return t.forecastNone(limit);
  const { runs, costUsd } = expected;
  if (!costUsd) return t.forecastUntold(runs, limit);
  const [low, high] = [costUsd.low * targets.length, costUsd.high * targets.length];
  const isShort = mostUsd !== undefined && high > mostUsd;
  return t.forecast(usdAmount(low), usdAmount(high), runs, runs >= MANY_RUNS, limit, isShort);
};

const startLine = (
  { campaign, order, undo }: CampaignScene,
  { campaign: t }: LanguageTexts,
  { onHost }: { onHost: boolean },
): string => {
  if (!onHost) return undo ? t.undo.nothingYet : t.nothingYet;
  return t.startsOnHost(campaign.id, t.buttons[undo ? 'undo' : 'start'](order.targets.length));
};

const limitsOf = ({
  bounds,
}: CampaignScene['order']['run']): { limitMs: number; limitUsd: number | null } => ({
  limitMs: bounds.runMs,
  limitUsd: bounds.maxCostUsd,
});

/** E18: the person who starts the campaign must see these cautions, whoever ordered it. */
const cautionLines = ({ cautions = [], run }: CampaignScene['order'], words: LanguageTexts): string[] => {
  const limit = formatBudgetAmount('cost', run.bounds.maxCostUsd ?? 0, words);
  return cautions.map((one) => escapeLine(words.budgets.caution(one, limit), 500));
};

/** The steps that so many repositories take; the last one is repeated. */
const selectSteps = (all: readonly number[], left: number): number[] => {
  const sums = all.map((_, i) => all.slice(0, i).reduce((sum, step) => sum + step, 0));
  return all.filter((_, i) => (sums[i] ?? 0) < left);
};

const paceLines = (
  { order: { targets, pace, limits, undoes }, mostOpen = limits.perOwner }: CampaignScene,
  { campaign: t }: LanguageTexts,
): string[] => [
  ...(targets.length <= pace.canary
    ? // Those that come after others wait for them; their lines say for which.
      hasLinks(targets)
      ? []
      : [campaignLine(t.atOnce(targets.length))]
    : [
        campaignLine(t.canary(pace.canary, selectSteps(pace.steps, targets.length - pace.canary).join(', '))),
        campaignLine(t.next(pace.next)),
      ]),
  campaignLine(t.limits(limits.perDay, Math.min(limits.perOwner, mostOpen), limits.open)),
  ...(undoes === undefined
    ? [campaignLine(t.stops(wholePercent(pace.stop.failures), wholePercent(pace.stop.denials)))]
    : []),
];
