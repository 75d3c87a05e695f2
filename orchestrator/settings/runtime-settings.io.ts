/** Settings changed at run time, stored in the ledger over the host's configuration. */
import { isWrongArgument } from '#model/chat';
import type { Person } from '#model/order';
import {
  readSetting,
  SETTING_NAMES,
  settingKey,
  settingRow,
  type SettingLimits,
  type SettingValues,
  type SettingName,
} from './runtime-setting-rows.ts';
import { isOpeningDelay } from '#model/limits';
import type { Ledger } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';

export type RuntimeSettings = {
  base: SettingValues;
  limits: SettingLimits;
  now(): SettingValues;
  /** Reloads settings, which another process may have changed. */
  refresh(): Promise<void>;
  /** Null restores the host's value. */
  set(name: SettingName, value: string | null, by: Person): Promise<void>;
};

export type SettingsHost = { base: SettingValues; limits: SettingLimits };
type Reading = { query: Pick<Ledger['query'], 'setting'> };
type Parts = SettingsHost & {
  ledger: Pick<Ledger, 'setSetting' | 'hurry'> & { query: Pick<Ledger['query'], 'setting' | 'runs'> };
  clock: SystemClock;
};

const MAX_WAITING_READ = 1_000;
/** G10: what waits for its hours or a cap looks again. */
const hurryOpenings = async ({ ledger, clock }: Parts): Promise<void> => {
  for (const { id, lifecycle } of await ledger.query.runs({ live: true, limit: MAX_WAITING_READ }))
    if (lifecycle.reason.kind === 'write_slot_wait' && isOpeningDelay(lifecycle.reason))
      await ledger.hurry(id, clock.now(), 'opening');
};

const readStoredSettings = async (
  { query }: Reading,
  limits: SettingLimits,
  names: readonly SettingName[] = SETTING_NAMES,
): Promise<Map<SettingName, string>> => {
  const kept = new Map<SettingName, string>();
  for (const name of names) {
    const text = await query.setting(settingKey(name));
    if (!text) continue;
    const read = readSetting(name, text, limits);
    // Ignores stored values that the host no longer allows.
    if (!isWrongArgument(read)) kept.set(name, read.value);
  }
  return kept;
};
const applyStored = (base: SettingValues, kept: ReadonlyMap<SettingName, string>): SettingValues =>
  [...kept].reduce((values, [name, text]) => settingRow(name).write(values, text), base);

export const currentSettings = async (
  ledger: Reading,
  { base, limits }: SettingsHost,
  names?: readonly SettingName[],
): Promise<SettingValues> => applyStored(base, await readStoredSettings(ledger, limits, names));

export const createRuntimeSettings = async (parts: Parts): Promise<RuntimeSettings> => {
  const { ledger, base, limits } = parts;
  let kept = await readStoredSettings(ledger, limits);
  let values = applyStored(base, kept);
  const refresh = async (): Promise<void> => {
    kept = await readStoredSettings(ledger, limits);
    values = applyStored(base, kept);
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
      values = applyStored(base, kept);
      // guard: G10-set-at-once
      if (settingRow(name).holds === 'at_once') await hurryOpenings(parts);
    },
  };
};
