/** Written by `npm run sentences` from `bot/sentences`: every sentence, with what it needs. */
type Listed = readonly (string | number)[];
type Counted = number | Listed;
type Shown = string | Counted;
type Texts<Key extends string> = { readonly [K in Key]: string };
export type SentenceTree = Texts<'listSeparator'> & { headings: Texts<'QUEUED' | 'DISCOVERY' | 'PLAN_READY' | 'IMPLEMENTING' | 'LOCAL_VALIDATING' | 'PUSHED' | 'CI_WAIT' | 'REVIEW_WAIT' | 'ITERATING' | 'PAUSED' | 'DONE' |
'SKIPPED' | 'NEEDS_HUMAN_REVIEW' | 'FAILED_RETRYABLE' | 'FAILED_TERMINAL'>;
states: Texts<'QUEUED' | 'DISCOVERY' | 'PLAN_READY' | 'IMPLEMENTING' | 'LOCAL_VALIDATING' | 'PUSHED' | 'CI_WAIT' | 'REVIEW_WAIT' | 'ITERATING' | 'PAUSED' | 'DONE' |
'SKIPPED' | 'NEEDS_HUMAN_REVIEW' | 'FAILED_RETRYABLE' | 'FAILED_TERMINAL'>;
doing: Texts<'card' | 'opening' | 'pushing'>;
verdicts: Texts<'RED' | 'PENDING' | 'GREEN' | 'GREEN_REQUIRED' | 'GREEN_SEEN' | 'AWAITING_MAINTAINER' | 'NO_CI'>;
progress: Texts<'created' | 'repeat' | 'agent'> & { stray: (chat: Shown) => string; fix: (n: Shown, of: Shown) => string; plan: (done: Shown, of: Shown) => string; check: (name: Shown) => string;
tookBefore: (time: Shown) => string; moreChecks: (n: Shown) => string };
attention: { title: Texts<'plan' | 'human' | 'paused' | 'retry' | 'waits' | 'past' | 'asks'>; over: (state: Shown) => string };
ended: Texts<'done' | 'skipped' | 'failed'> & { cancelled: Texts<'title' | 'did'>; denied: Texts<'title' | 'did'>;
closed: { title: (by: Shown | null | undefined) => string; did: (by: Shown | null | undefined) => string }; took: (time: Shown) => string };
stops: Texts<'agent_missing' | 'auth_missing' | 'rate_limited' | 'quota_exhausted' | 'context_exceeded' | 'model_unavailable' | 'sandbox_denied' | 'permission_denied' |
'env_missing' | 'install_failed' | 'registry_unavailable' | 'registry_refused' | 'session_lost' | 'bad_config' | 'invalid_output' | 'agent_question' |
'crashed' | 'timed_out' | 'cancelled' | 'interrupted' | 'budget_exceeded' | 'price_unknown' | 'no_changes' | 'checks_failed' | 'push_rejected' |
'policy_denied' | 'repository_missing' | 'repository_archived' | 'not_allowed' | 'revert_impossible' | 'base_missing' | 'repository_empty' |
'unsafe_workspace' | 'bad_repository_file' | 'repository_unreadable' | 'moved_refused' | 'bucket_unavailable' | 'disk_full' | 'seal_moved' |
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
places: Texts<'hello'> & { removed: (name: Shown) => string; blocked: (name: Shown) => string };
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
grade: Texts<'title' | 'earlier' | 'judgedBy'> & { levels: Texts<'PASS' | 'NEEDS_REVIEW' | 'FAIL'> };
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
perhaps: Texts<'use' | 'other' | 'used' | 'unused'> & { asks: Texts<'changes' | 'closing' | 'permission' | 'permissionEdit'> };
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
shares: Texts<'firstCi' | 'needsHuman' | 'merged7' | 'merged30' | 'unanswered'>; counts: (yes: Counted, of: Counted) => string;
share: (name: Shown, share: Shown) => string; rate: (percent: Shown, low: Shown, high: Shown) => string;
ready: (half: Shown, most: Shown, of: Counted) => string; rounds: (half: Shown, most: Shown, of: Counted) => string;
perPull: (taps: Shown, sounds: Shown, time: Shown, fixes: Shown) => string; cost: (all: Shown, each: Shown) => string;
costUnknown: (runs: Counted) => string; usedUp: (budget: Shown) => string; failures: (all: Shown) => string;
by: Texts<'engine' | 'ecosystem' | 'repository' | 'prompt' | 'campaign'>; more: (n: Counted) => string;
period: (days: Shown | null | undefined) => string; chart: Texts<'ready' | 'attention'>;
columns: Texts<'name' | 'runs' | 'pulls' | 'firstCi' | 'needsHuman' | 'ready' | 'rounds' | 'iterations' | 'taps' | 'pings' | 'attention' | 'merged7' | 'merged30' |
'unanswered' | 'cost' | 'failures'>;
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
'campaign' | 'facts' | 'worked' | 'tokens' | 'engine' | 'base' | 'branch' | 'summary' | 'turns' | 'undecided' | 'cameOut' | 'textGone' | 'altered'> & { by: (name: Shown) => string; steps: Texts<'queued' | 'reading' | 'changing' | 'checking' | 'deciding' | 'ci' | 'review' | 'end'>;
size: (files: Counted, added: Shown, deleted: Shown) => string; outcomes: Texts<'passed' | 'failed' | 'timed_out' | 'not_run' | 'ran_no_test'>;
looks: (n: Shown) => string; more: (n: Counted) => string; verdicts: Texts<'allow' | 'escalate' | 'deny'>;
approvals: Texts<'open' | 'consumed' | 'void' | 'denied' | 'expired'>; replayed: (events: Counted) => string; turn: (n: Shown) => string;
turnVerdicts: Texts<'approved' | 'modified' | 'rejected' | 'waits'>;
evaluations: Texts<'under_way' | 'goes_on' | 'done' | 'unchanged' | 'asks' | 'waits' | 'invalid' | 'failed' | 'interrupted'>;
contextOf: (tokens: Counted, summarised: Counted) => string; proposalResults: Texts<'chosen' | 'passed_over' | 'denied' | 'invalid' | 'failed'>;
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
figures: Texts<'title' | 'csv' | 'chart' | 'table' | 'queues' | 'failures' | 'overTime' | 'week' | 'runs'> & { depths: Texts<'due' | 'later' | 'at_work'> } } };

