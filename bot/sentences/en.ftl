# Every sentence that people read, in English. docs/translating.md says how this file is written.

listSeparator = {", "}

## What a run is doing

headings-QUEUED = Queued
headings-DISCOVERY = Reading
headings-PLAN_READY = Plan ready
headings-IMPLEMENTING = Working
headings-LOCAL_VALIDATING = Testing
headings-PUSHED = Ready for your decision
headings-CI_WAIT = Waiting for CI
headings-REVIEW_WAIT = In review
headings-ITERATING = Fixing
headings-PAUSED = Paused
headings-DONE = Done
headings-SKIPPED = Skipped
headings-NEEDS_HUMAN_REVIEW = Needs you
headings-FAILED_RETRYABLE = Trying again
headings-FAILED_TERMINAL = Failed
states-QUEUED = is waiting for a free slot
states-DISCOVERY = is reading the repository
states-PLAN_READY = is ready to start
states-IMPLEMENTING = is being worked on
states-LOCAL_VALIDATING = is running our checks
states-PUSHED = is waiting for your decision
states-CI_WAIT = is waiting for the repository’s checks
states-REVIEW_WAIT = is waiting for a review
states-ITERATING = is being fixed
states-PAUSED = is paused
states-DONE = is done
states-SKIPPED = was skipped
states-NEEDS_HUMAN_REVIEW = needs you
states-FAILED_RETRYABLE = failed; it tries again by itself
states-FAILED_TERMINAL = has failed
doing-card = is waiting for your decision on the card
doing-opening = is opening the pull request
doing-heldBack = is approved and waits to be opened
doing-approvedHeading = Approved, opens later
doing-held = is waiting for its turn to write on the code host
doing-pushing = is pushing
verdicts-RED = Checks are red.
verdicts-PENDING = Checks have not finished.
verdicts-GREEN = All checks are green.
verdicts-GREEN_REQUIRED = The required checks are green, others are not.
verdicts-GREEN_SEEN = All checks that we can read are green. Some we cannot read: look at them on GitHub.
verdicts-AWAITING_MAINTAINER = A maintainer must allow the checks to run.
verdicts-NO_CI = No checks ran: nothing was tested there.
progress-created = started
progress-repeat = (repeat)
progress-stray = I cannot write to the chat { $chat }, so this one comes to you:
progress-fix = fix { $n } of { $of }
progress-agent = the agent is working
progress-reading = the repository is being fetched and read
progress-plan = plan { $done } of { $of } steps
progress-check = our check { $name } is running
progress-tookBefore = took { $time } last time
progress-doing-command = runs { $text }
progress-doing-test = runs the check { $text }
progress-doing-edit = changes files: { $text }
progress-doing-read = reads: { $text }
progress-doing-tool = uses a tool: { $text }
progress-doing-says = says: { $text }
progress-doing-prints = prints: { $text }
progress-doing-waits = waits for its model
progress-dollarsAMinute = { $cost } a minute
progress-tokensAMinute = { NUMBER($tokens) } tokens a minute
progress-queued-now = ✉ for the agent, now: { $words }
progress-queued-after = ✉ for the agent, after this turn: { $words }
progress-heard = ✉ the agent heard, { $time }: { $words }
progress-moreChecks = +{ $n } more
progress-replyTells = Reply to tell the agent something.
attention-title-plan = PLAN
attention-title-human = NEEDS YOU
attention-title-paused = PAUSED
attention-title-retry = FAILED
attention-title-waits = STILL WAITING
attention-title-past = MOVED ON
attention-title-asks = ❓ THE AGENT ASKS
attention-over = This has moved on: it { $state }.
ended-done = DONE
ended-skipped = SKIPPED
ended-failed = FAILED
ended-cancelled-title = CANCELLED
ended-cancelled-did = was cancelled
ended-denied-title = DENIED
ended-denied-did = was denied
ended-closed-title = CLOSED BY { GIVEN($by) ->
        [yes] { $by }
       *[no] A MAINTAINER
    }
ended-closed-did = was closed by { GIVEN($by) ->
        [yes] { $by }
       *[no] a maintainer
    }
ended-unheard = ✉ the agent never heard: { $words }
ended-took = took { $time }

## Short names of the reasons at which runs stop

stops-agent_missing = agent not found
stops-auth_missing = not signed in
stops-rate_limited = asked to wait
stops-quota_exhausted = quota used up
stops-context_exceeded = task too large for the model
stops-model_unavailable = model did not answer
stops-sandbox_denied = refused by the sandbox
stops-permission_denied = permission denied
stops-env_missing = missing on this machine
stops-install_failed = installation failed
stops-registry_unavailable = package registry not working
stops-registry_refused = package registry refused us
stops-box_lost = machine or container engine went away
stops-session_lost = conversation lost
stops-bad_config = agent refused its settings
stops-invalid_output = no valid report
stops-agent_question = the agent asks something
stops-crashed = crashed
stops-timed_out = timed out
stops-cancelled = stopped on request
stops-interrupted = cut off by a restart
stops-budget_exceeded = its limit of tries, time or cost is used up
stops-price_unknown = price of the model unknown
stops-no_changes = nothing changed
stops-checks_failed = checks failed
stops-push_rejected = push refused
stops-policy_denied = forbidden by a policy
stops-repository_missing = repository not found
stops-repository_archived = repository archived
stops-not_allowed = closed to us
stops-revert_impossible = revert not possible
stops-base_missing = no such base branch
stops-repository_empty = repository without commits
stops-unsafe_workspace = unsafe to commit
stops-bad_repository_file = {"."}agentpr.json unreadable
stops-repository_unreadable = repository not readable
stops-transfer_refused = kept work was changed
stops-bucket_unavailable = bucket unavailable
stops-disk_full = disk full
stops-seal_moved = moved after the approval
stops-readback_mismatch = not what was approved
stops-forge_unavailable = code host did not answer
stops-forge_refused = code host refused
stops-chat_unavailable = chat did not answer
stops-chat_refused = chat refused
stops-merge_queue = in the merge queue
stops-pull_limit = too many open pull requests
stops-account_suspended = account suspended
stops-certificate_untrusted = certificate not trusted
stops-proxy_refused = proxy refused
stops-agreement_required = an agreement has to be signed
stops-answers_missing = needs something that only a person can give
stops-issue_not_free = the issue is closed, or assigned to somebody
stops-competing_pulls = somebody is already working on it
stops-ban_read_by_agent = may forbid AI
stops-possible_ban = may forbid AI
stops-rule_unmet = a rule not met
stops-ai_banned = the repository bans AI
stops-plan_step_blocked = step of the plan blocked
stops-plan_unchanged = plan changed nothing
stops-plan_too_long = plan too long
stops-push_unconfirmed = unknown what a push would publish
stops-pull_unconfirmed = unknown what a pull request would publish
stops-merge_conflicts = conflicts with the base
stops-pull_too_late = opened before it could be stopped
stops-updates_exhausted = updated too often
stops-foreign_head = somebody else pushed
stops-maybe_flaky = maybe flaky
stops-rerun_refused = checks could not be run again
stops-checks_red_on_base = red on the base, too
stops-access_lost = access lost
stops-push_blocked = pushes blocked
stops-seal_changed = not what was approved
stops-permission_asked = asks for a permission
stops-cannot_continue = cannot continue
stops-rejected = denied by a person

## Answers to commands and taps

log-outcome = { $outcome ->
    [timed_out] timed out
    [not_run] not run
    [ran_no_test] ran no test
   *[other] { $outcome }
}
log-exit = exit { $code }
log-none = Run { $id } has no output yet.
log-running = { $step } is still running; its output is kept when it ends.
log-noStep = There is no step { $step }. There are: { $steps }.
log-empty = It printed nothing.
log-plan = The rounds of the plan of run { $id }, a line each
log-earlierCalls = { $n ->
        [one] { $n } earlier call
       *[other] { $n } earlier calls
    } in the file
plan-none = Run { $id } has not read its repository yet.
plan-ecosystems = Built with
plan-install = Install
plan-checks = Checks
plan-given = given with the order
plan-noChecks = no checks were found ⚠
plan-only = only for { $patterns }
plan-leftToCi = Left to CI
plan-more = … and { $n } more
plan-rules = Rules of the repository
plan-rule = { $kind ->
    [ai_ban] AI ban
    [ai_limited] AI limits
    [ai_disclosure] AI disclosure
    [human_author] human author
    [human_words] human words
    [dco] DCO
    [cla] CLA
    [template] template
    [issue_first] issue first
    [changelog] changelog
    [base_branch] base branch
    [branch_name] branch name
    [commit_style] commit style
    [language] language
    [size] size
    [label_barred] barred label
    [trailer] trailer
    [vouch] vouching
    [elsewhere] elsewhere
   *[other] other
}
plan-branch = branches are named { $rule }
plan-titles = titles follow Conventional Commits
plan-template = pull requests have a template
plan-flags = Careful with
plan-own = {"."}agentpr.json
plan-asks = Before it starts
plan-steps = Plan of the agent
plan-byAgent = found by the agent
plan-outline = The agent would
budget-retries = Retries of this step: { $n } of { $of }
settings-you = You are { $id }, { $role }.
settings-language = Language of this chat: { $name }{ $chosen ->
        [yes] {""}
       *[no] {" "}(follows what you write; a button below keeps it)
    }
settings-changed = Language of this chat: { $name }
settings-updates-webhook = Messages arrive by webhook.
settings-updates-polling = Messages arrive by polling.
settings-signOff = { GIVEN($as) ->
        [yes] You sign off as { $as }.
       *[no] You do not sign off commits.
    }
settings-signsOff = Where a repository asks for a sign-off, the commits you ask for are signed off as { $as }.
settings-group = Only operators may choose the language of a group.
places-hello = Hello. I read commands, such as /status, and replies to my messages; I ignore everything else you say here.
places-removed = I was removed from { $name }. Its runs now ask you instead.
places-blocked = { $name } has blocked me. Their runs now ask you instead.
commandLine-pruned = Removed: { $containers ->
        [one] { $containers } container
       *[other] { $containers } containers
    }, { $images ->
        [0] no image
       *[other] { $images }
    }. Kept: { $kept ->
        [one] { $kept } image
       *[other] { $kept } images
    }.
ownKeys-title = Own keys
ownKeys-link = Your link to register a key of your own, for ten minutes and for one key. Open it in the browser that you will approve in:
ownKeys-open = Register a key
ownKeys-off = Keys need a board at an https address with a name: set AGENTPR_PUBLIC_URL.
ownKeys-alone = The link is personal: ask for it in our private chat.
ownKeys-revoke = Revoke { $name } { $key }
ownKeys-revoked = The key { $key } of { $name } is revoked: nothing that it signs counts any more.
ownKeys-unknown = There is no such key, or it is not yours.
ownKeys-needed = This one needs your own key. Approve it on its page:
ownKeys-decide = Open the page

repositoryNotes-title = NOTES
repositoryNotes-again-person = You asked for this in an earlier run of this repository, too:
repositoryNotes-again-maintainer = Reviewers asked for this in an earlier run of this repository, too:
repositoryNotes-before = In { $run } it was:
repositoryNotes-asks = Keep it as a note, and every agent of this repository is told these words. An approver decides.
repositoryNotes-keep = Keep as a note
repositoryNotes-keptBy = Kept as a note by { $name }.
repositoryNotes-keptNow = Kept. Every agent of this repository is told it from now on.
repositoryNotes-none = { $repo } has no notes.
repositoryNotes-nowhere = No repository has notes. What you ask for a second time is offered as one.
repositoryNotes-where = These repositories have notes:
repositoryNotes-forget = Forget { $no }
repositoryNotes-outcomes-known = It is a note already.
repositoryNotes-outcomes-full = This repository has 30 notes, which is the limit. Forget one first.
repositoryNotes-outcomes-unknown = There is no note with this number.
repositoryNotes-outcomes-unfit = A note has 1 to 300 characters.
setAside-title = Set aside
setAside-nothing = Nothing is set aside.
setAside-more = … and older ones
setAside-stopped = it stopped me twice
setAside-retry = Retry { $id }
setAside-retried = { $id } is handled once more. If it stops me again, I set it aside again.
setAside-dropped = { $id } is dropped.
setAside-unknown = Nothing with the number { $id } is set aside.
setAside-row = { $id } · { $source ->
    [chat] message
    [forge] delivery
    [note] note
   *[cli] order
} of { $at }: { $why }{ GIVEN($says) ->
    [yes] { "" } · “{ $says }”
   *[no] { "" }
}
users-invite = An invitation for one { $role }, valid for an hour: { $link }
users-inviteMany = Three of your invitations are still open. Wait for one to be used or to expire.
users-inviteAlone = I only hand out invitations in a private chat.
users-came = { $name } ({ $id }) accepted your invitation. Role: { $role }.
users-chosen = What may they do?
users-title = Who may do what
users-fixed = set on the host
users-added = Recorded. { $name } ({ $id }) has the role { $role } now.
users-removed = Recorded. { $name } ({ $id }) no longer has any rights.
users-unknown = I do not know { $id }.
users-unchangeable = { $id } is an admin by configuration: change TELEGRAM_ADMIN_IDS or SLACK_ADMIN_IDS on the host instead.
users-anonymous = That account stands for every anonymous admin of every group; it gets no rights.
replies-now = { $label } { $state }.
replies-wrong = Write it like this: { $form }
replies-unknown = I do not know /{ $name }.
replies-noRun = There is no run { $id }.
replies-recent = Recent runs:
replies-approved = Recorded: { $label } is approved.
replies-signed = Recorded: your signature on { $label }. More are needed.
replies-edited = Recorded. The new words are being checked; a new card follows, or the reason why not.
replies-lookFirst = Look at this card first; then confirm again.
replies-notForOpening-push = This card asks for a push, not a pull request. Use its buttons to decide.
replies-notForOpening-reply = This card asks to post answers to a review, not to open a pull request. Use its buttons to decide.
replies-riskFirst = This change is high risk. Read what is flagged below, then confirm again.
replies-merge = Merging is always up to you: I never do it.{ FILLED($pull) ->
        [yes] {" "}{ $pull }
       *[no] {""}
    }
replies-noneFits = No run allows that right now. /status lists them all.
replies-endedRun = { $label } has ended: { $state }. A new run can begin with the same order.
replies-notNow = That cannot be done now: { $label } { $state }.
replies-told = Queued for the agent of { $run }. It hears it after this turn, unless you tap Now.
replies-dropEnds = This ends { $run }: it has no pull request, so everything that its agent did is gone. Sure?
replies-drops = This stops the agent of { $run } and takes away what it changed since the last push. The pull request stays. Sure?
replies-keeps = This stops the agent of { $run } now. What it changed so far is kept and checked, as if it had ended. Sure?
replies-hostDrops = This takes away what the agent of { $run } changed since the last push. Without a pull request the run ends.
replies-toldLater = No agent is listening now: the run { $state }. Pause it first, or wait for its card.
replies-otherEngine = A run keeps its engine. A tap starts the same order again with { $engine }; cancel the old run when you no longer need it.
replies-allowance = { $left } of { $daily } runs can still start within 24 hours ({ $used } did). { $busy } of { $parallel } run now.
replies-whichOne = Which run? Name it by its repository, its id or its place in /status.
replies-busy = I may only send so many messages here, so I left your last questions unanswered. Ask again once these answers have arrived.
replies-answeredDirectly = I answer in our direct messages.
replies-setAside = Your last message stopped me twice, so I set it aside and changed nothing. Please say it in other words.
replies-changedRecord = I could not do that, and changed nothing: the record of a card was changed in the database. The operator runs `agentpr replay --all`, which names what was changed, and restores a backup. Other runs go on.
replies-givenUp = I could not do that, and changed nothing: { $why } The log on the host says more.
tap-forged = This button is not one of mine, or it is too old. Ask for a fresh card with /pending.
tap-foreign = This button belongs to another chat.
tap-stale = This card was replaced by a newer one; use that one.
tap-unsent = This card is still being recorded. Tap again in a moment.
tap-busy = Too many answers are still on their way. Tap again once they have arrived.
tap-gone = What this button was for is no longer known. Ask for a fresh card with /pending.
tap-approvedBy = Already approved{ FILLED($name) ->
        [yes] {" "}by { $name }
       *[no] {""}
    }.
tap-deniedAlready = Already closed: { $reason }
tap-expired = This card expired at { $time }. A new one is below.
tap-changedRecord = The record of this card was changed in the database. The operator runs: agentpr replay { $run }
tap-voidedAlone = This card is void.
tap-voided = This card is void: { $reason }
tap-moved = What this card showed is not what would be published now. Look at the newest card.
tap-movedOn = The run has moved on since this message: it { $state }.
tap-lapsed = { $names } signed this card but may no longer approve. /deny { $run }, then /retry { $run } for a new card.
tap-notArmed = Confirm is for whoever tapped the button before it. Tap that one first.
tap-armedOver = Confirm was good for a minute, until { $time }. Tap the button before it again.
tap-arm = Tap Confirm within 60 seconds.
tap-readFirst = High risk: read what is flagged below, then tap again.
tap-disarmed = Nothing was done.
tap-approved = Recorded: approved.
tap-signed = Recorded: signed. More signatures are needed.
tap-denied = Recorded: denied.
tap-done = Recorded.
tap-duplicate = That tap was recorded before.
tap-shown = See below.
tap-passed = Recorded: the agent gets these words.
tap-takenBack = Recorded: the earlier change is checked again, and gets a new card.
tap-passedAlready = Already passed on by { $name }.
tap-longer = The words are longer than this message shows. Read all of them below, then tap again.
connection-party-chat = { $name }
connection-party-forge = { $name }
connection-party-engine = Engine { $name }
connection-away = cannot be used
connection-back = works again after { $time }
connection-meanwhile-chat = Nothing you sent is lost: it is handled now.
connection-meanwhile-forge = Runs that waited for it go on.
connection-meanwhile-engine = Runs that failed without it can be retried.
foreign-what = { $commits ->
        [1] Commit { $sha }
       *[other] { $commits ->
                [one] { $commits } commit
               *[other] { $commits } commits
            } up to { $sha }
    }
foreign-by = by { $author }
foreign-size = { $files ->
        [one] { $files } file
       *[other] { $files } files
    }, +{ $added } −{ $deleted } since our last push
foreign-over = It was pushed over our commits (force-push): they are no longer on the branch.
foreign-reading = It is being read…
foreign-taking = { $by } is taking it; the code host is asked once more…
foreign-choose = Take it to go on from there, remove it on the code host, or cancel the run.

## Screens about runs, changes and risks

fleet-title = { $live ->
        [one] { $live } run is live
       *[other] { $live } runs are live
    }
fleet-none = Nothing is running. Start with /new owner/name what to change
fleet-attention = What needs you most
fleet-calm = Nothing is waiting for you.
fleet-runs = Newest runs
fleet-noRuns = There are no runs yet. Start with /new owner/name what to change
fleet-pending = { $n ->
        [one] { $n } run is waiting for somebody
       *[other] { $n } runs are waiting for somebody
    }
fleet-more = … and { $n } more
fleet-alikeQuestions = { $n } agents ask for the same
fleet-answerAlike = Answer all { $n } together
fleet-decideLow = Low risk: { $n } in one list
fleet-noLow = No low-risk change is waiting that could be decided in a list.
fleet-next = Next decision
fleet-noNext = Nothing else is waiting for you.
fleet-does-approval = Decide
fleet-does-human = See why
fleet-does-paused = Resume
fleet-does-plan = Plan
fleet-waits-approval = waiting for your decision
fleet-waits-human = needs you
fleet-waits-paused = paused
fleet-waits-plan = look at the plan
detail-asked = { $name } asked for this { $when }:
detail-changed = { $engine } changed { $files ->
        [one] { $files } file
       *[other] { $files } files
    } ({ $size }) in { $time }; about { $minutes ->
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    } to review.
detail-pushed = It is on the branch { $branch }.
detail-notPushed = Nothing of it is pushed yet.
detail-moreChecks = … and { $n ->
        [one] { $n } more check
       *[other] { $n } more checks
    }: see /log
detail-policies = Policies
detail-noPolicies = none objected
detail-onBaseToo = fails on { $ref } too
detail-record = For the record
detail-run = Run
detail-commit = Commit
detail-seal = Digest of what is approved
detail-attempts = What was run
detail-spent = { $n } of { $of } fixes after the pull request used · { $time } of work · { $tokens } tokens
grade-title = Grade
grade-earlier = Grades of all tries
grade-levels-PASS = PASS
grade-levels-NEEDS_REVIEW = NEEDS REVIEW
grade-levels-FAIL = FAIL
grade-gradedBy = judged by
policies-actions-push = push
policies-actions-open_pr = opening
policies-decisions-deny = denied
policies-decisions-escalate = a person decides
policies-decisions-allow = allowed
policies-raises = What raises the risk:
policies-can-deny = Nobody can sign this. Retry, and the agent is told the reasons; or end the run.
policies-can-escalate = Read it and sign it, or deny it with a reason, which the agent is told.
policies-can-allow = Ready for approval.
risk-title = What to look at before deciding
risk-findings = Findings
risk-nothing = No single line is flagged; the reasons above say why.
diff-caption = { $repo } · { $id } · { $sha }
diff-fix = what the fix changes since { $sha }
diff-unfinished = unfinished: what the stopped agent left, not committed yet
diff-atWork = unfinished: what the agent has changed so far; it is still at work
diff-elsewhere = Another worker has the files of { $id } while its agent works. Pause the run, or wait for its checks, to see them.
diff-unchanged = The agent of { $id } has changed nothing so far, or nothing that can be read now.
diff-omitted = { $bytes } bytes do not fit
diff-hidden = { $n ->
        [one] { $n } line has
       *[other] { $n } lines have
    } a secret hidden and { $n ->
        [1] ends
       *[other] end
    } with ⟦hidden⟧
diff-signs = ⟦…⟧ marks what you could not see: bytes (⟦0d⟧) or a character (⟦U+202E⟧)
diff-none = Run { $id } has no change to show yet.
text-heading = PR text
text-branch = Branch
text-author = Author
text-signer = Signed with the SSH key
text-commit = { $of ->
        [1] Commit message
       *[other] Commit message { $n } of { $of }
    }
text-title = Title of the pull request
text-opens = Labels, reviewers, assignees
text-body = Description of the pull request
text-newBody = New description of the pull request
text-receipt = (then one line, folded away: run, digest, policies and who approves; for you, { GIVEN($name) ->
        [yes] the name { $name }
       *[no] a code that stands for you
    })

## Roles, the welcome and the help

hints-edited = Edited messages are ignored. Send it again as a new message.
hints-forwarded = Forwarded messages are ignored. Write the command yourself.
hints-anonymous = Anonymous admins and channels cannot give commands. Write as yourself.
hints-textless = I only read text, a picture with words below it, and voice notes. Anything else, such as a sticker or several pictures at once, is ignored: send the words as a message.
hints-inline = Inline messages are ignored. Use the buttons in this chat.
welcome-hello = Hello { $name }, I am AgentPR.
welcome-what = Tell me what to change in a repository. An agent makes the change, I check it, and you read every line here before a pull request is opened. I never merge.
welcome-role = Your role: { $role }. { $rights }
welcome-rights-viewer = You can look at everything; only operators can change something.
welcome-rights-operator = You can ask for changes and steer them; approvers decide what is published.
welcome-rights-approver = You can ask for changes, and you decide what is published.
welcome-rights-admin = You can do everything, and you say who may do what.
welcome-repositories = Your repositories here:
welcome-account = Any repository that { $account } can read will do: write owner/name, or paste its link.
welcome-example = in { $repo }: fix a typo in the README
welcome-exampleOf = Fix a typo in { $repo }
welcome-try = Try it: tap the example. Nothing starts until you tap again.
welcome-pending = What needs me?
welcome-help = What can I do?
welcome-tryLooking = Try it: ask what is going on.
help-title = What do you want to do?
help-words = You can also just write it: “what’s waiting for me?”, “retry the api one”, “pause 2”. A run is named by its number in /status, its repository or its id, or by replying to its message.
help-meant = I do not know /{ $name }. Did you mean /{ $near }?
help-back = All topics
help-none = There is nothing here for your role.
help-options = Options go at the end: base=main engine=codex flow=plan check="npm test" title="…" branch=… budget=cost:2
roles-names-viewer = viewer
roles-names-operator = operator
roles-names-approver = approver
roles-names-admin = admin
roles-stranger = I do not know you yet. Ask an admin to add your id: { $id }
roles-needs = Only { $role }s may do that; ask an admin.

## The model of the chat

model-asking = I am asking { $name }. Its answer replaces this message within { $seconds } seconds, if it has one.
model-says = { $name }, a model, says:
model-silent = { $name } had no answer either.
model-cutOff = I was restarted before { $name } had answered. Please ask again.
model-spent = The model has used up its tokens for today.
model-busy = The model is still answering an earlier question; ask again in a moment.
model-long = That is too long for the model as well.

## Voice notes

voice-heard = I heard this. Nothing happens until you tap.
voice-use = Use these words
voice-drop = No
voice-used = Used:
voice-dropped = Not used:
voice-notYours = Only whoever said this may use it.
voice-already = That has been decided already.
voice-noCommand = A command that an agent runs has to be written: a transcript may differ from it in one letter. Reply to the question in writing.

## Pictures with an order

slackCut = … cut here: Slack takes no more in one message. All of it is on the board (`board`) and on the host (`agentpr run show`).
pictures-goesAlong = With your picture
pictures-unseen = { $engines } cannot be shown pictures: the agent gets your words alone.

## Voice notes that cannot be used

voiceProblems-off = I cannot hear voice notes: no transcriber is set up here. Write the words, or let the operator set chat.voice in agentpr.config.json (docs/voice.md).
voiceProblems-spent = Voice notes have used up today’s { $minutes } minutes (UTC). Write the words, or raise chat.voice.minutesPerDay.
voiceProblems-gone = Telegram no longer has that voice note, or it is larger than it said. Send it again, or write the words.
voiceProblems-broken = That recording cannot be read: it is not Opus sound in an Ogg file, or it is cut off. Send it again, or write the words.
voiceProblems-silent = I heard no words in that. Say it again, closer to the phone, or write it.
voiceProblems-wordy = The transcript has more than { $most } characters. Say it in shorter voice notes.
voiceProblems-down = The transcriber { $name } gave no transcript. Nothing was done. Send it again, or write the words.
voiceProblems-slow = The transcriber { $name } had no transcript within { $seconds } seconds. Nothing was done. Send it again, or write the words.

## Several engines for one goal

turns-ends-passed = checks green
turns-ends-checks_failed = checks failed
turns-ends-denied = denied by policy
turns-ends-no_changes = changed nothing
turns-ends-failed = failed
turns-tokens = { NUMBER($n) } tokens
turns-unpriced = { NUMBER($n) } tokens, cost unknown
turns-notComparable = their costs cannot be compared

## Questions of agents for permission

permission-title = PERMISSION
permission-asks-command = The agent asks to run this, once:
permission-asks-tool = The agent asks to use its tool “{ $tool }”, once, with this:
permission-asksEach-command = { $n } agents ask to run this, once each:
permission-asksEach-tool = { $n } agents ask to use their tool “{ $tool }”, once each, with this:
permission-allowEach = Allow once in each ({ $n })
permission-denyEach = Deny in each ({ $n })
permission-answeredEach = { $left ->
        [0] Recorded in { $n ->
                [one] { $n } run
               *[other] { $n } runs
            }.
       *[other] Recorded in { $n ->
                [one] { $n } run
               *[other] { $n } runs
            }; { $left } no longer asked.
    }
permission-why = Why you are asked
permission-alternatives = Instead, { $proposer } proposes{ GIVEN($tool) ->
        [yes] {" "}({ $tool })
       *[no] {""}
    }, { $risk }:
permission-pick = Allow { $proposer }’s once
permission-picked = Recorded: { $proposer }’s proposal is allowed in its place, once.
permission-nobodySaid = no policy allows or forbids it
permission-waits = Nothing runs and nothing is spent until you answer. No answer is a no.
permission-tooLong = It is longer than a card can show, so it cannot be allowed here.
permission-allow = Allow once
permission-allowSort = Allow “{ $sort } …” in this run
permission-sortMeans = “{ $sort } …” means every command with these words and options, nothing but plain names after them and no other objection, until this run ends or somebody revokes it.
permission-allowedSort = Recorded: “{ $sort } …” is allowed in this run. /revoke takes it back.
permission-stands = Allowed in this run: “{ $sort } …” ({ $by })
permission-revoke = Ask me again
permission-deny = Deny
permission-denyWords = Deny with words
permission-edit = Edit
permission-allowed = Recorded: allowed, once.
permission-denied = Recorded: denied. The agent is told.
permission-ask = What should the agent know, or do instead? Reply to this message.
permission-askEdit = Which command should run in its place, once? Reply to this message with the whole command.
permission-edited = Recorded: allowed, once, as you changed it:
permission-editDenied = Policies do not allow that command. The question is still open.
permission-editLong = Nobody could read all of that: at most { $most } characters, please. The question is still open.
permission-over = This question is settled: nothing was done.

## Buttons for text that may mean several things

guesses-which = I am not sure what you mean. Is it one of these?
guesses-nothing = I have changed nothing. Is it one of these?
guesses-later = I do nothing at another time or once something has happened. Say it again when it is time.
guesses-spoken = What should I do with these words?
guesses-order = Start a run with these words
unfinished-repository = Which repository? Tap one, or send its name, such as owner/name.
unfinished-repositories = Which repositories? Tap, or send their names in one message.
unfinished-all = All { $n }
unfinished-goal = What should change in { $repositories }? Send it as your next message.
unfinished-rest = This message is as long as Telegram allows. Send the rest now; it is joined to this one.
unfinished-isAll = That is all of it
unfinished-dropped = Left. Nothing was started.
guesses-does-status = How things stand
guesses-does-pending = What is waiting for me
guesses-does-runs = All runs
guesses-does-help = Help
guesses-does-detail = Details
guesses-does-diff = The change
guesses-does-log = The log
guesses-does-plan = The plan
guesses-does-budget = What it cost
guesses-does-settings = Settings
guesses-does-users = Who may do what
guesses-does-report = Report
guesses-does-insights = What costs attention
guesses-does-campaign = Campaigns
guesses-does-batch = A change in many repositories
guesses-does-new = A new run
guesses-does-fix = Tell the agent something
guesses-does-retry = Retry
guesses-does-resume = Resume
guesses-does-pause = Pause
guesses-does-cancel = Cancel
guesses-does-skip = Skip
guesses-does-update = Update from base
guesses-does-done = Mark as done
guesses-does-deny = Deny
guesses-does-approve = Look at the card
guesses-does-merge = Merge
guesses-does-en = Speak English
guesses-does-zh = Speak Chinese

## Denials, and what agents are told of them

denials-chips-approach = Wrong approach
denials-chips-big = Too big
denials-chips-tests = Tests missing
denials-chips-unneeded = Not needed
denials-chips-none = No reason
denials-asks = Why deny it?
denials-asksWhy = Why deny it? A button ends the run; words that you write now go to the agent, which tries again.
denials-asksChanges = What should change? Write it now, or reply to this card: the agent goes on at once.
denials-ask = What should change? Write it here: the agent goes on at once.
denials-askBelow = Reply to the message below.
answer-ask = What do you want to know? Write it here: the agent answers, and nothing is changed.
answer-sent = Asked. The answer comes here; a card stays as it is, and you can decide on it meanwhile.
answer-questions = Questions to the agent
answer-open = The agent is asked.
answer-asked = { $by } asked the agent
answer-says = The agent says, in its own words:
answer-silent = The agent ended without an answer.
answer-movedOn = Not answered: the run went on first. Ask again once its next card is there.
answer-failed = Not answered. { $why }
answer-cardStays = The card is unchanged. Decide on it whenever you like.
denials-asked = Sent to the agent: it goes on.
denials-captionOnly = Sent to the agent: it goes on. It gets your words; the picture stays here.
denials-pictureStays = The agent gets your words; the picture stays here.
denials-perhaps-asks-changes = Should the agent change this?
denials-perhaps-asks-question = Ask the agent this?
denials-perhaps-asks-closing = Close the pull request with this sentence?
denials-perhaps-asks-answer = Answer the comment with this?
denials-perhaps-asks-permission = Is this your answer to the agent?
denials-perhaps-use = Yes, use these words
denials-perhaps-other = No, I meant something else
denials-perhaps-used = Sent as your answer:
denials-perhaps-unused = Not an answer:
denials-whichForm = I asked you for words more than once here, and cannot tell which question that answers. Nothing was done with it: send it again as a reply to my newest question.
denials-why-approach = it is the wrong approach
denials-why-big = it is too big
denials-why-tests = tests are missing
denials-why-unneeded = it is not needed
denials-told-approach = An approver refused the change: it is the wrong approach. Reach the goal another way.
denials-told-big = An approver refused the change: it is too big. Reach the goal with a smaller change, and leave out whatever it does not need.
denials-told-tests = An approver refused the change: tests are missing. Add tests for what it changes.
denials-told-unneeded = An approver refused the change: it is not needed.

## Settings that cannot be used

