/** The settings that an admin may change: values, rights, and effect on new runs. Pure. */
import type { OpeningCaps } from '#model/opening';
import type { RunBounds } from '#model/limits';
import { normalizeHours } from '#model/schedule';
import type { PromptExperiment } from '#model/order';
import type { UserRole } from '#model/settings';
import { nearestWord, DAY, HOUR, MINUTE } from '#model/values';
import { toWrongArgument, type WrongArgument } from '#model/chat';

/** P7: of everything in a day and a month, of each person in a month, of each campaign. */
export const BUDGET_NAMES = ['day', 'month', 'person', 'campaign'] as const;
export type BudgetName = (typeof BUDGET_NAMES)[number];

export type SettingValues = {
  engine: string;
  promptVersion: string;
  /** Percentage of runs that try the newest other prompts; null for none. */
  trialPercent: number | null;
  bounds: RunBounds;
  maxParallelRuns: number;
  maxRunsPerDay: number;
  /** G10: of the whole installation; a number that is absent is no limit. */
  caps?: OpeningCaps;
  /** P7: dollars above a run; one that is absent is no limit. */
  budgets?: Partial<Record<BudgetName, number>>;
  /** G10: pull requests are opened only then; absent: always. */
  openingHours?: string;
};
/** Limits that only the host's configuration can raise. */
export type SettingLimits = { engines: readonly string[]; prompts: readonly string[]; parallel: number };

type SettingUnit =
  | 'percent'
  | 'minutes'
  | 'hours'
  | 'days'
  | 'tokens'
  | 'dollars'
  | 'runs'
  | 'rounds'
  | 'people'
  | 'pulls';
type Kind =
  | { is: 'choice'; of: (limits: SettingLimits) => readonly string[] }
  | { is: 'hours' }
  | { is: 'number'; unit: SettingUnit; least: number; most: (limits: SettingLimits) => number; off: boolean };

type Row = {
  needs: UserRole;
  /** Limits of the installation hold at once; a run keeps the others as they were when it started. */
  holds: 'at_once' | 'new_runs';
  kind: Kind;
  read: (values: SettingValues) => string;
  write: (values: SettingValues, text: string) => SettingValues;
};

const OFF = 'off';
const withBounds = (values: SettingValues, bounds: Partial<RunBounds>): SettingValues => ({
  ...values,
  bounds: { ...values.bounds, ...bounds },
});

type Counted = { [K in keyof RunBounds]: RunBounds[K] extends number ? K : never }[keyof RunBounds];
type Limited = 'maxTokens' | 'maxCostUsd';
type Switched = { [K in keyof RunBounds]: RunBounds[K] extends boolean ? K : never }[keyof RunBounds];

const countRow = (key: Counted, unit: SettingUnit, least: number, most: number, each = 1): Row => ({
  needs: 'admin',
  holds: 'new_runs',
  kind: { is: 'number', unit, least, most: () => most, off: false },
  read: ({ bounds }) => String(bounds[key] / each),
  write: (values, text) => withBounds(values, { [key]: Number(text) * each }),
});
const limitRow = (key: Limited, unit: SettingUnit, least: number, most: number): Row => ({
  needs: 'admin',
  holds: 'new_runs',
  kind: { is: 'number', unit, least, most: () => most, off: true },
  read: ({ bounds }) => (bounds[key] === null ? OFF : String(bounds[key])),
  write: (values, text) => withBounds(values, { [key]: text === OFF ? null : Number(text) }),
});
const onOff = (key: Switched): Row => ({
  needs: 'admin',
  holds: 'new_runs',
  kind: { is: 'choice', of: () => ['on', OFF] },
  read: ({ bounds }) => (bounds[key] ? 'on' : OFF),
  write: (values, text) => withBounds(values, { [key]: text === 'on' }),
});
const installationRow = (
  key: 'maxParallelRuns' | 'maxRunsPerDay',
  most: (limits: SettingLimits) => number,
): Row => ({
  needs: 'admin',
  holds: 'at_once',
  kind: { is: 'number', unit: 'runs', least: 1, most, off: false },
  read: (values) => String(values[key]),
  write: (values, text) => ({ ...values, [key]: Number(text) }),
});

const cap = (key: keyof OpeningCaps, most: number): Row => ({
  needs: 'admin',
  holds: 'at_once',
  kind: { is: 'number', unit: 'pulls', least: 1, most: () => most, off: true },
  read: ({ caps = {} }) => (caps[key] === undefined ? OFF : String(caps[key])),
  write: (values, text) => {
    if (text === OFF && !values.caps) return values;
    const { [key]: _, ...others } = values.caps ?? {};
    return { ...values, caps: text === OFF ? others : { ...others, [key]: Number(text) } };
  },
});

const budgetRow = (key: BudgetName): Row => ({
  needs: 'admin',
  holds: 'at_once',
  kind: { is: 'number', unit: 'dollars', least: 0.01, most: () => 1_000_000, off: true },
  read: ({ budgets = {} }) => (budgets[key] === undefined ? OFF : String(budgets[key])),
  write: (values, text) => {
    if (text === OFF && !values.budgets) return values;
    const { [key]: _, ...others } = values.budgets ?? {};
    return { ...values, budgets: text === OFF ? others : { ...others, [key]: Number(text) } };
  },
});

