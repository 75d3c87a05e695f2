/** Finds marks of AI that a repository requires or bars: trailers, author names, labels. */
import { namesModel } from './ai-words.ts';
import { REQUEST_WORDS, type FoundRule, type RulePassage } from './rule-passage.ts';

export const NEGATION_PATTERN =
  /\b(?:not|no|never|none|neither|nor|without|cannot|forbid\w*|forbidden|prohibit\w*|disallow\w*|ban(?:s|ned)?|reject\w*|clos(?:e|es|ed)|unwelcome|refrain|avoid|remove)\b|n't\b/i;
export const AGENT_NOUN = /\b(?:agents?|bots?|assistants?|tools?)\b/i;

export const isAboutAi = (one: RulePassage): boolean =>
  namesModel(one.plain) || namesModel(one.before) || namesModel(one.heading) || one.aboutAi;

const TOOL_MARK_BAN =
  /\b(?:do not|don't|never|no|without|must not|should not|avoid|remove|omit)\b[^.;]{0,30}?\b(?:add|includ|mention|put|append|insert|credit|attribut|use|commit)\w*\b[^.;]{0,60}(?:["'“`]\W{0,3}generated (?:with|by)|\b(?:attributions?|signatures?|footers?|watermarks?|co-?author\w*|as (?:an )?author)\b)/i;

const WANTS = /^\s*[-*+]?\s*\[[ x]?\]|\b(?:add(?:ing)?|consider|include|credit(?:ed)?) /i;
const MAY = /\b(?:may|can|could|optional\w*)\b(?![^.;]*\b(?:must|should|please)\b)/i;

const ONLY_PEOPLE_SIGN =
  /\bonly (?:a |an )?(?:humans?(?: beings?)?|people|persons?)\b[^.;]{0,40}\b(?:sign|certify|add)\b[^.;]{0,60}(?:\bsigned-off-by\b|\bsign[- ]?off\b|\bDCO\b)/i;
const MADE_WITH = /\b(?:assisted|generated)-by\b/i;
const IS_BARRED =
  /\b(?:not|never|no longer)\b|n't\b|\b(?:forbidden|prohibited|banned|disallowed|rejected|refused|stripped|removed|dropped|deleted|unwelcome|unwanted|optional)\b/i;
const BARS =
  /\b(?:not|never|no|avoid|omit|remove|strip|drop|delete|reject|refuse|forbid|prohibit|disallow|ban|leave out|leave off|refrain from)s?\b|n't\b/i;
/** A trailer by its name: the words before it up to the clause, and those after it up to the sentence. */
const MADE_WITH_IN_PLACE = /([^.;:]{0,200})\b(?:assisted|generated)-by\b([^.;]{0,200})/i;
const OTHER_MARK = String.raw`(?:\b(?:not|never|no|instead of|rather than)\b|n't\b)[^.;]{0,40}\b(?:co-?author[\w-]*|signed-off-by|sign[- ]?offs?)(?![\w-])`;
const OTHER_CLAUSE = String.raw`\b(?:or|and) (?:they|it|we|you|your|must|should|may)\b[^.;]*`;
/** Of a list such as `no Signed-off-by or Assisted-by`, the trailer is a part. */
const LISTED = String.raw`(?:[,/]|\s(?:or|nor|and|an?|the|any|[\w-]{1,20}-by|tags?|trailers?|lines?)(?![\w-])){0,6}\s?$`;
const OTHERS_BEFORE = new RegExp(
  String.raw`\b(?:delete|remove|drop) (?:or \w+ )?(?:the |this )?(?:next |following )?(?:line|section|part)\b|${OTHER_MARK}(?!${LISTED})|${OTHER_CLAUSE}`,
  'gi',
);
const OTHERS_AFTER = new RegExp(
  String.raw`${OTHER_MARK}|${OTHER_CLAUSE}|,? (?:because|since)\b[^.;]*|, (?:as|so|but|which)\b[^.;]*|\b(?:not|no longer) (?:needed|required|necessary) (?:for|in|on|when|if)\b`,
  'gi',
);
/** `Do not omit`: whoever forbids that wants it. */
const KEEPS =
  /(?:\b(?:not|never|no longer)\b|n't\b) (?:\w+ ){0,2}?(?:omit|remove|strip|drop|delete|forget|hide|skip|miss|lose|leave (?:out|off))\w*\b/gi;
/** `Do not hide it, add …`, `nothing is merged unless …`: what was said before is not said of the trailer. */
const NEXT_CLAUSE =
  /\b(?:unless|until|before)\b|[,–—] ?(?:(?:but|and|instead|please|then|rather|they|you|we|it|agents) ){0,2}(?:(?:should|must|can) )?(?:add|use|put|include|append|write|carry)s?\b/i;
const IS_MISSED =
  /\b(?:without|with no|lack(?:s|ing)?|miss(?:es|ing)?|forget|fail(?:s|ed)? to)\b[^.;,]{0,40}$|\b(?:that|which|who|if|when|where)\b[^.;,]{0,20}(?:\b(?:not|never)\b|n't\b) (?:carry|have|contain|include|bear|show|get|come with|use|add)\b[^.;,]{0,40}$/i;
const IS_MISSING = /^[^.;,]{0,30}\b(?:is|are) (?:missing|absent|lacking|not (?:there|present|given|set))\b/i;
const barsMadeWith = (text: string): boolean => {
  const [, before = '', after = ''] = MADE_WITH_IN_PLACE.exec(text) ?? [];
  if (IS_MISSED.test(before) || IS_MISSING.test(after)) return false;
  const clause = before.replace(KEEPS, ' ').replace(OTHERS_BEFORE, ' ').split(NEXT_CLAUSE).at(-1) ?? '';
  return BARS.test(clause) || IS_BARRED.test(after.replace(OTHERS_AFTER, ' '));
};
const trailerOf = (one: RulePassage): FoundRule | null => {
  const { plain, forAgents } = one;
  const concernsAi = isAboutAi(one) || forAgents;
  const concerned = concernsAi || AGENT_NOUN.test(plain);
  const negated = NEGATION_PATTERN.test(plain);
  if (
    TOOL_MARK_BAN.test(plain) &&
    namesModel(plain) &&
    /\b(?:commits?|PRs?|pull[- ]requests?|messages?|descriptions?|code)\b/i.test(plain)
  )
    return { kind: 'trailer', value: 'no_co_author' };
  if (
    (one.template ? /\bassisted-by\b/i : MADE_WITH).test(`${plain} ${one.code}`) &&
    (concernsAi || /\b(?:assisted|generated)-by\W* (?:tag|trailer|line)/i.test(plain)) &&
    !MAY.test(plain)
  )
    return { kind: 'trailer', value: barsMadeWith(plain) ? 'no_co_author' : 'assisted_by' };
  if (/\bco-?author(?:ed)?(?:-by|s|ship)?\b(?! (?:using|with|by) )/i.test(plain) && concerned) {
    if (negated && !/\b(?:acceptable|allowed|fine|welcome)\b/i.test(plain))
      return { kind: 'trailer', value: 'no_co_author' };
    return /\bco-authored-by\b|\bcredited\b/i.test(plain) &&
      (REQUEST_WORDS.test(plain) || WANTS.test(one.quote))
      ? { kind: 'trailer', value: 'co_author' }
      : null;
  }
  if (ONLY_PEOPLE_SIGN.test(plain)) return { kind: 'trailer', value: 'no_sign_off' };
  if (
    /\bsigned-off-by\b|\bsign[- ]?off\b/i.test(plain) &&
    negated &&
    !/\balways (?:\w+ )?sign/i.test(plain) &&
    (namesModel(plain) || AGENT_NOUN.test(plain))
  )
    return { kind: 'trailer', value: 'no_sign_off' };
  return null;
};

export const trailerRules = (one: RulePassage): FoundRule[] => {
  const first = trailerOf(one);
  if (!first) return [];
  const second =
    first.value === 'assisted_by' && /\b(?:not|never|no|instead of)\b[^.;]{0,40}\bco-author/i.test(one.plain)
      ? [{ kind: 'trailer', value: 'no_co_author' } as const]
      : [];
  const signed =
    /(?:\b(?:not|never)\b|n't\b)(?! (?:omit|remove|strip|drop|forget))[^.;]{0,30}\bsigned-off-by/i.test(
      one.plain,
    )
      ? [{ kind: 'trailer', value: 'no_sign_off' } as const]
      : [];
  return [first, ...second, ...signed];
};

const KNOWN_LABEL =
  /\b(?:good[- ]first[- ]issues?|help[- ]wanted|first[- ]timers?[- ]only|beginner[- ]friendly|contributor[- ]friendly|good[- ]for[- ]beginners)\b/gi;
const NAMED_LABEL = /["'“`]([\p{L}\p{N}][^"'”`]{2,40})["'”`]/gu;
const NOT_MARKED =
  /\bwill be (?:\w+ )?label+ed\b|(?:\bnot\b|n't\b|\bwithout\b)[^.;]{0,8}\b(?:marked|label\w*|tagged|accepted)\b/i;
const RESERVED = /\breserved for (?:humans?|people|new|first)/i;

const FOR_NOBODY =
  /(?:\b(?:not|never)\b|n't\b) (?:\w+ )?(?:open|submit|send|create|make|start|begin)\b[^.;]{0,20}\b(?:PRs?|pull[- ]requests?|work\w*)\b[^.;]{0,20}\bissues? (?:that (?:is|are) |which (?:is|are) )?(?:label+ed|tagged|marked)\b|\bissues?\b[^.;]{0,30}\b(?:label\w*|tagged|marked)\b[^.;]{0,90}(?:\b(?:not|never)\b|n't\b)[^.;]{0,30}\b(?:candidates?|ready|pull[- ]requests?|PRs?|work(?:ed|ing)?|contribut\w*|picked|open (?:for|to))\b/i;
/** Before the label: says which issues are left, those that have it. */
const ALL_BUT = /\b(?:except|unless|without|other than|only)\b(?! exception)/i;
const isForNobody = (plain: string): boolean => {
  const found = FOR_NOBODY.exec(plain);
  if (found === null || NOT_MARKED.test(plain)) return false;
  const before = /[^.,;]{0,30}$/.exec(plain.slice(0, found.index))?.[0] ?? '';
  return !ALL_BUT.test(`${before}${found[0].split(/\b(?=label|tagged|marked)/i)[0] ?? ''}`);
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
  if (
    /\b(?:avoid|(?:do not|don't|never)(?! (?:know|have|want|need|see|find|feel)\b))\b[^:]*:$/i.test(lead) &&
    /\bissues? (?:that are )?(?:marked|label\w*|tagged)\b/i.test(plain)
  )
    return [...one.quote.matchAll(/`([\w: -]{2,40})`/g)].map(([, name = '']) => ({
      kind: 'label_barred' as const,
      value: name.toLowerCase(),
    }));
  if (!(NEGATION_PATTERN.test(plain) || RESERVED.test(plain))) return [];
  const forNobody = findLabelsBarredForAll(plain);
  if (forNobody.length > 0) return forNobody;
  if (!namesModel(plain) && !(isAboutAi(one) && new RegExp(KNOWN_LABEL.source, 'i').test(plain))) return [];
  if (!/\b(?:issues?|tasks?|label\w*|tags?|tagged)\b/i.test(plain) || NOT_MARKED.test(plain)) return [];
  const known = [...plain.matchAll(KNOWN_LABEL)].map(([name]) => name.toLowerCase().replaceAll('-', ' '));
  const named = /\b(?:label\w*|tag\w*|marked)\b/i.test(plain)
    ? [...plain.matchAll(NAMED_LABEL)].map(([, name = '']) => name.toLowerCase())
    : [];
  const put = [...plain.matchAll(JOINED_LABEL)].map(([, name = '']) => name.toLowerCase());
  const labels = [...known, ...named.filter((n) => !/-by\W*$/.test(n)), ...(known.length > 0 ? [] : put)].map(
    (l) => l.replace(/s$/, ''),
  );
  return [...new Set(labels)].map((value) => ({ kind: 'label_barred', value }));
};
