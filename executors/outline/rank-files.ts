/** Ranks the files of a tree by what a goal and a failing test mention. Pure. */
import { isTest } from '#model/paths';
import { countIn, wordsOf, wordsOfPath, type WordCounts } from './word-index.ts';

export type RankedFile = { path: string; oid: string; score: number; mentioned: boolean };
export type MapQuestion = { goal: string; failing: string };
type IndexedFile = { path: string; oid: string; words: WordCounts };

const MAX_TERMS = 300;
const MAX_QUESTION_LENGTH = 40_000;
const MAX_MENTIONED = 60;
const MAX_NAMESAKES = 6;
const MAX_WEIGHED = 2_500;
const MAX_TEST_TERMS = 120;

const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.4;

type Term = { hash: number; weight: number };

const VENDORED =
  /(?:^|\/)(?:vendor|third_party|node_modules|dist|build|out|fixtures?|testdata|__snapshots__|snapshots?|generated|locales?|migrations)\/|\.min\.\w+$|\.(?:lock|snap|svg|csv|map|sum)$|(?:^|\/)(?:package-lock\.json|CHANGELOG[^/]*|pnpm-lock\.yaml)$/i;
const DOCUMENTS = /\.(?:md|mdx|rst|txt|adoc|html?)$/i;

const kindFactor = (path: string): number =>
  VENDORED.test(path) ? 0.3 : DOCUMENTS.test(path) ? 0.45 : isTest(path) ? 0.7 : 1;

const termsOf = ({ goal, failing }: MapQuestion): Term[] => {
  const found = new Map<number, number>();
  const addTerms = (text: string, weight: number): void => {
    for (const [hash, { whole, count }] of wordsOf(text.slice(0, MAX_QUESTION_LENGTH)))
      found.set(hash, (found.get(hash) ?? 0) + weight * (whole ? 2 : 1) * Math.min(2, Math.sqrt(count)));
  };
  addTerms(goal, 1);
  addTerms(failing, 0.6);
  return [...found].map(([hash, weight]) => ({ hash, weight }));
};

const rarityOf = (files: number, having: number): number =>
  Math.log(1 + (files - having + 0.5) / (having + 0.5));

const scoreByWords = (files: readonly { words: WordCounts }[], terms: readonly Term[]): Float64Array => {
  const scores = new Float64Array(files.length);
  if (files.length === 0) return scores;
  const mean = files.reduce((sum, { words }) => sum + words.length, 0) / files.length;
  const found = terms.flatMap(({ hash, weight }) => {
    const counts = new Uint8Array(files.length);
    let having = 0;
    for (const [i, { words }] of files.entries()) {
      const count = countIn(words, hash);
      if (count === 0) continue;
      counts[i] = count;
      having += 1;
    }
    return having === 0 ? [] : [{ counts, weight: weight * rarityOf(files.length, having) }];
  });
  for (const { counts, weight } of found.sort((a, b) => b.weight - a.weight).slice(0, MAX_TERMS))
    for (let i = 0; i < files.length; i += 1) {
      const count = counts[i] ?? 0;
      if (count === 0) continue;
      const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (files[i]?.words.length ?? 0)) / mean;
      scores[i] = (scores[i] ?? 0) + (weight * count * (SATURATION + 1)) / (count + SATURATION * length);
    }
  return scores;
};

const normaliseScores = (scores: Float64Array): Float64Array => {
  let most = 0;
  for (const score of scores) most = Math.max(most, score);
  return most === 0 ? scores : scores.map((score) => score / most);
};

const stemOf = (name: string): string => name.replace(/(?:\.[A-Za-z0-9]{1,6}){1,2}$/, '');
/** `test_retry.py`, `retry.test.ts`, `RetryTest.java` are tests of `retry`. */
const subjectOf = (path: string): string =>
  stemOf(path.slice(path.lastIndexOf('/') + 1))
    .replace(/^tests?[_-]|[._-]?(?:tests?|specs?)$/i, '')
    .toLowerCase()
    .replaceAll(/[_-]/g, '');

/** Begins only where a name begins, so that a long one is read once. */
const MENTION = /(?<![\w@.+~$-])(?:[\w@.+~$-]+(?:[/\\][\w@.+~$-]+)+|[A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)+)/g;

const tailsAlike = (ownParts: readonly string[], otherParts: readonly string[]): number => {
  let alike = 0;
  while (
    alike < ownParts.length &&
    alike < otherParts.length &&
    ownParts[ownParts.length - 1 - alike] === otherParts[otherParts.length - 1 - alike]
  )
    alike += 1;
  return alike;
};

