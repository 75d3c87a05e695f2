/** Encodes a sentence as one letter per word class, so that rules match word order patterns. */
import { findAllMatches } from '#model/values';

const CLASSES = {
  X: 'large[rst]*|major|big(?:ger)?|significant(?:ly)?|substantial|breaking|massive|extensive|architectur\\w*|complex|radical|sweeping|fundamental|huge|sizeable|considerable|in-depth|bulky',
  B: 'before|prior to|ahead of|until|preced\\w+',
  F: 'first|beforehand|in advance|up ?front|ahead of time|at first|initially|prior',
  A: 'approv\\w*|accepted|accepts?(?= it| the issue| your)|agree\\w*|confirm\\w*|green[- ]?li(?:ght|t)\\w*|go[- ]ahead|nod|consensus|triag\\w*|alignment|buy[- ]in|consent|consult\\w* with|endors\\w*|thumbs[- ]up|lgtm|label+ed|accepting[- ]prs?|ready[- ](?:for|to)[- ]\\w+|help[- ]wanted|feedback',
  G: 'assign(?:ed|ment|s|ee)?',
  I: 'issues?|tickets?|discussions?|proposals?|rfcs?|feature requests?|bug reports?|(?<=fil(?:e|ing) a )bug|threads?|trackers?|mailing[- ]lists?|forums?|discord|slack|irc|matrix|zulip|gitter|google group|enhancement requests?|jira|design docs?',
  O: 'open(?:s|ed|ing)?|creat\\w+|fil(?:e|es|ed|ing)(?= an?| the| your| one)|rais\\w+|submit\\w*|start(?:s|ed|ing)?|post(?:s|ed|ing)?|log(?=ging)?|mak(?:e|es|ing)|writ(?:e|es|ing)|begin(?:s|ning)?|find|have|send|sent|sending|add|put|propos(?:e|es|ed|ing)',
  D: 'discuss(?:es|ed|ing)?|talk\\w*|reach(?:ing)? out|get in touch|getting in touch|consult\\w*|align(?:s|ed)?|coordinat\\w*|ask(?:s|ed|ing)?(?! that| you|\\w)|contact\\w*|announc\\w*|vet(?:ted)?|check(?:ing)? with|let us know|tell(?:ing)? us|comment(?:s|ing)?|speak|get(?:ting)? feedback|solicit\\w*|communicat\\w*',
  W: 'pull[- ]?requests?|prs?|mrs?|merge[- ]requests?|patch(?:es)?|contributions?|contribut(?:e|ing)|submissions?|changes?|features?|enhancements?|implement\\w*|cod(?:e|ing)|work(?:s|ed|ing)?|fix(?:es|ing)?|develop(?:ing|ment)?|refactor\\w*|functionality|additions?|improvements?|bugfix(?:es)?|build(?:ing)? (?:it|out)',
  L: 'link(?:s|ed|ing)?|referenc(?:e|es|ed|ing)|associated|attached|correspond\\w*|tied|accompanied|address(?:es|ed|ing)?|resolv(?:e|es|ed|ing)|clos(?:e|es|ing)|tackl(?:e|es|ing)|belong\\w*|relate(?:s|d)?|target\\w*|mention\\w*|point\\w*|solv(?:e|es)|exist(?:s|ing)?|underlying|backing|connected',
  C: '(?:not|never) (?:get |be )?(?:merged|accepted|reviewed|considered)|closed|reject\\w*|declin\\w*|refus\\w*|dismiss\\w*|ignored|unreviewed|unlikely|stale|wast\\w*|in vain|risk\\w*',
  N: "without|unless|not|no|never|cannot|avoid\\w*|refrain|except|(?:do|does|did|is|are|was|were|have|has|wo|ca|should|must)n't|un(?:approved|accepted|assigned|solicited|discussed|announced|triaged)|drive-by",
  M: 'must|should|shall|needs?|needed|have to|has to|requir\\w*|please|only|ensure|make sure|always|recommend\\w*|encourag\\w*|prefer\\w*|ideal\\w*|best|better|good idea|advis\\w*|important|expect\\w*|consider|want(?:s)? you|urge\\w*|helps?|useful|helpful|crucial|kindly|request(?:ed)?(?= that)|wise|prudent|wait(?:s|ing)?|remember',
  Z: 'maintainers?|us|team|core|developers?|authors?|someone|community|me',
} as const;

type WordClass = keyof typeof CLASSES;
const WORD_CLASSES = Object.keys(CLASSES) as WordClass[];
const LEXER = new RegExp(
  WORD_CLASSES.map((c) => String.raw`(?<${c}>\b(?:${CLASSES[c]})(?![\w-]))`)
    .concat(
      String.raw`(?<end>[.;?!](?=\s|$)|[()])`,
      String.raw`(?<comma>[,:])`,
      String.raw`(?<other>[^\s,;:?!()]+?(?=[.]?(?:[\s,;:?!()]|$))|\S)`,
    )
    .join('|'),
  'gi',
);

export const summariseRule = (plain: string): string => {
  let out = '';
  for (const { groups } of findAllMatches(plain.slice(0, 600), LEXER)) {
    const found = WORD_CLASSES.find((c) => groups?.[c] !== undefined);
    out += found ?? (groups?.['end'] !== undefined ? ';' : groups?.['comma'] !== undefined ? ',' : '_');
  }
  return out;
};
