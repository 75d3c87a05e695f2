/** Finds rules that require an issue, a discussion, an approval or an assignment first. */
import { summariseRule } from './summarise-rule.ts';
import type { FoundRule, RulePassage } from './rule-passage.ts';

const NOT_ASKED = /\b(?:issue|ticket)s? (?:is|are) not\b/i;
const PULL = String.raw`(?:pull[- ]?requests?|PRs?|MRs?|merge requests?|patch(?:es)?|contributions?|(?:code )?changes?|submissions?|work|working|code|coding|implement\w*|fix(?:es)?|features?)`;
const TALK = String.raw`(?:issues?|tickets?|discussions?|bug reports?|proposals?)`;
const OPENS = String.raw`(?:open|create|file|raise|submit|start|post|make|have|find|write|discuss|check|begin)`;

const ISSUE_FIRST: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:before|prior to)\b[^.;:]{0,60}\b${PULL}\b[^.;]{0,80}\b(?:${OPENS}\w*|in|via|through|on|with)\b[^.;]{0,50}\b(?:an?|the|your|existing|new|related|github)\b[^.;]{0,25}\b${TALK}\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b${OPENS}\b (?:\w+ ){0,3}?(?:an?|the|your) (?:\S+ ){0,5}?${TALK}\b[^.;]{0,70}\b(?:first|before|prior to|and wait|beforehand)\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:pull[- ]?requests?|PRs?|contributions?|(?:all|every|any|code) changes?|patch(?:es)?)\b[^.;]{0,40}\b(?:must|should|shall|need to|needs to|has to|have to|required to|can only|are only|will only|will have to)\b[^.;]{0,60}\b(?:link(?:ed)?|referenc\w*|associated|address\w*|have|include|mention|point|belong|target|solve|tackle|implement|correspond\w*|tied|start(?:s|ed)?|discussed|relat\w+|resolve|close|fix|begin|preceded|accompanied|be for|for)\b[^.;]{0,40}\b(?:${TALK}|maintainers?)\b`,
    'i',
  ),
  /\b(?:discuss\w*|talk)\b[^.;]{0,60}\b(?:via|in|through|on|by opening)\b[^.;]{0,20}\b(?:issue|ticket|discussion)s?\b[^.;]{0,40}\b(?:first|before|prior)\b/i,
  /\b(?:issue|ticket)s? (?:is|are) (?:always )?(?:required|mandatory)\b[^.;]{0,40}(?:before|for|first|$)/i,
  /\b(?:make sure|ensure)\b[^.;]{0,25}\b(?:issue|ticket)\b[^.;]{0,60}\b(?:for|exists?|covers|about)\b/i,
  /\bassigned\b[^.;]{0,60}\bbefore\b|\bbefore\b[^.;]{0,60}\bassigned\b/i,
  /\bno (?:\w+ )?(?:issue|ticket)\b[^.;]{0,40}\b(?:create|open|file|raise) one\b|\bcreate one\b[^.;]{0,20}\bdiscuss/i,
  /\b(?:all|every|any|each)\b[^.;]{0,30}\b(?:contributions?|changes?|PRs?|pull[- ]requests?|features?|work)\b[^.;]{0,30}\b(?:starts?|begins?|needs?|requires?)\b[^.;]{0,25}\b(?:issue|ticket|discussion)\b/i,
  /\b(?:require|need|want|ask for)s?\b[^.;]{0,30}\b(?:an?|every|each) (?:\w+ )?(?:issue|ticket)\b[^.;]{0,40}\b(?:for|before|prior|first)\b/i,
  /\b(?:before|until)\b[^.;]{0,60}\b(?:discuss\w*|agree\w*|approv\w*|accept\w*)\b[^.;]{0,40}\b(?:issue|ticket|discussion|maintainers?)\b/i,
  /\bwait\b[^.;]{0,40}\b(?:assign\w*|green[- ]?light|go[- ]ahead|a nod)\b/i,
  /\b(?:once|after|when)\b[^.;]{0,20}\b(?:you (?:get|have|receive)|given)\b[^.;]{0,20}\b(?:a nod|go[- ]ahead|green[- ]?light|approval|confirmation)\b[^.;]{0,60}\b(?:start|work|implement|open|submit)/i,
  /\bfirst(?:,| please)? discuss\b|\bdiscuss(?:ed)? (?:this|it|them|your \w+|the changes?)\b[^.;]{0,20}\bfirst\b/i,
  /^\W*(?:\w+ or )?(?:find|open|create)\b[^.;]{0,20}\bissue\b[^.;]{0,40}\b(?:change|work) (?:you|on)\b/i,
  /\bfirst\b[^.;]{0,90}\b(?:create|open)\b[^.;]{0,40}\bdiscuss/i,
  /\b(?:be sure|make sure|ensure)\b[^.;]{0,30}\b(?:bug|change|feature|work|fix|PR|pull[- ]request)s?\b[^.;]{0,20}\b(?:is|are|has been|have been)\b[^.;]{0,20}\b(?:associated|linked|tied|attached|related|connected)\b[^.;]{0,12}\b(?:to|with)\b[^.;]{0,20}\b(?:issue|ticket)\b/i,
  /^\W*\[[ x]?\][^.;]{0,20}\b(?:PR|pull[- ]request|change)\b[^.;]{0,12}\b(?:corresponds?|belongs?|refers?|responds?|is (?:linked|related|tied|associated))\b[^.;]{0,12}\b(?:to|with)\b[^.;]{0,12}\b(?:issue|ticket)\b/i,
  /\b(?:wait|until|only)\b[^.;]{0,40}\bassigned\b[^.;]{0,30}\b(?:to you|you|issue)\b/i,
  /^\W*(?:\d+\.\W*)?(?:submit|open|file|create|raise)\b[^.;]{0,12}\bissue\b[^.;]{0,12}\bdescrib\w*\b[^.;]{0,12}\b(?:proposed|planned|intended) (?:change|feature|work)/i,
  /\b(?:open|submit|send|create)\w*\b[^.;]{0,12}\b(?:pull[- ]requests?|PRs?)\b[^.;]{0,60}\breferenc\w+ (?:an?|the) (?:open|existing) (?:issue|ticket)\b/i,
];
/** Reversed order, or only some issues are accepted at all. */
const SOME_ISSUES: readonly RegExp[] = [
  /\b(?:features?|changes?|API|contributions?|PRs?|pull[- ]requests?)\b[^.;]{0,20}\b(?:start with|go through|begin with|come from) (?:an?|the) (?:\w+ )?(?:issue|proposal|discussion|ticket)\b/i,
  /\b(?:proposals?|features?|ideas?|issues?)\b[^.;]{0,20}\b(?:need|must|should|have|has)\w* (?:to )?(?:be|been) (?:accepted|approved|agreed|confirmed)\b[^.;]{0,20}\bbefore\b/i,
  /(?:\bnot\b|n't\b|\bnever\b)[^.;]{0,12}\b(?:open|submit|send|create)\b[^.;]{0,20}\b(?:PRs?|pull[- ]requests?)\b[^.;]{0,12}\b(?:until|unless|before)\b[^.;]{0,80}\b(?:confirm|approv|accept|agree|assign|triag|discuss)\w*/i,
  /\b(?:get|request|ask for)\b[^.;]{0,20}\b(?:issue assigned|assignment|assigned)\b/i,
  /\bwait\b[^.;]{0,60}\b(?:approv|accept|confirm|feedback|respon|agree|repl)\w*[^.;]{0,60}\b(?:before|prior)\b/i,
  /\bonly\b[^.;]{0,50}\bissues?\b[^.;]{0,50}(?:\blabel\w*|\btagged|\bmarked|\bapproved|\baccepted|\btriaged)\b/i,
  /(?:\b(?:not|never)\b|n't\b)[^.;]{0,20}\b(?:start|begin|work)\w*\b[^.;]{0,60}\buntil\b[^.;]{0,60}\b(?:triaged|approved|accepted|assigned|confirmed|agreed|discussed|labell?ed)\b/i,
  /\b(?:avoid|refrain from|do not|don't|never)\b[^.;]{0,12}\b(?:open|submit|send|creat|work)\w*\b[^.;]{0,30}\b(?:PRs?|pull[- ]requests?|features?|refactor\w*)\b[^.;]{0,30}(?:\b(?:not|without)\b|n't\b)[^.;]{0,60}\b(?:issues?|approved|accepted)\b/i,
  /\bask (?:us )?first before\b|\b(?:changes?|contributions?|features?|ideas?|proposals?)\b[^.;]{0,30}\b(?:should|must|need to|have to) be discussed (?:first|beforehand|before|in advance)\b/i,
  /\bissues? (?:must|should|needs? to|has to) (?:have|carry|be (?:marked|label\w*|tagged))\b[^.;]{0,60}\b(?:before|prior)\b/i,
  /\b(?:unapproved|unaccepted|unassigned|untriaged)\b[^.;]{0,40}\b(?:PRs?|pull[- ]requests?|contributions?|features?)\b[^.;]{0,60}\b(?:closed|rejected|declined|not)\b/i,
  /(?:\bnot\b|n't\b|\bnever\b)[^.;]{0,20}\b(?:accept|merge|review|consider|open|submit|send)\b[^.;]{0,30}\b(?:PRs?|pull[- ]requests?)\b[^.;]{0,30}\bissues? (?:that|which)\b[^.;]{0,20}\b(?:not|n't|yet)\b/i,
  /\bask\b[^.;]{0,40}\bassigned to you\b|\blink\b[^.;]{0,20}\b(?:each|every|your|the) (?:PR|pull[- ]request)s?\b[^.;]{0,20}\bto an?\b[^.;]{0,20}\bissue\b/i,
  /\bassign\b[^.;]{0,30}\bissue\b[^.;]{0,30}\bto you\b[^.;]{0,30}\bbefore\b/i,
  /\blet us know\b[^.;]{0,20}\bbefore\b[^.;]{0,20}\b(?:start|work|begin)\w*\b|\b(?:leave|post|write|add) a comment\b[^.;]{0,40}\bissues?\b[^.;]{0,20}\b(?:first|before)\b|\bcomment before (?:you )?(?:start|work|begin)/i,
  /\bmaintainers?\b[^.;]{0,30}\b(?:approve|comment|respond|reply)\b[^.;]{0,40}\bif (?:it is |it's )?(?:approved|accepted)\b/i,
  /\b(?:change|feature|work|PR|pull request|contribution)\b[^.;]{0,40}\b(?:no|isn't|is not|doesn't have|does not have)\b[^.;]{0,30}\b(?:issue|ticket)\b[^.;]{0,40}\b(?:create|open|file) one\b|\b(?:isn't|is not) an? (?:existing )?(?:issue|ticket) for (?:your|the) (?:change|feature|work|PR|idea)\b/i,
];
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
    [...ISSUE_FIRST, ...SOME_ISSUES, WHOEVER, BEGINS, WITHOUT_ISSUE, YES].some((p) => p.test(words)) ||
    ISSUE_FIRST_PATTERNS.some((p) => p.test(said));
  if (!asked || IF_ANY.test(words)) return null;
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