const RUNTIME_SETTINGS = {
  engine: {
    needs: 'admin',
    holds: 'new_runs',
    kind: { is: 'choice', of: ({ engines }) => engines },
    read: ({ engine }) => engine,
    write: (values, text) => ({ ...values, engine: text }),
  },
  prompt: {
    needs: 'admin',
    holds: 'new_runs',
    kind: { is: 'choice', of: ({ prompts }) => prompts },
    read: ({ promptVersion }) => promptVersion,
    write: (values, text) => ({ ...values, promptVersion: text }),
  },
  trial: {
    needs: 'admin',
    holds: 'new_runs',
    kind: { is: 'number', unit: 'percent', least: 1, most: () => 50, off: true },
    read: ({ trialPercent }) => (trialPercent === null ? OFF : String(trialPercent)),
    write: (values, text) => ({ ...values, trialPercent: text === OFF ? null : Number(text) }),
  },
  parallel: installationRow('maxParallelRuns', ({ parallel }) => parallel),
  daily: installationRow('maxRunsPerDay', () => 1_000),
  time: countRow('runMs', 'minutes', 5, 1_440, MINUTE),
  tokens: limitRow('maxTokens', 'tokens', 1_000, 1_000_000_000),
  cost: limitRow('maxCostUsd', 'dollars', 0.01, 10_000),
  iterations: countRow('maxIterations', 'rounds', 0, 20),
  fixes: countRow('maxReflections', 'rounds', 0, 20),
  card: countRow('approvalMs', 'hours', 1, 720, HOUR),
  reminder: countRow('reminderMs', 'hours', 1, 168, HOUR),
  answer: countRow('answerMs', 'days', 1, 60, DAY),
  approvals: countRow('approvals', 'people', 1, 10),
  own: onOff('requesterMayApprove'),
  pushes: onOff('autoIterate'),
  ownercap: cap('openPerOwner', 1_000),
  repocap: cap('openPerRepository', 1_000),
  hourcap: cap('perHour', 1_000),
  daycap: cap('perDay', 1_000),
  daybudget: budgetRow('day'),
  monthbudget: budgetRow('month'),
  personbudget: budgetRow('person'),
  campaignbudget: budgetRow('campaign'),
  hours: {
    needs: 'admin',
    holds: 'at_once',
    kind: { is: 'hours' },
    read: ({ openingHours }) => openingHours ?? OFF,
    write: ({ openingHours: _, ...values }, text) =>
      text === OFF ? values : { ...values, openingHours: text },
  },
} as const satisfies Record<string, Row>;

/** E7: the prompt experiment of orders without a prompt version; null when there is none. */
export const promptExperimentOf = (
  { promptVersion, trialPercent }: Pick<SettingValues, 'promptVersion' | 'trialPercent'>,
  { prompts }: Pick<SettingLimits, 'prompts'>,
): PromptExperiment | null => {
  const other = prompts.findLast((version) => version !== promptVersion);
  return trialPercent === null || other === undefined ? null : { other, percent: trialPercent };
};

export type SettingName = keyof typeof RUNTIME_SETTINGS;
export const SETTING_NAMES = Object.keys(RUNTIME_SETTINGS) as SettingName[];
export const settingRow = (name: SettingName): Row => RUNTIME_SETTINGS[name];
export const settingKey = (name: SettingName): string => `set:${name}`;

const CHAT_SETTING_NAMES = ['language', 'signoff', 'quiet', 'log', 'runs'];

export const parseSettingName = (text: string): { name: SettingName } | WrongArgument => {
  const said = text.toLowerCase();
  const known = SETTING_NAMES.find((name) => name === said);
  const all = [...SETTING_NAMES, ...CHAT_SETTING_NAMES];
  if (known) return { name: known };
  return toWrongArgument({
    kind: 'setting',
    text: text.slice(0, 40),
    near: nearestWord(said, all),
    all: all.join(', '),
  });
};

export const readSetting = (
  name: SettingName,
  text: string,
  limits: SettingLimits,
): { value: string } | WrongArgument => {
  const { kind } = settingRow(name);
  const said = text.trim().toLowerCase();
  if (kind.is === 'choice') {
    const all = kind.of(limits);
    const value = all.find((one) => one === said);
    return value === undefined
      ? toWrongArgument({ kind: 'choice', setting: name, text: text.slice(0, 40), all: all.join(', ') })
      : { value };
  }
  if (kind.is === 'hours') {
    if (said === OFF) return { value: OFF };
    const hours = normalizeHours(text.trim().split(/\s+/).join(' '));
    if (typeof hours === 'string') return { value: hours };
    if (hours.rule === 'zone') return toWrongArgument({ kind: 'zone', zone: hours.zone, near: hours.near });
    const all = `${OFF}, mon-fri 09:00-17:00 Europe/Berlin`;
    return toWrongArgument({ kind: 'choice', setting: name, text: text.slice(0, 40), all });
  }
  const [least, most] = [kind.least, kind.most(limits)];
  if (kind.off && said === OFF) return { value: OFF };
  const figure = kind.unit === 'dollars' ? said.replace(/^\$/, '') : said;
  const number = /^(?:\d{1,3}(?:[,_]\d{3})+|\d+)(?:\.\d{1,2})?k?$/.test(figure)
    ? Math.round(Number(figure.replace(/[,_k]/g, '')) * (said.endsWith('k') ? 100_000 : 100)) / 100
    : NaN;
  const whole = kind.unit === 'dollars' || Number.isInteger(number);
  if (whole && number >= least && number <= most) return { value: String(number) };
  return toWrongArgument({
    kind: 'bounds',
    setting: name,
    text: text.slice(0, 40),
    least,
    most,
    off: kind.off,
  });
};
