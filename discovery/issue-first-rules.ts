/** Finds rules that require an issue, a discussion, an approval or an assignment first. */
import { ISSUE_WORDS } from './rule-words.ts';
import { summariseRule } from './summarise-rule.ts';
import type { FoundRule, RulePassage } from './rule-passage.ts';

const NOT_ASKED = /\b(?:issue|ticket)s? (?:is|are) not\b/i;
const FEATURES = /\bfirst\b[^.;]{0,90}\b(?:create|open)\b[^.;]{0,40}\bdiscuss/i;
const OF_LARGE =
  /\b(?:large[rst]*(?! or small)|major|big(?:ger)?|significant(?:ly)?|substantial|breaking|intrusive|invasive|massive|extensive|architectur\w*|complex|radical|sweeping|fundamental|huge|long[- ]term|(?:a )?lots? of (?:effort|time|work))\b/i;
const OF_REPORTS =
  /\b(?:before|prior to)\b (?:you )?(?:\w+ ){0,3}(?:open|creat|fil|rais|submit|report|post)\w*(?: up)? (?:an? |a new |new |your |any )?(?:\w+ )?(?:issues?|bugs?|tickets?|reports?|discussions?)\b|\bsearch\b|\bduplicat(?!\w* (?:effort|work)\b)|\b(?:take a|have a)? ?look (?:at|on|for|through)\b|\bsee if\b|\bbefore (?:you )?ask(?:ing)? (?:\w+ )?questions?\b/i;
