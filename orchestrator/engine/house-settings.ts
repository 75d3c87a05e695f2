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
  /** Reads them anew: another process may have changed one. */
  refresh(): Promise<void>;
  /** Null goes back to what the host says. */
  set(name: SettingName, value: string | null, by: Person): Promise<void>;
};

/** What the host's configuration says, and what it allows. */
export type HouseHost = { base: HouseValues; limits: HouseLimits };
type Reading = { query: Pick<Ledger['query'], 'setting'> };
type Parts = HouseHost & { ledger: Pick<Ledger, 'setSetting'> & Reading };

const keptIn = async ({ query }: Reading, limits: HouseLimits): Promise<Map<SettingName, string>> => {
  const kept = new Map<SettingName, string>();
  for (const name of SETTING_NAMES) {
    const text = await query.setting(settingKey(name));
    // What the host allows no more holds no more.
    if (text && !isWrong(readSetting(name, text, limits))) kept.set(name, text);
  }
  return kept;
};
const over = (base: HouseValues, kept: ReadonlyMap<SettingName, string>): HouseValues =>
  [...kept].reduce((values, [name, text]) => settingRow(name).write(values, text), base);

/** What holds now, for whoever only looks. */
export const houseNow = async (ledger: Reading, { base, limits }: HouseHost): Promise<HouseValues> =>
  over(base, await keptIn(ledger, limits));

export const createHouseSettings = async ({ ledger, base, limits }: Parts): Promise<HouseSettings> => {
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
