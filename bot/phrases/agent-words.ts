/** Finds what an agent is to be told in what somebody wrote, without who is to be told it (C4). Pure. */
import { maskNames } from './classify.ts';
import {
  clausesOf,
  findAside,
  findIntent,
  isOrderOfRun,
  withoutEndMarks,
  withoutPoliteness,
} from './clauses.ts';
import { byWord, findMeantRuns, type PhraseScene } from './find-meant-runs.ts';
import { originalSpelling } from './order-phrases.ts';
import type { LanguagePhrases } from './phrase-rules.ts';
import { MAX_PHRASE_LENGTH, toPlainWords } from './plain-words.ts';

/** `ids` are the runs whose agent is addressed, none for any agent; null where nobody is. */
export type AgentWords = { words: string; ids: readonly string[] | null };

export const findAgentWords = (text: string, phrases: LanguagePhrases, scene: PhraseScene): AgentWords => {
  const whole: AgentWords = { words: text.trim(), ids: null };
  if (text.length > MAX_PHRASE_LENGTH) return whole;
  const plain = withoutPoliteness(toPlainWords(text, phrases, scene.runs), phrases);
  for (const pattern of phrases.tells) {
    const { who = '', words = '' } = pattern.exec(plain)?.groups ?? {};
    const ids = words === '' ? null : findAddressed(who, phrases, scene);
    if (ids) return { words: originalSpelling(words, text), ids };
  }
  const [, first = '', rest = ''] = /^(\S+?)[:,]? (\S.{2,})$/s.exec(plain) ?? [];
  const named = byWord(first, scene);
  return named.sure && rest !== '' ? { words: originalSpelling(rest, text), ids: named.ids } : whole;
};

/** Null unless there are only names of runs and repositories, and words for an agent. */
export const findAddressed = (
  who: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): readonly string[] | null => {
  const masked = maskNames(who, scene.runs).replace(phrases.agent, '').trim();
  if (masked === '') return [];
  if (/[^№⌂\s]/u.test(masked)) return null;
  const runs = scene.runs.map((run) => ({ ...run, what: '' }));
  const { ids } = findMeantRuns(who, phrases, { ...scene, runs });
  return ids.length > 0 ? ids : null;
};

const MIN_WORDS = 2;
const MIN_HAN = 4;
export const tellsSomething = (words: string, phrases: LanguagePhrases): boolean =>
  findAside(words, phrases) === null &&
  ((words.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= MIN_WORDS ||
    (words.match(/\p{Script=Han}/gu)?.length ?? 0) >= MIN_HAN);

/** `stop, that is the wrong file`: an end, and then no order, but why. */
export const stopsWithWords = (text: string, phrases: LanguagePhrases, scene: PhraseScene): boolean => {
  if (text.length > MAX_PHRASE_LENGTH) return false;
  const [first = '', ...others] = clausesOf(toPlainWords(text, phrases, scene.runs), phrases).map((clause) =>
    withoutEndMarks(withoutPoliteness(clause, phrases)),
  );
  const isEnd = ['pause', 'cancel'].includes(findIntent(phrases.orders, first) ?? '');
  const isStop = phrases.stop.test(first) || (isEnd && isOrderOfRun(first, phrases, scene));
  return (
    isStop &&
    tellsSomething(others.join(' '), phrases) &&
    others.every((clause) => findIntent(phrases.orders, clause) === null)
  );
};