const NEED_NOT =
  /\b(?:no need|not (?:required|necessary|needed)|(?:do not|don't) need|don't have to|(?<!(?:not|n't|never)\b[^.;]{0,50})\bwithout (?:first )?(?:opening|discussion)|feel free|just go ahead|you (?:can|may)|optional\w*|not require)\b/i;
const ACCEPTED =
  /\bwithout (?:any )?prior (?:discussion|agreement|approval|consent)|\bonly\b[^.;]{0,50}\bissues?\b[^.;]{0,50}\b(?:label|tagged|marked)|\bissues? (?:must|should|needs? to|has to) (?:have|carry|be (?:marked|label|tagged))|\bunapproved\b|\bunaccepted\b|\b(?:recommended to do so|accepted|approv\w+|agreement|agreed|confirm\w*|green[- ]?lit|green[- ]?light|a nod|triaged|label(?:l?ed)? (?:as |with )?["“`]|go[- ]ahead|consensus|maintainer\w* (?:to )?(?:appl|label|respon|sign))/i;

const TALKS = '(?:[OD][^;B]{0,8}I|D[^;B]{0,6}Z|MD)';
const ISSUE_FIRST_PATTERNS: readonly RegExp[] = [
  new RegExp(`B[^;]{0,7}W[^;]*(?:${TALKS}|I[^;]{0,4}L|L[^;]{0,4}I)`),
  new RegExp(`(?:${TALKS}|M[^;B]{0,4}D)[^;]{0,14}B[^;]{0,7}W`),
  new RegExp(`W[^;]{0,12}${TALKS}[^;]{0,8}F|W[^;]{0,12}F[^;]{0,3}${TALKS}|W[^;]{0,6}M[^;]{0,3}D[^;]{0,8}F`),
  new RegExp(`^[^;]{0,6}(?:F[^;]{0,3}${TALKS}|${TALKS}[^;]{0,4}F)[^;]*W`),
  /W[^;]{0,4}M[^;]{0,3}B[^;]{0,3}I/,
  /W[^;]{0,8}N[^;]{0,6}[IAGD][^;]*C/,
  /N[^;]{0,6}W[^;]{0,5}N[^;]{0,4}(?:[AGFD][^;]{0,3})?I/,
];
const WHOEVER =
  /^\W*(?:if|for|when|to|want|would you)\b[^.;]{0,20}\b(?:add|implement|contribut|introduc|work(?:ing)? on|build|develop|new feature|mak(?:e|ing) (?:a|any) change)\w*\b[^.;]{0,60},? (?:please |you should |then |first |it is best to |we ask you to ){0,2}(?:open|creat|fil|rais|submit|start|post)\w* (?:an?|the) (?:\w+ ){0,2}(?:issue|ticket|discussion|proposal|rfc)\b/i;
const BEGINS =
  /\b(?:refrain|avoid|do not|don't|never)\b[^.;]{0,40}\b(?:PRs?|pull[- ]requests?)\b[^.;]{0,40}\bwithout\b[^.;]{0,30}\bdiscuss|\bclaim (?:it|the issue|an issue)\b[^.;]{0,12}\b(?:first|before|by commenting)\b|\b(?:start|begin)\w*\b[^.;]{0,80}\b(?:by|with)\b[^.;]{0,50}\b(?:open|creat|fil|rais|start)\w* (?:an?|the) (?:\w+ )?(?:issue|discussion|ticket|proposal)\b/i;
const SENT_CHANGE = String.raw`(?:pull[- ]?requests?|PRs?|MRs?|merge requests?|contributions?|changes|patches)`;
const ISSUELESS = String.raw`\b${SENT_CHANGE} (?:submitted |opened |made )?(?:without|lacking|with no) (?:an? )?(?:\w+ ){0,2}(?:issues?|tickets?)\b`;
const WITHOUT_ISSUE = new RegExp(
  String.raw`${ISSUELESS}(?![^.;]*\b(?:fine|ok|okay|welcome|optional)\b)[^.;]{0,40}\b(?:reject|clos|declin|ignor|ask|not|n't|block|fail)\w*|\b(?:rejects?|closes?|declines?|blocks?)\b[^.;]{0,12}${ISSUELESS}`,
  'i',
);
const NO_ISSUE_NO_MERGE =
  /(?<!\b(?:is|are|was|have|has|need|needs|with) )\bno (?:issue|ticket),? no (?:merge|PR|pull[- ]request|review|patch)\b(?! (?:is|are|was|needs?|has|will)\b)|\b(?:PRs?|pull[- ]requests?|patches)\b[^.;]{0,20}(?<!(?:\b(?:no|not|none|never|neither|nor|longer|hardly|rarely)|n't)\b[^.;,]{0,30})\brequires? an? (?:issue|ticket) (?:number|id|reference)\b/i;
/** Tells what to do with a defect that was found, not with a change. */
const OF_FINDINGS =
  /\bif you (?:find|found|notice|discover|encounter|hit|see)\b[^.;,]{0,20}\b(?:bugs?|security|vulnerabilit\w+|problems?|holes?|crash\w*|defects?|errors?)\b(?![^.;]*\b(?:fix|pull|PRs?|patch|work|cod(?:e|ing)|implement|contribut\w*|change|before (?:sending|submitting|doing|starting|you (?:send|submit|do|start|write)))\b)/i;
const YES =
  /\bissues? (?:that )?you\b[^.;]{0,40}\b(?:has|have|is|must)\b[^.;]{0,20}\b(?:approved|accepted|label)|\b(?:make sure|ensure)\b[^.;]{0,12}\bissue is (?:label+ed|marked|tagged|approved|accepted)|\bonly\b[^.;]{0,20}\b(?:open|submit|send|create)\b[^.;]{0,20}\b(?:PRs?|pull[- ]requests?)\b[^.;]{0,60}\b(?:after|if|once)\b[^.;]{0,40}\b(?:discuss|recommended|asked|approved|agreed)/i;
/** Describes an existing issue, or allows at most one. */
const IF_ANY =
  /^\W*(?:if|when)\b(?![^.;,]*\b(?:without|no)\b)[^.;,]{0,60}\b(?:fix|address|clos|resolv|relat|solv|associat|link|correspond|exist)\w*\b|\b(?:single|only one|one) (?:\w+ )?(?:issue|ticket)\b|\bissue titles?\b|\b(?:news|changelog|fragments?|dependenc\w+)\b|\bask\w* (?:\w+ )?questions?\b|\beither\b[^.]{0,120}\bor\b[^.]{0,80}\bonly\b|\bcheck\b[^.;]{0,30}\blabels?\b|\bif you(?:'d| would) like to discuss\b|\bto have (?:created|opened)\b/i;

const APPROVAL_AWAITED =
  /\b(?:wait\w*|until|once|only|must|before)\b[^.;]{0,80}\b(?:accepted|approv\w+|agree\w*|confirm\w*|triaged|green[- ]?li\w+|go[- ]ahead|label+ed)\b|\bapproval can be given\b|\bmaintainers? (?:will )?(?:appl|label)\w*/i;

/** The paragraph began by saying that none is needed: what follows is advice. */
const FREED =
  /\b(?:do not|don't|no longer) (?:need|have) to (?:\w+ ){0,2}(?:file|open|create|raise|submit|discuss)\b[^.;]{0,30}\b(?:issues?|tickets?|discussions?)\b|\b(?:no|not)\b[^.;]{0,12}\b(?:issue|ticket|discussion) (?:is )?(?:needed|required|necessary)\b/i;
const FOR_SMALL_ONES =
  /\bfor (?:\w{1,20} )?(?:small|minor|trivial|simple|tiny|typos?|docs?|documentation)\b/i;
/** `You need no issue for typos, but for anything else …`: what follows rules over the rest. */
const FREED_CLAUSE =
  /^[^.;]{0,120}\b(?:no need|(?:do not|don't) (?:need|have to)|not (?:required|needed|necessary)|no (?:issue|ticket))\b[^.;]{0,80}(?:, (?:but|however|while|whereas)|; (?:but |however,? )?)/i;
const withoutFreedClause = (plain: string): string => {
  const clause = FREED_CLAUSE.exec(plain)?.[0] ?? '';
  return FOR_SMALL_ONES.test(clause) ? plain.slice(clause.length) : plain;
};
const isFreed = (earlier: string): boolean => FREED.test(earlier) && !FOR_SMALL_ONES.test(earlier);
/** The pull request is what is not accepted, not the issue. */
const REFUSED_PULL =
  /\b(?:chances?|likelihood|odds)\b[^.;]{0,30}\baccepted\b|\b(?:not|never|cannot|can't|won't|n't|hardly)(?: be)?(?: \w+ly)? (?:accept|approv|consider|merg)\w*/gi;

const ADVICE =
  /\b(?:consider (?:opening|creating|filing|starting|discussing|raising)|we (?:suggest|encourage) (?:\w+ )?(?:commenting|opening|creating|you|that)|you (?:may|might) (?:want|wish|like) to|it would be (?:great|nice|good|helpful)|(?:is|are) (?:encouraged|welcome) to)\b/i;
const OF_QUESTIONS = /\b(?:ask\w*|have)\b.{0,12}\bquestions?\b|\b(?:support|getting help)$/i;

export const issueFirst = (one: RulePassage): FoundRule | null => {
  const { lead, heading, after, quote, path, earlier = '' } = one;
  const plain = withoutFreedClause(one.plain);
  if (NOT_ASKED.test(plain) || OF_QUESTIONS.test(heading) || isFreed(earlier)) return null;
  const words = plain
    .replace(/\b(?:good[- ])?first[- ](?:issues?|timers?|contributions?|PRs?|pull requests?)\b/gi, 'task')
    .replace(/(?<=\w)[.](?=\w)/g, '_');
  const said = summariseRule(words.replace(/\([^)]*\)/g, ' '));
  if (ADVICE.test(words) && !/\b(?:must|required?|otherwise|will be closed)\b/i.test(`${words} ${after}`))
    return null;
  const asked =
    [ISSUE_WORDS.asked, WHOEVER, BEGINS, WITHOUT_ISSUE, NO_ISSUE_NO_MERGE, YES].some((p) => p.test(words)) ||
    ISSUE_FIRST_PATTERNS.some((p) => p.test(said));
  if (!asked || IF_ANY.test(words) || OF_FINDINGS.test(words)) return null;
  if (
    OF_LARGE.test(words.replace(/\bbefore you (?:put|invest|spend)\b[^.;]*/gi, ' ')) ||
    OF_LARGE.test(lead) ||
    (OF_REPORTS.test(plain) && !FEATURES.test(plain)) ||
    NEED_NOT.test(plain.replace(/\b(?:once|after)\b[^.;]*?\byou (?:can|may)\b/i, ' '))
  )
    return null;
  if (/ISSUE_TEMPLATE/i.test(path) || quote.endsWith('?')) return null;
  if (/\bassign(?:ed|ment)?\b/i.test(plain) && !/\b(?:do not|don't|no longer) (?:be )?assign/i.test(plain))
    return { kind: 'issue_first', value: 'assigned' };
  return {
    kind: 'issue_first',
    value:
      ACCEPTED.test(plain.replace(REFUSED_PULL, ' ')) || APPROVAL_AWAITED.test(after) ? 'accepted' : 'open',
  };
};
