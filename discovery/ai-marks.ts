/** Finds marks of AI that a repository requires or bars: trailers, author names, labels. */
import { wordPatterns } from '#tools/words';
import { namesModel } from './ai-words.ts';
import { REQUEST_WORDS, type FoundRule, type RulePassage } from './rule-passage.ts';

const MARK_WORDS = wordPatterns('discovery/rules', 'marks', [
  ...['ofSent', 'assistedBy', 'trailerByName', 'coAuthor', 'welcome', 'credited', 'signOff'],
  ...['alwaysSigns', 'noCoAuthor', 'noSignOff', 'avoids', 'markedIssues', 'ofLabels', 'labelled'],
  ...['negation', 'agent', 'toolMarkBan', 'wants', 'may', 'onlyPeopleSign', 'madeWith', 'isBarred'],
  ...['bars', 'madeWithInPlace', 'othersBefore', 'othersAfter', 'keeps', 'nextClause', 'isMissed'],
  ...['isMissing', 'notMarked', 'reserved', 'forNobody', 'allBut', 'doesIssues'],
] as const);

export const NEGATION_PATTERN = MARK_WORDS.negation;
export const NO_SIGN_OFF = MARK_WORDS.noSignOff;
export const AGENT_NOUN = MARK_WORDS.agent;

export const isAboutAi = (one: RulePassage): boolean =>
  namesModel(one.plain) || namesModel(one.before) || namesModel(one.heading) || one.aboutAi;

const barsMadeWith = (text: string): boolean => {
  const [, before = '', after = ''] = MARK_WORDS.madeWithInPlace.exec(text) ?? [];
  if (MARK_WORDS.isMissed.test(before) || MARK_WORDS.isMissing.test(after)) return false;
  const clause =
    before
      .split(MARK_WORDS.keeps)
      .join(' ')
      .split(MARK_WORDS.othersBefore)
      .join(' ')
      .split(MARK_WORDS.nextClause)
      .at(-1) ?? '';
  return (
    MARK_WORDS.bars.test(clause) || MARK_WORDS.isBarred.test(after.split(MARK_WORDS.othersAfter).join(' '))
  );
};
const trailerOf = (one: RulePassage): FoundRule | null => {
  const { plain, forAgents } = one;
  const concernsAi = isAboutAi(one) || forAgents;
  const concerned = concernsAi || MARK_WORDS.agent.test(plain);
  const negated = MARK_WORDS.negation.test(plain);
  if (MARK_WORDS.toolMarkBan.test(plain) && namesModel(plain) && MARK_WORDS.ofSent.test(plain))
    return { kind: 'trailer', value: 'no_co_author' };
  if (
    (one.template ? MARK_WORDS.assistedBy : MARK_WORDS.madeWith).test(`${plain} ${one.code}`) &&
    (concernsAi || MARK_WORDS.trailerByName.test(plain)) &&
    !MARK_WORDS.may.test(plain)
  )
    return { kind: 'trailer', value: barsMadeWith(plain) ? 'no_co_author' : 'assisted_by' };
  if (MARK_WORDS.coAuthor.test(plain) && concerned) {
    if (negated && !MARK_WORDS.welcome.test(plain)) return { kind: 'trailer', value: 'no_co_author' };
    return MARK_WORDS.credited.test(plain) && (REQUEST_WORDS.test(plain) || MARK_WORDS.wants.test(one.quote))
      ? { kind: 'trailer', value: 'co_author' }
      : null;
  }
  if (MARK_WORDS.onlyPeopleSign.test(plain)) return { kind: 'trailer', value: 'no_sign_off' };
  if (
    MARK_WORDS.signOff.test(plain) &&
    negated &&
    !MARK_WORDS.alwaysSigns.test(plain) &&
    (namesModel(plain) || MARK_WORDS.agent.test(plain) || (forAgents && MARK_WORDS.noSignOff.test(plain)))
  )
    return { kind: 'trailer', value: 'no_sign_off' };
  return null;
};

export const findTrailerRules = (one: RulePassage): FoundRule[] => {
  const first = trailerOf(one);
  if (!first) return [];
  const second =
    first.value === 'assisted_by' && MARK_WORDS.noCoAuthor.test(one.plain)
      ? [{ kind: 'trailer', value: 'no_co_author' } as const]
      : [];
  const signed = MARK_WORDS.noSignOff.test(one.plain)
    ? [{ kind: 'trailer', value: 'no_sign_off' } as const]
    : [];
  return [first, ...second, ...signed];
};

const KNOWN_LABEL =
  /\b(?:good[- ]first[- ]issues?|help[- ]wanted|first[- ]timers?[- ]only|beginner[- ]friendly|contributor[- ]friendly|good[- ]for[- ]beginners)\b(?! labels?\b)/gi;
const NAMED_LABEL = /["'“`]([\p{L}\p{N}][^"'”`]{2,40})["'”`]/gu;

const isForNobody = (plain: string): boolean => {
  const found = MARK_WORDS.forNobody.exec(plain);
  if (found === null || MARK_WORDS.notMarked.test(plain)) return false;
  const before = /[^.,;]{0,30}$/.exec(plain.slice(0, found.index))?.[0] ?? '';
  return !MARK_WORDS.allBut.test(`${before}${found[0].split(/\b(?=label|tagged|marked)/i)[0] ?? ''}`);
};
const findLabelsBarredForAll = (plain: string): FoundRule[] =>
  isForNobody(plain)
    ? [...plain.matchAll(NAMED_LABEL)].map(([, name = '']) => ({
        kind: 'label_barred' as const,
        value: name.toLowerCase(),
      }))
    : [];
/** Hyphenated labels, as in `for E-easy issues`. */
const JOINED_LABEL = /\bfor ([A-Za-z]+-[\w-]+)(?:\+[\w-]+)? issues?\b/g;

export const findBarredLabels = (one: RulePassage): FoundRule[] => {
  const { plain, lead } = one;
  // A list of what to avoid names the labels in its items.
  if (MARK_WORDS.avoids.test(lead) && MARK_WORDS.markedIssues.test(plain))
    return [...one.quote.matchAll(/`([\w: -]{2,40})`/g)].map(([, name = '']) => ({
      kind: 'label_barred' as const,
      value: name.toLowerCase(),
    }));
  const forNobody = findLabelsBarredForAll(plain);
  if (forNobody.length > 0) return forNobody;
  if (!(MARK_WORDS.negation.test(plain) || MARK_WORDS.reserved.test(plain))) return [];
  const concerns = isAboutAi(one) || (one.forAgents && MARK_WORDS.doesIssues.test(plain));
  if (!namesModel(plain) && !(concerns && new RegExp(KNOWN_LABEL.source, 'i').test(plain))) return [];
  if (!MARK_WORDS.ofLabels.test(plain) || MARK_WORDS.notMarked.test(plain)) return [];
  const known = [...plain.matchAll(KNOWN_LABEL)].map(([name]) => name.toLowerCase().replaceAll('-', ' '));
  const named = MARK_WORDS.labelled.test(plain)
    ? [...plain.matchAll(NAMED_LABEL)].map(([, name = '']) => name.toLowerCase())
    : [];
  const put = [...plain.matchAll(JOINED_LABEL)].map(([, name = '']) => name.toLowerCase());
  const labels = [...known, ...named.filter((n) => !/-by\W*$/.test(n)), ...(known.length > 0 ? [] : put)].map(
    (l) => l.replace(/s$/, ''),
  );
  return [...new Set(labels)].map((value) => ({ kind: 'label_barred', value }));
};
