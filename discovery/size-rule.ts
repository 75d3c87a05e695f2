/** Finds rules about the size of a change: one thing at a time, small, a number of lines. */
import { wordPatterns } from '#tools/words';
import { REQUEST_WORDS, isInstructionSentence, type FoundRule, type RulePassage } from './rule-passage.ts';

const SIZE_WORDS = wordPatterns('discovery/rules', 'size', [
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
  if (plain.length > MAX_SHORT_RULE || SIZE_WORDS.otherwise.test(plain) || !SIZE_WORDS.directs.test(plain))
    return false;
  const isOfSent = SIZE_WORDS.change.test(plain) || SIZE_WORDS.ofPulls.test(around);
  return (
    isOfSent &&
    (SIZE_WORDS.isSmall.test(plain) || (SIZE_WORDS.many.test(plain) && SIZE_WORDS.apart.test(plain)))
  );
};

export const findSizeRule = ({ plain, path, forAgents, heading, lead }: RulePassage): FoundRule | null => {
  const lines = SIZE_WORDS.lineLimit.exec(plain)?.[1];
  if (
    lines !== undefined &&
    SIZE_WORDS.atMost.test(plain) &&
    SIZE_WORDS.ofLines.test(plain) &&
    !SIZE_WORDS.ofOtherLines.test(plain)
  )
    return { kind: 'size', value: lines };
  if (
    [SIZE_WORDS.ofText, SIZE_WORDS.ofCommits, SIZE_WORDS.together, SIZE_WORDS.ofSmallOnes].some((one) =>
      one.test(plain),
    )
  )
    return null;
  if (inWords(plain, `${heading} ${lead}`)) return { kind: 'size', value: 'one_change' };
  const isOfCommits = SIZE_WORDS.commits.test(plain.split(SIZE_WORDS.otherCommit).join(' '));
  if (!SIZE_WORDS.oneChange.test(plain) || (isOfCommits && !SIZE_WORDS.inPull.test(plain))) return null;
  if (plain.endsWith('?') || (forAgents && !SIZE_WORDS.ofPulls.test(plain)) || /ISSUE_TEMPLATE/i.test(path))
    return null;
  return REQUEST_WORDS.test(plain) ||
    isInstructionSentence(plain, SIZE_WORDS.orders.source) ||
    SIZE_WORDS.praised.test(plain)
    ? { kind: 'size', value: 'one_change' }
    : null;
};
