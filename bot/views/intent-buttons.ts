/** Renders buttons for ambiguous free text; a tap submits their text as if it was typed (C4). */
import type { Run } from '#run';
import { isTerminal } from '#model/run';
import type { LanguageTexts } from '../language/languages.ts';
import type { ChangeIntent, OfferedIntent } from '../phrases/phrase-rules.ts';
import type { MeantRuns } from '../phrases/find-meant-runs.ts';
import type { PhraseReading } from '../phrases/read-phrase.ts';
import type { AnswerButton } from './screen-rows.ts';
import { shortName } from './run-lines.ts';

/** The texts must be readable by the grammar in every chat language. */
const SAYS: { readonly [I in OfferedIntent]?: (run: string) => string } = {
  retry: (run) => `retry ${run}`,
  resume: (run) => `resume ${run}`,
  pause: (run) => `pause ${run}`,
  cancel: (run) => `cancel ${run}`,
  skip: (run) => `skip ${run}`,
  update: (run) => `update ${run} from main`,
  done: (run) => `mark ${run} as done`,
  deny: (run) => `reject ${run}`,
  merge: (run) => `merge ${run}`,
  en: () => '/settings language en',
  zh: () => '/settings language zh',
  new: () => '/new',
  batch: () => '/batch',
  fix: () => '/fix',
};
export const commandTextAroundRun = (intent: ChangeIntent): { before: string; after: string } => {
  const [before = '', after = ''] = (SAYS[intent]?.('\n') ?? '').split('\n');
  return { before, after };
};

const ABOUT_RUN: readonly OfferedIntent[] = [
  ...(['detail', 'diff', 'log', 'plan', 'budget', 'approve'] as const),
  ...(['retry', 'resume', 'pause', 'cancel', 'skip', 'update', 'done', 'deny', 'merge'] as const),
];

export type IntentButton = AnswerButton & { says: string };

const USUAL: readonly OfferedIntent[] = ['status', 'pending'];

const intentOf = (reading: PhraseReading): OfferedIntent | null => {
  if (reading.kind === 'command') return reading.intent;
  if (reading.kind === 'language') return reading.language;
  return reading.kind === 'new' ? 'new' : null;
};

/** Asks for the repository alone; a first word with a slash would be taken for one. */
export const orderButton = (said: string, words: LanguageTexts): IntentButton[][] =>
  /^[^\s/:=]+(?:\s+[^\s]+){2}|^\p{Script=Han}/u.test(said)
    ? [[{ verb: 'say', text: words.guesses.order, runId: '', says: `/new ${said}` }]]
    : [[{ verb: 'say', text: words.guesses.does.new, runId: '', says: '/new' }]];

/** An order keeps its words; the grammar reads those for a run again, and proposes them. */
const wholeLine = (reading: PhraseReading, run: Run | undefined): string | undefined => {
  if (reading.kind === 'new') return `/new ${reading.repo} ${reading.goal}`;
  const words = reading.kind === 'command' && reading.intent === 'fix' ? reading.words : null;
  return run && words ? `${run.id}: ${words}` : undefined;
};

const isLive = (run: Run): boolean => !isTerminal(run.lifecycle.state);

const saysOf = ({ kind, ids }: MeantRuns, runs: readonly Run[]): string => {
  if (kind !== 'all') return ids.join(' and ') || 'it';
  const spared = runs.filter((run) => isLive(run) && !ids.includes(run.id)).map(({ id }) => id);
  return ids.length > 0 && spared.length > 0 ? `everything except ${spared.join(', ')}` : 'everything';
};

const namesOf = ({ kind, ids }: MeantRuns, runs: readonly Run[], words: LanguageTexts): string =>
  kind === 'all'
    ? words.unfinished.all(ids.length || runs.filter(isLive).length)
    : runs
        .filter(({ id }) => ids.includes(id))
        .map(shortName)
        .join(', ');

const NO_RUN: MeantRuns = { kind: 'none', ids: [] };

export const intentButtons = (
  readings: readonly PhraseReading[],
  runs: readonly Run[],
  words: LanguageTexts,
): IntentButton[][] => {
  const buttonFor = (intent: OfferedIntent, about = NO_RUN, line?: string): IntentButton[] => {
    const does = words.guesses.does[intent];
    const names = ABOUT_RUN.includes(intent) ? namesOf(about, runs, words) : '';
    const typed = names === '' ? 'it' : saysOf(about, runs);
    const says = line ?? SAYS[intent]?.(typed) ?? `/${intent} ${about.ids.length === 1 ? typed : ''}`.trim();
    return [{ verb: 'say', text: names === '' ? does : `${does} · ${names}`, runId: '', says }];
  };
  const meant = readings.flatMap((reading) => {
    const intent = intentOf(reading);
    const about = reading.kind === 'command' ? reading.about : NO_RUN;
    const [id, ...others] = about.ids;
    const run = others.length === 0 ? runs.find((one) => one.id === id) : undefined;
    return intent === null || intent === 'help' ? [] : [buttonFor(intent, about, wholeLine(reading, run))];
  });
  const rows = meant.length > 0 ? meant : USUAL.map((intent) => buttonFor(intent));
  return [...rows, buttonFor('help')];
};
