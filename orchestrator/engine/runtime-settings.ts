/**
 * What was set while we ran, over what the host's configuration says: kept in the ledger, with who
 * changed it, and in force at once.
 */
import { isWrong } from '../commands/command-problems.ts';
import {
  readSetting,
  SETTING_NAMES,
  settingKey,
  settingRow,
  type SettingLimits,
  type SettingValues,
  type SettingName,
} from '../commands/runtime-setting-rows.ts';
import type { Person } from '../core/order.ts';
import type { Ledger } from '../ports.ts';

export type RuntimeSettings = {
  /** What the host's configuration says. */
  base: SettingValues;
  limits: SettingLimits;
  now(): SettingValues;
  /** Reads them anew: another process may have changed one. */
  refresh(): Promise<void>;
  /** Null goes back to what the host says. */
  set(name: SettingName, value: string | null, by: Person): Promise<void>;
};

/** What the host's configuration says, and what it allows. */
export type SettingsHost = { base: SettingValues; limits: SettingLimits };
type Reading = { query: Pick<Ledger['query'], 'setting'> };
type Parts = SettingsHost & { ledger: Pick<Ledger, 'setSetting'> & Reading };

const keptIn = async ({ query }: Reading, limits: SettingLimits): Promise<Map<SettingName, string>> => {
  const kept = new Map<SettingName, string>();
  for (const name of SETTING_NAMES) {
    const text = await query.setting(settingKey(name));
    // What the host allows no more holds no more.
    if (text && !isWrong(readSetting(name, text, limits))) kept.set(name, text);
  }
  return kept;
};
const over = (base: SettingValues, kept: ReadonlyMap<SettingName, string>): SettingValues =>
  [...kept].reduce((values, [name, text]) => settingRow(name).write(values, text), base);

/** What holds now, for whoever only looks. */
export const currentSettings = async (
  ledger: Reading,
  { base, limits }: SettingsHost,
): Promise<SettingValues> => over(base, await keptIn(ledger, limits));

export const createRuntimeSettings = async ({ ledger, base, limits }: Parts): Promise<RuntimeSettings> => {
  let kept = await keptIn(ledger, limits);
  let values = over(base, kept);
  const refresh = async (): Promise<void> => {
    kept = await keptIn(ledger, limits);
    values = over(base, kept);
  };
  return {
    base,
    limits,
    now: () => values,
    refresh,
    async set(name, value, by) {
      await ledger.setSetting(settingKey(name), value ?? '', by);
      if (value === null) kept.delete(name);
      else kept.set(name, value);
      values = over(base, kept);
    },
  };
};
