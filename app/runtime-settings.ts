/** Merges runtime settings from the chat with the host's configuration. */
import type { EngineParts } from '../bot/commands/command-context.ts';
import { ENGINE_NAMES } from '#engines';
import {
  BUDGET_NAMES,
  type BudgetName,
  promptExperimentOf,
  createRuntimeSettings,
  currentSettings,
  type SettingsHost,
  type SettingValues,
  type RuntimeSettings,
} from '#settings';
import type { OpeningCapSettings, OpeningSettings } from '#limits';
import type { RulesInForce } from '#views';
import type { SpendingBudgets } from '#model/spending';
import { type OpeningCaps } from '#model/opening';
import { RunBounds } from '#model/limits';
import type { FileSettings } from './settings-schema.ts';
import { MINUTE } from '#model/values';
import type { EffectContext } from '#kernel';
import type { Ledger } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';
import type { WorkConfig } from './config.ts';
import { listSkillVersions } from './skills.ts';

export const USUAL_PROMPTS = 'v3';

const capsIn = ({ caps: { strangers: _, ...caps } }: Pick<FileSettings, 'caps'>): OpeningCaps => caps;

/** G10: what admins set in the chat holds in place of the file’s. */
export const openingsInForce = (
  { openings: { hours: _, ...openings }, caps: { strangers } }: Pick<FileSettings, 'openings' | 'caps'>,
  { openingHours, caps = {} }: SettingValues,
): { windows: OpeningSettings; caps: OpeningCapSettings } => ({
  windows: { ...openings, ...(openingHours === undefined ? {} : { hours: openingHours }) },
  caps: { ...caps, strangers },
});

const dollarsIn = ({ budgets }: Pick<FileSettings, 'budgets'>): NonNullable<SettingValues['budgets']> => {
  const amounts = { ...budgets, person: budgets.person?.month };
  return Object.fromEntries(
    BUDGET_NAMES.flatMap((name) => {
      const { [name]: amount } = amounts;
      return amount?.costUsd === undefined ? [] : [[name, amount.costUsd]];
    }),
  );
};

/** P7: dollars that admins set in the chat hold in place of the file’s; its tokens stay. */
export const budgetsInForce = (
  { budgets }: Pick<FileSettings, 'budgets'>,
  { budgets: dollars = {} }: SettingValues,
): SpendingBudgets => {
  const amountOf = (name: BudgetName, amount: SpendingBudgets['day']): SpendingBudgets['day'] => {
    const tokens = amount && 'tokens' in amount ? amount.tokens : undefined;
    const { [name]: costUsd } = dollars;
    if (costUsd === undefined && tokens === undefined) return undefined;
    return { ...(costUsd === undefined ? {} : { costUsd }), ...(tokens === undefined ? {} : { tokens }) };
  };
  return {
    ...budgets,
    day: amountOf('day', budgets.day),
    month: amountOf('month', budgets.month),
    campaign: amountOf('campaign', budgets.campaign),
    person: { ...budgets.person, month: amountOf('person', budgets.person?.month) },
  };
};

export const readRulesInForce = async (
  { engine, file }: Pick<WorkConfig, 'engine' | 'file'>,
  ledger: { query: Pick<Ledger['query'], 'setting'> } | null,
): Promise<RulesInForce> => {
  const host = settingsHostOf({ engine, file });
  const values = ledger ? await currentSettings(ledger, host) : host.base;
  return {
    values,
    windows: openingsInForce(file, values).windows,
    strangers: file.caps.strangers,
    budgets: budgetsInForce(file, values),
    pull: file.pull,
    custom: file.policies.custom,
  };
};

const BUDGET_SETTINGS = BUDGET_NAMES.map((name) => `${name}budget` as const);
/** As the ledger has it now, because another process may have changed it. */
export const readBudgets = async (
  ledger: { query: Pick<Ledger['query'], 'setting'> },
  config: Pick<WorkConfig, 'engine' | 'file'>,
): Promise<SpendingBudgets> =>
  budgetsInForce(config.file, await currentSettings(ledger, settingsHostOf(config), BUDGET_SETTINGS));

export const settingsHostOf = ({ engine, file }: Pick<WorkConfig, 'engine' | 'file'>): SettingsHost => {
  const { maxParallelRuns, maxRunsPerDay } = file;
  const bounds = RunBounds.parse(file.bounds);
  return {
    base: {
      engine,
      promptVersion: USUAL_PROMPTS,
      trialPercent: null,
      bounds,
      maxParallelRuns,
      maxRunsPerDay,
      caps: capsIn(file),
      budgets: dollarsIn(file),
      ...(file.openings.hours === undefined ? {} : { openingHours: file.openings.hours }),
    },
    limits: { engines: ENGINE_NAMES, prompts: listSkillVersions(), parallel: maxParallelRuns },
  };
};
export const openRuntimeSettings = (
  config: WorkConfig,
  ledger: Ledger,
  clock: SystemClock,
): Promise<RuntimeSettings> => createRuntimeSettings({ ledger, clock, ...settingsHostOf(config) });

/** Getters, so that changes apply at once. */
export const effectSettings = (
  { file }: WorkConfig,
  runtimeSettings: RuntimeSettings,
): EffectContext['settings'] => ({
  get maxParallelRuns() {
    return runtimeSettings.now().maxParallelRuns;
  },
  get maxRunsPerDay() {
    return runtimeSettings.now().maxRunsPerDay;
  },
  policies: file.policies,
  forks: file.forks,
  pull: file.pull,
  author: file.author,
  checkTimeoutMs: file.checkTimeoutMinutes * MINUTE,
});

export const createOrderDefaults = (
  { file }: WorkConfig,
  runtimeSettings: RuntimeSettings,
): EngineParts['defaults'] => ({
  get engine() {
    return runtimeSettings.now().engine;
  },
  script: file.script ? [file.script] : [],
  get bounds() {
    return runtimeSettings.now().bounds;
  },
  get promptVersion() {
    return runtimeSettings.now().promptVersion;
  },
  get trial() {
    return promptExperimentOf(runtimeSettings.now(), runtimeSettings.limits);
  },
});
