/** Patterns of the grammar for English free text (C4). */
import type { LanguagePhrases } from './phrase-rules.ts';

const RETRY = String.raw`re-?try|re-?run|re-?execut\w*|re-?do|re-?start|re-?launch|(?:run|try|execute|attempt|start|do|go)(?: \S+){0,5}? (?:again|once more|one more time|back)|(?:an)?other (?:go|shot|try|run|attempt|chance|crack|stab|round|spin)|one more (?:go|shot|try|run|attempt|time|chance)|kick(?:ing)? (?:off )?.* again|^again$|^once more$|second chance`;
const EN_PAUSE_PATTERN = String.raw`(?:hang|hold) on with|pause|halt|freeze|suspend|^stop$|(?:make|put) a stop|on (?:hold|ice|pause)|hold (?:on (?:with|to)|off|everything|it|the|all|\S+$)|^hold|park|shelve|put a pin in|hit pause|take five|chill|sit tight|take a break|stop (?:it|that|this|everything|all|work)|stop (?:the )?\S+(?: one| run)?$`;
const RESUME = String.raw`resume|continue|un-?pause|un-?freeze|carry(?:ing)? on|go on with|keep going|pick .*up|wake|may proceed|can (?:proceed|go on|continue)|can start now|start .* now|back on|turn .* on again|get .* going|go ahead with|un-?park|moving again|let \S+ (?:go|carry) on|let .+ (?:go on|continue|proceed|run)|going again|off hold`;
/** No run is tried again by it. */
const BACK_TO_WORK = String.raw`(?:start|begin|get|go)(?: to)? (?:work(?:ing)?|going|moving) again|(?:get |go )?back to work`;
const CANCEL = String.raw`cancel(?! my)|abort|kill|nuke|scrap|scratch|abandon|terminate|get rid of|bin (?:it|that|this|the)|ditch|trash|withdraw|throw (?:it |that |this |.+ )?(?:away|out)|throw away|(?:in|into|to) the (?:bin|trash|garbage)|call .* off|call off|remove (?:it|that|this)|drop (?:it|that|this|the|\S+$)|^drop|^end\b|^close\b|throw .* away|forget about|won'?t need`;
const SKIP = String.raw`skip|leave (?:it|this|that|this one|that one|\S+) out|pass on (?:it|this|that|the)|move past`;
const DENY = String.raw`deny|reject|refuse|declin\w*|turn .* down|turn down|veto|disapprove|do not agree|don'?t agree|send .* back|won'?t do|not happy with`;
const APPROVE = String.raw`approv(?:e|ed)|accept|(?:ship|send) (?:it|that|this|the)|^ship|(?:open|raise|create|make|put up|chuck up|submit|file|raising|opening|send|get)(?: \S+){0,4}? (?:pr|pull request)|open (?:it|that|that one)$|green ?light|sign (?:it|that|this)? ?off|let .+ through|publish|go ahead and open|happy with`;
const UPDATE = String.raw`update from|update .+ from (?:main|master|base|upstream)|rebase|sync|(?:bring|brought|get|keep) (?!me|us).*up[ -]to[ -]date|catch (?!me|us)\S+.* up|(?:merge|pull|get|bring|take|grab|fetch|needs?)(?: \S+){0,4}? (?:from )?(?:main|master|trunk|upstream|base)(?: branch)?(?: in| into|$|\b)|(?:main|master|base|upstream)(?: branch)? (?:in|into|merged)|update (?:it|the|that|this|\S+)? ?(?:branch|with main|with master|with the base)|with (?:the )?base branch|behind (?:main|master)|freshen`;
/** Nouns are excluded: "the retry one" and "a pause" ask for nothing. */
const NOUN = String.raw`(?<!\b(?:the|a|an|this|that|my|our|your|its|flaky|of|no|each|every|webhook) )`;
const wordPattern = (pattern: string): RegExp =>
  new RegExp(String.raw`${NOUN}(?<![\w-])(?:${pattern})(?![\w])`);
