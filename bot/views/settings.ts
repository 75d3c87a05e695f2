/** Row 16: the settings of the house in one screen, and each of them with what it may be. */
import {
  SETTING_NAMES,
  settingKey,
  settingRow,
  type HouseLimits,
  type HouseValues,
  type SettingName,
} from '../../orchestrator/commands/settings.ts';
import { atLeast, type Role } from '../../orchestrator/core/roles.ts';
import type { HouseChange } from '../../orchestrator/ports.ts';
import type { Texts } from '../language/language.ts';
import { fit, moment, said, show } from '../text/text.ts';
import { pairs, type Answer, type AnswerButton } from './fleet.ts';

export type HouseScene = { now: HouseValues; base: HouseValues; limits: HouseLimits };

const says = (text: string, line: string): AnswerButton => ({ verb: 'say', text, runId: '', says: line });

export const valueOf = (name: SettingName, value: string, { house }: Texts): string => {
  const { kind } = settingRow(name);
  if (kind.is === 'number' && value !== 'off') return house.units[kind.unit](Number(value));
  return value === 'off'
    ? house.off[name === 'tokens' || name === 'cost' ? 'limit' : 'switch']
    : value === 'on'
      ? house.on
      : value;
};

/** All of them, with what holds. */
const houseLines = ({ now, base }: HouseScene, words: Texts): string[] => [
  `<b>${show(words.house.title)}</b>`,
  ...SETTING_NAMES.map((name) => {
    const row = settingRow(name);
    const value = row.read(now);
    const mark = value === row.read(base) ? '' : ' •';
    return `${show(words.house.names[name])}: ${show(valueOf(name, value, words))}${mark}`;
  }),
  show(words.house.marked),
];

/** A page of their own: a phone is small. */
export const renderHouse = (scene: HouseScene, role: Role, words: Texts): Answer => ({
  html: fit(houseLines(scene, words)),
  buttons: houseButtons(role, words),
});

const houseButtons = (role: Role, words: Texts): AnswerButton[][] => {
  const own = SETTING_NAMES.filter((name) => atLeast(role, settingRow(name).needs));
  return [
    ...pairs(
      own.map((name) => says(words.house.short[name], `/settings ${name}`)),
      3,
    ),
    ...(own.length > 0
      ? [[says(words.house.log, '/settings log')], [says(words.house.cards, '/insights')]]
      : []),
    [says(words.house.all, '/settings')],
  ];
};

/** One setting: what it does, what it is, what it may be. `note` is what was just done. */
export const renderSetting = (
  name: SettingName,
  { now, base, limits }: HouseScene,
  last: string | null,
  role: Role,
  words: Texts,
  note = '',
): Answer => {
  const { house } = words;
  const row = settingRow(name);
  const { kind } = row;
  const [value, usual] = [row.read(now), row.read(base)];
  const may = atLeast(role, row.needs);
  const line = (text: string): string => `/settings ${name} ${text}`;
  const choices =
    kind.is === 'choice'
      ? kind.of(limits)
      : [...new Set([...steps(Number(value), kind.least, kind.most(limits)), ...(kind.off ? ['off'] : [])])];
  const offered = choices.filter((one) => one !== value).slice(0, 6);
  return {
    html: fit([
      ...(note === '' ? [] : [show(note), '']),
      `<b>${show(house.names[name])}</b>`,
      show(house.does[name], 300),
      show(house.now(valueOf(name, value, words), valueOf(name, usual, words))),
      ...(kind.is === 'number'
        ? [show(house.range(house.units[kind.unit](kind.least), house.units[kind.unit](kind.most(limits))))]
        : []),
      ...(last === null ? [] : [show(last)]),
      ...(may && kind.is === 'number' ? [said(line(usual), 100)] : []),
    ]),
    buttons: may
      ? [
          ...pairs(
            offered.map((one) => says(valueOf(name, one, words), line(one))),
            2,
          ),
          ...(value === usual ? [] : [[says(house.reset, line('default'))]]),
          [says(house.title, '/settings runs')],
        ]
      : [],
  };
};

/** Handy values around the one that holds. */
const steps = (value: number, least: number, most: number): string[] => {
  if (Number.isNaN(value)) return [String(least)];
  const near = value >= 8 ? [value / 2, value * 2] : [value - 1, value + 1];
  return near
    .map((one) => (one >= 1 ? Math.round(one) : one))
    .filter((one) => one >= least && one <= most)
    .map(String);
};

/** Who changed what of it, newest first. */
export const changeLine = (change: HouseChange, now: number, words: Texts): string | null => {
  const { house, roles } = words;
  const by = change.by === null ? house.host : change.by.name;
  const at = moment(change.at, now, words.calendar);
  if (change.what === 'setting') {
    const name = SETTING_NAMES.find((one) => settingKey(one) === change.key);
    if (name === undefined) return null;
    const value = change.value === '' ? house.usual : valueOf(name, change.value, words);
    return house.changed(at, by, `${house.names[name]}: ${value}`);
  }
  const role = change.role === null ? house.noRights : roles.names[change.role];
  return house.changed(at, by, `${change.name}: ${role}`);
};

export const renderChanges = (changes: readonly HouseChange[], now: number, words: Texts): Answer => {
  const lines = changes.map((one) => changeLine(one, now, words)).filter((one) => one !== null);
  return {
    html: fit([
      `<b>${show(words.house.log)}</b>`,
      ...(lines.length === 0 ? [show(words.house.never)] : lines.slice(0, 20).map((one) => show(one, 200))),
    ]),
    buttons: [[says(words.house.all, '/settings')]],
  };
};
