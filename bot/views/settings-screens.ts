/** Renders all runtime settings on one screen, and each one with its allowed values. */
import {
  SETTING_NAMES,
  settingKey,
  settingRow,
  type SettingLimits,
  type SettingValues,
  type SettingName,
} from '#settings';
import { hasRoleAtLeast, type UserRole } from '#model/settings';
import type { SettingChange } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import { fitLines, momentText, codeLine, escapeLine } from '../text/telegram-html.ts';
import { buttonRows, type ScreenContent, type AnswerButton } from './screen-rows.ts';

export type SettingsScene = { now: SettingValues; base: SettingValues; limits: SettingLimits };

const lineButton = (text: string, line: string): AnswerButton => ({
  verb: 'say',
  text,
  runId: '',
  says: line,
});

export const formatSettingValue = (
  name: SettingName,
  value: string,
  { installation }: LanguageTexts,
): string => {
  const { kind } = settingRow(name);
  if (kind.is === 'number' && value !== 'off') return installation.units[kind.unit](Number(value));
  return value === 'off'
    ? installation.off[kind.is === 'number' && kind.unit !== 'percent' ? 'limit' : 'switch']
    : value === 'on'
      ? installation.on
      : value;
};

const installationLines = ({ now, base }: SettingsScene, words: LanguageTexts): string[] => [
  `<b>${escapeLine(words.installation.title)}</b>`,
  ...SETTING_NAMES.map((name) => {
    const row = settingRow(name);
    const value = row.read(now);
    const mark = value === row.read(base) ? '' : ' •';
    return `${escapeLine(words.installation.names[name])}: ${escapeLine(formatSettingValue(name, value, words))}${mark}`;
  }),
  escapeLine(words.installation.marked),
];

export const renderRuntimeSettings = (
  scene: SettingsScene,
  role: UserRole,
  words: LanguageTexts,
  rules: readonly string[],
): ScreenContent => ({
  html: fitLines([...installationLines(scene, words), ...rules.map((line) => escapeLine(line, 300))]),
  buttons: installationButtons(role, words),
});

const installationButtons = (role: UserRole, words: LanguageTexts): AnswerButton[][] => {
  const own = SETTING_NAMES.filter((name) => hasRoleAtLeast(role, settingRow(name).needs));
  return [
    ...buttonRows(
      own.map((name) => lineButton(words.installation.short[name], `/settings ${name}`)),
      3,
    ),
    ...(own.length > 0
      ? [
          [lineButton(words.installation.log, '/settings log')],
          [lineButton(words.installation.cards, '/insights')],
        ]
      : []),
    [lineButton(words.installation.all, '/settings')],
  ];
};

export const renderSetting = (
  name: SettingName,
  { now, base, limits }: SettingsScene,
  last: string | null,
  role: UserRole,
  words: LanguageTexts,
  note = '',
): ScreenContent => {
  const { installation } = words;
  const row = settingRow(name);
  const { kind } = row;
  const [value, usual] = [row.read(now), row.read(base)];
  const may = hasRoleAtLeast(role, row.needs);
  const settingCommand = (text: string): string => `/settings ${name} ${text}`;
  const choices =
    kind.is === 'choice'
      ? kind.of(limits)
      : kind.is === 'hours'
        ? ['off']
        : [
            ...new Set([
              ...nearbyValues(Number(value), kind.least, kind.most(limits)),
              ...(kind.off ? ['off'] : []),
            ]),
          ];
  const offered = choices.filter((one) => one !== value).slice(0, 6);
  return {
    html: fitLines([
      ...(note === '' ? [] : [escapeLine(note), '']),
      `<b>${escapeLine(installation.names[name])}</b>`,
      escapeLine(installation.does[name], 300),
      escapeLine(
        installation.now(formatSettingValue(name, value, words), formatSettingValue(name, usual, words)),
      ),
      ...(kind.is === 'number'
        ? [
            escapeLine(
              installation.range(
                installation.units[kind.unit](kind.least),
                installation.units[kind.unit](kind.most(limits)),
              ),
            ),
          ]
        : []),
      ...(last === null ? [] : [escapeLine(last)]),
      ...(may && kind.is !== 'choice' ? [codeLine(settingCommand(usual), 100)] : []),
    ]),
    buttons: may
      ? [
          ...buttonRows(
            offered.map((one) => lineButton(formatSettingValue(name, one, words), settingCommand(one))),
            2,
          ),
          ...(value === usual ? [] : [[lineButton(installation.reset, settingCommand('default'))]]),
          [lineButton(installation.title, '/settings runs')],
        ]
      : [],
  };
};

const nearbyValues = (value: number, least: number, most: number): string[] => {
  if (Number.isNaN(value)) return [String(least)];
  const near = value >= 8 ? [value / 2, value * 2] : [value - 1, value + 1];
  return near
    .map((one) => (one >= 1 ? Math.round(one) : one))
    .filter((one) => one >= least && one <= most)
    .map(String);
};

export const settingChangeLine = (
  change: SettingChange,
  now: number,
  words: LanguageTexts,
): string | null => {
  const { installation, roles } = words;
  const by = change.by === null ? installation.host : change.by.name;
  const at = momentText(change.at, now, words.calendar);
  if (change.what === 'setting') {
    const name = SETTING_NAMES.find((one) => settingKey(one) === change.key);
    if (name === undefined) return null;
    const value = change.value === '' ? installation.usual : formatSettingValue(name, change.value, words);
    return installation.changed(at, by, `${installation.names[name]}: ${value}`);
  }
  const role = change.role === null ? installation.noRights : roles.names[change.role];
  return installation.changed(at, by, `${change.name}: ${role}`);
};

export const renderSettingChanges = (
  changes: readonly SettingChange[],
  now: number,
  words: LanguageTexts,
): ScreenContent => {
  const lines = changes.map((one) => settingChangeLine(one, now, words)).filter((one) => one !== null);
  return {
    html: fitLines([
      `<b>${escapeLine(words.installation.log)}</b>`,
      ...(lines.length === 0
        ? [escapeLine(words.installation.never)]
        : lines.slice(0, 20).map((one) => escapeLine(one, 200))),
    ]),
    buttons: [[lineButton(words.installation.all, '/settings')]],
  };
};