settingsProblems-mustBeHttps = { $name } must be https: { $is }
settingsProblems-pagesAddress = GITHUB_API_URL is the address of the pages: { $is }. The API is at https://api.{ $host }
settingsProblems-plainAddress = GITHUB_URL must be an address like https://host, without a user or anything behind it.
settingsProblems-plainBotApi = TELEGRAM_API_ROOT must be https: { $is }. Over http, everybody on the way could read the token of the bot; for a Bot API server of your own in a network that you trust, set TELEGRAM_API_ALLOW_HTTP=yes.
settingsProblems-together = { $names } are needed together.
settingsProblems-noPrivateKey = GITHUB_APP_PRIVATE_KEY is not a private key: give the text of the .pem file that GitHub made, on one line with \n between its lines.
settingsProblems-noModelKey = { $name } is missing (environment or .env): the model of the chat needs its key (chat.model).
settingsProblems-noVoiceKey = { $name } is missing (environment or .env): the transcriber of voice notes needs its key (chat.voice).
settingsProblems-noProgramSecret = { $name } is missing (environment or .env), or is shorter than { $least } characters: arrivals.hooks.{ $hook } needs the secret that the program signs with.
settingsProblems-noHookSecret = { $name } is missing (environment or .env), or is not a secret of 24 bytes or more in base64: arrivals.hooks.{ $hook } needs it. Make one with `openssl rand -base64 32`.
settingsProblems-noCommentToken = { $name } is missing (environment or .env): arrivals.hooks.{ $hook } needs the key that comments are posted with. Or take `comment` out.
settingsProblems-previousAlone = GITHUB_WEBHOOK_SECRET_PREVIOUS needs GITHUB_WEBHOOK_SECRET, the secret that replaces it.
settingsProblems-publicAlone = AGENTPR_PUBLIC_URL needs GITHUB_WEBHOOK_SECRET: without it anybody could pose as GitHub. Make one with `openssl rand -hex 32`.
settingsProblems-noBucketName = AGENTPR_BUCKET_URL must end with the name of the bucket: { $is }
settingsProblems-oddPercent = OTEL_EXPORTER_OTLP_HEADERS has a % that encodes nothing; write %25 for it.
settingsProblems-prismaSchema = DATABASE_URL says schema={ $schema }, which Postgres does not know (Prisma does), so that tables would go elsewhere. Say ?options=-csearch_path%3D{ $encoded }, or give the user that search_path.
settingsProblems-holdsVariable = { $name } holds a variable ({ $is }), which is not filled in here. Write the whole path.
settingsProblems-quotedPath = { $name } begins with a quotation mark ({ $is }). Write the path without it.
settingsProblems-otherHome = { $name } begins with ~ ({ $is }), which is your own home only. Write the whole path.
settingsProblems-roleAlone = The role { $role } needs a ledger that several processes can write: set DATABASE_URL to a Postgres.
settingsProblems-foreignAddress = { $host } is not an address of this machine. Set AGENTPR_HTTP_HOST to one, or leave it empty.
settingsProblems-portTaken = Port { $port } of { $host } is in use by another program. Stop it, or set AGENTPR_HTTP_PORT.
settingsProblems-networkNeedsBox = `network` in agentpr.config.json takes the network away from scripts, installations or checks, which needs a sandbox. Install bubblewrap, or allow them the network.
settingsProblems-hostsNeedContainers = `boxes` in agentpr.config.json names other machines, on which commands run in containers. Set AGENTPR_SANDBOX=container, or take `boxes` out.
settingsProblems-noSuchBox = { $says }. { $fix } Or accept a weaker sandbox with AGENTPR_SANDBOX=auto.
settingsProblems-isUtf16 = { $file } is written in UTF-16 (editors call it Unicode). Save it as UTF-8.
settingsProblems-isNotUtf8 = { $file } is not written in UTF-8. Save it as UTF-8.
settingsProblems-noToolRows = toolRows names { $folder }, which cannot be read: { $says }
settingsProblems-repeated = agentpr.config.json:{ $line }: { $key } stands there twice. Remove one of the two.
settingsProblems-line = { $file }, line { $line }: { $says }
settingsProblems-curlyQuote = { $name } has a curly quotation mark ({ $mark }). Write straight ones (") or none.
settingsProblems-hashInside = the # in { $name } would begin a comment. Put the value into single quotation marks: { $name }='…'.
settingsProblems-noAssignment = there is no NAME=value in it. Write one on each line, and # before a comment.
settingsProblems-openQuote = the quotation mark ({ $mark }) before the value of { $name } has no end. Add it, or leave it out.
settingsProblems-afterQuote = something follows the quotation mark ({ $mark }) at the end of { $name }. Use another kind of quotation marks around a value that has them.

## The page about receipts

receiptPage-title = How to read an AgentPR receipt
receiptPage-lead = A pull request that ends with a folded line “AgentPR receipt” was written by a coding agent, and a person approved exactly what was published before it was opened.
receiptPage-saysTitle = What it says
receiptPage-says-run = the operator’s name for this piece of work; ask the operator about it
receiptPage-says-digest = SHA-256 over all that the person was shown
receiptPage-says-policies = the rules that judged the change before the person did
receiptPage-notTitle = What it does not say
receiptPage-not = That the change is good, that its tests pass, or that the person read all of it. You decide. If you edit title or description, or push to the branch, the receipt says so when it is checked; you may do that.
receiptPage-checkTitle = How to check it
receiptPage-check = You need the address of the pull request, Node, and the keys that the operator publishes. You need nothing else from the operator:
receiptPage-keys = Take the keys from a place that you know to be the operator’s. A link in a pull request can lead anywhere: a forger would publish keys too.
receiptPage-theirs = The keys of this installation

## Cards for several changes

cluster-asks-open = { $n ->
        [1] Open this pull request?
       *[other] Open these { $n } pull requests with the same change?
    }
cluster-asks-push = { $n ->
        [1] Push this change?
       *[other] Push the same change to { $n } repositories?
    }
cluster-asksMixed-open = { $n ->
        [1] Open this low-risk pull request?
       *[other] Open these { $n } low-risk pull requests?
    }
cluster-asksMixed-push = { $n ->
        [1] Push this low-risk change?
       *[other] Push these { $n } low-risk changes?
    }
cluster-eachByItself = Each is a change of its own and is signed by itself. Diff has every byte.
cluster-over = DECIDED
cluster-decided = { $n ->
        [one] { $n } change
       *[other] { $n } changes
    }
cluster-each = { $size } in { $files ->
        [one] { $files } file
       *[other] { $files } files
    } each
cluster-openAll = open { $n ->
        [one] { $n } pull request
       *[other] { $n } pull requests
    }
cluster-bothAll = push the branches and open { $n ->
        [one] { $n } pull request
       *[other] { $n } pull requests
    }
cluster-pushAll = push { $n ->
        [one] { $n } change
       *[other] { $n } changes
    }
cluster-around = { $n ->
        [1] the lines around the change differ in one of them
       *[other] the lines around the change differ in { $n } of them
    }
cluster-aroundAll = the lines around the change differ between the repositories
cluster-apart = { $n ->
        [1] One more of this campaign is different and has its own card.
       *[other] { $n } more of this campaign are different and have their own cards.
    }
cluster-shownAs = Shown as it is in { $repo }; each repository has its own name there
cluster-more = … and { $n } more: Show each
cluster-moreGone = … and { $n } more that cannot be decided here any more
cluster-approve = Approve { $n }
cluster-confirm = Confirm { $n }
cluster-takeOut = Take one out
cluster-showEach = Show each
cluster-whichOut = TAKE OUT
cluster-whichEach = SHOW EACH
cluster-page = page { $at }/{ $of }
cluster-approved = Recorded: { $n } approved.
cluster-signed = Recorded: { $n } signed. More signatures are needed.
cluster-some = Recorded: { $n } signed, { $not } not. See below.
cluster-none = Nothing was approved. See below.
cluster-fell = { $n ->
        [1] One was not approved:
       *[other] { $n } were not approved:
    }
cluster-highAlone = High risk is approved on a card of its own.
cluster-nothing = Nothing on this card can be decided any more.
cluster-takenOut = Taken out: { $repo } has its own card now.
cluster-file = Every byte of { $n ->
        [one] { $n } change
       *[other] { $n } changes
    }
cluster-unread = The change of { $repo } cannot be read now. Take it out, or try again later.

## Pages of a diff

viewer-title = DIFF
viewer-back = ◀ Hunk
viewer-on = Hunk ▶
viewer-fileBack = ◀ File
viewer-fileOn = File ▶
viewer-risky = Next ⚠ file
viewer-picture = Picture
viewer-sides-before = Before
viewer-sides-after = After
viewer-noPicture = Neither side of this file is a picture that I can show: PNG, JPEG, GIF or WebP, at most 5 MB.
viewer-toCard = Back to the card
viewer-end = There is no more in this direction.
viewer-over = The change has moved on since these pages. Tap Diff on the newest card, or write /diff.

## Reports

report-title = { GIVEN($days) ->
        [yes] Report of the last { $days ->
                [one] { $days } day
               *[other] { $days } days
            }
       *[no] Report of all runs
    }
report-none = No runs were ordered in this period.
report-late = Older runs are still being counted; ask again in a minute.
report-size = { $runs ->
        [one] { $runs } run
       *[other] { $runs } runs
    }, { $pulls ->
        [one] { $pulls } pull request
       *[other] { $pulls } pull requests
    }.
report-shares-firstCi = CI green on the first commit
report-shares-needsHuman = Stopped for a person
report-shares-merged7 = Merged within 7 days
report-shares-merged30 = Merged within 30 days
report-shares-survived30 = Still there 30 days after the merge
report-shares-survived90 = Still there 90 days after the merge
report-shares-reverted = Reverted
report-shares-unanswered = Remarks left unanswered
report-counts = { NUMBER($yes) } of { NUMBER($of) }
report-share = { $name }: { $share }
report-rate = {" "}({ $percent } %; 95 % interval { $low }–{ $high } %)
report-ready = From the order to the first card: median { $half }, 90 % within { $most } ({ $of ->
        [one] { $of } run
       *[other] { $of } runs
    })
report-rounds = A round of the agent: median { $half }, 90 % within { $most } ({ $of ->
        [one] { $of } round
       *[other] { $of } rounds
    })
report-perPull = Each pull request took { $taps } taps, { $sounds } sounds, { $time } of attention and { $fixes } fixes
report-cost = Models: { $all }, { $each } for each pull request
report-costUnknown = Cost unknown: { $runs ->
        [one] { $runs } run
       *[other] { $runs } runs
    }
report-usedUp = no budget left ({ $budget })
report-failures = What failed: { $all }
report-by-engine = Engines
report-by-ecosystem = Ecosystems
report-by-repository = Repositories
report-by-prompt = Prompt versions
report-by-campaign = Campaigns
report-unnamed = unknown
report-more = and { NUMBER($n) } more in the table
report-period = { GIVEN($days) ->
        [yes] { $days } days
       *[no] All
    }
report-chart-ready = From the order to the first card, median
report-chart-attention = Attention for each pull request
report-whole = The whole table
report-columns-name = Group
report-columns-runs = Runs
report-columns-pulls = PRs
report-columns-firstCi = CI green first
report-columns-needsHuman = Stopped for a person
report-columns-ready = First card, p50 / p90
report-columns-rounds = Agent’s round, p50 / p90
report-columns-iterations = Fixes / PR
report-columns-taps = Taps / PR
report-columns-pings = Sounds / PR
report-columns-attention = Attention / PR
report-columns-merged7 = Merged, 7 days
report-columns-merged30 = Merged, 30 days
report-columns-survived = Still there, 30 / 90 days
report-columns-reverted = Reverted
report-columns-unanswered = Unanswered
report-columns-cost = Cost
report-columns-failures = What failed
report-all = All
report-caption = Report by group: { $group }. Intervals of 95 % (Wilson).

## What costs attention

insights-title = { GIVEN($days) ->
        [yes] What cost attention in the last { $days ->
                [one] { $days } day
               *[other] { $days } days
            }
       *[no] What cost attention, in all runs
    }
insights-total = { $runs ->
        [one] { $runs } run
       *[other] { $runs } runs
    }: { $spent }.
insights-spent = { $time }, { $taps ->
        [one] { $taps } tap
       *[other] { $taps } taps
    }, { $sounds ->
        [one] { $sounds } sound
       *[other] { $sounds } sounds
    }
insights-sorts-failure = What runs stopped for
insights-sorts-skill = Prompts
insights-sorts-engine = Engines
insights-sorts-repository = Repositories
insights-stopped = stopped for a person: { $share }
insights-rate = { $counts } ({ $percent } %, { $low }–{ $high })
insights-cards = Cards
insights-card = { $kind }: { $denied } denied, after { $seconds ->
        [one] { $seconds } second
       *[other] { $seconds } seconds
    } on average{ $hasty ->
        [0] {""}
       *[other] ; { NUMBER($hasty) } approved within a second, which nobody can have read
    }
insights-trial = Prompts on trial: which run got which was drawn by lot
insights-arm = { $prompt }: stopped for a person { $stopped }; CI green first { $green }; attention, median: { $attention }
insights-advice = What could be changed
insights-noAdvice = Nothing certain enough to propose.
insights-least = Nothing is proposed from fewer than { $runs } runs on each side, { $answers } answers to a limit, or { $cards } cards in a row that were read. Intervals are of 95 %; a difference may have other causes.
insights-change = { $setting }: { $to }.
insights-better = Runs that stopped for a person: { $own } with { $from }, { $other } with { $to }; { $by }.
insights-tight = When runs had used up their { $budget }, people let { $share } of them go on.
insights-neverDenied = No push was denied in the last { NUMBER($cards) } that were read.
insights-followed = What followed the changes
insights-stoppedThen = stopped for a person: { $before } before, { $after } after
insights-tooFew = too few to compare
insights-attentionThen = attention for each run, median: { $before } before, { $after } after
insights-middle = { GIVEN($low) ->
        [yes] { GIVEN($high) ->
                [yes] { $half } ({ $low } to { $high })
               *[no] { $half }
            }
       *[no] { $half }
    }

## Settings for new runs

installation-title = For new runs
installation-marked = • changed here; the rest is the host’s configuration.
installation-names-engine = Usual engine
installation-names-prompt = Prompt version
installation-names-trial = Prompts on trial
installation-names-parallel = Runs at the same time
installation-names-daily = Runs started per day
installation-names-time = Time per run
installation-names-tokens = Tokens per run
installation-names-cost = Cost per run
installation-names-iterations = Fixes after a pull request
installation-names-fixes = Fixes of failing checks
installation-names-card = A card expires after
installation-names-reminder = First reminder after
installation-names-answer = Answers to reviewers within
installation-names-approvals = Signatures needed
installation-names-own = Approving your own request
installation-names-pushes = Low-risk fixes without a card
installation-names-ownercap = Open with one owner
installation-names-repocap = Open in one repository
installation-names-hourcap = Opened per hour
installation-names-daycap = Opened per day
installation-names-daybudget = Budget of a day
installation-names-monthbudget = Budget of a month
installation-names-personbudget = Budget of each person
installation-names-campaignbudget = Budget of each campaign
installation-names-hours = Hours for opening
installation-short-engine = Engine
installation-short-prompt = Prompts
installation-short-trial = Trial
installation-short-parallel = At once
installation-short-daily = Per day
installation-short-time = Time
installation-short-tokens = Tokens
installation-short-cost = Cost
installation-short-iterations = PR fixes
installation-short-fixes = Check fixes
installation-short-card = Card
installation-short-reminder = Reminder
installation-short-answer = Answers
installation-short-approvals = Signatures
installation-short-own = Own requests
installation-short-pushes = Low-risk fixes
installation-short-ownercap = Owner
installation-short-repocap = Repository
installation-short-hourcap = Per hour
installation-short-daycap = Opened a day
installation-short-daybudget = Day’s budget
installation-short-monthbudget = Month’s budget
installation-short-personbudget = Person’s budget
installation-short-campaignbudget = Campaign’s budget
installation-short-hours = Hours
installation-does-engine = The agent that makes a change when the order names none.
installation-does-prompt = The version of the prompts that agents get when the order names none.
installation-does-trial = How many of a hundred new runs get the newest other prompts, so that /insights can compare the two.
installation-does-parallel = How many runs work at the same time, up to what the host’s configuration allows.
installation-does-daily = How many runs may start within 24 hours; the rest wait in the queue.
installation-does-time = What agents and checks of one run may take together. Approvers may grant more to a single run.
installation-does-tokens = What the agents of one run may read and write.
installation-does-cost = What the agents of one run may cost, in dollars.
installation-does-iterations = How often a run goes back to the agent after its pull request is open: red checks and change requests.
installation-does-fixes = How often our failing checks go back to the agent before a person is called.
installation-does-card = How long a card stays open. Then it closes, and a new one takes its place.
installation-does-reminder = How long to wait before asking somebody again; each wait is twice as long as the last.
installation-does-answer = How long a reviewer may wait for an answer before a person is called.
installation-does-approvals = How many different approvers must sign a card.
installation-does-own = Whether whoever asked for a change may also approve it.
installation-does-pushes = Whether a low-risk fix of an open pull request is pushed without asking.
installation-does-ownercap = How many pull requests of ours may be open with one owner; the rest wait.
installation-does-repocap = How many pull requests of ours may be open in one repository; the rest wait.
installation-does-hourcap = How many pull requests may be opened in an hour; the rest wait.
installation-does-daycap = How many pull requests may be opened within 24 hours; the rest wait.
installation-does-daybudget = What all agents may cost in a day (UTC), in dollars.
installation-does-monthbudget = What all agents may cost in a calendar month (UTC), in dollars.
installation-does-personbudget = What the changes of one person may cost in a calendar month (UTC), in dollars.
installation-does-campaignbudget = What one campaign may cost in its whole life, in dollars.
installation-does-hours = When approved pull requests are opened, such as mon-thu 09:00-17:00 Europe/Berlin. What is approved outside of them waits.
installation-units-pulls = { $n ->
        [one] { $n } pull request
       *[other] { $n } pull requests
    }
installation-units-percent = { $n } % of runs
installation-units-hours = { $n ->
        [one] { $n } hour
       *[other] { $n } hours
    }
installation-units-days = { $n ->
        [one] { $n } day
       *[other] { $n } days
    }
installation-units-tokens = { NUMBER($n) } tokens
installation-units-dollars = ${ $n }
installation-units-runs = { $n ->
        [one] { $n } run
       *[other] { $n } runs
    }
installation-units-rounds = { $n ->
        [one] { $n } time
       *[other] { $n } times
    }
installation-units-people = { $n ->
        [one] { $n } approver
       *[other] { $n } approvers
    }
installation-on = on
installation-off-switch = off
installation-off-limit = no limit
installation-range = From { $least } to { $most }. Write another value like this:
installation-reset = Use the host’s value
installation-usual = the host’s value
installation-all = All settings
installation-log = Who changed what
installation-cards = What costs attention
installation-kinds-open_pr = Pull requests
installation-kinds-push = Pushes
installation-kinds-reply = Answers to reviews
installation-host = the host
installation-never = Nothing has been changed here yet.
installation-noRights = no rights from now on
installation-changed = { $at } · { $by } · { $what }
installation-set = Recorded. { $name }: { $value }. { $holds ->
        [at_once] It holds at once.
       *[new_runs] It holds for runs that start from now on.
    }
installation-quiet = { GIVEN($hours) ->
        [yes] Quiet hours: { $hours }.
       *[no] Quiet hours: none.
    }
installation-quietSet = { GIVEN($hours) ->
        [yes] Quiet hours: { $hours }. Nothing rings then; what waits for you comes as cards when they are over.
       *[no] Quiet hours are off.
    }
installation-quietForm = Write it like this: /settings quiet 22:00-07:30 Europe/Berlin, or /settings quiet off
installation-quietOver = Your quiet hours are over.

## The board

board-name = Board
board-link = Your link to the board, for ten minutes and for one use:
board-open = Open the board
board-retry = You made three links just now. Use the newest one, or ask again { $when }.
board-alone = The link is personal: ask for it in our private chat.
board-off = The board is off: it needs AGENTPR_PUBLIC_URL, or an AGENTPR_HTTP_HOST on this machine alone.
board-signedOut = { $n ->
        [one] { $n } session
       *[other] { $n } sessions
    } of { $name } ended.
board-sessions = board open: { $n }
board-skip = Skip to the content
board-where = Where you are
board-nav-inbox = Inbox
board-nav-campaigns = Campaigns
board-nav-figures = Figures
board-signIn-title = Sign in from the chat
board-signIn-how = Write /board to the bot in your private chat. It answers with a link for one use.
board-signIn-again = Did you come here from another page? Open this one again.
board-signIn-used = This link was used, or it is older than ten minutes. Write /board for a new one.
board-signIn-there = Signed in here already? Go on to the board.
board-signIn-opens = Opening the board …
board-signIn-go = Go on to the board
board-signIn-confirm = This link signs you in once, on this device.
board-signIn-expired = This page has been open for more than a day. Close it, and open the board from the chat.
board-signIn-reopen = This page was opened again. Close it, and open the board from the chat.
board-missing-title = Nothing here
board-missing-says = There is no such page, or its content was removed.
board-broken-title = That did not work
board-broken-says = The page could not be made. The log of agentpr says why.
board-readOnly = Decisions are made in the chat, or on a change’s page with your own key.
board-live-on = Live
board-live-off = Connection lost. Trying again …
board-live-out = Signed out. Write /board in the chat.
board-decide-heading = Decide
board-decide-words = What becomes public besides these lines
board-decide-title = Title
board-decide-into = Into
board-decide-commit = Commit
board-decide-author = Author
board-decide-approves-open_pr = Open PR
board-decide-approves-push = Push
board-decide-changes = Ask for changes
board-decide-deny = Deny
board-decide-ask = Ask
board-decide-why = Say why, what to change, or what you want to know
board-decide-send = Send, with your key
board-decide-elsewhere = Keys work in your browser, not inside Telegram.
board-decide-browser = Open this page in the browser
board-decide-notWhole = This page cannot show all that would become public, so it is not decided here.
board-decide-noKey = To decide here, register a key of your own: write /passkey to the bot. Cards in the chat work as before.
board-decide-noTrustedKey = This one needs your own key, and you have none that counts. Write /passkey to the bot; the operator then adds the key to approvalKeys.
board-decide-needsKey = A policy asks for the approver’s own key. A tap in the chat does not count.
board-decide-left = { $n ->
        [one] One signature is missing.
       *[other] { $n } signatures are missing.
    }
board-decide-failed = Your key did not sign, or the answer did not come. Nothing was decided; try again.
board-decide-unsupported = This browser does not support keys (WebAuthn).
board-decide-role = Your role does not let you decide.
board-decide-moved = That is no longer what would be published. Nothing was decided.
board-decide-lapsed = Signed by somebody who may no longer approve ({ $names }). Ask for a new card in the chat.
board-decide-done-approved = Approved with your key.
board-decide-done-signed = Signed with your key. Others have to sign, too.
board-decide-done-denied = Denied.
board-decide-done-changes = The agent is asked for changes.
board-decide-done-asked = Asked. The answer comes below; nothing is decided yet.
board-decide-faults-too_few = More people have to sign with keys of their own.
board-decide-faults-unknown_key = That key is not registered for you, or was revoked.
board-decide-faults-untrusted_key = That key is not among the operator’s approvalKeys.
board-decide-faults-wrong_signature = The key signed something other than what this page shows now. Load the page again.
board-passkeys-title = Own keys
board-passkeys-about = A key of your own lives in your device and asks for your finger, face or code. What you approve with it is signed by it, byte for byte, and the receipt of the pull request shows that to everybody.
board-passkeys-none = You have no key yet.
board-passkeys-synced = also in your account with the maker of the device
board-passkeys-device = on one device
board-passkeys-elsewhere = for { $place }, not for this address
board-passkeys-register = Register a key on this device
board-passkeys-fromChat = To register a key, write /passkey to the bot and open the link that it answers with.
board-passkeys-failed = No key was registered. Try again.
board-passkeys-unsupported = This browser does not support keys (WebAuthn).
board-passkeys-refused-refused = The browser’s answer does not fit what was asked. Open a new link with /passkey.
board-passkeys-refused-used = This link was used for a key. Write /passkey for another one.
board-passkeys-refused-known = This key is registered already.
board-passkeys-refused-too_many = You have ten keys. Revoke one with /passkey first.
board-passkeys-done = Registered: { $fingerprint }. Where a policy asks for keys, the operator adds it to approvalKeys in agentpr.config.json.
board-inbox-title = Inbox
board-inbox-needs = Needs a person
board-inbox-calm = Nothing waits for a person.
board-inbox-works = At work
board-inbox-idle = No run is at work.
board-inbox-ended = Ended
board-inbox-none = No run matches.
board-inbox-noEnded = Nothing has ended yet.
board-inbox-search = Search runs
board-inbox-hint = Words, or repo: owner: state: engine: person: campaign:
board-inbox-find = Search
board-inbox-clear = Clear
board-inbox-older = Older runs
board-inbox-newest = Newest runs
board-inbox-inChat = Open in Telegram
board-inbox-keys = j and k move, Enter opens, / searches
board-inbox-first = The newest { $n } are shown. Search for others.
board-risk-low = low risk
board-risk-medium = medium risk
board-risk-high = high risk
board-run-source = Came from
board-run-ordered = Ordered
board-run-by = by { $name }
board-run-goal = Goal
board-run-path = The way so far
board-run-steps-queued = Order
board-run-steps-reading = Reading
board-run-steps-changing = Change
board-run-steps-checking = Checks
board-run-steps-deciding = Decision
board-run-steps-ci = CI
board-run-steps-review = Review
board-run-steps-end = Done
board-run-change = Change
board-run-size = { $files ->
        [one] { $files } file
       *[other] { $files } files
    }, +{ $added } −{ $deleted }
board-run-readDiff = Read the change
board-run-noChange = There is no change yet.
board-run-checks = Checks
board-run-noChecks = No check has judged this change yet.
board-run-fullLog = Full log
board-run-timeline = Timeline
board-run-events-command_run_create = The change was ordered
board-run-events-command_discovery_start = Reading the repository began
board-run-events-command_implementation_start = The agent was started
board-run-events-command_validation_accept = The checks were accepted by hand
board-run-events-command_push_approve = The push was approved
board-run-events-command_pr_approve = Opening the pull request was approved
board-run-events-command_pr_open_now = An admin let it be opened outside its hours
board-run-events-command_item_comment = The link was to be posted where the order came from
board-run-events-command_deny = The card was refused, or changes were asked for
board-run-events-command_proposal_modify = Title or description was edited
board-run-events-command_iterate = A fix was asked for
board-run-events-command_review_choose = Remarks were chosen
board-run-events-command_review_begin = The chosen remarks were started
board-run-events-command_remarks_answered = Remarks were marked as answered
board-run-events-command_comment_answer = A comment was answered
board-run-events-command_reply_approve = The answers were approved
board-run-events-command_ci_rerun = The checks were asked to run again
board-run-events-command_checks_waive = The run goes on without some checks
board-run-events-command_base_update = An update from the base branch was asked for
board-run-events-command_head_adopt = Somebody else’s commits were taken over
board-run-events-command_retry = The run was tried again
board-run-events-command_resume = The run was resumed
board-run-events-command_pause = The run was paused
board-run-events-command_skip = The run was skipped
board-run-events-command_cancel = The run was cancelled
board-run-events-command_run_finish = The run was marked as done
board-run-events-command_budget_raise = A limit was raised
board-run-events-command_ban_overrule = A rule was overruled
board-run-now = Now
board-run-lastLines = Its last lines
board-film-title = Filmstrip
board-film-open = Watch it step by step
board-film-where = Step { $n } of { $all }
board-film-slider = Step
board-film-back = Back
board-film-on = Next
board-film-none = Nothing was recorded yet.
board-film-keys = ← and → move by one step, Home and End to the first and the last.
board-film-cut = { $n ->
    [one] One earlier step is left out.
   *[other] { $n } earlier steps are left out.
  }
board-film-kinds-event = What happened
board-film-kinds-said = The agent said
board-film-kinds-call = The agent used a tool
board-film-kinds-command = The agent ran a command
board-film-kinds-edit = The agent changed a file
board-film-kinds-check = Our command
board-film-kinds-turn = Turn
board-tell-heading = Words to the agent
board-tell-label = Tell the agent something
board-tell-after = After this turn
board-tell-now = Now
board-tell-heard = heard
board-tell-waits-now = waits, to be said now
board-tell-waits-after = waits for the end of this turn
board-tell-queued-now = Queued: the agent hears it now.
board-tell-queued-after = Queued: the agent hears it after this turn.
board-tell-role = Only an operator may steer an agent.
board-tell-script = A script works on this run, and it reads no words.
board-tell-failed = It was not taken. Reload the page and try again.
board-run-events-command_work_keep = The agent was stopped, and its work kept
board-run-events-command_work_drop = The agent was stopped, and its work dropped
board-run-events-command_agent_tell = The agent was told something
board-run-events-command_words_schedule = The time at which the agent hears it was changed
board-run-events-command_permission_answer = The agent’s question was answered
board-run-events-command_question_ask = A question was asked
board-run-events-command_change_restore = The changes were taken back
board-run-events-command_permission_revoke = Permissions of the agent were revoked
board-run-events-command_requirement_answer = A question of the repository was answered
board-run-events-worker_discovery_completed = The repository was read
board-run-events-worker_base_checked = The checks ran on the base branch
board-run-events-worker_implementation_completed = The agent ended its work
board-run-events-worker_contract_refined = The agent added to what is known of the repository
board-run-events-worker_plan_updated = The plan was updated
board-run-events-worker_validation_completed = Our checks ended
board-run-events-worker_push_completed = The branch was pushed
board-run-events-worker_pr_opened = The pull request was opened
board-run-events-worker_proposal_modified = The edited text was prepared
board-run-events-worker_pull_set_up = Labels, reviewers or the draft of the pull request were set
board-run-events-worker_item_commented = A comment was posted where the order came from, or refused
board-run-events-worker_ci_compared = Failed checks were compared with the base branch
board-run-events-worker_replies_sealed = Answers to reviewers were prepared
board-run-events-worker_replies_posted = The answers were posted
board-run-events-worker_step_failed = A step failed
board-run-events-worker_permission_asked = The agent asked for permission
board-run-events-worker_turn_interrupted = The agent’s turn was cut short to tell it something
board-run-events-worker_words_delivered = The agent heard what it was told
board-run-events-worker_question_answered = The agent answered a question
board-run-events-worker_permission_used = The agent used a permission
board-run-events-worker_call_repeated = The agent repeated a command
board-run-events-worker_base_merged = The base branch was merged into the change
board-run-events-worker_base_compared = The change was compared with the base branch
board-run-events-worker_head_read = Commits of somebody else were read
board-run-events-worker_usage_reported = The agent’s usage was counted
board-run-events-worker_start_queued = The run waits for its turn
board-run-events-worker_slot_awaited = A write to the code host waits for its turn
board-run-events-forge_pull_observed = The pull request was read
board-run-events-forge_pull_reopened = The pull request was reopened
board-run-events-forge_repository_observed = The repository’s state was read
board-run-events-forge_branch_renamed = A branch was renamed
board-run-events-forge_access_observed = Access to the repository was checked
board-run-events-forge_head_observed = The branch was read
board-run-events-forge_check_observed = A check of the code host reported
board-run-events-forge_ci_observed = The checks of the code host were read
board-run-events-forge_poll_failed = The code host could not be asked
board-run-events-forge_poll_recovered = The code host answers again
board-run-events-forge_survival_observed = It was checked whether the change is still there
board-run-events-forge_visibility_observed = It was checked who can see the pull request
board-run-events-forge_review_submitted = A review came in
board-run-events-forge_comment_created = A comment came in
board-run-events-timer_timeout = A time limit was reached
board-run-events-timer_reminder = A reminder was due
board-run-events-timer_remarks_due = Remarks were due to be answered
board-run-events-timer_retry = It was time to try again
board-run-events-timer_approval_expired = The card expired
board-run-events-timer_approval_frozen = The card’s time stood still while nobody could answer
board-run-looks = { $n } looks at the code host that found nothing new
board-run-more = { $n ->
        [one] { $n } older event
       *[other] { $n } older events
    }
board-run-attempts = Attempts
board-run-noAttempts = Nothing was started yet.
board-run-transcript = Transcript
board-run-prompt = What the agent was told
board-run-noOutput = It printed nothing, or its output was removed.
board-run-contract = What the repository asks for
board-run-noContract = The repository was not read yet.
board-run-installs = Installation
board-run-rules = Rules
board-run-plan = Plan
board-run-policies = Policies
board-run-noPolicies = No policy objects.
board-run-notJudged = Nothing was judged yet.
board-run-verdicts-escalate = asks a person
board-run-verdicts-deny = forbids
board-run-seal = Sealed for approval
board-run-noSeal = Nothing is sealed for approval yet.
board-run-digest = Digest
board-run-fields = Sealed fields
board-run-signed = Who signed
board-run-nobody = Nobody signed yet.
board-run-cards-push = Push
board-run-cards-open_pr = Opening of the pull request
board-run-cards-reply = Answers to reviewers
board-run-approvals-open = open
board-run-approvals-consumed = signed, and used
board-run-approvals-void = void
board-run-approvals-denied = refused
board-run-approvals-expired = expired
board-run-receipt = Receipt
board-run-noReceipt = There is no pull request of ours yet.
board-run-replay = Replay
board-run-replayed = { $events ->
        [one] { $events } event
       *[other] { $events } events
    } of this run replayed just now
board-run-trajectory = The log leads to this state
board-run-decisions = Nothing went out without a decision
board-run-signatures = Chain and signatures are intact
board-run-pull = Pull request
board-run-campaign = Campaign
board-run-facts = Facts
board-run-worked = Worked
board-run-tokens = Tokens
board-run-engine = Engine
board-run-picture = Picture sent
board-run-pictureSize = { $width } × { $height } pixels
board-run-base = Base
board-run-branch = Branch
board-run-summary = In the agent’s words
board-run-turns = Turns of the agent
board-run-turn = Turn { $n }
board-run-undecided = not decided
board-run-turnVerdicts-approved = approved by
board-run-turnVerdicts-modified = changed by
board-run-turnVerdicts-rejected = refused by
board-run-turnVerdicts-waits = waits for a person
board-run-evaluations-under_way = under way
board-run-evaluations-goes_on = goes on
board-run-evaluations-done = reports that it is done
board-run-evaluations-unchanged = reported, and nothing had changed
board-run-evaluations-asks = asks a question
board-run-evaluations-waits = waits for a person
board-run-evaluations-invalid = gave an invalid answer
board-run-evaluations-failed = got no answer
board-run-evaluations-interrupted = was cut off
board-run-contextOf = about { NUMBER($tokens) } tokens read{ $summarised ->
        [0] {""}
       *[other] , { $summarised ->
                [one] { $summarised } earlier turn
               *[other] { $summarised } earlier turns
            } as a summary
    }
board-run-proposalResults-chosen = chosen
board-run-proposalResults-not_chosen = passed over
board-run-proposalResults-denied = refused by policy or a person
board-run-proposalResults-invalid = invalid answer
board-run-proposalResults-failed = left out: no answer
board-run-evidenceOfProposals-agreed = another wants the same
board-run-evidenceOfProposals-read = the file was read
board-run-evidenceOfProposals-fits = the patch fits
board-run-evidenceOfProposals-checked = tests green since the last change
board-run-pickedBy = allowed by { $name }
board-run-sizeOfProposal = { $lines ->
        [one] { $lines } line
       *[other] { $lines } lines
    }
board-run-cameOut = What came out
board-run-textGone = This text is not kept any more.
board-run-altered = This turn is not as it was written.
board-diff-title = Change
board-diff-files = { $n ->
        [one] { $n } file
       *[other] { $n } files
    }
board-diff-tree = Changed files
board-diff-unified = Unified
board-diff-split = Side by side
board-diff-blanks = Show whitespace changes
board-diff-noBlanks = Hide whitespace changes
board-diff-wrap = Wrap lines
board-diff-scroll = Do not wrap
board-diff-whole = As text
board-diff-next = Next
board-diff-previous = Previous
board-diff-left = { $files ->
        [one] { $files } file
       *[other] { $files } files
    }, { $lines ->
        [one] { $lines } line
       *[other] { $lines } lines
    } left
board-diff-lastFile = That was the last file
board-diff-more = { $n ->
        [one] { $n } more line
       *[other] { $n } more lines
    }
board-diff-binary = Binary file
board-diff-before = Before
board-diff-after = After
board-diff-cut = { $n ->
        [one] { $n } more character
       *[other] { $n } more characters
    } in this line
board-diff-omitted = { $n ->
        [one] { $n } byte
       *[other] { $n } bytes
    } of this change are too many to be shown here.
board-diff-gone = The working copy of this run was removed. The change is in its pull request.
board-diff-sealed = Sealed: exactly these bytes are approved
board-diff-unsealed = Not sealed for approval yet
board-diff-nothing = No line changed.
board-diff-since = Since the last push
board-diff-base = Whole change
board-campaign-title = Campaigns
board-campaign-none = There is no campaign yet. /batch in the chat plans one.
board-campaign-repository = Repository
board-campaign-state = State
board-campaign-cluster = Alike
board-campaign-checks = Checks
board-campaign-pull = Pull request
board-campaign-waits = Waits
board-campaign-outliers = Look at these first
board-campaign-outOf = { $n } of { $all } stand out
board-campaign-noOutliers = No repository stands out: same files, similar sizes, no failure.
board-campaign-everyOne = Every repository
board-campaign-lines = Lines
board-campaign-why-checks = A check failed: { $commands }
board-campaign-why-moreFiles = Changes files that the others leave alone: { $paths }
board-campaign-why-fewerFiles = Leaves alone what the others change: { $paths }
board-campaign-why-size = { $lines ->
        [one] { $lines } line
       *[other] { $lines } lines
    } changed; half of the others have at most { $usual }
board-campaign-why-waits = Has waited { $time }; half of the others at most { $usual }
board-campaign-alone = stands out
board-campaign-alike = { $n } alike
board-campaign-pace = Merged over time
board-campaign-merged = { $n } of { $of } merged
board-campaign-eta = Expected to end { $when }
board-campaign-notStarted = not started
board-campaign-noPace = Fewer than three are merged: too few for a curve.
board-figures-title = Figures
board-figures-csv = CSV
board-figures-chart = Chart
board-figures-table = Table
board-figures-queues = Queues now
board-figures-depths-due = due
board-figures-depths-later = later
board-figures-depths-at_work = at work
board-figures-failures = What runs stopped for
board-figures-overTime = What runs stopped for, by week
board-figures-week = Week from
board-figures-runs = Runs

## Parts of the above that code puts together

voiceProblems-long = That voice note is too long: { $is }, and at most { $most } are taken. Say it in shorter ones.
voiceProblems-big = That voice note is too large: at most { $most } MB are taken. Say it in shorter ones.
voice-length = { $unit ->
    [seconds] { $n } seconds
   *[minutes] { $n } minutes
}
denials-perhaps-asks-permissionEdit = Is this the command that should run instead?
receiptPage-says-approvedBy = the public name of that person, or an alias whom the operator knows
receiptPage-says-signedWithKey = the key of the operator that signed repository, base, commit, title and description
cluster-passed = all checks passed in { $all ->
    [yes] each of the { $of }
   *[no] { $n } of { $of }
}
viewer-file = file { $at }/{ $of }
viewer-hunk = hunk { $at }/{ $of }
viewer-part = part { $at }/{ $of }
report-since = ; { $by } points compared with the period before ({ $low } to { $high })
insights-points = { $by } points ({ $low } to { $high })
installation-units-minutes = { $n ->
    [one] { $n } minute
   *[other] { $n } minutes
}
installation-now = Now: { $value }{ $isUsual ->
    [yes] .
   *[no] ; the host says { $usual }.
}
board-run-tokensIn = { NUMBER($tokens) } tokens in { $seconds } s
board-run-proposerTotal = chosen in { $chosen } of { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, { NUMBER($tokens) } tokens{ GIVEN($usd) ->
    [yes] , ${ $usd }
   *[no] {""}
}

## Failures, and what waits

why-failures-agent_missing = The agent program was not found. Run `agentpr doctor`, install it, then retry.
why-failures-auth_missing = A sign-in is missing or was refused. `agentpr doctor` on the host says which. Sign in again, then retry.
why-failures-rate_limited = The model provider asked us to wait.
why-failures-quota_exhausted = The model account has no quota left. Top it up, then retry.
why-failures-context_exceeded = The task was too large for the model. Make the goal smaller, then retry.
why-failures-model_unavailable = The model did not answer. If that lasts, look at its provider’s status page, then retry.
why-failures-sandbox_denied = The sandbox refused what the agent needs. Look at the log, then retry.
why-failures-permission_denied = Permission was denied. The log says for what. Fix it, then retry.
why-failures-env_missing = The machine lacks something the repository needs. Install it, then retry.
why-failures-registry_unavailable = A package registry did not answer, or not as it should. The change is not at fault, and it is tried again. If that does not help, check the network, the proxy and the registry’s status page, then retry.
why-failures-registry_refused = A package registry, or the proxy on the way to it, refuses us, or its certificate is not trusted here. The change is not at fault. Check the credential, the proxy and the certificates of this machine, then retry.
why-failures-install_failed = An installation failed that works on the base branch, and the change does not touch what it reads. Look at the log, then retry.
why-failures-box_lost = The container engine, or the machine on which the command ran, went away before it said how the command ended. Nothing is wrong with the change: it is tried again. If that does not help, look at that machine, then retry.
why-failures-session_lost = The agent lost its conversation; the next try starts a new one.
why-failures-bad_config = The agent refused how it was started. The log says why. Fix its settings, then retry.
why-failures-invalid_output = The agent ended without a valid report. Retry, or use another engine.
why-failures-crashed = The step ended unexpectedly.
why-failures-timed_out = The step ran out of time and was stopped.
why-failures-cancelled = The step was stopped on request.
why-failures-interrupted = The step was cut off by a restart.
why-failures-budget_exceeded = The step went past a limit of its own. Look at which, then retry.
why-failures-price_unknown = The cost of the run is limited, and the price of its model is not known. Name the price, take the limit away, or use another model.
why-failures-no_changes = The agent changed nothing. Say more about the goal, then retry.
why-failures-checks_failed = The checks of the repository fail. Look at the log, then retry.
why-failures-push_rejected = The code host refused the push. Look at the reason, then retry.
why-failures-policy_denied = A policy forbids this change. `/detail` says which one.
why-failures-repository_missing = The repository was not found, or our credential may not read it. Give the credential access and retry, or make a new run with the right name.
why-failures-repository_archived = The repository was archived. Its owner can open it again; then retry, or cancel the run.
why-failures-not_allowed = The repository takes no push, fork or pull request of ours. Ask its owner, then retry, or cancel the run.
why-failures-revert_impossible = The pull request cannot be reverted here.
why-failures-base_missing = The repository has no such base branch. Make a new run with `base=` and one that exists.
why-failures-repository_empty = The repository has no commit yet. Push a first one, then make a new run.
why-failures-unsafe_workspace = What the agent left behind cannot be committed safely. Look at the findings.
why-failures-bad_repository_file = The repository’s `.agentpr.json` cannot be read. Fix it on its base branch, then retry.
why-failures-repository_unreadable = The repository could not be read within our limits, and is not read again by itself. Look at the file, then retry, or cancel the run.
why-failures-transfer_refused = What another worker kept of this run was changed since. So none of it is used, and each retry ends the same. Cancel the run and order it again.
why-failures-bucket_unavailable = The bucket with what the run needs to go on here could not be used. `agentpr doctor` on the host says why.
why-failures-disk_full = The disk is full. Free some space, then retry.
why-failures-seal_moved = What you approved is no longer what would be published, so nothing was opened.
why-failures-readback_mismatch = What the code host shows is not what was approved. Look at it before going on.
why-failures-forge_unavailable = The code host did not answer.
why-failures-forge_refused = The code host refused the request. Look at the reason, then retry.
why-failures-chat_unavailable = The chat did not answer.
why-failures-chat_refused = The chat refused the message. Look at the reason, then retry.
why-failures-merge_queue = The pull request is in the merge queue. The fix is pushed when it leaves.
why-failures-pull_limit = The repository takes no more open pull requests of ours for now.
why-failures-account_suspended = The code host has suspended us. Its support, or whoever suspended our App, can lift that.
why-failures-certificate_untrusted = A certificate is not trusted by this machine. Name your company’s authority in NODE_EXTRA_CA_CERTS, then retry.
why-failures-proxy_refused = The proxy of this network refused us. Look at HTTPS_PROXY and NO_PROXY, then retry.
why-until = Next try: { $time }.
why-waiting-since = Waiting for the model provider since { $time }. The run goes on by itself.
why-waiting-host = Waiting for the code host since { $time }. The run goes on by itself.
why-waiting-others = { $n ->
        [one] { $n } other run waits
       *[other] { $n } other runs wait
    } for the same.
why-waiting-check = If its service or its address has changed, change the settings on the host, then /retry.
why-undone-title = EDITS UNDONE
why-undone-guard = This round may not change files, so the agent’s edits were put back.
why-undone-plan = This step may not change the plan, so its edit of the plan was put back.
why-undone-disk = The agent filled the disk. Its uncommitted edits were removed to make room.
why-undone-missing = The run’s workspace was gone. The agent starts again from the last commit.
why-undone-other_commit = The workspace moved to another commit, and these edits, which were not committed yet, are gone.
why-undone-taken_back = A person took back the agent’s last change.
why-undone-fresh_workspace = The repository was read again, so these earlier edits are no longer in the workspace.
why-undone-more = … and { $n ->
        [one] { $n } more file
       *[other] { $n } more files
    }
why-undone-told = The agent is told.
why-repeated-title = SAME COMMAND AGAIN
why-repeated-line = { NUMBER($times) } of the agent’s last { NUMBER($of) } calls were the same:
why-repeated-open = The agent works on. Nothing is stopped unless you tap Stop.
why-repeated-over = The agent is no longer working on this.
why-repeated-stopped = You stopped the run. Resume it when you want it to go on.
why-repeated-left = It goes on. You will not be told again in this round.
why-repeated-stop = Stop
why-repeated-goOn = Let it go on

## Budgets

budgets-names-time = agent and check time
budgets-names-tokens = tokens
budgets-names-cost = cost
budgets-names-output = output of agents and checks
budgets-names-iterations = fixes after the pull request
budgets-names-fixes = fixes of one step
budgets-amounts-tokens = { NUMBER($n) }
budgets-amounts-output = { $n } MB
budgets-title = Used so far
budgets-atMost = at most { $amount }
budgets-bound = A process was killed before its model had answered, so its last requests count at their most.
budgets-line = { $name }: { $used } of { $limit }, { $left } left
budgets-untold = not known (the price of the model is not known)
budgets-open = { $name }: { $used }, no limit
budgets-split = { $input } tokens read, { $output } written
budgets-raiseWith = Raise one with { $form }
budgets-wider = Only an approver can give a run more than usual ({ $name }).
budgets-near = { $share }% of the budget is used: { $name }
budgets-raise = Raise to { $amount }
budgets-raised = Recorded: { $label } may use { $limit } ({ $name }).
budgets-lift = Without a cost limit
budgets-lifted = Recorded: { $label } has no limit of that kind any more ({ $name }).
budgets-pricesOf = Cost goes by the price list { $list }; prices of your own (gateway.prices) come first.

## Commands

commands-does-status = how all runs stand, and what needs you most
commands-does-pending = everything that is waiting for someone
commands-does-new = start a change
commands-does-batch = one change for many repositories: a preview first
commands-does-adopt = let a campaign follow pull requests that were opened elsewhere
commands-does-campaign = how a campaign stands; pause, resume, close or undo it
commands-does-runs = the newest runs
commands-does-report = what runs took: time, fixes, taps and attention, by group
commands-does-cost = what agents cost today and this month, by whom and for what, beside the limits
commands-does-insights = what costs people’s attention, and what could be changed
commands-does-board = a link to the pages with every run, change and figure
commands-does-passkey = keys of your own: register one, list them, revoke one
commands-does-detail = everything about one run
commands-does-diff = the change, as a file and page by page
commands-does-log = what the agent or a check printed last
commands-does-plan = what was learned about the repository
commands-does-revoke = have the agent ask again for what was allowed in this run
commands-does-budget = what is used and left; approvers grant more
commands-does-approve = open the pull request that the newest card shows
commands-does-deny = refuse what the card shows, and say why
commands-does-changes = ask for changes to what the card shows; the agent goes on
commands-does-ask = ask the agent about its change, which stays as it is
commands-does-take_back = go back to the card before the changes that you asked for
commands-does-edit = change the title or description on the card
commands-does-keep = stop the agent, and check what is there
commands-does-drop = stop the agent, and drop what it did since the last push
commands-does-tell = say something to the agent while it works
commands-does-fix = tell the agent what to fix in an open pull request
commands-does-retry = go on after a failure, with what the agent is told
commands-does-without = go on without checks that cannot be run here
commands-does-update = merge the base branch into the change
commands-does-take = go on from what somebody else pushed
commands-does-overrule = say that a ban is about something else, and why
commands-does-pause = stop the agent, keep everything
commands-does-resume = go on after a pause
commands-does-cancel = end a run for good
commands-does-skip = end a run that is not wanted
commands-does-open = open an approved pull request now, outside its hours
commands-does-post_link = post the link of the pull request where the order came from
commands-does-done = mark a run as done
commands-does-settings = your language, quiet hours and sign-off, and what holds for new runs
commands-does-users = who may do what
commands-does-set_aside = what I gave up or set aside; retry or drop it
commands-does-notes = what every agent of a repository is told; keep, change or forget it
commands-does-help = what I can do, by topic
commands-does-greet = who I am, and what you may do
commands-args-limit = [raise <limit> | month $100]
commands-args-order = owner/name what to change  [base=main engine=codex flow=plan discovery=agent budget=cost:2 prompt_version=v1 check="npm test" install=none branch=… title="…" draft=until_green label=… reviewer=… assignee=… milestone=…]
commands-args-about = [7d|12w|all] [engine|ecosystem|repository|prompt|campaign] [file]
commands-args-list = owner/name owner/name … what to change  [options of /new]
commands-args-id = [campaign]
commands-args-key = [revoke key]
commands-args-row = [retry|drop number]
commands-args-note = [owner/name [add words | number other words | forget number]]
commands-args-undo = [undo]
commands-args-pulls = [campaign] links of pull requests
commands-args-period = [7d|12w|all]
commands-args-part = [low]
commands-args-topic = [topic]
commands-args-payload = [code]
commands-args-step = [step]
commands-args-raise = [time|tokens|cost|… +amount]
commands-args-confirm = --confirm
commands-args-final = [--final]
commands-args-reason = [reason]
commands-args-words = title="…" description="…"
commands-args-instruction = what to do
commands-args-told = what to say
commands-args-target = [state]
commands-args-advice = [what the agent is told]
commands-args-sha = [commit]
commands-args-setting = [language en|zh|auto | signoff Name <email> | quiet 22:00-07:30 Europe/Berlin | log | name value]
commands-args-what = what was asked for
commands-args-text = your question
commands-args-change = [add <id> <role> [name] | remove <id> | invite [role] | signout <id>]
commands-topics-look = What is going on
commands-topics-ask = Ask for a change
commands-topics-decide = Decide
commands-topics-steer = Steer a run
commands-topics-installation = People and settings
commands-run = <run>

## When GitHub cannot be read

sight-title-none = GITHUB CANNOT BE READ
sight-title-some = SOME OF GITHUB CANNOT BE READ
sight-title-again = GITHUB CAN BE READ AGAIN
sight-last = last looked
sight-since = not seen since
sight-runs = { $n ->
        [1] 1 run is waiting:
       *[other] { $n } runs are waiting:
    }
sight-goesOn = AgentPR keeps looking and catches up on what happens meanwhile. Nothing counts as green until it has been seen.

## Parts of a poll

sight-parts-pull = the pull request
sight-parts-branch = the branch
sight-parts-checks = the checks
sight-parts-reports = check runs
sight-parts-statuses = commit statuses
sight-parts-jobs = Actions runs
sight-parts-rules = rules of the base branch
sight-parts-reviews = reviews
sight-parts-comments = comments

## As GitHub's settings page for tokens names them

sight-permissions-pull = Pull requests
sight-permissions-branch = Contents
sight-permissions-checks = Checks
sight-permissions-reports = Checks
sight-permissions-statuses = Commit statuses
sight-permissions-jobs = Actions
sight-permissions-rules = Contents
sight-permissions-reviews = Pull requests
sight-permissions-comments = Issues

## Results of checks

checkWhys-unseen = {""}
checkWhys-silent = no check has reported yet
checkWhys-failed = “{ $name }” failed{ checkWhysParts-required }
checkWhys-missing = waits for “{ $name }”, required, not reported for { $since }
checkWhys-imitated = waits for “{ $name }”, required from a different app than the one that reported it, missing for { $since }
checkWhys-runs = waits for “{ $name }”{ checkWhysParts-required }, not finished
checkWhys-awaits_maintainer = { GIVEN($name) ->
        [yes] “{ $name }” waits for a maintainer
       *[no] a maintainer has to press “Approve and run”
    }
checkWhys-stale = “{ $name }” never ended: GitHub gave up on it after 14 days. Re-run it on GitHub.
checkWhys-settles = All that have reported passed; AgentPR looks once more
checkWhys-unread = some cannot be read
checkWhys-unsure = the branch requires “{ $name }”, which AgentPR cannot judge: look on GitHub
checkWhys-skipped = “{ $name }” is required and was skipped; GitHub counts that as passed
checkWhys-none_ran = none of them ran: all were skipped or had nothing to say
checkWhys-queue = a merge queue runs them once more before the merge

## Commands that cannot be used

problems-flag = { $flag } is not a flag of this command.
problems-state = { $text } is not a state.
problems-repo = { $text } is not a repository I can work on; write owner/name, or paste its link.
problems-pull = { $text } is not a link to a pull request.
problems-pulls = A campaign follows { $most } pull requests at most.
problems-branch = { $text } is not a branch name that git accepts.
problems-language = { $text } is not a language I speak.
problems-user = { $text } is not a person’s id; /settings shows your own.
problems-amount = { $text } is not an amount; write a number, or +number for that much more.
problems-label = { $text } is not a label: up to 20 of one line each, with up to 50 characters.
problems-milestone = { $text } is not the name of a milestone.
problems-account = { $text } is not the name of an account or of a team (organisation/team).
problems-no_list = Name the repositories: owner/name, one on each line or with spaces between them; or search for them: org:acme, team:acme/web, repos:"topic:cli user:ana", code:"filename:.nvmrc org:acme".
problems-queries = That is more than { $most } searches; split them into several campaigns.
problems-query = { $text } is not a way to search for repositories; use org:<name>, team:<organisation>/<team>, repos:<search> or code:<search>.
problems-query_quote = The quotation mark in this search is never closed: { $text }
problems-list_long = That is more than { NUMBER($most) } repositories; split them into several campaigns.
problems-line = Line { $line } names no repository: { $text }
problems-line_more = Line { $line } has something besides the repository: { $text }. In a table, the first line names the columns: repo,team
problems-file_long = The file is longer than { NUMBER($most) } bytes.
problems-file_yaml = Line { $line } of the file is not valid YAML: “{ $says }”.
problems-file_documents = Line { $line } of the file begins a second document; a file has one campaign. Remove the line ---, or make another file of what follows.
problems-file_twice = Line { $line } of the file has a key that was given before; remove one of the two.
problems-file_deep = Line { $line } of the file is nested too deeply; a campaign needs few levels.
problems-file_alias = Line { $line } of the file refers to another part of it; write the value out.
problems-file_key = Line { $line } of the file: there is no { $key }{ FILLED($at) ->
        [yes] {" "}in { $at }
       *[no] {""}
    }. { keysParts-instead }
problems-file_quote = Line { $line } of the file: YAML does not read “{ $value }” as one text. Put it in quotation marks: { $key }: { $quoted }
problems-file_faults = { LIST($all, by: "\u000A") }{ $more ->
        [0] {""}
       *[other] {"\u000A"}{ NUMBER($more) } more.
    }
problems-file_repo = Line { $line } of the file: repository number { $at } is not one that I can read: { $text }
problems-file_fixes = Each of the fixes has a title and either a goal or a script, the same for all. With fixes there is no script beside them, one engine, and no flow: plan.
problems-file_after_self = Line { $line } of the file: { $repo } cannot come after itself. Leave that out.
problems-file_after_unknown = Line { $line } of the file: { $repo } is not among its repositories. List it there, or leave it out of after.
problems-file_after_twice = Line { $line } of the file: { $repo } is named there twice. Leave one out.
problems-file_circle = Line { $line } of the file: each of these waits for the next, so none could begin: { $way }. Take one after away.
problems-file_scripts = Where one repository has a script of its own, all have one, or the file has one for the others.
problems-file_repos = The file has neither repositories nor query.
problems-file_goal = The file has neither goal nor script.
problems-file_engine = A script needs no engine; leave one of the two out.
problems-file_script = Scripts are given on the host: run `agentpr campaign plan` with this file there. Here, engine: script runs the host’s own.
problems-file_text = The file is not plain text.
problems-file_hard = Reading the file takes too long. Make it shorter or simpler.
problems-file_gone = The file cannot be fetched from the chat. Send it again; it may have 1 MB.
problems-file_words = A campaign file contains everything; send it with /batch alone.
problems-variable = {"{{"}{ $name }{"}}"} has no value for { $repo }. If it is not a variable and should stay as it is, write {"{{{{"}{ $name }{"}}}}"}.
problems-variable_taken = {"{{"}{ $name }{"}}"} is a part of the repository’s own name, and { $repo } has another value for it. Call the variable something else.
problems-misplaced = {"{{"}{ $name }{"}}"} of { $repo } has characters that cannot be quoted safely where it stands: in a comment, after a backslash, a substitution or a here-document, or in text that another shell runs. Make export { $shellName }={"{{"}{ $name }{"}}"} the first line, and write "${ $shellName }" there, within single quotes where another shell runs it.
problems-no_variable = { $text } is not a variable, and would be published as it stands. Names have letters, digits, - and _. If it should stay as it is, write {"{{{{"} … {"}}}}"}.
problems-variable_long = {"{{"}{ $name }{"}}"} of { $repo } is longer than { NUMBER($most) } characters; shorten it in the list.
problems-column = {"{{"}{ $name }{"}}"} cannot be filled in: rename that column, with letters, digits, - and _, a letter first.
problems-no_goal = Say what to change.
problems-no_instruction = Say what to fix.
problems-no_words_to_ask = Say what you want to know.
problems-sign_off = { $wrong ->
        [form] {""}
        [name] The name is punctuation alone, or has @ or a character that nobody sees.{" "}
       *[address] What stands between < and > is not an email address.{" "}
    }Write your own name and address like this: Name <email>.
problems-value = { $option }= needs a value.
problems-twice = { $option }= was given twice.
problems-quote = { $option ->
        [goal] The quotation mark before the goal is never closed.
       *[other] The quotation mark after { $option }= is never closed. One within it has a backslash before it: \"
    }
problems-option = { $option }= is not an option.{ GIVEN($near) ->
        [yes] {" "}Did you mean { $near }=?
       *[no] {" "}There are: { $all }.
    } If it belongs to the goal, put the whole goal in "quotation marks".
problems-setting = { $text } is not a setting.{ GIVEN($near) ->
        [yes] {" "}Did you mean { $near }?
       *[no] {" "}There are: { $all }.
    }
problems-zone = There is no time zone { $zone }. { GIVEN($near) ->
        [yes] Did you mean { $near }?
       *[no] Write one like Europe/Berlin or UTC.
    }
problems-choice = { $setting } cannot be { $text }; it can be: { $all }.
problems-bounds = { $setting } cannot be { $text }; write a number from { NUMBER($least) } to { NUMBER($most) }{ $off ->
        [yes] , or off
       *[no] {""}
    }.
problems-flow = { $text } is not a way of working; there are: { $all }.
problems-discovery = { $text } cannot read a repository; there are: { $all }.
problems-install = install= cannot be { $text }; it can be: { $all }.
problems-draft = draft= cannot be { $text }; it can be: { $all }.
problems-engine = { $text } is not an engine; there are: { $all }.
problems-no_engine = No engine is chosen, so nobody could do the work. On the host, agentpr init finds the agents that are there, or AGENTPR_ENGINE in .env names one; an order may name its own: engine=codex.
problems-engines = Several proposers: up to three different ones with commas between them, as codex,claude or builtin:<model>,builtin:<model>. Several engines do not go with flow=plan.
problems-proposers = { $text } takes no models after a colon; these do: { $all }. Without a colon several engines try the goal in turn.
problems-reported = A report has no { $text }; there are: { $all }.
problems-prompt_version = { $text } is not a prompt version; there are: { $all }.
problems-role = { $text } is not a role; there are: { $all }.
problems-budget = { $text } is not a budget; there are: { $all }.
problems-long = { $what ->
        [reason] The reason
        [advice] What the agent is told
        [title] The title
        [description] The description
        [goal] The goal
        [question] The question
       *[instruction] What is to be done
    } is longer than { NUMBER($most) } characters.

## Findings in a change

findings-secret = secret
findings-exposed_credential = key of the agent
findings-likely_secret = likely secret
findings-hidden_line = hidden line
findings-bidi_text = reordered text
findings-hidden_text = hidden text
findings-mixed_script = mixed scripts
findings-look_alike = look-alike
findings-long_line = long line
findings-line_endings_only = line endings only
findings-whitespace_only = whitespace only
findings-unseen_change = unseen change
findings-test_removed = test removed
findings-test_skipped = test skipped
findings-test_weakened = test weakened
findings-nested_repository = nested repository
findings-special_file = special file
findings-hard_link = hard link
findings-bad_name = bad name
findings-too_large = too large
findings-not_read = not read
findings-symlink_escape = symlink escape
findings-lfs_pointer = Git LFS pointer
findings-lfs_raw = not in Git LFS
findings-filter_raw = not filtered
findings-skipped_ignored = ignored, left out
findings-agent_git = Git of the agent

## What a finding is about

findingNotes-not_text = bytes that are not UTF-8 text
findingNotes-scripts_mixed = one word mixes letters that look alike
findingNotes-scripts_mixed_in_name = one word of its name mixes letters that look alike
findingNotes-stored_elsewhere = the content itself is stored elsewhere
findingNotes-own_bytes = its own bytes, not a pointer
findingNotes-test_file_deleted = a test file is deleted
findingNotes-only_line_ends = only the line endings change
findingNotes-only_whitespace = only whitespace changes
findingNotes-looks_same = lines look the same before and after
findingNotes-as_plain_files = its files are committed as plain files
findingNotes-worktree_skipped = a second working copy of the repository is left out
findingNotes-submodule_skipped = what was put into a submodule is left out
findingNotes-linked_from_outside = it is the same file as one outside the change, so it is left out
findingNotes-name_not_text = the name is not valid UTF-8
findingNotes-name_like_git = the name passes for .git on some systems
findingNotes-name_modules_link = .gitmodules may not be a symbolic link
findingNotes-name_unseen = the name has control or invisible characters
findingNotes-name_backslash = the name has a backslash, which is a folder on some systems
findingNotes-exposed_credentials = { $names }
findingNotes-character = an invisible or control character, { $code }
findingNotes-reads_as = it reads as “{ $as }” and is written with { $characters }
findingNotes-characters = the line has { $count } characters
findingNotes-bytes = it has { $bytes } bytes{ $skipped ->
        [yes] , so it is left out
       *[no] {""}
    }
findingNotes-test_cases = { $was } test cases before, { $is } now
findingNotes-skipped_tests = { $was } skipped before, { $is } now
findingNotes-assertions = { $was } assertions before, { $is } now
findingNotes-hidden_in = hidden in { $added } added, { $removed } removed and { $other } other lines
findingNotes-leads_to = it leads to { $target }
findingNotes-same_name = on some systems it is the same name as { $as }; rename one of them
findingNotes-special = it is { $is ->
        [pipe] a named pipe
        [socket] a socket
       *[device] a device or another special file
    }; remove it
findingNotes-too_deep = folders are nested deeper than { $limit }; remove them
findingNotes-too_many = there are more than { $limit } new files; remove what is not part of the change
findingNotes-unreadable = a file or folder cannot be read ({ $code }); remove it
findingNotes-ignored = { $count } files or folders that the repository ignores were left out
findingNotes-agent_stashed =
    { $count ->
        [one] the agent put changes into a stash, and they are left out
       *[other] the agent put changes into { $count } stashes, and they are left out
    }
findingNotes-agent_committed =
    { $count ->
        [one] the agent made a commit of its own; its files are in this change, its message is not
       *[other] the agent made { $count } commits of its own; their files are in this change, their messages are not
    }
findingNotes-agent_pushed =
    { $count ->
        [one] the agent pushed to a repository inside its sandbox; nothing of it left the sandbox
       *[other] the agent pushed { $count } times to a repository inside its sandbox; nothing of it left the sandbox
    }

## Kinds of secrets

secretNames-access_key = access key
secretNames-access_token = access token
secretNames-address_password = password in an address
secretNames-api_key = API key
secretNames-bot_token = bot token
secretNames-client_secret = client secret
secretNames-header_credential = credential of a header
secretNames-key = key
secretNames-named_secret = secret with its name
secretNames-password = password
secretNames-private_key = private key
secretNames-refresh_token = refresh token
secretNames-registry_credential = credential of a registry
secretNames-registry_token = token of a registry
secretNames-secret_key = secret key
secretNames-signed_address = signed address
secretNames-signed_token = signed token
secretNames-storage_key = storage key
secretNames-token = token
secretNames-webhook = webhook
secretNames-webhook_secret = webhook secret

## What a bucket did

bucketRefusals-unreached = could not be reached
bucketRefusals-other_region = is in another region
bucketRefusals-request_refused = did not take the request: look at the region
bucketRefusals-key_refused = refused the key, or the key may not do that
bucketRefusals-missing = is not there
bucketRefusals-failed = failed
bucketRefusals-open_to_all = can be listed by anybody: take that right away
bucketRefusals-broke_off = broke off, or gave more than was put there
bucketRefusals-other_bytes = gives back other bytes than were put there

## What failed in particular

failureDetails-push_refused = { GIVEN($says) ->
        [yes] it said: { $says }
       *[no] it gave no reason
    }
failureDetails-check_killed = `{ $command }` was ended by the machine (137), perhaps for lack of memory. That is not the agent’s work: free some memory, then retry
failureDetails-branch_moved = the branch on the code host is not where we left it.{ failureDetailsParts-said }
failureDetails-branch_name_refused = it refused the name of the branch.{ failureDetailsParts-said }
failureDetails-push_credential_refused = the code host refused our credential for pushing.{ failureDetailsParts-said }
failureDetails-push_forbidden = the code host does not let us push this.{ failureDetailsParts-said }
failureDetails-push_too_large = it is larger than the code host, or the proxy before it, takes (413): whoever runs that can allow more
failureDetails-branch_differs = { $branch } is at { GIVEN($found) ->
        [yes] { $found }
       *[no] nothing
    }, not at { $expected }
failureDetails-own_key = a policy asks for the approvers’ own keys, and { $why ->
        [too_few] too few of them signed exactly this with theirs
        [unknown_key] one of the keys is not registered, or was revoked
        [untrusted_key] one of the keys is not among the operator’s approvalKeys
       *[wrong_signature] one of the signatures is not over what would be published
    }
failureDetails-branch_missing = { $repo } has no branch named “{ $branch }”
failureDetails-no_space_left = {""}
failureDetails-data_disk_full = the data directory is on it; what was acknowledged is safe
failureDetails-mirrors_full = the repositories of unfinished runs take { NUMBER($used, maximumFractionDigits: 0) } MB of disk, and mirrors.diskMb allows { NUMBER($limit, maximumFractionDigits: 0) }; end some of these runs, or allow more
failureDetails-checkout_exceeds_disk = the files of the repository take { NUMBER($used, maximumFractionDigits: 0) } MB, and a workspace may take { NUMBER($limit, maximumFractionDigits: 0) } MB, half of what is free on the disk; free some space where you trust the repository
failureDetails-disk_nearly_full = less than { NUMBER($limit, maximumFractionDigits: 0) } MB are left on the disk of the data directory
failureDetails-memory_exceeded = it used more than { NUMBER($limit, maximumFractionDigits: 0) } MB of memory (sandboxLimits.memoryMb)
failureDetails-memory_ran_out = it ran out of memory; a run may use { NUMBER($limit, maximumFractionDigits: 0) } MB (sandboxLimits.memoryMb)
failureDetails-processes_exceeded = it started more than { NUMBER($limit, maximumFractionDigits: 0) } processes and threads (sandboxLimits.processes)
failureDetails-processes_ran_out = it could start no more processes; a run may have { NUMBER($limit, maximumFractionDigits: 0) } processes and threads (sandboxLimits.processes)
failureDetails-disk_exceeded = it wrote more than { NUMBER($limit, maximumFractionDigits: 0) } MB to disk (sandboxLimits.diskMb)
failureDetails-output_exceeded = it printed more than { NUMBER($limit, maximumFractionDigits: 0) } MB (sandboxLimits.outputMb); make it quieter
failureDetails-run_disk_nearly_full = less than { NUMBER($limit, maximumFractionDigits: 0) } MB, or too few files, are left on the disk
failureDetails-engine_disk_nearly_full = less than { NUMBER($limit, maximumFractionDigits: 0) } MB, or too few files, are left on the disk of { $place }, where the container engine keeps images and containers; free some space there
failureDetails-engine_missing = { failureDetailsParts-program } was not found{ failureDetailsParts-because }
failureDetails-engine_not_executable = { failureDetailsParts-program } may not be executed{ failureDetailsParts-because }
failureDetails-engine_not_started = { failureDetailsParts-program } could not be started{ failureDetailsParts-because }
failureDetails-box_not_started = the sandbox could not be started{ failureDetailsParts-because }
failureDetails-box_without_git = the agent builtin needs git, and its box has none; for containers, choose an image that has git (containers.agentImage)
failureDetails-engine_timed_out = it was stopped at its time limit (bounds.runMs) after { NUMBER($seconds, maximumFractionDigits: 0) } s
failureDetails-handling_stopped_process = this step stopped AgentPR twice, so it was set aside; retry it once what it reads has changed
failureDetails-engine_stopped = it was stopped on request
failureDetails-engine_too_loud = it printed too much and was stopped; make it quieter
failureDetails-engine_exited = it ended { GIVEN($exitCode) ->
        [yes] with exit code { $exitCode }
       *[no] without an exit code
    }{ failureDetailsParts-because }
failureDetails-engine_killed = it was ended by { GIVEN($signal) ->
        [yes] { $signal }
       *[no] a signal
    }{ failureDetailsParts-because }
failureDetails-engine_arguments_refused = { failureDetailsParts-program } refused how it was started{ failureDetailsParts-because }
failureDetails-conversation_unknown = { failureDetailsParts-program } does not know this conversation any more{ failureDetailsParts-because }
failureDetails-permission_undecided = the agent asked for a permission, which a person has to decide
failureDetails-provider_closed = the provider of the model accepts no requests for now
failureDetails-usage_limit_reached = the usage limit is reached
failureDetails-model_key_missing = no key is set for the model: set OPENAI_API_KEY or ANTHROPIC_API_KEY, or the address of a model of your own (OPENAI_BASE_URL, ANTHROPIC_BASE_URL)
failureDetails-model_unnamed = no model is named: set "engines": {"{"}"builtin": {"{"}"args": ["-m", "<model>"]{"}}"} in agentpr.config.json, or OPENAI_MODEL or ANTHROPIC_MODEL
failureDetails-run_tokens_used_up = the run may use { NUMBER($limit, maximumFractionDigits: 0) } tokens (maxTokens)
failureDetails-spending_used_up = a budget that covers several runs is used up (budgets)
failureDetails-run_cost_used_up = the run may cost ${ $limit } (maxCostUsd)
failureDetails-model_requests_exceeded = the agent asked its model { NUMBER($limit, maximumFractionDigits: 0) } times in one turn (gateway.requests)
failureDetails-model_requests_too_fast = the agent asked its model { NUMBER($limit, maximumFractionDigits: 0) } times within a minute (gateway.perMinute)
failureDetails-model_call_repeated = the agent made the same call { NUMBER($limit, maximumFractionDigits: 0) } times in a row (gateway.identical)
failureDetails-price_unnamed = the price of { GIVEN($model) ->
        [yes] { $model }
       *[no] this model
    } is not known: name it in "gateway.prices" of agentpr.config.json, or take the limit away (maxCostUsd)
failureDetails-app_has_no_forks = our credential may not push to { $repo }, and an App has no forks; install it there with the right to write, or set a token
failureDetails-fork_refused = { $repo } cannot be forked{ failureDetailsParts-because }; a run needs the right to push there, or to fork it
failureDetails-forks_not_allowed = our credential may not push to { $repo }, and the settings allow no forks (forks.use)
failureDetails-fork_of_own = our credential may not push to { $repo }, and { $owner } cannot have a fork of its own repository
failureDetails-repository_forbids_forks = { $repo } does not allow forks, and { $mayPush ->
        [yes] the settings ask for one
       *[no] our credential may not push to { $repo }
    }
failureDetails-fork_deleted = { $fork }, the fork that this run pushes to, is not there any more; Retry makes a new one and pushes again
failureDetails-fork_unrelated = { $fork } was given to us as a fork of { $repo }, but is not one; rename it or remove it, then retry
failureDetails-fork_stays_empty = { $fork }, a new fork, has been empty for five minutes; look at it on the code host, then retry
failureDetails-stored_by_others = what the ledger holds of this run’s workspace was not written by AgentPR: somebody else writes into the database
failureDetails-stored_bytes_differ = the bucket gave other bytes for this run’s workspace than were put there
failureDetails-stored_parts_missing = parts of this run’s workspace are missing
failureDetails-stored_start_lost = the branch “{ $branch }” has lost the commit that this run started from, so it cannot go on elsewhere
failureDetails-chat_unreached = { GIVEN($service) ->
        [yes] { $service }
       *[no] Telegram
    } could not be reached; we try again by ourselves
failureDetails-chat_refused = { GIVEN($service) ->
        [yes] { $service }
       *[no] Telegram
    } refused the message{ failureDetailsParts-because }
failureDetails-chat_token_unknown = { GIVEN($service) ->
        [yes] { $service } refuses our token{ failureDetailsParts-because }; check SLACK_BOT_TOKEN and SLACK_APP_TOKEN
       *[no] Telegram does not know our bot token; check TELEGRAM_BOT_TOKEN
    }
failureDetails-revert_unmerged = { $pull } is not merged, so there is nothing to revert; cancel this run
failureDetails-revert_unreachable = the commit that merged { $pull } is not in the history of { $branch } any more: it was rewritten. Revert by hand what is left of it, or cancel this run
failureDetails-revert_unclear = git cannot tell which commits of the branch belong to { $pull }, since it was neither merged nor squashed nor rebased whole. Revert it by hand, or cancel this run
failureDetails-revert_needs_agent = the revert of { $pull } conflicts, fails a check or was sent back, and a script cannot settle that. Set an engine with /settings, undo the campaign again, or cancel this run
failureDetails-no_failed_check = there is no failed check that we could start again; re-run it on GitHub
failureDetails-host_failed = the code host failed ({ $status }){ failureDetailsParts-because }
failureDetails-host_refused = the code host refused ({ $status }){ failureDetailsParts-because }
failureDetails-host_not_found = the code host does not find it, or hides it from us{ failureDetailsParts-because }
failureDetails-host_credential_refused = the code host refused our credential{ failureDetailsParts-because }; check GITHUB_TOKEN or the App’s key
failureDetails-host_answer_unreadable = the code host answered with something that is not its API

## Refusals of the code host, and ways that are closed

hostRefusals-sign_on_required = { hostRefusalsParts-owner } wants single sign-on for our token. { GIVEN($url) ->
        [yes] Open { $url } and authorise it.
       *[no] Authorise the token for it: in the settings of its account, “Configure SSO” beside the token.
    }
hostRefusals-address_not_allowed = { hostRefusalsParts-owner } lets in only addresses of its IP allow list, and that of this machine is not on it. Ask its owners to add it, or run AgentPR from an address that is.
hostRefusals-app_not_approved = { hostRefusalsParts-owner } has not approved the OAuth app that our token belongs to. Ask its owners to approve it, or use a personal access token or the GitHub App.
hostRefusals-classic_token_forbidden = { hostRefusalsParts-owner } forbids classic personal access tokens. Set a fine-grained one as GITHUB_TOKEN, or have the GitHub App installed there.
hostRefusals-fine_grained_token_forbidden = { hostRefusalsParts-owner } forbids fine-grained personal access tokens. Set a classic one as GITHUB_TOKEN, or have the GitHub App installed there.
hostRefusals-right_missing = Our credential lacks a permission for this. `agentpr doctor` says which ones it has; docs/github.md lists what is needed.
hostRefusals-workflow_right_missing = Our credential may not change workflow files. Give a classic token the scope `workflow`; give a fine-grained one, or the GitHub App, write access to Workflows.
hostRefusals-account_suspended = The code host has suspended our account. Its support can lift that.
hostRefusals-app_suspended = Our GitHub App is suspended there. Whoever installed it can lift that, under Settings → Applications.
hostRefusals-access_blocked = The code host has blocked the repository for everybody. Its owner can ask the support of the code host.
hostRefusals-archived = The repository was archived and is read-only. Its owner can unarchive it, under Settings → General.
hostRefusals-user_blocked = The owner of the repository has blocked our account. Only they can lift that.
hostRefusals-newcomers_limited = The repository limits for a while who may take part, and our account may not. Ask its owner, or wait until the limit ends.
hostRefusals-collaborators_only = The repository takes pull requests of its collaborators alone{ GIVEN($field) ->
        [yes] {" "}({ $field })
       *[no] {""}
    }. Ask its owner to add our account.
hostRefusals-pulls_off = Pull requests are switched off in the repository{ GIVEN($field) ->
        [yes] {" "}({ $field })
       *[no] {""}
    }. Only its owner can switch them on.
hostRefusals-head_unseen = The code host does not know the branch that was pushed, or it is gone. Retry in a minute.
hostRefusals-nothing_to_merge = The base branch has everything of this change already, so there is nothing to open a pull request for. Cancel the run, or say what is still missing.
hostRefusals-is_mirror = The repository is a mirror{ GIVEN($field) ->
        [yes] {" "}({ $field })
       *[no] {""}
    }: changes are taken elsewhere, and pull requests are not read there.
hostRefusals-hourly_limit = All requests that the code host allows in an hour are used up. There is nothing to do: AgentPR goes on when the code host lets it.
hostRefusals-secondary_limit = The code host asks us to be slower: that was too much at once. There is nothing to do but wait.
hostRefusals-limit_in_force = The code host has asked us to wait, so it is not asked anything until then. There is nothing to do.
hostRefusals-plan_lacks_it = The plan of the repository’s owner does not have this for private repositories. They can change the plan, or make the repository public.
hostRefusals-server_lacks_it = This version of the code host does not have this. Whoever runs it can install a newer one.
hostRefusals-has_no_forks = This code host has no forks. Our credential needs the right to push to the repository itself.
hostRefusals-has_no_checks = This code host has no checks that could be run again.
hostRefusals-has_no_reviews = This code host has no reviews, so nothing can be answered or asked for there.
hostRefusals-has_no_issues = This code host has no issues that could be read.
hostRefusals-has_no_setup = This code host has no labels and no review requests that AgentPR could set.
hostRefusals-has_no_search = This code host cannot search for repositories. Name them one by one.
hostRefusals-name_not_found = The name of { $party } could not be looked up. Look at the DNS and the network of the machine that AgentPR runs on.
hostRefusals-connection_refused = { $capitalParty } took no connection: nothing listens at its address, or a firewall refuses. Look at that address and at the network of the machine that AgentPR runs on.
hostRefusals-connection_lost = The connection to { $party } was lost before it had answered. If that lasts, look at the network of the machine that AgentPR runs on.
hostRefusals-no_answer = { $capitalParty } did not answer in time. If that lasts, look at its status page and at the network of the machine that AgentPR runs on.
hostRefusals-proxy_unreached = { hostRefusalsParts-proxy } cannot be reached, and so neither can { $party }. Look at its address and port; hosts that need no proxy belong in NO_PROXY.
hostRefusals-proxy_wants_sign_in = { hostRefusalsParts-proxy } wants a user and a password that it accepts (407). Write them into its address: http://user:password@host:port, with %40 for an @.
hostRefusals-proxy_gets_no_answer = { hostRefusalsParts-proxy } could not connect to { $party }{ hostRefusalsParts-answered }. If that needs no proxy, add it to NO_PROXY.
hostRefusals-proxy_forbids = { hostRefusalsParts-proxy } does not let us through to { $party }{ hostRefusalsParts-answered }. Ask for it to be allowed there, or add it to NO_PROXY.

## What is sealed

changedFields-action = the action
changedFields-baseRepoId = the target repository
changedFields-headRepoId = the repository of the branch
changedFields-baseRef = the base branch
changedFields-mergeBase = the commit the change starts from
changedFields-headSha = the head commit
changedFields-tree = the files
changedFields-diff = the diff
changedFields-diffFacts = what the card says of the diff
changedFields-branch = the branch
changedFields-author = the author
changedFields-signer = the key that signed it
changedFields-title = the title
changedFields-body = the description
changedFields-pullBody = the new description
changedFields-pushes = whether the branch is pushed as well
changedFields-draft = the draft flag
changedFields-setup = what is set once it is open
changedFields-maintainerCanModify = whether maintainers may push
changedFields-conflicts = whether it conflicts with the base branch
changedFields-policyVersion = the policies
changedFields-assessment = the assessment
changedFields-evidence = the evidence of the checks
changedFields-rules = what the repository asks of contributions

## What moved since an approval

changedSince-conflicts = the change conflicts with the base branch
changedSince-branch_head = the branch on the code host moved: { $from } → { GIVEN($to) ->
        [yes] { $to }
       *[no] gone
    }
changedSince-stored_proposal = what the ledger keeps is not what was approved
changedSince-signatures = { FILLED($lapsed) ->
    [yes] { $lapsed } may no longer approve:{" "}
   *[no] {""}
}{ $have } of { $needed } approvals are left{ FILLED($next) ->
    [yes] {" "}· still needs one of { $next }
   *[no] {""}
}

## What a value must be

expected-text = must be text, in "quotation marks"
expected-number = must be a number
expected-whole = must be a whole number
expected-list = must be a list: [one, two]
expected-table = must have keys of its own: {"{"} key: value {"}"}
expected-yes_no = must be true or false
expected-name = must be a name of letters, digits and _, a letter first
expected-email = must be an email address
expected-address = must be an address that begins with https://
expected-every = must be a day, a time and a time zone, like monday 09:00 Europe/Berlin; also mon-fri, day, or month for its first day
expected-hours = must be days, hours and a time zone, like mon-fri 09:00-17:00 Europe/Berlin; days may be several: mon-wed,sat
expected-days_alone = lacks the hours and the time zone, like mon-fri 09:00-17:00 Europe/Berlin; 00:00-24:00 is all day
expected-duration = must be a number of minutes, hours or days, up to 90 days, like 90m, 2h or 1d
expected-days_off = must be a day, or the first and the last of several, like 2026-12-24/2027-01-02; without years, every year: 12-24/01-02; days of the week belong in hours
expected-budget = must be dollars without a sign, like 20, or {"{"} "costUsd": 20, "tokens": 500000 {"}"}
expected-zone = must have a time zone that exists: there is no { $zone }{ GIVEN($near) ->
        [yes] {" "}(did you mean { $near }?)
       *[no] ; write one like Europe/Berlin or UTC
    }
expected-one_of = must be one of these: { $all }
expected-most = must { $of ->
        [number] be
       *[other] have
    } { NUMBER($n) }{ $of ->
        [number] {""}
        [text] {" "}characters
       *[list] {" "}entries
    } at most
expected-other = cannot be used

## Parts of the sentences above

checkWhysParts-required = { $required ->
        [yes] , required
       *[no] {""}
    }
failureDetailsParts-said = { GIVEN($says) ->
        [yes] {" "}It said: { $says }
       *[no] {""}
    }
failureDetailsParts-program = { GIVEN($program) ->
        [yes] the program { $program }
       *[no] the agent
    }
failureDetailsParts-because = { GIVEN($says) ->
        [yes] : { $says }
       *[no] {""}
    }
hostRefusalsParts-owner = { GIVEN($organisation) ->
        [yes] The organisation { $organisation }
       *[no] The organisation
    }
hostRefusalsParts-proxy = The proxy{ GIVEN($proxy) ->
        [yes] {" "}{ $proxy }
       *[no] {""}
    } (HTTPS_PROXY)
hostRefusalsParts-answered = { GIVEN($status) ->
        [yes] {" "}({ $status })
       *[no] {""}
    }

## Marks between and around sentences

marks-gap = {" "}
marks-semicolon = {"; "}
marks-or = {", or "}

## Amounts, and sentences that code fills in

budgets-amounts-time = { $n } min
budgets-amounts-cost = ${ $n }
budgets-amounts-iterations = { $n }
budgets-amounts-fixes = { $n }
budgets-expected = { $runs } runs like this: { GIVEN($usd) ->
    [yes] { $usd },{" "}
   *[no] {""}
}{ $minutes } min. Limit: { GIVEN($limitUsd) ->
    [yes] { $limitUsd },{" "}
   *[no] {""}
}{ $limitTime }.
budgets-cautionNoPrice = ⚠ The cost is limited to { $limit }, and the price of { $model } is not known{ GIVEN($usualOf) ->
    [yes] { "" } ({ $engine } { $usualOf } uses it where no model is named)
   *[no] { "" }
}. Unless its provider lists a price, { $engine } will stop at its first request. Name its price in "gateway.prices" of agentpr.config.json, order it with another model or engine, or take the limit away: /budget <run> cost none.
budgets-cautionUntold = ⚠ The cost is limited to { $limit }, but { $engine }, signed in as it is, never tells what it costs: the limit stops nothing. Limit its tokens (budget=tokens:2m), or give it a key.
sight-says-long = there are more { $parts } than AgentPR reads
sight-says-ours = AgentPR made a mistake
sight-says-limit = GitHub asks us to wait
sight-says-unreached = GitHub cannot be reached
sight-says-status = GitHub says { $status }
sight-unread = Not read: { $parts }.
sight-todos-credential = The token was refused. Set a valid GITHUB_TOKEN and start AgentPR again.
sight-todos-forbidden = The token may not read this. Give it read access to: { $wanted }.{ $lacksReports ->
    [yes] {" "}Fine-grained tokens cannot read check runs: use a classic token, or look at the checks on GitHub before you merge.
   *[no] {""}
}
sight-todos-missing = It was deleted, made private or moved, or the token no longer covers it. Check both, or cancel the runs.
sight-todos-refused = Look at what GitHub says, or cancel the runs.
sight-todos-limit = There is nothing to do: AgentPR waits as long as GitHub asked.
sight-todos-host = There is nothing to do if it passes soon. If it lasts, check the network of this host and githubstatus.com.
sight-todos-network = Fix it on the host: `agentpr doctor` tries each way out of this network, and says what to set.
sight-todos-long = Look at the checks on GitHub before you merge.
sight-todos-ours = Look at the log on the host, and report it.
problems-file_value = { $isWhole ->
    [yes] { $wrong }
   *[no] Line { $line } of the file: { $wrong }
}
places-file = the file
places-theFile = The file
secrets-named = { $isVowel ->
    [yes] an
   *[no] a
} { FILLED($of) ->
    [yes] { $of }{" "}
   *[no] {""}
}{ $noun }
findingNotes-looks_like = it looks like { $secret }
findings-more = {" "}(and { $more } more like these)
failureDetails-bucket_refused = the bucket { $problem }{ GIVEN($status) ->
    [yes] {" "}({ $status })
   *[no] {""}
}
failureDetails-not_reached = { $party ->
    [chat] Telegram
   *[bucket] the bucket
} cannot be reached: { $why }
parties-host = the code host
parties-chat = Telegram
parties-bucket = the bucket
hostRefusals-token_lives_too_long = { hostRefusalsParts-owner } takes no token that is valid for more than { GIVEN($days) ->
    [yes] { $days }
   *[no] so many
} days. Make one that expires earlier, and set it as GITHUB_TOKEN.
hostRefusals-certificate_untrusted = The certificate of { GIVEN($host) ->
    [yes] { $host }
   *[no] { $party }
} is not accepted: { $problem }{ FILLED($code) ->
    [yes] {" "}({ $code })
   *[no] {""}
}. { $step }
certificates-expired = it has expired
certificates-not_yet_valid = it is not valid yet; look at the clock of this machine
certificates-revoked = it was revoked
certificates-other_name = it is for another name
certificates-unknown_authority = this machine does not know the authority that signed it
certificates-nameAuthority = If your company has an authority of its own, or a proxy that opens TLS, let NODE_EXTRA_CA_CERTS name a file with its certificate (PEM), and start AgentPR again.
certificates-askThem = Ask the people who run that host, or the proxy in front of it, to fix it.
changedSince-field = { $name } moved{ $isShown ->
    [yes] : { $from } → { $to }
   *[no] {""}
}
changedRules-added = the repository asks for more now: “{ $quote }” ({ $file })
changedRules-removed = the repository no longer asks: “{ $quote }” ({ $file })
expectedParts-sized = { NUMBER($n) }{ $of ->
    [number] {""}
    [text] {" "}characters
   *[list] {" "}entries
}
expected-least = { $of ->
    [number] must be { NUMBER($n) } or more
   *[other] { $n ->
        [1] must not be empty
       *[other] must have { expectedParts-sized } or more
    }
}
expected-said = cannot be used: { $says }
misfits-unknown = { FILLED($at) ->
    [yes] { $at } in { $where }
   *[no] { $where }
} has no key { $key }. { keysParts-instead }
keysParts-instead = { GIVEN($near) ->
    [yes] Did you mean { $near }?
   *[no] There are: { $known }.
}
misfits-whole = { $where } { GIVEN($found) ->
    [yes] { $must }; it is { $found }.
   *[no] is empty.
}
misfits-value = { $at } { GIVEN($found) ->
    [yes] is { $found }; it { $must }.
   *[no] is missing: it { $must }.
}
problems-picture_large = That picture is too large: at most { $mb } MB are taken. Send it as a photo, not as a file.
problems-picture_gone = The picture cannot be fetched from the chat, or is larger than { $mb } MB. Send it again.
problems-picture_form = That is not a picture I can pass on: it has to be one complete JPEG, PNG or WebP. Send a screenshot or a photo.
problems-picture_points = That picture has too many pixels: at most 25 million, and 8,000 on a side. Send it as a photo, not as a file.

## Cards, answers to them, and buttons

evidence-none = no check was run: none was found for this change
evidence-untold = no check was run: there are tests, and nothing here says how they are run
evidence-passed = { $name } passed
evidence-again = { $name } passed (flaky: failed at the first try)
evidence-fixed = { $name }: failed on { $base }, passes now
evidence-redFirst = { $name } passed; with the change’s tests alone it fails on { $base }, as it should
evidence-notLoaded = { $name } passed; the change’s tests need it: they do not load on { $base }
evidence-greenFirst = { $name } passed, but with the change’s tests alone it also passes on { $base }
evidence-untried = { $name } passed; the change’s tests could not be tried on { $base }
evidence-lucky = { $name } is flaky: it passed here, but passes only now and then on { $base }
evidence-failed = { $name } failed
evidence-overLimit = { $name } was stopped: { $why }
evidence-timedOut = { $name } took too long and was ended
evidence-countsFailures = { $name } counts failures, though it ends with exit code 0
evidence-countsFailuresBefore = { $name } counts failures, on { $base } too, though it ends with exit code 0
evidence-redBefore = { $name } fails, and fails on { $base } too
evidence-notJudged = { $name } fails here with and without the change: { $why }
evidence-withheld = { $name } was not run here: { $why }
evidence-waived = { $name } fails; somebody chose to go on without it
evidence-notRun = { $name } could not be run here
evidence-ranIn = in { $image }{ $services ->
        [0] {""}
       *[other] , with { $services }
    }
evidence-unrun = – { $n ->
        [one] { $n } check is
       *[other] { $n } checks are
    } not run for these files: { $names }
evidence-leftToCi = – { $n ->
        [one] { $n } command is
       *[other] { $n } commands are
    } left to CI: { $names }
evidence-ranNoTest = { $name } ran no test
evidence-moreCautions = … and { $n ->
        [one] { $n } more caution
       *[other] { $n } more cautions
    }: see { $high ->
        [yes] Review risks
       *[no] More
    }
card-closed-approved = Approved
card-closed-denied = Denied
card-closed-changes = Changes asked for
card-closed-expired = Expired
card-closed-changedRecord = ⚠ Changed in the database
card-closed-void = No longer valid
card-closed-failed = Not opened
card-asks-open = Open this pull request in { $repo }?
card-asks-both = Push this and open a pull request in { $repo }?
card-asks-push = Push this to { $repo }?
card-asks-fix = Push this fix to { $pull } in { $repo }?
card-sizes-small = small change: { commonParts-inFiles }
card-sizes-medium = medium-sized change: { commonParts-inFiles }
card-sizes-large = large change: { commonParts-inFiles }
card-riskByChecks = { $level } risk because of the checks
card-riskUntested = { $level } risk because nothing was tested
card-otherFiles = Other files:
card-hunkAt = line { $line }:
card-undecided = , or you are asked again
card-does-open = open the pull request
card-does-both = push the branch and open the pull request
card-does-push = push
card-does-fix = push the fix
card-next = Nobody has decided yet, and three quarters of the time is up: it is your turn.
card-run = run { $id }
card-files = { $n ->
        [one] { $n } file
       *[other] { $n } files
    }
card-toFork = Pushes to { $fork }, a fork
card-rivals = Somebody else is at it: { $all }
card-forecast = Lately { $merged } of { $closed } pull requests from outsiders were merged there{ $alike }; half ended within { $time }{ $answer }
card-forecastAlike = {" "}({ $merged } of { $closed } like this one)
card-forecastAnswer = {""}; half of the last { $of } had a first answer within { $time }
card-rival = { $who } in pull request { $pull } (same { $by })
card-askedAgain = Made again after: “{ $asked }”
card-newSince = New since the last card: { $files }
card-nothingNew = Nothing is new since the last card. { FILLED($says) ->
    [yes] The agent says: “{ $says }”
   *[no] {""}
}
card-leftFixes = Changed nothing, and left out: { $titles }
card-opens = Opens { $draft ->
        [until_green] as a draft, and turns ready by itself once checks are green
        [yes] as a draft
       *[no] ready for review
    }{ FILLED($fields) ->
        [yes] {" "}· { LIST($fields, by: " · ") }
       *[no] {""}
    }
pullFields-labels = labels { $names }
pullFields-reviewers = review by { $names }
pullFields-assignees = assigned to { $names }
pullFields-milestone = milestone { $name }
pullFields-without = Leaves out: { LIST($names, by: " · ") }
pullAll-labels = all labels
pullAll-reviewers = all reviewers
pullAll-teams = all teams
pullAll-assignees = all assignees
pullAll-milestone = the milestone
setupRefusals-label = label { $value }: { $why }
setupRefusals-reviewer = reviewer { $value }: { $why }
setupRefusals-team = team { $value }: { $why }
setupRefusals-assignee = assignee { $value }: { $why }
setupRefusals-milestone = milestone { $value }: { $why }
setupRefusals-ready = it stays a draft: { $why }
setupReasons-missing = there is none of that name
setupReasons-is_author = opened the pull request
card-saysNoReason = The description says no more than its title. Reply with one line that says why, and it stands there.
card-describes = Also updates the description of the pull request (see PR text)
card-binary = binary
card-deleted = deleted
card-moreFiles = … and { $n } more (+{ $added } −{ $deleted })
card-risk = { $level } risk
card-more = {" "}(+{ $n } more)
card-conflicts = Conflicts with { $base }: cannot be merged before an update
card-behind = { $base } has moved on
card-merges = Merges { $ref } { $sha }: { $n ->
        [one] { $n } commit
       *[other] { $n } commits
    }
card-theirs = Includes { $sha } by { $author }, taken by { $by }
card-decide = Decide
card-into = pull request into { $base }
card-edited = words changed by { $name }
card-requested = asked by { $name }
card-contained = contained only by { $how ->
        [bwrap] bubblewrap
        [bwrap_unfiltered] bubblewrap without a filter of system calls
        [unshare] namespaces
        [container] a container
       *[group] a process group
    }
card-lends-key = the agent could read its model key
card-lends-sign_in = the agent could read its sign-in
card-lends-secret = the agent could read a secret that its settings give it
card-unsigned = { $base } takes only signed commits; this one is not signed
card-hiddenLines = { $n ->
        [one] { $n } line
       *[other] { $n } lines
    } hidden as secret
card-skipped = { $n ->
        [one] { $n } file
       *[other] { $n } files
    } left out: { $kinds }
card-leftOut-nested_repository = nested repository
card-leftOut-hard_link = linked from outside
card-leftOut-bad_name = bad name
card-leftOut-too_large = too large
card-leftOut-skipped_ignored = ignored by the repository
card-natures-renamed = renamed
card-natures-executable = made executable
card-natures-notExecutable = no longer executable
card-natures-link = link
card-natures-submodule = submodule
card-natures-lineEndings = line endings only
card-natures-blanks = whitespace only
card-natures-lfs = LFS pointer
card-natures-lfsRaw = should be in LFS
card-natures-filterRaw = not encrypted or filtered
card-armed = Tap Confirm to { $what }. The button expires
card-notQuoted = … { $lines ->
        [one] { $lines } more line
       *[other] { $lines } more lines
    } in { $files ->
        [one] { $files } file
       *[other] { $files } files
    }: Diff shows all of it
card-omitted = … { $bytes } bytes do not fit in the file
card-by = approved by { $name }
card-opening = opening the pull request…
card-pushing = pushing…
card-openedAs = Pull request { $pull } opened
card-itemComment = { $outcome ->
    [asked] { $by } has the link posted where the order came from …
    [posted] { $by } had the link posted where the order came from
    [refused] The link could not be posted where the order came from
   *[unclear] The link may be posted where the order came from: look there
}
card-notOpened = but it was not opened:
card-newerBelow = A new card is below.
card-changedRecord = Somebody changed the record of this card in the database, so that nobody can sign it. The operator runs `agentpr replay { $run }`, which names what was changed, and restores a backup.
card-record = run { $run } · digest { $digest }
card-sealMark = digest { $digest }
proposal-engine = With { $engine }
proposal-title = Tap to do this
proposal-which = Which of these?
proposal-whichAct = Tap what you mean
proposal-over = Things have moved on: nothing was done.
proposal-overrule = The run goes on despite this rule. Your reason is kept and shown on each card, and the change counts as high risk.
proposal-several = { $does } · { $n ->
        [one] { $n } run
       *[other] { $n } runs
    }
proposal-some = { $n ->
        [0] Nothing was done. See below.
       *[other] Recorded in { $n ->
                [one] { $n } run
               *[other] { $n } runs
            }, not in { $not }. See below.
    }
proposal-fell = { $n ->
        [one] One run did not take it:
       *[other] { $n } runs did not take it:
    }
proposal-upTo = { $does } with up to { $limits }
proposal-answers-issue = This is the issue
proposal-answers-cla = I have signed the agreement
proposal-answers-words = Publish these words as mine
proposal-answers-sign_off = Sign off with this, now and later
proposal-answers-template = This answers the template
proposal-does-answer = Answer
proposal-does-retry = Retry
proposal-does-resume = Resume
proposal-does-pause = Pause
proposal-does-cancel = Cancel for good
proposal-does-skip = Skip
proposal-does-update = Update from base
proposal-does-revoke = Ask me again
proposal-does-deny = Deny
proposal-does-changes = Ask for these changes
proposal-does-ask = Ask the agent
proposal-does-take_back = Take the changes back
proposal-does-edit = Change how it opens
proposal-does-fix = Let the agent do it
proposal-does-keep = Stop and keep
proposal-tells = Tell the agent of { $run }
proposal-newRun = New run in { $repo }
proposal-does-overrule = This rule is about something else
proposal-does-open = Open now
proposal-does-post_link = Post the link
proposal-does-done = Mark as done
proposal-does-new = Start
proposal-again-words = Start again with these words
proposal-again-same = Start again
proposal-does-settings = Change this setting
proposal-changeLanguage = Change the language
proposal-does-status = Status
proposal-does-pending = Pending
proposal-does-runs = Runs
proposal-does-detail = Details
proposal-does-diff = Diff
proposal-does-log = Log
proposal-does-plan = Plan
proposal-does-budget = Budget
triage-title = REVIEW
triage-begun = REVIEW, IN PROGRESS
triage-from = { $names } · { $n ->
        [one] { $n } remark
       *[other] { $n } remarks
    }
triage-whole = the whole change
triage-choices-apply = Apply
triage-choices-fix = Fix
triage-choices-reply = Answer
triage-choices-ignore = Ignore
triage-since-edited = edited since
triage-since-withdrawn = the review was dismissed
triage-since-deleted = deleted since
triage-since-rights_lost = its author no longer has write access
triage-answer = Answer:
triage-noAnswer = No answer yet: reply to this message with “{ $no } your answer”.
triage-how = Tap a number to change what is done about it. Nothing is posted or changed until you start.
triage-page = page { $n } of { $of }
triage-did = { $by } chose: { $fix } to fix, { $reply } to answer, { $ignore } to ignore.
triage-file = remark
triage-changed = { $no }: { $choice }
triage-saidFor = Kept as the answer to { $no }. It is posted only when you sign it.
triage-whichOne = Which remark? Begin with its number, like “2 This is on purpose because …”.
triage-readAll = Some remarks are longer than the card shows. Read all of them below, then tap again.
triage-over = That review has already been dealt with.
replying-title = ANSWERS
replying-to = to { $name }
replying-again = asks { $names } to review again
replying-mark = Each ends with a hidden line that marks it as posted.
replying-post = Post
replying-postThem = post the answers
replying-posting = posting the answers…
replying-how-posted = posted
replying-how-deleted = not posted: the remark is gone
replying-how-locked = not posted: the conversation is locked
replying-how-refused = not posted
replying-closed = ANSWERED
replying-asked-asked = They were asked to review again.
replying-asked-failed = They could not be asked to review again.
replying-wordsOf-person = a person’s words
replying-wordsOf-agent = the agent’s words
replying-wordsOf-product = AgentPR’s words
replying-long = The answers are longer than this card shows. Read all of them below, then tap again.
replying-thread = Thread
replying-conversation = the conversation
openRemarks-title = SOMEBODY WAITS FOR AN ANSWER
openRemarks-waits = { $n ->
        [one] { $n } remark
       *[other] { $n } remarks
    } without an answer, the oldest from
openRemarks-more = … and { $n ->
        [one] { $n } more remark
       *[other] { $n } more remarks
    }
openRemarks-how = Answer on the pull request, or let the agent do what is asked.
openRemarks-howOnCard = The card of the review is still open: choose there, or answer on the pull request.
openRemarks-mayClose = If nobody will go on with it, close it with a sentence of yours.
openRemarks-answered = They are answered
openRemarks-close = Close with a sentence
openRemarks-askBelow = Reply to the message below.
openRemarks-ask = Which sentence should close the pull request? Write it here: it is published as you write it, above the description.
openRemarks-closing = The pull request is being closed with your sentence.
openRemarks-over = Nobody is waiting for an answer any more.
comment-bot = a program
comment-access-write = has write access
comment-access-read = outsider
comment-access-unknown = access unknown
comment-on = on { $run }
comment-omitted = … { $n ->
        [one] { $n } more character
       *[other] { $n } more characters
    }
comment-passedBy = Passed on to the agent by { $name }.
comment-answer = Answer
comment-askBelow = Reply to the message below.
comment-ask = What is your answer? Write it here: it is shown for your signature, and then published as you write it.
comment-answering = A card with your answer comes next.
waysOut-pull = View the pull request
waysOut-compare = Compare on the web
waysOut-branch = Branch
waysOut-commit = Commit
waysOut-checkout = Checkout
buttons-openNow = Open now
buttons-commentOnItem = Post the link there
buttons-open = Open PR
buttons-push = Push
buttons-pushFix = Push fix
buttons-ok = Confirm
buttons-back = Back
buttons-changes = Ask for changes
buttons-ask = Ask
buttons-takeBack = Take back
buttons-deny = Deny
buttons-look = Show the run
buttons-why = Which policy?
buttons-risk = Review risks
buttons-diff = Diff
buttons-text = PR text
buttons-whole = All of it
buttons-more = More
buttons-detail = Details
buttons-retry = Retry
buttons-resume = Resume
buttons-cancel = Cancel run
buttons-start = Start
buttons-rerun = Re-run CI
buttons-without = Go on without these checks
buttons-update = Update from base
buttons-take = Take their commit { $sha }
buttons-card = Show the card
buttons-keep = Stop and keep
buttons-drop = Stop and drop
buttons-dropEnds = Yes, end the run
buttons-drops = Yes, drop it
buttons-keeps = Yes, stop and keep
buttons-tellNow = Now
buttons-tellAfter = After this turn
buttons-fix = Let the agent do it
buttons-remarks = Read all

## Campaigns

campaign-titles-planned = PREVIEW
campaign-titles-running = RUNNING
campaign-titles-paused = PAUSED
campaign-titles-stopped = STOPPED
campaign-titles-finished = FINISHED
campaign-titles-closed = CLOSED
campaign-states-planned = planned
campaign-states-running = running
campaign-states-paused = paused
campaign-states-stopped = stopped
campaign-states-finished = finished
campaign-states-closed = closed
campaign-scheduled = SCHEDULED
campaign-leftOut-duplicate = named twice
campaign-leftOut-archived = archived
campaign-leftOut-fork = forks: name one to include it without its original
campaign-leftOut-missing = not there, or hidden from us
campaign-leftOut-banned = closed to changes by agents
campaign-leftOut-not_allowed = closed to pushes, forks or pull requests of ours
campaign-leftOut-pull_open = with an open pull request of ours
campaign-leftOut-running = with a run in progress
campaign-leftOut-over_limit = beyond the limit of one campaign
campaign-leftOut-invalid_branch = with a branch name that git refuses, or that is too long
campaign-leftOut-invalid_base = with a base branch that git refuses, or that is too long
campaign-leftOut-invalid_title = with a title that is too long, or has control characters
campaign-leftOut-invalid_goal = with a goal that is empty, too long, or has control characters
campaign-leftOut-invalid_command = with a value that cannot be written into a command
campaign-leftOut-link_out = after a repository that takes no part
campaign-leftOut-with_branch = named with a branch: order those with base=<branch>, which holds for a whole list
campaign-notAdopted-ours = a run of ours opened it
campaign-notAdopted-already_followed = followed already
campaign-notAdopted-missing = not there, or hidden from us
campaign-notAdopted-unreachable = the code host does not answer; send it again later
campaign-notAdopted-over_limit = beyond the limit of one campaign
campaign-notAdopted-elsewhere = not at this code host
campaign-adopted-open = open
campaign-adopted-red = checks red
campaign-adopted-green = checks green
campaign-adopted-merged = merged
campaign-adopted-closed = closed
campaign-marks-merged = merged
campaign-marks-done = done
campaign-marks-green = checks green, waiting for reviewers
campaign-marks-open = open, waiting for checks
campaign-marks-waits = waiting for you
campaign-marks-works = in progress
campaign-marks-denied = denied
campaign-marks-failed = failed
campaign-marks-skipped = skipped
campaign-marks-out = left out
campaign-marks-cancelled = cancelled
campaign-takePart = { $of ->
        [1] 1 repository takes part
       *[other] { $n } of { $of ->
                [one] { $of } repository
               *[other] { $of } repositories
            } take part
    }
campaign-fixes = In one pull request each: { $titles }
campaign-example = Filled in, as { $repo } will have it:
campaign-filled-title = Title
campaign-filled-branch = Branch
campaign-filled-base = Base
campaign-filled-goal = Goal
campaign-filled-command = Command
campaign-checks = Checks
campaign-notInstalled = No dependencies are installed.
campaign-unseen = Not looked at yet, and judged when its turn comes: { $n }
campaign-out = Left out: { $n } { $why }
campaign-more = … and { $n } more
campaign-atOnce = { $n ->
    [one] Starts with its one repository
   *[other] Starts with all { $n } repositories at once
}
campaign-canary = Starts with { $first ->
        [one] { $first } repository
       *[other] { $first } repositories
    }, then { $steps } at a time
campaign-next = The next step begins once the repositories of the last one { $outcome ->
        [approved] have a pull request
        [ci_green] have a pull request with green checks
       *[merged] are merged
    }
campaign-limits = At most { $day } a day, { $owner } of one owner, { $open } open at a time
campaign-stops = Stops by itself when more than { $failures } % of the repositories of one step fail, or { $denials } % are denied
campaign-estimate = By { $of ->
        [one] { $of } past run
       *[other] { $of } past runs
    }: about { $work } of work, { $cost } and { $attention } of your attention in all
campaign-each = In each repository: { $expected }
campaign-forecast = Cost in all: { $low } to { $high }, by { $runs } runs like it ({ $isSure ->
        [yes] fairly sure
       *[no] a rough guess
    }). { GIVEN($limit) ->
        [yes] Its budget: { $limit }
       *[no] No budget of a campaign is set
    }{ $isShort ->
        [yes] , which may not be enough
       *[no] {""}
    }.
campaign-forecastUntold = Cost in all: { $runs } runs like it did not tell what they cost. { GIVEN($limit) ->
        [yes] Its budget: { $limit }.
       *[no] No budget of a campaign is set.
    }
campaign-forecastNone = Cost in all: no run like this yet. { GIVEN($limit) ->
        [yes] Its budget: { $limit }.
       *[no] No budget of a campaign is set.
    }
campaign-costUnknown = an unknown cost
campaign-noEstimate = There are no past runs to estimate from.
campaign-nothingYet = Nothing starts until you tap Start.
campaign-planned = The preview is ready; nothing has started.
campaign-startsOnHost = Nothing starts until you run “agentpr campaign start { $id }”, or somebody taps { $button } in the chat.
campaign-patience = Without a tap it is closed after a week.
campaign-lapsed-late = Nobody started it within a week, so it was closed. Nothing was changed.
campaign-lapsed-replaced = Nobody started it before the next one of its schedule came, so it was closed. Nothing was changed.
campaign-quoted = What the agent will read of it, as others wrote it
campaign-every = Every { $every } this is looked at again, and comes to you as a preview.
campaign-firstTime = Nothing comes until you tap Schedule.
campaign-nextTime = Next preview: { $when }
campaign-noNextTime = No further preview comes.
campaign-cameLast = Last: { $id }, { $when }
campaign-merged = Merged { $n } of { $of } ({ $percent } %)
campaign-begun = { $n } of { $of ->
        [one] { $of } repository
       *[other] { $of } repositories
    } started
campaign-onYou = Waiting for you
campaign-failed = Failed
campaign-near = Close to a limit
campaign-busy = Waiting for another run of ours there
campaign-elsewhere = Opened elsewhere, and only followed: { $n }
campaign-adopting = Looking at { $n ->
        [one] { $n } pull request
       *[other] { $n } pull requests
    }.
campaign-queue = Waits for the CI of { $owner }: { $n } of ours queued
campaign-waits-open = { $count } of at most { $of } are open: the next one waits for a place
campaign-waits-owner = waiting: { $count ->
        [one] { $count } repository
       *[other] { $count } repositories
    } whose owners already have { $of } open
campaign-waits-day = { $count } of at most { $of } were started in 24 hours: the next one waits until tomorrow
campaign-waits-busy = { $count } of the { $of } that may start wait for another run of ours in their repository
campaign-waits-queued = { $count } of the { $of } that may start wait until checks of our other runs get a machine
campaign-waits-after = { $count } of the { $of } that may start wait for the repositories that they come after
campaign-waits-step = { $count } of the { $of } in the steps so far { $count ->
        [1] is
       *[other] are
    } not there yet
campaign-nextStep = Next: { $n } more { $n ->
        [1] repository
       *[other] repositories
    }
campaign-last = All repositories have been started.
campaign-approvers = Only these may approve: { $who }
campaign-stopped = { $kind ->
        [approvers] It stopped by itself: of the approvers that it names, { $count } may still approve, and { $of ->
                [1] one is
               *[other] { $of } are
            } needed. Give one of them the role back with /users, then Resume; or close it and order it again with others.
       *[other] { $kind ->
                [access] It stopped by itself: the last { $count } repositories are all hidden from us or closed to us, so our credential is probably the reason. Runs that have started go on. Check the token or the App, then Resume.
               *[other] It stopped by itself: { $count } of the { $of } of this step { $kind ->
                        [failures] failed
                       *[other] were denied
                    }, and the limit is { $bound } %. Runs that have started go on. Resume starts the next ones all the same.
            }
    }
campaign-paused = No further repositories are started. Runs that have started go on.
campaign-finished = Every run has ended.
campaign-closed = No further repositories are started.
campaign-sure = { $n ->
        [0] Close it for good? It has no run without a pull request; open pull requests stay as they are.
       *[other] Close it for good? { $n ->
                [one] { $n } run
               *[other] { $n } runs
            } without a pull request can be cancelled with it; open pull requests stay as they are until you close them with another tap.
    }
campaign-asksFirst = ASKED FIRST
campaign-askFirst = { $n ->
        [one] { $n } repository
       *[other] { $n } repositories
    } { $n ->
        [1] asks
       *[other] ask
    } for something before any work begins. What each says:
campaign-nothingAsked = All of it is answered.
campaign-firsts-issue_first = An issue first
campaign-firsts-cla = A signed agreement
campaign-firsts-human_words = A description in your own words
campaign-firsts-dco = A sign-off
campaign-firsts-base_branch = Another branch
campaign-firsts-other = Perhaps a ban on such changes: start only if it is not one
campaign-allAsk = { LIST($what, by: " · ") } ({ $n })
campaign-allTheSame = Start begins them anyway; each pull request’s card then says what is missing. One by one shows each with its own card, which takes an answer.
campaign-answered-begin = { $n ->
        [0] None of them asks any more.
       *[other] Started { $n }.
    }
campaign-answered-leave_out = { $n ->
        [0] None of them asks any more.
       *[other] Left out { $n }.
    }
campaign-learned-denial = What an approver said
campaign-learned-review = What a reviewer asked for
campaign-learned-checks = Checks that failed
campaign-nobodyLeft = Nobody is left to be told: the others have heard it, are at work, or have ended.
campaign-taught = { $n ->
        [0] Nobody was left to be told.
       *[other] Passed on to { $n ->
                [one] { $n } run; it comes
               *[other] { $n } runs; each comes
            } back with a card of its own.
    }
campaign-ownersNo = Maintainers of { $owner } said no: { $left ->
        [one] { $left } repository
       *[other] { $left } repositories
    } of theirs { $left ->
        [1] is
       *[other] are
    } not begun.
campaign-hours = Starts repositories only { $when }
campaign-outOfHours = Outside its hours: the next one starts { $when }
campaign-mergedAfter = Within { $days } days: { $n } of { $of } merged ({ $percent } %)
campaign-stuck = { $n } { $n ->
        [1] has
       *[other] have
    } been waiting for days
campaign-keeps = for { $whom }, { $long }
campaign-keepers-you = you
campaign-keepers-reviewers = reviewers
campaign-keepers-checks = checks
campaign-eta = At this pace the last one is ready for you in { $left } ({ $when })
campaign-idle = All { $places } places are taken by { $n ->
        [one] { $n } pull request
       *[other] { $n } pull requests
    } on which nothing has moved for a week. Nothing more begins before one of them ends.
campaign-noIdle = There are free places, or something moves again.
campaign-goesOn = { $places } may be open at a time now.
campaign-granted = Each run may use up to { $amounts }.
campaign-withdraws = { $n ->
        [0] No pull request of it is open.
       *[other] { $n ->
                [one] { $n } pull request
               *[other] { $n } pull requests
            } of ours will be closed, if nobody else pushed to { $n ->
                [1] it
               *[other] them
            }. This will stand at the top of { $n ->
                [1] its
               *[other] each
            } description:
    }
campaign-gaveUp = The campaign was closed.
campaign-withdrawn = { $n ->
        [0] There is nothing to close.
       *[other] Closing { $n ->
                [one] { $n } pull request
               *[other] { $n } pull requests
            }; you are told of any that has to stay open.
    }
campaign-buttons-start = Start { $n }
campaign-buttons-undo = Undo { $n }
campaign-buttons-schedule = Schedule
campaign-buttons-drop = Drop
campaign-buttons-pause = Pause
campaign-buttons-resume = Resume
campaign-buttons-close = Close
campaign-buttons-sure = Close for good
campaign-buttons-cancel = Close, cancel { $n }
campaign-buttons-retry = Retry { $n } failed
campaign-buttons-all = All { $n }
campaign-buttons-goOn = Go on with 5 more
campaign-buttons-closeIdle = Close { $n } idle
campaign-buttons-wait = Wait
campaign-buttons-first = { $n } { $n ->
        [1] asks
       *[other] ask
    } first
campaign-buttons-begin = Start { $n }
campaign-buttons-leaveOut = Leave out { $n }
campaign-buttons-singly = One by one
campaign-buttons-learn = Learned { $n }
campaign-buttons-teach = Apply to { $n ->
        [one] { $n } other
       *[other] { $n } others
    }
campaign-buttons-withdraw = Close { $n ->
        [one] { $n } pull request
       *[other] { $n } pull requests
    }
campaign-buttons-look = Refresh
campaign-did-started = Started.
campaign-did-scheduled = Scheduled.
campaign-did-paused = Paused.
campaign-did-resumed = Resumed.
campaign-did-closed = Closed.
campaign-waves-of = Wave { $no } of { $all }: { $n ->
        [one] { $n } repository
       *[other] { $n } repositories
    }
campaign-waves-waits = after { $repos }
campaign-waves-merged = merged as { $commit }
campaign-waves-released = released as { $tag }
campaign-waves-refused = released under a name that no command may hold: waits for the next release
campaign-waves-release = a release of { $repo }
campaign-waves-stopped = not started: { $repo } { $mark ->
        [failed] failed
        [denied] was denied
        [cancelled] was cancelled
        [skipped] was skipped
        [done] ended without being merged
       *[out] takes no part
    }
campaign-waves-later = not started yet
campaign-undo-scheduled = { $id } is a schedule, which has no runs itself. Undo one of its campaigns: /campaign { $id } names the last one.
campaign-undo-nothing = There is nothing to take back: nothing of { $id } is merged, or a revert of it is there already. /campaign { $id } closes what is open.
campaign-undo-looking = Looking at { $n ->
        [one] { $n } merged pull request
       *[other] { $n } merged pull requests
    }. The preview comes in place of this message; nothing starts until you tap Undo.
campaign-undo-of = Takes back what { $id } merged, each as a pull request that waits for approval like any other.
campaign-undo-reverse = In reverse order: what came last is taken back first. One that conflicts holds up only those that wait for it.
campaign-undo-nothingYet = Nothing starts until you tap Undo.
campaign-undo-also = { $open ->
        [0] Undo also cancels { $working ->
            [one] { $working } run
           *[other] { $working } runs
        } without a pull request.
       *[other] Undo also closes { $open ->
            [one] { $open } open pull request
           *[other] { $open } open pull requests
        }{ $working ->
            [0] { "" }
            [one] { "" } and cancels { $working } run without one
           *[other] { "" } and cancels { $working } runs without one
        }; our branches go with them.
    }
campaign-undo-rest = { $stays ->
        [one] { $stays } pull request
       *[other] { $stays } pull requests
    } of it { $stays ->
        [1] stays
       *[other] stay
    } open: closing is under way, or somebody else pushed.
campaign-undo-fresh = { $n ->
        [one] { $n } pull request
       *[other] { $n } pull requests
    } of it { $n ->
        [1] was
       *[other] were
    } merged since the preview: /campaign { $first } undo takes { $n ->
        [1] it
       *[other] them
    } back too.
campaign-undo-by = Undone by { $undos }
campaign-undo-role = Closing pull requests needs an approver: one of them taps Undo.
campaign-tried = { $n ->
        [0] There is nothing to try again.
       *[other] Trying { $n } again.
    }
campaign-not = Not possible: the campaign is { $how }.
campaign-notDone = It could not be done: { $note }. Use a new idempotency key to try again.
campaign-unknown = There is no campaign { $id }.
campaign-none = There are no campaigns. /batch starts one.
campaign-which = Say which campaign: /campaign shows them.
campaign-list = Campaigns
campaign-entry = { $released ->
        [0] { $how }
       *[other] { $how }, { $released ->
                [one] { $released } repository
               *[other] { $released } repositories
            } in its steps so far
    }
campaign-scheduledEntry = { $state ->
        [running] scheduled
       *[other] { $state ->
                [planned] planned
                [running] running
                [paused] paused
                [stopped] stopped
                [finished] finished
               *[closed] closed
            }
    }, every { $every }

## What CI gives a check

checkNeeds-history = the whole history and tags
checkNeeds-submodules = submodules
checkNeeds-lfs = files of Git LFS
checkNeeds-services = services
checkNeeds-secrets = secrets
checkNeeds-system = another system

## What a machine may lack

lackedThings-network = the network
lackedThings-service = a running service
lackedThings-docker = Docker
lackedThings-browser = a browser
lackedThings-display = a display
lackedThings-system_library = a system library
lackedThings-memory = more memory
lackedThings-package = a package
lackedThings-permission = more rights
lackedThings-older_node = an older Node
lackedThings-older_python = an older Python
lackedThings-free_port = a free port
lackedThings-writable_folder = a folder that it may write to
lackedThings-open_files = more open files
lackedThings-git_identity = a name and an address for git
lackedThings-time_zone = data of time zones
lackedThings-terminal = a terminal
lackedThings-ordinary_user = an ordinary user
lackedThings-interpreter = another interpreter
lackedThings-variable = a variable of the environment

## Parts of the sentences above

commonParts-inFiles = { FILLED($lines) ->
        [yes] { $lines } in{" "}
       *[no] {""}
    }{ $files ->
        [one] { $files } file
       *[other] { $files } files
    }

## Cards and campaigns, filled in by code

environmentGaps-needs = it needs { LIST($needs, by: " and ") }, as CI gives it
environmentGaps-need = { $need }{ $names ->
    [0] {""}
   *[other] {" "}({ LIST($names, by: ", ") })
}
environmentGaps-toolVersion = the repository asks for { $name } { $asked }, and this machine has { GIVEN($version) ->
    [yes] { $version }
   *[no] none
}
environmentGaps-ciVersion = CI uses { $name } { $versions }, and this machine has { $version }
environmentGaps-versionsBetween = { $oldest } to { $newest }
environmentGaps-versionsFrom = { $oldest } or newer
environmentGaps-timeLimit = it does not end within the time limit (checkTimeoutMinutes)
environmentGaps-lacks = it needs { $what }
environmentGaps-noProgram = { $program } is not installed on this machine
environmentGaps-installFails = { $command } fails here
environmentGaps-ciGreen = CI is green on the base, so this machine differs
evidence-morePassed = ✓ { $n ->
    [one] { $n } more check
   *[other] { $n } more checks
} passed
evidence-moreOthers = ⚠ { $n ->
    [one] { $n } more check
   *[other] { $n } more checks
} did not
card-checks = { $all ->
    [0] no checks ran ⚠
   *[other] { $isAll ->
        [yes] { cardParts-checks } passed
       *[no] { $passed } of { cardParts-checks } passed{ $untested ->
            [0] {""}
           *[other] , { $untested } ran no test
        }{ $failing ->
            [0] {""}
            [one] , { $failing } fails on { $ref } too
           *[other] , { $failing } fail on { $ref } too
        }{ $unjudged ->
            [0] {""}
           *[other] , { $unjudged } not judged here
        } ⚠
    }
}
cardParts-checks = { $all ->
    [one] { $all } check
   *[other] { $all } checks
}
card-signed = { $stage ->
    [none] { $needed ->
        [one] { $needed } person
       *[other] { $needed } people
    } must approve this
    [enough] { $have } of { $needed } approvals: { $names }
    [last] { $have } of { $needed } approvals: { $names } · yours is the last
    [named] { $have } of { $needed } approvals: { $names }
   *[more] { $have } of { $needed } approvals: { $names } · yours makes it { $next } of { $needed }
}
card-stillNeeds = still needs one of { $names }
card-coolDown = opened { $unit ->
    [minutes] { $n ->
        [one] { $n } minute
       *[other] { $n } minutes
    }
    [hours] { $n ->
        [one] { $n } hour
       *[other] { $n } hours
    }
   *[days] { $n ->
        [one] { $n } day
       *[other] { $n } days
    }
} after the last approval
buttons-begin = { $choices ->
    [0] Ignore all
   *[other] Start: { LIST($choices, by: ", ") }
}
buttons-toFix = { $n } to fix
buttons-toAnswer = { $n } to answer
campaign-looking = Looking { LIST($where, by: " and ") }. The preview comes in place of this message; nothing starts until you tap Start.
campaign-lookingAt = at { $n ->
    [one] { $n } repository
   *[other] { $n } repositories
}
campaign-lookingFor = for { $queries }
campaign-found = { $query }: { $repos ->
    [one] { $repos } repository
   *[other] { $repos } repositories
}{ $extent ->
    [cut] ; the code host gave { $given } of { $of } hits: narrow it to have them all
    [stopped] ; the code host stopped before it had looked everywhere: narrow it to have them all
   *[whole] {""}
}
campaignCame-issue = { $by } labelled issue { $issue } of { $repo }
campaignCame-schedule = It is due by its schedule, { $schedule }
campaignCame-hook = The webhook { $hook } asked for it
campaignSource-issue = issues of { $repo }
campaignSource-schedule = the schedule { $schedule }
campaignSource-hook = the webhook { $hook }
campaign-notStarted = Not started: { LIST($parts, by: ", ") }.
campaign-lastStepWaits = All steps have begun; { $n ->
    [one] { $n } repository waits for its turn
   *[other] { $n } repositories wait for their turn
}.
campaign-lastStep = No further step comes. { $notStarted }
campaignIdle-waiting = { $n } waiting for their turn
campaignIdle-later = { $n } in later steps
campaignIdle-leftOut = { $n } left out
campaignIdle-stopped = { $n } after one that was not merged
campaignIdle-unwanted = { $n } of owners whose maintainers said no
campaignIdle-elsewhere = { $n } done by a pull request from elsewhere
campaignWish-checks = In { $repo } these checks of the code host failed on the same change: { $text }. See to it that they pass here.
campaignWish-said =
    { $from ->
        [denial] An approver
       *[other] A reviewer
    } said of the same change in { $repo }:

    { $text }

    Do what holds for this repository as well.

## What policies, risk and grades say

judgements-exposed_credential = a key or sign-in that was lent to the agent is in { judgementsParts-paths }
judgements-secret = what looks like a secret is in { judgementsParts-paths }
judgements-likely_secret = what may be a secret is in { judgementsParts-paths }
judgements-key_files = by their names, these files hold keys or passwords: { judgementsParts-paths }
judgements-likely_key_files = by their names, these files may hold keys or passwords: { judgementsParts-paths }
judgements-leaves_workspace = a path leaves the workspace: { judgementsParts-paths }
judgements-link_leaves = a link points out of the repository: { judgementsParts-paths }
judgements-gitlink_added = a submodule pointer would be published: { judgementsParts-paths }
judgements-gitlink_removed = a submodule is removed: { judgementsParts-paths }
judgements-binary = nobody can read a binary file: { judgementsParts-paths }
judgements-lfs_pointer = it points to a large file that is not pushed: { judgementsParts-paths }
judgements-lfs_raw = the repository keeps it in LFS, and here its own bytes would be published: { judgementsParts-paths }
judgements-filter_raw = the repository filters it (encrypts it, perhaps), and here its own bytes would be published: { judgementsParts-paths }
judgements-not_read = too large to be searched, so nothing has read it: { judgementsParts-paths }
judgements-bidi_text = text is reordered on screen by bidirectional controls: { judgementsParts-paths }
judgements-hidden_text = invisible characters: { judgementsParts-paths }
judgements-not_on_windows = Windows cannot check out a file of this name: { judgementsParts-paths }
judgements-trailing_dot_or_space = a name ends in a space or a dot: { judgementsParts-paths }
judgements-whitespace_changed = only whitespace or line endings change: { judgementsParts-paths }
judgements-mixed_script = letters of several scripts in one word: { judgementsParts-paths }
judgements-look_alike = something reads as plain Latin text and is not: { judgementsParts-paths }
judgements-long_line = a line too long to be read: { judgementsParts-paths }
judgements-odd_files = the agent left files that cannot be published as they are: { judgementsParts-paths }
judgements-ci_changed = this changes what CI runs: { judgementsParts-paths }
judgements-agent_config_changed = this changes what steers coding agents: { judgementsParts-paths }
judgements-trust_root_changed = this changes where packages, hooks or submodules come from: { judgementsParts-paths }
judgements-forbidden_path = these paths may not be changed: { judgementsParts-paths }
judgements-protected_path = these paths need a signature: { judgementsParts-paths }
judgements-lockfile_without_manifest = a lockfile changes without its manifest: { judgementsParts-paths }
judgements-tests_removed = this deletes tests: { judgementsParts-paths }
judgements-tests_weaker = tests are skipped or check less: { judgementsParts-paths }
judgements-tests_skipped = tests are skipped: { judgementsParts-paths }
judgements-tests_weakened = tests check less: { judgementsParts-paths }
judgements-tests_not_run = no check here runs these tests: { judgementsParts-paths }
judgements-tests_thinner = lines of tests are removed or replaced, so the checks may say less: { judgementsParts-paths }
judgements-check_config_changed = the change touches what the checks run: { judgementsParts-paths }
judgements-unreadable_path = a name cannot be read: { judgementsParts-paths }
judgements-hidden_path = a name has invisible characters: { judgementsParts-paths }
judgements-key_file_touched = these files may hold keys or passwords: { judgementsParts-paths }
judgements-install_time = this may run code on install or build: { judgementsParts-paths }
judgements-dependencies = this changes dependencies: { judgementsParts-paths }
judgements-attributes = this changes how git and reviewers see files: { judgementsParts-paths }
judgements-generated = these files look generated: { judgementsParts-paths }
judgements-gitlink = this changes a submodule pointer: { judgementsParts-paths }
judgements-symlink = this adds or changes a symbolic link: { judgementsParts-paths }
judgements-executable = this makes files executable: { judgementsParts-paths }
judgements-not_executable = this makes files no longer executable: { judgementsParts-paths }
judgements-type_changed = this changes what kind of file it is: { judgementsParts-paths }
judgements-deleted = this deletes files: { judgementsParts-paths }
judgements-renamed = this renames files: { judgementsParts-paths }
judgements-unknown_mode = this gives a file an unknown mode: { judgementsParts-paths }
judgements-tests_found_by_agent = only the agent found which tests to run ({ judgementsParts-paths })
judgements-high_risk = high risk always needs a signature
judgements-watched = others are already reading this pull request, and the risk is above low
judgements-small_change = a small change to plain files, with our checks green
judgements-no_check = no check of this repository was run
judgements-no_facts = it is not known which files change
judgements-no_contract = the rules of the repository are not known
judgements-containment_unknown = it is not known how the agent was contained
judgements-containment_weak = the agent ran without a sandbox, only in a process group
judgements-open_pulls_unknown = how many pull requests of ours are open there is not known
judgements-comment_empty = the comment is empty
judgements-comment_signed = people there read it under our name, so a person signs each comment
judgements-unknown_action = this kind of action is not known
judgements-no_changes = nothing was changed
judgements-claim_of_test = the agent says that it added a test; no test file gains a line
judgements-claim_of_green = the agent says that the checks pass; here they do not
judgements-hidden_lines = { $lines ->
        [1] 1 line is not shown as it is
       *[other] { $lines } lines are not shown as they are
    }, because a secret is hidden: { judgementsParts-paths }
judgements-size = this is { $overLimit ->
        [yes] larger than the limit
       *[no] not a small change
    }: { NUMBER($files) } files, { NUMBER($lines) } lines{ $bytes ->
        [0] {""}
       *[other] , { NUMBER($bytes) } bytes
    }
judgements-document = nobody could read the change in the chat: it takes { $bytes } bytes, a file holds { $limit }
judgements-public_text_credential = { judgementsParts-places } has a key or sign-in that was lent to the agent
judgements-public_text_hidden = { judgementsParts-places } { $how ->
        [bidi] is reordered on screen by bidirectional controls
       *[invisible] has invisible characters
    }
judgements-public_text_look_alike = { judgementsParts-places } has “{ $as }” in other letters: { $characters }
judgements-branch_guarded = { $branch } is not a branch for changes like this
judgements-first_pull = this would be our first pull request there, and it adds { $lines } lines; first ones have at most { $limit }
judgements-open_pulls = { $count } pull requests of ours are open there; the limit is { $limit }
judgements-comment_too_long = { $length } characters are more than the code host takes
judgements-comment_long = { $length } characters are a lot to read; the limit is { $limit }
judgements-ban_overruled = { $by } says that this rule is about something else ({ $why }): { judgementsParts-quote }
judgements-issue = the issue { $issue } { $standing ->
        [fine] is open and free
        [none] is not named
        [missing] does not exist
        [unread] could not be looked up
        [closed] is closed
        [assigned_elsewhere] is assigned to somebody else
        [locked] is locked, so only collaborators may write there
        [unassigned] is not assigned to us
       *[not_accepted] is not marked as accepted
    }
judgements-pulls_unread = the issue { $issue } may have an open pull request already; GitHub does not let us see all of them ({ $unread })
judgements-undisclosed = { judgementsParts-places } does not say that an agent made it: { judgementsParts-quote }
judgements-branch_rule = the branch { $branch } does not keep the rule { $rule }
judgements-template_cut = the description leaves out of the template: { $headings }
judgements-checks_fail = { $names ->
        [0] the checks did not pass
       *[other] checks fail: { $names }
    }
judgements-checks_missing = some checks could not be run: { $names }
judgements-red_before = fails on the base branch too: { $names }
judgements-red_unnamed = fails here with and without the change and names no tests, so a new failure would not show: { $names }
judgements-flaky_before = passed here, but is flaky on the base branch: { $names }
judgements-ran_no_test = ran no test: { $names }
judgements-tests_stopped = ran tests on the base branch and runs none now: { $names }
judgements-no_tests = no tests were run; judged by { $names }
judgements-graded_by = judged by { $names ->
        [0] nothing
       *[other] { $names }
    }
judgements-check_config_needed = { $names } { $names ->
        [1] passes
       *[other] pass
    } only with the changed { judgementsParts-paths }
judgements-command = `{ $command }` { $trait ->
        [leaves_workspace] names a path outside the workspace
        [destroys] takes rights or destroys what cannot be brought back
        [deletes_much] deletes far more than a workspace
        [writes_device] writes to a device
        [publishes] publishes; only AgentPR pushes
        [high_risk] can destroy or hide things
        [changes_git] changes history or files through git
        [acts_on_found] deletes or executes what it finds
        [runs_printed] runs what another command prints
        [runs_unread] runs a script that nobody has read
        [uses_network] uses the network
        [adds_packages] fetches packages from a registry
        [names_address] names an address on the network
        [reads] reads or checks
        [own_program] runs the program at that path, which need not be the one of that name
        [unknown_option] has options or words that are not known to be harmless
        [sets_environment] sets what can change which program runs
       *[unknown] is not a command that is known
    }{ $at ->
        [0] {""}
       *[other] : { judgementsParts-paths }
    }
judgements-command_opaque = the command cannot be read: { $why ->
        [expands] it depends on what a variable or another command gives
        [open_quote] a quote is not closed
        [document] it carries a document of its own
        [subshell] it has a subshell or a function
        [ambiguous] different shells read it differently
        [too_long] it is too long
       *[empty] it is empty
    }{ GIVEN($words) ->
        [yes] : { $words }
       *[no] {""}
    }
judgements-command_hidden = { $how ->
        [bidi] the command is reordered on screen
       *[invisible] the command hides characters
    }
judgements-custom_policy = { $at ->
        [0] { $says }
       *[other] { $says }: { judgementsParts-paths }
    }{ GIVEN($by) ->
        [yes] {" "}(needs your own key)
       *[no] {""}
    }{ GIVEN($asks) ->
        [yes] {" "}({ $asks })
       *[no] {""}
    }
signatureAsks-approvals = { $n ->
        [one] { $n } approval
       *[other] { $n } approvals
    }
signatureAsks-approvers = { $n ->
        [one] one approval
       *[other] { $n } approvals
    } of { $names }
signatureAsks-after = published { $unit ->
        [minutes] { $n ->
            [one] { $n } minute
           *[other] { $n } minutes
        }
        [hours] { $n ->
            [one] { $n } hour
           *[other] { $n } hours
        }
       *[days] { $n ->
            [one] { $n } day
           *[other] { $n } days
        }
    } after the last approval
judgements-check_failed = { $name } { $timedOut ->
        [yes] timed out
       *[no] failed
    }{ GIVEN($exitCode) ->
        [yes] {" "}(exit { $exitCode })
       *[no] {""}
    }
judgements-check_not_run = { $name } could not be run
judgements-claim_unseen = the agent says that it ran { $command }; we did not
judgements-claim_differs = the agent says that { $command } { $passed ->
        [yes] passes
       *[no] fails
    }; here it { $outcome ->
        [passed] passed
        [failed] failed
        [timed_out] timed out
        [not_run] was not run
       *[ran_no_test] ran no test
    }
judgements-not_done = the agent says that it is not done: { FILLED($says) ->
        [yes] { $says }
       *[no] no reason given
    }
judgements-opinion = { $says }
judgements-no_policy_allows = no policy allows { GIVEN($what) ->
        [yes] { $what }
       *[no] this
    } by itself, so a person decides
judgements-dependency_changes = { LIST($changes, by: "; ") }{ judgementsParts-more }
judgements-finding = { $finding } in { judgementsParts-paths }
judgements-public_text_secret = { judgementsParts-places } has what looks like { $secret }
judgements-public_text_signal = { judgementsParts-places } { $signal ->
        [mention] calls somebody
        [closing_keyword] would close an issue
        [skip_ci] would skip CI
        [bot_command] gives a bot a command
       *[trailer] has a trailer that speaks for somebody
    }: { $excerpt }{ $never ->
        [yes] ; no comment of ours may
       *[no] {""}
    }
judgements-competing_pulls = open for the same issue: { $pulls }
judgements-rule = { $asks }: { judgementsParts-quote }
judgements-rule_followed = { GIVEN($kept) ->
        [yes] { $kept }
       *[no] kept as far as we see: { $asks }
    }: { judgementsParts-quote }
judgements-title_rule = the title is not { $style ->
        [conventional] a conventional commit
        [component] of the form “component: summary”
        [bracketed] of the form “[component] summary”
        [ticket] led by a ticket, which the task has to name
        [numbered] led by the number of its issue, which the task has to name
       *[pattern] known to fit the pattern of CI
    }{ GIVEN($asked) ->
        [yes] {" "}({ $asked })
       *[no] {""}
    }: { $title }{ GIVEN($place) ->
        [yes] ; { $place }
       *[no] {""}
    }
judgements-template_open = the template asks what only a person can say; reply to this card with the answer{ $questions ->
        [0] {""}
        [1] {""}
       *[other] s by number
    }: { LIST($questions, by: "; ") }
judgements-check_config_not_compared = not run with the base’s version of { judgementsParts-paths }: { $why }
judgements-inline_program = { $acts ->
        [0] `{ $program }` brings a program of its own, and no policy reads its language
       *[other] `{ $program }` brings a program of its own that { $acts }
    }
judgements-command_characters = the command has characters that are not what they look like: { LIST($characters, by: ", ") }{ judgementsParts-more }
judgements-step_failed = { $stop }: { $words }
judgementsParts-more = { $more ->
        [0] {""}
       *[other] {" "}and { $more } more
    }
judgementsParts-paths = { LIST($at, by: ", ") }{ judgementsParts-more }
judgementsParts-quote = “{ $quote }” ({ $file }:{ $line })
judgementsParts-places = { $where ->
        [commit_message] the commit message
        [branch_name] the branch name
        [title] the title
        [description] the description
        [comment] the comment
        [reply] the reply
       *[file_name] a file name
    }

## What stands within them

ruleQuote = { judgementsParts-quote }
competingPull = { $id } by { $author }
noBudgetLeft = no budget is left ({ $budget })
judgedActions-push = the push to { $name }
judgedActions-open_pr = the pull request of { $name }
judgedActions-comment = the comment on { $name }
judgedActions-reply = the reply on { $name }
judgedActions-command = the command { $name }
dependencyChanges-removed = this removes the dependency { $name } ({ $path })
dependencyChanges-added = this adds the dependency { $name } ({ $path })
dependencyChanges-changed = this changes the dependency { $name } from { FILLED($was) ->
        [yes] { $was }
       *[no] any version
    } to { FILLED($version) ->
        [yes] { $version }
       *[no] any version
    } ({ $path })
inlineActs-network = uses the network ({ $words })
inlineActs-runs_programs = starts other programs ({ $words })
inlineActs-evaluates = runs code that it makes or loads ({ $words })
inlineActs-deletes = deletes files ({ $words })
inlineActs-writes = writes files ({ $words })
inlineActs-reads_environment = reads the environment ({ $words })

## What a repository's rules ask for

ruleAsks-ai_ban = the repository does not want such changes
ruleAsks-ai_limited = AI is not wanted for { GIVEN($value) ->
        [yes] { $value }
       *[no] some things
    }
ruleAsks-ai_disclosure = the use of AI has to be disclosed
ruleAsks-human_author = a person has to stand behind the change as its author: read all of it before you sign
ruleAsks-human_words = the description has to be in a person’s own words
ruleAsks-dco = a sign-off is asked for, which only a person can give
ruleAsks-cla = an agreement is asked for, which only a person can sign
ruleAsks-template = the description follows a template
ruleAsks-issue_first = { $value ->
        [open] an issue is wanted before a pull request
        [accepted] only accepted issues may get a pull request
        [assigned] only whoever an issue is assigned to may open a pull request
       *[other] an issue comes first
    }
ruleAsks-changelog = { $value ->
        [file] an entry in the changelog file is asked for
        [fragment] a changelog fragment is asked for
        [changeset] a changeset is asked for
       *[other] an entry in the changelog is asked for
    }
ruleAsks-base_branch = changes go to another branch{ GIVEN($value) ->
        [yes] , { $value }
       *[no] {""}
    }
ruleAsks-branch_name = branches have a name of this form{ GIVEN($value) ->
        [yes] : { $value }
       *[no] {""}
    }
ruleAsks-commit_style = { $value ->
        [not_conventional] titles have no type in front
       *[other] commits have a style of their own
    }
ruleAsks-language = contributions are written in { GIVEN($value) ->
        [yes] { $value }
       *[no] one language
    }
ruleAsks-size = { $value ->
        [one_change] each pull request is to hold one small change
       *[other] pull requests are to be small
    }
ruleLines = changes have at most { $value } lines
ruleAsks-label_barred = AI may not work on issues with the label { GIVEN($value) ->
        [yes] { $value }
       *[no] (see the quote)
    }
ruleAsks-trailer = { $value ->
        [assisted_by] commits made with AI carry an Assisted-by line
        [co_author] commits made with AI name it as co-author
        [no_co_author] AI must not be named as co-author
        [no_sign_off] an agent must not sign off; a person does
        [change_id] commits carry a Change-Id line
       *[other] commits carry a trailer
    }
ruleAsks-vouch = { $value ->
        [denounced] our account is denounced on its list of contributors
        [listed] only people on a list may open pull requests, and our account is on it
       *[other] only people on a list may open pull requests, and our account is not on it
    }
ruleAsks-elsewhere = { GIVEN($value) ->
        [yes] changes are sent elsewhere ({ $value }), not as a pull request here
       *[no] pull requests are not taken here
    }
ruleAsks-other = { $value ->
        [ai] this may be a ban on changes by agents
        [unread] rules stand in a file that could not be read
        [closer] a workflow here closes some pull requests by itself
        [labels] a check here fails until somebody with the right to do so sets a label
        [checklist] a check here fails while a box of the description is open
        [branch] a check here refuses branches with other names
        [stale] a bot here closes pull requests that nobody has touched for some time
        [open_limit] a contributor may have only so many pull requests open here
        [signed] commits here have to be signed with a key before they are merged
       *[other] a rule needs a person’s reading
    }
ruleValued = { $asks } ({ $value })
ruleKept-ai_disclosure = the description says that an agent made it
ruleKept-issue_first = the issue is there and free
ruleKept-changelog = the change has a changelog entry
ruleKept-dco = the commit is signed off
ruleKept-human_words = the description is in a person’s own words
ruleKept-vouch = our account is on the list of those who may open pull requests

## Why edited words of a pull request are not taken

notModified-card_closed = the card is gone
notModified-goes_elsewhere = new words may not change where it goes; propose it again
notModified-raises_risk = the new words raise the risk from { $from } to { $to }
notModified-forbidden = a policy forbids it: { LIST($objections, by: "; ") }
objection = { $policy }: { $reason }

## Completes “a run that cannot be … now”

commandTypes-discovery_start = started
commandTypes-implementation_start = started on its implementation
commandTypes-validation_accept = passed on to our checks
commandTypes-push_approve = approved for a push
commandTypes-pr_open_now = opened outside its hours
commandTypes-item_comment = linked where the order came from
commandTypes-pr_approve = approved for a pull request
commandTypes-deny = denied
commandTypes-proposal_modify = reworded
commandTypes-iterate = sent back for a fix
commandTypes-review_choose = told what to do about a remark
commandTypes-review_begin = started on its review
commandTypes-remarks_answered = told that its remarks are answered
commandTypes-comment_answer = given an answer to a comment
commandTypes-reply_approve = approved for answers
commandTypes-ci_rerun = checked again
commandTypes-checks_waive = sent on without its checks
commandTypes-base_update = updated from its base
commandTypes-head_adopt = continued from their commit
commandTypes-retry = retried
commandTypes-resume = resumed
commandTypes-pause = paused
commandTypes-skip = skipped
commandTypes-cancel = cancelled
commandTypes-run_finish = marked as done
commandTypes-ban_overrule = freed from a ban
commandTypes-requirement_answer = given an answer
commandTypes-permission_answer = answered about a permission
commandTypes-work_keep = stopped, with its work kept
commandTypes-work_drop = stopped, with its work dropped
commandTypes-agent_tell = given words for its agent
commandTypes-words_schedule = given another time for its words
commandTypes-question_ask = asked about
commandTypes-change_restore = put back to its earlier change
commandTypes-permission_revoke = made to ask again
commandTypes-budget_raise = given more

## What agentpr doctor, init and start find

hostChecks-node-says = { $version }{ $isOwn ->
        [yes] , AgentPR’s own{ GIVEN($onPath) ->
                [yes] {" "}(the one on PATH, { $onPath }, is not used)
               *[no] {""}
            }
       *[no] {""}
    }, libuv { $uv }
hostChecks-env_file-says = { $isPrivate ->
        [yes] read by its owner alone (mode { $mode })
       *[no] other accounts of this machine can read its keys (mode { $mode })
    }
hostChecks-env_file-fix = { $isPrivate ->
        [yes] {""}
       *[no] Run: chmod 600 .env
    }
hostChecks-git_version-says = { $version }
hostChecks-git_unfit-says = { FILLED($version) ->
        [yes] { $version } is too old
       *[no] git was not found
    } (in { $path }).
hostChecks-git_unfit-fix = Install git { $oldest } or newer there.
hostChecks-sandbox_untried-says = { $cause }
hostChecks-sandbox_untried-fix = No sandbox could be tried before that is fixed.
hostChecks-sandbox-says = { $level } works here{ $weaknesses ->
        [0] {""}
       *[other] {" "}({ LIST($weaknesses, by: " ") })
    }
hostChecks-sandbox-fix = Fix that, or set AGENTPR_SANDBOX=auto to accept less.
hostChecks-sandbox_unfiltered-says = { $level } works here, without a filter of system calls ({ LIST($weaknesses, by: " ") })
hostChecks-sandbox_unfiltered-fix = What runs in a sandbox may then use vsock, io_uring, kernel keys and BPF as far as this machine does; docs/containment.md says what helps.
hostChecks-box_absent-says = { $program } is not installed
hostChecks-box_absent-fix = { $program ->
        [bwrap] Install it: apt-get install bubblewrap.
        [docker] Install Docker or Podman: apt-get install docker.io.
        [podman] Install it: apt-get install podman.
       *[unshare] Install it: apt-get install util-linux.
    }
hostChecks-box_apparmor-says = AppArmor forbids user namespaces to { $program }, which says “{ $said }”
hostChecks-box_apparmor-fix = Give { $program } an AppArmor profile (docs/operating.md), or allow them to every program: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0.
hostChecks-box_userns_off-says = The kernel is set to allow no more user namespaces; { $program } says “{ $said }”
hostChecks-box_userns_off-fix = Run: sysctl -w { $setting }. To keep it, write it into a file in /etc/sysctl.d.
hostChecks-box_container-says = A container, or the settings of a service, forbid { $program } to make namespaces: “{ $said }”
hostChecks-box_container-fix = Start the container with --security-opt seccomp=deploy/seccomp.json --security-opt systempaths=unconfined (docs/operating.md), or use the container as the sandbox: AGENTPR_SANDBOX=group.
hostChecks-box_proc_covered-says = Parts of /proc are covered, so { $program } cannot mount its own: “{ $said }”
hostChecks-box_proc_covered-fix = Start the container with --security-opt systempaths=unconfined (on Kubernetes: procMount: Unmasked).
hostChecks-box_setuid-says = { $program } is installed setuid, and then refuses what a sandbox needs: “{ $said }”
hostChecks-box_setuid-fix = Run: chmod u-s "$(command -v bwrap)". It needs no such right where user namespaces are allowed.
hostChecks-box_too_old-says = This { $program } is too old: “{ $said }”
hostChecks-box_too_old-fix = Install bubblewrap 0.8 or newer, or set AGENTPR_SANDBOX=unshare.
hostChecks-box_engine_silent-says = { $program } does not answer: “{ $said }”
hostChecks-box_engine_silent-fix = Start its service, and let this user ask it: `{ $program } info` has to work.
hostChecks-box_other-says = { $program } does not work here: “{ $said }”
hostChecks-box_other-fix = docs/operating.md says what it needs.
hostChecks-settings_complete-says = complete
hostChecks-settings_wrong-says = { $cause }
hostChecks-settings_wrong-fix = { GIVEN($step) ->
        [yes] { $step }
       *[no] See .env.example, or run `npx agentpr init`.
    }
hostChecks-data_unwritable-says = { $cause }
hostChecks-data_unwritable-fix = Make { $dir } writable, or set AGENTPR_DATA_DIR.
hostChecks-data_unusable-says = { $cause }
hostChecks-data_unusable-fix = AgentPR would not start with it.
hostChecks-data-says = { $dir }, { $free } GiB free
hostChecks-data-fix = Free some disk space.
hostChecks-rules-says = { LIST($lines, by: "\u000A") }
hostChecks-rules_past-says = all days off of { $places } are over
hostChecks-rules_past-fix = Write those to come, or days without a year, which come every year: 12-24/01-02.
hostChecks-rules_lacking-says = { $asks } asks for { $approvals } approvals, and { $people ->
        [one] { $people } person
       *[other] { $people } people
    } may approve
hostChecks-rules_lacking-fix = Write “/users invite approver” in the chat, or ask for fewer.
hostChecks-rules_powerless-says = named in policies, but may approve nothing: { $ids }
hostChecks-rules_powerless-fix = Give them the role in the chat: /users add <id> approver.
hostChecks-mirrors-says = { $count ->
        [one] { $count } repository
       *[other] { $count } repositories
    }, { $mb } of { $limit } MB
hostChecks-mirrors-fix = End runs that hold large repositories, or raise mirrors.diskMb.
hostChecks-ledger_whole-says = whole
hostChecks-ledger_absent-says = not made yet
hostChecks-ledger_broken-says = { $cause }
hostChecks-ledger_broken-fix = Restore the data directory from a backup, or set AGENTPR_DATA_DIR to another one.
hostChecks-postgres-says = Postgres { $version }{ $isMade ->
        [yes] {""}
       *[no] , not made yet
    }
hostChecks-postgres_broken-says = { $cause }
hostChecks-postgres_broken-fix = See docs/postgres.md; DATABASE_URL says where the ledger is.
hostChecks-telegram-says = signed in as @{ $name }{ $way }
hostChecks-telegram_away-says = { $cause }
hostChecks-telegram_away-fix = It is the network of this host, not the token: look at HTTPS_PROXY and DNS.
hostChecks-telegram_unknown-says = Telegram does not know the token in TELEGRAM_BOT_TOKEN
hostChecks-telegram_unknown-fix = Copy it again from @BotFather (/token), then run `npx agentpr init`.
hostChecks-telegram_refused-says = { $cause }
hostChecks-telegram_refused-fix = Telegram refused; the token is known there. Try again later.
hostChecks-slack-says = signed in to { $team } as @{ $name }{ $way }; Socket Mode is on
hostChecks-slack_scopes-says = signed in as @{ $name }, without the scopes { $scopes }
hostChecks-slack_scopes-fix = Add them under “OAuth & Permissions” of the app, and install it again (docs/slack.md).
hostChecks-slack_broken-says = { $cause }
hostChecks-slack_broken-fix = Look at { $token }; docs/slack.md says where each token comes from.
hostChecks-signing-says = commits are signed with { $key }
hostChecks-signing_broken-says = { $cause }
hostChecks-signing_broken-fix = See docs/github.md.
hostChecks-webhooks-says = { GIVEN($to) ->
        [yes] GITHUB_WEBHOOK_SECRET is set; GitHub sends to { $to }
       *[no] GITHUB_WEBHOOK_SECRET is not set: GitHub is polled instead of sending news
    }
hostChecks-bucket-says = { $url }: one object was written, read and removed{ $way }
hostChecks-bucket_broken-says = { $cause }
hostChecks-bucket_broken-fix = Its key must be allowed to put, get and delete objects, and nobody else anything.
hostChecks-backup-says = { $file } of { $at }: restored and replayed, { $events ->
        [one] { $events } event
       *[other] { $events } events
    } of { $runs ->
        [one] { $runs } run
       *[other] { $runs } runs
    }
hostChecks-backup_wrong-says = { $cause }
hostChecks-backup_wrong-fix = See docs/audit.md, and make another backup.
hostChecks-backup_unreadable-says = { $cause }
hostChecks-backup_unreadable-fix = Try another backup, and make a new one with `agentpr backup`.
hostChecks-network_broken-says = { $cause }
hostChecks-network_broken-fix = See docs/configuration.md, “Behind a company proxy”.
hostChecks-party_silent-says = { $party ->
        [model] The provider of the model
       *[traces] The receiver of traces
    } ({ $host }) does not answer: { $cause }
hostChecks-party_silent-fix = Look at its address, and at the network of this host.
hostChecks-git_reaches-says = reaches { $url }{ $way }
hostChecks-git_away-says = { $cause }
hostChecks-git_away-fix = Git must reach the code host as the API does: look at HTTPS_PROXY and certificates.
hostChecks-github-says = signed in as { $login }, scopes: { $scopes ->
        [0] none
       *[other] { $scopes }
    }{ $way }
hostChecks-github-fix = { $missing ->
        [0] See docs/github.md.
       *[other] Missing: { LIST($missing, by: "; ") }. See docs/github.md.
    }
hostChecks-github_fine-says = signed in as { $login } with a fine-grained token; on { $repo } it may { $has ->
        [0] nothing
       *[other] { $has }
    }{ $way }
hostChecks-github_fine-fix = { $missing ->
        [0] It reaches only repositories of the owner that it was made for, and no checks. Repositories of others need a classic token. See docs/github.md.
       *[other] Missing: { LIST($missing, by: "; ") }. It reaches only repositories of the owner that it was made for, and no checks. Repositories of others need a classic token. See docs/github.md.
    }
hostChecks-github_fine_nowhere-says = signed in as { $login } with a fine-grained token that reaches no repository
hostChecks-github_fine_nowhere-fix = It reaches only repositories of the owner that it was made for, and no checks. Repositories of others need a classic token. See docs/github.md.
hostChecks-github_unknown-says = GitHub does not know the token in GITHUB_TOKEN ({ $cause })
hostChecks-github_unknown-fix = Make another one, then run `npx agentpr init`.
hostChecks-github_away-says = { $cause }
hostChecks-github_away-fix = It is the way to GitHub, not the token: look at GITHUB_API_URL, HTTPS_PROXY and DNS.
hostChecks-github_refused-says = { $cause }
hostChecks-github_refused-fix = Check GITHUB_TOKEN and GITHUB_API_URL.
hostChecks-app-says = { $login } is installed on { $owner }{ $missing ->
        [0] {" "}with all permissions
       *[other] {""}
    }{ $way }
hostChecks-app-fix = { $missing ->
        [0] See docs/github.md.
       *[other] Missing: { LIST($missing, by: "; ") }. See docs/github.md.
    }
hostChecks-app_nowhere-says = { GIVEN($login) ->
        [yes] { $login }
       *[no] The App
    } is installed nowhere
hostChecks-app_nowhere-fix = Install it on an account in its settings.
hostChecks-app_suspended-says = { $login } is installed on { $owner }, and suspended{ $way }
hostChecks-app_suspended-fix = { $owner } can lift that in the settings.
hostChecks-app_refused-says = { $cause }
hostChecks-app_refused-fix = Check GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and GITHUB_API_URL.
hostChecks-labels-says = issues of { $repositories ->
        [one] { $repositories } repository
       *[other] { $repositories } repositories
    } can be labelled
hostChecks-engine_version-says = { $version }
hostChecks-engine_untried-says = { $version }; unverified: built from its documentation, and never run by us
hostChecks-engine_untried-fix = Look at its first runs.
hostChecks-engine_no_version-says = it does not say its version (“{ $said }”); { $known } was tried
hostChecks-engine_no_version-fix = If it misbehaves, install the version that was tried: `{ $install }`.
hostChecks-engine_other_version-says = { $version } is { $isOlder ->
        [yes] older
       *[no] newer
    } than { $known }, which was tried
hostChecks-engine_other_version-fix = If it misbehaves, install the version that was tried: `{ $install }`.
hostChecks-engine_fails-says = `{ $program } --version` failed: { GIVEN($cause) ->
        [yes] { $cause }
       *[no] it did not answer in 15 s
    }
hostChecks-engine_fails-fix = { GIVEN($install) ->
        [yes] Install it again: `{ $install }`.
       *[no] It is the "command" of this engine in agentpr.config.json. Install it again, or name another.
    }
hostChecks-engine_absent-says = the program { $program } was not found
hostChecks-engine_absent-fix = { GIVEN($install) ->
        [yes] Install it (`{ $install }`), or say where it is: "engines" in agentpr.config.json.
       *[no] Say where it is: "command" of this engine in agentpr.config.json.
    }
hostChecks-engine_key-says = { $names } { $names ->
        [1] is
       *[other] are
    } set
hostChecks-engine_signed_in-says = signed in by { $file }
hostChecks-engine_own_model-says = none, for a model of your own
hostChecks-engine_own_sign_in-says = none; the agent signs in by itself, if it needs to
hostChecks-engine_no_key-says = no key is set
hostChecks-engine_no_key-fix = Set { LIST($names, by: " or ") }, or the address of a model of your own.
hostChecks-engine_signed_out-says = neither a key nor { $file } is there
hostChecks-engine_signed_out-fix = Sign in (`{ $signIn }`), or set { LIST($names, by: " or ") }.
hostChecks-engine_boxed-says = starts in the sandbox ({ $level })
hostChecks-engine_not_boxed-says = does not start in the sandbox: { GIVEN($cause) ->
        [yes] { $cause }
       *[no] it did not answer in 15 s
    }
hostChecks-engine_not_boxed-fix = Install it outside a home directory, or add its directory to "readable" in agentpr.config.json.
hostChecks-engine_own-says = part of AgentPR, with { $model }
hostChecks-engine_no_model-says = no model is named
hostChecks-engine_no_model-fix = Set "engines": {"{"}"{ $name }": {"{"}"args": ["-m", "<model>"]{"}}"} in agentpr.config.json, or OPENAI_MODEL or ANTHROPIC_MODEL.
hostChecks-engine_ready-says = engine { $engine } ready
hostChecks-engine_unchosen-says = no engine is chosen; until then each run has to name its own
hostChecks-engine_unchosen-fix = Let agentpr init find the agents of this machine, or set AGENTPR_ENGINE (codex, claude, opencode, …) in .env; "script" in agentpr.config.json names a command instead.
hostChecks-chat_connected-says = { $service }: @{ $name } connected
hostChecks-forge_connected-says = { $forge } as { $account }
hostChecks-script-says = script: { $command }
hostChecks-prices-says = the list { $list }{ $own ->
        [0] {""}
       *[other] , after { $own } of your own
    }
hostChecks-cost_unknown-says = bounds.maxCostUsd is { $limit }, and the price of { $model } is not known{ GIVEN($usualOf) ->
    [yes] { "" } (version { $usualOf } uses it where no model is named)
   *[no] { "" }
}: unless its provider lists a price, its runs stop at once
hostChecks-cost_unknown-fix = Set "gateway": {"{"}"prices": {"{"}"{ $model }": {"{"}"input": …, "output": …{"}}}"} in agentpr.config.json (dollars for a million tokens), or name another model in its "args", or leave out bounds.maxCostUsd.
hostChecks-cost_untold-says = bounds.maxCostUsd is { $limit }, and { $engine } tells no cost with a sign-in: the limit stops nothing
hostChecks-cost_untold-fix = Set bounds.maxTokens, or give it a key in place of its sign-in.
hostChecks-unit-says = { $file }
hostChecks-unit_absent-says = there is no { $file }
hostChecks-unit_absent-fix = Run `agentpr service install`.
hostChecks-unit_foreign-says = { $file } was not written by agentpr
hostChecks-unit_foreign-fix = Choose another --name.
hostChecks-unit_program_gone-says = it starts { $program }, which is not there any more
hostChecks-unit_program_gone-fix = Run `agentpr service install` again.
hostChecks-unit_problems-says = { $problems }
hostChecks-unit_problems-fix = Run `agentpr service install` again.
hostChecks-unit_edited-says = { $file } was edited since it was written
hostChecks-unit_edited-fix = Run `agentpr service install` again. Changes in a drop-in are kept.
hostChecks-unit_older-says = { $file } was written by agentpr { $by }; this is { $now }
hostChecks-unit_older-fix = Run `agentpr service install` again.
hostChecks-unit_enabled-says = { $said }
hostChecks-unit_enabled-fix = Run `agentpr service install` again.
hostChecks-unit_active-says = { $said }
hostChecks-unit_active-fix = `{ $log }` says why.
hostChecks-systemd_absent-says = it does not run this machine
hostChecks-systemd_absent-fix = See docs/run-it-for-a-year.md for other ways.
hostChecks-health_elsewhere-says = not asked
hostChecks-health_elsewhere-fix = Run this in { $directory }, where its settings are.
hostChecks-health_any_port-says = not asked: its port is any free one
hostChecks-health_any_port-fix = Set AGENTPR_HTTP_PORT to have it asked.
hostChecks-health-says = { $address } says that it is ready
hostChecks-health_bad-says = { $address } answers { $status }: { $said }
hostChecks-health_bad-fix = See docs/run-it-for-a-year.md.
hostChecks-health_silent-says = { $address } does not answer ({ $cause })
hostChecks-health_silent-fix = Read its log: `journalctl -u agentpr`.
hostChecks-outside_failure-says = { $text }
hostChecks-proxy-says = left through { $proxies }; directly: this machine{ $direct ->
        [0] {""}
       *[other] , { $direct }
    }
hostChecks-proxy-fix = NO_PROXY: no host matches { $unreadable }. Write a name, an address, or a network like 10.0.0.0/8.
hostChecks-party_answers-says = { $party ->
        [model] The provider of the model
       *[traces] The receiver of traces
    } answers{ FILLED($way) ->
        [yes] { $way }
       *[no] {" "}({ $host })
    }
hostChecks-labels_missing-says = { LIST($missing, by: "\u000A") }
hostChecks-labels_missing-fix = Make the label there, or name another repository or label in arrivals.issues.
hostFindings-way = {" "}({ $host }, { GIVEN($proxy) ->
        [yes] through the proxy { $proxy }
       *[no] directly
    })
hostFindings-right = { $name }{ GIVEN($level) ->
        [yes] : { $level }
       *[no] {""}
    } ({ $use })
hostFindings-label = { GIVEN($label) ->
        [yes] { $repo } has no label { $label }
       *[no] { $repo } is not found, or hidden from us
    }

## What a permission of GitHub is for, by GitHub's name

rightUses-contents = clone it, and push the branch of a change
rightUses-pull_requests = open the pull request, refresh its description, read reviews
rightUses-checks = see what checks say; write to have those of other apps run again
rightUses-statuses = see what older CI says
rightUses-actions = read logs of failed jobs, and have them run again
rightUses-issues = read the issue that an order names, and comments
rightUses-workflows = push changes that touch .github/workflows, also those that the base brought
rightUses-repo = fork, push and open pull requests; public_repo is enough for public repositories
rightUses-workflow = push changes that touch .github/workflows, also those that the base brought

## agentpr init, start and the settings files

setup-intro =
    This sets AgentPR up. It takes about five minutes and needs three things:
    {"  "}1. a Telegram bot: write /newbot to @BotFather (https://t.me/BotFather); it answers with a token
    {"  "}2. a GitHub account for it: a classic token with the scopes repo and workflow (https://github.com/settings/tokens/new?scopes=repo,workflow&description=AgentPR)
    {"  "}3. a coding agent on this machine, signed in: codex, claude, opencode, or another
    Each answer is checked at once and kept in .env, so Ctrl-C loses nothing: run init again to go on.
setup-askBot = Token of the Telegram bot (not shown while you paste it), “slack” for Slack alone, or “both” for both:{" "}
setup-askGitHub = GitHub token (not shown), or “app” to make a GitHub App in the browser:{" "}
setup-received = ({ $n } characters)
setup-needed = This is needed.
setup-kinds-bot = That is the token of a Telegram bot. Here a GitHub token is asked for.
setup-kinds-github = That is a GitHub token. Here the token of the Telegram bot is asked for.
setup-kinds-gitlab = That is a GitLab token. AgentPR works with GitHub.
setup-kinds-model = That is the key of a model provider. Your coding agent keeps it; it is not asked for here.
setup-kinds-installation = That is the token of an installation, which expires within the hour. Use a classic token, or “app”.
setup-kinds-name = That is a name. @BotFather gives the token in its answer to /newbot, or to /token.
setup-botForm = A bot token is a number, a colon and letters, such as 123456789:AAE… . Copy all of it.
setup-botUnknown = Telegram does not know this token. Copy it again from @BotFather, or ask there for a new one: /token.
setup-githubUnknown = GitHub does not know this token. It may have expired, or been cut off while copying.
setup-unreachable =
    { $says }
    The token could not be checked. Look at the network, then press Enter to try again (or paste another token):{" "}
setup-refused = { $party } refused: { $says }
setup-telegramIs = ✔ Telegram: @{ $name }
setup-githubIs = ✔ GitHub: { $login }, scopes: { $scopes }
setup-lacks = The token has too few scopes: { $scopes } is missing. Add it on its page, or make another one.
setup-agents = Agents on this machine:
setup-askAgent = Which one does the work? A number or a name [{ $usual }]:{" "}
setup-noSuchAgent = That is none of them.
setup-trying = Asking { $name } one question, to see that it is signed in and starts in the sandbox …
setup-agentWorks = ✔ { $name } answered after { $seconds } s
setup-agentFails = ✘ { $name } did not answer: { $says }
setup-askAfterFailure = Choose another agent, r to try again, or Enter to keep { $name }:{" "}
setup-askAuthor = { GIVEN($usual) ->
        [yes] In whose name are commits made? Enter for { $usual }, or Name <email>:{" "}
       *[no] In whose name are commits made? Name <email>:{" "}
    }
setup-authorForm = Write it as Name <email>, for example Ana Lim <ana@example.org>.
setup-askPublicName = Which name may pull requests give for you, who approves them? A name, or Enter for a code instead of one:{" "}
setup-publicNameForm = Write a name of at most 40 characters that is not a number, for example Ana Lim.
setup-askStart = Start AgentPR now? Enter: here, in this window{ $service ->
        [yes] {" "}· s: as a service that starts with this machine
       *[no] {""}
    } · n: not now:{" "}
setup-sayHi = Now write hi to @{ $name } in Telegram (https://t.me/{ $name }). I am waiting for it …
setup-isThatYou = { $name } ({ $id }) wrote. Is that you? This account will be able to approve everything. [y/N]{" "}
setup-notYou = Then write from your own account; I am still waiting …
setup-nobodyWrote = Nobody wrote. Enter to wait again, or your numeric Telegram id:{" "}
setup-idForm = An id is a number; several have commas between them.
setup-wrote = All settings are in .env.
setup-startLater = Start it with: agentpr start
setup-greets = @{ $name } greets you on your phone now. Ctrl-C stops AgentPR.
setup-slack-asks-SLACK_BOT_TOKEN = Bot token of the Slack app (xoxb-…, not shown; docs/slack.md says how to make one):{" "}
setup-slack-asks-SLACK_APP_TOKEN = Its app-level token (xapp-…, not shown):{" "}
setup-slack-forms-SLACK_BOT_TOKEN = A bot token of Slack begins with xoxb-. You find it under “Install App”. Copy all of it.
setup-slack-forms-SLACK_APP_TOKEN = An app-level token begins with xapp-. You find it under “Basic Information”, “App-Level Tokens”.
setup-slack-askMember = Your member id in Slack (your picture, Profile, the three dots, Copy member ID):{" "}
setup-slack-memberForm = A member id is a U or W with capital letters and digits, such as U012AB3CD.
setup-slack-is = ✔ Slack: @{ $name } in { $team }
setup-slack-same = Your two accounts count as one person: SLACK_SAME_PEOPLE={ $pair }
setup-slack-greets = Write status to @{ $name } in Slack now. Ctrl-C stops AgentPR.
setup-stopped =
    {""}
    Stopped. What was answered so far is kept in .env; run agentpr init again to go on.
setup-openPage =
    Open this page in a browser of this machine, and press its button:
    {"  "}{ $address }
    (From another machine, first: ssh -L { $port }:127.0.0.1:{ $port } <this host>)
setup-appMade = ✔ GitHub App { $slug }. Install it where it should work: { $address }/installations/new
setup-party-chat = { $name }
setup-party-forge = { $name }
setup-party-engine = engine { $name }
setup-unusable = { $party } cannot be used: { $says }
setup-unreached = { $party } could not be reached.
setup-running = AgentPR is running. Health: { $address }/healthz. Ctrl-C stops it.
setup-workerRuns = This worker of AgentPR is running, in { $place }. Health: { $address }/healthz. Ctrl-C stops it.
setup-notJson = agentpr.config.json is not JSON: { $says }
setup-noCredential = GITHUB_TOKEN is missing (environment or .env), and there is no GITHUB_APP_ID in its place.

## agentpr doctor of a repository

repositoryTrial-ranNoTest = { $command } ran no test
repositoryTrial-notRun = { $command } was not run
repositoryTrial-withheld = { $command } was not run here: { $why }
repositoryTrial-flaky = { $command } is flaky: it failed once and then passed
repositoryTrial-timedOut = { $command } took too long
repositoryTrial-fails = { $command } fails here (exit { $code })
repositoryTrial-andMore = and { $n } more
repositoryTrial-askedFor = {" "}(asked for: { $version }, { $source })
repositoryTrial-signedOnly = { $ref } takes only signed commits, and signing.sshKey is not set. See docs/github.md.
repositoryTrial-noCheck = No check was found. Order runs with check="<command>".

## What agentpr doctor says of a repository besides

riskFlags-unknownEcosystem = { $name } is not known to AgentPR: only what its workflows and guides run, or what is usual, is checked
riskFlags-unreadCi = { $name } is not read ({ $file })
riskFlags-lfs = Git LFS: large files are not fetched
riskFlags-submodules = submodules: they are not fetched
riskFlags-large = very large: { $paths } files
riskFlags-devcontainers = several devcontainers ({ $names }): none is taken; containers.image of agentpr.config.json says which image
riskFlags-longCommands =
    { $count ->
        [one] 1 command of more than { $most } characters is not run
       *[other] { $count } commands of more than { $most } characters are not run
    }
riskFlags-noTests = no tests were found
riskFlags-noChecks = no checks were found
riskFlags-noTestCheck = no check runs tests
agentSettings = Set aside while an agent works: { $hooks ->
        [one] { NUMBER($hooks) } hook
       *[other] { NUMBER($hooks) } hooks
    }, { $servers ->
        [one] { NUMBER($servers) } server
       *[other] { NUMBER($servers) } servers
    }, { $skills ->
        [one] { NUMBER($skills) } skill
       *[other] { NUMBER($skills) } skills
    }, { $plugins ->
        [one] { NUMBER($plugins) } plugin
       *[other] { NUMBER($plugins) } plugins
    }, in { $files ->
        [one] { NUMBER($files) } file
       *[other] { NUMBER($files) } files
    }

## What is wrong with the settings

setup-noAgent =
    No coding agent was found on PATH. Install one in another terminal, and sign in:
    { $installs }
setup-askNoAgent = Type “again” to look once more, or a command of your own that makes changes. { GIVEN($command) ->
    [yes] Enter keeps your command, { $command }:
   *[no] Enter goes on without an agent:
}{" "}
setup-noSuchProgram = There is no program { $name } on PATH. A command is run by sh in the repository, such as: sed -i s/teh/the/ README.md
setup-stillNoAgent = There is still none.
setup-ownCommand = Your command does the work: { $command }
setup-withoutAgent = You go on without an agent: AgentPR starts, but no run can change anything. Run init again when one is installed.
setup-unknownSetting = Unknown setting { $name }{ $fromFile ->
        [yes] {" "}in .env
       *[no] {""}
    }{ GIVEN($meant) ->
        [yes] ; did you mean { $meant }?
       *[no] .
    }
setup-knownSettings = The settings are { $known }.
settingEnvironment = environment or .env
settingIssues-unknown = { $name }: there is no { $key }{ settingIssuesParts-end } { keysParts-instead }
settingIssues-missing = { $name } is missing{ settingIssuesParts-end }
settingIssues-rule = { $name }: { $rule }{ settingIssuesParts-end }
settingIssues-value = { $name } { GIVEN($found) ->
        [yes] is { $found }; it{" "}
       *[no] {""}
    }{ $must }{ settingIssuesParts-end }
settingIssuesParts-end = { GIVEN($where) ->
        [yes] {" "}({ $where }).
       *[no] .
    }
settingRules-port = must be a port number
settingRules-telegram_ids = numeric Telegram ids, separated by commas
settingRules-postgres_address = must be an address like postgres://user:password@host:5432/agentpr
settingRules-bucket_address = must be like https://host/bucket
settingRules-trace_address = must be an address like http://127.0.0.1:4318
settingRules-trace_headers = must be like name=value,name=value
settingRules-yes_or_empty = write yes, or leave it empty
settingRules-https_address = must be an https address
settingRules-https = must be https
settingRules-file_or_from = has either file or from
settingRules-whole_mapping = needs header, title, link and id; the program has no row with them
settingRules-whole_comment = needs an address with https, and a body with {"{"}text{"}"}; the program has no row with them
settingRules-repository = write owner/name
settingRules-secret_length = must have at least 16 characters; make one with `openssl rand -hex 32`
settingRules-secret_name = the name of an environment variable, not the secret itself
settingRules-key_name = the name of an environment variable, not the key itself
settingRules-own_name = choose a name of your own
settingRules-hidden_from_model = a model may not see that
settingRules-one_label = GitHub takes a comma for the end of a label; name one label, without commas and line ends
settingRules-author_name = git takes no name that is empty or only punctuation; write one like Ana Example
settingRules-public_name = a public name may not be a number or begin with approver-; write one like Ana Example
settingRules-plain_name = a name may not have <, >, line ends or invisible characters; write one like Ana Example
settingRules-slack_ids = member ids such as U012AB3CD, separated by commas
settingRules-slack_pairs = pairs such as U012AB3CD=123456789 (Slack=Telegram), separated by commas
settingRules-bot_token = that is not a bot token; copy the one that @BotFather gives, such as 123456789:AAE…
settingRules-slack_bot_token = the bot token, which begins with xoxb-
settingRules-slack_app_token = the app-level token, which begins with xapp-
## Why a run is where it is

reasons-queued = Waiting for a free slot.
reasons-reading_repository = Reading the repository.
reasons-checking_base = The checks are running on the base branch first.
reasons-checks_waived = { $by } goes on without { $names ->
        [0] checks
       *[other] { $names }
    }: they prove nothing here.
reasons-agent_discovery = The agent is reading the repository.
reasons-discovery_asked_again = Some of what the agent found is not where it says; it is asked again.
reasons-contract_known = The repository’s rules and checks are known.
reasons-contract_refined = The repository’s rules and checks are known; the agent added { $added } to them.{ $refused ->
        [0] {""}
       *[other] {" "}{ $refused } of its finds could not be used.
    }
reasons-agreement_required = The repository asks for a signed agreement ({ $file }:{ $line }). Start only if you have signed it.
reasons-issue_not_free = { $standing ->
        [assigned_elsewhere] Issue { $issue } is assigned to { $assignees }. Start only if that is settled with them.
       *[closed] Issue { $issue } is closed. Start only if this is wanted all the same.
    }
reasons-ban_read_by_agent = The agent reads a ban on such changes: “{ $quote }” ({ $file }:{ $line }). Start only if it is not one.
reasons-possible_ban = This may be a ban on such changes: “{ $quote }” ({ $file }:{ $line }). Start only if it is not one.
reasons-ban_overruled = { $by } says that this rule is about something else ({ $note }): “{ $quote }” ({ $file }:{ $line }). The repository is read again.
reasons-revert_empty = The branch holds nothing of that pull request any more: there is nothing to revert.
reasons-repository_archived = The repository is archived.
reasons-duplicate_repository = The repository is called { $repo } now, and takes part under that name.
reasons-ai_banned = The repository does not want such changes: “{ $quote }” ({ $file }:{ $line }). If this rule is about something else, an approver answers this message with the reason.
reasons-implementing = The agent is working.
reasons-planning = The agent is making a plan.
reasons-fix_started = Fix { $no } of { $of }: { $title }
reasons-proposer_started = Engine { $no } of { $of } begins from the base: { $engine }.
reasons-proposal_chosen = The change of { $engine } was the best of { $of }; its checks run once more.
reasons-plan_continued = The plan continues.
reasons-plan_unchanged = The plan is done, and nothing was changed.
reasons-plan_step = Step { $id }: { $text }
reasons-checks_running = { $on ->
        [commit] Our checks are running.
        [fix] Our checks are running on the fix.
       *[whole] Our checks are running on the whole change.
    }
reasons-checks_failed_again = The checks failed; the agent is trying again.
reasons-tests_pass_on_base = The change’s tests pass without the rest of it too; the agent hears of it once.
reasons-permission_asked = The agent asks to be allowed this, once: { $tool } { $input }
reasons-agent_question =
    { $question }

    Reply to this message with your answer: the agent goes on with it.
reasons-report_asked_again = The agent’s report could not be read; the agent is asked for it again.
reasons-updates_exhausted = It has been updated from its base as often as is allowed.
reasons-push_approval_wait = The push is waiting for approval.
reasons-pushing = Pushing the branch.
reasons-push_unconfirmed = It is not known what the push would publish; retry it.
reasons-pull_unconfirmed = It is not known what a pull request would publish; retry it.
reasons-merge_conflicts = The change conflicts with its base branch.
reasons-decision_wait = Waiting for your decision.
reasons-pull_open = Pull request { $pull } is open; waiting for its checks.
reasons-pull_too_late = Pull request { $pull } was opened before it could be stopped.
reasons-fix_pushed = The fix is pushed; waiting for the checks.
reasons-checks_restarted = Checks are running again.
reasons-maintainer_wait = A maintainer must allow the checks to run.
reasons-checks_green = { $verdict ->
        [GREEN] All checks are green; waiting for a review.
        [GREEN_REQUIRED] The required checks are green, others are not; waiting for a review.
        [GREEN_SEEN] All checks that we may read are green, and some we may not read; waiting for a review.
       *[NO_CI] The repository ran no checks (which does not count as green); waiting for a review.
    }
reasons-pull_merged = Merged by { GIVEN($by) ->
        [yes] { $by }
       *[no] a maintainer
    }.
reasons-pull_closed = The pull request was closed without a merge by { GIVEN($by) ->
        [yes] { $by }
       *[no] a maintainer
    }.
reasons-pull_reopened = Pull request { $pull } was reopened; waiting for its checks.
reasons-foreign_head = The branch has a commit that AgentPR did not push: it was at { $from }, and is at { $to } now. Approvals are void.
reasons-head_adopted = { $by } took { $sha } by { $author }; the run goes on from it.
reasons-base_merged_elsewhere = { $author } merged { $ref } into the branch ({ $commits ->
    [one] { $commits } commit
   *[other] { $commits } commits
}) and changed nothing else. The run goes on from there.
reasons-base_update = { $by } asked for an update from { $ref }.
reasons-base_up_to_date = { $ref } has nothing new ({ $sha }).
reasons-sent_to_checks = { $by } sent the commit to our checks.
reasons-checks_red_on_base = { $checks }: red, and on { $ref } as well. The agent was not sent to fix it. Update from base when { $ref } is green again, or /fix with what to do.
reasons-maybe_flaky = { $checks }: red, and maybe flaky: it was stopped from outside, or had passed on the same commit. When it is run again and passes, the run goes on. In somebody else’s repository only its maintainers can do that. Retry asks for a fix.
reasons-flaky_rerun = { $checks }: red, and maybe flaky; run again, once.
reasons-work_kept = { $by } stopped the agent; what is there is checked as it is.
reasons-kept_work_red = The agent was stopped, and our checks fail on what is there. A retry lets it go on.
reasons-work_dropped = { $by } stopped the agent, and dropped what it did since the last push.
reasons-operator_words = The agent goes on with what { $by } told it.
reasons-checks_rerun = { $by } asked for the checks to run again.
reasons-paused = Paused by { $by }.
reasons-access_lost = { $how ->
        [removed] The GitHub App was uninstalled from { $account }: install it there again.
        [suspended] The GitHub App is suspended on { $account }: unsuspend it there, under Settings → Applications.
       *[unlisted] The GitHub App may not work on this repository any more: add it again where the App is installed on { $account }, under Settings → Applications.
    } The run goes on by itself when that is done.
reasons-access_restored = The GitHub App may work for { $account } again.
reasons-base_changed = The pull request goes into { $to } now, no longer into { $from }; the run follows.
reasons-push_blocked = { $why ->
        [archived] The repository is archived, so nothing can be pushed or merged. An owner can unarchive it under Settings → General; the run goes on by itself then. /cancel ends it.
       *[fork_deleted] The fork that the pull request comes from is gone, so nothing can be pushed to it. Maintainers can still merge it as it is. Restore the fork (Settings → Repositories → Deleted repositories), and the run goes on by itself; or /cancel it and order it again.
    }
reasons-push_unblocked = { $was ->
        [archived] The repository is no longer archived: the run goes on.
       *[fork_deleted] The fork is there again: the run goes on.
    }
reasons-marked_done = Marked as done by { $by }.
reasons-permission_granted = { $by } { $how ->
        [picked] allowed what { $picked } proposed in its place, once.
        [sort] allowed “{ $sort } …” in this run.
        [edited] changed it and allowed that, once.
       *[once] allowed it, once.
    }
reasons-permission_refused = { FILLED($note) ->
        [yes] Not allowed by { $by }: { $note }
       *[no] Not allowed by { $by }.
    }
reasons-taken_back = { $by } took the changes back; the change before is checked again.
reasons-approved = Approved by { $by }.
reasons-requirement_answered = { $by } answered: { $what ->
        [issue] the issue
        [cla] the agreement is signed
        [words] what the change is, in their own words
        [sign_off] the sign-off
       *[template] what the template asks
    }.
reasons-pr_text_edited = { $by } changed the words: { $note }
reasons-retried = { FILLED($note) ->
        [yes] Retried by { $by }: { $note }
       *[no] Retried by { $by }.
    }
reasons-resumed = { FILLED($note) ->
        [yes] Resumed by { $by }: { $note }
       *[no] Resumed by { $by }.
    }
reasons-retrying = Trying again.
reasons-cannot_continue = It cannot go on at { $at }; use /retry and name a state.
reasons-card_replaced = Replaced by a newer card.
reasons-decision_expired = Nobody decided in time.

## Why a command is refused

refusals-no_run = There is no such run.
refusals-run_exists = Run { $run } already exists.
refusals-approved_already = { $by } has already approved it; it is under way.
refusals-card_replaced = That card was replaced by a newer one; /pending shows it.
refusals-card_changed = What that card showed is not what would be published now; /pending shows the newest.
refusals-more_risk = More speaks against that than against what the agent asked for ({ $policies }), so it cannot take its place. The question is still open.
refusals-card_expired = That card has expired; a new one is on its way.
refusals-not_named = The campaign names who may approve its changes, and you are not among them.
refusals-own_change = Whoever asked for a change may not approve it here; another approver is needed.
refusals-signed_already = You have signed already; { $left } more to go.
refusals-other_approvers = A policy names who approves this: it still needs one of { $names }.
refusals-chat_only = Approving is done in the chat only, by a message or a button there.
refusals-own_key_needed = A policy asks for your own key here: approve it on the change’s page of the board.
refusals-own_key_refused = { $why ->
        [too_few] More people have to sign with keys of their own.
        [unknown_key] That key is not registered for you; /passkey registers one.
        [untrusted_key] That key is not among the operator’s approvalKeys.
       *[wrong_signature] The key did not sign what would be published. Load the page again.
    }
refusals-text_missing = Say which words: a title, a description, or both.
refusals-no_remark = That review has already been dealt with, or its card was replaced by a newer one.
refusals-no_answer = { $nos ->
        [one] { COUNT($nos) } Remark
       *[other] { COUNT($nos) } Remarks
    } { $nos }: no answer yet. Reply to the message of the review with the number and your answer.
refusals-script_reads_nothing = A script works on this run, and it reads no words.
refusals-no_reader = No agent works in that state, so nobody would read your words. Leave out the state, or the words.
refusals-words_waiting = { $most } messages wait for this agent already. It hears them first.
refusals-words_heard = The agent has heard them.
refusals-nothing_to_update = There is no change yet that could be updated.
refusals-under_way = Something is already under way; ask again when it is done.
refusals-head_not_foreign = The branch holds nothing that somebody else pushed.
refusals-head_moved = The branch has moved again; look at what it holds now before you take it.
refusals-not_asked = The repository does not ask for that: run { $run } needs no such answer.
refusals-no_standing_grant = Nothing is allowed for the rest of run { $run }.
refusals-no_question = The agent of run { $run } does not ask for anything now.
refusals-agent_at_work = Run { $run } is at work now. Tell it something with /tell, or ask once its card is there.
refusals-no_conversation = The engine { $engine } of run { $run } has no conversation that could be asked.
refusals-permission_first = The agent of run { $run } waits for your answer itself. Answer that first.
refusals-question_open = A question to the agent of run { $run } is open. Wait for its answer first.
refusals-nothing_to_take_back = Run { $run } has no earlier card to go back to, or its base or branch has moved on since.
refusals-committed = Run { $run } has its commit already; a sign-off is part of a commit. Start it again, or sign off yourself.
refusals-push_blocked = { $why ->
        [archived] The repository is archived: nothing can be pushed before an owner unarchives it.
       *[fork_deleted] The fork that the pull request comes from is gone: nothing can be pushed before it is restored.
    }
refusals-foreign_head_first = Somebody else’s commit is on the branch. /take { $run } continues it.
refusals-plan_first = A person must look at the plan of run { $run } first: /plan { $run }.
refusals-plan_state_first = A person must look at the plan of run { $run } first; go on at PLAN_READY.
refusals-nothing_missing = Run { $run } has no check that it could go on without.
refusals-no_commit = Run { $run } has no commit to validate yet.
refusals-has_pull = Run { $run } has a pull request, which stays open: /cancel { $run } ends the run.
refusals-no_pull = Run { $run } has no pull request whose checks could run again.
refusals-cannot_continue = Run { $run } cannot go on at { $at }; possible: { $possible ->
        [0] nothing
       *[other] { $possible }
    }.
refusals-not_held_back = Run { $run } is not one that is approved and waits for its hours.
refusals-nothing_to_comment_on = The order of run { $run } came from no program that takes comments, or the link is there already.
refusals-no_limit = Run { $run } has no limit of that kind.
refusals-no_ban = Run { $run } was not stopped by a ban.
refusals-reason_missing = Say why that rule is about something else.
refusals-not_a_whole_number = That is not a whole number.
refusals-limit_already = The limit is { $limit } already; say a higher one, or + and how much more.

## What to do instead of a refused command

refusalHints-order_again = Start it again with /new.
refusalHints-resume = /resume { $run } continues it.
refusalHints-adopt_head = /take { $run } continues it.
refusalHints-retry = /retry { $run } continues it.
refusalHints-retry_now = It tries again by itself; /retry { $run } does it at once.
refusalHints-then_ask_again = Then ask again.
refusalHints-decide_push = Its card asks for a push: decide about that first.
refusalHints-card_follows = A card comes when there is something to decide.
refusalHints-fix = Its pull request is open; /fix { $run } asks for changes in it.
refusalHints-fix_in_progress = A fix is already under way; ask again when it is pushed.
refusalHints-no_pull_yet = It has no pull request yet; its card can be denied with what to do.
refusalHints-nothing_failed = Nothing in it has failed.
refusalHints-not_paused = It is not paused.
refusalHints-cancel_retrying = It tries again by itself; /cancel { $run } ends it.
refusalHints-already_stopped = The run has already stopped: /retry { $run } continues it, /cancel { $run } ends it.
refusalHints-cancel = /cancel { $run } ends it.
refusalHints-under_way = Something is already under way; ask again when it is done.
refusalHints-nothing_to_update = There is no change yet that could be updated.
refusalHints-not_theirs = The branch holds nothing that somebody else pushed.

## Notes

notes-edited_text_late = The wording was not changed: { $by } approved the card before the new words were judged.
notes-edited_text_not_assessed = The wording was not changed: it is not known what would be published.
notes-agent_asked =
    ❓ The agent asks, and its work goes on meanwhile:

    { $question }

    Reply to this message to answer.
notes-pull_description = { $how ->
        [edited_by_others] The fix is pushed. Somebody wrote into the description of { $pull }, so it was left as it is.
       *[failed] The fix is pushed. The description of { $pull } could not be brought up to date; edit it on the code host.
    }
costs-title = What agents cost
costs-tokens = { NUMBER($n) } tokens
costs-of = { $used } of { $limit }
costs-limit = { $scope }, { $period }
costs-scopes-all = everything
costs-scopes-person = { $of } alone
costs-scopes-campaign = campaign { $of }
costs-scopes-repository = repositories { $of }
costs-periods-day = today
costs-periods-month = this month
costs-periods-ever = in all
costs-by-person = By person, this month
costs-by-campaign = By campaign, this month
costs-by-repository = By repository, this month
costs-by-engine = By engine, this month
costs-limits = Limits
costs-noLimits = No limit is set for runs together. An admin sets one: /budgets month $100
costs-raise = Raise by half
costs-noSuchLimit = There is no such limit. /cost shows those that there are.
costs-near = Most of a budget is used: { $limit }
costs-usedUp = A budget is used up: { $limit }
costs-waitsUntil = No new turn starts. What waits goes on by itself on { $date } (UTC), or at once when you raise it.
costs-waitsForRaise = No new turn starts until you raise it.
costs-raised = A budget was raised: { $limit }
costs-raisedBy = { $who } raised it to { $amount }. What waited goes on.
costs-isNow = It is { $amount } now.
costs-nameless = somebody without a name
notes-pull_setup_refused = { $pull } is open ({ $url }), but not all of what you approved could be set: { LIST($refused, by: "; ") }. Everything else is as approved. Set it on the code host if it matters.
notes-item_comment = { $outcome ->
    [refused] The link was not posted at { $url }: { $message }
   *[unclear] Whether the link was posted at { $url } is not known ({ $message }). Look there: it is not posted a second time.
}
notes-pull_hidden = { $hidden ->
        [yes] Nobody but us can see { $pull } ({ $url }): GitHub answers “not found” to everybody who is not signed in as us, as it does for accounts that it has flagged. Nothing more is sent to repositories of others. Ask its support (support.github.com) to look at the account; what waits goes on when { $pull } can be seen.
       *[no] { $pull } can be seen by everybody again: { $url }
    }
notes-pull_too_late = Pull request { $pull } was opened just before the run { $ended ->
        [yes] ended
       *[no] was stopped
    }: { $url }
notes-campaign_approver = No campaign was made: { $who }, whom it names as an approver, may approve nothing here. /users shows who may.
notes-campaign_approvers = No campaign was made: { $needed ->
        [1] one approval is
       *[other] { $needed } approvals are
    } needed, and of the approvers that it names { $left } may give one.
notes-approver_left = { $who } may approve nothing any more. Campaign { $campaign } goes on with the { $left ->
        [1] one approver
       *[other] { $left } approvers
    } that it has left.
notes-campaign_pilot = No campaign was made: its first step would take { $first } repositories, and at most { $limit } may go first. Lower pace.canary; the others follow when the first have come to what you ask of them.{ $script ->
        [yes] {" "}For scripts, campaigns.scriptsMaySkipPilot in the configuration of the host lifts this.
       *[no] {""}
    }
notes-arrival_open = There is a preview for it already: { $campaign }.

## What an agent is told of its work

feedback-red = CI is red: { $checks }
feedback-review =
    { $reviewer } requested changes:

    { $body }
feedback-checks_failed = The checks failed.
feedback-tests_pass_on_base = Every check passes, and the tests that you added or altered also pass on the base, without the rest of your change. Where the change alters behaviour, make a test fail without it; where no test can, leave them and say so in the summary.
feedback-step = (STEP_ID={ $id }) { $text }
feedback-step_passed = Step { $id } passed our checks.
feedback-plan_has_no_step = The plan has no step; “Next” needs exactly one.
feedback-goal_changed = the goal was changed; put it back as it was
feedback-done_lost = a step that is done was taken out of Done
feedback-done_added = steps are moved to Done by us, when their checks pass

## Commands that fail on the base

commandFailures-no_box = The sandbox for `{ $command }` did not start. `agentpr doctor` says why.
commandFailures-no_room = `{ $command }` ran out of memory, disk or processes. Free some, or raise sandboxLimits.
commandFailures-killed = The machine ended `{ $command }` (137), perhaps for lack of memory. Free some, then retry.
commandFailures-over_limit = `{ $command }` was stopped on the base branch, before any change: { $limit }. Raise the setting that is named, or make the command need less; then retry.
commandFailures-stale_lockfile = `{ $command }` fails on the base branch: its lockfile does not match its manifest. Only the project can fix that.
commandFailures-not_installed = `{ $command }` was not run, because the installation before it failed.
commandFailures-fails = `{ $command }` fails here on the base branch, before any change.

## Reasons, refusals and notes that code fills in

marks-explained = { $says }{ FILLED($why) ->
    [yes] {" "}({ $why })
   *[no] {""}
}
skippedFile = { $path }: { $note }
# A failure without a record: AgentPR's own words for it, which are English
marks-untranslated = { $words }
marks-noCommit = (none)
timeSpans-seconds = { $n } s
timeSpans-minutes = { $n } min
timeSpans-hours = { $n } h
reasons-slot_wait = { $waitsFor ->
    [slot] Waiting for a free slot: { $used } of { $of } runs are at work.
   *[day] Waiting for a free slot: { $used } of { $of } runs were started in 24 hours.
}{ GIVEN($at) ->
    [yes] {" "}The next place is free at { $at }.
   *[no] {""}
}
reasonsParts-does = { $action ->
    [open_pr] Opens
    [push] Pushes
    [rerun_ci] Re-runs the checks
    [reply] Answers
   *[implement] Starts the agent
}
reasonsParts-doesThen = { reasonsParts-does }{ GIVEN($at) ->
    [yes] {" "}at { $at }
   *[no] {""}
}
reasonsParts-inLine = { reasonsParts-doesThen }, { $position ->
    [1] first
    [2] second
    [3] third
    [4] fourth
    [5] fifth
    [6] sixth
    [7] seventh
    [8] eighth
    [9] ninth
   *[other] no. { $position }
} in line.
reasons-write_slot_wait = { $why ->
    [pace] { reasonsParts-inLine }
    [retry_after] { reasonsParts-inLine } GitHub asked us to write nothing until then.
    [suspended] { reasonsParts-does } when the suspension is over: GitHub has suspended us. Its support, or whoever suspended our App, can lift that.
    [slot] { reasonsParts-does } when a pull request of ours there is merged or closed: the repository takes no more of ours.
    [new_owners] { reasonsParts-doesThen }: at most { $queueLength ->
        [one] { $queueLength } new owner
       *[other] { $queueLength } new owners
    } a day until more of ours is merged (thirdParty.newOwnersPerDay).
    [third_party] { reasonsParts-does } when one of the { $queueLength } that are open in repositories of others is merged or closed (thirdParty.openPulls).
    [merge_queue] { reasonsParts-does } when the pull request leaves the merge queue: a push would take it out.
    [provider] { reasonsParts-doesThen }: the provider of its model takes nothing before.
    [spending] { GIVEN($at) ->
        [yes] { reasonsParts-doesThen }: the budget is used up. See /cost; an admin may raise it.
       *[no] { reasonsParts-does } when its budget is raised: the budget is used up. See /cost.
    }
    [opening_hours] { reasonsParts-doesThen }: nothing is opened outside of its hours (openings). An admin can open it now with /open_now.
    [cool_down] { reasonsParts-doesThen }: a policy asks for time after the last approval. /deny stops it until then.
    [owner_open] { reasonsParts-does } when one of the { $queueLength } that are open with this owner is merged or closed (caps.openPerOwner). Whoever merges or closes one makes room.
    [repository_open] { reasonsParts-does } when one of the { $queueLength } that are open in this repository is merged or closed (caps.openPerRepository). Whoever merges or closes one makes room.
    [hour_full] { reasonsParts-doesThen }: at most { $queueLength } are opened in an hour (caps.perHour).
    [day_full] { reasonsParts-doesThen }: at most { $queueLength } are opened in a day (caps.perDay).
   *[pulls_hidden] { reasonsParts-does } when everybody can see our pull requests: one of them is hidden from everybody but us.
}
reasons-base_unusable = No agent was started. Fix it, then /retry { $run }; or go on without these checks: /without { $run }
reasons-answers_missing = Or start without it: the card of the pull request then says that it is missing.
reasons-competing_pulls = Somebody is already working on this: { LIST($pulls, by: "; ") }. Start only if another one is wanted.
reasons-rule_unmet = { $rule }. Start only if that is settled.
reasons-plan_step_blocked = Step { $id } of the plan is blocked: { $text }.{ FILLED($notes) ->
    [yes] {" "}{ $notes }
   *[no] {""}
} Decide, then retry and say what you decided.
reasons-plan_too_long = The plan went through { $rounds } rounds and is not done{ GIVEN($about) ->
    [yes] : { $about }
   *[no] {""}
}. Make the goal smaller, or retry to go on.
reasons-step_failed = { GIVEN($inRow) ->
    [yes] { $inRow } attempts to reach the code host failed in a row.{" "}
   *[no] {""}
}{ $why }{ $endsHere ->
    [yes] {" "}Then retry, or cancel the run.
   *[no] {""}
}{ $again ->
    [yes] {" "}It is tried again by itself.
   *[no] {""}
}{ GIVEN($tries) ->
    [yes] {" "}It was tried { $tries ->
        [1] once
       *[other] { $tries } times
    }.
   *[no] {""}
}{ GIVEN($retryAt) ->
    [yes] {" "}Next try: { $retryAt }.
   *[no] {""}
}
reasons-no_changes = { $ignored ->
    [0] { $why }
   *[other] Nothing changed that git would commit; the repository’s .gitignore leaves out { $ignored }. If the change is there, name another place in the goal; if not, say more about the goal. Then retry.
}{ $checksMayRun ->
    [yes] {" "}The checks can be run again instead.
   *[no] {""}
}{ FILLED($summary) ->
    [yes] {" "}It says: { $summary }
   *[no] {""}
}
reasonsParts-within = { $limit ->
    [time] { $limitValue ->
        [one] { $limitValue } second
       *[other] { $limitValue } seconds
    }
    [memory] { $limitValue } MB of memory
   *[size] { $limitValue } MB
}
reasons-repository_unreadable = { GIVEN($foundInRun) ->
    [yes] Run { $foundInRun } could not read { GIVEN($file) ->
        [yes] { $file }
       *[no] this commit
    } within { reasonsParts-within }, so it was not read again.
   *[no] { GIVEN($file) ->
        [yes] The file { $file }
       *[no] The repository
    } could not be read within { reasonsParts-within }.
} Look at the file, then retry, or cancel the run.
reasons-budget_exhausted = { $budget ->
    [fixes] Our checks still fail after { $used ->
        [one] { $used } fix
       *[other] { $used } fixes
    }, the limit of one step.
   *[other] The budget is used up: { $name }, { $usedAmount } of { $limitAmount }.
} An approver may raise it, for example with /budget { $run } { $budget } { $raise }, or cancel the run.{ FILLED($about) ->
    [yes] {" "}({ $about })
   *[no] {""}
}
reasons-price_unknown = This run may cost at most { $limit }, and the price of { GIVEN($model) ->
    [yes] { $model }
   *[no] its model
} is not known, so { $engine } was refused it. An approver can take the limit away: /budget { $run } cost none. { GIVEN($model) ->
    [yes] Or name its price on the host ("gateway.prices": {"{"}"{ $model }": {"{"}"input": …, "output": …{"}}"} in agentpr.config.json, in dollars for a million tokens) and start AgentPR again: the run goes on by itself.
   *[no] Or name a model in the arguments of the engine.
} Or order it again with another engine or model.
reasons-iterating = The agent is making a fix.
reasons-base_merge = Merges { $ref } { $sha }: { $commits ->
    [one] { $commits } commit
   *[other] { $commits } commits
}.{ $conflicts ->
    [0] {""}
   *[other] {" "}The agent resolves conflicts in { LIST($conflicts, by: ", ") }.
}
reasons-rerun_refused = The code host did not run the checks again.{ FILLED($why) ->
    [yes] {" "}({ $why })
   *[no] {""}
} Retry starts a fix. When somebody else runs them and they pass, the run goes on.
reasons-rejected = { $again ->
    [yes] Changes asked for
   *[no] Denied
} by { $by }{ FILLED($note) ->
    [yes] : { $note }
   *[no] .
}
reasons-ended_by_person = { $how ->
    [cancelled] Cancelled
    [denied] Denied
   *[skipped] Skipped
} by { $by }{ GIVEN($because) ->
    [yes] : { $because }
   *[no] {""}
}.{ FILLED($note) ->
    [yes] {" "}{ $note }
   *[no] {""}
}{ GIVEN($pull) ->
    [yes] {" "}Pull request { $pull } stays open.
   *[no] {""}
}
rivals-pull = { $id } by { $author }, “{ $title }”
requirements-ask = { $rule }. { $what ->
    [issue] Reply with its number.
    [cla] Reply that you have signed it.
    [words] Reply with two or three sentences; they are published word for word.
    [template] Reply with the answer to what its template asks.
   *[sign_off] Reply with Name <email> to sign off with; /settings signoff keeps it.
}
refusals-not_possible_now = Run { $run } { $isOver ->
    [yes] has ended ({ $heading }); it
   *[no] { $state }; from there it
} cannot be { $does }.{ FILLED($hints) ->
    [yes] {" "}{ $hints }
   *[no] {""}
}
refusals-no_card = Run { $run } has no card that waits for a decision.{ FILLED($hints) ->
    [yes] {" "}{ $hints }
   *[no] {""}
}
notes-edited_text_failed = The wording was not changed: { $why }
notes-edited_text_rejected = The wording was not changed: { $why }.
notes-pull_changed = { $pull } was changed on the code host: { LIST($changes, by: "; ") }.
notes-replies_denied = The answers are not posted. { $objections }
notes-restarted = I was restarted{ GIVEN($away) ->
    [yes] {" "}and was away for { $away }
   *[no] {""}
}. Nothing you sent is lost{ $handled ->
    [0] {""}
   *[other] {" "}({ $handled } handled now)
}{ $freed ->
    [0] {""}
    [one] ; { $freed } interrupted step starts again
   *[other] ; { $freed } interrupted steps start again
}.
restarts-older = ⚠️ The ledger was put back to an earlier state: what was decided since then is not known. Check open pull requests; the operator then runs `agentpr audit accept` on the host.
restarts-missing = ⚠️ Nothing tells any more whether the ledger was put back to an earlier state: keys/ledger.anchor is gone. If that was you, run `agentpr audit accept` on the host.
restarts-setAside = ⚠️ { $n ->
    [one] One thing stopped me twice, so I set it aside
   *[other] { $n } things stopped me twice, so I set them aside
} and handle the rest. /set_aside shows what people and code hosts sent.
restarts-run = { $repo } · { $id }: { $state }
restarts-more = … and { $n } more
notes-ledger_changed = ⚠️ Something other than AgentPR changed the ledger. These runs are not what their log says: { LIST($runs, by: ", ") }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}. Look at their pull requests. On the host, `agentpr replay --all` says what was changed.
notes-passkey_registered = 🔑 { $who } registered a key of their own: { $fingerprint }. Whoever did not do that tells an admin, who revokes it with /passkey.
notes-campaign_empty = { $of ->
    [0] No campaign was made: no repository was found.
    [1] No campaign was made: of one repository none takes part.
   *[other] No campaign was made: of { $of } repositories none takes part.
}
excluded-target = { $repo }: { $why }{ GIVEN($by) ->
    [yes] {" "}({ $by })
   *[no] {""}
}
notes-campaign_query = { $why ->
    [missing] No campaign was made: { $query } is not there, or not for us to see.
    [lacks] No campaign was made: this code host cannot search, so { $query } cannot be looked for. Name the repositories one by one.
    [refused] No campaign was made: the code host does not take { $query }: { $says }
    [limited] No campaign was made: the code host takes no more searches now. Send it again { GIVEN($wait) ->
        [yes] in { $wait }
       *[no] later
    }.
   *[unreachable] No campaign was made: { $query } cannot be looked for now: { $says } Send it again later.
}
notes-link_failed = Campaign { $campaign }: { $why ->
    [tag] the release of { $repo } has a name that no command may hold, so its version cannot be used. Waiting for its next release:
   *[ended] { $repo } ended without being merged. Not started for that:
} { $stopped }{ GIVEN($more) ->
    [yes] {" "}{ $more }
   *[no] {""}
}. /campaign { $campaign } shows how all stand.
notes-pulls_adopted = Campaign { $campaign } { GIVEN($adopted) ->
    [yes] { $adopted ->
        [0] took { $left ->
            [1] nothing
           *[other] none of them
        }:
        [1] follows one more pull request. Its card counts what becomes of it; I write nothing there.
       *[other] follows { $adopted } more pull requests. Its card counts what becomes of them; I write nothing there.
    }
   *[no] { $isSchedule ->
        [yes] is a schedule, and follows no pull requests itself. Name one of the campaigns that came from it.
       *[no] takes no pull requests: it is over, or not there.
    }
}
notes-arrivals_full = { $limit } previews from { $source } came within a day. { $isFromIssue ->
    [yes] The others come when a day has passed.
   *[no] What else comes from there today is not shown.
}
notes-effect_stuck = { $step ->
    [poll] I cannot look at the code host: { $says }.
   *[other] A step ({ $step }) failed and was given up: { $says }.
} The run stays { GIVEN($state) ->
    [yes] where it is: it { $state }
   *[no] as it is
}. The log on the host says more; then /retry or /cancel it.

## What others changed in a pull request

pullChanges-title = its title is now “{ $to }”
pullChanges-base = it now goes into { $to }
pullChanges-reopened = it was reopened, and is followed again
pullChanges-body = its description was edited
pullChanges-draft = { $on ->
    [yes] it is a draft now
   *[no] it is ready for review now
}
pullChanges-locked = { $on ->
    [yes] its conversation is locked
   *[no] its conversation is open again
}
pullChanges-queued = { $on ->
    [yes] it entered the merge queue
   *[no] it left the merge queue
}
pullChanges-auto_merge = { GIVEN($by) ->
    [yes] { $by } turned auto-merge on
   *[no] auto-merge is off
}
pullChanges-repo = its repository is { $to } now
pullChanges-archived = { $on ->
    [yes] its repository was archived, so that nobody can push or merge there until a maintainer undoes that
   *[no] its repository is no longer archived
}
pullChanges-private = { $on ->
    [yes] its repository is private now
   *[no] its repository is public now
}
pullChanges-head_deleted = { $on ->
    [yes] the fork that it comes from is gone, so that nobody can push to it any more
   *[no] the fork that it comes from is there again
}
pullChanges-guarded = { $on ->
    [yes] the branch it goes into is protected now
   *[no] the branch it goes into is no longer protected
}
pullChanges-required = what must pass before it may be merged: { $changed }
pullChanges-labels = labels { $changed }
pullChanges-reviewers = a review was requested from { $added }

## What an agent is told, filled in by code

feedback-remarks = { $authors }: { $n ->
    [one] { $n } remark
   *[other] { $n } remarks
}
remarks-asked =
    {"["}{ $no }] { GIVEN($path) ->
        [yes] { $path }{ GIVEN($line) ->
            [yes] :{ $line }
           *[no] {""}
        }
       *[no] the whole change
    } { $author }{ $answer ->
        [yes] {" "}(change nothing for this one; propose an answer in your report)
       *[no] {""}
    }:
    { $body }{ FILLED($hunk) ->
        [yes] {""}
            The lines it is about:
            { $hunk }
       *[no] {""}
    }
feedback-denied = A policy forbids the change: { $objections }
feedback-step_changed_nothing = Step { $id } changed no file{ FILLED($files) ->
    [yes] {" "}that can be committed ({ $files })
   *[no] {""}
}. Split it, do it another way, or block it and say why in Notes.
feedback-acceptance_lost = acceptance was taken away: { $commands }

## What the base lacks or fails

baseline-stopped = { $fault ->
    [environment] This machine is not ready for the repository
    [undecided] The base branch could not be installed here
   *[install] The base branch does not install
}. { $failure }{ $ciGreen ->
    [yes] {" "}CI of this commit is green, so this machine differs.
   *[no] {""}
}{ FILLED($says) ->
    [yes] {" "}First error: { $says }
   *[no] {""}
}{ $more ->
    [0] {""}
    [one] {" "}The same stops { $more } other command.
   *[other] {" "}The same stops { $more } other commands.
}
baseline-mismatch = { $name } is { GIVEN($version) ->
    [yes] { $version }
   *[no] unknown
} here; the repository asks for { GIVEN($asked) ->
    [yes] { $asked }
   *[no] another
}{ FILLED($source) ->
    [yes] {" "}({ $source })
   *[no] {""}
}
baseline-mismatches = { LIST($mismatches, by: "; ") }.
baseline-failing = Already fails on the base branch: { LIST($checks, by: ", ") }. The change is not blamed for it.
baseline-flaky = Fails now and then on the base branch: { LIST($checks, by: ", ") }.
baseline-otherVersion = { $command }@<version>
commandFailuresParts-registry = { GIVEN($host) ->
    [yes] { $host }
   *[no] the package registry
}{ GIVEN($status) ->
    [yes] {" "}(HTTP { $status })
   *[no] {""}
}
commandFailuresParts-host = { GIVEN($host) ->
    [yes] { $host }
   *[no] the registry
}
commandFailures-no_program = `{ $command }` needs { GIVEN($program) ->
    [yes] { $program }
   *[no] a program
}, which is not installed on this machine. { $ways ->
    [0] Install it on the host.
   *[other] To get it: { LIST($ways, by: " or ") }.
}
commandFailures-no_network = { GIVEN($host) ->
    [yes] `{ $command }` cannot reach { $host }. Check the network, the DNS and the proxy of this machine, and whether network.hosts lists it, then retry.
   *[no] `{ $command }` cannot reach a host that it needs: its package registry, or one that it asks itself. Check the network, the proxy and the registry settings of this machine.
}
commandFailures-registry_refused = `{ $command }` is refused by { commandFailuresParts-registry }. Check the credential and the address that this machine has for it (its variables, or the registry settings of the repository), then retry.
commandFailures-registry_down = `{ $command }` failed because { commandFailuresParts-registry } does not work now. Nothing is wrong with the repository: wait a little, then retry.
commandFailures-bad_certificate = `{ $command }` does not trust the certificate of { commandFailuresParts-host }. Name the authority that signed it (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, PIP_CERT and their like) on this machine, then retry.
commandFailures-proxy_refuses = `{ $command }` is refused by the proxy on the way to { commandFailuresParts-host }. Check the user and the password in HTTPS_PROXY, what the proxy allows, and NO_PROXY, then retry.
commandFailures-wrong_version = `{ $command }` needs a different version of { GIVEN($program) ->
    [yes] { $program }
   *[no] a program
} from the one on this machine. { $ways ->
    [0] Install that one on the host.
   *[other] To get it: { LIST($ways, by: " or ") }.
}
commandFailures-no_package = `{ $command }` asks for a package that { commandFailuresParts-host } does not have. A mirror may lag or leave packages out: try the registry that the project uses. If that one lacks it too, only the project can fix it.

## What each policy guards, and when it objects

policyAbout-no_secrets-guards = keys and tokens stay private
policyAbout-no_secrets-escalates = what is added or said may be a secret, or a file may be there for keys
policyAbout-no_secrets-denies = an added line, a name or a word that becomes public looks like a key or token, or a file is there for keys
policyAbout-hidden_lines-guards = what is signed is what is shown
policyAbout-hidden_lines-escalates = a line of the change is not shown as it is, because a secret in it is hidden
policyAbout-no_write_outside_workspace-guards = only files of the repository are touched
policyAbout-no_write_outside_workspace-denies = a path or a command leaves the workspace or reaches into .git
policyAbout-no_symlink_escape-guards = links stay in the repository
policyAbout-no_symlink_escape-denies = a symbolic link points out of the repository
policyAbout-no_gitlinks-guards = no other repository is pulled in
policyAbout-no_gitlinks-escalates = a submodule is removed
policyAbout-no_gitlinks-denies = a submodule pointer is added or moved
policyAbout-no_binary-guards = a person can read what is published
policyAbout-no_binary-escalates = a file is binary, points to one that is stored elsewhere, or should be stored elsewhere
policyAbout-no_binary-denies = a file is too large to be looked through
policyAbout-hidden_text-guards = what is read is what is there
policyAbout-hidden_text-escalates = invisible characters, mixed scripts in a word, a line too long to be read, or a change of whitespace alone
policyAbout-hidden_text-denies = bidirectional controls reorder a text on screen
policyAbout-no_odd_files-guards = only plain files come out of a workspace
policyAbout-no_odd_files-escalates = the agent left nested repositories, special or linked files, bad names, or too large ones
policyAbout-no_workflow_edit_without_human-guards = what CI runs
policyAbout-no_workflow_edit_without_human-escalates = a CI file changes
policyAbout-agent_config_changed-guards = what steers coding agents
policyAbout-agent_config_changed-escalates = a file that coding agents obey changes
policyAbout-trust_roots_changed-guards = where packages, hooks and submodules come from
policyAbout-trust_roots_changed-escalates = a file that decides it changes
policyAbout-forbidden_paths-guards = paths that the operator named
policyAbout-forbidden_paths-denies = a changed path is one of them
policyAbout-protected_paths-guards = paths that need a signature
policyAbout-protected_paths-escalates = a changed path is one of them
policyAbout-lockfile_needs_manifest-guards = dependencies change where people see it
policyAbout-lockfile_needs_manifest-escalates = a lockfile changes without its manifest
policyAbout-no_test_deletion-guards = tests keep testing
policyAbout-no_test_deletion-escalates = a test goes away, is skipped, checks less or loses lines
policyAbout-max_diff_size-guards = a change is small enough to be read
policyAbout-max_diff_size-escalates = it has more files, lines or bytes than the limits
policyAbout-max_diff_size-denies = it does not fit a file that the chat can show whole (8 MB)
policyAbout-no_push_to_default_branch-guards = only branches of our own are pushed to
policyAbout-no_push_to_default_branch-denies = the branch is the default, the base or a protected one
policyAbout-open_pr_limit-guards = a project is not flooded
policyAbout-open_pr_limit-escalates = as many pull requests of ours are open there as the limit, the number is not known, or a first one has many lines
policyAbout-public_text-guards = words trigger nothing
policyAbout-public_text-escalates = a title, text, message or branch calls somebody, closes an issue, skips CI or commands a bot
policyAbout-public_text-denies = a comment or reply commands a bot, which could merge
policyAbout-comment_length-guards = a comment is worth reading
policyAbout-comment_length-escalates = it is longer than the limit
policyAbout-comment_length-denies = it is empty, or longer than the code host takes
policyAbout-comment_needs_human-guards = nothing is said under our name unread
policyAbout-comment_needs_human-escalates = a comment or reply is about to be posted: always
policyAbout-contribution_rules-guards = what the project asks for
policyAbout-contribution_rules-escalates = a rule is not kept, only a person can keep it, or the rules are not known
policyAbout-contribution_rules-denies = the project does not want changes made by agents
policyAbout-checks_must_pass-guards = what is published was seen to work
policyAbout-checks_must_pass-escalates = no check could be run
policyAbout-checks_must_pass-denies = a check failed or did not end
policyAbout-check_config_changed-guards = what judges a change is not changed unseen
policyAbout-check_config_changed-escalates = a changed file is named by a check command, or read by a runner
policyAbout-no_high_risk_command-guards = commands that lose or hide things
policyAbout-no_high_risk_command-escalates = a command can lose or hide things, or cannot be read
policyAbout-no_high_risk_command-denies = a command takes rights, publishes, or destroys what cannot be brought back
policyAbout-no_network_without_human-guards = the network
policyAbout-no_network_without_human-escalates = a command uses the network
policyAbout-known_command-guards = commands that only read or check
policyAbout-known_command-allows = every part of a command is known
policyAbout-high_risk_needs_human-guards = a person signs what is dangerous
policyAbout-high_risk_needs_human-escalates = the risk is high, or above low where others are reading already
policyAbout-small_change-guards = the usual case
policyAbout-small_change-allows = a small change to plain files, checks green, nothing that raises the risk
policyAbout-explicit_allow-guards = nothing passes by being forgotten
policyAbout-explicit_allow-escalates = no policy allows it by itself

## What agentpr policy explain and list say

policyWords-title = { $decision ->
        [allow] allowed
        [escalate] a person decides
       *[deny] denied
    }, { $risk ->
        [low] low
        [medium] medium
       *[high] high
    } risk, by policies { $version }
policyWords-stated = { $policy }: { $reason }{ GIVEN($guards) ->
        [yes] {" "}(guards: { $guards })
       *[no] {""}
    }
policyWords-raised = { $level ->
        [low] low
        [medium] medium
       *[high] high
    } risk, { $finding }: { $reason }
policyWords-can-deny = Nobody can sign this. Retry it, and the agent is told the reasons; or end the run.
policyWords-can-escalate = Read the card and sign it, or deny it with a reason, which the agent is told.
policyWords-can-allow = No policy stands in the way; a pull request is still opened only after somebody signed it.
policyWords-can-change_settings = The operator may change { $settings } in agentpr.config.json; the change is then judged anew.
policyWords-can-repository_file = What is called repository:… stands in .agentpr.json on the base branch.
policyWords-ownPolicy = the entry { $name } of policies.custom
policyWords-list-policies = Policies { $version }
policyWords-list-denies = denies when { $denies }
policyWords-list-escalates = asks a person when { $escalates }
policyWords-list-allows = allows { $allows }
policyWords-list-setting = setting { $name } = { $value }
policyWords-list-elsewhere = Other limits hold for { $repositories }: see them with --repo owner/name.
policyWords-last-push = The last push ({ $when }): { $says }
policyWords-last-open_pr = The last opening of a pull request ({ $when }): { $says }
policyWords-refused = Refused ({ $when }): { $says }
policyWords-signedBy = Approved by { $names }.
policyWords-openNow = To open it before its hours, an admin runs: agentpr run open-now { $run }
policyWords-silent = No policy has judged this run: there was nothing to publish yet.
## What is wrong with the ledger's database

databaseFaults-damaged = The ledger file is damaged. Stop agentpr, keep a copy of the data directory, and restore ledger.db from a backup.
databaseFaults-not_writable = The ledger cannot be written: its directory or file is read-only. Give this user the right to write the data directory.
databaseFaults-not_openable = The ledger cannot be opened. Check that the data directory exists and that this user may read and write it.
databaseFaults-folder_for_file = In the data directory there is a folder where a file belongs, or a file where a folder does. Move it away, or restore the directory from a backup.
databaseFaults-in_use = Another program has kept the ledger locked for too long. Close whatever has ledger.db open, then try again.
databaseFaults-disk_error = The disk gave an error while the ledger was read or written. Check the disk and its free space, then start again.
databaseFaults-unreached = The Postgres of the ledger cannot be reached. Start it, or check DATABASE_URL and the network; agentpr goes on by itself once it answers.
databaseFaults-no_connection_left = The Postgres of the ledger has no connection left. Raise its max_connections, or close what holds them; each process of agentpr needs up to 15.
databaseFaults-password_refused = The Postgres of the ledger refused the user or password in DATABASE_URL.
databaseFaults-user_refused = The Postgres of the ledger does not let this user in from this machine. Look at the user in DATABASE_URL, and at its pg_hba.conf.
databaseFaults-database_missing = The database that DATABASE_URL names does not exist. Make it: createdb <name>.
databaseFaults-read_only = The Postgres of the ledger takes no writes: it is a standby, or was made read-only. Point DATABASE_URL at the primary.
databaseFaults-right_missing = The user in DATABASE_URL may not do that in its database: tables, functions and triggers are made there at the start. Make it the owner: alter database <name> owner to <user>.
databaseFaults-no_schema = The search_path of the user in DATABASE_URL names no schema that is there. Make it (create schema <name> authorization <user>), or set another one (alter role <user> set search_path = <name>).
databaseFaults-no_ledger = There is no ledger in the database that DATABASE_URL names. Start agentpr with it first.
databaseFaults-postgres_damaged = The Postgres of the ledger found its own files damaged. Stop agentpr, keep a copy, and restore the database from a backup.
databaseFaults-wants_encryption = The Postgres of the ledger refuses unencrypted connections of this user from this machine. It probably takes only encrypted ones: add ?sslmode=verify-full to DATABASE_URL. Otherwise its pg_hba.conf lacks an entry.
databaseFaults-no_encryption = The Postgres of the ledger takes no encrypted connections, and DATABASE_URL wants one (sslmode). Turn TLS on there, or take sslmode away where nobody listens in between.
databaseFaults-password_missing = The Postgres of the ledger wants a password, and DATABASE_URL has none: postgres://user:password@host:5432/name.
databaseFaults-not_utf8 = The database that DATABASE_URL names cannot hold every text. Make one in UTF8: createdb -E UTF8 -T template0 <name>.
databaseFaults-pooled = DATABASE_URL leads to a pooler in transaction mode (PgBouncer, Supavisor or the like), which hands one session to several programs: the lock that keeps a second AgentPR away would not hold. Give the address of Postgres itself, or of a pool in session mode.
databaseFaults-not_made = The ledger is not made yet. Start the control: agentpr start --role control.
databaseFaults-schema_old = The ledger waits to be brought to the schema of this version. Start the control of this version.
databaseFaults-key_missing = The key { $file } is missing. Copy keys/ from the data directory of the control.
databaseFaults-standing_by = { $why } This one stands by.
databaseFaults-newer_schema = The ledger was made by a newer version of agentpr (migration { $migration }). Start that version again, or use another data directory.
databaseFaults-newer_found = The ledger was made by a newer version of agentpr (migration { $migration }).
databaseFaults-newer_control = The ledger was made by a newer version of agentpr. Install that version here as well.
databaseFaults-schema_failed = The ledger could not be brought to the newest schema: { $says }. Nothing was changed.
databaseFaults-migration_failed = The ledger could not be brought to the newest schema (migration { $migration }): { $says }. Nothing was changed.
databaseFaults-peers_at_work = The ledger must be brought to the schema of this version, and other programs of agentpr use it. Stop all workers first, then start the control.
databaseFaults-control_taken = Another control ({ $holder }) is at work on the ledger in this Postgres.
databaseFaults-postgres_taken = Another program ({ $holder }) is using the ledger in this Postgres. Stop it first, or use another database.
databaseFaults-holder_gone = it just ended
databaseFaults-directory_taken = Another agentpr{ $holder } is using { $directory }. Stop it first, or use another data directory.
databaseFaults-commits_lost = The Postgres of the ledger came back without what it had acknowledged: it failed over to a standby that lagged, or an older copy was put in its place. Start agentpr again: it looks at the code host before it opens anything, and agentpr replay --all says what it has; then agentpr audit accept.
databaseFaults-no_answer = Postgres gave no answer.
databaseFaults-jobs_timing = pg-boss keeps other times than AgentPR needs (life signs { $heartbeat } s, at most { $longest } s a job). Drop its schema pgboss, and start again.
databaseFaults-installation_changed = The users and settings in the ledger were changed by somebody other than agentpr. See agentpr replay --all, and restore ledger.db from a backup.
databaseFaults-installation_gone = The users and settings of the ledger are gone, so it cannot be told from a forged one. Restore ledger.db from a backup.
databaseFaults-export_table_unknown = The export has rows of { $table }, which is not a table of a ledger.
databaseFaults-export_row_unreadable = The export has a row of { $table } that cannot be read.
databaseFaults-keys_differ = The keys in { $folder } are not those of this ledger, or somebody changed it. Copy keys/ from the data directory of the control.
databaseFaults-places_taken = All of the { $most } places in { $folder } are taken.
databaseFaults-place_unreadable = { $file } cannot be read. Remove it, and start again.
databaseFaults-directory_not_made = The data directory { $directory } cannot be made ({ $says }). Choose one that this user may write.
databaseFaults-no_shared_memory = The file system of the data directory cannot share memory between handles. Use a local disk, not a network one.
databaseFaults-ledger_lost = The ledger { $file } is gone or empty, and there was one here. Restore it from a backup; to begin a new one, remove { $anchor } first.
databaseFaults-directory_of_other = The data directory { $directory } belongs to another user (id { $owner }, and this is { $user }). Start agentpr as that user, or use another data directory.
databaseFaults-restore_unfinished = A restore into { $directory } did not end. Run agentpr restore again with the same backup: it begins anew.
databaseFaults-copy_source_empty = The ledger to copy is empty, or a copy that did not end.
databaseFaults-copy_target_taken = The target holds a ledger. Choose an empty database, or move its ledger.db away.
databaseFaults-copy_rows_differ = The target has other rows in { $table } than the source: they are of another ledger, or of an earlier copy after which the source went on. Empty the target and copy again.
databaseFaults-ledger_key_lost = The ledger’s key { $file } is missing, so the ledger cannot be told from a forged one. Restore it from a backup.
databaseFaults-ledger_key_open = Others may read the ledger’s key { $file }. Run: chmod 600 { $file }
databaseFaults-ledger_key_damaged = The ledger’s key { $file } is damaged, or is not a key. Restore it from a backup.
databaseFaults-ledger_in_file = The database that DATABASE_URL names holds no ledger, and { $file } does. Bring it over first: agentpr ledger copy --from { $directory } --to postgres.
databaseFaults-postgres_ledger_lost = The database that DATABASE_URL names holds no ledger, and there was one. Restore it from a backup; to begin a new one, remove { $anchor } first.
databaseFaults-no_ledger_in = There is no ledger in { $directory }. Start agentpr there first.
databaseFaults-backup_name_taken = { $file } is there already, and is left as it is. Choose another name.
databaseFaults-backup_disk_full = The disk is full: no backup was made, and nothing of it is left at { $file }.
databaseFaults-backup_needs_room = A backup first needs room for a copy of the ledger in { $directory }: { $needed } MB, and { $free } MB are free.
databaseFaults-file_changed = { $file } changed while it was read.
databaseFaults-restore_not_empty = { $directory } is not empty ({ $names }). Restore into an empty directory: move this one away first.
databaseFaults-restore_disk_full = The disk is full: nothing was restored. Free some space, then try again.
databaseFaults-backup_missing = There is no file { $file }.
databaseFaults-not_restored = { $file } cannot be restored. { $why }
databaseFaults-archive_without_keys = It was made without the keys: say with --keys where they are, as keys/ of the old directory.
databaseFaults-archive_newer = It was made by a newer version of agentpr (migration { $migration }): install that one first.
databaseFaults-archive_of_other_keys = Its ledger does not fit the keys.
databaseFaults-archive_sealed = It is encrypted. Say with which --identity or --passphrase-file to open it.
databaseFaults-archive_not_opened = It cannot be opened with that key or passphrase, or it is damaged.
databaseFaults-archive_foreign = It is not a backup of agentpr.
databaseFaults-archive_cut = It is not a backup of agentpr, or was not copied whole.
databaseFaults-archive_damaged = It is damaged, or was not copied whole.
databaseFaults-archive_differs = It is damaged: what it holds is not what was written.
databaseFaults-archive_file_unplain = It holds { $name }, which is not a plain file.
databaseFaults-archive_file_foreign = It holds { $name }, which is not ours.
databaseFaults-archive_goes_on = There are files after its end.
databaseFaults-archive_without_ledger = It holds no ledger.
databaseFaults-archive_form_unknown = It is of another form than this version of agentpr reads.

## This language and its calendar

name = English
calendar-weekdays-sunday = Sun
calendar-weekdays-monday = Mon
calendar-weekdays-tuesday = Tue
calendar-weekdays-wednesday = Wed
calendar-weekdays-thursday = Thu
calendar-weekdays-friday = Fri
calendar-weekdays-saturday = Sat
calendar-date = { $day } { $month ->
    [1] Jan
    [2] Feb
    [3] Mar
    [4] Apr
    [5] May
    [6] Jun
    [7] Jul
    [8] Aug
    [9] Sep
    [10] Oct
    [11] Nov
   *[12] Dec
}
calendar-units-s = s
calendar-units-m = m
calendar-units-h = h
calendar-units-d = d

## The command line: why a command ends without having done its work

commandLine-failures-told = { $says }
commandLine-failures-settings_wrong = { $says }
    { $step ->
    [file] Fix that file; docs/configuration.md lists what may stand in it.
    [both] See .env.example for the environment, and docs/configuration.md for agentpr.config.json.
   *[example] See .env.example, or run `npx agentpr init`.
}
commandLine-failures-no_file = There is no file { $file }.
commandLine-failures-is_folder = { $file } is a folder. Name a file.
commandLine-failures-unreadable = { $file } cannot be read: { $says }
commandLine-failures-not_plain_text = { GIVEN($file) ->
    [yes] { $file }
   *[no] Standard input
} is not plain text. Save it as UTF-8.
commandLine-failures-no_directory = There is no directory { $path }.
commandLine-failures-no_run = There is no run { $run }.
commandLine-failures-no_listed_run = There is no run { $run }. `agentpr run list --all` shows all.
commandLine-failures-no_campaign = { $says } `agentpr campaign list` shows all.
commandLine-failures-which_run = Say which run, or --all.
commandLine-failures-was_refused = { GIVEN($says) ->
    [yes] { $says }
   *[no] It was refused.
}
commandLine-failures-not_written_right = The command is not written correctly. See --help.
commandLine-failures-bad_key = An idempotency key has 1 to { $max } characters.
commandLine-failures-bad_report_period = “{ $since }” is not a period to report on. Write 30d, 12w or all.
commandLine-failures-bad_insight_period = “{ $since }” is not a period to look at. Write 30d, 12w or all.
commandLine-failures-no_hook = There is no arrivals.hooks.{ $name } in agentpr.config.json.
commandLine-failures-hook_without_program = arrivals.hooks.{ $name } has no `from`: its calls are campaign files.
commandLine-failures-no_order_in_payload = This payload makes no order: { $why }
commandLine-failures-not_json = { $file } is not JSON: { $says }
commandLine-failures-no_json = { $from } holds no JSON.
commandLine-failures-two_goals = A campaign file already has a goal. Leave it out of the command.
commandLine-failures-options_beside_file = Options of an order cannot stand beside a campaign file. Leave out: { $options }
commandLine-failures-confirm_alone = --confirm goes with --pulls. Leave it out to close the campaign itself.
commandLine-failures-pulls_and_cancel = --pulls and --cancel do not go together. Close with --cancel first.
commandLine-failures-no_passphrase = There is no passphrase on the first line of { $file }.
commandLine-failures-no_backup_reader = Say who may read the backup: --recipient <age1…>, --passphrase-file <file>, or --plain for whoever has the file.
commandLine-failures-short_passphrase = A passphrase needs { $min } characters or more: a shorter one can be guessed.
commandLine-failures-no_recipient = "{ $name }" is not a recipient of age. One begins with age1; `age-keygen` makes one.
commandLine-failures-no_identity = There is no identity of age in { $files }.
commandLine-failures-ledger_in_postgres = The ledger is in Postgres. Back it up with pg_dump, and keep the directory keys/ of the data directory with it.
commandLine-failures-backup_stopped = Stopped: no backup was made.
commandLine-failures-no_backup = There is no backup in { $path }.
commandLine-failures-lines_after_end = There are lines after the end of the export.
commandLine-failures-no_export_row = A line of { $file } is not a row of an export.
commandLine-failures-incomplete_export = { $file } is not a complete export: its last line is missing.
commandLine-failures-unreliable_export = The export cannot be relied on: { $says }.
commandLine-failures-no_receipt = That text carries no AgentPR receipt.
commandLine-failures-try_on_copy = Try the migrations on a copy of the database (createdb -T), then on this one.
commandLine-failures-no_postgres = DATABASE_URL names no Postgres.
commandLine-failures-no_turns = Run { $run } has no turns: only the builtin engine records them.
commandLine-failures-not_https = { $url } must begin with https://, so that nobody changes it on its way.
commandLine-failures-url_unread = { $url } could not be read: { $says }.
commandLine-failures-url_answered = { $url } answered { $status }.{ $wantsToken ->
    [yes] {" "}A private repository needs GITHUB_TOKEN.
   *[no] {""}
}
commandLine-failures-too_long = { $url } is too long.
commandLine-failures-no_pull = { $from } is not a pull request as GitHub’s API gives it (title, body, head.sha, base.ref, base.repo.full_name).
commandLine-failures-no_pull_link = { $link } is not a link to a pull request.
commandLine-failures-no_published_keys = { $from } holds no keys as `agentpr receipt-keys` prints them.
commandLine-failures-no_repository_there = { $path } is not a Git repository.
commandLine-failures-no_envelope_of_it = This receipt is of an earlier form, which has no envelope.
commandLine-failures-no_log_key = The ledger has no key yet that could sign its log; the first start makes one.
commandLine-failures-no_receipt_key = There is no key { $key }. `agentpr receipt-keys` lists them.
commandLine-failures-no_prompt = Give the prompt: --prompt "<text>", or --prompt-file <file> (“-” reads standard input).
commandLine-failures-no_engine = The engine { $engine } is not in this version; there are: { $known }.
commandLine-failures-no_home = HOME is not set, and this account has none. Set it to a directory.
commandLine-failures-bad_minutes = --minutes { $minutes }: that is not a number of minutes.
commandLine-failures-no_port = { $given } is not a port. Write a number from 0 to 65535.
commandLine-failures-no_api_token = AGENTPR_API_TOKEN is not set, shorter than { $min } characters, or has other characters than letters, digits and . _ ~ + / -. Put a random one into .env, for example from `openssl rand -hex 24`.
commandLine-failures-any_port = AGENTPR_HTTP_PORT is 0, so the port is unknown. Give --url.
commandLine-failures-bad_address = { $address } is not an address such as http://127.0.0.1:8787.
commandLine-failures-nobody_answers = No AgentPR answers at { $url }{ GIVEN($cause) ->
    [yes] {" "}({ $cause })
   *[no] {""}
}. Start it with `agentpr start`.
commandLine-failures-bad_event = { $event } is not the name of an event, such as check_run or pull_request.
commandLine-failures-no_webhook_secret = GITHUB_WEBHOOK_SECRET is not set. Without it no webhook is accepted.
commandLine-failures-not_received = { $status }: { $says }
commandLine-failures-app_not_made = The App could not be created: { $says }. Nothing was written.
commandLine-failures-app_too_late = Nobody created the App within half an hour. Nothing was written.
commandLine-failures-one_scope = Choose one: --system or --user.
commandLine-failures-account_of_user = --as is for a system service. A user service runs as its user.
commandLine-failures-which_account = Say which account it runs as: --as <account>. `useradd --system --create-home agentpr` makes one. It needs no rights except to its own files.
commandLine-failures-no_account = There is no account { $account }. `useradd --system --create-home { $account }` makes it.
commandLine-failures-in_npx_cache = This agentpr is in the cache of npx, which npm may empty. Install it first (a clone with `npm ci`, or `npm install <the .tgz of a release>` in a folder of its own), and run `npx agentpr service install` there.
commandLine-failures-odd_path = systemd takes no path with control characters: { $path }
commandLine-failures-other_owner = { $file } belongs to another account (id { $owner }) than the service ({ GIVEN($account) ->
    [yes] { $account }
   *[no] you
}, id { $id }). Run: chown -R { GIVEN($account) ->
    [yes] { $account }
   *[no] { $id }
} '{ $file }'
commandLine-failures-systemd_silent = systemd does not answer: { $says }.{ $scope ->
    [user] {" "}Sign in as that user (by ssh, say): `su` and `sudo` bring no session with them.
   *[system] {""}
} Nothing was changed.
commandLine-failures-no_systemd = systemd does not run this machine. `--print` prints the unit; docs/run-it-for-a-year.md has other ways.
commandLine-failures-foreign_unit = { $file } was not written by agentpr and is left as it is. Choose another --name.
commandLine-failures-foreign_unit_stays = { $file } was not written by agentpr and is left as it is.
commandLine-failures-no_unit = There is no { $file }.
commandLine-failures-systemctl_failed = `{ $command }` failed: { $says }
commandLine-failures-demo_folder_used = { $path } is not empty. A demo begins anew each time, since its Telegram and its code host end with it. Name a new folder with --data, or empty this one. To read the ledger of an earlier demo: agentpr replay --all --data { $path }
commandLine-failures-no_such_task = --task is a number from 1 to { $max }.
commandLine-failures-who_changes = With --repo, say who makes the change: --script "<command>" (it runs in the repository), or --engine <name> with --goal "<what to do>", a coding agent that you are signed in to.
commandLine-failures-not_cloned = { $url } could not be cloned: { $says }
commandLine-failures-campaign_stuck = The campaign did not come to its end:
    { $runs }
commandLine-failures-run_stuck = The run stopped in { GIVEN($state) ->
    [yes] { $state }: { $reason }
   *[no] nothing: nothing happened
}
commandLine-failures-demo_without_run = There is no run.
commandLine-failures-no_proof = The proof does not hold; see above.
commandLine-failures-demo_stopped = The demo was stopped before its end.
commandLine-failures-demo_untrue = The demo did not hold what it says; see above.
commandLine-failures-no_answer =
    {""}
    No answer for { $name }. What was answered before is kept in .env.
commandLine-failures-bot_token_unknown = Telegram does not know the bot token. Check TELEGRAM_BOT_TOKEN.
commandLine-failures-fetched_elsewhere = Another program fetches this bot’s updates. Stop it first, or use another bot.
commandLine-failures-telegram_refused = Telegram refused us: { $says }
commandLine-failures-checks_failed = { $failed } of { $all ->
        [one] { $all } check
       *[other] { $all } checks
    } failed; each says above what to do.
commandLine-failures-not_a_repository = { $is } is not of the form owner/name.
commandLine-failures-repository_unusable = { $repo } cannot be checked here: { $n ->
        [one] { $n } thing is
       *[other] { $n } things are
    } missing or failing. A run there would not start an agent.

## The command line: what it prints

commandLine-apiListens = Other programs are served at { $address }: /mcp for MCP, /api for HTTP. Ctrl-C ends it.
commandLine-none-runs = No runs.
commandLine-none-campaigns = No campaigns.
commandLine-none-diff = There is no change on this machine yet.
commandLine-answers-repeated = that idempotency key was used before; nothing is done twice
commandLine-answers-stored = it is stored and will be handled
commandLine-answers-key_used = That idempotency key was used before, for another command or one that was refused. Use a new one.
commandLine-answers-set_aside_retried = it is handled once more
commandLine-answers-set_aside_dropped = it is dropped
commandLine-answers-set_aside_unknown = Nothing with that number is set aside; see `agentpr set-aside list`.
commandLine-answers-too_large = An order may be at most 8 MB, and this one is larger. Split the list into several campaigns.
commandLine-answers-unreadable = no answer that makes sense came back
commandLine-run-duplicate = a duplicate
commandLine-run-graded = graded { $level } (event { $seq }): { $why }
commandLine-run-attempt = attempt { $step } { $no }: { $outcome }, { $ms } ms, { GIVEN($containment) ->
    [yes] { $containment }
   *[no] containment unknown
}
commandLine-theOrder = The order
commandLine-close-first = The campaign is closed first: `agentpr campaign close`.
commandLine-close-confirm = Add --confirm to do it.
commandLine-insights-apply = An admin applies it in the chat:
    { $lines }
commandLine-report-chart = The chart is in { $file }.
commandLine-backup-made = { $file } holds the ledger ({ $ledger }), { $keys ->
    [yes] its keys
   *[no] no keys
} and the commits of { $runs ->
    [one] { $runs } open run
   *[other] { $runs } open runs
}, in { $size }.
commandLine-backup-plain = It is not encrypted, and holds the keys: whoever has it can write a ledger in your name.
commandLine-backup-restored = { $path } is as it was at { $at }. What was decided since then is not known to it: agentpr says so at each start until you run `agentpr audit accept`.
commandLine-audit-exported = { $rows } rows are in { $file }.
commandLine-audit-changed = the file is not as it was written
commandLine-audit-unsigned = the file was not signed by this ledger
commandLine-audit-holds = { $rows } rows: { $checked ->
    [everything] every chain, row MAC and decision holds, by the key
    [file] the file is as it was signed; its rows are redacted, so nothing in them can be judged
   *[chains] the hash chains hold. Without the key nobody can say who wrote them: put --key <file> to check the row MACs
}.
commandLine-audit-accepted = { $rollback ->
    [yes] Accepted, and noted in the ledger.
   *[no] There is nothing to accept.
}
commandLine-replay-replayed = Replayed { $events ->
    [one] { $events } event
   *[other] { $events } events
} of { $runs ->
    [one] { $runs } run
   *[other] { $runs } runs
}.
commandLine-replay-trajectory = trajectory: { $holds ->
    [yes] every run’s log leads to its stored state
   *[no] some run’s log does not lead to its stored state
}
commandLine-replay-decisions = decisions: { $holds ->
    [yes] no outside effect without a matching decision
   *[no] an outside effect lacks its decision
}
commandLine-replay-signatures = signatures: { $holds ->
    [yes] every chain and signature is complete
   *[no] a chain or signature is broken
}
commandLine-replay-sameRules = Today’s rules decide every event as it was decided.
commandLine-replay-otherRules = Today’s rules would decide { $events ->
    [one] { $events } event
   *[other] { $events } events
} otherwise; the ledger is right all the same:
commandLine-replay-today = { $run }: event { $seq } ({ $type }): { $today ->
    [refused] it would be refused
    [ignored] nothing would be done
    [unread] it is no longer an input
   *[other] different
}{ $members ->
    [0] {""}
   *[other] : { $members }
}
commandLine-turns-run = Run { $run }: { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, { $proposals ->
    [0] {""}
    [one] { $proposals } proposal,{" "}
   *[other] { $proposals } proposals,{" "}
}{ $actions ->
    [one] { $actions } action
   *[other] { $actions } actions
}{ $withoutTexts ->
    [0] {""}
    [one] ; of { $withoutTexts } turn some texts are not kept
   *[other] ; of { $withoutTexts } turns some texts are not kept
}.
commandLine-turns-record = record: every turn is as it was written
commandLine-turns-decisions = decisions: every action that ran was decided on, under a version of the policies, and nothing that was rejected ran
commandLine-turns-unfollowed = edits: not followed, because the record is not whole
commandLine-turns-edits = edits: they { $result ->
    [same] lead from the base tree to the tree of the commit, byte for byte
    [other] do not lead from the base tree to the tree of the commit
    [gone] cannot be followed any more
    [mixed] cannot be followed by themselves alone
   *[no_commit] made no commit
} ({ $files ->
    [one] { $files } file
   *[other] { $files } files
}; { $reapplied } applied again, { $byDigest } known by digest)
commandLine-turns-proposer = { $proposer }: chosen in { $chosen } of { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, { $denied } denied, { $failed } without a valid answer; { $read } tokens read, { $written } written{ GIVEN($cost) ->
    [yes] , ${ $cost }
   *[no] {""}
}
commandLine-turns-action = action { $action }: { $then } under { $thenVersion } ({ $thenPolicies }); today { $today } under { $todayVersion } ({ $todayPolicies })
commandLine-turns-samePolicies = Today’s policies say the same about { $asked ->
    [one] { $asked } action
   *[other] { $asked } actions
}.
commandLine-turns-otherPolicies = Today’s policies say otherwise about { $differences } of { $asked ->
    [one] { $asked } action
   *[other] { $asked } actions
}:
commandLine-turns-gone = { $commands ->
    [one] { $commands } command
   *[other] { $commands } commands
} cannot be asked about: the text is gone.
commandLine-turns-none = No run has turns: only the builtin engine records them.
commandLine-receipt-unsigned = The receipt was not signed by this ledger.
commandLine-receipt-unapproved = This ledger knows no approval of { $digest } for run { $run }.
commandLine-receipt-altered = That run was approved, but the text before the receipt is not what was approved.
commandLine-receipt-holds = Run { $run }: { $approver } approved exactly { $digest } under policies { $policies }.
commandLine-receipt-byExport = The export says so. Only the data directory (--data), whose key signed the receipt, tells who wrote it.
commandLine-migrate-tried = A copy of the database in { $path } took { $migrations }. The database was not touched.
commandLine-migrate-absent = There is no database in { $path } yet; the first start makes it.
commandLine-migrate-current = The database in { $path } is up to date.
commandLine-copy-done = { $rows ->
    [one] { $rows } row
   *[other] { $rows } rows
} are in { GIVEN($path) ->
    [yes] { $path }
   *[no] the Postgres
}, and equal those of the source.
commandLine-copy-toPostgres = Start agentpr with DATABASE_URL and the data directory that has the keys. Keep the old ledger.db elsewhere: it is an older copy from then on.
commandLine-copy-toDirectory = Start agentpr with that data directory and without DATABASE_URL. The database is an older copy from then on.
commandLine-verify-holds = { $approver } approved exactly this: commit { $commit } into { $base } of { $repo }{ $titled ->
    [yes] , with this title and description
   *[no] , with this description
}, on { $at } UTC (key { $key }).
commandLine-verify-ownKey = { $named ->
        [yes] Signed by the approver’s own key { $key } (of { $place }), one of those that you named.
       *[no] Signed by a key of an approver’s own, { $key } (of { $place }). You have to learn elsewhere whose it is.
    }
commandLine-verify-fails = This does not hold:
commandLine-verify-doubts-own_key_wrong = It carries a signature of an approver’s own key that is not over this.
commandLine-verify-doubts-own_key_missing = None of the keys that you named has signed it.
commandLine-verify-doubts-no_receipt = Its description ends with no AgentPR receipt.
commandLine-verify-doubts-no_envelope = The file is not the envelope of an AgentPR receipt.
commandLine-verify-doubts-not_signed = Its receipt carries no signature that others than its operator can check.
commandLine-verify-doubts-key_unknown = The key of its receipt is not among these keys.
commandLine-verify-doubts-key_not_in_force = The key of its receipt was not in force when it was approved.
commandLine-verify-doubts-key_revoked = The key of its receipt was revoked.
commandLine-verify-doubts-signature_wrong = Its receipt was changed, or was not signed by this key.
commandLine-verify-doubts-other_repository = The receipt is for another repository.
commandLine-verify-doubts-other_commit = The receipt is for another commit than the last one of the pull request.
commandLine-verify-doubts-other_base = The receipt is for another base branch.
commandLine-verify-doubts-other_title = The title is not the one that was approved.
commandLine-verify-doubts-other_body = The description is not the one that was approved.
commandLine-verify-doubts-other_tree = The receipt names other files than those of its commit in this repository.
commandLine-verify-doubts-commit_missing = This repository does not have the commit of the receipt. Fetch it first.
commandLine-verify-doubts-not_logged = The operator’s log has no proof of this decision.
commandLine-verify-logged = It is decision { $number } of { $size } in the operator’s log.
commandLine-log-consistent = The { $before ->
    [one] one decision
   *[other] { $before } decisions
} of the older checkpoint are the first of { $size } in the newer one: nothing was taken out or changed.
commandLine-log-notConsistent = The { $size } decisions of the newer checkpoint do not begin with the { $before } of the older one, or nobody proved it.
commandLine-log-shorter = The newer checkpoint has { $size } decisions, the older one { $before }: something was taken out, or they are in the wrong order.
commandLine-log-notSigned = { $from } is not a checkpoint that these keys have signed.
commandLine-action-holds = { $approver } approved exactly this: commit { $commit }, with this description{ FILLED($keys) ->
    [yes] , signed by the approver’s own key { $keys }
   *[no] {""}
}.
commandLine-action-noPull = This event has no pull request. Let the workflow run on pull_request_target.
commandLine-action-notOurs = This is not a pull request of AgentPR: there is nothing to check.
commandLine-action-noKeys = The operator’s keys could not be read. The input “keys” is their https address, or the text that stands there.
commandLine-step-nobody = nobody can be asked about it here
commandLine-step-session = session { $id }: { $read } tokens read, { $written } written{ GIVEN($cost) ->
    [yes] , ${ $cost }
   *[no] {""}
}
commandLine-receive-received = { $status } { $duplicate ->
    [yes] known already
   *[no] received
} as number { $id }: { $fate }
commandLine-receive-unheard = { $status } counted, and not stored: { $note }
commandLine-hook-order = Repository: { $repository }
    Goal: { $goal }
    Link: { $link }
    One preview for: { $id }
    Quoted for the agent, as data:
    { $quoted }
commandLine-hook-comment = After a tap a comment goes to { $url }: { $body }
commandLine-receive-noAnswer = The answer did not come from an AgentPR.
commandLine-receive-elsewhere = what became of it is in the ledger of that AgentPR
commandLine-receive-waits = it waits for its turn
commandLine-receive-dead = it could not be handled: { GIVEN($note) ->
    [yes] { $note }
   *[no] nobody knows why
}
commandLine-receive-done = { GIVEN($note) ->
    [yes] { $note }
   *[no] a run took it in
}
commandLine-app-title = Make a GitHub App for AgentPR
commandLine-app-rights = GitHub asks you for a name, and sends its keys to this machine. It may:
commandLine-app-yours = It is yours alone, and works where you install it. It may merge and administer nothing.
commandLine-app-make = Make it on GitHub
commandLine-app-notFound = Not found
commandLine-app-otherAnswer = This is not the answer that AgentPR waited for. Start again: agentpr init --app
commandLine-app-made = { $name } is made. Go on in the terminal; you can close this page.
commandLine-service-problems = systemd says of { $file }:
    { $problems }
commandLine-service-installed = { $file } is installed and started. `agentpr service status` says how it is.
commandLine-service-lingers = It ends when you sign out, unless you run `loginctl enable-linger` once: then it starts with the machine.
commandLine-service-removed = { $file } is removed. Settings and data are left where they are.
commandLine-demo-maintainer = maintainer
commandLine-demo-runs = runs
commandLine-demo-merges = approves and merges { $repo }#{ $number }
commandLine-demo-mergesThere = approves and merges #{ $number } on the code host
commandLine-demo-requests = requests changes on #{ $number }: { $said }
commandLine-demo-reruns = has the failed check run again on the code host
commandLine-demo-taps = taps [ { $text } ]
commandLine-demo-replies = replies: { $text }
commandLine-demo-checked = { $check } on { $commit }: { $conclusion }
commandLine-demo-tally = { $n } { $mark ->
    [works] at work
    [waits] waiting for a decision
    [open] in review
   *[other] { $mark }
}
commandLine-demo-tallies = { $marks }
commandLine-demo-repositories = { $n } repositories: { $tally }; { $taps } taps, { $sounds } sounds.
commandLine-demo-deliveries = { $n } deliveries: { $late } late, { $lost } lost, { $twice } twice; { $asked } facts found by asking.
commandLine-demo-verify = Anybody can check what was approved, with nothing but the link. Try it in another terminal:
commandLine-demo-states = States: { $states }
commandLine-demo-staysUp = { $says } Everything stays up: look around.
commandLine-demo-proof-one = { $repo }: one pull request, exactly what was approved (digest { $digest }…)
commandLine-demo-proof-seal = Seal sha256:{ $digest }
commandLine-demo-proof-approved = Approved by { $by } (approval { $id })
commandLine-demo-proof-opened = it was opened with commit { $commit }, tree { $tree }, diff sha256:{ $diff }…: the approved ones
commandLine-demo-proof-text = title and description are the approved ones
commandLine-demo-proof-edited = { $n ->
    [one] { $n } time
   *[other] { $n } times
} its text was changed by people there
commandLine-demo-proof-candidates = { $n ->
    [one] { $n } earlier candidate was
   *[other] { $n } earlier candidates were
} pushed, never opened
commandLine-demo-proof-fix = the fix { $commit }, tree { $tree }, diff sha256:{ $diff }… is the approved one
commandLine-demo-proof-unpushed = { $n ->
    [one] { $n } approved fix was
   *[other] { $n } approved fixes were
} never pushed
commandLine-demo-proof-theirs = its head is now { $commit }, a commit of somebody else
commandLine-demo-proof-nothingElse = { GIVEN($commit) ->
    [yes] its head is { $commit }, and{" "}
   *[no] {""}
}nothing else was pushed after it was opened
commandLine-demo-proof-answers = { $n } answers were posted, each once, in the threads that were signed for
commandLine-demo-proof-unmerged = nobody asked for a merge over the API
commandLine-demo-proof-unopened = no pull request was opened for it
commandLine-demo-proof-nothing = nothing was pushed for it
commandLine-demo-proof-branchGone = its branch { $branch } is gone
commandLine-demo-proof-run = there is a run
commandLine-demo-proof-approval = there is a pull request with an approval
commandLine-demo-proof-pull = one pull request: #{ $number }
commandLine-demo-proof-once = { $n ->
    [1] its one approval was used exactly once
   *[other] each of { $n } approvals was used exactly once
}
commandLine-demo-hints-card = Look at the phone: a card waits for you. { $opens ->
    [yes] No pull request is opened until you tap.
   *[no] Nothing is pushed or posted until you tap.
}
commandLine-demo-hints-tap = Tap its buttons there, or type: tap <button>
commandLine-demo-hints-open = Pull request { $pull } is open. See its checks on the code host.
commandLine-demo-hints-review = You are the maintainer of { $repo } now. Review and merge { $pull } on the code host.
commandLine-demo-hints-merge = Or type: merge { $number }
commandLine-demo-hints-waits = The run waits for you: the phone says why, and what you can do.
commandLine-demo-hints-over = That run is over. The agent of this demo is a recording that knows three changes. Another one: /new acme/patient { $goal }
commandLine-demo-hints-another = Or type the number of another; quit ends the demo.
commandLine-demo-hints-film = A film: Ana’s taps are made for her, and a maintainer answers on the code host.
commandLine-demo-hints-campaign = One change for ten repositories: read the preview on the phone, then begin it.
commandLine-demo-intro = Everything below is real: the bot, the orchestrator, git over HTTP, { $fork ->
    [yes] polling
   *[no] signed webhooks
    }, the agent’s process, the checks.
    Only the two servers are local. Watch and touch them in a browser:
    {"  "}side by side    { $both }
    {"  "}Ana’s phone     { $phone }
    {"  "}the code host   { $forge } (repository { $repo })
    {"  "}the board       { GIVEN($board) ->
    [yes] { $board }
   *[no] is off
    } (opens once; /board gives another link)
    The ledger is in { $path }.
commandLine-demo-filmOver = The film is over, and everything stays up: go on by hand.
commandLine-demo-youAreAna = You are Ana. She has just ordered a change; its card comes to her phone, and it is yours to decide. Nothing is tapped for you (--play shows it as a film).
commandLine-demo-usePages = Use the pages, or type here and press Enter:
commandLine-demo-order = order: { $goal } ({ $about })
commandLine-demo-keys =
    {"  "}tap <button>           press the newest button with that text, such as: tap Open PR
    {"  "}/status, /help, words  a message from Ana to the bot
    {"  "}merge <n>, close <n>   be the maintainer of pull request <n>
    {"  "}quit                   end
    An issue on the code host, labelled agentpr, orders a change too.

## Rules in force

rules-openings = Pull requests open { GIVEN($hours) ->
        [yes] { $hours }
       *[no] at any hour
    }{ FILLED($except) ->
        [yes] {" "}except on { $except }
       *[no] {""}
    }
rules-closedNow = closed now: opens { $at }
rules-neverOpen = closed now, and no time was found when it opens
rules-closesAt = open until { $at }
rules-there = In { $pattern }: { $says }
rules-strangers = In repositories of strangers: { $owner } open with one owner, { $repository } in one repository, { $hour } opened per hour, { $day } per day
rules-budgetThere = Budget of { $pattern }, { $period }: { LIST($amounts, by: " · ") }
policyWhen-paths = { $paths } changes
policyWhen-repos = the repository is { $repos }
policyWhen-actions = it is { $kinds }
policyWhen-kinds-push = a push
policyWhen-kinds-open_pr = a pull request
policyWhen-kinds-comment = a comment
policyWhen-kinds-reply = an answer to a review
policyWhen-kinds-command = a command
policyWhen-minAdded = { NUMBER($n) } or more lines are added
policyWhen-authors = it was asked for by { $authors }
policyWhen-minRisk = the risk is { $level ->
        [medium] medium or high
       *[high] high
    }
policyWhen-ownKey = with a key of their own
policyWords-list-when = { LIST($conditions, by: " and ") }{ FILLED($asks) ->
        [yes] {" "}({ LIST($asks, by: " · ") })
       *[no] {""}
    }
policyWords-list-inForce = Rules in force
