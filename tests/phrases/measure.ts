/**
 * How often free text is read as whoever wrote it meant it: sentences with their readings, against
 * one scene of runs.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { phrasesFor } from '../../bot/language/languages.ts';
import type { KnownRun } from '../../bot/phrases/find-meant-runs.ts';
import { readPhrase, type PhraseReading } from '../../bot/phrases/read-phrase.ts';
import { understandPhrase } from '../../bot/phrases/understand-phrase.ts';

const Case = z.object({
  text: z.string(),
  lang: z.enum(['en', 'zh']),
  /** The message that is answered. */
  to: z.object({ run: z.string(), what: z.enum(['card', 'call', 'progress']) }).nullable(),
  intent: z.string(),
  runs: z.array(z.string()),
  words: z.string().optional(),
  repo: z.string().optional(),
  /** Nobody can say which run is meant. */
  ask: z.boolean().optional(),
  /** Others that honest people read into it. */
  alt: z.array(z.string()).optional(),
});
export type Case = z.infer<typeof Case>;

/**
 * `newcomers` was written before settings, engines and polite orders were read in words; it showed
 * which kinds of phrases were missing, and the grammar was improved on it. `arrivals`, of the same kinds,
 * was written after that, and nothing was improved on it. `visitors` was written by somebody who had not
 * read the grammar: 60 of its 80 were reached, and kinds of phrases were added on it; two of its Chinese
 * sentences name a run by a translation of its English words, and may be asked back. `passers` was
 * written after that: 55 of its 60 were reached at first, and then it was improved on as well.
 *
 * `wayfarers` and `callers` were written by somebody who had not read the grammar: 54 of 60 and 35 of 40
 * were reached, and kinds of phrases were added on both. `guests` was written after that: 38 of its 40
 * were reached at first.
 *
 * `pilgrims` was labelled before anything read it, by somebody who had just mended exceptions, several
 * orders in one message, other times and words for agents: 79 of its 80 were reached at first.
 *
 * `frozen` was written before the grammar, which was improved on it and on `learned`; nobody looked
 * at `unseen`; `typed` was written, as people type on phones, by somebody who had not seen it.
 * `unheard` was written from the list of intents before the classifier had been trained on anything,
 * `strangers` and `latest` after that: nothing was trained on them. A third of `latest` has slips, in
 * Chinese those of an input method. `later` came after those: its first third showed one refusal that
 * was offered, and kinds of phrases like it were added; its last third was written after that.
 */
export const casesOf = (
  set:
    | 'frozen'
    | 'learned'
    | 'unseen'
    | 'typed'
    | 'unheard'
    | 'strangers'
    | 'latest'
    | 'later'
    | 'newcomers'
    | 'arrivals'
    | 'visitors'
    | 'passers'
    | 'wayfarers'
    | 'callers'
    | 'guests'
    | 'pilgrims',
): Case[] =>
  readFileSync(new URL(`${set}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => Case.parse(JSON.parse(line)));

const known = (
  id: string,
  repo: string,
  what: string,
  stands: KnownRun['stands'],
  pull: string | null,
): KnownRun => ({
  id,
  repo,
  what,
  stands,
  pull: pull === null ? null : `https://github.com/${repo}/pull/${pull}`,
});
/** The scene of all phrases. */
export const RUNS = [
  known('k3x9ab', 'acme/api', 'Fix flaky retry in webhook worker', 'decision', null),
  known('m7p2qd', 'acme/web', 'Update the footer', 'failed', null),
  known('t5r8wz', 'acme/docs', 'Fix typos in the README', 'checked', null),
  known('b2n6ye', 'mem0ai/mem0', 'Pin numpy', 'watched', '412'),
  known('h9c4uv', 'acme/billing-api', 'Bump axios', 'paused', null),
  known('d1f7gs', 'virattt/dexter', 'Add a --json flag', 'queued', null),
  known('w8j5kl', 'acme/api', 'Remove dead code', 'ended', '88'),
];
const LIVE: readonly KnownRun['stands'][] = [
  'decision',
  'failed',
  'checked',
  'watched',
  'paused',
  'queued',
  'works',
];
const except = (...out: KnownRun['stands'][]): KnownRun['stands'][] =>
  LIVE.filter((stands) => !out.includes(stands));
/** What takes a command, as the states of the runs say. */
const TAKES: Readonly<Record<string, readonly KnownRun['stands'][]>> = {
  retry: ['failed'],
  resume: ['paused'],
  pause: except('paused'),
  cancel: LIVE,
  skip: except('watched'),
  update: ['decision', 'failed', 'watched'],
  approve: ['decision'],
  deny: ['decision'],
  merge: ['watched', 'decision'],
};
/** Of nobody in particular. */
const FLEET = ['status', 'pending', 'runs', 'help', 'none', 'new', 'language', 'campaign', 'insights'];
const CHANGES = [
  'setting',
  'engine',
  'retry',
  'resume',
  'pause',
  'cancel',
  'skip',
  'update',
  'deny',
  'fix',
  'new',
  'language',
  'done',
];

