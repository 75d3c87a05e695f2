/** What an admin may change while the product runs: the rows of settings, and what is in force. */
export {
  BUDGET_NAMES,
  type BudgetName,
  promptExperimentOf,
  readSetting,
  settingKey,
  settingRow,
  SETTING_NAMES,
  parseSettingName,
  type SettingName,
  type SettingLimits,
  type SettingValues,
} from './runtime-setting-rows.ts';
export {
  createRuntimeSettings,
  currentSettings,
  type SettingsHost,
  type RuntimeSettings,
} from './runtime-settings.io.ts';
