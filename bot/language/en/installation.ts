/** English texts for the runtime settings. Plain text, not escaped. */
import type { SettingName, SettingUnit } from '../../../orchestrator/commands/runtime-setting-rows.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';
import { groupDigits } from '../../text/catalogue.ts';

const names: Record<SettingName, string> = {
  engine: 'Usual engine',
  prompt: 'Prompt version',
  trial: 'Prompts on trial',
  parallel: 'Runs at the same time',
  daily: 'Runs started per day',
  time: 'Time per run',
  tokens: 'Tokens per run',
  cost: 'Cost per run',
  iterations: 'Fixes after a pull request',
  fixes: 'Fixes of failing checks',
  card: 'A card expires after',
  reminder: 'First reminder after',
  answer: 'Answers to reviewers within',
  approvals: 'Signatures needed',
  own: 'Approving your own request',
  pushes: 'Low-risk fixes without a card',
};

const short: Record<SettingName, string> = {
  engine: 'Engine',
  prompt: 'Prompts',
  trial: 'Trial',
  parallel: 'At once',
  daily: 'Per day',
  time: 'Time',
  tokens: 'Tokens',
  cost: 'Cost',
  iterations: 'PR fixes',
  fixes: 'Check fixes',
  card: 'Card',
  reminder: 'Reminder',
  answer: 'Answers',
  approvals: 'Signatures',
  own: 'Own requests',
  pushes: 'Low-risk fixes',
};

const does: Record<SettingName, string> = {
  engine: 'The agent that makes a change when the order names none.',
  prompt: 'The version of the prompts that agents get when the order names none.',
  trial:
    'How many of a hundred new runs get the newest other prompts, so that /insights can compare the two.',
  parallel: 'How many runs work at the same time, up to what the host’s configuration allows.',
  daily: 'How many runs may start within 24 hours; the rest wait in the queue.',
  time: 'What agents and checks of one run may take together. Approvers may grant more to a single run.',
  tokens: 'What the agents of one run may read and write.',
  cost: 'What the agents of one run may cost, in dollars.',
  iterations:
    'How often a run goes back to the agent after its pull request is open: red checks and change requests.',
  fixes: 'How often our failing checks go back to the agent before a person is called.',
  card: 'How long a card stays open. Then it closes, and a new one takes its place.',
  reminder: 'How long to wait before asking somebody again; each wait is twice as long as the last.',
  answer: 'How long a reviewer may wait for an answer before a person is called.',
  approvals: 'How many different approvers must sign a card.',
  own: 'Whether whoever asked for a change may also approve it.',
  pushes: 'Whether a low-risk fix of an open pull request is pushed without asking.',
};

const units: Record<SettingUnit, (n: number) => string> = {
  percent: (n) => `${n} % of runs`,
  minutes: (n) =>
    n >= 120 && n % 60 === 0 ? countWords(n / 60, 'hour', 'hours') : countWords(n, 'minute', 'minutes'),
  hours: (n) => countWords(n, 'hour', 'hours'),
  days: (n) => countWords(n, 'day', 'days'),
  tokens: (n) => `${groupDigits(n)} tokens`,
  dollars: (n) => `$${n}`,
  runs: (n) => countWords(n, 'run', 'runs'),
  rounds: (n) => countWords(n, 'time', 'times'),
  people: (n) => countWords(n, 'approver', 'approvers'),
};

export const enInstallation = {
  title: 'For new runs',
  marked: '• changed here; the rest is the host’s configuration.',
  names,
  short,
  does,
  units,
  on: 'on',
  off: { switch: 'off', limit: 'no limit' },
  now: (value: string, usual: string) =>
    value === usual ? `Now: ${value}.` : `Now: ${value}; the host says ${usual}.`,
  range: (least: string, most: string) => `From ${least} to ${most}. Write another value like this:`,
  reset: 'Use the host’s value',
  usual: 'the host’s value',
  all: 'All settings',
  log: 'Who changed what',
  cards: 'What costs attention',
  kinds: { open_pr: 'Pull requests', push: 'Pushes', reply: 'Answers to reviews' },
  host: 'the host',
  never: 'Nothing has been changed here yet.',
  noRights: 'no rights from now on',
  changed: (at: string, by: string, what: string) => `${at} · ${by} · ${what}`,
  set: (name: string, value: string) =>
    `Recorded. ${name}: ${value}. It holds for runs that start from now on.`,
  quiet: (hours: string | null) => (hours === null ? 'Quiet hours: none.' : `Quiet hours: ${hours}.`),
  quietSet: (hours: string | null) =>
    hours === null
      ? 'Quiet hours are off.'
      : `Quiet hours: ${hours}. Nothing rings then; what waits for you comes as cards when they are over.`,
  quietForm: 'Write it like this: /settings quiet 22:00-07:30 Europe/Berlin, or /settings quiet off',
  quietOver: 'Your quiet hours are over.',
};
