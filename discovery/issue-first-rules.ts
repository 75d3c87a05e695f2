/** Finds rules that require an issue, a discussion, an approval or an assignment first. */
import { wordPatterns } from '#tools/words';
import { summariseRule } from './summarise-rule.ts';
import type { FoundRule, RulePassage } from './rule-passage.ts';

const ISSUE_WORDS = wordPatterns('discovery/rules', 'issueFirst', [
  ...[
    'asked',
    'inBox',
    'refusedWithout',
    'ofSteps',
    'opensIssue',
    'notAsked',
    'features',
    'ofLarge',
    'ofReports',
    'needNot',
    'accepted',
    'ifAny',
    'ofFindings',
  ],
  ...['approvalAwaited', 'freed', 'forSmallOnes', 'freedClause', 'refusedPull', 'advice', 'must'],
  ...['forFeatures', 'otherWork'],
  ...['ofQuestions', 'firstIssue', 'beforeEffort', 'orFeature', 'thenYouMay', 'assigned', 'notAssigned'],
] as const);

const TALKS = '(?:[OD][^;B]{0,8}I|D[^;B]{0,6}Z|MD)';
const ISSUE_FIRST_PATTERNS: readonly RegExp[] = [
  new RegExp(`B[^;]{0,7}W[^;]*(?:${TALKS}|I[^;]{0,4}L|L[^;]{0,4}I)`),
  new RegExp(`(?:${TALKS}|M[^;B]{0,4}D)[^;]{0,14}B[^;]{0,7}W`),
  new RegExp(`W[^;]{0,12}${TALKS}[^;]{0,8}F|W[^;]{0,12}F[^;]{0,3}${TALKS}|W[^;]{0,6}M[^;]{0,3}D[^;]{0,8}F`),
  new RegExp(`^[^;]{0,6}(?:F[^;]{0,3}${TALKS}|${TALKS}[^;]{0,4}F)[^;]*W`),
  /W[^;]{0,4}M[^;]{0,3}B[^;]{0,3}I/,
  /W[^;]{0,8}N[^;]{0,6}[IAGD][^;]*C/,
  /N[^;]{0,6}W[^;]{0,5}N[^;M]{0,4}(?:[AGFD][^;]{0,3})?I/,
];
const withoutFreedClause = (plain: string): string => {
  const clause = ISSUE_WORDS.freedClause.exec(plain)?.[0] ?? '';
  return ISSUE_WORDS.forSmallOnes.test(clause) ? plain.slice(clause.length) : plain;
};
const isFreed = (earlier: string): boolean =>
  ISSUE_WORDS.freed.test(earlier) && !ISSUE_WORDS.forSmallOnes.test(earlier);

/** Features are named where the rule stands, and no other work. */
const isAboutFeatures = ({ plain, heading, lead }: RulePassage): boolean => {
  const scope = [plain, lead, heading].find((words) => ISSUE_WORDS.forFeatures.test(words));
  return scope !== undefined && ![plain, scope].some((words) => ISSUE_WORDS.otherWork.test(words));
};

export const findIssueFirstRule = (one: RulePassage): FoundRule | null => {
  const { lead, heading, after, quote, path, earlier = '' } = one;
  const plain = withoutFreedClause(one.plain);
  if (ISSUE_WORDS.notAsked.test(plain) || ISSUE_WORDS.ofQuestions.test(heading) || isFreed(earlier))
    return null;
  const words = plain
    .split(ISSUE_WORDS.firstIssue)
    .join('task')
    .replace(/(?<=\w)[.](?=\w)/g, '_');
  const said = summariseRule(words.replace(/\([^)]*\)/g, ' '));
  if (ISSUE_WORDS.advice.test(words) && !ISSUE_WORDS.must.test(`${words} ${after}`)) return null;
  const isStep = ISSUE_WORDS.ofSteps.test(lead) && ISSUE_WORDS.opensIssue.test(words);
  const isInBox = ISSUE_WORDS.inBox.test(words);
  const asked =
    isStep ||
    isInBox ||
    ISSUE_WORDS.asked.test(words) ||
    ISSUE_WORDS.refusedWithout.test(words) ||
    ISSUE_FIRST_PATTERNS.some((p) => p.test(said));
  if (!asked || ISSUE_WORDS.ifAny.test(words) || ISSUE_WORDS.ofFindings.test(words)) return null;
  if (
    ISSUE_WORDS.ofLarge.test(
      words.split(ISSUE_WORDS.beforeEffort).join(' ').split(ISSUE_WORDS.orFeature).join('feature'),
    ) ||
    ISSUE_WORDS.ofLarge.test(lead) ||
    (ISSUE_WORDS.ofReports.test(plain) && !ISSUE_WORDS.features.test(plain)) ||
    ISSUE_WORDS.needNot.test(plain.replace(ISSUE_WORDS.thenYouMay, ' '))
  )
    return null;
  if (/ISSUE_TEMPLATE/i.test(path) || (quote.endsWith('?') && !isInBox)) return null;
  const value =
    ISSUE_WORDS.assigned.test(plain) && !ISSUE_WORDS.notAssigned.test(plain)
      ? 'assigned'
      : ISSUE_WORDS.accepted.test(plain.split(ISSUE_WORDS.refusedPull).join(' ')) ||
          ISSUE_WORDS.approvalAwaited.test(after)
        ? 'accepted'
        : 'open';
  return { kind: 'issue_first', value, ...(isAboutFeatures(one) ? { appliesTo: 'feat' as const } : {}) };
};
