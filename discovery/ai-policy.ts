/** Decides whether a repository refuses AI changes: flatly, in part, or in words for a person. */
import { findAiRequirements, findNonCodeRefusals, CODE_NOUN, NEED_NOT } from './ai-requirements.ts';
import { mayRefuseInOtherLanguage, findNonEnglishRefusal, permitsInOtherLanguage } from './ai-languages.ts';
import {
  AI_CONTRIBUTION,
  CHECKBOX_LINE,
  DENIES,
  namesModel,
  removeQuotations,
  unquoteModels,
} from './ai-words.ts';
import { findRefusal } from './ai-refusals.ts';
import { findHumanWordsRule } from './human-words.ts';
import { NEAR_BANS, REFUSAL_WORDS, withoutPermissions } from './rule-words.ts';
import { WHOLLY_AI_CHANGES, type RuleKind } from '#model/contract';
import { wordGroup, wordPatterns } from '#tools/words';
import type { FoundRule, RuleReader, RulePassage } from './rule-passage.ts';

const POLICY_WORDS = wordPatterns('discovery/rules', 'policy', [
  ...['ofAiUse', 'noOrNever', 'ofAllAi', 'noModel', 'anyWork', 'ofSome', 'reasons', 'fromOpening'],
  ...['slop', 'ofDegree', 'contains', 'ofCode', 'policyBox', 'bans', 'noAi', 'isAiFree', 'byPeople'],
  ...['negative', 'contributes', 'byNetworks', 'conditional', 'welcomes', 'noAiAtAll', 'permits'],
  ...['permitsLittle', 'littleUses', 'permitsUnder', 'freeToUse', 'takenByName', 'freeOfRules'],
  ...['undecided', 'optional', 'noRule', 'madeWithout', 'careless', 'runs', 'sent', 'personBanned'],
  ...['partialAiUse', 'plainWords', 'ofTrait', 'madeNoun', 'whatIsSent', 'ofUseWithin', 'runByAPart'],
  ...['refusedByAPart', 'sentByPeople', 'ofProducts', 'traits', 'noModelInDoubt', 'ofUse'],
  ...['deniesModel', 'ofHow', 'flatHeading', 'ordersAgents', 'ofBranch', 'whatever', 'noDoubt'],
  ...['refusingTitle', 'refusedCell', 'noAiBadge', 'ofWhole', 'inPart', 'ofFiles', 'barsAgents'],
  ...['codeBy', 'clauseEnds', 'ofSignOff'],
] as const);

export const NEGATIVE_WORDS = POLICY_WORDS.negative;
const isBan = (text: string): boolean => POLICY_WORDS.bans.test(text) || REFUSAL_WORDS.flatly.test(text);
const isNegative = (text: string): boolean =>
  POLICY_WORDS.negative.test(text) || REFUSAL_WORDS.flatly.test(text);

/** Permits what a flat refusal beside it would refuse: assistance, or disclosure. */
export const permitsCode = ({ plain, quote }: RulePassage): boolean =>
  !CHECKBOX_LINE.test(quote) &&
  namesModel(plain) &&
  ((POLICY_WORDS.permits.test(plain) && !POLICY_WORDS.permitsLittle.test(plain)) ||
    (POLICY_WORDS.permitsUnder.test(plain) &&
      !POLICY_WORDS.noOrNever.test(plain) &&
      !POLICY_WORDS.littleUses.test(plain)) ||
    POLICY_WORDS.ofAiUse.test(plain));

/** Says that models may be used, or that nothing is asked, with no word that limits it. */
export const mayPermitUse = (plain: string): boolean =>
  permitsInOtherLanguage(plain) ||
  POLICY_WORDS.freeOfRules.test(plain) ||
  ((namesModel(plain) || POLICY_WORDS.ofUse.test(plain)) &&
    ([NEED_NOT, POLICY_WORDS.undecided, POLICY_WORDS.optional].some((one) => one.test(plain)) ||
      (!POLICY_WORDS.permitsLittle.test(plain) &&
        [POLICY_WORDS.welcomes, POLICY_WORDS.permits, POLICY_WORDS.freeToUse, POLICY_WORDS.takenByName].some(
          (one) => one.test(plain),
        ))));

