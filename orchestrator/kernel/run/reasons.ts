/** Reasons for a run's state or a closed card, as records that each language renders (S9). */
import { z } from 'zod';
import { CommandGroup } from '#model/environment';
import { BaselineStop, ObservedToolchain } from '#model/evidence';
import { BudgetKind, WriteSlotWait } from '#model/limits';
import { ESCALATION_SCHEMAS, PolicyObjections } from '#model/assessment';
import { SkippedFile } from '#model/change';
import { Failure, FailureDetail, ACCESS_LOST, PUSH_BLOCKS } from '#model/failure';
import { DENIAL_REASONS, Feedback } from '#model/feedback';
import { PERSONAL_REQUIREMENTS } from '#model/requirements';
import { SealDifference } from '#model/seal';
import { RUN_STATES } from '#model/run';
import { ReaderLimitReached } from '#model/values';
import { AlternativeProposals } from './alternative-proposals.ts';

const { literal, number, object, string } = z;
const plainSchema = <K extends string>(kind: K) => object({ kind: literal(kind) });
const personSchema = <K extends string>(kind: K) => object({ kind: literal(kind), by: string() });
const personNoteSchema = <K extends string>(kind: K) =>
  object({ kind: literal(kind), by: string(), note: string() });
const pullSchema = <K extends string>(kind: K) => object({ kind: literal(kind), pull: string() });
const base = { ref: string(), sha: string() };

const FAILED_REASON = object({
  kind: literal('step_failed'),
  ...Failure.shape,
  again: z.boolean(),
  tries: number().nullable(),
  /** Time of the next try (epoch ms), when a provider is waited for. */
  retryAt: number().nullable(),
  /** Failures of the code host in a row, when that pauses the run. */
  inRow: number().nullable(),
});

