/**
 * What was set while we ran, over what the host's configuration says: kept in the ledger, with who
 * changed it, and in force at once.
 */
import { isWrong } from '../commands/problems.ts';
import {
  readSetting,
  SETTING_NAMES,
  settingKey,
  settingRow,
  type HouseLimits,
  type HouseValues,
  type SettingName,
} from '../commands/settings.ts';
import type { Person } from '../core/order.ts';
import type { Ledger } from '../ports.ts';

export type HouseSettings = {
  /** What the host's configuration says. */
  base: HouseValues;
  limits: HouseLimits;
  now(): HouseValues;
  /** Null goes back to what the host says. */
  set(name: SettingName, value: string | null, by: Person): Promise<void>;
};

type Parts = {
  ledger: Pick<Ledger, 'setSetting'> & { query: Pick<Ledger['query'], 'setting'> };
  base: HouseValues;
  limits: HouseLimits;
};

export const createHouseSettings = async ({ ledger, base, limits }: Parts): Promise<HouseSettings> => {
  const kept = new Map<SettingName, string>();
  for (const name of SETTING_NAMES) {
    const text = await ledger.query.setting(settingKey(name));
    // What the host allows no more holds no more.
    if (text && !isWrong(readSetting(name, text, limits))) kept.set(name, text);
  }
  const effective = (): HouseValues =>
    [...kept].reduce((values, [name, text]) => settingRow(name).write(values, text), base);
  let values = effective();
  return {
    base,
    limits,
    now: () => values,
    async set(name, value, by) {
      await ledger.setSetting(settingKey(name), value ?? '', by);
      if (value === null) kept.delete(name);
      else kept.set(name, value);
      values = effective();
    },
  };
};