const withoutOwnUse = (plain: string): string => plain.split(POLICY_WORDS.noRule).join(' ');
const NOT_US = /^\W*(?:[Bb]ut )?(?:[Ww]e|[Tt]his project) (?:do|does)(?: not|n't)\W*(?:$|[A-Z])/;
export const isNoModelClaim = ({ plain }: Pick<RulePassage, 'plain'>): boolean =>
  namesModel(plain) && POLICY_WORDS.madeWithout.test(plain);
const ofCareless = (plain: string): boolean =>
  POLICY_WORDS.careless.test(plain) && !POLICY_WORDS.ofAllAi.test(plain);
const isRefusal = (plain: string): boolean =>
  !(POLICY_WORDS.runs.test(plain) && !POLICY_WORDS.sent.test(plain)) &&
  (AI_CONTRIBUTION.test(plain) || POLICY_WORDS.noModel.test(plain)) &&
  isBan(plain.split(POLICY_WORDS.personBanned).join(' ')) &&
  !POLICY_WORDS.undecided.test(plain);
const FILLERS = wordGroup('discovery/rules', 'fillers').map(([, says]) => says);
/** Without what limits no refusal: reasons, examples, what becomes of those who do it all the same. */
const withoutFillers = (plain: string): string =>
  FILLERS.reduce((text, says) => text.split(says).join(''), plain)
    .split(POLICY_WORDS.contains)
    .join('with ');
const MOST_OTHER_WORDS = 5;
const countOtherWords = (text: string): number =>
  text
    .split(/[^\p{L}.']+/u)
    .map((w) => w.replace(/^[.']+|(?<![.'])[.']+$/g, '').toLowerCase())
    .filter((w) => w !== '' && !POLICY_WORDS.plainWords.test(w)).length;
const isPlain = (text: string): boolean => countOtherWords(text) <= MOST_OTHER_WORDS;
export const hasPlainWordsOnly = (text: string): boolean => countOtherWords(text) === 0;

const findMadeNoun = (plain: string): string | undefined => {
  const [, inside, last] = POLICY_WORDS.madeNoun.exec(plain) ?? [];
  return inside ?? last;
};
/** `AI-generated titles`: no kind of contribution, so the product makes or gets them. */
const isOfOtherNoun = (plain: string): boolean => {
  const noun = findMadeNoun(plain);
  return noun !== undefined && !POLICY_WORDS.whatIsSent.test(noun);
};
/** A foundation, its lawyers or its checks refuse for the project; a part of its product does not. */
const isOfParts = (plain: string): boolean =>
  !POLICY_WORDS.sentByPeople.test(plain) &&
  (POLICY_WORDS.runByAPart.test(plain) ||
    (POLICY_WORDS.refusedByAPart.test(plain) && !POLICY_WORDS.ofCode.test(plain)));
const isOfProduct = (plain: string): boolean =>
  [POLICY_WORDS.ofTrait, POLICY_WORDS.ofUseWithin].some((one) => one.test(plain)) || isOfOtherNoun(plain);
/** In a file for agents, how their work looks is told to them; a refusal of it is not. */
const isToldToAgents = (plain: string): boolean => {
  const rest = plain.split(POLICY_WORDS.traits).join(' ');
  if (rest !== plain) return !isNegative(rest);
  return (
    POLICY_WORDS.ofUseWithin.test(plain) || POLICY_WORDS.ofProducts.test(findMadeNoun(plain)?.trim() ?? '')
  );
};

const isOutrightRefusal = (plain: string): boolean => {
  const bare = withoutFillers(plain);
  return (
    !POLICY_WORDS.partialAiUse.test(plain) &&
    isPlain(bare) &&
    ![POLICY_WORDS.conditional, NEAR_BANS.needsFirst, NEAR_BANS.ofPart].some((says) => says.test(bare)) &&
    (!POLICY_WORDS.welcomes.test(plain) || POLICY_WORDS.noAiAtAll.test(plain))
  );
};

const isHeading = ({ plain, heading }: RulePassage): boolean =>
  plain !== '' && heading.split(' / ').at(-1) === plain;

const findEnglishRules = (one: RulePassage): FoundRule[] | null => {
  const plain = removeQuotations(one.plain);
  if (POLICY_WORDS.whatever.test(plain)) return null;
  if (!namesModel(plain)) return null;
  if (!isRefusal(withoutOwnUse(plain).replace(NEAR_BANS.asFeature, ' '))) return null;
  if (NEAR_BANS.ofOthers.test(plain)) return NOT_US.test(one.after) ? [] : [{ kind: 'other', value: 'ai' }];
  if (isHeading(one) && !POLICY_WORDS.flatHeading.test(plain)) return null;
  // A list begins: its items say what is refused, or only name some of it.
  if (/[:：]$/.test(plain) && !POLICY_WORDS.reasons.test(plain)) return null;
  if (one.forAgents && POLICY_WORDS.ordersAgents.test(plain)) return null;
  if (one.forAgents && POLICY_WORDS.fromOpening.test(plain))
    return [{ kind: 'ai_limited', value: 'pull requests opened by an agent' }];
  const branch = POLICY_WORDS.ofBranch.exec(plain)?.[1];
  if (branch !== undefined) return [{ kind: 'ai_limited', value: `the branch ${branch}` }];
  const besides = findNonCodeRefusals(one);
  if (besides) return besides;
  if (isOfParts(plain)) return [];
  if (isOfProduct(plain))
    return one.forAgents && isToldToAgents(plain) ? [] : [{ kind: 'other', value: 'ai' }];
  if (ofWhole(plain) || POLICY_WORDS.ofSome.test(plain))
    return [{ kind: 'ai_limited', value: WHOLLY_AI_CHANGES }];
  if (POLICY_WORDS.noRule.test(plain)) return [{ kind: 'other', value: 'ai' }];
  if (isOutrightRefusal(plain)) return [{ kind: 'ai_ban' }];
  return ofCareless(plain) ? [] : [{ kind: 'other', value: 'ai' }];
};

/** Another box beside it is for work with models, so neither answer is refused. */
const hasBoxForAi = ({ before, after }: RulePassage): boolean =>
  `${before} ${after}`
    .split(/\[[ x]?\]/i)
    .slice(1)
    .some((box) => namesModel(box) && !DENIES.test(box) && !POLICY_WORDS.policyBox.test(box));
const OF_THIS_CHANGE = /\b(?:I|I'm|I've|my|this|mine)\b|^\W*(?:\[[ x]?\]\s*)?(?:is|was|contains?|no)\b/i;
const findCheckboxRules = (one: RulePassage): FoundRule[] => {
  const { plain } = one;
  // A policy stands in a box to be read: `AI-generated pull requests are not accepted`.
  if (!OF_THIS_CHANGE.test(plain) && isRefusal(plain)) return findEnglishRules(one) ?? [];
  if (!namesModel(plain) || !DENIES.test(plain) || hasBoxForAi(one)) return [];
  return AI_CONTRIBUTION.test(plain) ||
    (POLICY_WORDS.deniesModel.test(plain) && !POLICY_WORDS.ofHow.test(plain))
    ? [{ kind: 'other', value: 'ai' }]
    : [];
};

/** Possibly a refusal in unknown words: a person reads it before anything is public. */
const inDoubt = (whole: string): boolean => {
  const plain = withoutOwnUse(removeQuotations(whole)).replace(NEAR_BANS.asFeature, ' ');
  if (POLICY_WORDS.noDoubt.test(plain) || ofCareless(plain)) return false;
  return (
    (POLICY_WORDS.byNetworks.test(plain) && isNegative(plain)) ||
    (namesModel(plain) &&
      POLICY_WORDS.contributes.test(plain) &&
      isNegative(plain) &&
      !POLICY_WORDS.welcomes.test(plain))
  );
};

const isUnwanted = (whole: string): boolean => {
  const plain = withoutOwnUse(whole);
  return (
    namesModel(plain) &&
    ([REFUSAL_WORDS.flatly, REFUSAL_WORDS.softly].some((says) => says.test(plain)) ||
      (POLICY_WORDS.noModelInDoubt.test(removeQuotations(plain)) && !POLICY_WORDS.undecided.test(plain))) &&
    !ofCareless(plain) &&
    !POLICY_WORDS.slop.test(plain)
  );
};

const refusesByPlace = ({ plain, quote, heading, lead }: RulePassage): boolean => {
  if (POLICY_WORDS.noAiBadge.test(plain)) return /^\W*!?\[|^\s*<|<img/i.test(quote);
  if (!namesModel(plain) || POLICY_WORDS.welcomes.test(plain)) return false;
  if (/^\s*\|/.test(quote)) return POLICY_WORDS.refusedCell.test(quote);
  if (!/^\s*(?:[-*+]|\d+[.)])\s/.test(quote)) return false;
  const nearest = heading.split(' / ').at(-1) ?? '';
  return (
    (POLICY_WORDS.refusingTitle.test(nearest) && AI_CONTRIBUTION.test(plain) && lead === '') ||
    (POLICY_WORDS.contributes.test(lead) && isNegative(plain) && !POLICY_WORDS.noDoubt.test(plain))
  );
};

/** Refuses purely AI-made work: a person says whether a signed change is that. */
const ofWhole = (plain: string): boolean =>
  POLICY_WORDS.ofWhole.test(plain) && !POLICY_WORDS.inPart.test(plain);

/** Refuses fully AI-made work: such a file may welcome assistance. */
export const isFullyAiRefusal = (plain: string): boolean => POLICY_WORDS.ofDegree.test(plain);

const findAiRefusal = (one: RulePassage): FoundRule[] => {
  const { plain, quote, forAgents } = one;
  if (CHECKBOX_LINE.test(quote)) return findCheckboxRules(one);
  // guard: E7-files-asked
  if (POLICY_WORDS.ofFiles.test(plain)) return forAgents ? [] : [{ kind: 'other', value: 'ai' }];
  const flatly =
    POLICY_WORDS.noAi.test(plain) || (POLICY_WORDS.byPeople.test(plain) && POLICY_WORDS.anyWork.test(plain));
  if (flatly && !POLICY_WORDS.conditional.test(plain)) return [{ kind: 'ai_ban' }];
  if (POLICY_WORDS.isAiFree.test(plain)) return [{ kind: 'other', value: 'ai' }];
  if (forAgents && POLICY_WORDS.barsAgents.test(plain)) return [{ kind: 'ai_ban' }];
  const english = findEnglishRules(one);
  if (english !== null) return english;
  if (isNoModelClaim(one)) return [{ kind: 'other', value: 'ai' }];
  const abroad = findNonEnglishRefusal(plain);
  if (abroad !== null)
    return [abroad === 'outright' && !forAgents ? { kind: 'ai_ban' } : { kind: 'other', value: 'ai' }];
  // guard: E7-lists-and-tables-asked
  if (refusesByPlace(one)) return [{ kind: 'other', value: 'ai' }];
  if (!forAgents && mayRefuseInOtherLanguage(plain)) return [{ kind: 'other', value: 'ai' }];
  if (forAgents) return [];
  if (!inDoubt(plain)) return isUnwanted(plain) ? [{ kind: 'other', value: 'ai' }] : [];
  const besides = findNonCodeRefusals(one);
  if (besides) return besides;
  return [ofWhole(plain) ? { kind: 'ai_limited', value: WHOLLY_AI_CHANGES } : { kind: 'other', value: 'ai' }];
};

const STANDS_BESIDE: readonly RuleKind[] = ['ai_disclosure', 'human_author'];
const withoutSignOff = (plain: string): string =>
  plain
    .split(POLICY_WORDS.clauseEnds)
    .filter((clause) => !POLICY_WORDS.ofSignOff.test(clause))
    .join(', ');

/** `Descriptions are written by a human. They may not be written by an LLM.` */
const isOfTextsBefore = (one: RulePassage): boolean =>
  /^\W*they\b/i.test(one.plain) &&
  namesModel(one.plain) &&
  !CODE_NOUN.test(one.plain) &&
  findHumanWordsRule({ ...one, plain: one.earlier ?? '' }) !== null;

export const findAiRules: RuleReader = (passage) => {
  const one = { ...passage, plain: withoutPermissions(unquoteModels(passage.plain)) };
  if (isOfTextsBefore(one)) return [{ kind: 'human_words' }];
  const asked = findAiRequirements(one);
  const form = CHECKBOX_LINE.test(one.quote) ? null : findRefusal(one);
  // guard: E7-other-forms-of-bans
  if (form?.kind === 'ai_ban') return [form];
  if (form) {
    const beside = asked.filter(({ kind }) => STANDS_BESIDE.includes(kind));
    const banned = findAiRefusal(one).some(({ kind }) => kind === 'ai_ban');
    return banned ? [{ kind: 'ai_ban' }] : [form, ...beside];
  }
  // Refuses the trailer or label, not the change, unless it names both.
  const both = asked.every(({ value }) => value === 'no_co_author') && POLICY_WORDS.codeBy.test(one.plain);
  if (asked.length > 0 && both) {
    const banned = findAiRefusal(one).filter(({ kind }) => kind === 'ai_ban');
    return banned.length > 0 ? banned : asked;
  }
  // Who may sign off stands beside a ban as its reason.
  if (asked.some(({ value }) => value === 'no_sign_off'))
    return [...findAiRefusal({ ...one, plain: withoutSignOff(one.plain) }), ...asked];
  if (asked.some(({ kind }) => !STANDS_BESIDE.includes(kind))) return asked;
  const refused = findAiRefusal(one);
  if (asked.length > 0) return [...refused.filter(({ kind }) => kind !== 'other'), ...asked];
  if (refused.length > 0 || one.lead === '' || !isNegative(one.lead)) return refused;
  const whole = { ...one, plain: `${one.lead.replace(/[:：]$/, '')} ${one.plain}`, lead: '' };
  return findAiRefusal(whole).filter(
    ({ kind }) => kind !== 'other' && (kind !== 'ai_ban' || CODE_NOUN.test(one.plain)),
  );
};
