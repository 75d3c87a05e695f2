/** Finds rules about the size of a change: one thing at a time, small, a number of lines. */
import { wordPatterns } from '#tools/words';
import { REQUEST_WORDS, isInstructionSentence, type FoundRule, type RulePassage } from './rule-passage.ts';

const WORDS = wordPatterns('discovery/rules', 'size', [
  ...[
    'oneChange',
    'lineLimit',
    'atMost',
    'ofLines',
    'ofOtherLines',
    'ofText',
    'ofCommits',
    'together',
    'ofSmallOnes',
  ],
  ...['change', 'isSmall', 'many', 'apart', 'directs', 'otherwise', 'ofPulls', 'otherCommit', 'commits'],
  ...['inPull', 'orders', 'praised'],
] as const);

const MAX_SHORT_RULE = 240;
const inWords = (plain: string, around: string): boolean => {
  if (plain.length > MAX_SHORT_RULE || WORDS.otherwise.test(plain) || !WORDS.directs.test(plain))
    return false;
  const isOfSent = WORDS.change.test(plain) || WORDS.ofPulls.test(around);
  return isOfSent && (WORDS.isSmall.test(plain) || (WORDS.many.test(plain) && WORDS.apart.test(plain)));
};

export const sizeRule = ({ plain, path, forAgents, heading, lead }: RulePassage): FoundRule | null => {
  const lines = WORDS.lineLimit.exec(plain)?.[1];
  if (
    lines !== undefined &&
    WORDS.atMost.test(plain) &&
    WORDS.ofLines.test(plain) &&
    !WORDS.ofOtherLines.test(plain)
  )
    return { kind: 'size', value: lines };
  if ([WORDS.ofText, WORDS.ofCommits, WORDS.together, WORDS.ofSmallOnes].some((one) => one.test(plain)))
    return null;
  if (inWords(plain, `${heading} ${lead}`)) return { kind: 'size', value: 'one_change' };
  const isOfCommits = WORDS.commits.test(plain.split(WORDS.otherCommit).join(' '));
  if (!WORDS.oneChange.test(plain) || (isOfCommits && !WORDS.inPull.test(plain))) return null;
  if (plain.endsWith('?') || (forAgents && !WORDS.ofPulls.test(plain)) || /ISSUE_TEMPLATE/i.test(path))
    return null;
  return REQUEST_WORDS.test(plain) ||
    isInstructionSentence(plain, WORDS.orders.source) ||
    WORDS.praised.test(plain)
    ? { kind: 'size', value: 'one_change' }
    : null;
};