/** By sentence, in their order; * is one record. */
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
'board-run-size': 'files added deleted', 'board-run-looks': 'n', 'board-run-more': 'n', 'board-run-replayed': 'events', 'board-run-turn': 'n',
'board-run-contextOf': 'tokens summarised', 'board-run-pickedBy': 'name', 'board-run-sizeOfProposal': 'lines', 'board-diff-files': 'n',
'board-diff-left': 'files lines', 'board-diff-more': 'n', 'board-diff-cut': 'n', 'board-diff-omitted': 'n', 'board-campaign-outOf': 'n all',
'board-campaign-why-checks': 'commands', 'board-campaign-why-moreFiles': 'paths', 'board-campaign-why-fewerFiles': 'paths',
'board-campaign-why-size': 'lines usual', 'board-campaign-why-waits': 'time usual', 'board-campaign-alike': 'n', 'board-campaign-merged': 'n of',
'board-campaign-eta': 'when', 'voiceProblems-long': '*', 'voiceProblems-big': '*', 'voice-length': 'unit n', 'cluster-passed': 'all of n',
'viewer-file': 'at of', 'viewer-hunk': 'at of', 'viewer-part': 'at of', 'report-since': 'by low high', 'insights-points': 'by low high',
'installation-units-minutes': 'n', 'installation-now': 'value isUsual usual', 'board-run-tokensIn': 'tokens seconds',
'board-run-proposerTotal': 'chosen turns tokens usd',
};
