/** English reasons for a run's state and for closed cards. */
import { enComposed } from './sentences.ts';
import { enToolMismatch, enStopped } from './base.ts';
import { alikeStops } from '../../../orchestrator/model/baseline.ts';
import type { BudgetKind } from '../../../orchestrator/model/run-bounds.ts';
import { inUnits } from '../../../orchestrator/kernel/lifecycle/run-budget.ts';
import type { Reason, ReasonOf } from '../../../orchestrator/kernel/run/reasons.ts';
import type { PersonalRequirement } from '../../../orchestrator/model/contributor-requirements.ts';
import type { ReaderLimitReached } from '../../../orchestrator/model/reader-limits.ts';
import { joinParts, sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';
import { enFeedbackLine, enObjections } from './feedback.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';

const short = (sha: string): string => sha.slice(0, 6) || '(none)';
const inBrackets = (text: string): string => (text === '' ? '' : `(${text})`);
const noted = (what: string, { by, note }: { by: string; note: string }): string =>
  note === '' ? `${what} by ${by}.` : `${what} by ${by}: ${note}`;
const amount = (budget: BudgetKind, n: number): string =>
  enComposed.budgets.amounts[budget](inUnits(budget, n));

const ignoredOnly = (files: readonly string[]): string =>
  `Nothing changed that git would commit; the repository's .gitignore leaves out ${files.join(', ')}. If the change is there, name another place in the goal; if not, say more about the goal. Then retry.`;

const usedUp = (budget: BudgetKind, used: number, limit: number): string =>
  budget === 'fixes'
    ? `Our checks still fail after ${countWords(used, 'fix', 'fixes')}, the limit of one step.`
    : `The budget is used up: ${enComposed.budgets.names[budget]}, ${amount(budget, used)} of ${amount(budget, limit)}.`;

const greens: Record<ReasonOf<'checks_green'>['verdict'], string> = {
  GREEN: 'All checks are green; waiting for a review.',
  GREEN_REQUIRED: 'The required checks are green, others are not; waiting for a review.',
  GREEN_SEEN: 'All checks that we may read are green, and some we may not read; waiting for a review.',
  NO_CI: 'The repository ran no checks (this is not a green); waiting for a review.',
};
const validations: Record<ReasonOf<'checks_running'>['on'], string> = {
  commit: 'Our checks are running.',
  fix: 'Our checks are running on the fix.',
  whole: 'Our checks are running on the whole change.',
};
const endings: Record<ReasonOf<'ended_by_person'>['how'], string> = {
  cancelled: 'Cancelled',
  denied: 'Denied',
  skipped: 'Skipped',
};

const readerLimit = (limit: ReaderLimitReached['limit'], most: number): string =>
  limit === 'time' ? countWords(most, 'second') : `${most} MB${limit === 'memory' ? ' of memory' : ''}`;

const ask: Record<PersonalRequirement, string> = {
  issue: 'Reply with its number.',
  cla: 'Reply that you have signed it.',
  words: 'Reply with two or three sentences; they are published word for word.',
  template: 'Reply with the answer to what its template asks.',
  sign_off: 'Reply with Name <email> to sign off with; /settings signoff keeps it.',
};
const lostAccess: Record<ReasonOf<'access_lost'>['how'], (account: string) => string> = {
  removed: (account) => `The GitHub App was uninstalled from ${account}: install it there again.`,
  suspended: (account) =>
    `The GitHub App is suspended on ${account}: unsuspend it there, under Settings → Applications.`,
  unlisted: (account) =>
    `The GitHub App may not work on this repository any more: add it again where the App is installed on ${account}, under Settings → Applications.`,
};
const blocked: Record<ReasonOf<'push_blocked'>['why'], string> = {
  archived:
    'The repository is archived, so nothing can be pushed or merged. An owner can unarchive it under Settings → General; the run goes on by itself then. /cancel ends it.',
  fork_gone:
    'The fork that the pull request comes from is gone, so nothing can be pushed to it. Maintainers can still merge it as it is. Restore the fork (Settings → Repositories → Deleted repositories), and the run goes on by itself; or /cancel it and order it anew.',
};
const unblocked: Record<ReasonOf<'push_unblocked'>['was'], string> = {
  archived: 'The repository is no longer archived: the run goes on.',
  fork_gone: 'The fork is there again: the run goes on.',
};
const given: Record<PersonalRequirement, string> = {
  issue: 'the issue',
  cla: 'the agreement is signed',
  words: 'what the change is, in their own words',
  sign_off: 'the sign-off',
  template: 'what the template asks',
};

const writes = {
  open_pr: 'Opens',
  push: 'Pushes',
  rerun_ci: 'Re-runs the checks',
  reply: 'Answers',
  implement: 'Starts the agent',
} as const;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
const nth = (place: number): string => ORDINALS[place - 1] ?? `no. ${place}`;

type Turn = ReasonOf<'write_slot_wait'> & { does: string; when: string };
const waits: Record<Turn['why'], (turn: Turn) => string> = {
  pace: ({ does, when, position: place }) => `${does}${when}, ${nth(place)} in line.`,
  told: ({ does, when, position: place }) =>
    `${does}${when}, ${nth(place)} in line. GitHub asked us to write nothing until then.`,
  suspended: ({ does }) =>
    `${does} when the suspension is over: GitHub has suspended us. Its support, or whoever suspended our App, can lift that.`,
  slot: ({ does }) =>
    `${does} when a pull request of ours there is merged or closed: the repository takes no more of ours.`,
  owners: ({ does, when, queueLength: of = 0 }) =>
    `${does}${when}: at most ${countWords(of, 'new owner', 'new owners')} a day until more of ours is merged (strangers.newOwnersPerDay).`,
  strangers: ({ does, queueLength: of = 0 }) =>
    `${does} when one of the ${of} that are open with strangers is merged or closed (strangers.openPulls).`,
  provider: ({ does, when }) => `${does}${when}: the provider of its model takes nothing before.`,
  hidden: ({ does }) =>
    `${does} when everybody can see our pull requests: one of them is hidden from all who are not us.`,
};

export const enReasons: SentenceCatalogue<Reason> = {
  queued: () => 'Waiting for a free slot.',
  slot_wait: ({ waitsFor, taken, of, at }, { time }) =>
    joinParts(
      waitsFor === 'slot'
        ? `Waiting for a free slot: ${taken} of ${of} runs are at work.`
        : `Waiting for a free slot: ${taken} of ${of} runs were started in 24 hours.`,
      at !== null && `The next place is free at ${time(at)}.`,
    ),
  write_slot_wait: (turn, { time }) =>
    waits[turn.why]({
      ...turn,
      does: writes[turn.action],
      when: turn.readyAt === 0 ? '' : ` at ${time(turn.readyAt)}`,
    }),
  reading_repository: () => 'Reading the repository.',
  checking_base: () => 'The checks are running on the base branch first.',
  base_unusable: ({ run, stops, toolVersionMismatches: misfits }) =>
    joinParts(
      alikeStops(stops).map(enStopped).join('\n'),
      misfits.length > 0 && `\n${misfits.map(enToolMismatch).join('; ')}.`,
      `\nNo agent was started. Fix it, then /retry ${run}; or go on without these checks: /without ${run}`,
    ),
  base_checked: ({ failing, flaky, toolVersionMismatches: misfits }) =>
    joinParts(
      failing.length > 0 &&
        `Already fails on the base branch: ${failing.join(', ')}. The change is not blamed for it.`,
      flaky.length > 0 && `Fails now and then on the base branch: ${flaky.join(', ')}.`,
      misfits.length > 0 && `${misfits.map(enToolMismatch).join('; ')}.`,
    ),
  checks_waived: ({ by, names }) =>
    `${by} goes on without ${names.join(', ') || 'checks'}: they prove nothing here.`,
  agent_discovery: () => 'The agent is reading the repository.',
  discovery_asked_again: () => 'Some of what the agent found is not where it says; it is asked again.',
  contract_known: () => 'The contract is known.',
  contract_refined: ({ added, refused }) =>
    joinParts(
      `The contract is known; the agent added ${added} to it.`,
      refused > 0 && `${refused} of its finds could not be used.`,
    ),
  agreement_required: ({ file, line }) =>
    `The repository asks for a signed agreement (${file}:${line}). Start only if you have signed it.`,
  answers_missing: ({ missing }) =>
    [
      ...missing.map((one) => `${enComposed.rule(one)}. ${ask[one.what]}`),
      'Or start without it: the card of the pull request then says that it is missing.',
    ].join('\n'),
  issue_not_free: ({ issue, standing, assignees }) =>
    standing === 'taken'
      ? `Issue ${issue} is assigned to ${assignees.join(', ')}. Start only if that is settled with them.`
      : `Issue ${issue} is closed. Start only if this is wanted all the same.`,
  competing_pulls: ({ rivals }) =>
    `Somebody is already working on this: ${rivals.map((r) => `${r.id} by ${r.author}, “${r.title}”`).join('; ')}. Start only if another one is wanted.`,
  ban_read_by_agent: ({ quote, file, line }) =>
    `The agent reads a ban on such changes: “${quote}” (${file}:${line}). Start only if it is not one.`,
  possible_ban: ({ quote, file, line }) =>
    `This may be a ban on such changes: “${quote}” (${file}:${line}). Start only if it is not one.`,
  rule_unmet: (one) => `${enComposed.rule(one)}. Start only if that is settled.`,
  ban_overruled: ({ by, note, quote, file, line }) =>
    `${by} says that this rule is about something else (${note}): “${quote}” (${file}:${line}). The repository is read again.`,
  revert_empty: () => 'The branch holds nothing of that pull request any more: there is nothing to revert.',
  repository_archived: () => 'The repository is archived.',
  duplicate_repository: ({ repo }) => `The repository is called ${repo} now, and takes part under that name.`,
  ai_banned: ({ quote, file, line }) =>
    `The repository does not want such changes: “${quote}” (${file}:${line}). If this rule is about something else, an approver answers this message with the reason.`,
  implementing: () => 'The agent is working.',
  planning: () => 'The agent is making a plan.',
  fix_started: ({ no, of, title }) => `Fix ${no} of ${of}: ${title}`,
  proposer_started: ({ engine, no, of }) => `Engine ${no} of ${of} begins from the base: ${engine}.`,
  proposal_chosen: ({ engine, of }) =>
    `The change of ${engine} was the best of ${of}; its checks run once more.`,
  plan_continued: () => 'The plan continues.',
  plan_unchanged: () => 'The plan is done, and nothing was changed.',
  plan_step: ({ id, text }) => `Step ${id}: ${text}`,
  plan_step_blocked: ({ id, text, notes }) =>
    joinParts(`Step ${id} of the plan is blocked: ${text}.`, notes, 'Decide, then retry with a word on it.'),
  plan_too_long: ({ rounds, about }) =>
    `The plan went through ${rounds} rounds and is not done${about ? `: ${enFeedbackLine(about)}` : ''}. Make the goal smaller, or retry to go on.`,
  checks_running: ({ on }) => validations[on],
  checks_failed_again: () => 'The checks failed; the agent is trying again.',
  tests_pass_on_base: () => 'The new tests pass without the change too; the agent hears of it once.',
  permission_asked: ({ tool, input }) => `The agent asks to be allowed this, once: ${tool} ${input}`,
  agent_question: ({ question }) =>
    `${question}\n\nReply to this message with your answer: the agent goes on with it.`,
  report_asked_again: () => 'The agent’s report could not be read; the agent is asked for it again.',
  step_failed: ({ class: of, message, detail, again, tries, retryAt, inRow, refusal }, { time }) =>
    joinParts(
      inRow !== null && `${inRow} attempts to reach the code host failed in a row.`,
      refusal ? enComposed.hostRefused(refusal) : enComposed.why.failures[of],
      // The refusal's sentence already includes the code host's message.
      !refusal && inBrackets(detail ? enComposed.failedInDetail(detail) : message),
      refusal !== undefined && !again && 'Then retry, or cancel the run.',
      again && 'It is tried again by itself.',
      tries !== null && `It was tried ${tries === 1 ? 'once' : `${tries} times`}.`,
      retryAt !== null && `Next try: ${time(retryAt)}.`,
    ),
  no_changes: ({ summary, checksMayRun, ignored = [] }) =>
    joinParts(
      ignored.length === 0 ? enComposed.why.failures.no_changes : ignoredOnly(ignored),
      checksMayRun && 'The checks can be run again instead.',
      summary !== '' && `It says: ${summary}`,
    ),
  nothing_committable: ({ skippedFiles: leftOut }) =>
    joinParts(
      enComposed.why.failures.unsafe_workspace,
      inBrackets(leftOut.map((f) => `${f.path}: ${enComposed.findingNote(f)}`).join('; ')),
    ),
  repository_unreadable: ({ file, limit, limitValue: most, foundInRun: of }) =>
    joinParts(
      of === null
        ? `${file === null ? 'The repository' : `The file ${file}`} could not be read within ${readerLimit(limit, most)}.`
        : `Run ${of} could not read ${file ?? 'this commit'} within ${readerLimit(limit, most)}, so it was not read again.`,
      'Look at the file, then retry, or cancel the run.',
    ),
  seal_changed: (r) =>
    joinParts(
      enComposed.why.failures.seal_moved,
      inBrackets(r.moved.map((m) => sayRecord(enComposed.changedSince, m)).join('; ')),
    ),
  policy_denied: (r) =>
    joinParts(enComposed.why.failures.policy_denied, inBrackets(enObjections(r.objections))),
  budget_exhausted: ({ run, budget, used, limit, raise, about }) =>
    joinParts(
      usedUp(budget, used, limit),
      `An approver may raise it, for example with /budget ${run} ${budget} ${inUnits(budget, raise)}, or cancel the run.`,
      inBrackets(enFeedbackLine(about)),
    ),
  price_unknown: ({ run, engine, model, limit }) =>
    joinParts(
      `This run may cost at most ${amount('cost', limit)}, and nobody has told what ${model ?? 'its model'} costs, so ${engine} was refused it.`,
      `An approver can take the limit away: /budget ${run} cost none.`,
      model === null
        ? 'Or name a model in the arguments of the engine.'
        : `Or name its price on the host ("gateway.prices": {"${model}": {"input": …, "output": …}} in agentpr.config.json, in dollars for a million tokens) and start AgentPR again: the run goes on by itself.`,
      'Or order it anew with another engine or model.',
    ),
  updates_exhausted: () => 'It has been updated from its base as often as is allowed.',
  push_approval_wait: () => 'The push is waiting for approval.',
  pushing: () => 'Pushing the branch.',
  push_unconfirmed: () => 'It is not known what the push would publish; retry it.',
  pull_unconfirmed: () => 'It is not known what a pull request would publish; retry it.',
  merge_conflicts: () => 'The change conflicts with its base branch.',
  decision_wait: () => 'Waiting for your decision.',
  pull_open: ({ pull }) => `Pull request ${pull} is open; waiting for its checks.`,
  pull_too_late: ({ pull }) => `Pull request ${pull} was opened before it could be stopped.`,
  fix_pushed: () => 'The fix is pushed; waiting for the checks.',
  checks_restarted: () => 'Checks are running again.',
  maintainer_wait: () => 'A maintainer must allow the checks to run.',
  checks_green: ({ verdict }) => greens[verdict],
  iterating: ({ about }) => enFeedbackLine(about) || 'The agent is making a fix.',
  pull_merged: ({ by }) => `Merged by ${by ?? 'a maintainer'}.`,
  pull_closed: ({ by }) => `The pull request was closed without a merge by ${by ?? 'a maintainer'}.`,
  foreign_head: ({ from, to }) =>
    `Somebody else pushed to our branch: it was at ${short(from)}, and is at ${short(to)} now. Approvals are void.`,
  head_adopted: ({ by, author, sha }) => `${by} took ${short(sha)} by ${author}; the run goes on from it.`,
  base_update: ({ by, ref }) => `${by} asked for an update from ${ref}.`,
  base_up_to_date: ({ ref, sha }) => `${ref} has nothing new (${short(sha)}).`,
  base_merge: ({ ref, sha, commits, conflicts }) =>
    joinParts(
      `Merges ${ref} ${short(sha)}: ${countWords(commits, 'commit', 'commits')}.`,
      conflicts.length > 0 && `The agent resolves conflicts in ${conflicts.slice(0, 5).join(', ')}.`,
    ),
  sent_to_checks: ({ by }) => `${by} sent the commit to our checks.`,
  checks_red_on_base: ({ ref, checks }) =>
    `${checks.join(', ')}: red, and on ${ref} as well. Nothing is fixed; Update from base when ${ref} is green again, or /fix with what to do.`,
  maybe_flaky: ({ checks }) =>
    `${checks.join(', ')}: red, and maybe flaky: it was stopped from outside, or had passed on the same commit. When it is run again and passes, the run goes on; in a repository of others only its maintainers can do that. Retry asks for a fix.`,
  flaky_rerun: ({ checks }) => `${checks.join(', ')}: red, and maybe flaky; run again, once.`,
  rerun_refused: (r) =>
    joinParts(
      'The code host did not run the checks again.',
      inBrackets(enComposed.refused(r)),
      'Retry starts a fix. When somebody else runs them and they pass, the run goes on.',
    ),
  checks_rerun: ({ by }) => `${by} asked for the checks to run again.`,
  paused: ({ by }) => `Paused by ${by}.`,
  access_lost: ({ how, account }) =>
    `${lostAccess[how](account)} The run goes on by itself when that is done.`,
  access_restored: ({ account }) => `The GitHub App may work for ${account} again.`,
  base_changed: ({ from, to }) =>
    `The pull request goes into ${to} now, no longer into ${from}; the run follows.`,
  push_blocked: ({ why }) => blocked[why],
  push_unblocked: ({ was }) => unblocked[was],
  marked_done: ({ by }) => `Marked as done by ${by}.`,
  permission_granted: ({ by, sort, edited = false, picked }) =>
    picked !== undefined
      ? `${by} allowed what ${picked} proposed in its place, once.`
      : sort === null
        ? `${by} ${edited ? 'changed it and allowed that' : 'allowed it'}, once.`
        : `${by} allowed “${sort} …” in this run.`,
  permission_refused: (r) => noted('Not allowed', r),
  approved: ({ by }) => `Approved by ${by}.`,
  requirement_answered: ({ by, what }) => `${by} answered: ${given[what]}.`,
  pr_text_edited: ({ by, note }) => `${by} changed the words: ${note}`,
  rejected: ({ denialReason: because, again, ...r }) =>
    noted(
      again ? 'Changes asked for' : 'Denied',
      because ? { ...r, note: joinParts(enComposed.denials.why[because], r.note) } : r,
    ),
  retried: (r) => noted('Retried', r),
  resumed: (r) => noted('Resumed', r),
  ended_by_person: ({ how, by, note, pull, denialReason: because }) =>
    joinParts(
      `${endings[how]} by ${by}${because ? `: ${enComposed.denials.why[because]}` : ''}.`,
      note,
      pull !== null && `Pull request ${pull} stays open.`,
    ),
  retrying: () => 'Trying again.',
  cannot_continue: ({ at }) => `It cannot go on at ${at}; use /retry with a target.`,
  card_replaced: () => 'Replaced by a newer card.',
  decision_expired: () => 'Nobody decided in time.',
};