/** Weights of the files that a text names by path, by a part of it or as a module. */
const scoreMentionedFiles = (text: string, paths: readonly string[]): Map<string, number> => {
  const mentions = [...text.slice(0, MAX_QUESTION_LENGTH).matchAll(MENTION)];
  if (mentions.length === 0) return new Map();
  const byName = new Map<string, string[]>();
  const addName = (name: string, path: string): void => {
    const known = byName.get(name);
    if (known) known.push(path);
    else byName.set(name, [path]);
  };
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    addName(name, path);
    if (stemOf(name) !== name && stemOf(name).length > 2) addName(`${stemOf(name)}/`, path);
  }
  const found = new Map<string, number>();
  const noteScore = (path: string, weight: number): void =>
    void found.set(path, Math.max(found.get(path) ?? 0, weight));
  const scoreMention = (parts: readonly string[], name: string): void => {
    const known = byName.get(name) ?? [];
    const alike = known.map((path) => {
      const own = path.split('/');
      own.push(stemOf(own.pop() ?? ''));
      return tailsAlike(own, [...parts.slice(0, -1), stemOf(parts.at(-1) ?? '')]);
    });
    const best = Math.max(0, ...alike);
    const chosen = known.filter((_, i) => alike[i] === best);
    if (chosen.length > MAX_NAMESAKES) return;
    for (const path of chosen)
      noteScore(path, Math.min(1, 0.4 + 0.3 * (best - 1)) / Math.sqrt(chosen.length));
  };
  for (const [said] of mentions) {
    if (found.size >= MAX_MENTIONED) break;
    const parts = said.split(/[/\\]/).filter((part) => part !== '' && part !== '.' && part !== '..');
    const name = parts.at(-1) ?? '';
    if (byName.has(name)) scoreMention(parts, name);
    else if (!/[/\\]/.test(said)) {
      const words = said.split('.');
      for (let to = words.length; to > 0; to -= 1)
        if (byName.has(`${words[to - 1]}/`) && (to > 1 || words.length === 1)) {
          scoreMention(words.slice(0, to), `${words[to - 1]}/`);
          break;
        }
    } else if (byName.has(`${stemOf(name)}/`)) scoreMention(parts, `${stemOf(name)}/`);
  }
  return found;
};

export const rankFiles = (files: readonly IndexedFile[], question: MapQuestion): RankedFile[] => {
  const paths = files.map(({ path }) => path);
  const asked = `${question.goal}\n${question.failing}`;
  const mentioned = scoreMentionedFiles(asked, paths);
  const terms = termsOf(question);
  const byWords = normaliseScores(scoreByWords(files, terms));
  const named = files.map(({ path }) => ({ words: wordsOfPath(path) }));
  const byPath = normaliseScores(scoreByWords(named, terms));
  const tests = files.filter(({ path }) => (mentioned.get(path) ?? 0) >= 0.3 && isTest(path)).slice(0, 3);
  const fromTests = tests.map(({ words }) => {
    const own = [...words].map((entry) => ({ hash: entry >>> 6, weight: Math.sqrt(entry & 63) }));
    return normaliseScores(scoreByWords(files, own.slice(0, MAX_TEST_TERMS * 8)));
  });
  const subjects = new Set(
    [...mentioned].flatMap(([path]) => (isTest(path) ? [subjectOf(path)] : [])).filter((s) => s.length > 2),
  );
  const plain = files.map(({ path }, i) => {
    const ofTests = Math.max(0, ...fromTests.map((scores) => scores[i] ?? 0));
    return (byWords[i] ?? 0) + 0.7 * (byPath[i] ?? 0) + 0.5 * ofTests + 2 * (mentioned.get(path) ?? 0);
  });
  const order = files.map((_, i) => i).sort((a, b) => (plain[b] ?? 0) - (plain[a] ?? 0) || a - b);
  return order
    .slice(0, subjects.size > 0 ? files.length : MAX_WEIGHED)
    .map((i): RankedFile => {
      const { path = '', oid = '' } = files[i] ?? {};
      const mention = mentioned.get(path) ?? 0;
      const subject = subjects.size > 0 && !isTest(path) && subjects.has(subjectOf(path)) ? 0.6 : 0;
      const score = ((plain[i] ?? 0) - 2 * mention + subject) * kindFactor(path) + 1.2 * mention;
      return { path, oid, score, mentioned: mention >= 0.4 };
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
};