const ACTION = String.raw`(?:re-?try|re-?run|re-?start|try|run|resume|continue|un-?pause|proceed|start|pause|hold|halt|stop|touch|cancel|abort|kill|nuke|scrap|drop|delete|skip|deny|reject|approve|accept|ship|merge|rebase|open|publish|push|update)(?:e?d|ing|ling|led|ped|ping|ged)?`;

export const enPhrases: LanguagePhrases = {
  politeness:
    /^(?:(?:hey|hi|hello|ok|okay|yo|bot|so|well|right|alright|um|uh|and|please|pls|plz|kindly|just|now|then|actually|quickly|agentpr|also|thanks|sorry|cheers|oi|mate|dude|go ahead and|let'?s|lets|(?:can|could|would|will) (?:you|u|somebody|someone|anyone)(?: mind| maybe| perhaps| possibly| please| pls| just| be so kind as to| be so kind to| kindly)?|i'?d (?:love|like|appreciate) it if you (?:could|would)|it would be (?:great|nice|lovely) if you (?:could|would)|any chance you could|i(?:'d| would)? (?:want|like|need) (?:you )?to|i wanna|we (?:need|want|have) to|you (?:can|may|should)|(?:would|do) you mind|i was wondering if you could|do me a favou?r and|be so kind (?:as to|and)|how about(?: you)?|why don'?t (?:you|we)|we should(?: really)?|you might want to|maybe you can|feel free to|time to|it'?s time to|need to|want to)[,!.:;]*\s+)+|[\s,]*(?:please|pls|plz|thanks|thank you|thx|ty|cheers|asap|now|right now|mate|will you|would you|ok|okay|quickly|immediately|right away|real quick|quick)[\s.!?]*$/g,
  never: [
    /\bif .* (?:i|we) (?:might|may|will|would|could)\b/,
    /\b(?:if|unless|once(?! (?:more|again))|whenever|as soon as|in case|(?<!(?:come back|back|look|again) (?:to it |at it )?)tomorrow|later|next week|at \d+(?::\d+)? ?(?:am|pm)|in an hour|in \d+ (?:minutes|mins|hours|days))\b/,
    /\b(?:when|after|before) (?:it|it's|its|they|the|ci|checks|tests|you|i|we|he|she|that|this)\b/,
    /\b(?!i )\w+ (?:said|says|wrote|asked (?:me|us|you)|told (?:me|us|you)|keeps saying|mentioned)\b|\b(?:he|she|they|it) (?:wants|typed|goes)\b/,
    /["][^"]*\b(?:cancel|retry|approve|pause|deny|kill|skip|merge|resume)\b[^"]*["]/,
    /\bor (?:cancel|retry|approve|pause|deny|kill|skip|merge|resume|not)\b/,
    /\b(?:delete|wipe|drop|rm|erase|destroy)\b.*\b(?:repo(?:s|sitory|sitories)?|branch(?:es)?|database|servers?|prod(?:uction)?|account)\b|\bforce.?push\b/,
    /\b(?:my|our|a|the) (?:lunch|dinner|flight|order|subscription|appointment|booking|call|uber|netflix|gym|trip)\b/,
    /\bwhat (?:would|will|could|might|if|happens)\b/,
    /\b(?:reckons?|thinks?|suggest(?:s|ed)?|recommends?|insists?|believes?) (?:we|you|i|that|it)\b|\b(?:friend|colleague|neighbou?r|jenkins|boss)\b|\bi (?:might|may|could|will|would|'ll) .*\bmyself\b|\bimagine\b/,
    /\b(?:token|password|api key|secret|credentials?)s?\b(?! used)/,
    /\b(?:kidding|joking|wrong chat|ignore (?:that|this|me)|never ?mind(?!(?: [\w/.-]{1,60})?, (?:drop|cancel|kill|scrap|abort|skip) )|nvm|forget it)\b/,
  ],
  not: [
    new RegExp(
      String.raw`\b(?:do ?n[o']?t|dont|do not|don t|never|no need|needn'?t|not|without|shouldn'?t|mustn'?t|won'?t|cannot|can'?t|cant|wouldn'?t|rather|avoid|instead of|didn'?t|stop)(?:\s+\S+){0,3}?\s+${ACTION}\b`,
    ),
    /\b(?:leave|keep) (?:it|that|this|\S+) (?:alone|as is|as it is|running|paused|open)\b|\bhands off\b/,
    /^(?:should|shall|did|do (?!(?:let|show|give|tell|it|the|re)\b)|does|have (?!(?:an?other|a|it|the agent)\b)|has|had|was|were|is|are|am|what if|suppose|imagine|why|who|how|whether|which|what|i wonder|wondering|i thought|thinking (?:of|about)|i (?:already |just |never |almost |nearly |accidentally )?(?:said|cancel+ed|paused|retried|approved|denied|resumed|skipped|told|did|have|had|was|should|could|might|may)|we (?:already )?(?:cancel+ed|paused|retried|approved|resumed|said|should))\b/,
    /\b(?:was|were|been|got|gets|is|are|being|already|just been|you|it|i|we|last week we|yesterday) (?:just |already |accidentally )?(?:retried|paused|cancel+ed|approved|denied|resumed|skipped|merged|rejected|killed|aborted|stopped)\b/,
  ],
  doubt:
    /\b(?:not|no|none|nobody|never|without|instead|avoid|if|whether|unless|would|might|maybe|perhaps|should|shall|may i|can i|could i|did|does|was|were|has|have been|who|whose|why|when|what|which|how|wonder|sure|safe|wait|later|tomorrow|said|says|told|asked|already|don|dont|doesnt|didnt|wont|cant)\b|n['’]t\b|\?/,
  between:
    /[,;!?]+\s*|\.+(?:\s+|$)|\s+[-–—]+\s+|\s+(?:so|and|then|but|because|cause|cuz|since|as) (?=(?:we|i|it|he|she|they|nobody|no|don'?t|do not|please|pls|can|could|would|will|you|just|then|let|go|have|tell|what|why|how|show|merge|retry|resume|pause|cancel|skip|deny|approve|update|rebase|open)\b)/,
  actions: new RegExp(String.raw`\b(?:${ACTION}|again)\b`),
  filler:
    /^(?:h+m+|hm+|u+h+|u+m+|oh+|ah+|aha|wow|lol|lmao|haha+|interesting|huh|whoa|omg|wtf|eh|meh|well|so|and|hang on|hold on|wait|one sec|one moment|sec|thanks|thank you|thx|ty|cheers|let me (?:think|see|check)|i'?ll (?:check|look|think|see)(?: (?:later|it|about it|at it))?|idk|not sure(?: yet)?|dunno|no idea|leave it(?: for now)?|undecided)$/,
  orders: [
    ['done', /\b(?:mark|set|flag|tick|count)\b.* (?:done|finished|complete|completed|off)$/],
    ['update', wordPattern(UPDATE)],
    ['merge', /(?<![\w-])(?:merge|auto-?merge|squash|merging)(?! (?:conflicts?|queue|base))(?!\w)|^land\b/],
    ['resume', wordPattern(BACK_TO_WORK)],
    ['retry', wordPattern(RETRY)],
    ['resume', wordPattern(RESUME)],
    ['skip', wordPattern(SKIP)],
    ['deny', wordPattern(DENY)],
    ['approve', wordPattern(APPROVE)],
    ['cancel', wordPattern(CANCEL)],
    ['pause', wordPattern(EN_PAUSE_PATTERN)],
  ],
  asks: [
    [
      'help',
      /^(?:help|commands|instructions|manual|man)$|^\?+$|\bwhat can (?:you|u|i|this)\b|\bhow (?:do|does|can|to|should|would) (?:i|this|you|it|we|one|u)\b(?!.* (?:look|seem|stand|doing)$)|\bhow (?:to|do) \w+|\bable to ask\b|\bcommands?\b(?! line)|^(?:i need |need |some )?help\b(?! (?:me|us) )|\bi'?m (?:lost|new)\b|\bi (?:don'?t|do not) (?:know|understand) (?:how|what)\b|\bis there (?:like )?a way to (?!see|show|read|view)|\bwhat .*\b(?:understand|support)\b|\bhow does (?:this|it) work/,
    ],
    [
      'insights',
      /\binsights?$|\bwhat (?:have|did) (?:you|we) (?:learn(?:ed|t)?|find out)\b|\b(?:any|your) (?:advice|recommendations?)\b|\bwhat (?:could|should|can) (?:we|i) (?:improve|do better)\b/,
    ],
    [
      'pending',
      /\b(?:waits?|waiting|awaiting|wait|await) ?(?:for|on)? (?:me|us|my|a decision|approval|sign)|\b(?:outstanding|decisions?)\b|\bsign(?:ing)? off on\b|\bneeds? (?:me|my|us|a decision|approval|approving|attention|deciding|an? (?:action|answer))\b|\b(?:for me to|i have to|i need to|do i have to|i gotta|i must|should i|left to) (?:do|approve|look|decide|review|sign|check)\b|\b(?:my|open) (?:queue|decisions?|inbox|approvals?|todos?|to-?do|desk|side|end|plate)\b|\b(?:anything|something|what|cards?|stuff) (?:for me|to approve|to review|to decide|to sign|pending)\b|\bpending\b|\bon my plate\b|\b(?:blocked|stuck|blocking|waiting|hanging|depend\w*|held up) (?:on|for|by) me\b|\bhave to (?:decide|approve|do|review|look|sign|check)\b|\bstill (?:need|have) to\b|\b(?:from|for) me\b|\bam i (?:holding|blocking|needed)\b|\bneed(?:s|ed)? (?:anything|something|me)\b|\bto (?:approve|decide|sign)$|\bapprovals?\b|\brequire\w* (?:an? )?(?:action|my)\b/,
    ],
    [
      'runs',
      /\b(?:history|recent(?:ly)?|latest runs?|past|previous|finished|concluded|earlier|yesterday|newest|so far today|last (?:few |\d+ ?|couple (?:of )?)(?:runs?|ones|jobs|days?|hours)?|last (?:runs|days|week|night))\b|^(?:show |list |see |gimme |give )?(?:me )?(?:the |my |all |all the )?runs$|^(?:show|list|which|what) (?:me )?(?:the |my |all |all the )?(?:repos|repositories)(?: (?:do you (?:know|have)|are there|are you in))?$|\bwhat(?:'?d| did| have|'?ve)? (?:you|we|i have you|i) (?:do|done|finish|get done|ship|shipped|merge)\b|\b(?:merged|shipped|completed) (?:today|this week|lately|so far)\b|\bwhat(?:'?s| has| got)? (?:been )?(?:merged|shipped|done)\b|\bwhat was (?:made|done)\b/,
    ],
    [
      'diff',
      /\b(?:diffs?|patch|hunks?|change ?set|lines changed|code changes?|changes (?:it|you|they) made|the changes?|alter(?:ed|ations?)|chang(?:ed|es) (?:in|so far|exactly)|see (?:it|that|this) first|let me see (?:it|that|this))\b|\bwhat(?:'?s|'?d| has| did| have|s)?(?: \S+){0,5}? (?:chang(?:e|ed)|touch(?:ed)?|edit(?:ed)?|modif(?:y|ied)|altered)\b|\bwhich (?:files|lines)\b|^changes\b|\b(?:show|see|view|open|paste|read)(?: me| us)?(?: the)? (?:code|change|changes)\b|\bline by line\b|\bwhat'?s? in the\b|\bwrote$|\bwhat(?:'?d|'?s)?(?: did)? (?:you|ya|it|they|u) do(?:ne)? (?:to|in|with)\b|^(?:show|see) (?:it|this|that)(?: to me)?$/,
    ],
    [
      'log',
      /\b(?:logs?|output|console|stdout|stderr|stack ?trace|trace(?:back)?|printed|print out|error (?:message|text|output)|(?:the|paste|show|see|what) errors?|what did .* (?:print|say)|tail)\b/,
    ],
    [
      'budget',
      /\b(?:budgets?|costs?|cost(?:ing)?|spen[dt]|spending|bill|tokens (?:used|left|spent|burnt|burned)|how many tokens|usage|expensive|money|cash|dosh|dollars|bucks|quota|credit|credits|kitty|wallet|burn(?:t|ed|ing)? (?:through)?|afford|invoice|how much time|time left|(?:do|did|are|have|must) (?:we|i|you) (?:pay|paid|paying))\b|\bhow much\b.*(?:left|used|so far|\$|took|take|remain\w*)|\$/,
    ],
    [
      'plan',
      /\b(?:plan|gameplan|contract|approach|strategy|step by step|steps|roadmap|outline)\b|\b(?:what|which) (?:checks|rules|tests) (?:do|does|will|apply|run|are)\b|\bhow (?:does|will|would|is) (?:it|the agent|codex|claude|.+) (?:going to )?(?:go about|approach|tackle|solve)\b|\bgoing to do\b/,
    ],
    [
      'detail',
      /^(?:go|jump|switch) to\b|^(?:open|bring up|pull up|take me to)(?: the)? (?:run|№)|\b(?:details?|more (?:about|on|info)|tell (?:me|us) (?:why|how|what|more|about)|explain|describe|inspect|how far|know why)\b|^why\b|\bwhy (?:is|did|has|does|was|are|'?s|s)\b|\bwhat (?:happened|went wrong|broke|failed|is wrong)\b|\bwhat'?s? (?:is )?(?:wrong|up|happening|the (?:problem|matter|issue|deal|story|status|state)|going on) (?:with|on|in|of)\b|^(?:status|state|progress|news|update) (?:of|on|for|about|with)\b|^any (?:news|progress|updates?|luck) (?:of|on|for|about|with)\b|^(?:is|are|has|did|does|was|were|do|will|hows?|how'?s|what'?s|whats|where'?s|wheres|when) .+\b(?:done|ready|finish(?:ed)?|pass(?:ed|ing)?|green|red|merged|open(?:ed)?|stuck|running|fail(?:ed|ing)?|fine|alive|working|good|queued|started|paused|through|yet|broken|work|doing|cooking|problem|waiting for|going)\b/,
    ],
    [
      'status',
      /\b(?:status|overview|summary|summari[sz]e|st\?*$|fleet|dashboard|situation|rundown|run-down|recap|roundup|sitrep|picture|report)\b|\b(?:agents|everyone|everybody|everything|the gang|the team|all of (?:them|the runs)|the bots|guys|things|stuff|it all|all the runs|all runs)\b|^(?:how many|which|what) runs?\b|\b(?:list again|the list|list (?:it )?all)\b|\banything (?:still |currently )?(?:running|stuck|going|happening|failing|broken|red|on fire|wrong|new|interesting)\b|^(?:what'?s|whats|what is|wass?up|wazzup|sup|how'?s|hows|how is|how are|where are|where do|what now)(?: |$)(?:up|going|happening|new|cooking|running|active|live|the state|it going|we|you|stuck|blocked|broken|failing|failed|the news|they|$)|^(?:news|progress|updates?|(?:a |short |quick )*update)$|^(?:short|quick|brief|any) (?:news|update|updates|progress|summary)\b|\b(?:catch|fill) me (?:up|in)\b|\bbring me up to (?:speed|date)\b|\b(?:we|r we|are we) (?:broke|good|ok|okay|on track|doing|faring)\b|\bstuck\b|\brunning\b/,
    ],
  ],
  mentions: [
    ['detail', /\binfo\b/],
    ['status', /\b(?:progress|update)\b/],
    ['help', /\bhelp\b/],
  ],
  goal: /^(?:fix|add|bump|upgrade|remove|rename|replace|write|implement|refactor|migrate|change|make|correct|improve|create|use|(?:fix|add|bump|upgrad|remov|renam|replac|writ|implement|refactor|migrat|chang|improv|convert|document|mov|dropp|delet|port|clean|updat|adding|pinn)ing|convert|document|move|set|enable|disable|pin|rotate|clean|drop|support|delete|port|cache|allow|build|introduce|speed|reduce|increase|switch|handle|sort|hide|validate|test|translate|format|lint|extract|split|simplify|optimi[sz]e|update|put|get rid|expose|return|throw|turn|catch)\b/,
  topic: /^(?:needs|lacks|is missing|could (?:do with|use)) (?:an?|some|more|its|better) (?:\S+ ){2}/,
  lead: /^(?:(?:in|on|for|at|goal|the|this|my|our|repo|repository|project|please|pls|to|and|um|uh|it|there|here|should|needs to|must|would|could you|can you|start one|start a run|open one|a|new|run|job|task|agent|that|which|i want|i need|somebody|someone|get|have|an?)\b|[\s,:;.!\-–—])+/,
  tail: /(?:\b(?:in|on|for|to|of|from|at|the|this|my|our|repo|repository|project|please)\b|[\s,:;.!\-–—(])+$/,
  tells: [
    /^(?:tell|ask|let|instruct|remind|have|get) (?:the )?(?<who>.+?) (?:agent |run |one |pr )?(?:to |that (?:it )?(?:should |must )?|know (?:that )?|it (?:should|must|needs to) )(?<words>.+)$/,
    /^(?:for |on |in )?(?:the )?(?<who>\S+(?: (?:run|one|pr|change))?)[:,] (?<words>.{4,})$/,
    /^(?:the )?(?<who>.+?) (?:should|must|needs to|has to|ought to) (?<words>(?!be (?:cancel|retried|paused|approved|skipped|merged)).+)$/,
  ],
  yes: /^(?:(?:y|yes|yep|yeah|yup|ya|yea|ok|okay|k|kk|sure|lgtm|looks? (?:good|great|fine|ok|okay)(?: to me)?|sounds? good|ship(?: it)?|do it|go|go ahead|go for it|approved?|approve (?:it|this|that)|accept(?:ed)?|perfect|great|nice|good|fine|all good|open (?:it|the pr|a pr|pr)|send it|make it so|agreed|confirm(?:ed)?|proceed|i approve|good to go|let'?s go|works for me|awesome|love it|cool|nice one|well done|great job|good job|\+1|👍|✅|🚀|👌|🎉|💯|🙌|❤️|🔥)(?:[\s,.!]+|$))+$/u,
  no: /^(?!$)(?:(?:n|no|nope|yeah nah|nah|not like that|bin it|nay|no way|deny|denied|reject(?:ed)?|not (?:good|ok|okay|like this|acceptable|this way)|wrong(?: approach)?|bad(?: idea)?|terrible|👎|❌|🙅|-1|no thanks|not happy|too (?:big|risky|large)|this is wrong|deny (?:it|this|that)|reject (?:it|this|that)|please no|hell no|veto|nak|stop|nack)(?:[\s,.!]+|$))*(?:i (?:don'?t|do not) (?:like|want) .+)?$/u,
  greeting: /^(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon))(?: there| bot)?[\s.!~👋]*$/iu,
  should:
    /\b(?:should|must|needs? to|ought to) (?:be|have|use|also|not|only|say|stay|keep|go|come|return|handle|include|do|get|look|read|live|start|end|take)\b|\binstead\b|\bplease (?:also|use|add|keep|rename|remove|move|change|make|fix)\b|\balso (?:add|fix|change|update|remove|rename|handle|cover|mention)\b|\bthe (?:year|title|name|label|colou?r|version|limit|number|test|message) (?:is|are|has) (?:wrong|missing|off|too)/,
  shows:
    /^(?:show|see|view|give|gimme|get|send|explain|describe|inspect|let me see|lemme see|let'?s see|paste|print|read|look|display|list|have a look|take me|can (?:i|u|you) (?:see|have|get|paste|show|send)|could (?:i|you) (?:see|have|get|paste|show|send)|i (?:want|need|would like|wanna) to (?:see|know)|more (?:info|about|details)|info|help|status|(?:the )?(?:full |whole )?(?:diff|patch|changes|code|logs?|output|details?|plan|contract|budget|costs?|errors?)\b[^,]{0,30}$)/,
  question:
    /\?\s*$|^(?:why|what|how|where|which|who|whose|when|is|are|does|did|has|have (?!an?other|a go|it|the)|was|were|any|anything|anyone|anybody|remind me|tell me|for what|do (?:i|we|you)|am i|would an?|can you (?:explain|show|tell)|could you (?:explain|show|tell))\b/,
  which: {
    all: /\b(?:all|everything|every|everyone|each|whole fleet|the lot|both|them all|the fleet|entire fleet)\b/,
    failed:
      /\b(?:fail(?:ed|ing|ure|ures)?|broken?|stuck|stopped|crashed|died|red|blocked|borked|errored|dead)\b/,
    paused: /\b(?:paused|frozen|suspended|sleeping|the one on hold)\b/,
    queued: /\b(?:queued|in the queue|waiting to start|not started)\b/,
    checked: /\b(?:being (?:checked|tested)|testing|running (?:checks|tests)|in (?:checks|tests))\b/,
    decided: /\b(?:waiting for (?:me|approval|a decision)|on the card|pending|ready|the card)\b/,
    number:
      /(?<![\w./:#-])#?(?<n>\d{1,2})(?![\w./:%-]| ?(?:minutes?|mins?|hours?|days?|weeks?|am|pm|runs?|tests?|files?|lines?|times?|more|x|attempts?|mb|gb|percent))/g,
    ordinals: [
      ['first', '1st', 'one'],
      ['second', '2nd', 'two'],
      ['third', '3rd', 'three'],
      ['fourth', '4th', 'four'],
      ['fifth', '5th', 'five'],
      ['sixth', '6th', 'six'],
    ].map(
      ([whole = '', short = '', number = '']) =>
        new RegExp(
          String.raw`\bthe (?:${whole}|${short})\b|\b(?:${whole}|${short}) (?:one|run)\b|^${short}\b|\b(?:number|no\.?|nr\.?|item) ${number}\b`,
        ),
    ),
    last: /\b(?:the last (?:one|run)?|bottom one)\b/,
  },
  languages: {
    en: /(?:(?:speak|talk|use|switch|change|set|answer|reply|write|go|say it|respond|language|lang|want)\b.*\benglish\b|^(?:in )?english$)/,
    zh: /(?:(?:speak|talk|use|switch|change|set|answer|reply|write|go|say it|respond|language|lang|want)\b.*\b(?:chinese|mandarin|zh)\b|^(?:in )?(?:chinese|mandarin)$)/,
  },
  repairSlips: (said) => said,
  variants: {
    '⏸': ' pause ',
    '▶': ' resume ',
    '🔁': ' retry ',
    '🔄': ' retry ',
    '⏯': ' resume ',
    '🛑': ' stop ',
    '🚫': ' no ',
    '❌': ' no ',
    '❓': '?',
    '\ufe0f': '',
    '’': "'",
    '‘': "'",
    '“': '"',
    '”': '"',
    '…': '...',
  },
  vocabulary:
    'diff log logs ship blocked retry rerun restart again resume continue unpause pause halt freeze suspend cancel abort kill nuke abandon skip deny reject refuse decline approve accept merge update rebase refresh status overview pending waiting approval decisions history recent latest details detail diff patch changes output logs budget cost spent tokens plan contract help commands show what whats where everything failed failing broken stuck paused queued running happening english chinese number second third fourth should please could would'.split(
      ' ',
    ),
};