export const Reason = z.discriminatedUnion('kind', [
  plainSchema('queued'),
  /** A slot is free by `at` (epoch ms); null when that depends on other runs. */
  object({
    kind: literal('slot_wait'),
    waitsFor: z.enum(['slot', 'day']),
    used: number(),
    of: number(),
    at: number().nullable(),
  }),
  object({ kind: literal('write_slot_wait'), ...WriteSlotWait.shape }),

  plainSchema('reading_repository'),
  plainSchema('checking_base'),
  /** E15: a required tool is not available here, so no agent is started. */
  object({
    kind: literal('base_unusable'),
    run: string(),
    stops: z.array(BaselineStop),
    toolVersionMismatches: z.array(ObservedToolchain),
  }),
  object({
    kind: literal('base_checked'),
    failing: z.array(string()),
    flaky: z.array(string()),
    toolVersionMismatches: z.array(ObservedToolchain),
  }),
  object({ kind: literal('checks_waived'), by: string(), names: z.array(string()) }),
  plainSchema('agent_discovery'),
  plainSchema('discovery_asked_again'),
  plainSchema('contract_known'),
  object({ kind: literal('contract_refined'), added: number(), refused: number() }),
  ...ESCALATION_SCHEMAS,
  plainSchema('repository_archived'),
  plainSchema('revert_empty'),
  object({ kind: literal('duplicate_repository'), repo: string() }),
  object({ kind: literal('ai_banned'), quote: string(), file: string(), line: number() }),

  /** `note` is why the approver calls it a rule about something else. */
  object({
    kind: literal('ban_overruled'),
    by: string(),
    note: string(),
    quote: string(),
    file: string(),
    line: number(),
  }),

  plainSchema('implementing'),
  plainSchema('planning'),
  plainSchema('plan_continued'),
  object({ kind: literal('fix_started'), no: number(), of: number(), title: string() }),
  object({ kind: literal('proposer_started'), engine: string(), no: number(), of: number() }),
  object({ kind: literal('proposal_chosen'), engine: string(), of: number() }),
  plainSchema('plan_unchanged'),
  object({ kind: literal('plan_step'), id: string(), text: string() }),
  object({ kind: literal('plan_step_blocked'), id: string(), text: string(), notes: string() }),
  object({ kind: literal('plan_too_long'), rounds: number(), about: Feedback.nullable() }),

  object({ kind: literal('checks_running'), on: z.enum(['commit', 'fix', 'whole']) }),
  plainSchema('checks_failed_again'),
  plainSchema('tests_pass_on_base'),
  plainSchema('report_asked_again'),
  /** E10: the agent asks to be allowed this, once; `input` is the tool's input. */
  object({
    kind: literal('permission_asked'),
    id: string(),
    tool: string(),
    input: string(),
    digest: string(),
    objections: PolicyObjections,
    sort: CommandGroup.nullable(),
    editable: z.boolean().exactOptional(),
    alternatives: AlternativeProposals.exactOptional(),
  }),
  object({ kind: literal('agent_question'), question: string() }),
  FAILED_REASON,
  /** `summary` is the agent's; `ignored` are files that the repository ignores. */
  object({
    kind: literal('no_changes'),
    summary: string(),
    checksMayRun: z.boolean(),
    ignored: z.array(z.string()).exactOptional(),
  }),
  object({ kind: literal('nothing_committable'), skippedFiles: z.array(SkippedFile) }),
  object({ kind: literal('repository_unreadable'), ...ReaderLimitReached.shape }),
  object({ kind: literal('policy_denied'), objections: PolicyObjections }),
  /** The current proposal differs from the approved one. */
  object({ kind: literal('seal_changed'), differences: z.array(SealDifference) }),
  /** The field `about` is the stopped work; `raise` is a limit that gives room for more. */
  object({
    kind: literal('budget_exhausted'),
    run: string(),
    budget: BudgetKind,
    used: number(),
    /** `used` is an upper bound. */
    atMost: literal(true).exactOptional(),
    limit: number(),
    raise: number(),
    about: Feedback.nullable(),
  }),
  /** E18: a limited cost and no price for the model (null: unnamed). `limit` in dollars. */
  object({
    kind: literal('price_unknown'),
    run: string(),
    engine: string(),
    model: string().nullable(),
    limit: number(),
  }),
  plainSchema('updates_exhausted'),

  plainSchema('push_approval_wait'),
  plainSchema('pushing'),
  plainSchema('push_unconfirmed'),
  plainSchema('pull_unconfirmed'),
  plainSchema('merge_conflicts'),
  plainSchema('decision_wait'),
  pullSchema('pull_open'),
  pullSchema('pull_too_late'),
  plainSchema('fix_pushed'),
  plainSchema('checks_restarted'),
  plainSchema('maintainer_wait'),
  object({
    kind: literal('checks_green'),
    verdict: z.enum(['GREEN', 'GREEN_REQUIRED', 'GREEN_SEEN', 'NO_CI']),
  }),
  object({ kind: literal('iterating'), about: Feedback.nullable() }),

  object({ kind: literal('pull_merged'), by: string().nullable() }),
  /** `pausedBy` had paused the run before. */
  object({ kind: literal('pull_closed'), by: string().nullable(), pausedBy: string().exactOptional() }),
  pullSchema('pull_reopened'),
  object({ kind: literal('foreign_head'), from: string(), to: string() }),
  object({ kind: literal('head_adopted'), by: string(), author: string(), sha: string() }),
  /** Somebody merged the base into our branch on the code host, and nothing else. */
  object({ kind: literal('base_merged_elsewhere'), author: string(), ...base, commits: number() }),
  object({ kind: literal('base_update'), by: string(), ref: string() }),
  object({ kind: literal('base_up_to_date'), ...base }),
  object({ kind: literal('base_merge'), ...base, commits: number(), conflicts: z.array(string()) }),

  personSchema('sent_to_checks'),
  object({ kind: literal('checks_red_on_base'), ref: string(), checks: z.array(string()) }),
  object({ kind: literal('maybe_flaky'), checks: z.array(string()) }),
  object({ kind: literal('flaky_rerun'), checks: z.array(string()) }),
  object({
    kind: literal('rerun_refused'),
    says: string(),
    detail: FailureDetail.exactOptional(),
  }),
  personSchema('checks_rerun'),
  personSchema('paused'),
  /** Our App lost access to the repository; the run resumes when it is back. */
  object({ kind: literal('access_lost'), how: z.enum(ACCESS_LOST), account: string() }),
  object({ kind: literal('access_restored'), account: string() }),
  /** F12: the pull request was retargeted, or its base branch renamed. */
  object({ kind: literal('base_changed'), from: string(), to: string() }),
  /** F12: nothing can be pushed; the run resumes when that is over. */
  object({ kind: literal('push_blocked'), why: z.enum(PUSH_BLOCKS) }),
  object({ kind: literal('push_unblocked'), was: z.enum(PUSH_BLOCKS) }),
  personSchema('marked_done'),
  personSchema('approved'),
  object({
    kind: literal('permission_granted'),
    by: string(),
    sort: string().nullable(),
    edited: z.boolean().exactOptional(),
    picked: string().exactOptional(),
  }),
  personNoteSchema('permission_refused'),
  object({ kind: literal('requirement_answered'), by: string(), what: z.enum(PERSONAL_REQUIREMENTS) }),
  personNoteSchema('pr_text_edited'),
  personNoteSchema('rejected').extend({
    denialReason: z.enum(DENIAL_REASONS).exactOptional(),
    again: z.literal(true).exactOptional(),
  }),
  /** E21: a person stopped the agent, and what is there is checked as it is. */
  personSchema('work_kept'),
  plainSchema('kept_work_red'),
  personSchema('work_dropped'),
  /** E21: the agent's next turn begins with what a person told it. */
  personSchema('operator_words'),
  personSchema('taken_back'),
  personNoteSchema('retried'),
  personNoteSchema('resumed'),
  /** A user ended the run: no failure. `pull` stays open. */
  object({
    kind: literal('ended_by_person'),
    how: z.enum(['cancelled', 'denied', 'skipped']),
    by: string(),
    note: string(),
    pull: string().nullable(),
    branch: literal('removed').exactOptional(),
    denialReason: z.enum(DENIAL_REASONS).exactOptional(),
  }),
  plainSchema('retrying'),
  object({ kind: literal('cannot_continue'), at: z.enum(RUN_STATES) }),

  plainSchema('card_replaced'),
  plainSchema('decision_expired'),
]);
export type Reason = z.infer<typeof Reason>;

const ASKING: readonly Reason['kind'][] = ['permission_asked', 'agent_question', 'foreign_head'];
/** A person is waited for about something that is no step of ours, and nothing failed. */
export const isQuestionToPerson = ({ kind }: Reason): boolean => ASKING.includes(kind);
export type ReasonOf<K extends Reason['kind']> = Extract<Reason, { kind: K }>;

type Failed = ReasonOf<'step_failed'>;
const ONCE = { again: false, tries: null, retryAt: null, inRow: null } as const;
/** `failure` may have more fields; they are left out. */
export const toFailedReason = (failure: Failure, more: Partial<Failed> = {}): Failed => ({
  kind: 'step_failed',
  class: failure.class,
  message: failure.message,
  ...(failure.detail && { detail: failure.detail }),
  ...ONCE,
  ...more,
});
