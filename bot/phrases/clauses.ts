/** Splits what somebody said into its clauses, and finds the orders in them (C4). Pure. */
import { maskNames } from './classify.ts';
import { findMeantRuns, type KnownRun, type MeantRuns, type PhraseScene } from './find-meant-runs.ts';
import { normalizePhrase } from './normalize-phrase.ts';
import type { LanguagePhrases, PhraseIntent, PhraseRule } from './phrase-rules.ts';

export const withoutPoliteness = (said: string, { politeness }: LanguagePhrases): string => {
  let before = '';
  let now = said;
  while (now !== before) {
    before = now;
    now = now.replace(politeness, '').trim();
  }
  return now;
};

export const findIntent = (rules: readonly PhraseRule[], said: string): PhraseIntent | null =>
  rules.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
export const withoutEndMarks = (said: string): string => said.replace(/(?<![\s.!?,~])[\s.!?,~]+$/u, '');

export const isNeverOrLater = (said: string, { never, later }: LanguagePhrases): boolean =>
  never.test(said) || later.test(said);

export const splitClauses = (said: string, phrases: LanguagePhrases): string[] =>
  said
    .split(phrases.between)
    .map((clause) => withoutEndMarks(clause ?? ''))
    .filter(Boolean);

/** `retry it`, but not `retry the request twice`, which is work for an agent. */
export const hasRunAsObject = (after: string, { object }: LanguagePhrases, { runs }: PhraseScene): boolean =>
  object.test(maskNames(after, runs));

const BY_THEMSELVES: readonly PhraseIntent[] = ['update', 'done'];
/** In a reply an order has no object, or a run; anything else is for the agent. */
export const isOrderOfRun = (clause: string, phrases: LanguagePhrases, scene: PhraseScene): boolean => {
  const [intent, pattern] = phrases.orders.find(([, one]) => one.test(clause)) ?? [];
  const found = pattern?.exec(clause);
  if (intent === undefined || !found) return false;
  return (
    BY_THEMSELVES.includes(intent) ||
    hasRunAsObject(clause.slice(found.index + found[0].length), phrases, scene)
  );
};

const ENDS: readonly PhraseIntent[] = ['cancel', 'pause', 'deny'];
const MAX_ASIDE_LENGTH = 60;
/** `no wait, cancel that`, `hi`: a no, a stop or a greeting and nothing else, which continues no text. */
export const findAside = (text: string, phrases: LanguagePhrases): 'no' | 'chat' | null => {
  if (text.length > MAX_ASIDE_LENGTH) return null;
  const said = normalizePhrase(text, phrases);
  const isNo = (clause: string): boolean => {
    const order = findIntent(phrases.orders, clause);
    const isEnd = order !== null && ENDS.includes(order);
    return (
      phrases.no.test(clause) ||
      phrases.stop.test(clause) ||
      (isEnd && isOrderOfRun(clause, phrases, { runs: [], replied: null }))
    );
  };
  const isChat = (clause: string): boolean =>
    clause === '' || phrases.yes.test(clause) || phrases.filler.test(clause) || phrases.greeting.test(clause);
  const either = (test: (clause: string) => boolean) => (clause: string) =>
    test(clause) || test(withoutPoliteness(clause, phrases));
  const clauses = splitClauses(said, phrases);
  const isAside = either((clause) => isNo(clause) || isChat(clause));
  if (clauses.length === 0 || !clauses.every(isAside)) return null;
  return clauses.some(either(isNo)) ? 'no' : 'chat';
};

type ClauseOrder = { intent: PhraseIntent; about: MeantRuns };

/** `cancel web, docs and api`: a clause of names alone goes on with the order before it. */
const isOfNames = (clause: string, phrases: LanguagePhrases, runs: readonly KnownRun[]): boolean =>
  phrases.alone.test(maskNames(clause, runs));

export const findClauseOrders = (
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): ClauseOrder[] => {
  const clauses: string[] = [];
  for (const clause of splitClauses(said, phrases)) {
    const order = clauses.findLastIndex((one) => findIntent(phrases.orders, one) !== null);
    if (order >= 0 && isOfNames(clause, phrases, scene.runs)) clauses[order] += ` ${clause}`;
    else clauses.push(clause);
  }
  return clauses.flatMap((clause) => {
    const asked = withoutPoliteness(clause, phrases);
    const intent = phrases.not.test(asked) ? null : findIntent(phrases.orders, asked);
    return intent === null ? [] : [{ intent, about: findMeantRuns(clause, phrases, scene) }];
  });
};

export type Sparing = { kept: string; spared: readonly string[] };

/** `cancel everything except api, and web`: what is said without them, and the runs that it spares. */
export const splitSpared = (said: string, phrases: LanguagePhrases, scene: PhraseScene): Sparing | null => {
  const kept: string[] = [];
  const spared: string[] = [];
  let isSparing = false;
  let hasMark = false;
  for (const clause of splitClauses(said, phrases)) {
    if (isSparing && isOfNames(clause, phrases, scene.runs)) {
      spared.push(...findMeantRuns(clause, phrases, scene).ids);
      continue;
    }
    const found = phrases.spares.exec(clause);
    const names = Object.values(found?.groups ?? {}).find(Boolean);
    isSparing = names !== undefined;
    hasMark ||= isSparing;
    if (names !== undefined) spared.push(...findMeantRuns(names, phrases, scene).ids);
    kept.push(found ? clause.replace(found[0], () => ' ').trim() : clause);
  }
  const rest = kept.filter(Boolean).join(', ');
  const isOfAll = phrases.which.all.test(rest) || phrases.which.others.test(rest);
  if (!hasMark || (spared.length === 0 && !isOfAll)) return null;
  const orders = findClauseOrders(isOfAll ? said : rest, phrases, scene);
  return orders.length > 0 ? { kept: rest, spared } : null;
};

export const withoutSpared = (
  { about, kept, spared }: Sparing & { about: MeantRuns },
  { which }: LanguagePhrases,
  { runs }: PhraseScene,
): MeantRuns | null => {
  const isAll = about.kind === 'all' || which.others.test(kept);
  if (!isAll && about.kind === 'none') return about;
  const live = runs.filter(({ stands }) => stands !== 'ended').map(({ id }) => id);
  const ids = (isAll ? live : about.ids).filter((id) => !spared.includes(id));
  if (spared.length === 0) return null;
  if (ids.length > 0) return { ...about, kind: isAll ? 'all' : 'named', ids };
  return isAll ? { kind: 'named', ids } : null;
};
