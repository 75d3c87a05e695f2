/** English replies to refused commands: the run's state, and possible alternatives. */
import { enComposed } from './sentences.ts';
import type { RefusalHint, Refusal } from '../../../orchestrator/kernel/run/refusals.ts';
import type { PushBlock } from '../../../orchestrator/model/outage.ts';
import { isTerminal } from '../../../orchestrator/model/run-states.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';
import { joinParts, sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';
import { enReasons } from './reasons.ts';

const goesOn = (command: string): string => `${command} continues it.`;
const UNDER_WAY = 'Something is already under way; ask again when it is done.';
const NOTHING_TO_UPDATE = 'There is no change yet that could be updated.';
const NOT_THEIRS = 'The branch holds nothing that somebody else pushed.';

const instead: Record<RefusalHint, (run: string) => string> = {
  order_anew: () => 'Start it again with /new.',
  resume: (run) => goesOn(`/resume ${run}`),
  take: (run) => goesOn(`/take ${run}`),
  retry: (run) => goesOn(`/retry ${run}`),
  retry_now: (run) => `It tries again by itself; /retry ${run} does it at once.`,
  then_ask_again: () => 'Then ask again.',
  decide_push: () => 'Its card asks for a push: decide about that first.',
  card_comes: () => 'A card comes when there is something to decide.',
  fix: (run) => `Its pull request is open; /fix ${run} asks for changes in it.`,
  fix_is_made: () => 'A fix is already under way; ask again when it is pushed.',
  no_pull_yet: () => 'It has no pull request yet; its card can be denied with what to do.',
  nothing_failed: () => 'Nothing in it has failed.',
  not_paused: () => 'It is not paused.',
  cancel_retrying: (run) => `It tries again by itself; /cancel ${run} ends it.`,
  stands_still: (run) => `The run has already stopped: /retry ${run} continues it, /cancel ${run} ends it.`,
  cancel: (run) => `/cancel ${run} ends it.`,
  under_way: () => UNDER_WAY,
  nothing_to_update: () => NOTHING_TO_UPDATE,
  not_theirs: () => NOT_THEIRS,
};
const hinted = (run: string, hints: readonly RefusalHint[]): string =>
  joinParts(...hints.map((h) => instead[h](run)));

const blocked: Record<PushBlock, string> = {
  archived: 'The repository is archived: nothing can be pushed before an owner unarchives it.',
  fork_gone:
    'The fork that the pull request comes from is gone: nothing can be pushed before it is restored.',
};

export const enRefusals: SentenceCatalogue<Refusal> = {
  no_run: () => 'There is no such run.',
  run_exists: ({ run }) => `Run ${run} already exists.`,
  not_possible_now: ({ run, state, command, hints }) =>
    joinParts(
      isTerminal(state)
        ? `Run ${run} has ended (${enComposed.headings[state]}); it cannot be ${enComposed.commandType(command)}.`
        : `Run ${run} ${enComposed.states[state]}; from there it cannot be ${enComposed.commandType(command)}.`,
      hinted(run, hints),
    ),
  no_card: ({ run, hints }) =>
    joinParts(`Run ${run} has no card that waits for a decision.`, hinted(run, hints)),
  approved_already: ({ by }) => `${by} has already approved it; it is under way.`,
  card_replaced: () => 'That card was replaced by a newer one; /pending shows it.',
  card_changed: () => 'What that card showed is not what would be published now; /pending shows the newest.',
  more_risk: ({ policies }) =>
    `That is objected to for more than what the agent asked (${policies.join(', ')}), so it cannot take its place. The question is still open.`,
  card_expired: () => 'That card has expired; a new one is on its way.',
  not_named: () => 'The campaign names who may approve its changes, and you are not among them.',
  own_change: () => 'Whoever asked for a change may not approve it here; another approver is needed.',
  signed_already: ({ left }) => `You have signed already; ${left} more to go.`,
  chat_only: () => 'Approving is done in the chat only, by a message or a button there.',
  text_missing: () => 'Say which words: a title, a description, or both.',
  no_remark: () => 'That review has already been dealt with, or its card was replaced by a newer one.',
  no_answer: ({ nos }) =>
    `${countWords(nos.length, 'Remark', 'Remarks')} ${nos.join(', ')}: no answer yet. Reply to the message of the review with the number and your answer.`,
  no_reader: () =>
    'No agent works in that state, so nobody would read your words. Leave out the state, or the words.',
  nothing_to_update: () => NOTHING_TO_UPDATE,
  under_way: () => UNDER_WAY,
  head_not_foreign: () => NOT_THEIRS,
  head_moved: () => 'The branch has moved again; look at what it holds now before you take it.',
  not_asked: ({ run }) => `The repository does not ask for that: run ${run} needs no such answer.`,
  no_standing_grant: ({ run }) => `Nothing is allowed for the rest of run ${run}.`,
  no_question: ({ run }) => `The agent of run ${run} does not ask for anything now.`,
  committed: ({ run }) =>
    `Run ${run} has its commit already; a sign-off is part of a commit. Start it again, or sign off yourself.`,
  push_blocked: ({ why }) => blocked[why],
  foreign_head_first: ({ run }) => `Somebody else’s commit is on the branch. ${goesOn(`/take ${run}`)}`,
  plan_first: ({ run }) => `A person must look at the plan of run ${run} first: /plan ${run}.`,
  plan_state_first: ({ run }) => `A person must look at the plan of run ${run} first; go on at PLAN_READY.`,
  nothing_missing: ({ run }) => `Run ${run} is missing nothing that it could go on without.`,
  no_commit: ({ run }) => `Run ${run} has no commit to validate yet.`,
  has_pull: ({ run }) => `Run ${run} has a pull request, which stays open: /cancel ${run} ends the run.`,
  no_pull: ({ run }) => `Run ${run} has no pull request whose checks could run again.`,
  cannot_continue: ({ run, at, possible }) =>
    `Run ${run} cannot go on at ${at}; possible: ${possible.join(', ') || 'nothing'}.`,
  no_limit: ({ run }) => `Run ${run} has no limit of that kind.`,
  no_ban: ({ run }) => `Run ${run} was not stopped by a ban.`,
  reason_missing: () => 'Say why that rule is about something else.',
  not_a_whole_number: () => 'That is not a whole number.',
  limit_already: ({ limit }) => `The limit is ${limit} already; say a higher one, or + and how much more.`,
  run_stopped: ({ by }, setting) => sayRecord(enReasons, by, setting),
};