type Read = { intent: string; runs: readonly string[]; repo?: string; language?: string; line?: string };

const meant = (reading: PhraseReading): Read => {
  switch (reading.kind) {
    case 'nothing':
      return { intent: 'none', runs: [] };
    case 'costs':
      return { intent: 'budget', runs: [] };
    case 'new':
      return { intent: 'new', runs: [], repo: reading.repo };
    case 'language':
      return { intent: 'language', runs: [], language: reading.language };
    case 'openings':
      return { intent: 'setting', runs: [], line: 'hours' };
    case 'wish':
      return { intent: 'fix', runs: [reading.run] };
    case 'setting':
      return { intent: 'setting', runs: [], line: reading.line };
    case 'engine':
      return { intent: 'engine', runs: reading.about.ids, line: reading.engine };
    case 'allowance':
      return { intent: 'status', runs: [] };
    case 'command': {
      const { intent, about } = reading;
      const all =
        about.kind === 'all' && about.ids.length === 0
          ? RUNS.filter(({ stands }) => stands !== 'ended').map(({ id }) => id)
          : about.ids;
      const takers = RUNS.filter(
        ({ id, stands }) => all.includes(id) && TAKES[intent]?.includes(stands) === true,
      );
      if (about.kind === 'all' && about.ids.length === 0 && TAKES[intent] === undefined)
        return { intent, runs: [] };
      return { intent, runs: all.length > 1 && takers.length > 0 ? takers.map(({ id }) => id) : all };
    }
  }
};

const sorted = (ids: readonly string[]): string => [...ids].sort().join();

const isRight = (one: Case, read: Read): boolean => {
  if (![one.intent, ...(one.alt ?? [])].includes(read.intent)) return false;
  if (read.intent === 'new') return read.repo === one.repo;
  if (read.line !== undefined && read.line !== one.words) return false;
  if (read.intent === 'language') return read.language === one.words;
  if (FLEET.includes(read.intent) || one.ask === true) return true;
  // Another look at the fleet is about whatever it is about; approving and merging without a name
  // ask which.
  if (read.intent !== one.intent && !CHANGES.includes(read.intent)) return true;
  return (
    sorted(read.runs) === sorted(one.runs) ||
    (['approve', 'merge'].includes(read.intent) && read.runs.length === 0)
  );
};

export type Score = { of: number; right: number; wrong: string[]; proposed: string[] };

/** `proposed`: what somebody did not ask for and could tap. */
export const scoreOf = (cases: readonly Case[]): Score => {
  const score: Score = { of: cases.length, right: 0, wrong: [], proposed: [] };
  for (const one of cases) {
    const replied = one.to && { id: one.to.run, to: one.to.what };
    const read = meant(readPhrase(one.text, phrasesFor(one.text, one.lang), { runs: RUNS, replied }));
    if (isRight(one, read)) score.right += 1;
    else {
      score.wrong.push(
        `${one.text} → ${read.intent} ${read.runs.join()}, meant ${one.intent} ${one.runs.join()}`,
      );
      if (CHANGES.includes(read.intent) && read.intent !== one.intent) score.proposed.push(one.text);
    }
  }
  return score;
};

/**
 * How often words reach what was meant: at once, or as one of the buttons. `offered`: a change that
 * nobody asked for, which a no, a doubt or a question brought into reach of a thumb.
 */
export type Reach = { of: number; atOnce: number; reached: number; missed: string[]; offered: string[] };

export const reachOf = async (cases: readonly Case[]): Promise<Reach> => {
  const reach: Reach = { of: cases.length, atOnce: 0, reached: 0, missed: [], offered: [] };
  for (const one of cases) {
    const replied = one.to && { id: one.to.run, to: one.to.what };
    const understood = await understandPhrase(one.text, phrasesFor(one.text, one.lang), {
      runs: RUNS,
      replied,
    });
    const readings =
      understood.kind === 'sure'
        ? [understood.reading]
        : understood.readings.length > 0
          ? understood.readings
          : [NOTHING];
    const reads = readings.map(meant);
    const isIdle = [one.intent, ...(one.alt ?? [])].includes('none') && !reads.some(changes);
    const atOnce = isIdle || (understood.kind === 'sure' && reads.some((read) => isRight(one, read)));
    if (atOnce) reach.atOnce += 1;
    if (atOnce || reads.some((read) => isRight(one, read))) reach.reached += 1;
    else
      reach.missed.push(
        `${one.text} → ${reads.map(({ intent }) => intent).join(' | ')}, meant ${one.intent}`,
      );
    if (one.intent === 'none' && !(one.alt ?? []).some((alt) => CHANGES.includes(alt)) && reads.some(changes))
      reach.offered.push(one.text);
  }
  return reach;
};
const NOTHING: PhraseReading = { kind: 'nothing' };
const changes = ({ intent, repo }: Read): boolean =>
  CHANGES.includes(intent) && (intent !== 'new' || repo !== undefined);
