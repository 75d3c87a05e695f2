/** Reads an order by its sentences: what it asks for, what it says is wrong, and what is for the agent alone (F9). */
import { withoutClosingNotes } from '#model/requirements';

export const firstSentence = (text: string): string => {
  const line = text.trim().split(/\r?\n/)[0] ?? '';
  const sentence = /^(.*?[^.])(?:\.(?:\s|$)|。)/.exec(line)?.[1] ?? line;
  return sentence.replace(/\s+/g, ' ').trim();
};

const VERB = String.raw`(?:accept|add|adjust|allow|apply|avoid|bump|cache|call|cap|change|check|clean|clear|close|collect|compare|compress|compute|convert|copy|correct|count|create|cut|declare|default|define|delete|deprecate|detect|disable|document|drop|enable|ensure|escape|expand|explain|export|expose|extend|extract|fetch|fill|filter|fix|fold|follow|format|generate|give|group|guard|handle|hide|hold|ignore|implement|import|improve|include|increase|increment|init|inline|install|introduce|join|keep|leave|let|limit|link|list|load|log|lower|make|mark|match|measure|mend|merge|migrate|mock|move|name|normali[sz]e|open|optimi[sz]e|parse|pass|pin|point|prefer|prepare|preserve|prevent|print|publish|put|raise|read|record|reduce|refactor|refresh|refuse|reject|release|remove|rename|repair|replace|report|require|reset|resolve|respect|restore|retry|return|reuse|revert|rewrite|rework|run|save|say|send|set|show|simplify|skip|sort|speed|split|start|stop|store|support|switch|sync|take|tell|test|throw|translate|treat|trim|try|turn|type|unify|update|upgrade|use|validate|verify|wait|warn|wrap|write)`;
const IMPERATIVE = new RegExp(String.raw`^(?:[\w.*@/+-]+(?:\([^()]*\))?!?: )?${VERB}\b`, 'i');
export const isImperative = (text: string): boolean => IMPERATIVE.test(text.trim());

