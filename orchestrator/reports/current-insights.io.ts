/** Advice as settings that an admin can apply, and the measured effect of earlier changes (O7). */
import { isWrongArgument } from '#model/chat';
import { BUDGET_KINDS, type BudgetKind } from '#model/limits';
import { reportStart, type ReportDays } from '#model/reports';
import {
  readSetting,
  SETTING_NAMES,
  settingKey,
  settingRow,
  type SettingLimits,
  type SettingValues,
  type SettingName,
} from '#settings';
import {
  insightsOf,
  measureChangeEffect,
  type InsightAdvice,
  type AttentionInsights,
  type ChangeEffect,
} from './insights.ts';
import type { RunFigures } from './run-figures.ts';
import type { SettingChange, LedgerQueries } from '#ports/ledger';
import type { FigureRecords } from './fold-figures.io.ts';

type SettingOffer = { advice: InsightAdvice; setting: SettingName; to: string };
type FollowedChange = {
  name: SettingName;
  change: SettingChange & { what: 'setting' };
  measured: ChangeEffect;
};
export type InsightsNow = {
  insights: AttentionInsights;
  offers: SettingOffer[];
  followed: FollowedChange[];
  late: boolean;
};

const NO_AGENT = 'script';
const WIDER_LIMIT_FACTOR = 1.5;

type Wish = { setting: SettingName; to: string };
const wishOf = (advice: InsightAdvice, values: SettingValues): Wish | null => {
  switch (advice.change) {
    case 'engine':
      return [advice.from, advice.to].includes(NO_AGENT) ? null : { setting: 'engine', to: advice.to };
    case 'prompt':
      return { setting: 'prompt', to: advice.to };
    case 'pushes':
      return { setting: 'pushes', to: 'on' };
    case 'budget': {
      const setting = SETTING_NAMES.find((name) => name === advice.budget);
      const now = setting && Number(settingRow(setting).read(values));
      if (setting === undefined || !now) return null;
      const more =
        setting === 'cost'
          ? Math.round(now * WIDER_LIMIT_FACTOR * 100) / 100
          : Math.ceil(now * WIDER_LIMIT_FACTOR);
      return { setting, to: String(more) };
    }
  }
};

/** Omits settings that already hold or that the host forbids. */
const offersOf = (
  { advice }: AttentionInsights,
  values: SettingValues,
  limits: SettingLimits,
): SettingOffer[] =>
  advice.flatMap((one) => {
    const wish = wishOf(one, values);
    const read = wish && readSetting(wish.setting, wish.to, limits);
    if (!wish || !read || isWrongArgument(read) || settingRow(wish.setting).read(values) === read.value)
      return [];
    return [{ advice: one, setting: wish.setting, to: read.value }];
  });

const MOST_CHANGES = 100;
const measureFollowed = (
  runs: readonly RunFigures[],
  changes: readonly SettingChange[],
  about: { since: number; until: number },
): FollowedChange[] => {
  const seen = new Set<SettingName>();
  return changes.flatMap((change) => {
    if (change.what !== 'setting' || change.at < about.since) return [];
    const name = SETTING_NAMES.find((one) => settingKey(one) === change.key);
    if (name === undefined || seen.has(name)) return [];
    seen.add(name);
    return [{ name, change, measured: measureChangeEffect(runs, change.at, about) }];
  });
};

const limitsChanged = (changes: readonly SettingChange[]): Partial<Record<BudgetKind, number>> =>
  Object.fromEntries(
    BUDGET_KINDS.flatMap((budget) => {
      const setting = SETTING_NAMES.find((name) => name === budget);
      const times = changes.flatMap((one) =>
        one.what === 'setting' && setting && one.key === settingKey(setting) ? [one.at] : [],
      );
      return times.length === 0 ? [] : [[budget, Math.max(...times)]];
    }),
  );

export const readCurrentInsights = async (
  parts: {
    figures: FigureRecords;
    query: Pick<LedgerQueries, 'changes'>;
    values: SettingValues;
    limits: SettingLimits;
  },
  days: ReportDays,
  now: number,
  until?: () => boolean,
): Promise<InsightsNow> => {
  const { figures, query, values, limits } = parts;
  const whole = await figures.refresh(until);
  const about = { since: reportStart(days, now), until: now };
  const runs = await figures.since(about.since);
  const usual = { engine: values.engine, prompt: values.promptVersion };
  const changes = await query.changes(MOST_CHANGES);
  const insights = insightsOf(runs, about, usual, limitsChanged(changes));
  return {
    insights,
    offers: offersOf(insights, values, limits),
    followed: measureFollowed(runs, changes, about),
    late: !whole,
  };
};
