/** Written by `npm run sentences` from `bot/sentences`: every sentence, with what it needs. */
type Listed = readonly (string | number)[];
type Counted = number | Listed;
type Shown = string | Counted;
type Texts<Key extends string> = { readonly [K in Key]: string };
export type SentenceTree = Texts<'listSeparator' | 'slackCut' | 'settingEnvironment' | 'name'> & { headings: Texts<'QUEUED' | 'DISCOVERY' | 'PLAN_READY' | 'IMPLEMENTING' | 'LOCAL_VALIDATING' | 'PUSHED' | 'CI_WAIT' | 'REVIEW_WAIT' | 'ITERATING' | 'PAUSED' | 'DONE' |
'SKIPPED' | 'NEEDS_HUMAN_REVIEW' | 'FAILED_RETRYABLE' | 'FAILED_TERMINAL'>;
states: Texts<'QUEUED' | 'DISCOVERY' | 'PLAN_READY' | 'IMPLEMENTING' | 'LOCAL_VALIDATING' | 'PUSHED' | 'CI_WAIT' | 'REVIEW_WAIT' | 'ITERATING' | 'PAUSED' | 'DONE' |
'SKIPPED' | 'NEEDS_HUMAN_REVIEW' | 'FAILED_RETRYABLE' | 'FAILED_TERMINAL'>;
doing: Texts<'card' | 'opening' | 'pushing'>;
verdicts: Texts<'RED' | 'PENDING' | 'GREEN' | 'GREEN_REQUIRED' | 'GREEN_SEEN' | 'AWAITING_MAINTAINER' | 'NO_CI'>;
progress: Texts<'created' | 'repeat' | 'agent' | 'reading'> & { stray: (chat: Shown) => string; fix: (n: Shown, of: Shown) => string; plan: (done: Shown, of: Shown) => string; check: (name: Shown) => string;
tookBefore: (time: Shown) => string; moreChecks: (n: Shown) => string };
attention: { title: Texts<'plan' | 'human' | 'paused' | 'retry' | 'waits' | 'past' | 'asks'>; over: (state: Shown) => string };
ended: Texts<'done' | 'skipped' | 'failed'> & { cancelled: Texts<'title' | 'did'>; denied: Texts<'title' | 'did'>;
closed: { title: (by: Shown | null | undefined) => string; did: (by: Shown | null | undefined) => string }; took: (time: Shown) => string };
stops: Texts<'agent_missing' | 'auth_missing' | 'rate_limited' | 'quota_exhausted' | 'context_exceeded' | 'model_unavailable' | 'sandbox_denied' | 'permission_denied' |
'env_missing' | 'install_failed' | 'registry_unavailable' | 'registry_refused' | 'session_lost' | 'bad_config' | 'invalid_output' | 'agent_question' |
'crashed' | 'timed_out' | 'cancelled' | 'interrupted' | 'budget_exceeded' | 'price_unknown' | 'no_changes' | 'checks_failed' | 'push_rejected' |
'policy_denied' | 'repository_missing' | 'repository_archived' | 'not_allowed' | 'revert_impossible' | 'base_missing' | 'repository_empty' |
'unsafe_workspace' | 'bad_repository_file' | 'repository_unreadable' | 'transfer_refused' | 'bucket_unavailable' | 'disk_full' | 'seal_moved' |
'readback_mismatch' | 'forge_unavailable' | 'forge_refused' | 'pull_limit' | 'account_suspended' | 'certificate_untrusted' | 'proxy_refused' |
'agreement_required' | 'answers_missing' | 'issue_not_free' | 'competing_pulls' | 'ban_read_by_agent' | 'possible_ban' | 'rule_unmet' | 'ai_banned' |
'plan_step_blocked' | 'plan_unchanged' | 'plan_too_long' | 'push_unconfirmed' | 'pull_unconfirmed' | 'merge_conflicts' | 'pull_too_late' |
'updates_exhausted' | 'foreign_head' | 'maybe_flaky' | 'rerun_refused' | 'checks_red_on_base' | 'access_lost' | 'push_blocked' | 'rejected'>;
log: Texts<'empty'> & { exit: (code: Shown) => string; none: (id: Shown) => string; running: (step: Shown) => string; noStep: (step: Shown, steps: Shown) => string;
plan: (id: Shown) => string; earlierCalls: (n: Counted) => string };
plan: Texts<'ecosystems' | 'install' | 'checks' | 'given' | 'noChecks' | 'rules' | 'titles' | 'template' | 'flags' | 'own' | 'asks' | 'steps' | 'byAgent' | 'outline'> & { none: (id: Shown) => string; branch: (rule: Shown) => string };
budget: { retries: (n: Shown, of: Shown) => string };
settings: Texts<'group'> & { you: (id: Shown, role: Shown) => string; language: (name: Shown, chosen: boolean) => string; changed: (name: Shown) => string;
updates: Texts<'webhook' | 'polling'>; signOff: (as: Shown | null | undefined) => string; signsOff: (as: Shown) => string };
places: Texts<'hello' | 'file' | 'theFile'> & { removed: (name: Shown) => string; blocked: (name: Shown) => string };
users: Texts<'inviteMany' | 'inviteAlone' | 'chosen' | 'title' | 'fixed' | 'anonymous'> & { invite: (link: Shown, role: Shown) => string; came: (name: Shown, id: Shown, role: Shown) => string;
added: (name: Shown, id: Shown, role: Shown) => string; removed: (name: Shown, id: Shown) => string; unknown: (id: Shown) => string;
unchangeable: (id: Shown) => string };
replies: Texts<'recent' | 'edited' | 'lookFirst' | 'riskFirst' | 'noneFits' | 'whichOne' | 'busy' | 'answeredDirectly'> & { now: (label: Shown, state: Shown) => string; wrong: (form: Shown) => string; unknown: (name: Shown) => string; noRun: (id: Shown) => string;
approved: (label: Shown) => string; signed: (label: Shown) => string; notForOpening: Texts<'push' | 'reply'>;
merge: (pull: Shown | null | undefined) => string; notNow: (label: Shown, state: Shown) => string; toldLater: (state: Shown) => string;
givenUp: (why: Shown) => string };
tap: Texts<'forged' | 'foreign' | 'stale' | 'unsent' | 'busy' | 'gone' | 'moved' | 'notArmed' | 'arm' | 'readFirst' | 'disarmed' | 'approved' | 'signed' | 'denied' |
'done' | 'duplicate' | 'shown' | 'passed' | 'longer'> & { approvedBy: (name: Shown | null | undefined) => string; deniedAlready: (reason: Shown) => string; expired: (time: Shown) => string;
voided: (reason: Shown) => string; movedOn: (state: Shown) => string; lapsed: (names: Shown, run: Shown) => string; armedOver: (time: Shown) => string;
passedAlready: (name: Shown) => string };
connection: Texts<'away'> & { party: { chat: (name: Shown) => string; forge: (name: Shown) => string; engine: (name: Shown) => string }; back: (time: Shown) => string;
meanwhile: Texts<'chat' | 'forge' | 'engine'> };
foreign: Texts<'over' | 'reading' | 'choose'> & { what: (sha: Shown, commits: Counted) => string; by: (author: Shown) => string; size: (files: Counted, added: Shown, deleted: Shown) => string;
taking: (by: Shown) => string };
fleet: Texts<'none' | 'attention' | 'calm' | 'runs' | 'noRuns' | 'noLow' | 'next' | 'noNext'> & { title: (live: Counted) => string; pending: (n: Counted) => string; more: (n: Shown) => string; alikeQuestions: (n: Shown) => string;
answerAlike: (n: Shown) => string; decideLow: (n: Shown) => string; does: Texts<'approval' | 'human' | 'paused' | 'plan'>;
waits: Texts<'approval' | 'human' | 'paused' | 'plan'> };
detail: Texts<'notPushed' | 'policies' | 'noPolicies' | 'record' | 'run' | 'commit' | 'seal' | 'attempts'> & { asked: (name: Shown, when: Shown) => string; changed: (engine: Shown, size: Shown, files: Counted, time: Shown, minutes: Counted) => string;
pushed: (branch: Shown) => string; moreChecks: (n: Counted) => string; onBaseToo: (ref: Shown) => string;
spent: (n: Shown, of: Shown, time: Shown, tokens: Shown) => string };
grade: Texts<'title' | 'earlier' | 'gradedBy'> & { levels: Texts<'PASS' | 'NEEDS_REVIEW' | 'FAIL'> };
policies: Texts<'raises'> & { actions: Texts<'push' | 'open_pr'>; decisions: Texts<'deny' | 'escalate' | 'allow'>; can: Texts<'deny' | 'escalate' | 'allow'> };
risk: Texts<'title' | 'findings' | 'nothing'>;
diff: Texts<'signs'> & { caption: (repo: Shown, id: Shown, sha: Shown) => string; fix: (sha: Shown) => string; omitted: (bytes: Shown) => string; hidden: (n: Counted) => string;
none: (id: Shown) => string };
text: Texts<'heading' | 'branch' | 'author' | 'signer' | 'title' | 'body' | 'newBody'> & { commit: (n: Shown, of: Counted) => string; receipt: (name: Shown | null | undefined) => string };
hints: Texts<'edited' | 'forwarded' | 'anonymous' | 'textless' | 'inline'>;
welcome: Texts<'what' | 'repositories' | 'try' | 'pending' | 'help' | 'tryLooking'> & { hello: (name: Shown) => string; role: (role: Shown, rights: Shown) => string; rights: Texts<'viewer' | 'operator' | 'approver' | 'admin'>;
account: (account: Shown) => string; example: (repo: Shown) => string; exampleOf: (repo: Shown) => string };
help: Texts<'title' | 'words' | 'back' | 'none' | 'options'> & { meant: (name: Shown, near: Shown) => string };
roles: { names: Texts<'viewer' | 'operator' | 'approver' | 'admin'>; stranger: (id: Shown) => string;
needs: (role: 'viewer' | 'operator' | 'approver' | 'admin') => string };
model: Texts<'spent' | 'busy' | 'long'> & { asking: (name: Shown, seconds: Shown) => string; says: (name: Shown) => string; silent: (name: Shown) => string; cutOff: (name: Shown) => string };
voice: Texts<'heard' | 'use' | 'drop' | 'used' | 'dropped' | 'notYours' | 'already' | 'noCommand'> & { length: (unit: 'seconds' | 'minutes', n: Shown) => string };
pictures: Texts<'goesAlong'> & { unseen: (engines: Shown) => string };
voiceProblems: { off: () => string; spent: (of: { minutes: Shown }) => string; gone: () => string; broken: () => string; silent: () => string;
wordy: (of: { most: Shown }) => string; down: (of: { name: Shown }) => string; slow: (of: { name: Shown; seconds: Shown }) => string;
long: (of: { is: Shown; most: Shown }) => string; big: (of: { most: Shown }) => string };
turns: Texts<'notComparable'> & { ends: Texts<'passed' | 'checks_failed' | 'denied' | 'no_changes' | 'failed'>; tokens: (n: Counted) => string; unpriced: (n: Counted) => string };
permission: Texts<'title' | 'why' | 'nobodySaid' | 'waits' | 'tooLong' | 'allow' | 'revoke' | 'deny' | 'denyWords' | 'edit' | 'allowed' | 'denied' | 'ask' | 'askEdit' |
'edited' | 'editDenied' | 'over'> & { asks: Texts<'command'> & { tool: (tool: Shown) => string }; asksEach: { command: (n: Shown) => string; tool: (n: Shown, tool: Shown) => string };
allowEach: (n: Shown) => string; denyEach: (n: Shown) => string; answeredEach: (n: Counted, left: Counted) => string;
alternatives: (proposer: Shown, tool: Shown | null | undefined, risk: Shown) => string; pick: (proposer: Shown) => string;
picked: (proposer: Shown) => string; allowSort: (sort: Shown) => string; sortMeans: (sort: Shown) => string; allowedSort: (sort: Shown) => string;
stands: (sort: Shown, by: Shown) => string; editLong: (most: Shown) => string };
guesses: Texts<'which' | 'nothing'> & { does: Texts<'status' | 'pending' | 'runs' | 'help' | 'detail' | 'diff' | 'log' | 'plan' | 'budget' | 'settings' | 'users' | 'report' | 'campaign' | 'batch' | 'new' |
'fix' | 'retry' | 'resume' | 'pause' | 'cancel' | 'skip' | 'update' | 'done' | 'deny' | 'approve' | 'merge' | 'en' | 'zh'> };
denials: Texts<'asks' | 'asksWhy' | 'asksChanges' | 'ask' | 'askBelow' | 'asked' | 'captionOnly' | 'pictureStays' | 'whichForm'> & { chips: Texts<'approach' | 'big' | 'tests' | 'unneeded' | 'none'>;
perhaps: Texts<'use' | 'other' | 'used' | 'unused'> & { asks: Texts<'changes' | 'closing' | 'answer' | 'permission' | 'permissionEdit'> };
why: Texts<'approach' | 'big' | 'tests' | 'unneeded'>; told: Texts<'approach' | 'big' | 'tests' | 'unneeded'> };
settingsProblems: Texts<'plainAddress' | 'noPrivateKey' | 'previousAlone' | 'publicAlone' | 'oddPercent' | 'noAssignment'> & { mustBeHttps: (name: Shown, is: Shown) => string; pagesAddress: (is: Shown, host: Shown) => string; plainBotApi: (is: Shown) => string;
together: (names: Shown) => string; noModelKey: (name: Shown) => string; noVoiceKey: (name: Shown) => string;
noHookSecret: (name: Shown, hook: Shown) => string; noBucketName: (is: Shown) => string; prismaSchema: (schema: Shown, encoded: Shown) => string;
holdsVariable: (name: Shown, is: Shown) => string; quotedPath: (name: Shown, is: Shown) => string; otherHome: (name: Shown, is: Shown) => string;
roleAlone: (role: Shown) => string; isUtf16: (file: Shown) => string; isNotUtf8: (file: Shown) => string;
line: (file: Shown, line: Shown, says: Shown) => string; curlyQuote: (name: Shown, mark: Shown) => string; hashInside: (name: Shown) => string;
openQuote: (name: Shown, mark: Shown) => string; afterQuote: (name: Shown, mark: Shown) => string };
receiptPage: Texts<'title' | 'lead' | 'saysTitle' | 'notTitle' | 'not' | 'checkTitle' | 'check' | 'keys' | 'theirs'> & { says: Texts<'run' | 'digest' | 'policies' | 'approvedBy' | 'signedWithKey'> };
cluster: Texts<'eachByItself' | 'over' | 'aroundAll' | 'marks' | 'takeOut' | 'showEach' | 'whichOut' | 'whichEach' | 'none' | 'highAlone' | 'nothing'> & { asks: { open: (n: Counted) => string; push: (n: Counted) => string }; asksMixed: { open: (n: Counted) => string; push: (n: Counted) => string };
decided: (n: Counted) => string; each: (size: Shown, files: Counted) => string; openAll: (n: Counted) => string; bothAll: (n: Counted) => string;
pushAll: (n: Counted) => string; around: (n: Counted) => string; apart: (n: Counted) => string; more: (n: Shown) => string;
moreGone: (n: Shown) => string; approve: (n: Shown) => string; confirm: (n: Shown) => string; page: (at: Shown, of: Shown) => string;
approved: (n: Shown) => string; signed: (n: Shown) => string; some: (n: Shown, not: Shown) => string; fell: (n: Counted) => string;
takenOut: (repo: Shown) => string; file: (n: Counted) => string; unread: (repo: Shown) => string; passed: (all: boolean, of: Shown, n: Shown) => string };
viewer: Texts<'title' | 'back' | 'on' | 'fileBack' | 'fileOn' | 'risky' | 'picture' | 'noPicture' | 'toCard' | 'end' | 'over'> & { sides: Texts<'before' | 'after'>; file: (at: Shown, of: Shown) => string; hunk: (at: Shown, of: Shown) => string; part: (at: Shown, of: Shown) => string };
report: Texts<'none' | 'late' | 'unnamed' | 'whole' | 'all'> & { title: (days: Counted | null | undefined) => string; size: (runs: Counted, pulls: Counted) => string;
shares: Texts<'firstCi' | 'needsHuman' | 'merged7' | 'merged30' | 'survived30' | 'survived90' | 'reverted' | 'unanswered'>;
counts: (yes: Counted, of: Counted) => string; share: (name: Shown, share: Shown) => string; rate: (percent: Shown, low: Shown, high: Shown) => string;
ready: (half: Shown, most: Shown, of: Counted) => string; rounds: (half: Shown, most: Shown, of: Counted) => string;
perPull: (taps: Shown, sounds: Shown, time: Shown, fixes: Shown) => string; cost: (all: Shown, each: Shown) => string;
costUnknown: (runs: Counted) => string; usedUp: (budget: Shown) => string; failures: (all: Shown) => string;
by: Texts<'engine' | 'ecosystem' | 'repository' | 'prompt' | 'campaign'>; more: (n: Counted) => string;
period: (days: Shown | null | undefined) => string; chart: Texts<'ready' | 'attention'>;
columns: Texts<'name' | 'runs' | 'pulls' | 'firstCi' | 'needsHuman' | 'ready' | 'rounds' | 'iterations' | 'taps' | 'pings' | 'attention' | 'merged7' | 'merged30' |
'survived' | 'reverted' | 'unanswered' | 'cost' | 'failures'>;
caption: (group: Shown) => string; since: (by: Shown, low: Shown, high: Shown) => string };
insights: Texts<'cards' | 'trial' | 'advice' | 'noAdvice' | 'followed' | 'tooFew'> & { title: (days: Counted | null | undefined) => string; total: (runs: Counted, spent: Shown) => string;
spent: (time: Shown, taps: Counted, sounds: Counted) => string; sorts: Texts<'failure' | 'skill' | 'engine' | 'repository'>;
stopped: (share: Shown) => string; rate: (counts: Shown, percent: Shown, low: Shown, high: Shown) => string;
card: (kind: Shown, denied: Shown, seconds: Counted, hasty: Counted) => string;
arm: (prompt: Shown, stopped: Shown, green: Shown, attention: Shown) => string; least: (runs: Shown, answers: Shown, cards: Shown) => string;
change: (setting: Shown, to: Shown) => string; better: (from: Shown, own: Shown, to: Shown, other: Shown, by: Shown) => string;
tight: (budget: Shown, share: Shown) => string; neverDenied: (cards: Counted) => string; stoppedThen: (before: Shown, after: Shown) => string;
attentionThen: (before: Shown, after: Shown) => string; middle: (half: Shown, low: Shown | null | undefined, high: Shown | null | undefined) => string;
points: (by: Shown, low: Shown, high: Shown) => string };
installation: Texts<'title' | 'marked' | 'on' | 'reset' | 'usual' | 'all' | 'log' | 'cards' | 'host' | 'never' | 'noRights' | 'quietForm' | 'quietOver'> & { names: Texts<'engine' | 'prompt' | 'trial' | 'parallel' | 'daily' | 'time' | 'tokens' | 'cost' | 'iterations' | 'fixes' | 'card' | 'reminder' | 'answer' | 'approvals' |
'own' | 'pushes'>;
short: Texts<'engine' | 'prompt' | 'trial' | 'parallel' | 'daily' | 'time' | 'tokens' | 'cost' | 'iterations' | 'fixes' | 'card' | 'reminder' | 'answer' | 'approvals' |
'own' | 'pushes'>;
does: Texts<'engine' | 'prompt' | 'trial' | 'parallel' | 'daily' | 'time' | 'tokens' | 'cost' | 'iterations' | 'fixes' | 'card' | 'reminder' | 'answer' | 'approvals' |
'own' | 'pushes'>;
units: { percent: (n: Shown) => string; hours: (n: Counted) => string; days: (n: Counted) => string; tokens: (n: Counted) => string;
dollars: (n: Shown) => string; runs: (n: Counted) => string; rounds: (n: Counted) => string; people: (n: Counted) => string;
minutes: (n: Counted) => string };
off: Texts<'switch' | 'limit'>; range: (least: Shown, most: Shown) => string; kinds: Texts<'open_pr' | 'push' | 'reply'>;
changed: (at: Shown, by: Shown, what: Shown) => string; set: (name: Shown, value: Shown) => string; quiet: (hours: Shown | null | undefined) => string;
quietSet: (hours: Shown | null | undefined) => string; now: (value: Shown, isUsual: boolean, usual: Shown) => string };
board: Texts<'name' | 'link' | 'open' | 'alone' | 'off' | 'skip' | 'where' | 'readOnly'> & { retry: (when: Shown) => string; signedOut: (name: Shown, n: Counted) => string; sessions: (n: Shown) => string;
nav: Texts<'inbox' | 'campaigns' | 'figures'>; signIn: Texts<'title' | 'how' | 'again' | 'used' | 'opens' | 'go' | 'confirm' | 'reopen'>;
missing: Texts<'title' | 'says'>; broken: Texts<'title' | 'says'>; live: Texts<'on' | 'off' | 'out'>;
inbox: Texts<'title' | 'needs' | 'calm' | 'works' | 'idle' | 'ended' | 'none' | 'noEnded' | 'search' | 'hint' | 'find' | 'clear' | 'older' | 'newest' | 'inChat' |
'keys'> & { first: (n: Shown) => string };
risk: Texts<'low' | 'medium' | 'high'>;
run: Texts<'ordered' | 'goal' | 'path' | 'change' | 'readDiff' | 'noChange' | 'checks' | 'noChecks' | 'fullLog' | 'timeline' | 'attempts' | 'noAttempts' |
'transcript' | 'prompt' | 'noOutput' | 'contract' | 'noContract' | 'installs' | 'rules' | 'plan' | 'policies' | 'noPolicies' | 'notJudged' | 'seal' |
'noSeal' | 'digest' | 'fields' | 'signed' | 'nobody' | 'receipt' | 'noReceipt' | 'replay' | 'trajectory' | 'decisions' | 'signatures' | 'pull' |
'campaign' | 'facts' | 'worked' | 'tokens' | 'engine' | 'picture' | 'base' | 'branch' | 'summary' | 'turns' | 'undecided' | 'cameOut' | 'textGone' |
'altered'> & { by: (name: Shown) => string; steps: Texts<'queued' | 'reading' | 'changing' | 'checking' | 'deciding' | 'ci' | 'review' | 'end'>;
size: (files: Counted, added: Shown, deleted: Shown) => string; outcomes: Texts<'passed' | 'failed' | 'timed_out' | 'not_run' | 'ran_no_test'>;
looks: (n: Shown) => string; more: (n: Counted) => string; verdicts: Texts<'allow' | 'escalate' | 'deny'>;
approvals: Texts<'open' | 'consumed' | 'void' | 'denied' | 'expired'>; replayed: (events: Counted) => string;
pictureSize: (width: Shown, height: Shown) => string; turn: (n: Shown) => string; turnVerdicts: Texts<'approved' | 'modified' | 'rejected' | 'waits'>;
evaluations: Texts<'under_way' | 'goes_on' | 'done' | 'unchanged' | 'asks' | 'waits' | 'invalid' | 'failed' | 'interrupted'>;
contextOf: (tokens: Counted, summarised: Counted) => string; proposalResults: Texts<'chosen' | 'not_chosen' | 'denied' | 'invalid' | 'failed'>;
evidenceOfProposals: Texts<'agreed' | 'read' | 'fits' | 'checked'>; pickedBy: (name: Shown) => string; sizeOfProposal: (lines: Counted) => string;
tokensIn: (tokens: Counted, seconds: Shown) => string;
proposerTotal: (chosen: Shown, turns: Counted, tokens: Counted, usd: Shown | null | undefined) => string };
diff: Texts<'title' | 'tree' | 'unified' | 'split' | 'blanks' | 'noBlanks' | 'wrap' | 'scroll' | 'whole' | 'next' | 'previous' | 'lastFile' | 'binary' | 'before' |
'after' | 'gone' | 'sealed' | 'unsealed' | 'nothing' | 'since' | 'base'> & { files: (n: Counted) => string; left: (files: Counted, lines: Counted) => string; more: (n: Counted) => string; cut: (n: Counted) => string;
omitted: (n: Counted) => string };
campaign: Texts<'title' | 'none' | 'repository' | 'state' | 'cluster' | 'checks' | 'pull' | 'waits' | 'outliers' | 'noOutliers' | 'everyOne' | 'lines' | 'alone' | 'pace' |
'notStarted' | 'noPace'> & { outOf: (n: Shown, all: Shown) => string;
why: { checks: (commands: Shown) => string; moreFiles: (paths: Shown) => string; fewerFiles: (paths: Shown) => string;
size: (lines: Counted, usual: Shown) => string; waits: (time: Shown, usual: Shown) => string };
alike: (n: Shown) => string; merged: (n: Shown, of: Shown) => string; eta: (when: Shown) => string };
figures: Texts<'title' | 'csv' | 'chart' | 'table' | 'queues' | 'failures' | 'overTime' | 'week' | 'runs'> & { depths: Texts<'due' | 'later' | 'at_work'> } };
why: { failures: Texts<'agent_missing' | 'auth_missing' | 'rate_limited' | 'quota_exhausted' | 'context_exceeded' | 'model_unavailable' | 'sandbox_denied' | 'permission_denied' |
'env_missing' | 'registry_unavailable' | 'registry_refused' | 'install_failed' | 'session_lost' | 'bad_config' | 'invalid_output' | 'crashed' |
'timed_out' | 'cancelled' | 'interrupted' | 'budget_exceeded' | 'price_unknown' | 'no_changes' | 'checks_failed' | 'push_rejected' | 'policy_denied' |
'repository_missing' | 'repository_archived' | 'not_allowed' | 'revert_impossible' | 'base_missing' | 'repository_empty' | 'unsafe_workspace' |
'bad_repository_file' | 'repository_unreadable' | 'transfer_refused' | 'bucket_unavailable' | 'disk_full' | 'seal_moved' | 'readback_mismatch' |
'forge_unavailable' | 'forge_refused' | 'pull_limit' | 'account_suspended' | 'certificate_untrusted' | 'proxy_refused'>;
until: (time: Shown) => string;
waiting: Texts<'check'> & { since: (time: Shown) => string; host: (time: Shown) => string; others: (n: Counted) => string };
undone: Texts<'title' | 'guard' | 'plan' | 'disk' | 'missing' | 'other_commit' | 'fresh_workspace' | 'told'> & { more: (n: Counted) => string } };
budgets: Texts<'title' | 'untold' | 'lift'> & { names: Texts<'time' | 'tokens' | 'cost' | 'output' | 'iterations' | 'fixes'>;
amounts: { tokens: (n: Counted) => string; output: (n: Shown) => string; time: (n: Shown) => string; cost: (n: Shown) => string; iterations: (n: Shown) => string;
fixes: (n: Shown) => string };
line: (name: Shown, used: Shown, limit: Shown, left: Shown) => string; open: (name: Shown, used: Shown) => string;
split: (input: Shown, output: Shown) => string; raiseWith: (form: Shown) => string; wider: (name: Shown) => string;
near: (name: Shown, share: Shown) => string; raise: (amount: Shown) => string; raised: (label: Shown, name: Shown, limit: Shown) => string;
lifted: (label: Shown, name: Shown) => string; pricesOf: (date: Shown) => string;
expected: (runs: Shown, usd: Shown | null | undefined, minutes: Shown, limitUsd: Shown | null | undefined, limitTime: Shown) => string;
cautionNoPrice: (limit: Shown, model: Shown, engine: Shown) => string; cautionUntold: (limit: Shown, engine: Shown) => string };
commands: Texts<'run'> & { does: Texts<'status' | 'pending' | 'new' | 'batch' | 'adopt' | 'campaign' | 'runs' | 'report' | 'insights' | 'board' | 'detail' | 'diff' | 'log' | 'plan' | 'revoke' |
'budget' | 'approve' | 'deny' | 'changes' | 'edit' | 'fix' | 'retry' | 'without' | 'update' | 'take' | 'overrule' | 'pause' | 'resume' | 'cancel' |
'skip' | 'done' | 'settings' | 'users' | 'help' | 'greet'>;
args: Texts<'order' | 'about' | 'list' | 'id' | 'undo' | 'pulls' | 'period' | 'part' | 'topic' | 'payload' | 'step' | 'raise' | 'confirm' | 'final' | 'reason' |
'words' | 'instruction' | 'target' | 'advice' | 'sha' | 'setting' | 'what' | 'text' | 'change'>;
topics: Texts<'look' | 'ask' | 'decide' | 'steer' | 'installation'> };
sight: Texts<'last' | 'since' | 'goesOn'> & { title: Texts<'none' | 'some' | 'again'>; runs: (n: Counted) => string;
parts: Texts<'pull' | 'branch' | 'checks' | 'reports' | 'statuses' | 'jobs' | 'rules' | 'reviews' | 'comments'>;
permissions: Texts<'pull' | 'branch' | 'checks' | 'reports' | 'statuses' | 'jobs' | 'rules' | 'reviews' | 'comments'>;
says: Texts<'ours' | 'limit' | 'unreached'> & { long: (parts: Shown) => string; status: (status: Shown) => string }; unread: (parts: Shown) => string;
todos: Texts<'credential' | 'missing' | 'refused' | 'limit' | 'host' | 'network' | 'long' | 'ours'> & { forbidden: (wanted: Shown, lacksReports: boolean) => string } };
checkWhys: { unseen: () => string; silent: () => string; failed: (of: { name: Shown; required: boolean }) => string;
missing: (of: { name: Shown; since: Shown }) => string; imitated: (of: { name: Shown; since: Shown }) => string;
runs: (of: { name: Shown; required: boolean }) => string; awaits_maintainer: (of: { name?: Shown | null | undefined }) => string;
stale: (of: { name: Shown }) => string; settles: () => string; unread: () => string; unsure: (of: { name: Shown }) => string;
skipped: (of: { name: Shown }) => string; none_ran: () => string; queue: () => string };
problems: { flag: (of: { flag: Shown }) => string; state: (of: { text: Shown }) => string; repo: (of: { text: Shown }) => string;
pull: (of: { text: Shown }) => string; pulls: (of: { most: Shown }) => string; branch: (of: { text: Shown }) => string;
language: (of: { text: Shown }) => string; user: (of: { text: Shown }) => string; amount: (of: { text: Shown }) => string; no_list: () => string;
queries: (of: { most: Shown }) => string; query: (of: { text: Shown }) => string; query_quote: (of: { text: Shown }) => string;
list_long: (of: { most: Counted }) => string; line: (of: { line: Shown; text: Shown }) => string;
line_more: (of: { line: Shown; text: Shown }) => string; file_long: (of: { most: Counted }) => string;
file_yaml: (of: { line: Shown; says: Shown }) => string; file_documents: (of: { line: Shown }) => string; file_twice: (of: { line: Shown }) => string;
file_deep: (of: { line: Shown }) => string; file_alias: (of: { line: Shown }) => string;
file_key: (of: { line: Shown; key: Shown; near?: Shown | null | undefined }) => string; file_repo: (of: { at: Shown; text: Shown }) => string;
file_fixes: () => string; file_after_self: (of: { line: Shown; repo: Shown }) => string;
file_after_unknown: (of: { line: Shown; repo: Shown }) => string; file_after_twice: (of: { line: Shown; repo: Shown }) => string;
file_circle: (of: { line: Shown; way: Shown }) => string; file_scripts: () => string; file_repos: () => string; file_goal: () => string;
file_engine: () => string; file_script: () => string; file_text: () => string; file_hard: () => string; file_gone: () => string;
file_words: () => string; variable: (of: { name: Shown; repo: Shown }) => string; variable_taken: (of: { name: Shown; repo: Shown }) => string;
misplaced: (of: { name: Shown; repo: Shown; shellName: Shown }) => string; no_variable: (of: { text: Shown }) => string;
variable_long: (of: { name: Shown; repo: Shown; most: Counted }) => string; column: (of: { name: Shown }) => string; no_goal: () => string;
no_instruction: () => string; sign_off: (of: { wrong: 'form' | 'name' | 'address' }) => string; value: (of: { option: Shown }) => string;
twice: (of: { option: Shown }) => string; quote: (of: { option: string }) => string;
option: (of: { option: Shown; near?: Shown | null | undefined; all: Shown }) => string;
setting: (of: { text: Shown; near?: Shown | null | undefined; all: Shown }) => string;
choice: (of: { setting: Shown; text: Shown; all: Shown }) => string;
bounds: (of: { setting: Shown; text: Shown; least: Counted; most: Counted; off: boolean }) => string; flow: (of: { text: Shown; all: Shown }) => string;
discovery: (of: { text: Shown; all: Shown }) => string; install: (of: { text: Shown; all: Shown }) => string;
engine: (of: { text: Shown; all: Shown }) => string; no_engine: () => string; engines: () => string;
proposers: (of: { text: Shown; all: Shown }) => string; reported: (of: { text: Shown; all: Shown }) => string;
prompt_version: (of: { text: Shown; all: Shown }) => string; role: (of: { text: Shown; all: Shown }) => string;
budget: (of: { text: Shown; all: Shown }) => string;
long: (of: { what: 'reason' | 'advice' | 'title' | 'description' | 'goal' | 'instruction'; most: Counted }) => string;
file_value: (of: { isWhole: boolean; wrong: Shown; line: Shown }) => string; picture_large: (of: { mb: Shown }) => string;
picture_gone: (of: { mb: Shown }) => string; picture_form: () => string; picture_points: () => string };
findings: Texts<'secret' | 'exposed_credential' | 'likely_secret' | 'hidden_line' | 'bidi_text' | 'hidden_text' | 'mixed_script' | 'look_alike' | 'long_line' |
'line_endings_only' | 'whitespace_only' | 'unseen_change' | 'test_removed' | 'test_skipped' | 'test_weakened' | 'nested_repository' | 'special_file' |
'hard_link' | 'bad_name' | 'too_large' | 'not_read' | 'symlink_escape' | 'lfs_pointer' | 'lfs_raw' | 'filter_raw' | 'skipped_ignored'> & { more: (more: Shown) => string };
findingNotes: { not_text: () => string; scripts_mixed: () => string; scripts_mixed_in_name: () => string; stored_elsewhere: () => string; own_bytes: () => string;
test_file_deleted: () => string; only_line_ends: () => string; only_whitespace: () => string; looks_same: () => string; as_plain_files: () => string;
worktree_skipped: () => string; submodule_skipped: () => string; linked_from_outside: () => string; name_not_text: () => string;
name_like_git: () => string; name_modules_link: () => string; name_unseen: () => string; name_backslash: () => string;
exposed_credentials: (of: { names: Listed }) => string; character: (of: { code: Shown }) => string;
reads_as: (of: { as: Shown; characters: Listed }) => string; characters: (of: { count: Shown }) => string;
bytes: (of: { bytes: Shown; skipped: boolean }) => string; test_cases: (of: { was: Shown; is: Shown }) => string;
skipped_tests: (of: { was: Shown; is: Shown }) => string; assertions: (of: { was: Shown; is: Shown }) => string;
hidden_in: (of: { added: Shown; removed: Shown; other: Shown }) => string; leads_to: (of: { target: Shown }) => string;
same_name: (of: { as: Shown }) => string; special: (of: { is: 'pipe' | 'socket' | 'device' }) => string; too_deep: (of: { limit: Shown }) => string;
too_many: (of: { limit: Shown }) => string; unreadable: (of: { code: Shown }) => string; ignored: (of: { count: Shown }) => string;
looks_like: (of: { secret: Shown }) => string };
secretNames: Texts<'access_key' | 'access_token' | 'address_password' | 'api_key' | 'bot_token' | 'client_secret' | 'header_credential' | 'key' | 'named_secret' |
'password' | 'private_key' | 'refresh_token' | 'registry_credential' | 'registry_token' | 'secret_key' | 'signed_address' | 'signed_token' |
'storage_key' | 'token' | 'webhook' | 'webhook_secret'>;
bucketRefusals: Texts<'unreached' | 'other_region' | 'request_refused' | 'key_refused' | 'missing' | 'failed' | 'open_to_all' | 'broke_off' | 'other_bytes'>;
failureDetails: { push_refused: (of: { says?: Shown | null | undefined }) => string; branch_moved: (of: { says?: Shown | null | undefined }) => string;
branch_name_refused: (of: { says?: Shown | null | undefined }) => string; push_credential_refused: (of: { says?: Shown | null | undefined }) => string;
push_forbidden: (of: { says?: Shown | null | undefined }) => string; push_too_large: () => string;
branch_differs: (of: { branch: Shown; found?: Shown | null | undefined; expected: Shown }) => string;
branch_missing: (of: { repo: Shown; branch: Shown }) => string; no_space_left: () => string; data_disk_full: () => string;
mirrors_full: (of: { used: Counted; limit: Counted }) => string; disk_nearly_full: (of: { limit: Counted }) => string;
memory_exceeded: (of: { limit: Counted }) => string; memory_ran_out: (of: { limit: Counted }) => string;
processes_exceeded: (of: { limit: Counted }) => string; processes_ran_out: (of: { limit: Counted }) => string;
disk_exceeded: (of: { limit: Counted }) => string; run_disk_nearly_full: (of: { limit: Counted }) => string;
engine_missing: (of: { program?: Shown | null | undefined; says?: Shown | null | undefined }) => string;
engine_not_executable: (of: { program?: Shown | null | undefined; says?: Shown | null | undefined }) => string;
engine_not_started: (of: { program?: Shown | null | undefined; says?: Shown | null | undefined }) => string;
box_not_started: (of: { says?: Shown | null | undefined }) => string; engine_timed_out: (of: { seconds: Counted }) => string;
engine_stopped: () => string; engine_too_loud: () => string;
engine_exited: (of: { exitCode?: Shown | null | undefined; says?: Shown | null | undefined }) => string;
engine_killed: (of: { signal?: Shown | null | undefined; says?: Shown | null | undefined }) => string;
engine_arguments_refused: (of: { program?: Shown | null | undefined; says?: Shown | null | undefined }) => string;
conversation_unknown: (of: { program?: Shown | null | undefined; says?: Shown | null | undefined }) => string; permission_undecided: () => string;
provider_closed: () => string; usage_limit_reached: () => string; model_key_missing: () => string; model_unnamed: () => string;
run_tokens_used_up: (of: { limit: Counted }) => string; run_cost_used_up: (of: { limit: Shown }) => string;
model_requests_exceeded: (of: { limit: Counted }) => string; model_requests_too_fast: (of: { limit: Counted }) => string;
model_call_repeated: (of: { limit: Counted }) => string; price_unnamed: (of: { model?: Shown | null | undefined }) => string;
app_has_no_forks: (of: { repo: Shown }) => string; fork_refused: (of: { repo: Shown; says?: Shown | null | undefined }) => string;
forks_not_allowed: (of: { repo: Shown }) => string; fork_of_own: (of: { repo: Shown; owner: Shown }) => string;
repository_forbids_forks: (of: { repo: Shown; mayPush: boolean }) => string; fork_deleted: (of: { fork: Shown }) => string;
fork_unrelated: (of: { fork: Shown; repo: Shown }) => string; fork_stays_empty: (of: { fork: Shown }) => string; stored_by_others: () => string;
stored_bytes_differ: () => string; stored_parts_missing: () => string; stored_start_lost: (of: { branch: Shown }) => string;
chat_unreached: (of: { service?: Shown | null | undefined }) => string;
chat_refused: (of: { service?: Shown | null | undefined; says?: Shown | null | undefined }) => string;
chat_token_unknown: (of: { service?: Shown | null | undefined; says?: Shown | null | undefined }) => string;
revert_unmerged: (of: { pull: Shown }) => string; revert_unreachable: (of: { pull: Shown; branch: Shown }) => string;
revert_unclear: (of: { pull: Shown }) => string; revert_needs_agent: (of: { pull: Shown }) => string; no_failed_check: () => string;
host_failed: (of: { status: Shown; says?: Shown | null | undefined }) => string;
host_refused: (of: { status: Shown; says?: Shown | null | undefined }) => string; host_not_found: (of: { says?: Shown | null | undefined }) => string;
host_credential_refused: (of: { says?: Shown | null | undefined }) => string; host_answer_unreadable: () => string;
bucket_refused: (of: { problem: Shown; status?: Shown | null | undefined }) => string;
not_reached: (of: { party: 'chat' | 'bucket'; why: Shown }) => string };
hostRefusals: { sign_on_required: (of: { organisation?: Shown | null | undefined; url?: Shown | null | undefined }) => string;
address_not_allowed: (of: { organisation?: Shown | null | undefined }) => string;
app_not_approved: (of: { organisation?: Shown | null | undefined }) => string;
classic_token_forbidden: (of: { organisation?: Shown | null | undefined }) => string;
fine_grained_token_forbidden: (of: { organisation?: Shown | null | undefined }) => string; right_missing: () => string;
workflow_right_missing: () => string; account_suspended: () => string; app_suspended: () => string; access_blocked: () => string; archived: () => string;
user_blocked: () => string; newcomers_limited: () => string; collaborators_only: () => string; pulls_off: () => string; nothing_to_merge: () => string;
is_mirror: () => string; hourly_limit: () => string; secondary_limit: () => string; plan_lacks_it: () => string; server_lacks_it: () => string;
name_not_found: (of: { party: Shown }) => string; connection_refused: (of: { capitalParty: Shown; party: Shown }) => string;
connection_lost: (of: { party: Shown }) => string; no_answer: (of: { capitalParty: Shown; party: Shown }) => string;
proxy_unreached: (of: { proxy?: Shown | null | undefined; party: Shown }) => string;
proxy_wants_sign_in: (of: { proxy?: Shown | null | undefined }) => string;
proxy_gets_no_answer: (of: { proxy?: Shown | null | undefined; party: Shown; status?: Shown | null | undefined }) => string;
proxy_forbids: (of: { proxy?: Shown | null | undefined; party: Shown; status?: Shown | null | undefined }) => string;
token_lives_too_long: (of: { organisation?: Shown | null | undefined; days?: Shown | null | undefined }) => string;
certificate_untrusted: (of: { host?: Shown | null | undefined; party: Shown; problem: Shown; code?: Shown | null | undefined; step: Shown }) => string };
changedFields: Texts<'action' | 'baseRepoId' | 'headRepoId' | 'baseRef' | 'mergeBase' | 'headSha' | 'tree' | 'diff' | 'diffFacts' | 'branch' | 'author' | 'signer' | 'title' |
'body' | 'pullBody' | 'pushes' | 'draft' | 'maintainerCanModify' | 'conflicts' | 'policyVersion' | 'assessment' | 'evidence' | 'rules'>;
changedSince: { conflicts: () => string; branch_head: (of: { from: Shown; to?: Shown | null | undefined }) => string; stored_proposal: () => string;
field: (of: { name: Shown; isShown: boolean; from: Shown; to: Shown }) => string };
expected: { text: () => string; number: () => string; whole: () => string; list: () => string; table: () => string; yes_no: () => string; name: () => string;
email: () => string; address: () => string; every: () => string; hours: () => string; one_of: (of: { all: Shown }) => string;
most: (of: { of: string | null; n: Counted }) => string; other: () => string; least: (of: { of: string | null; n: Counted }) => string;
said: (of: { says: Shown }) => string };
marks: Texts<'gap' | 'semicolon' | 'or' | 'noCommit'> & { explained: (says: Shown, why: Shown | null | undefined) => string };
secrets: { named: (isVowel: boolean, of: Shown | null | undefined, noun: Shown) => string }; parties: Texts<'host' | 'chat' | 'bucket'>;
certificates: Texts<'expired' | 'not_yet_valid' | 'revoked' | 'other_name' | 'unknown_authority' | 'nameAuthority' | 'askThem'>;
changedRules: { added: (of: { quote: Shown; file: Shown }) => string; removed: (of: { quote: Shown; file: Shown }) => string };
misfits: { unknown: (of: { at?: Shown | null | undefined; where: Shown; key: Shown }) => string;
whole: (of: { where: Shown; found?: Shown | null | undefined; must: Shown }) => string;
value: (of: { at: Shown; found?: Shown | null | undefined; must: Shown }) => string };
evidence: Texts<'none'> & { passed: (name: Shown) => string; again: (name: Shown) => string; fixed: (name: Shown, base: Shown) => string;
redFirst: (name: Shown, base: Shown) => string; greenFirst: (name: Shown, base: Shown) => string; untried: (name: Shown, base: Shown) => string;
lucky: (name: Shown, base: Shown) => string; failed: (name: Shown) => string; timedOut: (name: Shown) => string;
redBefore: (name: Shown, base: Shown) => string; notJudged: (name: Shown, why: Shown) => string; withheld: (name: Shown, why: Shown) => string;
waived: (name: Shown) => string; notRun: (name: Shown) => string; ranNoTest: (name: Shown) => string;
moreCautions: (n: Counted, high: boolean) => string; morePassed: (n: Counted) => string; moreOthers: (n: Counted) => string };
card: Texts<'otherFiles' | 'undecided' | 'next' | 'describes' | 'binary' | 'deleted' | 'decide' | 'opening' | 'pushing' | 'notOpened' | 'newerBelow'> & { closed: Texts<'approved' | 'denied' | 'changes' | 'expired' | 'void' | 'failed'>;
asks: { open: (repo: Shown) => string; both: (repo: Shown) => string; push: (repo: Shown) => string; fix: (pull: Shown, repo: Shown) => string };
sizes: { small: (lines: Shown | null | undefined, files: Counted) => string; medium: (lines: Shown | null | undefined, files: Counted) => string;
large: (lines: Shown | null | undefined, files: Counted) => string };
riskByChecks: (level: 'low' | 'medium' | 'high') => string; riskUntested: (level: 'low' | 'medium' | 'high') => string; hunkAt: (line: Shown) => string;
does: Texts<'open' | 'both' | 'push' | 'fix'>; run: (id: Shown) => string; files: (n: Counted) => string; inAll: (size: Shown) => string;
toFork: (fork: Shown) => string; rivals: (all: Shown) => string; forecast: (merged: Shown, closed: Shown, alike: Shown, time: Shown) => string;
forecastAlike: (merged: Shown, closed: Shown) => string; rival: (who: Shown, pull: Shown, by: 'issue' | 'files') => string;
askedAgain: (asked: Shown) => string; leftFixes: (titles: Shown) => string; moreFiles: (n: Shown, added: Shown, deleted: Shown) => string;
risk: (level: 'low' | 'medium' | 'high') => string; more: (n: Shown) => string; conflicts: (base: Shown) => string; behind: (base: Shown) => string;
merges: (ref: Shown, sha: Shown, n: Counted) => string; theirs: (sha: Shown, author: Shown, by: Shown) => string; into: (base: Shown) => string;
edited: (name: Shown) => string; requested: (name: Shown) => string; contained: (how: 'bwrap' | 'unshare' | 'group') => string;
lends: Texts<'key' | 'sign_in'>; unsigned: (base: Shown) => string; hiddenLines: (n: Counted) => string; skipped: (n: Counted, kinds: Shown) => string;
leftOut: Texts<'nested_repository' | 'hard_link' | 'bad_name' | 'too_large' | 'skipped_ignored'>;
natures: Texts<'renamed' | 'executable' | 'notExecutable' | 'link' | 'submodule' | 'lineEndings' | 'blanks' | 'lfs' | 'lfsRaw' | 'filterRaw'>;
armed: (what: Shown) => string; notQuoted: (lines: Counted, files: Counted) => string; omitted: (bytes: Shown) => string; by: (name: Shown) => string;
openedAs: (pull: Shown) => string; record: (run: Shown, digest: Shown) => string; sealMark: (digest: Shown) => string;
checks: (of: { all: Counted; isAll: boolean; passed: Shown; untested: Counted; failing: Counted; ref: Shown }) => string;
signed: (of: { stage: 'none' | 'enough' | 'last' | 'more'; needed: Counted; have: Shown; names: Shown; next: Shown }) => string };
proposal: Texts<'title' | 'which' | 'over' | 'overrule'> & { several: (does: Shown, n: Counted) => string; upTo: (does: Shown, limits: Shown) => string;
answers: Texts<'issue' | 'cla' | 'words' | 'sign_off' | 'template'>;
does: Texts<'answer' | 'retry' | 'resume' | 'pause' | 'cancel' | 'skip' | 'update' | 'revoke' | 'deny' | 'changes' | 'fix' | 'overrule' | 'done' | 'new' | 'settings' |
'status' | 'pending' | 'runs' | 'detail' | 'diff' | 'log' | 'plan' | 'budget'> };
triage: Texts<'title' | 'begun' | 'whole' | 'answer' | 'how' | 'file' | 'whichOne' | 'readAll' | 'over'> & { from: (names: Shown, n: Counted) => string; choices: Texts<'apply' | 'fix' | 'reply' | 'ignore'>;
since: Texts<'edited' | 'withdrawn' | 'deleted' | 'rights_lost'>; noAnswer: (no: Shown) => string; page: (n: Shown, of: Shown) => string;
did: (by: Shown, fix: Shown, reply: Shown, ignore: Shown) => string; changed: (no: Shown, choice: Shown) => string; saidFor: (no: Shown) => string };
replying: Texts<'title' | 'mark' | 'post' | 'postThem' | 'posting' | 'closed' | 'long' | 'thread' | 'conversation'> & { to: (name: Shown) => string; again: (names: Shown) => string; how: Texts<'posted' | 'deleted' | 'locked' | 'refused'>; asked: Texts<'asked' | 'failed'>;
wordsOf: Texts<'person' | 'agent' | 'product'> };
openRemarks: Texts<'title' | 'how' | 'howOnCard' | 'mayClose' | 'answered' | 'close' | 'askBelow' | 'ask' | 'closing' | 'over'> & { waits: (n: Counted) => string; more: (n: Counted) => string };
comment: Texts<'bot' | 'answer' | 'askBelow' | 'ask' | 'answering'> & { access: Texts<'write' | 'read' | 'unknown'>; on: (run: Shown) => string; omitted: (n: Counted) => string; passedBy: (name: Shown) => string };
waysOut: Texts<'pull' | 'compare' | 'branch' | 'commit' | 'checkout'>;
buttons: Texts<'open' | 'push' | 'pushFix' | 'ok' | 'back' | 'changes' | 'deny' | 'look' | 'why' | 'risk' | 'diff' | 'text' | 'whole' | 'more' | 'detail' | 'retry' |
'resume' | 'cancel' | 'start' | 'rerun' | 'without' | 'update' | 'card' | 'fix' | 'remarks'> & { take: (sha: Shown) => string; begin: (choices: Listed) => string; toFix: (n: Shown) => string; toAnswer: (n: Shown) => string };
campaign: Texts<'scheduled' | 'costUnknown' | 'noEstimate' | 'nothingYet' | 'patience' | 'quoted' | 'firstTime' | 'noNextTime' | 'onYou' | 'failed' | 'near' | 'busy' |
'last' | 'paused' | 'finished' | 'closed' | 'asksFirst' | 'nothingAsked' | 'allTheSame' | 'nobodyLeft' | 'noIdle' | 'gaveUp' | 'none' | 'which' | 'list'> & { titles: Texts<'planned' | 'running' | 'paused' | 'stopped' | 'finished' | 'closed'>;
states: Texts<'planned' | 'running' | 'paused' | 'stopped' | 'finished' | 'closed'>;
leftOut: Texts<'duplicate' | 'archived' | 'fork' | 'missing' | 'banned' | 'not_allowed' | 'pull_open' | 'running' | 'over_limit' | 'invalid_branch' | 'invalid_base' |
'invalid_title' | 'invalid_goal' | 'invalid_command' | 'link_out' | 'with_branch'>;
notAdopted: Texts<'ours' | 'already_followed' | 'missing' | 'unreachable' | 'over_limit' | 'elsewhere'>;
adopted: Texts<'open' | 'red' | 'green' | 'merged' | 'closed'>;
marks: Texts<'merged' | 'done' | 'green' | 'open' | 'waits' | 'works' | 'denied' | 'failed' | 'skipped' | 'out' | 'cancelled'>;
takePart: (n: Shown, of: Counted) => string; fixes: (titles: Shown) => string; example: (repo: Shown) => string;
filled: Texts<'title' | 'branch' | 'base' | 'goal' | 'command'>; unseen: (n: Shown) => string; out: (n: Shown, why: Shown) => string;
more: (n: Shown) => string; canary: (first: Counted, steps: Shown) => string; next: (outcome: 'approved' | 'ci_green' | 'merged') => string;
limits: (day: Shown, owner: Shown, open: Shown) => string; stops: (failures: Shown, denials: Shown) => string;
estimate: (work: Shown, cost: Shown, attention: Shown, of: Counted) => string; each: (expected: Shown) => string; lapsed: Texts<'late' | 'replaced'>;
every: (every: Shown) => string; nextTime: (when: Shown) => string; cameLast: (id: Shown, when: Shown) => string;
merged: (n: Shown, of: Shown, percent: Shown) => string; begun: (n: Shown, of: Counted) => string; elsewhere: (n: Shown) => string;
adopting: (n: Counted) => string; queue: (owner: Shown, n: Shown) => string;
waits: { open: (count: Shown, of: Shown) => string; owner: (count: Counted, of: Shown) => string; day: (count: Shown, of: Shown) => string;
busy: (count: Shown, of: Shown) => string; queued: (count: Shown, of: Shown) => string; after: (count: Shown, of: Shown) => string;
step: (count: Counted, of: Shown) => string };
nextStep: (n: Counted) => string; approvers: (who: Shown) => string; stopped: (kind: string | null, count: Shown, of: Counted, bound: Shown) => string;
sure: (n: Counted) => string; askFirst: (n: Counted) => string; firsts: Texts<'issue_first' | 'cla' | 'human_words' | 'dco' | 'base_branch' | 'other'>;
allAsk: (what: Listed, n: Shown) => string; answered: { begin: (n: Counted) => string; leave_out: (n: Counted) => string };
learned: Texts<'denial' | 'review' | 'checks'>; taught: (n: Counted) => string; ownersNo: (owner: Shown, left: Counted) => string;
hours: (when: Shown) => string; outOfHours: (when: Shown) => string; mergedAfter: (days: Shown, n: Shown, of: Shown, percent: Shown) => string;
stuck: (n: Counted) => string; keeps: (whom: Shown, long: Shown) => string; keepers: Texts<'you' | 'reviewers' | 'checks'>;
eta: (left: Shown, when: Shown) => string; idle: (n: Counted, places: Shown) => string; goesOn: (places: Shown) => string;
granted: (amounts: Shown) => string; withdraws: (n: Counted) => string; withdrawn: (n: Counted) => string;
buttons: Texts<'schedule' | 'drop' | 'pause' | 'resume' | 'close' | 'sure' | 'goOn' | 'wait' | 'singly' | 'look'> & { start: (n: Shown) => string; undo: (n: Shown) => string; cancel: (n: Shown) => string; retry: (n: Shown) => string; all: (n: Shown) => string;
closeIdle: (n: Shown) => string; first: (n: Counted) => string; begin: (n: Shown) => string; leaveOut: (n: Shown) => string; learn: (n: Shown) => string;
teach: (n: Counted) => string; withdraw: (n: Counted) => string };
did: Texts<'started' | 'scheduled' | 'paused' | 'resumed' | 'closed'>;
waves: Texts<'refused' | 'later'> & { of: (no: Shown, all: Shown, n: Counted) => string; waits: (repos: Shown) => string; merged: (commit: Shown) => string; released: (tag: Shown) => string;
stopped: (repo: Shown) => string };
undo: Texts<'role'> & { scheduled: (id: Shown) => string; nothing: (id: Shown) => string; looking: (n: Counted) => string; of: (id: Shown) => string;
also: (open: Counted, working: Counted) => string; rest: (stays: Counted) => string; fresh: (n: Counted, first: Shown) => string;
by: (undos: Shown) => string };
tried: (n: Counted) => string; not: (how: Shown) => string; unknown: (id: Shown) => string; entry: (how: Shown, released: Counted) => string;
scheduledEntry: (state: string | null, every: Shown) => string; looking: (where: Listed) => string; lookingAt: (n: Counted) => string;
lookingFor: (queries: Shown) => string;
found: (of: { query: Shown; repos: Counted; extent: 'cut' | 'stopped' | 'whole'; given: Shown; of: Shown }) => string;
notStarted: (parts: Listed) => string; lastStep: (notStarted: Shown) => string };
checkNeeds: Texts<'history' | 'submodules' | 'lfs' | 'services' | 'secrets' | 'system'>;
lackedThings: Texts<'network' | 'service' | 'docker' | 'browser' | 'display' | 'system_library' | 'memory' | 'package' | 'permission'>;
environmentGaps: Texts<'timeLimit' | 'ciGreen'> & { needs: (needs: Listed) => string; need: (need: Shown, names: Listed) => string;
toolVersion: (name: Shown, asked: Shown, version: Shown | null | undefined) => string; lacks: (what: Shown) => string };
campaignCame: { issue: (of: { by: Shown; issue: Shown; repo: Shown }) => string; schedule: (of: { schedule: Shown }) => string; hook: (of: { hook: Shown }) => string };
campaignSource: { issue: (of: { repo: Shown }) => string; schedule: (of: { schedule: Shown }) => string; hook: (of: { hook: Shown }) => string };
campaignIdle: { waiting: (n: Shown) => string; later: (n: Shown) => string; leftOut: (n: Shown) => string; stopped: (n: Shown) => string; unwanted: (n: Shown) => string;
elsewhere: (n: Shown) => string };
campaignWish: { checks: (of: { repo: Shown; text: Shown }) => string; said: (of: { from: string | null; repo: Shown; text: Shown }) => string };
judgements: { exposed_credential: (of: { at: Listed; more: Counted }) => string; secret: (of: { at: Listed; more: Counted }) => string;
likely_secret: (of: { at: Listed; more: Counted }) => string; key_files: (of: { at: Listed; more: Counted }) => string;
likely_key_files: (of: { at: Listed; more: Counted }) => string; leaves_workspace: (of: { at: Listed; more: Counted }) => string;
link_leaves: (of: { at: Listed; more: Counted }) => string; gitlink_added: (of: { at: Listed; more: Counted }) => string;
gitlink_removed: (of: { at: Listed; more: Counted }) => string; binary: (of: { at: Listed; more: Counted }) => string;
lfs_pointer: (of: { at: Listed; more: Counted }) => string; lfs_raw: (of: { at: Listed; more: Counted }) => string;
filter_raw: (of: { at: Listed; more: Counted }) => string; not_read: (of: { at: Listed; more: Counted }) => string;
bidi_text: (of: { at: Listed; more: Counted }) => string; hidden_text: (of: { at: Listed; more: Counted }) => string;
not_on_windows: (of: { at: Listed; more: Counted }) => string; trailing_dot_or_space: (of: { at: Listed; more: Counted }) => string;
whitespace_changed: (of: { at: Listed; more: Counted }) => string; mixed_script: (of: { at: Listed; more: Counted }) => string;
look_alike: (of: { at: Listed; more: Counted }) => string; long_line: (of: { at: Listed; more: Counted }) => string;
odd_files: (of: { at: Listed; more: Counted }) => string; ci_changed: (of: { at: Listed; more: Counted }) => string;
agent_config_changed: (of: { at: Listed; more: Counted }) => string; trust_root_changed: (of: { at: Listed; more: Counted }) => string;
forbidden_path: (of: { at: Listed; more: Counted }) => string; protected_path: (of: { at: Listed; more: Counted }) => string;
lockfile_without_manifest: (of: { at: Listed; more: Counted }) => string; tests_removed: (of: { at: Listed; more: Counted }) => string;
tests_weaker: (of: { at: Listed; more: Counted }) => string; tests_skipped: (of: { at: Listed; more: Counted }) => string;
tests_weakened: (of: { at: Listed; more: Counted }) => string; tests_thinner: (of: { at: Listed; more: Counted }) => string;
check_config_changed: (of: { at: Listed; more: Counted }) => string; unreadable_path: (of: { at: Listed; more: Counted }) => string;
hidden_path: (of: { at: Listed; more: Counted }) => string; key_file_touched: (of: { at: Listed; more: Counted }) => string;
install_time: (of: { at: Listed; more: Counted }) => string; dependencies: (of: { at: Listed; more: Counted }) => string;
attributes: (of: { at: Listed; more: Counted }) => string; generated: (of: { at: Listed; more: Counted }) => string;
gitlink: (of: { at: Listed; more: Counted }) => string; symlink: (of: { at: Listed; more: Counted }) => string;
executable: (of: { at: Listed; more: Counted }) => string; not_executable: (of: { at: Listed; more: Counted }) => string;
type_changed: (of: { at: Listed; more: Counted }) => string; deleted: (of: { at: Listed; more: Counted }) => string;
renamed: (of: { at: Listed; more: Counted }) => string; unknown_mode: (of: { at: Listed; more: Counted }) => string;
tests_found_by_agent: (of: { at: Listed; more: Counted }) => string; high_risk: () => string; watched: () => string; small_change: () => string;
no_check: () => string; no_facts: () => string; no_contract: () => string; containment_unknown: () => string; containment_weak: () => string;
open_pulls_unknown: () => string; comment_empty: () => string; comment_signed: () => string; unknown_action: () => string; no_changes: () => string;
claim_of_test: () => string; claim_of_green: () => string; hidden_lines: (of: { lines: Counted; at: Listed; more: Counted }) => string;
size: (of: { overLimit: boolean; files: Counted; lines: Counted; bytes: Counted }) => string; document: (of: { bytes: Shown; limit: Shown }) => string;
public_text_credential: (of: { where: 'commit_message' | 'branch_name' | 'title' | 'description' | 'comment' | 'reply' | 'file_name' }) => string;
public_text_hidden: (of: { where: 'commit_message' | 'branch_name' | 'title' | 'description' | 'comment' | 'reply' | 'file_name'; how: 'bidi' | 'invisible' }) => string;
public_text_look_alike: (of: { where: 'commit_message' | 'branch_name' | 'title' | 'description' | 'comment' | 'reply' | 'file_name'; as: Shown; characters: Listed }) => string;
branch_guarded: (of: { branch: Shown }) => string; first_pull: (of: { lines: Shown; limit: Shown }) => string;
open_pulls: (of: { count: Shown; limit: Shown }) => string; comment_too_long: (of: { length: Shown }) => string;
comment_long: (of: { length: Shown; limit: Shown }) => string;
ban_overruled: (of: { by: Shown; why: Shown; quote: Shown; file: Shown; line: Shown }) => string;
issue: (of: { issue: Shown; standing: 'fine' | 'none' | 'missing' | 'unread' | 'closed' | 'assigned_elsewhere' | 'unassigned' | 'not_accepted' }) => string;
undisclosed: (of: { where: 'commit_message' | 'branch_name' | 'title' | 'description' | 'comment' | 'reply' | 'file_name'; quote: Shown; file: Shown; line: Shown }) => string;
branch_rule: (of: { branch: Shown; rule: Shown }) => string; template_cut: (of: { headings: Listed }) => string;
checks_fail: (of: { names: Listed }) => string; checks_missing: (of: { names: Listed }) => string; red_before: (of: { names: Listed }) => string;
red_unnamed: (of: { names: Listed }) => string; flaky_before: (of: { names: Listed }) => string; ran_no_test: (of: { names: Listed }) => string;
tests_stopped: (of: { names: Listed }) => string; no_tests: (of: { names: Listed }) => string; graded_by: (of: { names: Listed }) => string;
check_config_needed: (of: { names: Listed; at: Listed; more: Counted }) => string;
command: (of: { command: Shown; trait: 'leaves_workspace' | 'destroys' | 'deletes_much' | 'writes_device' | 'publishes' | 'high_risk' | 'changes_git' | 'acts_on_found' | 'runs_printed' | 'runs_unread' | 'uses_network' | 'adds_packages' | 'names_address' | 'reads' | 'own_program' | 'unknown_option' | 'sets_environment' | 'unknown'; at: Listed; more: Counted }) => string;
command_opaque: (of: { why: 'expands' | 'open_quote' | 'document' | 'subshell' | 'ambiguous' | 'too_long' | 'empty'; words?: Shown | null | undefined }) => string;
command_hidden: (of: { how: 'bidi' | 'invisible' }) => string; custom_policy: (of: { at: Listed; says: Shown; more: Counted }) => string;
check_failed: (of: { name: Shown; timedOut: boolean; exitCode?: Shown | null | undefined }) => string; check_not_run: (of: { name: Shown }) => string;
claim_unseen: (of: { command: Shown }) => string;
claim_differs: (of: { command: Shown; passed: boolean; outcome: 'passed' | 'failed' | 'timed_out' | 'not_run' | 'ran_no_test' }) => string;
not_done: (of: { says?: Shown | null | undefined }) => string; opinion: (of: { says: Shown }) => string;
no_policy_allows: (of: { what?: Shown | null | undefined }) => string; dependency_changes: (of: { changes: Listed; more: Counted }) => string;
finding: (of: { finding: Shown; at: Listed; more: Counted }) => string;
public_text_secret: (of: { where: 'commit_message' | 'branch_name' | 'title' | 'description' | 'comment' | 'reply' | 'file_name'; secret: Shown }) => string;
public_text_signal: (of: { where: 'commit_message' | 'branch_name' | 'title' | 'description' | 'comment' | 'reply' | 'file_name'; signal: 'mention' | 'closing_keyword' | 'skip_ci' | 'bot_command' | 'trailer'; excerpt: Shown; never: boolean }) => string;
competing_pulls: (of: { pulls: Shown }) => string; rule: (of: { asks: Shown; quote: Shown; file: Shown; line: Shown }) => string;
rule_followed: (of: { kept?: Shown | null | undefined; asks: Shown; quote: Shown; file: Shown; line: Shown }) => string;
title_rule: (of: { style: 'conventional' | 'component' | 'bracketed' | 'ticket' | 'numbered' | 'pattern'; asked?: Shown | null | undefined; title: Shown; place?: Shown | null | undefined }) => string;
template_open: (of: { questions: Listed }) => string; check_config_not_compared: (of: { at: Listed; more: Counted; why: Shown }) => string;
inline_program: (of: { acts: Counted; program: Shown }) => string; command_characters: (of: { characters: Listed; more: Counted }) => string;
step_failed: (of: { stop: Shown; words: Shown }) => string };
ruleQuote: (quote: Shown, file: Shown, line: Shown) => string; competingPull: (id: Shown, author: Shown) => string;
noBudgetLeft: (budget: Shown) => string;
judgedActions: { push: (name: Shown) => string; open_pr: (name: Shown) => string; comment: (name: Shown) => string; reply: (name: Shown) => string;
command: (name: Shown) => string };
dependencyChanges: { removed: (name: Shown, path: Shown) => string; added: (name: Shown, path: Shown) => string;
changed: (name: Shown, was: Shown | null | undefined, version: Shown | null | undefined, path: Shown) => string };
inlineActs: { network: (words: Shown) => string; runs_programs: (words: Shown) => string; evaluates: (words: Shown) => string; deletes: (words: Shown) => string;
writes: (words: Shown) => string; reads_environment: (words: Shown) => string };
ruleAsks: { ai_ban: () => string; ai_limited: (of: { value?: Shown | null | undefined }) => string; ai_disclosure: () => string; human_author: () => string;
human_words: () => string; dco: () => string; cla: () => string; template: () => string; issue_first: (of: { value: string | null }) => string;
changelog: (of: { value: string | null }) => string; base_branch: (of: { value?: Shown | null | undefined }) => string;
branch_name: (of: { value?: Shown | null | undefined }) => string; commit_style: (of: { value: string | null }) => string;
language: (of: { value?: Shown | null | undefined }) => string; size: (of: { value: string | null }) => string;
label_barred: (of: { value?: Shown | null | undefined }) => string; trailer: (of: { value: string | null }) => string;
vouch: (of: { value: string | null }) => string; elsewhere: (of: { value?: Shown | null | undefined }) => string;
other: (of: { value: string | null }) => string };
ruleLines: (value: Shown) => string; ruleValued: (asks: Shown, value: Shown) => string;
ruleKept: Texts<'ai_disclosure' | 'issue_first' | 'changelog' | 'dco' | 'human_words' | 'vouch'>;
notModified: { card_closed: () => string; goes_elsewhere: () => string; raises_risk: (of: { from: 'low' | 'medium' | 'high'; to: 'low' | 'medium' | 'high' }) => string;
forbidden: (of: { objections: Listed }) => string };
objection: (policy: Shown, reason: Shown) => string;
commandTypes: Texts<'discovery_start' | 'implementation_start' | 'validation_accept' | 'push_approve' | 'pr_create' | 'deny' | 'proposal_modify' | 'iterate' |
'review_choose' | 'review_begin' | 'remarks_answered' | 'comment_answer' | 'reply_approve' | 'ci_rerun' | 'checks_waive' | 'base_update' | 'head_adopt' |
'retry' | 'resume' | 'pause' | 'skip' | 'cancel' | 'run_finish' | 'ban_overrule' | 'requirement_answer' | 'permission_answer' | 'permission_revoke' |
'budget_raise'>;
hostChecks: { node: { says: (of: { version: Shown; isOwn: boolean; onPath?: Shown | null | undefined; uv: Shown }) => string };
env_file: { says: (of: { isPrivate: boolean; mode: Shown }) => string; fix: (of: { isPrivate: boolean }) => string };
git_version: { says: (of: { version: Shown }) => string };
git_unfit: { says: (of: { version?: Shown | null | undefined; path: Shown }) => string; fix: (of: { oldest: Shown }) => string };
sandbox_untried: { says: (of: { cause: Shown }) => string; fix: () => string };
sandbox: { says: (of: { level: Shown; weaknesses: Listed }) => string; fix: () => string }; settings_complete: { says: () => string };
settings_wrong: { says: (of: { cause: Shown }) => string; fix: (of: { step?: Shown | null | undefined }) => string };
data_unwritable: { says: (of: { cause: Shown }) => string; fix: (of: { dir: Shown }) => string };
data: { says: (of: { dir: Shown; free: Shown }) => string; fix: () => string };
mirrors: { says: (of: { count: Counted; mb: Shown; limit: Shown }) => string; fix: () => string }; ledger_whole: { says: () => string };
ledger_absent: { says: () => string }; ledger_broken: { says: (of: { cause: Shown }) => string; fix: () => string };
postgres: { says: (of: { version: Shown; isMade: boolean }) => string }; postgres_broken: { says: (of: { cause: Shown }) => string; fix: () => string };
telegram: { says: (of: { name: Shown; way: Shown }) => string }; telegram_away: { says: (of: { cause: Shown }) => string; fix: () => string };
telegram_unknown: { says: () => string; fix: () => string }; telegram_refused: { says: (of: { cause: Shown }) => string; fix: () => string };
slack: { says: (of: { team: Shown; name: Shown; way: Shown }) => string };
slack_scopes: { says: (of: { name: Shown; scopes: Shown }) => string; fix: () => string };
slack_broken: { says: (of: { cause: Shown }) => string; fix: (of: { token: Shown }) => string }; signing: { says: (of: { key: Shown }) => string };
signing_broken: { says: (of: { cause: Shown }) => string; fix: () => string }; webhooks: { says: (of: { to?: Shown | null | undefined }) => string };
bucket: { says: (of: { url: Shown; way: Shown }) => string }; bucket_broken: { says: (of: { cause: Shown }) => string; fix: () => string };
backup: { says: (of: { file: Shown; at: Shown; events: Counted; runs: Counted }) => string };
backup_wrong: { says: (of: { cause: Shown }) => string; fix: () => string };
backup_unreadable: { says: (of: { cause: Shown }) => string; fix: () => string };
network_broken: { says: (of: { cause: Shown }) => string; fix: () => string };
party_silent: { says: (of: { party: 'model' | 'traces'; host: Shown; cause: Shown }) => string; fix: () => string };
git_reaches: { says: (of: { url: Shown; way: Shown }) => string }; git_away: { says: (of: { cause: Shown }) => string; fix: () => string };
github: { says: (of: { login: Shown; scopes: Listed; way: Shown }) => string; fix: (of: { missing: Listed }) => string };
github_fine: { says: (of: { login: Shown; repo: Shown; has: Listed; way: Shown }) => string; fix: (of: { missing: Listed }) => string };
github_fine_nowhere: { says: (of: { login: Shown }) => string; fix: () => string };
github_unknown: { says: (of: { cause: Shown }) => string; fix: () => string };
github_away: { says: (of: { cause: Shown }) => string; fix: () => string };
github_refused: { says: (of: { cause: Shown }) => string; fix: () => string };
app: { says: (of: { login: Shown; owner: Shown; missing: Counted; way: Shown }) => string; fix: (of: { missing: Listed }) => string };
app_nowhere: { says: (of: { login?: Shown | null | undefined }) => string; fix: () => string };
app_suspended: { says: (of: { login: Shown; owner: Shown; way: Shown }) => string; fix: (of: { owner: Shown }) => string };
app_refused: { says: (of: { cause: Shown }) => string; fix: () => string }; labels: { says: (of: { repositories: Counted }) => string };
engine_version: { says: (of: { version: Shown }) => string }; engine_untried: { says: (of: { version: Shown }) => string; fix: () => string };
engine_no_version: { says: (of: { said: Shown; known: Shown }) => string; fix: (of: { install: Shown }) => string };
engine_other_version: { says: (of: { version: Shown; isOlder: boolean; known: Shown }) => string; fix: (of: { install: Shown }) => string };
engine_fails: { says: (of: { program: Shown; cause?: Shown | null | undefined }) => string; fix: (of: { install: Shown }) => string };
engine_absent: { says: (of: { program: Shown }) => string; fix: (of: { install: Shown }) => string };
engine_key: { says: (of: { names: Counted }) => string }; engine_signed_in: { says: (of: { file: Shown }) => string };
engine_own_model: { says: () => string }; engine_no_key: { says: () => string; fix: (of: { names: Listed }) => string };
engine_signed_out: { says: (of: { file: Shown }) => string; fix: (of: { signIn: Shown; names: Listed }) => string };
engine_boxed: { says: (of: { level: Shown }) => string };
engine_not_boxed: { says: (of: { cause?: Shown | null | undefined }) => string; fix: () => string };
engine_no_box: { says: (of: { cause: Shown }) => string; fix: () => string }; engine_own: { says: (of: { model: Shown }) => string };
engine_no_model: { says: () => string; fix: (of: { name: Shown }) => string }; engine_ready: { says: (of: { engine: Shown }) => string };
engine_unchosen: { says: () => string; fix: () => string }; chat_connected: { says: (of: { name: Shown }) => string };
other_chat_connected: { says: (of: { service: Shown; name: Shown }) => string };
forge_connected: { says: (of: { forge: Shown; account: Shown }) => string }; script: { says: (of: { command: Shown }) => string };
prices: { says: (of: { asOf: Shown; own: Counted }) => string };
cost_unknown: { says: (of: { limit: Shown; model: Shown }) => string; fix: (of: { model: Shown }) => string };
cost_untold: { says: (of: { limit: Shown; engine: Shown }) => string; fix: () => string }; unit: { says: (of: { file: Shown }) => string };
unit_absent: { says: (of: { file: Shown }) => string; fix: () => string }; unit_foreign: { says: (of: { file: Shown }) => string; fix: () => string };
unit_program_gone: { says: (of: { program: Shown }) => string; fix: () => string };
unit_problems: { says: (of: { problems: Shown }) => string; fix: () => string };
unit_edited: { says: (of: { file: Shown }) => string; fix: () => string };
unit_older: { says: (of: { file: Shown; by: Shown; now: Shown }) => string; fix: () => string };
unit_enabled: { says: (of: { said: Shown }) => string; fix: () => string };
unit_active: { says: (of: { said: Shown }) => string; fix: (of: { log: Shown }) => string }; systemd_absent: { says: () => string; fix: () => string };
health_elsewhere: { says: () => string; fix: (of: { directory: Shown }) => string }; health_any_port: { says: () => string; fix: () => string };
health: { says: (of: { address: Shown }) => string };
health_bad: { says: (of: { address: Shown; status: Shown; said: Shown }) => string; fix: () => string };
health_silent: { says: (of: { address: Shown; cause: Shown }) => string; fix: () => string };
outside_failure: { says: (of: { text: Shown; failure: Shown }) => string };
proxy: { says: (of: { proxies: Shown; direct: Counted }) => string; fix: (of: { unreadable: Shown }) => string };
party_answers: { says: (of: { party: 'model' | 'traces'; way?: Shown | null | undefined; host: Shown }) => string };
labels_missing: { says: (of: { missing: Listed }) => string; fix: () => string } };
hostFindings: { way: (host: Shown, proxy: Shown | null | undefined) => string; right: (name: Shown, level: Shown | null | undefined, use: Shown) => string;
label: (label: Shown | null | undefined, repo: Shown) => string };
rightUses: Texts<'contents' | 'pull_requests' | 'checks' | 'statuses' | 'actions' | 'issues' | 'workflows' | 'repo' | 'workflow'>;
setup: Texts<'intro' | 'askBot' | 'askGitHub' | 'askBeside' | 'needed' | 'botForm' | 'botUnknown' | 'githubUnknown' | 'agents' | 'noSuchAgent' | 'authorForm' |
'askPublicName' | 'publicNameForm' | 'notYou' | 'nobodyWrote' | 'idForm' | 'wrote' | 'startLater' | 'stopped' | 'tokenUnknown' | 'fetchedElsewhere' |
'seeExample' | 'fixFile' | 'noCredential'> & { received: (n: Shown) => string; kinds: Texts<'bot' | 'github' | 'gitlab' | 'model' | 'installation' | 'name'>; unreachable: (says: Shown) => string;
refused: (party: Shown, says: Shown) => string; telegramIs: (name: Shown) => string; githubIs: (login: Shown, scopes: Shown) => string;
lacks: (scopes: Shown) => string; askAgent: (usual: Shown) => string; trying: (name: Shown) => string;
agentWorks: (name: Shown, seconds: Shown) => string; agentFails: (name: Shown, says: Shown) => string; askAfterFailure: (name: Shown) => string;
askAuthor: (usual: Shown | null | undefined) => string; askStart: (service: boolean) => string; sayHi: (name: Shown) => string;
isThatYou: (name: Shown, id: Shown) => string; greets: (name: Shown) => string;
slack: Texts<'askMember' | 'memberForm'> & { asks: Texts<'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'>; forms: Texts<'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'>; is: (name: Shown, team: Shown) => string;
same: (pair: Shown) => string; greets: (name: Shown) => string };
writeHi: (name: Shown) => string; noAnswer: (name: Shown) => string; openPage: (address: Shown, port: Shown) => string;
appMade: (slug: Shown, address: Shown) => string; checksFailed: (failed: Shown, all: Counted) => string;
party: { chat: (name: Shown) => string; forge: (name: Shown) => string; engine: (name: Shown) => string };
unusable: (party: Shown, says: Shown) => string; unreached: (party: Shown) => string; running: (address: Shown) => string;
workerRuns: (place: Shown, address: Shown) => string; telegramRefused: (says: Shown) => string; unreadableFile: (file: Shown, says: Shown) => string;
notJson: (says: Shown) => string; brokenFile: (file: Shown, says: Shown) => string; noAgent: (installs: Shown) => string;
unknownSetting: (name: Shown, fromFile: boolean, meant: Shown | null | undefined) => string; knownSettings: (known: Shown) => string };
repositoryTrial: Texts<'noCheck'> & { ranNoTest: (command: Shown) => string; notRun: (command: Shown) => string; withheld: (command: Shown, why: Shown) => string;
flaky: (command: Shown) => string; timedOut: (command: Shown) => string; fails: (command: Shown, code: Shown) => string; andMore: (n: Shown) => string;
askedFor: (version: Shown, source: Shown) => string; signedOnly: (ref: Shown) => string; notAName: (is: Shown) => string;
unusable: (repo: Shown, n: Counted) => string };
riskFlags: Texts<'lfs' | 'submodules' | 'noTests' | 'noChecks' | 'noTestCheck'> & { unknownEcosystem: (name: Shown) => string; unreadCi: (name: Shown, file: Shown) => string; large: (paths: Shown) => string };
settingIssues: { unknown: (of: { name: Shown; key: Shown; where?: Shown | null | undefined }) => string;
missing: (of: { name: Shown; where?: Shown | null | undefined }) => string;
rule: (of: { name: Shown; rule: Shown; where?: Shown | null | undefined }) => string;
value: (of: { name: Shown; found?: Shown | null | undefined; must: Shown; where?: Shown | null | undefined }) => string };
settingRules: Texts<'port' | 'telegram_ids' | 'postgres_address' | 'bucket_address' | 'trace_address' | 'trace_headers' | 'yes_or_empty' | 'https_address' | 'https' |
'repository' | 'secret_length' | 'secret_name' | 'key_name' | 'own_name' | 'hidden_from_model' | 'one_label' | 'author_name' | 'public_name' |
'plain_name' | 'slack_ids' | 'slack_pairs' | 'slack_bot_token' | 'slack_app_token'>;
reasons: { queued: () => string; reading_repository: () => string; checking_base: () => string; checks_waived: (of: { by: Shown; names: Listed }) => string;
agent_discovery: () => string; discovery_asked_again: () => string; contract_known: () => string;
contract_refined: (of: { added: Shown; refused: Counted }) => string; agreement_required: (of: { file: Shown; line: Shown }) => string;
issue_not_free: (of: { standing: 'assigned_elsewhere' | 'closed'; issue: Shown; assignees: Shown }) => string;
ban_read_by_agent: (of: { quote: Shown; file: Shown; line: Shown }) => string; possible_ban: (of: { quote: Shown; file: Shown; line: Shown }) => string;
ban_overruled: (of: { by: Shown; note: Shown; quote: Shown; file: Shown; line: Shown }) => string; revert_empty: () => string;
repository_archived: () => string; duplicate_repository: (of: { repo: Shown }) => string;
ai_banned: (of: { quote: Shown; file: Shown; line: Shown }) => string; implementing: () => string; planning: () => string;
fix_started: (of: { no: Shown; of: Shown; title: Shown }) => string; proposer_started: (of: { no: Shown; of: Shown; engine: Shown }) => string;
proposal_chosen: (of: { engine: Shown; of: Shown }) => string; plan_continued: () => string; plan_unchanged: () => string;
plan_step: (of: { id: Shown; text: Shown }) => string; checks_running: (of: { on: 'commit' | 'fix' | 'whole' }) => string;
checks_failed_again: () => string; tests_pass_on_base: () => string; permission_asked: (of: { tool: Shown; input: Shown }) => string;
agent_question: (of: { question: Shown }) => string; report_asked_again: () => string; updates_exhausted: () => string; push_approval_wait: () => string;
pushing: () => string; push_unconfirmed: () => string; pull_unconfirmed: () => string; merge_conflicts: () => string; decision_wait: () => string;
pull_open: (of: { pull: Shown }) => string; pull_too_late: (of: { pull: Shown }) => string; fix_pushed: () => string; checks_restarted: () => string;
maintainer_wait: () => string; checks_green: (of: { verdict: 'GREEN' | 'GREEN_REQUIRED' | 'GREEN_SEEN' | 'NO_CI' }) => string;
pull_merged: (of: { by?: Shown | null | undefined }) => string; pull_closed: (of: { by?: Shown | null | undefined }) => string;
foreign_head: (of: { from: Shown; to: Shown }) => string; head_adopted: (of: { by: Shown; sha: Shown; author: Shown }) => string;
base_update: (of: { by: Shown; ref: Shown }) => string; base_up_to_date: (of: { ref: Shown; sha: Shown }) => string;
sent_to_checks: (of: { by: Shown }) => string; checks_red_on_base: (of: { checks: Shown; ref: Shown }) => string;
maybe_flaky: (of: { checks: Shown }) => string; flaky_rerun: (of: { checks: Shown }) => string; checks_rerun: (of: { by: Shown }) => string;
paused: (of: { by: Shown }) => string; access_lost: (of: { how: 'removed' | 'suspended' | 'unlisted'; account: Shown }) => string;
access_restored: (of: { account: Shown }) => string; base_changed: (of: { to: Shown; from: Shown }) => string;
push_blocked: (of: { why: 'archived' | 'fork_deleted' }) => string; push_unblocked: (of: { was: 'archived' | 'fork_deleted' }) => string;
marked_done: (of: { by: Shown }) => string;
permission_granted: (of: { by: Shown; how: 'picked' | 'sort' | 'edited' | 'once'; picked: Shown; sort: Shown }) => string;
permission_refused: (of: { note?: Shown | null | undefined; by: Shown }) => string; approved: (of: { by: Shown }) => string;
requirement_answered: (of: { by: Shown; what: 'issue' | 'cla' | 'words' | 'sign_off' | 'template' }) => string;
pr_text_edited: (of: { by: Shown; note: Shown }) => string; retried: (of: { note?: Shown | null | undefined; by: Shown }) => string;
resumed: (of: { note?: Shown | null | undefined; by: Shown }) => string; retrying: () => string; cannot_continue: (of: { at: Shown }) => string;
card_replaced: () => string; decision_expired: () => string;
slot_wait: (of: { waitsFor: 'slot' | 'day'; used: Shown; of: Shown; at?: Shown | null | undefined }) => string;
write_slot_wait: (of: { why: 'pace' | 'retry_after' | 'suspended' | 'slot' | 'new_owners' | 'third_party' | 'provider' | 'pulls_hidden'; action: 'open_pr' | 'push' | 'rerun_ci' | 'reply' | 'implement'; at?: Shown | null | undefined; position: Counted; queueLength: Counted }) => string;
base_unusable: (of: { run: Shown }) => string; answers_missing: () => string; competing_pulls: (of: { pulls: Listed }) => string;
rule_unmet: (of: { rule: Shown }) => string; plan_step_blocked: (of: { id: Shown; text: Shown; notes?: Shown | null | undefined }) => string;
plan_too_long: (of: { rounds: Shown; about?: Shown | null | undefined }) => string;
step_failed: (of: { inRow?: Shown | null | undefined; why: Shown; endsHere: boolean; again: boolean; tries?: Counted | null | undefined; retryAt?: Shown | null | undefined }) => string;
no_changes: (of: { ignored: Counted; why: Shown; checksMayRun: boolean; summary?: Shown | null | undefined }) => string;
repository_unreadable: (of: { foundInRun?: Shown | null | undefined; file?: Shown | null | undefined; limit: 'time' | 'memory' | 'size'; limitValue: Counted }) => string;
budget_exhausted: (of: { budget: string; used: Counted; name: Shown; usedAmount: Shown; limitAmount: Shown; run: Shown; raise: Shown; about?: Shown | null | undefined }) => string;
price_unknown: (of: { limit: Shown; model?: Shown | null | undefined; engine: Shown; run: Shown }) => string; iterating: () => string;
base_merge: (of: { ref: Shown; sha: Shown; commits: Counted; conflicts: Listed }) => string;
rerun_refused: (of: { why?: Shown | null | undefined }) => string;
rejected: (of: { again: boolean; by: Shown; note?: Shown | null | undefined }) => string;
ended_by_person: (of: { how: 'cancelled' | 'denied' | 'skipped'; by: Shown; because?: Shown | null | undefined; note?: Shown | null | undefined; pull?: Shown | null | undefined }) => string };
refusals: { no_run: () => string; run_exists: (of: { run: Shown }) => string; approved_already: (of: { by: Shown }) => string; card_replaced: () => string;
card_changed: () => string; more_risk: (of: { policies: Shown }) => string; card_expired: () => string; not_named: () => string;
own_change: () => string; signed_already: (of: { left: Shown }) => string; chat_only: () => string; text_missing: () => string; no_remark: () => string;
no_answer: (of: { nos: Listed }) => string; no_reader: () => string; nothing_to_update: () => string; under_way: () => string;
head_not_foreign: () => string; head_moved: () => string; not_asked: (of: { run: Shown }) => string; no_standing_grant: (of: { run: Shown }) => string;
no_question: (of: { run: Shown }) => string; committed: (of: { run: Shown }) => string;
push_blocked: (of: { why: 'archived' | 'fork_deleted' }) => string; foreign_head_first: (of: { run: Shown }) => string;
plan_first: (of: { run: Shown }) => string; plan_state_first: (of: { run: Shown }) => string; nothing_missing: (of: { run: Shown }) => string;
no_commit: (of: { run: Shown }) => string; has_pull: (of: { run: Shown }) => string; no_pull: (of: { run: Shown }) => string;
cannot_continue: (of: { run: Shown; at: Shown; possible: Listed }) => string; no_limit: (of: { run: Shown }) => string;
no_ban: (of: { run: Shown }) => string; reason_missing: () => string; not_a_whole_number: () => string; limit_already: (of: { limit: Shown }) => string;
not_possible_now: (of: { run: Shown; isOver: boolean; heading: Shown; state: Shown; does: Shown; hints: Shown }) => string;
no_card: (of: { run: Shown; hints: Shown }) => string };
refusalHints: { order_again: () => string; resume: (of: { run: Shown }) => string; adopt_head: (of: { run: Shown }) => string; retry: (of: { run: Shown }) => string;
retry_now: (of: { run: Shown }) => string; then_ask_again: () => string; decide_push: () => string; card_follows: () => string;
fix: (of: { run: Shown }) => string; fix_in_progress: () => string; no_pull_yet: () => string; nothing_failed: () => string; not_paused: () => string;
cancel_retrying: (of: { run: Shown }) => string; already_stopped: (of: { run: Shown }) => string; cancel: (of: { run: Shown }) => string;
under_way: () => string; nothing_to_update: () => string; not_theirs: () => string };
notes: { edited_text_late: (of: { by: Shown }) => string; edited_text_not_assessed: () => string; agent_asked: (of: { question: Shown }) => string;
pull_description: (of: { how: 'edited_by_others' | 'failed'; pull: Shown }) => string;
pull_hidden: (of: { hidden: boolean; pull: Shown; url: Shown }) => string; pull_too_late: (of: { pull: Shown; ended: boolean; url: Shown }) => string;
campaign_approver: (of: { who: Shown }) => string; campaign_approvers: (of: { needed: Counted; left: Shown }) => string;
approver_left: (of: { who: Shown; campaign: Shown; left: Counted }) => string;
campaign_pilot: (of: { first: Shown; limit: Shown; script: boolean }) => string; arrival_open: (of: { campaign: Shown }) => string;
edited_text_failed: (of: { why: Shown }) => string; edited_text_rejected: (of: { why: Shown }) => string;
pull_changed: (of: { pull: Shown; changes: Listed }) => string; replies_denied: (of: { objections: Shown }) => string;
restarted: (of: { away?: Shown | null | undefined; handled: Counted; freed: Counted }) => string; campaign_empty: (of: { of: Counted }) => string;
campaign_query: (of: { why: 'missing' | 'refused' | 'limited' | 'unreachable'; query: Shown; says: Shown; wait?: Shown | null | undefined }) => string;
link_failed: (of: { campaign: Shown; why: 'tag' | 'ended'; repo: Shown; stopped: Shown; more?: Shown | null | undefined }) => string;
pulls_adopted: (of: { campaign: Shown; adopted?: Counted | null | undefined; left: Counted; isSchedule: boolean }) => string;
arrivals_full: (of: { limit: Shown; source: Shown; isFromIssue: boolean }) => string;
effect_stuck: (of: { step: string; says: Shown; state?: Shown | null | undefined }) => string };
feedback: { red: (of: { checks: Shown }) => string; review: (of: { reviewer: Shown; body: Shown }) => string; checks_failed: () => string;
tests_pass_on_base: () => string; step: (of: { id: Shown; text: Shown }) => string; step_passed: (of: { id: Shown }) => string;
plan_has_no_step: () => string; goal_changed: () => string; done_lost: () => string; done_added: () => string;
remarks: (of: { authors: Shown; n: Counted }) => string; denied: (of: { objections: Shown }) => string;
step_changed_nothing: (of: { id: Shown; files?: Shown | null | undefined }) => string; acceptance_lost: (of: { commands: Shown }) => string };
commandFailures: { no_box: (of: { command: Shown }) => string; no_room: (of: { command: Shown }) => string; stale_lockfile: (of: { command: Shown }) => string;
not_installed: (of: { command: Shown }) => string; fails: (of: { command: Shown }) => string;
no_program: (of: { command: Shown; program?: Shown | null | undefined; ways: Listed }) => string;
no_network: (of: { host?: Shown | null | undefined; command: Shown }) => string;
registry_refused: (of: { command: Shown; host?: Shown | null | undefined; status?: Shown | null | undefined }) => string;
registry_down: (of: { command: Shown; host?: Shown | null | undefined; status?: Shown | null | undefined }) => string;
bad_certificate: (of: { command: Shown; host?: Shown | null | undefined }) => string;
proxy_refuses: (of: { command: Shown; host?: Shown | null | undefined }) => string;
wrong_version: (of: { command: Shown; program?: Shown | null | undefined; ways: Listed }) => string;
no_package: (of: { command: Shown; host?: Shown | null | undefined }) => string };
skippedFile: (path: Shown, note: Shown) => string;
timeSpans: { seconds: (n: Shown) => string; minutes: (n: Shown) => string; hours: (n: Shown) => string };
rivals: { pull: (of: { id: Shown; author: Shown; title: Shown }) => string };
requirements: { ask: (rule: Shown, what: 'issue' | 'cla' | 'words' | 'template' | 'sign_off') => string };
restarts: Texts<'older' | 'missing'> & { run: (repo: Shown, id: Shown, state: Shown) => string; more: (n: Shown) => string };
excluded: { target: (repo: Shown, why: Shown, by: Shown | null | undefined) => string };
pullChanges: { title: (of: { to: Shown }) => string; base: (of: { to: Shown }) => string; body: () => string; draft: (of: { on: boolean }) => string;
locked: (of: { on: boolean }) => string; queued: (of: { on: boolean }) => string; auto_merge: (of: { by?: Shown | null | undefined }) => string;
repo: (of: { to: Shown }) => string; archived: (of: { on: boolean }) => string; private: (of: { on: boolean }) => string;
head_deleted: (of: { on: boolean }) => string; guarded: (of: { on: boolean }) => string; required: (of: { changed: Shown }) => string;
labels: (of: { changed: Shown }) => string; reviewers: (of: { added: Shown }) => string };
remarks: { asked: (of: { no: Shown; path?: Shown | null | undefined; line?: Shown | null | undefined; author: Shown; answer: boolean; body: Shown; hunk?: Shown | null | undefined }) => string };
baseline: { stopped: (of: { fault: 'environment' | 'install'; failure: Shown; says?: Shown | null | undefined; more: Counted }) => string;
mismatch: (of: { name: Shown; version?: Shown | null | undefined; asked?: Shown | null | undefined; source?: Shown | null | undefined }) => string;
mismatches: (mismatches: Listed) => string; failing: (checks: Listed) => string; flaky: (checks: Listed) => string;
otherVersion: (command: Shown) => string };
policyAbout: { no_secrets: Texts<'guards' | 'escalates' | 'denies'>; hidden_lines: Texts<'guards' | 'escalates'>;
no_write_outside_workspace: Texts<'guards' | 'denies'>; no_symlink_escape: Texts<'guards' | 'denies'>;
no_gitlinks: Texts<'guards' | 'escalates' | 'denies'>; no_binary: Texts<'guards' | 'escalates' | 'denies'>;
hidden_text: Texts<'guards' | 'escalates' | 'denies'>; no_odd_files: Texts<'guards' | 'escalates'>;
no_workflow_edit_without_human: Texts<'guards' | 'escalates'>; agent_config_changed: Texts<'guards' | 'escalates'>;
trust_roots_changed: Texts<'guards' | 'escalates'>; forbidden_paths: Texts<'guards' | 'denies'>; protected_paths: Texts<'guards' | 'escalates'>;
lockfile_needs_manifest: Texts<'guards' | 'escalates'>; no_test_deletion: Texts<'guards' | 'escalates'>;
max_diff_size: Texts<'guards' | 'escalates' | 'denies'>; no_push_to_default_branch: Texts<'guards' | 'denies'>;
open_pr_limit: Texts<'guards' | 'escalates'>; public_text: Texts<'guards' | 'escalates' | 'denies'>;
comment_length: Texts<'guards' | 'escalates' | 'denies'>; comment_needs_human: Texts<'guards' | 'escalates'>;
contribution_rules: Texts<'guards' | 'escalates' | 'denies'>; checks_must_pass: Texts<'guards' | 'escalates' | 'denies'>;
check_config_changed: Texts<'guards' | 'escalates'>; no_high_risk_command: Texts<'guards' | 'escalates' | 'denies'>;
no_network_without_human: Texts<'guards' | 'escalates'>; known_command: Texts<'guards' | 'allows'>; high_risk_needs_human: Texts<'guards' | 'escalates'>;
small_change: Texts<'guards' | 'allows'>; explicit_allow: Texts<'guards' | 'escalates'> };
policyWords: Texts<'silent'> & { title: (decision: 'allow' | 'escalate' | 'deny', risk: 'low' | 'medium' | 'high', version: Shown) => string;
stated: (policy: Shown, reason: Shown, guards: Shown | null | undefined) => string;
raised: (level: 'low' | 'medium' | 'high', finding: Shown, reason: Shown) => string;
can: Texts<'deny' | 'escalate' | 'allow' | 'repository_file'> & { change_settings: (settings: Shown) => string }; ownPolicy: (name: Shown) => string;
list: { policies: (version: Shown) => string; denies: (denies: Shown) => string; escalates: (escalates: Shown) => string; allows: (allows: Shown) => string;
allOf: (conditions: Shown) => string; setting: (name: Shown, value: Shown) => string; elsewhere: (repositories: Shown) => string };
last: { push: (when: Shown, says: Shown) => string; open_pr: (when: Shown, says: Shown) => string }; refused: (when: Shown, says: Shown) => string;
noRun: (run: Shown) => string };
databaseFaults: Texts<'damaged' | 'not_writable' | 'not_openable' | 'folder_for_file' | 'in_use' | 'disk_error' | 'unreached' | 'no_connection_left' | 'password_refused' |
'user_refused' | 'database_missing' | 'read_only' | 'right_missing' | 'no_schema' | 'no_ledger' | 'postgres_damaged' | 'wants_encryption' |
'no_encryption' | 'password_missing' | 'not_utf8' | 'pooled'>;
calendar: { weekdays: Texts<'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday'>; date: (day: Shown, month: Counted) => string;
units: Texts<'s' | 'm' | 'h' | 'd'> } };