/** Orders besides the task: `Say so.`, `Add a line.`, `Do not touch the tests.` They are for the agent alone. */
const OBJECT = String.raw`(?:an?|the|this|that|these|those|it|its|them|all|any|no|one|so|to|not|only|in|on|for|with|if|by|each|every|your|our|their|what|how|where|why|whether|as|at|both|two)`;
const ORDERS_AGENT = new RegExp(
  String.raw`^(?:[-*+]\s|\d+[.)]\s)?(?:please\b|do not\b|don't\b|never\b|make sure\b|be sure\b|remember\b|(?:also|then|and|but|first|finally|besides),? (?=(?:add|say|tell|write|run|wait|explain|mention|do not|don't|make sure)\b)|use [\w-]+[.!?]$|(?:add|adjust|apply|avoid|check|commit|describe|document|explain|extend|follow|include|keep|leave|list|look|mention|name|open|put|read|report|run|say|see|send|show|tell|test|try|update|use|wait|write)(?: and \w{3,20})?\s${OBJECT}\b)`,
  'i',
);
/** `… says "the the". Fix it.`: the problem is told, and the order adds nothing. */
const BARE_ORDER =
  /(?<=[.!?。！？"'”]\s{1,3})(?:please |so )?(?:fix|mend|correct|repair|solve|resolve|change|remove) (?:it|that|this|them)(?: please)?[.!]?\s*$/i;
const BETWEEN_SENTENCES =
  /((?<=[.!?])\s+(?![a-z])|(?<=[。！？])\s*(?![」』”’）。！？…\s])(?=\S)|\n+(?![a-z]))/;
export const splitIntoSentences = (text: string): string[] =>
  text
    .trim()
    .split(BETWEEN_SENTENCES)
    .filter((_, at) => at % 2 === 0)
    .map((part) => part.trim());
export const isAgentInstruction = (sentence: string): boolean => ORDERS_AGENT.test(sentence);
export const selectSentences = (text: string, isKept: (sentence: string, at: number) => boolean): string => {
  // Sentences at even places, what stands between them at odd ones.
  const parts = text.trim().split(BETWEEN_SENTENCES);
  const kept = parts.flatMap((part, at) =>
    at % 2 === 1 || !isKept(part.trim(), at / 2) ? [] : [`${parts[at - 1] ?? ''}${part}`],
  );
  return kept.join('').trim();
};

/** The task itself, and what a person says of it; without what tells an agent how to work. */
export const removeAgentInstructions = (whole: string): string => {
  const goal = withoutClosingNotes(whole).replace(BARE_ORDER, '');
  const [task = ''] = goal.trim().split(BETWEEN_SENTENCES);
  // Another beginning is no task, and a list that follows one is part of it.
  if (!isImperative(task) || task.endsWith(':') || goal.includes('```')) return goal.trim();
  return selectSentences(goal, (sentence, at) => at === 0 || !ORDERS_AGENT.test(sentence));
};

/** `Fix #12: it forgets the delay` goes on with the title of the issue, which is the problem. */
const NAMES_ISSUE_FIRST = /^(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s+\S*#\d+/i;

/** Verbs that are no nouns and no adjectives: `Store credentials are logged` does not begin with one. */
const ONLY_VERB = String.raw`(?:add|adjust|allow|apply|avoid|collect|compute|convert|create|declare|define|delete|deprecate|detect|disable|enable|ensure|expand|explain|expose|extend|extract|fix|generate|give|hide|ignore|implement|improve|include|increment|introduce|keep|let|make|mend|migrate|normali[sz]e|optimi[sz]e|prefer|prepare|preserve|prevent|publish|reduce|refactor|refuse|reject|remove|rename|repair|replace|resolve|respect|rewrite|say|simplify|tell|translate|unify|use|validate|verify)`;
const DETERMINER = String.raw`(?:an?|the|this|that|these|those|it|its|them|all|any|each|every|no|both|our|your|their)`;
/** Behind a name: `Fix for the parser is wrong`, `Use after free`. */
const BEHIND_NOUN = String.raw`(?:case|count|after|for|of|in|on|at|by|with|from|to)s?`;
const SURELY_VERB = `(?:${ONLY_VERB} (?!${BEHIND_NOUN}\\b)|${VERB} (?=${DETERMINER}\\b))`;
const OPENING_ORDER = new RegExp(`^(${VERB})(?= (?!(?:and|or)\\b))`, 'i');
const SURE_ORDER = new RegExp(`^${SURELY_VERB}`, 'i');

const MAIN_CLAUSE_ENDS =
  /[:;(]|,? (?:that|which|who|whose|when|whenever|where|while|if|unless|until|because|since|so|as|before|after|how|what|why|whether)\b/;
const FINITE_VERB =
  /\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|will|would|should|must|may|might)\b|n['’]t\b|\b(?:fail|break|crash|throw|hang|leak|lose|forget|panic|return|report|show|happen|work)(?:e?s)\b|\b(?:missing|broken|ignored|wrong|incorrect|lost|left)(?= (?:in|on|at|for|from|by|with|under)\b|$)/;
const hasFiniteVerb = (text: string): boolean =>
  FINITE_VERB.test(text.slice(0, Math.max(0, MAIN_CLAUSE_ENDS.exec(text)?.index ?? text.length)));

export const isTask = (text: string): boolean =>
  isImperative(text) &&
  !NAMES_ISSUE_FIRST.test(text) &&
  (SURE_ORDER.test(text.trim()) || !hasFiniteVerb(text));

const inThirdPerson = (verb: string): string =>
  /(?:s|x|z|ch|sh|o)$/i.test(verb) ? `${verb}es` : verb.replace(/(?<=[^aeiou])y$/i, 'ie').concat('s');
/** `Fix the parser and test it` orders two things; `to get and set it` names two. */
const JOINED_VERB = new RegExp(`(?<= and )(?<!\\bto [\\w-]{1,30},? and )(?=${SURELY_VERB})${VERB}\\b`, 'gi');
export const findSecondActs = (sentence: string): number[] =>
  [...sentence.matchAll(JOINED_VERB)].map(({ index }) => index - ' and '.length);
/** What may be another order: a word behind `and` or a comma that begins no noun for certain. */
const NO_ORDER = String.raw`${DETERMINER}\b|(?:to|in|on|at|for|from|by|with|without|of|instead|which|who|where|when|while|if|so|because|as|not|also|even|only|etc|e\.g)\b|[A-Z\d\`"'“(_$-]`;
const MAYBE_ORDER = new RegExp(
  String.raw`(?:(?<!\bto [\w-]{1,30},?) (?:and|or|but|then)|[,;]) (?!(?:and|or|but|then)\b)(?!${NO_ORDER})`,
);
const MENDS = /^(?:fix|correct|repair|mend|resolve|solve) (?!\S*#\d)[^:]{1,100}(?=: )/i;
/** `Fix the header: OPTIONS is listed`: behind the colon stands what is wrong. */
export const readActAndFault = (sentence: string): { act: string; fault: string } | null => {
  const [act] = MENDS.exec(sentence) ?? [];
  if (act === undefined) return null;
  const fault = sentence.slice(act.length + 2);
  const isFault =
    FINITE_VERB.test(fault) &&
    !SURE_ORDER.test(fault) &&
    !/^(?:it|this|that|they|these|those)\b/i.test(fault);
  return isFault ? { act, fault } : null;
};
const EXPLAINS_BY_ORDER = new RegExp(`[:(] ?${VERB}\\b`, 'i');
const stateSentence = (sentence: string): string => {
  const told = readActAndFault(sentence);
  if (told !== null)
    return `${told.fault.charAt(0).toUpperCase()}${told.fault.slice(1)}. ${stateSentence(told.act)}`.replace(
      /\.\. /,
      '. ',
    );
  const denied = DENIED_ORDER.exec(sentence);
  if (denied !== null)
    return `This no longer ${inThirdPerson(denied[1] ?? '')}${sentence.slice(denied[0].length)}`;
  const named = NAMED_ORDER.exec(sentence);
  if (named !== null) return `This makes ${named[1] ?? ''} ${sentence.slice(named[0].length)}`;
  const [verb] = OPENING_ORDER.exec(sentence) ?? [];
  if (verb === undefined || !isTask(sentence)) return sentence;
  if (!SURE_ORDER.test(sentence) || hasFiniteVerb(sentence) || EXPLAINS_BY_ORDER.test(sentence))
    return sentence;
  const object = sentence.slice(verb.length);
  if (MAYBE_ORDER.test(object.replace(JOINED_VERB, 'the'))) return sentence;
  return `This ${inThirdPerson(verb.toLowerCase())}${object.replace(JOINED_VERB, (one) => inThirdPerson(one))}`;
};
/** `parse_url(): reject spaces`: what the code of that name is to do. */
const NAMED_ORDER =
  /^(`[^`\n]{1,60}`|\w+(?:(?:[./-]|::?)\w+)+(?:\(\))?|[a-z]+_\w+(?:\(\))?): (?=(?:accept|complete|escape|fail|follow|handle|ignore|keep|preserve|print|raise|refuse|reject|report|respect|retry|return|show|skip|stop|support|throw|treat|wait|warn) (?!.*\b(?:and|or) (?:add|fix|update|test|document)\b))/;
const DENIED_ORDER = new RegExp(
  String.raw`^(?:do not|don't|never) (?!be\b|have\b|do\b)([a-z]{3,20})(?= )(?!.*\b(?:and|or|but)\b)`,
  'i',
);
/** An order as a statement: `Fix the parser` becomes `This fixes the parser`. What may say something else stays. */
export const toTaskStatement = (text: string): string => {
  const first = firstSentence(text);
  if (!text.startsWith(first)) return text;
  const rest = text.slice(first.length);
  if (isTask(first) || DENIED_ORDER.test(first) || NAMED_ORDER.test(first))
    return selectSentences(rest.replace(/^[.\s]+/, ''), isFurtherOrder) === ''
      ? `${stateSentence(first)}${rest}`
      : text;
  return text
    .split(BETWEEN_SENTENCES)
    .map((part, at) => (at === 0 || at % 2 === 1 || ORDERS_AGENT.test(part) ? part : stateSentence(part)))
    .join('');
};
const isFurtherOrder = (sentence: string): boolean =>
  isImperative(sentence.replace(/^(?:then|also|and|next|finally|please),? /i, ''));
