/** Lists the operator's rules in force: policies, hours, caps, budgets, how pull requests open. Plain text. */
import { windowFor, type OpeningCapSettings, type OpeningSettings } from '#limits';
import { joinPullOptions, pullOpeningOf, type PullOptions, type PullSettings } from '#model/opening';
import { findNextClosing, openingsClosedUntil, timeZoneOfHours, type OpeningWindow } from '#model/schedule';
import type { CustomPolicy } from '#model/settings';
import type { SpendingBudgets } from '#model/spending';
import { SETTING_NAMES, settingRow, type SettingName, type SettingValues } from '#settings';
import type { LanguageTexts } from '../language/languages.ts';
import { momentText, stripMarkup } from '../text/telegram-html.ts';
import { pullOpeningText } from './pull-lines.ts';
import { usdAmount } from './reports/report-screen.ts';
import { formatSettingValue } from './settings-screens.ts';

export type OpeningRules = { windows: OpeningSettings; pull: PullSettings };
export type RulesInForce = OpeningRules & {
  values: SettingValues;
  strangers: OpeningCapSettings['strangers'];
  budgets: SpendingBudgets;
  custom: readonly CustomPolicy[];
};

export const windowText = ({ hours, except = [] }: OpeningWindow, { rules }: LanguageTexts): string =>
  rules.openings(hours ?? null, except);

const hasWindow = ({ hours, except = [] }: OpeningWindow): boolean =>
  hours !== undefined || except.length > 0;

export const zoneOfWindows = (windows: readonly OpeningWindow[]): string => {
  const hours = windows.flatMap((window) => window.hours ?? [])[0];
  return hours === undefined ? 'UTC' : timeZoneOfHours(hours);
};

export const nextOpeningText = (
  windows: readonly OpeningWindow[],
  now: number,
  { rules, calendar }: LanguageTexts,
): string => {
  const until = openingsClosedUntil(windows, now);
  if (until === null) return '';
  return until === 0
    ? rules.neverOpen
    : rules.closedNow(momentText(until, now, calendar, zoneOfWindows(windows)));
};

const standingText = (window: OpeningWindow, now: number, words: LanguageTexts): string => {
  const closed = nextOpeningText([window], now, words);
  const closes = closed === '' ? findNextClosing([window], now) : null;
  if (closes === null) return closed;
  return words.rules.closesAt(momentText(closes, now, words.calendar, zoneOfWindows([window])));
};

export const pullText = (options: PullOptions, words: LanguageTexts): string =>
  stripMarkup(pullOpeningText(pullOpeningOf(options, { mayPush: true }), words));

export const openingRuleLines = (
  { windows, pull: { repositories: pullsThere, ...pull } }: OpeningRules,
  now: number,
  words: LanguageTexts,
): string[] => {
  const { rules } = words;
  const { repositories, ...all } = windows;
  const withStanding = (window: OpeningWindow): string =>
    [windowText(window, words), standingText(window, now, words)].filter((text) => text !== '').join('; ');
  const there = Object.keys(repositories).map((pattern) =>
    rules.there(
      pattern,
      withStanding(windowFor({ ...all, repositories: { [pattern]: repositories[pattern] ?? {} } }, pattern)),
    ),
  );
  const opens = pullText(pull, words);
  const opensThere = Object.entries(pullsThere).map(([pattern, options]) =>
    rules.there(pattern, pullText(joinPullOptions(pull, options), words)),
  );
  return [
    ...(hasWindow(all) ? [withStanding(all)] : []),
    ...there,
    ...(opens === '' ? [] : [opens]),
    ...opensThere,
  ];
};

const isLimit = (name: SettingName): boolean => /(?:cap|budget)$/.test(name);

const budgetThere = (
  { match, day, month }: SpendingBudgets['repositories'][number],
  { rules, costs }: LanguageTexts,
): string[] => {
  const amounts = { day, month };
  return (['day', 'month'] as const).flatMap((period) => {
    const { [period]: amount } = amounts;
    if (amount === undefined) return [];
    const texts = [
      ...(amount.costUsd === undefined ? [] : [usdAmount(amount.costUsd)]),
      ...('tokens' in amount && amount.tokens !== undefined ? [costs.tokens(amount.tokens)] : []),
    ];
    return [rules.budgetThere(match, costs.periods[period], texts)];
  });
};

const tokensLine = (
  name: SettingName,
  { budgets: { day, month, person, campaign } }: RulesInForce,
  { costs }: LanguageTexts,
): string => {
  const amounts: Partial<Record<SettingName, SpendingBudgets['day']>> = {
    daybudget: day,
    monthbudget: month,
    personbudget: person?.month,
    campaignbudget: campaign,
  };
  const amount = amounts[name];
  return amount && 'tokens' in amount && amount.tokens !== undefined ? costs.tokens(amount.tokens) : '';
};

export const ruleLines = (rulesNow: RulesInForce, now: number, words: LanguageTexts): string[] => {
  const { rules, installation, describeOwnPolicy, policyWords } = words;
  const { values, strangers, budgets, custom } = rulesNow;
  const own = custom.map((policy) => {
    const { escalates, denies } = describeOwnPolicy(policy);
    const says =
      denies === null ? policyWords.list.escalates(escalates ?? '') : policyWords.list.denies(denies);
    return `custom:${policy.id}: ${says}`;
  });
  const limits = SETTING_NAMES.filter(isLimit).flatMap((name) => {
    const value = settingRow(name).read(values);
    const amounts = [
      value === 'off' ? '' : formatSettingValue(name, value, words),
      tokensLine(name, rulesNow, words),
    ];
    const told = amounts.filter((text) => text !== '').join(' · ');
    return told === '' ? [] : [`${installation.names[name]}: ${told}`];
  });
  const { openPerOwner, openPerRepository, perHour, perDay } = strangers;
  return [
    ...own,
    ...openingRuleLines(rulesNow, now, words),
    ...limits,
    rules.strangers(openPerOwner, openPerRepository, perHour, perDay),
    ...budgets.repositories.flatMap((one) => budgetThere(one, words)),
  ];
};