/** Names each sentence's parameters in their order; * stands for one record with its fields. */
export type SentenceParameters = Readonly<Record<string, string>>;
export const SENTENCE_PARAMETERS: SentenceParameters = {
'progress-stray': 'chat', 'progress-fix': 'n of', 'progress-plan': 'done of', 'progress-check': 'name', 'progress-tookBefore': 'time',
'progress-moreChecks': 'n', 'attention-over': 'state', 'ended-closed-title': 'by', 'ended-closed-did': 'by', 'ended-took': 'time', 'log-exit': 'code',
'log-none': 'id', 'log-running': 'step', 'log-noStep': 'step steps', 'log-plan': 'id', 'log-earlierCalls': 'n', 'plan-none': 'id', 'plan-branch': 'rule',
'budget-retries': 'n of', 'settings-you': 'id role', 'settings-language': 'name chosen', 'settings-changed': 'name', 'settings-signOff': 'as',
'settings-signsOff': 'as', 'places-removed': 'name', 'places-blocked': 'name', 'users-invite': 'link role', 'users-came': 'name id role',
'users-added': 'name id role', 'users-removed': 'name id', 'users-unknown': 'id', 'users-unchangeable': 'id', 'replies-now': 'label state',
'replies-wrong': 'form', 'replies-unknown': 'name', 'replies-noRun': 'id', 'replies-approved': 'label', 'replies-signed': 'label',
'replies-merge': 'pull', 'replies-notNow': 'label state', 'replies-toldLater': 'state', 'replies-givenUp': 'why', 'tap-approvedBy': 'name',
'tap-deniedAlready': 'reason', 'tap-expired': 'time', 'tap-voided': 'reason', 'tap-movedOn': 'state', 'tap-lapsed': 'names run', 'tap-armedOver': 'time',
'tap-passedAlready': 'name', 'connection-party-chat': 'name', 'connection-party-forge': 'name', 'connection-party-engine': 'name',
'connection-back': 'time', 'foreign-what': 'sha commits', 'foreign-by': 'author', 'foreign-size': 'files added deleted', 'foreign-taking': 'by',
'fleet-title': 'live', 'fleet-pending': 'n', 'fleet-more': 'n', 'fleet-alikeQuestions': 'n', 'fleet-answerAlike': 'n', 'fleet-decideLow': 'n',
'detail-asked': 'name when', 'detail-changed': 'engine size files time minutes', 'detail-pushed': 'branch', 'detail-moreChecks': 'n',
'detail-onBaseToo': 'ref', 'detail-spent': 'n of time tokens', 'diff-caption': 'repo id sha', 'diff-fix': 'sha', 'diff-omitted': 'bytes',
'diff-hidden': 'n', 'diff-none': 'id', 'text-commit': 'n of', 'text-receipt': 'name', 'welcome-hello': 'name', 'welcome-role': 'role rights',
'welcome-account': 'account', 'welcome-example': 'repo', 'welcome-exampleOf': 'repo', 'help-meant': 'name near', 'roles-stranger': 'id',
'roles-needs': 'role', 'model-asking': 'name seconds', 'model-says': 'name', 'model-silent': 'name', 'model-cutOff': 'name',
'pictures-unseen': 'engines', 'voiceProblems-off': '*', 'voiceProblems-spent': '*', 'voiceProblems-gone': '*', 'voiceProblems-broken': '*',
'voiceProblems-silent': '*', 'voiceProblems-wordy': '*', 'voiceProblems-down': '*', 'voiceProblems-slow': '*', 'turns-tokens': 'n',
'turns-unpriced': 'n', 'permission-asks-tool': 'tool', 'permission-asksEach-command': 'n', 'permission-asksEach-tool': 'n tool',
'permission-allowEach': 'n', 'permission-denyEach': 'n', 'permission-answeredEach': 'n left', 'permission-alternatives': 'proposer tool risk',
'permission-pick': 'proposer', 'permission-picked': 'proposer', 'permission-allowSort': 'sort', 'permission-sortMeans': 'sort',
'permission-allowedSort': 'sort', 'permission-stands': 'sort by', 'permission-editLong': 'most', 'settingsProblems-mustBeHttps': 'name is',
'settingsProblems-pagesAddress': 'is host', 'settingsProblems-plainBotApi': 'is', 'settingsProblems-together': 'names',
'settingsProblems-noModelKey': 'name', 'settingsProblems-noVoiceKey': 'name', 'settingsProblems-noHookSecret': 'name hook',
'settingsProblems-noBucketName': 'is', 'settingsProblems-prismaSchema': 'schema encoded', 'settingsProblems-holdsVariable': 'name is',
'settingsProblems-quotedPath': 'name is', 'settingsProblems-otherHome': 'name is', 'settingsProblems-roleAlone': 'role',
'settingsProblems-isUtf16': 'file', 'settingsProblems-isNotUtf8': 'file', 'settingsProblems-line': 'file line says',
'settingsProblems-curlyQuote': 'name mark', 'settingsProblems-hashInside': 'name', 'settingsProblems-openQuote': 'name mark',
'settingsProblems-afterQuote': 'name mark', 'cluster-asks-open': 'n', 'cluster-asks-push': 'n', 'cluster-asksMixed-open': 'n',
'cluster-asksMixed-push': 'n', 'cluster-decided': 'n', 'cluster-each': 'size files', 'cluster-openAll': 'n', 'cluster-bothAll': 'n',
'cluster-pushAll': 'n', 'cluster-around': 'n', 'cluster-apart': 'n', 'cluster-more': 'n', 'cluster-moreGone': 'n', 'cluster-approve': 'n',
'cluster-confirm': 'n', 'cluster-page': 'at of', 'cluster-approved': 'n', 'cluster-signed': 'n', 'cluster-some': 'n not', 'cluster-fell': 'n',
'cluster-takenOut': 'repo', 'cluster-file': 'n', 'cluster-unread': 'repo', 'report-title': 'days', 'report-size': 'runs pulls',
'report-counts': 'yes of', 'report-share': 'name share', 'report-rate': 'percent low high', 'report-ready': 'half most of',
'report-rounds': 'half most of', 'report-perPull': 'taps sounds time fixes', 'report-cost': 'all each', 'report-costUnknown': 'runs',
'report-usedUp': 'budget', 'report-failures': 'all', 'report-more': 'n', 'report-period': 'days', 'report-caption': 'group', 'insights-title': 'days',
'insights-total': 'runs spent', 'insights-spent': 'time taps sounds', 'insights-stopped': 'share', 'insights-rate': 'counts percent low high',
'insights-card': 'kind denied seconds hasty', 'insights-arm': 'prompt stopped green attention', 'insights-least': 'runs answers cards',
'insights-change': 'setting to', 'insights-better': 'from own to other by', 'insights-tight': 'budget share', 'insights-neverDenied': 'cards',
'insights-stoppedThen': 'before after', 'insights-attentionThen': 'before after', 'insights-middle': 'half low high', 'installation-units-percent': 'n',
'installation-units-hours': 'n', 'installation-units-days': 'n', 'installation-units-tokens': 'n', 'installation-units-dollars': 'n',
'installation-units-runs': 'n', 'installation-units-rounds': 'n', 'installation-units-people': 'n', 'installation-range': 'least most',
'installation-changed': 'at by what', 'installation-set': 'name value', 'installation-quiet': 'hours', 'installation-quietSet': 'hours',
'board-retry': 'when', 'board-signedOut': 'name n', 'board-sessions': 'n', 'board-inbox-first': 'n', 'board-run-by': 'name',
'board-run-size': 'files added deleted', 'board-run-looks': 'n', 'board-run-more': 'n', 'board-run-replayed': 'events',
'board-run-pictureSize': 'width height', 'board-run-turn': 'n', 'board-run-contextOf': 'tokens summarised', 'board-run-pickedBy': 'name',
'board-run-sizeOfProposal': 'lines', 'board-diff-files': 'n', 'board-diff-left': 'files lines', 'board-diff-more': 'n', 'board-diff-cut': 'n',
'board-diff-omitted': 'n', 'board-campaign-outOf': 'n all', 'board-campaign-why-checks': 'commands', 'board-campaign-why-moreFiles': 'paths',
'board-campaign-why-fewerFiles': 'paths', 'board-campaign-why-size': 'lines usual', 'board-campaign-why-waits': 'time usual',
'board-campaign-alike': 'n', 'board-campaign-merged': 'n of', 'board-campaign-eta': 'when', 'voiceProblems-long': '*', 'voiceProblems-big': '*',
'voice-length': 'unit n', 'cluster-passed': 'all of n', 'viewer-file': 'at of', 'viewer-hunk': 'at of', 'viewer-part': 'at of',
'report-since': 'by low high', 'insights-points': 'by low high', 'installation-units-minutes': 'n', 'installation-now': 'value isUsual usual',
'board-run-tokensIn': 'tokens seconds', 'board-run-proposerTotal': 'chosen turns tokens usd', 'why-until': 'time', 'why-waiting-since': 'time',
'why-waiting-host': 'time', 'why-waiting-others': 'n', 'why-undone-more': 'n', 'budgets-amounts-tokens': 'n', 'budgets-amounts-output': 'n',
'budgets-line': 'name used limit left', 'budgets-open': 'name used', 'budgets-split': 'input output', 'budgets-raiseWith': 'form',
'budgets-wider': 'name', 'budgets-near': 'name share', 'budgets-raise': 'amount', 'budgets-raised': 'label name limit', 'budgets-lifted': 'label name',
'budgets-pricesOf': 'date', 'sight-runs': 'n', 'checkWhys-unseen': '*', 'checkWhys-silent': '*', 'checkWhys-failed': '*', 'checkWhys-missing': '*',
'checkWhys-imitated': '*', 'checkWhys-runs': '*', 'checkWhys-awaits_maintainer': '*', 'checkWhys-stale': '*', 'checkWhys-settles': '*',
'checkWhys-unread': '*', 'checkWhys-unsure': '*', 'checkWhys-skipped': '*', 'checkWhys-none_ran': '*', 'checkWhys-queue': '*', 'problems-flag': '*',
'problems-state': '*', 'problems-repo': '*', 'problems-pull': '*', 'problems-pulls': '*', 'problems-branch': '*', 'problems-language': '*',
'problems-user': '*', 'problems-amount': '*', 'problems-no_list': '*', 'problems-queries': '*', 'problems-query': '*', 'problems-query_quote': '*',
'problems-list_long': '*', 'problems-line': '*', 'problems-line_more': '*', 'problems-file_long': '*', 'problems-file_yaml': '*',
'problems-file_documents': '*', 'problems-file_twice': '*', 'problems-file_deep': '*', 'problems-file_alias': '*', 'problems-file_key': '*',
'problems-file_repo': '*', 'problems-file_fixes': '*', 'problems-file_after_self': '*', 'problems-file_after_unknown': '*',
'problems-file_after_twice': '*', 'problems-file_circle': '*', 'problems-file_scripts': '*', 'problems-file_repos': '*', 'problems-file_goal': '*',
'problems-file_engine': '*', 'problems-file_script': '*', 'problems-file_text': '*', 'problems-file_hard': '*', 'problems-file_gone': '*',
'problems-file_words': '*', 'problems-variable': '*', 'problems-variable_taken': '*', 'problems-misplaced': '*', 'problems-no_variable': '*',
'problems-variable_long': '*', 'problems-column': '*', 'problems-no_goal': '*', 'problems-no_instruction': '*', 'problems-sign_off': '*',
'problems-value': '*', 'problems-twice': '*', 'problems-quote': '*', 'problems-option': '*', 'problems-setting': '*', 'problems-choice': '*',
'problems-bounds': '*', 'problems-flow': '*', 'problems-discovery': '*', 'problems-install': '*', 'problems-engine': '*', 'problems-no_engine': '*',
'problems-engines': '*', 'problems-proposers': '*', 'problems-reported': '*', 'problems-prompt_version': '*', 'problems-role': '*',
'problems-budget': '*', 'problems-long': '*', 'findingNotes-not_text': '*', 'findingNotes-scripts_mixed': '*', 'findingNotes-scripts_mixed_in_name': '*',
'findingNotes-stored_elsewhere': '*', 'findingNotes-own_bytes': '*', 'findingNotes-test_file_deleted': '*', 'findingNotes-only_line_ends': '*',
'findingNotes-only_whitespace': '*', 'findingNotes-looks_same': '*', 'findingNotes-as_plain_files': '*', 'findingNotes-worktree_skipped': '*',
'findingNotes-submodule_skipped': '*', 'findingNotes-linked_from_outside': '*', 'findingNotes-name_not_text': '*', 'findingNotes-name_like_git': '*',
'findingNotes-name_modules_link': '*', 'findingNotes-name_unseen': '*', 'findingNotes-name_backslash': '*', 'findingNotes-exposed_credentials': '*',
'findingNotes-character': '*', 'findingNotes-reads_as': '*', 'findingNotes-characters': '*', 'findingNotes-bytes': '*', 'findingNotes-test_cases': '*',
'findingNotes-skipped_tests': '*', 'findingNotes-assertions': '*', 'findingNotes-hidden_in': '*', 'findingNotes-leads_to': '*',
'findingNotes-same_name': '*', 'findingNotes-special': '*', 'findingNotes-too_deep': '*', 'findingNotes-too_many': '*', 'findingNotes-unreadable': '*',
'findingNotes-ignored': '*', 'failureDetails-push_refused': '*', 'failureDetails-branch_moved': '*', 'failureDetails-branch_name_refused': '*',
'failureDetails-push_credential_refused': '*', 'failureDetails-push_forbidden': '*', 'failureDetails-push_too_large': '*',
'failureDetails-branch_differs': '*', 'failureDetails-branch_missing': '*', 'failureDetails-no_space_left': '*', 'failureDetails-data_disk_full': '*',
'failureDetails-mirrors_full': '*', 'failureDetails-disk_nearly_full': '*', 'failureDetails-memory_exceeded': '*', 'failureDetails-memory_ran_out': '*',
'failureDetails-processes_exceeded': '*', 'failureDetails-processes_ran_out': '*', 'failureDetails-disk_exceeded': '*',
'failureDetails-run_disk_nearly_full': '*', 'failureDetails-engine_missing': '*', 'failureDetails-engine_not_executable': '*',
'failureDetails-engine_not_started': '*', 'failureDetails-box_not_started': '*', 'failureDetails-engine_timed_out': '*',
'failureDetails-engine_stopped': '*', 'failureDetails-engine_too_loud': '*', 'failureDetails-engine_exited': '*', 'failureDetails-engine_killed': '*',
'failureDetails-engine_arguments_refused': '*', 'failureDetails-conversation_unknown': '*', 'failureDetails-permission_undecided': '*',
'failureDetails-provider_closed': '*', 'failureDetails-usage_limit_reached': '*', 'failureDetails-model_key_missing': '*',
'failureDetails-model_unnamed': '*', 'failureDetails-run_tokens_used_up': '*', 'failureDetails-run_cost_used_up': '*',
'failureDetails-model_requests_exceeded': '*', 'failureDetails-model_requests_too_fast': '*', 'failureDetails-model_call_repeated': '*',
'failureDetails-price_unnamed': '*', 'failureDetails-app_has_no_forks': '*', 'failureDetails-fork_refused': '*', 'failureDetails-forks_not_allowed': '*',
'failureDetails-fork_of_own': '*', 'failureDetails-repository_forbids_forks': '*', 'failureDetails-fork_deleted': '*',
'failureDetails-fork_unrelated': '*', 'failureDetails-fork_stays_empty': '*', 'failureDetails-stored_by_others': '*',
'failureDetails-stored_bytes_differ': '*', 'failureDetails-stored_parts_missing': '*', 'failureDetails-stored_start_lost': '*',
'failureDetails-chat_unreached': '*', 'failureDetails-chat_refused': '*', 'failureDetails-chat_token_unknown': '*',
'failureDetails-revert_unmerged': '*', 'failureDetails-revert_unreachable': '*', 'failureDetails-revert_unclear': '*',
'failureDetails-revert_needs_agent': '*', 'failureDetails-no_failed_check': '*', 'failureDetails-host_failed': '*', 'failureDetails-host_refused': '*',
'failureDetails-host_not_found': '*', 'failureDetails-host_credential_refused': '*', 'failureDetails-host_answer_unreadable': '*',
'hostRefusals-sign_on_required': '*', 'hostRefusals-address_not_allowed': '*', 'hostRefusals-app_not_approved': '*',
'hostRefusals-classic_token_forbidden': '*', 'hostRefusals-fine_grained_token_forbidden': '*', 'hostRefusals-right_missing': '*',
'hostRefusals-workflow_right_missing': '*', 'hostRefusals-account_suspended': '*', 'hostRefusals-app_suspended': '*', 'hostRefusals-access_blocked': '*',
'hostRefusals-archived': '*', 'hostRefusals-user_blocked': '*', 'hostRefusals-newcomers_limited': '*', 'hostRefusals-collaborators_only': '*',
'hostRefusals-pulls_off': '*', 'hostRefusals-nothing_to_merge': '*', 'hostRefusals-is_mirror': '*', 'hostRefusals-hourly_limit': '*',
'hostRefusals-secondary_limit': '*', 'hostRefusals-plan_lacks_it': '*', 'hostRefusals-server_lacks_it': '*', 'hostRefusals-name_not_found': '*',
'hostRefusals-connection_refused': '*', 'hostRefusals-connection_lost': '*', 'hostRefusals-no_answer': '*', 'hostRefusals-proxy_unreached': '*',
'hostRefusals-proxy_wants_sign_in': '*', 'hostRefusals-proxy_gets_no_answer': '*', 'hostRefusals-proxy_forbids': '*', 'changedSince-conflicts': '*',
'changedSince-branch_head': '*', 'changedSince-stored_proposal': '*', 'expected-text': '*', 'expected-number': '*', 'expected-whole': '*',
'expected-list': '*', 'expected-table': '*', 'expected-yes_no': '*', 'expected-name': '*', 'expected-email': '*', 'expected-address': '*',
'expected-every': '*', 'expected-hours': '*', 'expected-one_of': '*', 'expected-most': '*', 'expected-other': '*', 'budgets-amounts-time': 'n',
'budgets-amounts-cost': 'n', 'budgets-amounts-iterations': 'n', 'budgets-amounts-fixes': 'n', 'budgets-expected': 'runs usd minutes limitUsd limitTime',
'budgets-cautionNoPrice': 'limit model engine', 'budgets-cautionUntold': 'limit engine', 'sight-says-long': 'parts', 'sight-says-status': 'status',
'sight-unread': 'parts', 'sight-todos-forbidden': 'wanted lacksReports', 'problems-file_value': '*', 'secrets-named': 'isVowel of noun',
'findingNotes-looks_like': '*', 'findings-more': 'more', 'failureDetails-bucket_refused': '*', 'failureDetails-not_reached': '*',
'hostRefusals-token_lives_too_long': '*', 'hostRefusals-certificate_untrusted': '*', 'changedSince-field': '*', 'changedRules-added': '*',
'changedRules-removed': '*', 'expected-least': '*', 'expected-said': '*', 'misfits-unknown': '*', 'misfits-whole': '*', 'misfits-value': '*',
'problems-picture_large': '*', 'problems-picture_gone': '*', 'problems-picture_form': '*', 'problems-picture_points': '*', 'evidence-passed': 'name',
'evidence-again': 'name', 'evidence-fixed': 'name base', 'evidence-redFirst': 'name base', 'evidence-greenFirst': 'name base',
'evidence-untried': 'name base', 'evidence-lucky': 'name base', 'evidence-failed': 'name', 'evidence-timedOut': 'name',
'evidence-redBefore': 'name base', 'evidence-notJudged': 'name why', 'evidence-withheld': 'name why', 'evidence-waived': 'name',
'evidence-notRun': 'name', 'evidence-ranNoTest': 'name', 'evidence-moreCautions': 'n high', 'card-asks-open': 'repo', 'card-asks-both': 'repo',
'card-asks-push': 'repo', 'card-asks-fix': 'pull repo', 'card-sizes-small': 'lines files', 'card-sizes-medium': 'lines files',
'card-sizes-large': 'lines files', 'card-riskByChecks': 'level', 'card-riskUntested': 'level', 'card-hunkAt': 'line', 'card-run': 'id',
'card-files': 'n', 'card-inAll': 'size', 'card-toFork': 'fork', 'card-rivals': 'all', 'card-forecast': 'merged closed alike time',
'card-forecastAlike': 'merged closed', 'card-rival': 'who pull by', 'card-askedAgain': 'asked', 'card-leftFixes': 'titles',
'card-moreFiles': 'n added deleted', 'card-risk': 'level', 'card-more': 'n', 'card-conflicts': 'base', 'card-behind': 'base', 'card-merges': 'ref sha n',
'card-theirs': 'sha author by', 'card-into': 'base', 'card-edited': 'name', 'card-requested': 'name', 'card-contained': 'how', 'card-unsigned': 'base',
'card-hiddenLines': 'n', 'card-skipped': 'n kinds', 'card-armed': 'what', 'card-notQuoted': 'lines files', 'card-omitted': 'bytes', 'card-by': 'name',
'card-openedAs': 'pull', 'card-record': 'run digest', 'card-sealMark': 'digest', 'proposal-several': 'does n', 'proposal-upTo': 'does limits',
'triage-from': 'names n', 'triage-noAnswer': 'no', 'triage-page': 'n of', 'triage-did': 'by fix reply ignore', 'triage-changed': 'no choice',
'triage-saidFor': 'no', 'replying-to': 'name', 'replying-again': 'names', 'openRemarks-waits': 'n', 'openRemarks-more': 'n', 'comment-on': 'run',
'comment-omitted': 'n', 'comment-passedBy': 'name', 'buttons-take': 'sha', 'campaign-takePart': 'n of', 'campaign-fixes': 'titles',
'campaign-example': 'repo', 'campaign-unseen': 'n', 'campaign-out': 'n why', 'campaign-more': 'n', 'campaign-canary': 'first steps',
'campaign-next': 'outcome', 'campaign-limits': 'day owner open', 'campaign-stops': 'failures denials', 'campaign-estimate': 'work cost attention of',
'campaign-each': 'expected', 'campaign-every': 'every', 'campaign-nextTime': 'when', 'campaign-cameLast': 'id when', 'campaign-merged': 'n of percent',
'campaign-begun': 'n of', 'campaign-elsewhere': 'n', 'campaign-adopting': 'n', 'campaign-queue': 'owner n', 'campaign-waits-open': 'count of',
'campaign-waits-owner': 'count of', 'campaign-waits-day': 'count of', 'campaign-waits-busy': 'count of', 'campaign-waits-queued': 'count of',
'campaign-waits-after': 'count of', 'campaign-waits-step': 'count of', 'campaign-nextStep': 'n', 'campaign-approvers': 'who',
'campaign-stopped': 'kind count of bound', 'campaign-sure': 'n', 'campaign-askFirst': 'n', 'campaign-allAsk': 'what n', 'campaign-answered-begin': 'n',
'campaign-answered-leave_out': 'n', 'campaign-taught': 'n', 'campaign-ownersNo': 'owner left', 'campaign-hours': 'when', 'campaign-outOfHours': 'when',
'campaign-mergedAfter': 'days n of percent', 'campaign-stuck': 'n', 'campaign-keeps': 'whom long', 'campaign-eta': 'left when',
'campaign-idle': 'n places', 'campaign-goesOn': 'places', 'campaign-granted': 'amounts', 'campaign-withdraws': 'n', 'campaign-withdrawn': 'n',
'campaign-buttons-start': 'n', 'campaign-buttons-undo': 'n', 'campaign-buttons-cancel': 'n', 'campaign-buttons-retry': 'n', 'campaign-buttons-all': 'n',
'campaign-buttons-closeIdle': 'n', 'campaign-buttons-first': 'n', 'campaign-buttons-begin': 'n', 'campaign-buttons-leaveOut': 'n',
'campaign-buttons-learn': 'n', 'campaign-buttons-teach': 'n', 'campaign-buttons-withdraw': 'n', 'campaign-waves-of': 'no all n',
'campaign-waves-waits': 'repos', 'campaign-waves-merged': 'commit', 'campaign-waves-released': 'tag', 'campaign-waves-stopped': 'repo',
'campaign-undo-scheduled': 'id', 'campaign-undo-nothing': 'id', 'campaign-undo-looking': 'n', 'campaign-undo-of': 'id',
'campaign-undo-also': 'open working', 'campaign-undo-rest': 'stays', 'campaign-undo-fresh': 'n first', 'campaign-undo-by': 'undos',
'campaign-tried': 'n', 'campaign-not': 'how', 'campaign-unknown': 'id', 'campaign-entry': 'how released', 'campaign-scheduledEntry': 'state every',
'environmentGaps-needs': 'needs', 'environmentGaps-need': 'need names', 'environmentGaps-toolVersion': 'name asked version',
'environmentGaps-lacks': 'what', 'evidence-morePassed': 'n', 'evidence-moreOthers': 'n', 'card-checks': '*', 'card-signed': '*',
'buttons-begin': 'choices', 'buttons-toFix': 'n', 'buttons-toAnswer': 'n', 'campaign-looking': 'where', 'campaign-lookingAt': 'n',
'campaign-lookingFor': 'queries', 'campaign-found': '*', 'campaignCame-issue': '*', 'campaignCame-schedule': '*', 'campaignCame-hook': '*',
'campaignSource-issue': '*', 'campaignSource-schedule': '*', 'campaignSource-hook': '*', 'campaign-notStarted': 'parts',
'campaign-lastStep': 'notStarted', 'campaignIdle-waiting': 'n', 'campaignIdle-later': 'n', 'campaignIdle-leftOut': 'n', 'campaignIdle-stopped': 'n',
'campaignIdle-unwanted': 'n', 'campaignIdle-elsewhere': 'n', 'campaignWish-checks': '*', 'campaignWish-said': '*', 'judgements-exposed_credential': '*',
'judgements-secret': '*', 'judgements-likely_secret': '*', 'judgements-key_files': '*', 'judgements-likely_key_files': '*',
'judgements-leaves_workspace': '*', 'judgements-link_leaves': '*', 'judgements-gitlink_added': '*', 'judgements-gitlink_removed': '*',
'judgements-binary': '*', 'judgements-lfs_pointer': '*', 'judgements-lfs_raw': '*', 'judgements-filter_raw': '*', 'judgements-not_read': '*',
'judgements-bidi_text': '*', 'judgements-hidden_text': '*', 'judgements-not_on_windows': '*', 'judgements-trailing_dot_or_space': '*',
'judgements-whitespace_changed': '*', 'judgements-mixed_script': '*', 'judgements-look_alike': '*', 'judgements-long_line': '*',
'judgements-odd_files': '*', 'judgements-ci_changed': '*', 'judgements-agent_config_changed': '*', 'judgements-trust_root_changed': '*',
'judgements-forbidden_path': '*', 'judgements-protected_path': '*', 'judgements-lockfile_without_manifest': '*', 'judgements-tests_removed': '*',
'judgements-tests_weaker': '*', 'judgements-tests_skipped': '*', 'judgements-tests_weakened': '*', 'judgements-tests_thinner': '*',
'judgements-check_config_changed': '*', 'judgements-unreadable_path': '*', 'judgements-hidden_path': '*', 'judgements-key_file_touched': '*',
'judgements-install_time': '*', 'judgements-dependencies': '*', 'judgements-attributes': '*', 'judgements-generated': '*', 'judgements-gitlink': '*',
'judgements-symlink': '*', 'judgements-executable': '*', 'judgements-not_executable': '*', 'judgements-type_changed': '*', 'judgements-deleted': '*',
'judgements-renamed': '*', 'judgements-unknown_mode': '*', 'judgements-tests_found_by_agent': '*', 'judgements-high_risk': '*',
'judgements-watched': '*', 'judgements-small_change': '*', 'judgements-no_check': '*', 'judgements-no_facts': '*', 'judgements-no_contract': '*',
'judgements-containment_unknown': '*', 'judgements-containment_weak': '*', 'judgements-open_pulls_unknown': '*', 'judgements-comment_empty': '*',
'judgements-comment_signed': '*', 'judgements-unknown_action': '*', 'judgements-no_changes': '*', 'judgements-claim_of_test': '*',
'judgements-claim_of_green': '*', 'judgements-hidden_lines': '*', 'judgements-size': '*', 'judgements-document': '*',
'judgements-public_text_credential': '*', 'judgements-public_text_hidden': '*', 'judgements-public_text_look_alike': '*',
'judgements-branch_guarded': '*', 'judgements-first_pull': '*', 'judgements-open_pulls': '*', 'judgements-comment_too_long': '*',
'judgements-comment_long': '*', 'judgements-ban_overruled': '*', 'judgements-issue': '*', 'judgements-undisclosed': '*', 'judgements-branch_rule': '*',
'judgements-template_cut': '*', 'judgements-checks_fail': '*', 'judgements-checks_missing': '*', 'judgements-red_before': '*',
'judgements-red_unnamed': '*', 'judgements-flaky_before': '*', 'judgements-ran_no_test': '*', 'judgements-tests_stopped': '*',
'judgements-no_tests': '*', 'judgements-graded_by': '*', 'judgements-check_config_needed': '*', 'judgements-command': '*',
'judgements-command_opaque': '*', 'judgements-command_hidden': '*', 'judgements-custom_policy': '*', 'judgements-check_failed': '*',
'judgements-check_not_run': '*', 'judgements-claim_unseen': '*', 'judgements-claim_differs': '*', 'judgements-not_done': '*', 'judgements-opinion': '*',
'judgements-no_policy_allows': '*', 'judgements-dependency_changes': '*', 'judgements-finding': '*', 'judgements-public_text_secret': '*',
'judgements-public_text_signal': '*', 'judgements-competing_pulls': '*', 'judgements-rule': '*', 'judgements-rule_followed': '*',
'judgements-title_rule': '*', 'judgements-template_open': '*', 'judgements-check_config_not_compared': '*', 'judgements-inline_program': '*',
'judgements-command_characters': '*', 'judgements-step_failed': '*', 'ruleQuote': 'quote file line', 'competingPull': 'id author',
'noBudgetLeft': 'budget', 'judgedActions-push': 'name', 'judgedActions-open_pr': 'name', 'judgedActions-comment': 'name', 'judgedActions-reply': 'name',
'judgedActions-command': 'name', 'dependencyChanges-removed': 'name path', 'dependencyChanges-added': 'name path',
'dependencyChanges-changed': 'name was version path', 'inlineActs-network': 'words', 'inlineActs-runs_programs': 'words',
'inlineActs-evaluates': 'words', 'inlineActs-deletes': 'words', 'inlineActs-writes': 'words', 'inlineActs-reads_environment': 'words',
'ruleAsks-ai_ban': '*', 'ruleAsks-ai_limited': '*', 'ruleAsks-ai_disclosure': '*', 'ruleAsks-human_author': '*', 'ruleAsks-human_words': '*',
'ruleAsks-dco': '*', 'ruleAsks-cla': '*', 'ruleAsks-template': '*', 'ruleAsks-issue_first': '*', 'ruleAsks-changelog': '*', 'ruleAsks-base_branch': '*',
'ruleAsks-branch_name': '*', 'ruleAsks-commit_style': '*', 'ruleAsks-language': '*', 'ruleAsks-size': '*', 'ruleLines': 'value',
'ruleAsks-label_barred': '*', 'ruleAsks-trailer': '*', 'ruleAsks-vouch': '*', 'ruleAsks-elsewhere': '*', 'ruleAsks-other': '*',
'ruleValued': 'asks value', 'notModified-card_closed': '*', 'notModified-goes_elsewhere': '*', 'notModified-raises_risk': '*',
'notModified-forbidden': '*', 'objection': 'policy reason', 'hostChecks-node-says': '*', 'hostChecks-env_file-says': '*', 'hostChecks-env_file-fix': '*',
'hostChecks-git_version-says': '*', 'hostChecks-git_unfit-says': '*', 'hostChecks-git_unfit-fix': '*', 'hostChecks-sandbox_untried-says': '*',
'hostChecks-sandbox_untried-fix': '*', 'hostChecks-sandbox-says': '*', 'hostChecks-sandbox-fix': '*', 'hostChecks-settings_complete-says': '*',
'hostChecks-settings_wrong-says': '*', 'hostChecks-settings_wrong-fix': '*', 'hostChecks-data_unwritable-says': '*',
'hostChecks-data_unwritable-fix': '*', 'hostChecks-data-says': '*', 'hostChecks-data-fix': '*', 'hostChecks-mirrors-says': '*',
'hostChecks-mirrors-fix': '*', 'hostChecks-ledger_whole-says': '*', 'hostChecks-ledger_absent-says': '*', 'hostChecks-ledger_broken-says': '*',
'hostChecks-ledger_broken-fix': '*', 'hostChecks-postgres-says': '*', 'hostChecks-postgres_broken-says': '*', 'hostChecks-postgres_broken-fix': '*',
'hostChecks-telegram-says': '*', 'hostChecks-telegram_away-says': '*', 'hostChecks-telegram_away-fix': '*', 'hostChecks-telegram_unknown-says': '*',
'hostChecks-telegram_unknown-fix': '*', 'hostChecks-telegram_refused-says': '*', 'hostChecks-telegram_refused-fix': '*', 'hostChecks-slack-says': '*',
'hostChecks-slack_scopes-says': '*', 'hostChecks-slack_scopes-fix': '*', 'hostChecks-slack_broken-says': '*', 'hostChecks-slack_broken-fix': '*',
'hostChecks-signing-says': '*', 'hostChecks-signing_broken-says': '*', 'hostChecks-signing_broken-fix': '*', 'hostChecks-webhooks-says': '*',
'hostChecks-bucket-says': '*', 'hostChecks-bucket_broken-says': '*', 'hostChecks-bucket_broken-fix': '*', 'hostChecks-backup-says': '*',
'hostChecks-backup_wrong-says': '*', 'hostChecks-backup_wrong-fix': '*', 'hostChecks-backup_unreadable-says': '*',
'hostChecks-backup_unreadable-fix': '*', 'hostChecks-network_broken-says': '*', 'hostChecks-network_broken-fix': '*',
'hostChecks-party_silent-says': '*', 'hostChecks-party_silent-fix': '*', 'hostChecks-git_reaches-says': '*', 'hostChecks-git_away-says': '*',
'hostChecks-git_away-fix': '*', 'hostChecks-github-says': '*', 'hostChecks-github-fix': '*', 'hostChecks-github_fine-says': '*',
'hostChecks-github_fine-fix': '*', 'hostChecks-github_fine_nowhere-says': '*', 'hostChecks-github_fine_nowhere-fix': '*',
'hostChecks-github_unknown-says': '*', 'hostChecks-github_unknown-fix': '*', 'hostChecks-github_away-says': '*', 'hostChecks-github_away-fix': '*',
'hostChecks-github_refused-says': '*', 'hostChecks-github_refused-fix': '*', 'hostChecks-app-says': '*', 'hostChecks-app-fix': '*',
'hostChecks-app_nowhere-says': '*', 'hostChecks-app_nowhere-fix': '*', 'hostChecks-app_suspended-says': '*', 'hostChecks-app_suspended-fix': '*',
'hostChecks-app_refused-says': '*', 'hostChecks-app_refused-fix': '*', 'hostChecks-labels-says': '*', 'hostChecks-engine_version-says': '*',
'hostChecks-engine_untried-says': '*', 'hostChecks-engine_untried-fix': '*', 'hostChecks-engine_no_version-says': '*',
'hostChecks-engine_no_version-fix': '*', 'hostChecks-engine_other_version-says': '*', 'hostChecks-engine_other_version-fix': '*',
'hostChecks-engine_fails-says': '*', 'hostChecks-engine_fails-fix': '*', 'hostChecks-engine_absent-says': '*', 'hostChecks-engine_absent-fix': '*',
'hostChecks-engine_key-says': '*', 'hostChecks-engine_signed_in-says': '*', 'hostChecks-engine_own_model-says': '*',
'hostChecks-engine_no_key-says': '*', 'hostChecks-engine_no_key-fix': '*', 'hostChecks-engine_signed_out-says': '*',
'hostChecks-engine_signed_out-fix': '*', 'hostChecks-engine_boxed-says': '*', 'hostChecks-engine_not_boxed-says': '*',
'hostChecks-engine_not_boxed-fix': '*', 'hostChecks-engine_no_box-says': '*', 'hostChecks-engine_no_box-fix': '*', 'hostChecks-engine_own-says': '*',
'hostChecks-engine_no_model-says': '*', 'hostChecks-engine_no_model-fix': '*', 'hostChecks-engine_ready-says': '*',
'hostChecks-engine_unchosen-says': '*', 'hostChecks-engine_unchosen-fix': '*', 'hostChecks-chat_connected-says': '*',
'hostChecks-other_chat_connected-says': '*', 'hostChecks-forge_connected-says': '*', 'hostChecks-script-says': '*', 'hostChecks-prices-says': '*',
'hostChecks-cost_unknown-says': '*', 'hostChecks-cost_unknown-fix': '*', 'hostChecks-cost_untold-says': '*', 'hostChecks-cost_untold-fix': '*',
'hostChecks-unit-says': '*', 'hostChecks-unit_absent-says': '*', 'hostChecks-unit_absent-fix': '*', 'hostChecks-unit_foreign-says': '*',
'hostChecks-unit_foreign-fix': '*', 'hostChecks-unit_program_gone-says': '*', 'hostChecks-unit_program_gone-fix': '*',
'hostChecks-unit_problems-says': '*', 'hostChecks-unit_problems-fix': '*', 'hostChecks-unit_edited-says': '*', 'hostChecks-unit_edited-fix': '*',
'hostChecks-unit_older-says': '*', 'hostChecks-unit_older-fix': '*', 'hostChecks-unit_enabled-says': '*', 'hostChecks-unit_enabled-fix': '*',
'hostChecks-unit_active-says': '*', 'hostChecks-unit_active-fix': '*', 'hostChecks-systemd_absent-says': '*', 'hostChecks-systemd_absent-fix': '*',
'hostChecks-health_elsewhere-says': '*', 'hostChecks-health_elsewhere-fix': '*', 'hostChecks-health_any_port-says': '*',
'hostChecks-health_any_port-fix': '*', 'hostChecks-health-says': '*', 'hostChecks-health_bad-says': '*', 'hostChecks-health_bad-fix': '*',
'hostChecks-health_silent-says': '*', 'hostChecks-health_silent-fix': '*', 'hostChecks-outside_failure-says': '*', 'hostChecks-proxy-says': '*',
'hostChecks-proxy-fix': '*', 'hostChecks-party_answers-says': '*', 'hostChecks-labels_missing-says': '*', 'hostChecks-labels_missing-fix': '*',
'hostFindings-way': 'host proxy', 'hostFindings-right': 'name level use', 'hostFindings-label': 'label repo', 'setup-received': 'n',
'setup-unreachable': 'says', 'setup-refused': 'party says', 'setup-telegramIs': 'name', 'setup-githubIs': 'login scopes', 'setup-lacks': 'scopes',
'setup-askAgent': 'usual', 'setup-trying': 'name', 'setup-agentWorks': 'name seconds', 'setup-agentFails': 'name says', 'setup-askAfterFailure': 'name',
'setup-askAuthor': 'usual', 'setup-askStart': 'service', 'setup-sayHi': 'name', 'setup-isThatYou': 'name id', 'setup-greets': 'name',
'setup-slack-is': 'name team', 'setup-slack-same': 'pair', 'setup-slack-greets': 'name', 'setup-writeHi': 'name', 'setup-noAnswer': 'name',
'setup-openPage': 'address port', 'setup-appMade': 'slug address', 'setup-checksFailed': 'failed all', 'setup-party-chat': 'name',
'setup-party-forge': 'name', 'setup-party-engine': 'name', 'setup-unusable': 'party says', 'setup-unreached': 'party', 'setup-running': 'address',
'setup-workerRuns': 'place address', 'setup-telegramRefused': 'says', 'setup-unreadableFile': 'file says', 'setup-notJson': 'says',
'setup-brokenFile': 'file says', 'repositoryTrial-ranNoTest': 'command', 'repositoryTrial-notRun': 'command', 'repositoryTrial-withheld': 'command why',
'repositoryTrial-flaky': 'command', 'repositoryTrial-timedOut': 'command', 'repositoryTrial-fails': 'command code', 'repositoryTrial-andMore': 'n',
'repositoryTrial-askedFor': 'version source', 'repositoryTrial-signedOnly': 'ref', 'repositoryTrial-notAName': 'is',
'repositoryTrial-unusable': 'repo n', 'riskFlags-unknownEcosystem': 'name', 'riskFlags-unreadCi': 'name file', 'riskFlags-large': 'paths',
'setup-noAgent': 'installs', 'setup-unknownSetting': 'name fromFile meant', 'setup-knownSettings': 'known', 'settingIssues-unknown': '*',
'settingIssues-missing': '*', 'settingIssues-rule': '*', 'settingIssues-value': '*', 'reasons-queued': '*', 'reasons-reading_repository': '*',
'reasons-checking_base': '*', 'reasons-checks_waived': '*', 'reasons-agent_discovery': '*', 'reasons-discovery_asked_again': '*',
'reasons-contract_known': '*', 'reasons-contract_refined': '*', 'reasons-agreement_required': '*', 'reasons-issue_not_free': '*',
'reasons-ban_read_by_agent': '*', 'reasons-possible_ban': '*', 'reasons-ban_overruled': '*', 'reasons-revert_empty': '*',
'reasons-repository_archived': '*', 'reasons-duplicate_repository': '*', 'reasons-ai_banned': '*', 'reasons-implementing': '*', 'reasons-planning': '*',
'reasons-fix_started': '*', 'reasons-proposer_started': '*', 'reasons-proposal_chosen': '*', 'reasons-plan_continued': '*',
'reasons-plan_unchanged': '*', 'reasons-plan_step': '*', 'reasons-checks_running': '*', 'reasons-checks_failed_again': '*',
'reasons-tests_pass_on_base': '*', 'reasons-permission_asked': '*', 'reasons-agent_question': '*', 'reasons-report_asked_again': '*',
'reasons-updates_exhausted': '*', 'reasons-push_approval_wait': '*', 'reasons-pushing': '*', 'reasons-push_unconfirmed': '*',
'reasons-pull_unconfirmed': '*', 'reasons-merge_conflicts': '*', 'reasons-decision_wait': '*', 'reasons-pull_open': '*', 'reasons-pull_too_late': '*',
'reasons-fix_pushed': '*', 'reasons-checks_restarted': '*', 'reasons-maintainer_wait': '*', 'reasons-checks_green': '*', 'reasons-pull_merged': '*',
'reasons-pull_closed': '*', 'reasons-foreign_head': '*', 'reasons-head_adopted': '*', 'reasons-base_update': '*', 'reasons-base_up_to_date': '*',
'reasons-sent_to_checks': '*', 'reasons-checks_red_on_base': '*', 'reasons-maybe_flaky': '*', 'reasons-flaky_rerun': '*', 'reasons-checks_rerun': '*',
'reasons-paused': '*', 'reasons-access_lost': '*', 'reasons-access_restored': '*', 'reasons-base_changed': '*', 'reasons-push_blocked': '*',
'reasons-push_unblocked': '*', 'reasons-marked_done': '*', 'reasons-permission_granted': '*', 'reasons-permission_refused': '*', 'reasons-approved': '*',
'reasons-requirement_answered': '*', 'reasons-pr_text_edited': '*', 'reasons-retried': '*', 'reasons-resumed': '*', 'reasons-retrying': '*',
'reasons-cannot_continue': '*', 'reasons-card_replaced': '*', 'reasons-decision_expired': '*', 'refusals-no_run': '*', 'refusals-run_exists': '*',
'refusals-approved_already': '*', 'refusals-card_replaced': '*', 'refusals-card_changed': '*', 'refusals-more_risk': '*', 'refusals-card_expired': '*',
'refusals-not_named': '*', 'refusals-own_change': '*', 'refusals-signed_already': '*', 'refusals-chat_only': '*', 'refusals-text_missing': '*',
'refusals-no_remark': '*', 'refusals-no_answer': '*', 'refusals-no_reader': '*', 'refusals-nothing_to_update': '*', 'refusals-under_way': '*',
'refusals-head_not_foreign': '*', 'refusals-head_moved': '*', 'refusals-not_asked': '*', 'refusals-no_standing_grant': '*', 'refusals-no_question': '*',
'refusals-committed': '*', 'refusals-push_blocked': '*', 'refusals-foreign_head_first': '*', 'refusals-plan_first': '*',
'refusals-plan_state_first': '*', 'refusals-nothing_missing': '*', 'refusals-no_commit': '*', 'refusals-has_pull': '*', 'refusals-no_pull': '*',
'refusals-cannot_continue': '*', 'refusals-no_limit': '*', 'refusals-no_ban': '*', 'refusals-reason_missing': '*', 'refusals-not_a_whole_number': '*',
'refusals-limit_already': '*', 'refusalHints-order_again': '*', 'refusalHints-resume': '*', 'refusalHints-adopt_head': '*', 'refusalHints-retry': '*',
'refusalHints-retry_now': '*', 'refusalHints-then_ask_again': '*', 'refusalHints-decide_push': '*', 'refusalHints-card_follows': '*',
'refusalHints-fix': '*', 'refusalHints-fix_in_progress': '*', 'refusalHints-no_pull_yet': '*', 'refusalHints-nothing_failed': '*',
'refusalHints-not_paused': '*', 'refusalHints-cancel_retrying': '*', 'refusalHints-already_stopped': '*', 'refusalHints-cancel': '*',
'refusalHints-under_way': '*', 'refusalHints-nothing_to_update': '*', 'refusalHints-not_theirs': '*', 'notes-edited_text_late': '*',
'notes-edited_text_not_assessed': '*', 'notes-agent_asked': '*', 'notes-pull_description': '*', 'notes-pull_hidden': '*', 'notes-pull_too_late': '*',
'notes-campaign_approver': '*', 'notes-campaign_approvers': '*', 'notes-approver_left': '*', 'notes-campaign_pilot': '*', 'notes-arrival_open': '*',
'feedback-red': '*', 'feedback-review': '*', 'feedback-checks_failed': '*', 'feedback-tests_pass_on_base': '*', 'feedback-step': '*',
'feedback-step_passed': '*', 'feedback-plan_has_no_step': '*', 'feedback-goal_changed': '*', 'feedback-done_lost': '*', 'feedback-done_added': '*',
'commandFailures-no_box': '*', 'commandFailures-no_room': '*', 'commandFailures-stale_lockfile': '*', 'commandFailures-not_installed': '*',
'commandFailures-fails': '*', 'marks-explained': 'says why', 'skippedFile': 'path note', 'timeSpans-seconds': 'n', 'timeSpans-minutes': 'n',
'timeSpans-hours': 'n', 'reasons-slot_wait': '*', 'reasons-write_slot_wait': '*', 'reasons-base_unusable': '*', 'reasons-answers_missing': '*',
'reasons-competing_pulls': '*', 'reasons-rule_unmet': '*', 'reasons-plan_step_blocked': '*', 'reasons-plan_too_long': '*', 'reasons-step_failed': '*',
'reasons-no_changes': '*', 'reasons-repository_unreadable': '*', 'reasons-budget_exhausted': '*', 'reasons-price_unknown': '*', 'reasons-iterating': '*',
'reasons-base_merge': '*', 'reasons-rerun_refused': '*', 'reasons-rejected': '*', 'reasons-ended_by_person': '*', 'rivals-pull': '*',
'requirements-ask': 'rule what', 'refusals-not_possible_now': '*', 'refusals-no_card': '*', 'notes-edited_text_failed': '*',
'notes-edited_text_rejected': '*', 'notes-pull_changed': '*', 'notes-replies_denied': '*', 'notes-restarted': '*', 'restarts-run': 'repo id state',
'restarts-more': 'n', 'notes-campaign_empty': '*', 'excluded-target': 'repo why by', 'notes-campaign_query': '*', 'notes-link_failed': '*',
'notes-pulls_adopted': '*', 'notes-arrivals_full': '*', 'notes-effect_stuck': '*', 'pullChanges-title': '*', 'pullChanges-base': '*',
'pullChanges-body': '*', 'pullChanges-draft': '*', 'pullChanges-locked': '*', 'pullChanges-queued': '*', 'pullChanges-auto_merge': '*',
'pullChanges-repo': '*', 'pullChanges-archived': '*', 'pullChanges-private': '*', 'pullChanges-head_deleted': '*', 'pullChanges-guarded': '*',
'pullChanges-required': '*', 'pullChanges-labels': '*', 'pullChanges-reviewers': '*', 'feedback-remarks': '*', 'remarks-asked': '*',
'feedback-denied': '*', 'feedback-step_changed_nothing': '*', 'feedback-acceptance_lost': '*', 'baseline-stopped': '*', 'baseline-mismatch': '*',
'baseline-mismatches': 'mismatches', 'baseline-failing': 'checks', 'baseline-flaky': 'checks', 'baseline-otherVersion': 'command',
'commandFailures-no_program': '*', 'commandFailures-no_network': '*', 'commandFailures-registry_refused': '*', 'commandFailures-registry_down': '*',
'commandFailures-bad_certificate': '*', 'commandFailures-proxy_refuses': '*', 'commandFailures-wrong_version': '*', 'commandFailures-no_package': '*',
'policyWords-title': 'decision risk version', 'policyWords-stated': 'policy reason guards', 'policyWords-raised': 'level finding reason',
'policyWords-can-change_settings': 'settings', 'policyWords-ownPolicy': 'name', 'policyWords-list-policies': 'version',
'policyWords-list-denies': 'denies', 'policyWords-list-escalates': 'escalates', 'policyWords-list-allows': 'allows',
'policyWords-list-allOf': 'conditions', 'policyWords-list-setting': 'name value', 'policyWords-list-elsewhere': 'repositories',
'policyWords-last-push': 'when says', 'policyWords-last-open_pr': 'when says', 'policyWords-refused': 'when says', 'policyWords-noRun': 'run',
'calendar-date': 'day month',
};
