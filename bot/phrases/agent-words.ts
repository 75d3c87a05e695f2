/** Finds what an agent is to be told in what somebody wrote, without who is to be told it (C4). Pure. */
import { maskNames } from './classify.ts';
import {
  splitClauses,
  findAside,
  findIntent,
  isOrderOfRun,
  withoutEndMarks,
  withoutPoliteness,
} from './clauses.ts';
import { findRunsByWord, findMeantRuns, type PhraseScene } from './find-meant-runs.ts';
import type { LanguagePhrases } from './phrase-rules.ts';
import { MAX_PHRASE_LENGTH, normalizePhrase, toPlainWords } from './normalize-phrase.ts';

/**
 * `ids` are the runs whose agent is addressed, none for any agent; null where nobody is. `named` are
 * the runs that are named somewhere, null where no run and no repository is.
 */
export type AgentWords = { words: string; ids: readonly string[] | null; named: readonly string[] | null };

const MAX_ADDRESS_LENGTH = 200;
/** `tell the agent in acme/api to use tabs`, `q1: use tabs`, `q1 use tabs`: the last two words alone. */
export const findAgentWords = (text: string, phrases: LanguagePhrases, scene: PhraseScene): AgentWords => {
  const whole = text.trim();
  const head = toPlainWords(whole.slice(0, MAX_ADDRESS_LENGTH), phrases, scene.runs);
  const asked = head.slice(head.indexOf(withoutPoliteness(head, phrases)));
  const addressing = (words: string, ids: readonly string[]): AgentWords => ({
    words: originalAfter(head.slice(0, head.length - words.length), whole),
    ids,
    named: ids,
  });
  for (const pattern of phrases.tells) {
    const { who = '', words = '' } = pattern.exec(asked)?.groups ?? {};
    const ids = words === '' ? null : findAddressed(who, phrases, scene);
    if (ids) return addressing(words, ids);
  }
  const [, first = '', rest = ''] = /^(\S+?)[:,]? (\S.{2,})$/s.exec(asked) ?? [];
  const found = findRunsByWord(first, scene);
  if (found.sure && found.ids.length > 0 && rest !== '') return addressing(rest, found.ids);
  const said = normalizePhrase(whole, phrases);
  const isName = whole.length <= MAX_ADDRESS_LENGTH && findAddressed(said, phrases, scene) !== null;
  return { words: isName ? '' : whole, ids: null, named: findNamed(said, phrases, scene) };
};

const findNamed = (said: string, phrases: LanguagePhrases, scene: PhraseScene): readonly string[] | null => {
  const runs = scene.runs.map((run) => ({ ...run, what: '' }));
  const { kind, by, ids } = findMeantRuns(said, phrases, { ...scene, runs });
  return kind === 'named' && by === undefined ? ids : null;
};

/** Returns the text behind as many words, and letters of a word, in its original spelling. */
const originalAfter = (before: string, text: string): string => {
  const whole = before.trimEnd();
  const begun = before === whole ? (whole.split(' ').at(-1) ?? '') : '';
  const words = whole === '' ? 0 : whole.split(' ').length;
  const [word] = [...text.matchAll(/\S+/g)].slice(begun === '' ? words : words - 1);
  let end = word?.index ?? text.length;
  while (end < text.length && text.slice(word?.index, end).normalize('NFKC').length < begun.length) end += 1;
  return text.slice(end).trim();
};

/** Null unless there are only names of runs and repositories, and words for an agent. */
export const findAddressed = (
  who: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): readonly string[] | null => {
  const masked = maskNames(who, scene.runs).replace(phrases.agent, '').trim();
  if (masked === '') return [];
  if (/[^№⌂\s,、]/u.test(masked)) return null;
  const ids = findNamed(who, phrases, scene) ?? [];
  return ids.length > 0 ? ids : null;
};

const MIN_WORDS = 2;
const MIN_HAN = 4;
export const tellsSomething = (
  { words, ids }: Pick<AgentWords, 'words' | 'ids'>,
  phrases: LanguagePhrases,
): boolean =>
  findAside(words, phrases) === null &&
  (ids !== null ||
    (words.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= MIN_WORDS ||
    (words.match(/\p{Script=Han}/gu)?.length ?? 0) >= MIN_HAN);

/** `stop, that is the wrong file`: a stop, and then no order, but why. */
export const stopsWithWords = (text: string, phrases: LanguagePhrases, scene: PhraseScene): boolean => {
  if (text.length > MAX_PHRASE_LENGTH) return false;
  const [first = '', ...others] = splitClauses(toPlainWords(text, phrases, scene.runs), phrases).map(
    (clause) => withoutEndMarks(withoutPoliteness(clause, phrases)),
  );
  const isPause = findIntent(phrases.orders, first) === 'pause' && isOrderOfRun(first, phrases, scene);
  return (
    (isPause || phrases.stop.test(first)) &&
    !phrases.which.all.test(first) &&
    tellsSomething({ words: others.join(' '), ids: null }, phrases) &&
    others.every((clause) => findIntent(phrases.orders, clause) === null)
  );
};
